"""What a page shows first, board and question, as a piece of HTML: on the screen before any kernel answers.

The server has it written beside the kernels, as the cards of rules are (``widgets.serving.first_pictures``): of a lesson,
of the home page, of the free board of a game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

import ipywidgets as ipw

from tutor.course.lessons import lesson
from tutor.course.links import Link
from widgets.board.board import Board
from widgets.board.svg import board_svg
from widgets.board.words import whole
from widgets.host.discard import discard
from widgets.host.page import Page
from widgets.pages.free_board import SandboxPage
from widgets.pages.home import HomePage
from widgets.player.lesson import LessonPage
from widgets.player.scenes import LessonStage

#: What a page's scripts and styles would know of the words, and what may be followed.
_KNOWN = re.compile(r'\s(?:id|tabindex|role|data-[\w-]+)="[^"]*"')
_LINK = re.compile(r"<a\b[^>]*>(.*?)</a>", re.DOTALL)
_CLASS = re.compile(r'(?<=class=")[^"]*')


def first_picture(game_id: str, lesson_id: str) -> str | None:
    """The first scene of a lesson as it stands before anything is answered.

    Nothing in it can be pressed, and no name in it is one that a script or a style of the page knows: what the kernel
    makes takes its place.

    Args:
        game_id: game.
        lesson_id: id of the lesson.

    Returns:
        HTML with the board in a ``<template>`` for each theme; None of a lesson that has no stage.

    Raises:
        TutorError: there is no such lesson, or its content is broken.

    >>> shown = first_picture("combat_commander", "cc-04-ldv") or ""
    >>> 'class="first-question"' in shown, shown.count("<template"), "ldv-" in shown
    (True, 2, False)
    """
    page = Page()
    made = LessonPage(page, game_id, lesson(game_id, lesson_id), staged=True)
    shown = made.opening()
    if shown is None or made.stage is None:
        return None
    drawn = _drawn(made.stage)
    made.stage.stage.close()
    discard(page, shown, *made.stage.stage.widgets)
    return drawn


def first_home(game_id: str, asked: bool = False) -> str | None:
    """The question that the home page opens with, and its headline: what is the same for every reader.

    Args:
        game_id: whose question it is.
        asked: the address of the page asks for that game; else it is the first one of the house.

    Returns:
        HTML as of a lesson, in one element that says of which game it is; None when nothing is asked.

    >>> shown = first_home("combat_commander") or ""
    >>> 'class="first-question"' in shown, shown.count("<template"), "ldv-" in shown
    (True, 2, False)
    """
    page = Page()
    made = HomePage(page)
    if asked:
        page.course.query = Link("home", game_id).url.lstrip("/")
    play, title = made.play, made.title
    shown = play is not None and play.game_id == game_id
    drawn = _page("home", game_id, asked, (play.widget, title)) if play and shown else None
    discard(page, made.widget)
    return drawn


def first_free(game_id: str) -> str | None:
    """The free board of a game as it opens: what can be done, how, and the board.

    Args:
        game_id: game.

    Returns:
        HTML as of the home page.

    >>> shown = first_free("combat_commander") or ""
    >>> "Regarder" in shown, shown.count("<template"), "ldv-" in shown
    (True, 2, False)
    """
    page = Page()
    made = SandboxPage(page, game_id)
    assert made.board is not None
    drawn = _page("free", game_id, False, (made.widget.children[0], made.board.widget.children[0]))
    made.board.board.leave()
    discard(page, made.widget)
    return drawn


def _page(kind: str, game_id: str, asked: bool, widgets: Iterable[ipw.Widget]) -> str:
    """What is shown of a page that scrolls, and which page it is: the browser knows whether it is the one asked for."""
    whose = f'data-game="{game_id}" data-asked="{str(asked).lower()}"'
    return f'<div class="first-page first-{kind}" {whose}>{"".join(map(_copy, widgets))}</div>'


def _drawn(stage: LessonStage) -> str:
    board, panel = stage.stage.board, stage.widget.children[-1]
    _, scroll, foot = panel.children
    words = _unknown("".join(map(_words, scroll.children[:2])))
    return (
        f'{_map(board)}<div class="first-panel"><div class="first-scroll">{words}</div>'
        f'<div class="first-foot">{_words(foot)}</div></div>'
    )


def _map(board: Board) -> str:
    """A board in both themes."""
    pictures = "".join(
        f'<template data-theme="{theme}">'
        f"{board_svg(board.position, board.layers, theme=theme, view=board.drawing_view)}</template>"
        for theme in ("light", "dark")
    )
    view = board.drawing_view
    ratio = f"--first-ratio:{view.width / view.height:.4f}"
    return f'<div class="first-map first-shape-{board.viewport.shape}" style="{ratio}">{pictures}</div>'


def _unknown(words: str) -> str:
    """Words without any name that a script or a style of the page knows, and nothing to follow."""
    words = _LINK.sub(r'<span class="first-link">\1</span>', words)
    return _CLASS.sub(lambda names: names[0].replace("ldv-", "first-"), _KNOWN.sub("", words))


def _words(widget: ipw.Widget) -> str:
    """What is read of a widget and of all that it holds, without anything that may be pressed or filled in."""
    hidden = isinstance(widget, ipw.DOMWidget) and widget.layout.display == "none"
    if hidden:
        return ""
    if isinstance(widget, ipw.Button):
        said = _unknown(whole(escape(widget.description)))
        return f'<span class="first-choice"><span>{said}</span></span>' if said else ""
    if isinstance(widget, ipw.HTML):
        return f"<div>{widget.value}</div>" if widget.value else ""
    return "".join(map(_words, widget.children)) if isinstance(widget, ipw.Box) else ""


def _copy(widget: ipw.Widget) -> str:
    """A widget as it stands, and all that it holds, each box with its names; controls are only drawn."""
    if isinstance(widget, ipw.DOMWidget) and widget.layout.display == "none":
        return ""
    if isinstance(widget, Board):
        return _map(widget)
    if isinstance(widget, ipw.ToggleButtons):
        made = "".join(
            f'<span class="first-choice{" first-on" if label == widget.label else ""}">{escape(label)}</span>'
            for label in widget._options_labels
        )
        return f'<div class="first-choices">{made}</div>'
    if isinstance(widget, ipw.Dropdown):
        chosen = f'<span class="first-select">{escape(widget.label or "")}</span>'
        return f'<div class="first-field"><span>{escape(widget.description)}</span>{chosen}</div>'
    if isinstance(widget, ipw.Box):
        return _named(widget, "".join(map(_copy, widget.children)))
    return _named(widget, _unknown(_words(widget))) if isinstance(widget, ipw.HTML) else _words(widget)


def _named(widget: ipw.DOMWidget, content: str) -> str:
    names = " ".join(name.replace("ldv-", "first-") for name in widget._dom_classes)
    return f'<div class="{names}">{content}</div>' if content else ""
