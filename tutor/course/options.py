"""What a reader may choose in a live example, value by value: its picks, its settings, and whether each gives a result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tutor.core.errors import TutorError
from tutor.core.position import Position, Tweak
from tutor.core.registry import Game, ask
from tutor.course.arguments import with_value
from tutor.course.models import LiveExample, Pick

#: Option keys that stand for « nothing there ».
NOTHING = ("", "none", "open", "null")


def option_value(key: str) -> Any:
    """The value an option key stands for.

    >>> [option_value(k) for k in ("none", "true", "-2", "woods")]
    [None, True, -2, 'woods']
    """
    if key in NOTHING:
        return None
    if key in ("true", "false"):
        return key == "true"
    return int(key) if key.lstrip("-").isdigit() else key


def choice_value(key: str) -> str | bool:
    """The value of an argument that an option of a pick stands for: its key, but for yes and no.

    >>> [choice_value(key) for key in ("false", "none", "normal")]
    [False, 'none', 'normal']
    """
    return key == "true" if key in ("true", "false") else key


def picked(pick: Pick, position: Position) -> list[Any]:
    """The values that a reader may pick one at a time; of several at once, each alone; of dice, the doubles and one more.

    >>> picked(Pick(argument="already", kind="number", label="Tirs", min=0, max=2), None)
    [0, 1, 2]
    >>> picked(Pick(argument="modes", kind="options", label="Modes", options={"a": "Un", "b": "Deux"}), None)
    [['a'], ['b']]
    """
    if pick.kind == "number":
        return list(range(pick.min or 0, (pick.max if pick.max is not None else 99) + 1))
    if pick.kind == "dice":
        return [[face, face] for face in range(1, (pick.max or 6) + 1)] + [[1, 2]]
    if pick.kind in ("hex", "hexes"):
        one: list[Any] = list(pick.among or position.grid.cells)
    elif pick.kind in ("piece", "pieces"):
        one = list(pick.among or [p.id for p in position.pieces if pick.side in (None, p.side)])
    else:
        one = [choice_value(key) for key in pick.options or {}]
    return [[value] for value in one] if pick.kind in ("hexes", "pieces", "options") else one


def settings(tweak: Tweak, position: Position) -> list[Any]:
    """The values that a setting may take; of a range its ends, of a text none."""
    if tweak.options is not None:
        return [option_value(key) for key in tweak.options]
    if isinstance(position.read(tweak.path), bool):
        return [True, False]
    return [bound for bound in (tweak.min, tweak.max) if bound is not None]


def faults(held: Game, example: LiveExample, position: Position) -> Iterator[str]:
    """What a reader may choose that gives him no result, or a result that cannot be said.

    Args:
        held: game; example: its content; position: its board, changed as it says.
    """
    for pick in example.picks:
        if not (values := picked(pick, position)):
            yield f"« {pick.label} » n’offre aucun choix."
        for value in values:
            given = with_value(example.with_, pick.argument, value)
            yield from _fault(held, example, position, given, f"{pick.label} : {value}")
    for tweak in example.tweaks:
        for value in settings(tweak, position):
            place = f"réglage {tweak.label} : {value}"
            try:
                changed = position.change({tweak.path: value})
            except TutorError as error:
                yield f"{place} : {error}"
                continue
            yield from (f"{place} : {problem}" for problem in held.problems(changed))
            yield from _fault(held, example, changed, example.with_, place)


def _fault(
    held: Game, example: LiveExample, position: Position, arguments: Mapping[str, Any], place: str
) -> Iterator[str]:
    try:
        result = ask(position, example.ask, **arguments)
        for step in result.trace.walk():
            if step.kind != "rule" or step.code in held.phrases.templates:
                held.sentence(step, position)
    except TutorError as error:
        yield f"{place} : {error}"
