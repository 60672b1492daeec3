"""What a reader may choose in a live example, value by value:
its picks, its settings, and whether each gives a result.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from tutor.core.errors import PositionError, TutorError
from tutor.core.grid import split_side
from tutor.core.position import Position, Tweak
from tutor.core.registry import Game, ask, game
from tutor.course.arguments import value_at, with_value, without_value
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


def option_key(value: Any, options: Mapping[str, str]) -> str | None:
    """The option key that stands for a value, None when none does.

    >>> option_key(None, {"open": "dégagé", "woods": "bois"})
    'open'
    >>> option_key(0, {"none": "0", "1": "1"})
    'none'
    """
    keys = (key for key in options if option_value(key) == value and type(option_value(key)) is type(value))
    nothing = next((key for key in options if option_value(key) is None), None)
    return next(keys, nothing if value == 0 and value is not False else None)


def setting_now(position: Position, path: str) -> Any:
    """What holds at a change path: of an open reading that the position does not settle, the game's default.

    Raises:
        PositionError: a path that means nothing there.
    """
    value = position.read(path)
    setting = game(position.game).settings.get(path.removeprefix("setting."))
    return setting.default if value is None and setting and path.startswith("setting.") else value


def cells_of(position: Position, path: str) -> tuple[str, ...]:
    """Cells where what may be changed lies on the board; none for what has no place there.

    Args:
        position: says where the pieces stand.
        path: of a change.

    >>> from tutor import load_position
    >>> board = load_position("combat_commander", "livret-ldv")
    >>> [cells_of(board, path) for path in ("terrain.K6", "side.M8/N8", "piece.schmidt.status.broken", "state.month")]
    [('K6',), ('M8', 'N8'), ('M9',), ()]
    """
    kind, _, rest = path.partition(".")
    if kind == "piece":
        piece = rest.partition(".")[0]
        cells = [position.hex_of(piece)] if piece in position.by_id else []
    elif kind == "side":
        cells = list(split_side(rest))
    else:
        cells = [
            rest if kind in ("terrain", "level") else rest.partition(".")[2] if kind in ("way", "marker") else None
        ]
    return tuple(cell for cell in cells if cell and cell in position.grid)


def argument_now(position: Position, question: str, arguments: Mapping[str, Any], path: str) -> Any:
    """What an argument holds: as declared, else what the question takes when it is left out.

    Args:
        position: says the game.
        question: its name.
        arguments: declared.
        path: of the argument.

    >>> from tutor import load_position
    >>> board = load_position("combat_commander", "fortifications")
    >>> [argument_now(board, "mines", given, "how") for given in ({}, {"how": "advance"})]
    ['move', 'advance']
    """
    value, rule = value_at(arguments, path), game(position.game).rule_of(question)
    if value is None and rule and path in rule.arguments:
        value = rule.arguments[path].default
        return None if value is inspect.Parameter.empty else value
    return value


def declared(arguments: Mapping[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The arguments once a reader has chosen a value; None declares nothing."""
    return without_value(arguments, path) if value is None else with_value(arguments, path, value)


def choice_value(key: str) -> str | bool:
    """The value of an argument that an option of a pick stands for: its key, but for yes and no.

    >>> [choice_value(key) for key in ("false", "none", "normal")]
    [False, 'none', 'normal']
    """
    return key == "true" if key in ("true", "false") else key


def picked(pick: Pick, position: Position) -> list[Any]:
    """The values that a reader may pick one at a time, None for nothing; of several at once, each alone;
    of dice, the doubles and one more.

    >>> picked(Pick(argument="already", kind="number", label="Tirs", min=0, max=2), None)
    [0, 1, 2]
    >>> picked(Pick(argument="modes", kind="options", label="Modes", options={"a": "Un", "b": "Deux"}), None)
    [['a'], ['b']]
    """
    nothing = [None] if pick.none else []
    if pick.kind == "number":
        return [*nothing, *range(pick.min or 0, (pick.max if pick.max is not None else 99) + 1)]
    if pick.kind == "dice":
        return [*nothing, *([face, face] for face in range(1, (pick.max or 6) + 1)), [1, 2]]
    if pick.kind in ("hex", "hexes"):
        one: list[Any] = list(pick.among or position.grid.cells)
    elif pick.kind in ("piece", "pieces"):
        one = list(pick.among or [p.id for p in position.pieces if pick.side in (None, p.side)])
    else:
        one = [choice_value(key) for key in pick.options or {}]
    return [[value] for value in one] if pick.kind in ("hexes", "pieces", "options") else nothing + one


