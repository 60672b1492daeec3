"""Whatever an authored file declares to a question: an answer, or a French sentence; never a stray error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tutor.core.declared import MOST_ITEMS, misfit
from tutor.core.errors import RequestError, TutorError
from tutor.core.position import Position
from tutor.core.registry import GAMES, ask, game, load_position
from tutor.course.cases import case_files, read_cases

CASES = Path(__file__).parents[1] / "cases"
#: What a file can hold besides what was meant.
STRANGE: list[Any] = [
    None, True, 10**30, 1.5, float("nan"), float("inf"), "", "ZZ99", "é" * 5000, [], [1] * 3, [None], [[1, 2]], [[[]]],
    {}, {"a": 1}, {"a": {}}, [0] * 5000, ["A1"] * 5000, [{"a": 1}], "1e999",
]  # fmt: skip


def answered(game_id: str) -> dict[str, tuple[Position, dict[str, Any]]]:
    """One declaration that each question of a game answers, from its golden cases."""
    found: dict[str, tuple[Position, dict[str, Any]]] = {}
    for case in (case for path in case_files(CASES / game_id) for case in read_cases(path)):
        named = isinstance(case.position, str) and not case.position.startswith(".")
        if named and case.ask not in found and case.expect.outcome == "computed":
            found[case.ask] = (game(game_id).position(case.position).change(case.changes), dict(case.with_))
    return found


@pytest.mark.parametrize("game_id", GAMES)
def test_whatever_is_declared_is_answered_or_refused_in_french(game_id: str) -> None:
    held, stray = game(game_id), []
    known = answered(game_id)
    assert len(known) > 10
    for name, (position, declared) in known.items():
        for argument in held.rules[name].parameters:
            for strange in STRANGE:
                try:
                    ask(position, name, **{**declared, argument: strange})
                except TutorError:
                    pass
                except Exception as error:
                    stray.append(f"{name}({argument}={str(strange)[:40]}): {type(error).__name__} {error}")
    assert not stray, "\n".join(stray)


@pytest.mark.parametrize("name", ["position", "question", "self", "trace", "without"])
def test_a_declaration_cannot_stand_for_the_question_itself(name: str) -> None:
    board = load_position("combat_commander", "livret-ldv")
    with pytest.raises(TutorError):
        ask(board, "los", **{"start": "J9", "end": "K6", name: 5})


@pytest.mark.parametrize(
    ("kind", "fits", "strange"),
    [
        ("str", "K7", ["K7"]),
        ("int", 3, 3.5),
        ("int", -2, 10**30),
        ("bool", False, "oui"),
        ("str | None", None, 2),
        ("list[str]", ("a", "b"), "ab"),
        ("list[int]", [1, 6], [1, "6"]),
        ("Sequence[Sequence[int]]", [[1, 2], [3]], [[1, 2], 3]),
        ("dict[str, list[int]] | None", {"garde": [1, 2]}, {"garde": 3}),
        ("Mapping[str, int]", {"a": 1}, {1: 1}),
        ("list[dict[str, Any]] | tuple[dict[str, Any], ...]", [{"at": "K7"}], ["K7"]),
        ("list[int]", [1] * MOST_ITEMS, [1] * (MOST_ITEMS + 1)),
    ],
)
def test_a_value_fits_its_annotation_or_not(kind: str, fits: Any, strange: Any) -> None:
    assert not misfit(kind, fits)
    assert misfit(kind, strange)


def test_the_sentence_says_which_argument_and_what_it_takes() -> None:
    board = load_position("combat_commander", "livret-ldv")
    with pytest.raises(RequestError) as caught:
        ask(board, "los", start=["J9"], end="K6")
    assert "« start » attend un nom" in caught.value.sentence


def test_yes_and_no_of_a_pick_are_booleans() -> None:
    from tutor.course.models import Pick
    from widgets.lesson_picks import Picks

    pick = Pick(
        argument="opportunity", kind="option", label="Tir", options={"true": "d’opportunité", "false": "ordinaire"}
    )
    board, said = load_position("heroes_of_normandie", "aviation"), []
    given = {"unit": "mg", "plane": "spitfire", "opportunity": True}
    picks = Picks([pick], board, given, said.append)
    control = picks._controls["opportunity"]
    assert control.value is True
    control.value = False
    assert said[-1] == {**given, "opportunity": False}
    assert [ask(board, "speed", **{**given, "opportunity": value}).value for value in (True, False)] == [0, 2]
