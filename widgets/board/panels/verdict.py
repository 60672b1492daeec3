"""What stands beside a board: the verdict, its steps, and the legend. Everything is escaped French HTML."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tutor.core.errors import TutorError
from tutor.core.marks import Drawn
from tutor.core.phrases import number, of_one, signed
from tutor.core.position import Position
from tutor.core.registry import Game, game
from tutor.core.result import Result
from tutor.core.trace import Place, Step
from tutor.core.typography import NBSP, typography
from tutor.course.evidence import MOST
from tutor.course.links import card_address
from tutor.course.matching import deciding
from tutor.course.proof import deciding_steps
from tutor.course.prose import rule_number
from widgets.board import layouts
from widgets.board.board import Board
from widgets.board.grounds import served_grounds
from widgets.board.layers import places_of
from widgets.board.paint.places import place_hexes
from widgets.board.words import whole

if TYPE_CHECKING:
    from tutor.course.models import Choice
    from tutor.course.ranking import Ranked


#: The note of a step that follows one reading of a point which the booklet leaves open, and what it means.
OPEN_POINT = "interprétation"
OPEN_POINT_MEANS = typography(
    "Le livret laisse ce point ouvert : le calcul suit ici la lecture que nous avons choisie. "
    "À votre table, accordez-vous sur la vôtre."
)


def rule_link(rules: Game, rule: str) -> str:
    """A rule number as a link to its index entry, its title on hover.

    >>> 'href="/?jeu=combat_commander&amp;regle=10.3.3"' in rule_link(game("combat_commander"), "10.3.3")
    True
    """
    title = rules.sections[rule].title if rule in rules.sections else ""
    address = escape(f"/?jeu={rules.id}&regle={quote(rule)}")
    number, name = escape(rule_number(rule)), escape(title)
    return (
        f'<a class="ldv-rule" href="{address}" target="_blank" rel="noopener" title="{name}"'
        f' aria-label="Règle {number} {name}">{number}</a>'
    )


def badge(note: str | None) -> str:
    """Where a term comes from, when it is not the booklet's own; a hindrance-free text when there is none."""
    return f'<span class="ldv-badge" data-provenance="{escape(note)}">{escape(note)}</span>' if note else ""


def reading(note: str | None, game_id: str) -> str:
    """Where a term of a step comes from: of an open point, a quiet mark that takes no line of its own, and opens what it
    means as a word of the glossary does.

    >>> "ldv-reading" in reading("interprétation", "tcs"), reading("fictif", "tcs") == f" {badge('fictif')}"
    (True, True)
    """
    if note != OPEN_POINT:
        return f" {badge(note)}" if note else ""
    card = escape(card_address(game_id, word=note), quote=True)
    opens = f'role="button" aria-haspopup="dialog" data-ldv-card="{card}" ' if served_grounds() else ""
    return (
        f'{NBSP}<span class="ldv-reading ldv-term" tabindex="0" {opens}aria-description="{OPEN_POINT_MEANS}" '
        f'data-definition="{OPEN_POINT_MEANS}"><span class="ldv-quiet">{note}</span></span>'
    )


class VerdictPanel:
    """One line: what holds, its outcome by colour, sign and stroke, and the rule that decides.

    Show ``panel.view``.

    >>> panel = VerdictPanel("combat_commander")
    >>> panel.say("blocked", "Bloquée en K6", "10.2")
    >>> 'data-outcome="blocked"' in panel.view.value
    True
    """

    def __init__(self, game_id: str) -> None:
        self.game = game(game_id)
        self.view = layouts.text()
        self.view.add_class("ldv-verdict-line")
        self.say("pending", "Choisissez sur le plateau.")

    def say(self, outcome: str, sentence: str, rule: str | None = None, note: str | None = None) -> None:
        """Show a sentence.

        Args:
            outcome: clear, hindered, blocked, computed, refused, unknown or pending.
            sentence: plain text.
            rule: id of the deciding rule.
            note: where its numbers come from, when not the booklet.
        """
        link = f"{NBSP}{rule_link(self.game, rule)}" if rule else ""
        words = f"<p><strong>{whole(escape(typography(sentence)))}</strong>{link} {badge(note)}</p>"
        self.view.value = f'<div class="ldv-verdict" data-outcome="{escape(outcome)}">{words}</div>'

    def show(self, result: Result[Any], position: Position, because: str | None = None, together: str = "") -> None:
        """Show what a result comes to.

        Args:
            result: of the question; position: where it was asked.
            because: code of the step that answers, where it is not the last.
            together: the sentence that answers, where the result is one of several that do so together.
        """
        outcome, sentence, rule = ("computed", together, None) if together else verdict(result, position, because)
        invented = any(step.note == "fictif" for step in result.trace.walk())
        self.say(outcome, sentence, rule, "fictif" if invented else None)