def settings(tweak: Tweak, position: Position) -> list[Any]:
    """The values that a setting may take; of a range its ends, of a text none."""
    if tweak.options is not None:
        return [option_value(key) for key in tweak.options]
    if isinstance(position.read(tweak.path), bool):
        return [True, False]
    return [bound for bound in (tweak.min, tweak.max) if bound is not None]


def faults(rulebook: Game, example: LiveExample, position: Position) -> Iterator[str]:
    """What a reader may choose that gives him no result, or a result that cannot be said;
    what stands and is not offered.

    Args:
        rulebook: game.
        example: its content.
        position: its board, changed as it says.
    """
    yield from unshown(example, position, example.with_)
    for pick in example.picks:
        if not (values := picked(pick, position)):
            yield f"« {pick.label} » n’offre aucun choix."
        for value in values:
            given = declared(example.with_, pick.argument, value)
            yield from _fault(rulebook, example, position, given, f"{pick.label} : {value}")
    for tweak in example.tweaks:
        for value in settings(tweak, position):
            place = f"réglage {tweak.label} : {value}"
            try:
                changed = position.change({tweak.path: value})
            except TutorError as error:
                yield f"{place} : {error}"
                continue
            yield from (f"{place} : {problem}" for problem in rulebook.faults(changed))
            yield from _fault(rulebook, example, changed, example.with_, place)


def unshown(example: LiveExample, position: Position, arguments: Mapping[str, Any]) -> Iterator[str]:
    """What stands and is not among what the controls of an example offer: they would show something else, or nothing.

    Args:
        example: its content.
        position: its board, with its settings.
        arguments: what is declared.
    """
    for tweak in example.tweaks or position.tweaks:
        try:
            value = setting_now(position, tweak.path)
        except PositionError:  # the control of a unit that is gone is not shown
            continue
        if not _settable(tweak, value):
            yield f"réglage {tweak.label} : {value} n’est pas offert."
    for pick in example.picks:
        value = argument_now(position, example.ask, arguments, pick.argument)
        offered = picked(pick, position)
        if pick.kind in ("hexes", "pieces", "options"):
            stray = [one for one in value or () if [one] not in offered]
        elif pick.kind == "dice" and value:
            stray = [face for face in value if [face, face] not in offered]
        else:
            stray = [] if value in offered else [value]
        yield from (f"{pick.label} : {one} n’est pas offert." for one in stray)


def _settable(tweak: Tweak, value: Any) -> bool:
    """Whether the control of a setting can show a value; a range shows nothing as 0."""
    if tweak.options is not None:
        return option_key(value, tweak.options) is not None
    if tweak.min is None and tweak.max is None:
        return isinstance(value, (bool, str))
    low, high = number_range(tweak)
    value = 0 if value is None else value
    return isinstance(value, int) and low <= value <= high


def number_range(tweak: Tweak) -> tuple[int, int]:
    """The least and the greatest number of a setting."""
    return tweak.min if tweak.min is not None else -20, tweak.max if tweak.max is not None else 99


def _fault(
    rulebook: Game, example: LiveExample, position: Position, arguments: Mapping[str, Any], place: str
) -> Iterator[str]:
    try:
        trace = ask(position, example.ask, **arguments).trace
        yield from (f"{place} : {fault}" for fault in rulebook.untold(trace, position))
    except TutorError as error:
        yield f"{place} : {error}"
