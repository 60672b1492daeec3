"""The card of a rule, or of a word: what opens over a lesson when its number is touched, as a piece of HTML.

No widget is made here: the server has cards written beside the kernels (``widgets.serving.rule_cards``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from tutor.core.errors import PositionError
from tutor.core.phrases import NBSP
from tutor.core.position import Position
from tutor.core.registry import Game, Section, ask, game
from tutor.core.result import Result
from tutor.core.typography import typography
from tutor.course import articles
from tutor.course.headlines import answering
from tutor.course.lessons import article_rules, lessons, teaching
from tutor.course.links import Link, picture_address, rule_link
from tutor.course.models import LiveExample, Prediction, Question
from tutor.course.prose import rule_number, tokens
from tutor.course.showing import showing
from tutor.course.shown import named_hexes
from widgets.board.grounds import drawable
from widgets.board.layers import Selection, layers_for, places_of
from widgets.board.paint.places import place_hexes
from widgets.board.paint.shapes import fitted
from widgets.board.panels.verdict import OPEN_POINT, OPEN_POINT_MEANS, badge, verdict
from widgets.board.svg import board_svg, window_around
from widgets.board.words import whole
from widgets.host.prose import reason

#: Greatest size of the whole board whose part is shown, in CSS pixels: its counters are read on a phone.
SIZE, HEIGHT = 1000, 900
#: Greatest radius of its hexes, in CSS pixels.
RADIUS = 40.0
#: Neighbours of a kind that a card names at once; the others are folded.
_MOST = 5


@dataclass(frozen=True, slots=True)
class Case:
    """The live example on a card, asked.

    Args:
        example: its content.
        link: opens it, to be played.
        question: what the reader is asked of it, if anything.
        position: its board.
        result: the engine's answer.
    """

    example: LiveExample
    link: Link
    question: Prediction | None
    position: Position
    result: Result[object]

    @property
    def because(self) -> str | None:
        """Code of the step that answers the question; None: the last one does."""
        if self.question is None:
            return None
        steps = answering(self.result, self.position, self.question.because, self.question.choices)
        return steps[-1].code if steps else None

    @property
    def named(self) -> tuple[str, ...]:
        """Hexes that the question speaks of."""
        return named_hexes(self.position, self.example.with_)

    @property
    def around(self) -> tuple[str, ...]:
        """Hexes that the picture has to show; none: all of them."""
        if not self.named:
            return ()
        lit = [place for step in self.result.trace.walk() for place in places_of(step)]
        return (*self.named, *self.example.focus, *place_hexes(lit, self.position))


@lru_cache(maxsize=32)
def case(game_id: str, rule: str) -> Case | None:
    """The live example that shows a rule, asked: its article's own, else the one that the index shows; None: no such.

    Args:
        game_id: game; rule: id of one of its sections.

    Raises:
        TutorError: its content is broken.
    """
    own = articles.card(game_id, rule)
    mine = next((one for one in own.article.examples if rule in one.rules), None) if own else None
    if mine:
        link = Link("articles", game_id, rule=rule, example=mine.id)
        return _asked(game_id, mine, link, mine.question)
    shown = showing(game_id).get(rule)
    if shown is None:
        return None
    question = shown.example.question
    if shown.link.page == "lesson":
        lesson = next(one for one in lessons(game_id) if one.slug == shown.link.slug)
        questions = (block for block in lesson.blocks if isinstance(block, Question))
        question = next((one for one in questions if one.example == shown.example.id), None)
    return _asked(game_id, shown.example, shown.link, question)


def _asked(game_id: str, example: LiveExample, link: Link, question: Prediction | None) -> Case | None:
    position = game(game_id).position(example.position).change(example.changes)
    try:
        result = ask(position, example.ask, **example.with_)
    except PositionError:
        return None
    return Case(example, link, question, position, result)


def rule_card(game_id: str, rule: str) -> str | None:
    """The card of a rule, as HTML: its summary, what it is for, its live example, where it is taught, what it cites.

    Args:
        game_id: game; rule: id of a section.

    Returns:
        None when there is no such rule.

    Raises:
        TutorError: its content is broken.

    >>> 'seule la plus forte compte' in rule_card("combat_commander", "10.3.3")
    True
    >>> rule_card("combat_commander", "99.99")
    """
    book = game(game_id)
    section = book.sections.get(rule)
    if section is None:
        return None
    above = [book.sections[section.parent]] if section.parent in book.sections else []
    cited = [book.sections[one] for one in section.see if one in book.sections and one != section.parent]
    below = [one for one in book.sections.values() if one.parent == rule and one not in cited]
    return "".join(
        (
            _title(
                f'<span class="ldv-rule">{escape(rule_number(rule))}</span> {whole(escape(typography(section.title)))}'
            ),
            f"<p>{whole(escape(typography(section.summary)))}</p>",
            reason(game_id, rule),
            _example(game_id, rule),
            _onward(game_id, rule),
            _row("Voir aussi", book, cited),
            _row("Elle précise", book, above),
            _row("Précisée par", book, below),
        )
    )


def word_card(game_id: str, word: str) -> str | None:
    """The card of a word of the glossary, or of the note of a step, as HTML: its definition, and its rules.

    Args:
        game_id: game; word: as it is written in a text, or as the glossary has it.

    Returns:
        None when the glossary does not have it.

    >>> 'côté en commun' in word_card("combat_commander", "voisins")
    True
    >>> 'laisse ce point ouvert' in word_card("tcs", "interprétation")
    True
    """
    book, wanted = game(game_id), word.casefold()
    for entry in book.glossary:
        forms = (str(entry["term"]), *(str(one) for one in entry.get("aliases") or ()))
        if wanted in (form.casefold() for form in forms):
            rules = [book.sections[one] for one in entry.get("rules") or () if one in book.sections]
            title, definition = escape(str(entry["term"])), escape(typography(str(entry["definition"])))
            return f"{_title(title)}<p>{whole(definition)}</p>{_row('Ses règles', book, rules)}"
    if wanted == OPEN_POINT:
        return f"{_title(OPEN_POINT.capitalize())}<p>{whole(escape(OPEN_POINT_MEANS))}</p>"
    return None


def picture(game_id: str, rule: str, theme: str, solved: bool) -> str | None:
    """The board on the card of a rule, as an SVG document; None when no example shows the rule.

    Args:
        game_id: game; rule: id of a section.
        theme: light or dark.
        solved: with what the verdict draws, else as the question is asked.

    Raises:
        TutorError: its content is broken.
    """
    one = case(game_id, rule)
    if one is None:
        return None
    marks = layers_for(one.result, one.position, game(game_id).shapes(one.position)) if solved else ()
    size, height = _size(one.position)
    layers = marks or ((Selection(one.named),) if one.named else ())
    return board_svg(one.position, layers, size=size, height=height, theme=theme, around=one.around, ground="inline")


def _size(position: Position) -> tuple[int, int]:
    share = min(1.0, RADIUS / fitted(position.grid, SIZE, HEIGHT).radius)
    return round(SIZE * share), round(HEIGHT * share)


def _title(inner: str) -> str:
    return f'<h2 id="ldv-card-title" tabindex="-1">{inner}</h2>'


def _inline(game_id: str, text: str) -> str:
    """A prose text as inline HTML; its rules open their own cards."""
    runs = []
    for token in tokens(text):
        inner = whole(escape(token.text, quote=False))
        book = game(game_id)
        if token.kind == "rule":
            runs.append(_chip(book, token.text))
        else:
            runs.append(f"<{token.kind}>{inner}</{token.kind}>" if token.kind in ("strong", "em") else inner)
    return "".join(runs)


def _chip(book: Game, rule: str) -> str:
    url = escape(rule_link(book.id, rule), quote=True)
    return (
        f'<a class="ldv-rule" href="{url}" target="_blank" rel="noopener" aria-haspopup="dialog">'
        f"{escape(rule_number(rule))}</a>"
    )


def _row(title: str, book: Game, sections: Sequence[Section]) -> str:
    """Neighbours of one kind, each opening its own card."""
    items = [
        f'<li><a href="{escape(rule_link(book.id, one.id), quote=True)}" target="_blank" rel="noopener" '
        f'aria-haspopup="dialog"><span class="ldv-rule">{escape(rule_number(one.id))}</span> '
        f"{whole(escape(typography(one.title)))}</a></li>"
        for one in sections
    ]
    if not items:
        return ""
    most = _MOST if len(items) > _MOST + 1 else len(items)
    folded = f"<ul>{''.join(items[most:])}</ul>"
    others = f"<details><summary>{len(items) - most} autres</summary>{folded}</details>" if items[most:] else ""
    return f'<section class="ldv-card-row"><h3>{title}</h3><ul>{"".join(items[:most])}</ul>{others}</section>'


def _away(link: Link, words: str, css: str = "") -> str:
    """A link that leaves the reader where he is: it opens beside."""
    return f'<a{css} href="{escape(link.url, quote=True)}" target="_blank" rel="noopener">{words}</a>'


def _example(game_id: str, rule: str) -> str:
    """The live example: its board and its question; its verdict, folded, so that no card gives an answer away."""
    one = case(game_id, rule)
    if one is None:
        return ""
    title = escape(typography(one.example.title))
    view = fitted(one.position.grid, *_size(one.position))
    *_, width, height = window_around(view, one.around) or (0, 0, view.width, view.height)
    text = one.question.text if one.question else one.example.text or ""
    asked = f'<p class="ldv-card-question">{_inline(game_id, text)}</p>' if text else ""
    outcome, sentence, deciding = verdict(one.result, one.position, one.because)
    chip = f" {_chip(game(game_id), deciding)}" if deciding and deciding != rule else ""

    def image(solved: bool) -> str:
        said = f"Le plateau, avec ce que dit le verdict{NBSP}: {sentence}" if solved else f"Le plateau{NBSP}: {title}"
        address = escape(picture_address(game_id, rule, solved), quote=True)
        return (
            f'<img data-ldv-picture="{address}" width="{width}" height="{height}" loading="lazy" '
            f'alt="{escape(typography(said), quote=True)}">'
        )

    source = badge(one.position.provenance) if one.position.provenance not in (None, "livret") else ""
    return (
        f'<section class="ldv-card-example"><h3>Sur le plateau</h3><p><strong>{title}</strong> {source}</p>'
        f"{image(False)}{asked}<details><summary>Voir le verdict</summary>{image(True)}"
        f'<div class="ldv-verdict" data-outcome="{escape(outcome)}"><p><strong>{escape(typography(sentence))}</strong>'
        f"{chip}</p></div></details><p>{_away(one.link, 'Jouer cet exemple')}</p></section>"
    )


def _onward(game_id: str, rule: str) -> str:
    """Its article, or its entry of the index; the lesson that teaches it."""
    if rule in article_rules(game_id):
        first = _away(Link("articles", game_id, rule=rule), "Ouvrir l’article", ' class="ldv-button"')
    else:
        first = _away(Link(game=game_id, rule=rule), "Ouvrir dans l’index", ' class="ldv-button"')
    lesson = teaching(game_id).get(rule)
    taught = ""
    if lesson:
        words = f"Leçon {lesson.number}{NBSP}: {escape(typography(lesson.title))}"
        taught = _away(Link("lesson", game_id, slug=lesson.slug), words)
    return f'<p class="ldv-card-onward">{first} {taught}</p>'


def ground(game_id: str, text: str, theme: str) -> str | None:
    """The ground of a board, as a picture.

    Args:
        game_id: game.
        text: the position, as links hold it.
        theme: light or dark.

    Returns:
        SVG; None when the text is no position of that game, or one too large to be drawn soon.
    """
    from widgets.ground import ground_svg  # heavy, and of no use to a card

    try:
        position = Position.from_link(text)
    except PositionError:
        return None
    if position.game != game_id or not drawable(position):
        return None
    return ground_svg(position, "dark" if theme == "dark" else "light")


def written(game_id: str, kind: str, name: str, theme: str = "light") -> str | None:
    """What an address of cards answers.

    Args:
        game_id: game.
        kind: ``rule``, ``word``, or a picture: ``plateau``, ``verdict``, ``ground``.
        name: id of a section, a word, or a position as links hold it.
        theme: of a picture.

    Returns:
        HTML or SVG; None when there is no such thing.

    Raises:
        TutorError: the content is broken.
    """
    if kind == "word":
        return word_card(game_id, name)
    if kind == "ground":
        return ground(game_id, name, theme)
    return rule_card(game_id, name) if kind == "rule" else picture(game_id, name, theme, kind == "verdict")