def verdict(result: Result[Any], position: Position, because: str | None = None) -> tuple[str, str, str | None]:
    """Outcome, sentence and deciding rule of a result, in one line.

    Args:
        result: of the question; position: where it was asked.
        because: rule id or code of the step that answers; None: the last one.

    >>> from tutor import ask, load_position
    >>> p = load_position("combat_commander", "livret-ldv")
    >>> verdict(ask(p, "los", start="J9", end="K6"), p)[::2]
    ('blocked', '10.2')
    """
    rules = game(position.game)
    if result.outcome == "refused" and result.refusals:
        first, more = result.refusals[0], len(result.refusals) - 1
        extra = f" (et {number(more)} autre{'s' if more > 1 else ''} raison{'s' if more > 1 else ''})" if more else ""
        return "refused", rules.sentence(first, position) + extra, first.rule
    last = next(iter(deciding(result, because)), result.trace)
    sentence = rules.sentence(last, position, brief=True)
    if result.outcome == "unknown":
        return "unknown", sentence, last.rule
    if isinstance(result.value, Drawn) and (seen := result.value.seen()):
        return seen.state, sentence, last.rule if because else seen.rule
    return "computed", sentence, last.rule


#: Steps above which a trace is long, and steps that are shown below another even then.
LONG_TRACE, FEW_STEPS = 14, 2
DETAIL = "Le détail"


def _size(step: Step) -> int:
    return sum(1 for _ in step.walk())


def _besides(said: Sequence[Step], steps: Sequence[Step]) -> tuple[Step, ...]:
    """Steps without those that are said already, at whatever depth, in whose place stands what is below them, nor what
    only they stood under.
    """
    left: list[Step] = []
    for step in steps:
        if any(step is one for one in said):
            left += _besides(said, step.children)
            continue
        under = _besides(said, step.children)
        if len(under) == len(step.children) and all(map(operator.is_, under, step.children)):
            left.append(step)
        elif under:
            left.append(replace(step, children=list(under)))
    return tuple(left)


def _is_said(step: Step, position: Position) -> bool:
    """Whether a verdict says all of a step that answers: no note, no odds in full."""
    rules = game(position.game)
    bare = not step.note and step.code in rules.phrases.templates
    return bare and rules.sentence(step, position) == rules.sentence(step, position, brief=True)


