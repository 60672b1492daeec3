"""What a lesson shows first, board and question, as a piece of HTML: on the screen before any kernel answers.

The server has it written beside the kernels, as the cards of rules are (``widgets.serving.first_pictures``).
"""

from __future__ import annotations

import re
from html import escape

import ipywidgets as ipw

from tutor.course.lessons import lesson
from widgets.board.svg import board_svg
from widgets.host.discard import discard
from widgets.host.page import Page
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


def _drawn(stage: LessonStage) -> str:
    board, (_, panel) = stage.stage.board, stage.widget.children
    _, scroll, foot = panel.children
    pictures = "".join(
        f'<template data-theme="{theme}">'
        f"{board_svg(board.position, board.layers, theme=theme, view=board.drawing_view)}</template>"
        for theme in ("light", "dark")
    )
    words = _LINK.sub(r'<span class="first-link">\1</span>', "".join(map(_words, scroll.children[:2])))
    words = _CLASS.sub(lambda names: names[0].replace("ldv-", "first-"), _KNOWN.sub("", words))
    return (
        f'<div class="first-map first-shape-{board.viewport.shape}">{pictures}</div><div class="first-panel"><div class="first-scroll">{words}</div>'
        f'<div class="first-foot">{_words(foot)}</div></div>'
    )


def _words(widget: ipw.Widget) -> str:
    """What is read of a widget and of all that it holds, without anything that may be pressed or filled in."""
    hidden = isinstance(widget, ipw.DOMWidget) and widget.layout.display == "none"
    if hidden:
        return ""
    if isinstance(widget, ipw.Button):
        return f'<span class="first-choice">{escape(widget.description)}</span>' if widget.description else ""
    if isinstance(widget, ipw.HTML):
        return f"<div>{widget.value}</div>" if widget.value else ""
    return "".join(map(_words, widget.children)) if isinstance(widget, ipw.Box) else ""
