"""Whatever an authored file declares to a question: an answer, or a French sentence; never a stray error."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Required, TypedDict

import pytest

from tests.screen import named
from tutor.core.arguments import (
    HIGHEST,
    MOST_ITEMS,
    MOST_LETTERS,
    Argument,
    Cell,
    PieceId,
    Pieces,
    Rolls,
    Sort,
    arguments,
    entries,
    records,
    terms,
)
from tutor.core.errors import ContentError, RequestError, TutorError
from tutor.core.position import Position
from tutor.core.registry import GAMES, ask, game, load_position
from tutor.course.cases import case_files, read_cases
from tutor.course.coverage import cases_folder

#: What a file can hold besides what was meant.
STRANGE: list[Any] = [
    None, True, 10**30, 1.5, float("nan"), float("inf"), "", "ZZ99", "é" * 5000, [], [1] * 3, [None], [[1, 2]], [[[]]],
    {}, {"a": 1}, {"a": {}}, [0] * 5000, ["A1"] * 5000, [{"a": 1}], "1e999",
]  # fmt: skip


def answered(game_id: str) -> dict[str, tuple[Position, dict[str, Any]]]:
    """One declaration that each question of a game answers, from its golden cases."""
    asked: dict[str, tuple[Position, dict[str, Any]]] = {}
    for case in (case for path in case_files(cases_folder(game_id)) for case in read_cases(path)):
        named = isinstance(case.position, str) and not case.position.startswith(".")
        if named and case.ask not in asked and case.expect.outcome == "computed":
            asked[case.ask] = (game(game_id).position(case.position).change(case.changes), dict(case.with_))
    return asked


@pytest.mark.parametrize("game_id", GAMES)
def test_whatever_is_declared_is_answered_or_refused_in_french(game_id: str) -> None:
    rulebook, stray = game(game_id), []
    known = answered(game_id)
    assert len(known) > 10
    for name, (position, declared) in known.items():
        for argument in rulebook.rules[name].arguments:
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


class Shot(TypedDict, total=False):
    at: Required[Cell]
    roll: list[int]


def only(annotation: Any) -> Argument:
    """The argument of a rule function that has one of this type."""

    def rule(ctx: Any, one: Any) -> None: ...

    rule.__annotations__["one"] = annotation
    return arguments(rule)["one"]


def fits(annotation: Any, value: Any) -> bool:
    try:
        only(annotation).read(value)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(
    ("kind", "well", "strange"),
    [
        (Cell, "K7", ["K7"]),
        (Cell, "K" * MOST_LETTERS, "K" * (MOST_LETTERS + 1)),
        (Annotated[int, "FP"], 3, 3.5),
        (Annotated[int, "FP"], 0, True),
        (Annotated[int, "FP"], -2, 10**30),
        (Annotated[int, "FP"], HIGHEST, float("nan")),
        (Annotated[bool, "Loin"], False, "oui"),
        (Annotated[bool, "Loin"], True, 1),
        (PieceId | None, None, 2),
        (Annotated[PieceId | None, "Arme"], None, ["mg"]),
        (Pieces, ("a", "b"), [1]),
        (Pieces, ["a"], {"a": 1}),
        (Annotated[list[int], "Dés"], [1, 6], [1, "6"]),
        (Annotated[list[int], "Dés"], [1, 6], [1, True]),
        (Annotated[Sequence[Sequence[int]], Sort("throws")], [[1, 2], [3]], [[1, 2], 3]),
        (Rolls | None, {"garde": [1, 2]}, {"garde": 3}),
        (Annotated[Mapping[str, int], entries("piece", "number")], {"a": 1}, {1: 1}),
        (Annotated[Sequence[Shot], records("Tir")], [{"at": "K7", "roll": [1, 2]}], [{"at": "K7", "dice": [1, 2]}]),
        (Annotated[Sequence[Shot], records("Tir")], [{"at": "K7"}], [{"roll": [1, 2]}]),
        (Annotated[Sequence[Shot], records("Tir")], [], ["K7"]),
        (Literal["order", "assault"], "order", "ordre"),
        (Annotated[str, terms({"order": "Ordre"})], "order", "ordre"),
        (Annotated[str | None, terms({"order": "Ordre"})], None, "ordre"),
        (Annotated[Sequence[str], terms({"fp": "PF"})], ["fp"], ["fp", "pf"]),
        (Annotated[Sequence[str], terms({"fp": "PF"}, open=True)], ["pf"], [3]),
        (Annotated[set[str], Sort("pieces")], ["a", "b"], [["a"]]),
        (Annotated[list[int], "Dés"], [1] * MOST_ITEMS, [1] * (MOST_ITEMS + 1)),
    ],
)
def test_a_value_fits_its_type_or_not(kind: Any, well: Any, strange: Any) -> None:
    assert fits(kind, well)
    assert not fits(kind, strange)


@pytest.mark.parametrize("kind", [Cell, Annotated[int, "FP"], Pieces, Rolls, Annotated[Sequence[Shot], records("Tir")]])
def test_what_holds_itself_or_is_no_text_is_refused(kind: Any) -> None:
    ring: list[Any] = []
    ring.append(ring)
    table: dict[str, Any] = {}
    table["a"] = table
    for strange in (ring, table, "\ud800", ["\ud800"], [ring], {"a": ring}, b"K7", object()):
        assert not fits(kind, strange), repr(strange)[:40]


def test_one_name_where_several_are_meant_is_a_list_of_one() -> None:
    assert only(Pieces).read("garde") == ["garde"]
    assert only(Annotated[Sequence[str], terms({"fp": "PF"})]).read("fp") == ["fp"]


def test_a_rule_function_says_what_it_takes_without_any_import_from_the_future() -> None:
    code = "def rule(ctx, start: Cell, far: Annotated[bool, 'Loin'] = False, more: PieceId | None = None): ..."
    names: dict[str, Any] = {"Cell": Cell, "Annotated": Annotated, "PieceId": PieceId}
    exec(compile(code, "rules", "exec", dont_inherit=True), names)
    seen = [(one.kind, one.label, one.required) for one in arguments(names["rule"]).values()]
    assert seen == [("hex", "Endroit", True), ("flag", "Loin", False), ("piece", "Pion", False)]


def test_a_type_that_says_nothing_is_the_developers_fault() -> None:
    with pytest.raises(ContentError, match="ne dit pas ce qu’il est"):
        only(dict[str, int])


@pytest.mark.parametrize("game_id", GAMES)
def test_every_question_has_a_schema_that_its_golden_declaration_fits(game_id: str) -> None:
    for name, (_, declared) in answered(game_id).items():
        schema = game(game_id).rules[name].schema()
        assert set(schema["required"]) <= set(declared) <= set(schema["properties"])
        assert all(one["title"] for one in schema["properties"].values())
        assert json.dumps(schema)


@pytest.mark.parametrize("game_id", GAMES)
def test_the_odds_of_a_question_can_be_asked_with_what_both_take(game_id: str) -> None:
    rules = game(game_id).rules
    for rule in (one for one in rules.values() if one.odds):
        odds = rules[str(rule.odds)]
        assert odds.chances
        needed = {name for name, each in odds.arguments.items() if each.required}
        assert needed <= {name for name, each in rule.arguments.items() if each.required}


def test_the_sentence_says_which_argument_and_what_it_takes() -> None:
    board = load_position("combat_commander", "livret-ldv")
    with pytest.raises(RequestError) as caught:
        ask(board, "los", start=["J9"], end="K6")
    assert "« start » attend un nom" in caught.value.sentence
    with pytest.raises(RequestError, match="« mode » attend l’un de ces mots : order, op_fire, assault"):
        ask(board, "fire", firers=["a"], target="K6", mode="ordre")
    with pytest.raises(RequestError, match=r"clés : at, firers, .*; at, firers sont nécessaires"):
        ask(board, "move", pieces=["a"], path=["K6"], shots=[{"at": "K6"}])
    with pytest.raises(RequestError, match="« firers » attend une liste de noms, de 600 au plus"):
        ask(board, "fire", firers=["a"] * 601, target="K6")


def test_yes_and_no_of_a_pick_are_booleans() -> None:
    from tutor.course.models import Pick
    from widgets.player.picks import Picks

    pick = Pick(
        argument="opportunity", kind="option", label="Tir", options={"true": "d’opportunité", "false": "ordinaire"}
    )
    board, said = load_position("heroes_of_normandie", "aviation"), []
    given = {"unit": "mg", "plane": "spitfire", "opportunity": True}
    picks = Picks([pick], board, given, said.append)
    control = named(picks.widget, "Tir")
    assert control.value is True
    control.value = False
    assert said[-1] == {**given, "opportunity": False}
    assert [ask(board, "speed", **{**given, "opportunity": value}).value for value in (True, False)] == [0, 2]