class TracePanel:
    """« Pourquoi ? »: the steps of a result, in order; hovering one lights what it speaks of on the board.

    Args:
        board: the board its places are on; None writes the steps without highlights.

    Show ``panel.view``.
    """

    def __init__(self, board: Board | None = None, *, empty: str = "") -> None:
        self.board = board
        self.empty = empty
        self.view = layouts.text()
        self.view.add_class("ldv-trace")
        self.clear()

    def clear(self) -> None:
        """Show no step."""
        self.view.value = f'<p class="ldv-empty">{escape(self.empty)}</p>' if self.empty else ""

    def show(
        self,
        result: Result[Any],
        position: Position,
        because: str | None = None,
        filmed: Callable[[Sequence[Step]], str] = lambda _: "",
        choices: Sequence[Choice] = (),
        with_answer: bool = False,
        replied: bool = False,
    ) -> None:
        """Show the steps of a result asked of a position: those that decide, and all of them in « Le détail »; nothing
        where the verdict above says all there is.

        Args:
            result: of the question; position: where it was asked.
            because: as the verdict above takes it, whose sentence is not said twice.
            filmed: given the steps that are shown first, their film as JSON for the page; "" of none.
            choices: what might be answered, where a question asks: what decides between them is shown first.
            with_answer: show the step that answers too, which the verdict above does not say.
            replied: the reply to an answer says every reason of a refusal; the verdict says the first.
        """
        answer, rules = deciding(result, because), game(position.game)
        few = deciding_steps(result, position, answer, choices)
        if with_answer and few:
            shown = [*answer, *few][: max(MOST, len(answer))]
            few = tuple(step for step in result.trace.walk() if any(step is one for one in shown))
        said = () if with_answer else result.refusals if replied else result.refusals[:1]
        if not few:
            said = said or (() if with_answer else tuple(step for step in answer if _is_said(step, position)))
            steps = _besides(said, result.trace.children)
            film = filmed(steps)
            self.view.value = self.html(steps, position, film) if steps else ""
            return
        said = said if with_answer else (*said, *(step for step in answer if _is_said(step, position)))
        few = _besides(said, [step for step in few if not any(step is one for one in said)])
        film, alone = filmed(few), [replace(step, children=[]) for step in few]
        first = self._list(alone, position, rules, False, "ldv-deciding", film) if few else ""
        every = self._list(result.trace.children, position, rules, False)
        facts = [step for step in result.trace.walk() if not step.children and step.kind != "input"]
        more = _besides((*said, *few), facts)
        self.view.value = (
            f'{first}<details class="ldv-detail"><summary>{DETAIL}</summary>{every}</details>' if more else first
        )

    def compare(self, ranking: Sequence[Ranked]) -> None:
        """Show things put in order: of each its number, with the step that gives it, and all steps in « Le détail ».

        Args:
            ranking: they, in order; they may be asked of positions that the board does not show.
        """
        items = "".join(self._ranked(one, game(one.position.game)) for one in ranking)
        self.view.value = f'<ol class="ldv-steps ldv-deciding ldv-ranking">{items}</ol>'

    def _ranked(self, one: Ranked, rules: Game) -> str:
        measure = f'<span class="ldv-amount">{escape(one.measure)}</span> ' if one.measure else ""
        said = " ".join(
            f'<span class="ldv-sentence">{whole(escape(rules.sentence(step, one.position, brief=True)))}</span>'
            f"{f'{NBSP}{rule_link(rules, step.rule)}' if step.rule else ''}"
            for step in one.steps
        )
        every = self.html(one.result.trace.children, one.position)
        first = next((self._places(step, one.position) for step in one.steps), "")
        return (
            f'<li class="ldv-step"{first}><strong>{escape(typography(one.label))}</strong> {measure}<br>{said}'
            f'<details class="ldv-detail"><summary>{DETAIL}</summary>{every}</details></li>'
        )

    def html(self, steps: Sequence[Step], position: Position, film: str = "") -> str:
        """The steps as a list; in a long trace the details of a step are folded below it."""
        rules = game(position.game)
        folded = sum(_size(step) for step in steps) > LONG_TRACE
        return self._list(steps, position, rules, folded, film=film)

    def _list(
        self, steps: Sequence[Step], position: Position, rules: Game, folded: bool, css: str = "", film: str = ""
    ) -> str:
        items = "".join(self._step(step, position, rules, folded) for step in steps)
        data = f' data-film="{escape(film, quote=True)}"' if film else ""
        return f'<ol class="{f"ldv-steps {css}".strip()}"{data}>{items}</ol>'

    def _step(self, step: Step, position: Position, rules: Game, folded: bool) -> str:
        try:
            sentence = rules.sentence(step, position)
        except TutorError:
            sentence = step.code
        inner = self._list(step.children, position, rules, folded) if step.children else ""
        if folded and _size(step) - 1 > FEW_STEPS:
            inner = f'<details class="ldv-detail"><summary>{DETAIL}</summary>{inner}</details>'
        marks = (f"{NBSP}{rule_link(rules, step.rule)}" if step.rule else "") + reading(step.note, rules.id)
        if step.note == OPEN_POINT:
            marks = f'<span class="ldv-whole">{marks}</span>'
        return (
            f'<li class="ldv-step" data-kind="{step.kind}" data-code="{step.code}"{self._places(step, position)}>'
            f'{amount(step, rules)}<span class="ldv-sentence">{whole(escape(sentence))}</span>'
            f"{marks}{inner}</li>"
        )

    def _places(self, step: Step, position: Position) -> str:
        places = places_of(step)
        if self.board is None or not places:
            return ""
        return board_link(self.board, places, " ".join(place_hexes(places, position)))


def board_link(board: Board, places: Iterable[Place], cells: str) -> str:
    """HTML attributes by which the page lights places on a board, and knows what speaks of its hexes.

    Args:
        board: the board.
        places: what is outlined.
        cells: names, with spaces between.
    """
    seen = " ".join(f"{number:g}" for number in board.drawing_view.seen)  # the page lays it over the view of its time
    return (
        f' tabindex="0" data-board="{board.id}" data-hexes="{escape(cells)}"'
        f' data-view="{seen}" data-outline="{board.outline(places)}"'
    )


def amount(step: Step, rules: Game) -> str:
    """The number a step yields; signed when its sentence says that it adds to or takes from something.

    >>> amount(Step("10.3", "x", "table", value=-2), game("combat_commander")).replace("−", "-")
    '<span class="ldv-amount">-2</span> '
    """
    value = step.value
    if isinstance(value, bool) or not isinstance(value, (int, float)) or step.kind == "input":
        return ""
    if not step.unit and (not value or step.kind == "rule"):
        return ""
    text = signed(value) if "{value:+}" in rules.phrases.templates.get(step.code, "") else number(value)
    unit = f"\u00a0{escape(of_one(step.unit) if abs(value) < 2 else step.unit)}" if step.unit else ""
    return f'<span class="ldv-amount">{text}{unit}</span> '
