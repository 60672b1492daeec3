"""What a control shows at first is what stands: among what it offers, and choosing it changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.screen import named
from tutor.core.errors import PositionError
from tutor.core.position import Position, Tweak
from tutor.core.registry import GAMES, ask, game
from tutor.course.articles import families
from tutor.course.lessons import lessons
from tutor.course.models import LiveExample, Pick, WhatIfs
from tutor.course.options import argument_now, declared, option_key, option_value, unshown
from widgets.board.panels.settings import TweakPanel
from widgets.pages.situation import Situation
from widgets.player.picks import Picks

CC, ASL = "combat_commander", "asl_sk"
Shown = tuple[str, LiveExample, Position, dict[str, Any]]


def shown(game_id: str) -> Iterator[Shown]:
    """Every example of a game as it starts and as each « Et si… » leaves it."""
    for family in families(game_id):
        for article in family.articles:
            for example in article.examples:
                yield from _start(game_id, f"article {article.rule}", example)
    for lesson in lessons(game_id):
        for example in lesson.examples.values():
            yield from _start(game_id, lesson.id, example)
        for block in lesson.blocks:
            for case in block.cases if isinstance(block, WhatIfs) else ():
                for where, example, board, given in _start(game_id, lesson.id, lesson.examples[block.example]):
                    yield f"{where}, {case.text}", example, board.change(case.changes), {**given, **case.with_}


def _start(game_id: str, where: str, example: LiveExample) -> Iterator[Shown]:
    board = game(game_id).position(example.position).change(example.changes)
    board = board.model_copy(update={"tweaks": example.tweaks or board.tweaks})
    yield f"{where}, {example.id}", example, board, dict(example.with_)


@pytest.mark.parametrize("game_id", GAMES)
def test_what_stands_is_among_what_is_offered(game_id: str) -> None:
    every = list(shown(game_id))
    assert len(every) > 100
    assert [f"{where} : {fault}" for where, one, board, given in every for fault in unshown(one, board, given)] == []


@pytest.mark.parametrize("game_id", GAMES)
def test_choosing_what_is_shown_changes_nothing(game_id: str) -> None:
    strays, tried = [], 0
    for where, example, board, given in shown(game_id):
        base = ask(board, example.ask, trace=False, **given)
        for label, changed, arguments in _chosen(example, board, given):
            again, tried = ask(changed, example.ask, trace=False, **arguments), tried + 1
            if (again.outcome, again.value) != (base.outcome, base.value):
                strays.append(f"{where} : {label}")
    assert tried > 100
    assert strays == []


def _chosen(
    example: LiveExample, board: Position, given: dict[str, Any]
) -> Iterator[tuple[str, Position, dict[str, Any]]]:
    """Each control touched in its turn: it is given what it shows."""
    for path, control in TweakPanel(Situation(board)).controls.items():
        tweak = next(one for one in board.tweaks if one.path == path)
        value = option_value(control.value) if tweak.options is not None else control.value
        try:
            yield tweak.label, board.change({path: value}), given
        except PositionError:
            assert path.split(".")[1] not in board.by_id  # a unit that is gone: its control is hidden
    for pick in example.picks:
        yield pick.label, board, declared(given, pick.argument, argument_now(board, example.ask, given, pick.argument))


def picks_of(game_id: str, name: str, question: str, given: dict[str, Any], **pick: Any) -> tuple[Picks, list[Any]]:
    """The controls of one argument, and what they say."""
    said: list[Any] = []
    made = Pick.model_validate({"label": "Choix", **pick})
    return Picks([made], game(game_id).position(name), given, said.append, question=question), said


def test_nobody_may_be_chosen_where_the_question_does_without() -> None:
    given = {"piece": "perdu", "leader": "chef"}
    picks, said = picks_of(
        ASL, "reprise", "rally", given, argument="leader", kind="piece", among=["chef"], none="aucun"
    )
    control = named(picks.widget, "Choix")
    assert [label for label, _ in control.options] == ["aucun", "Leader 9-1 (F3)"]
    control.value = ""
    assert said == [{"piece": "perdu"}]
    picks.take(given)
    assert control.value == "chef"


def test_a_number_left_out_shows_what_the_engine_takes() -> None:
    given = {"side": "axis", "cell": "B1"}
    picks, said = picks_of(
        CC, "fortifications", "hidden_unit", given, argument="discarded", kind="number", min=0, max=3
    )
    control = named(picks.widget, "Choix")
    assert control.value == 1
    control.value = 0
    assert said == [given | {"discarded": 0}]


def test_a_value_that_is_not_offered_shows_nothing_rather_than_another() -> None:
    options = {"bunker": "Bunker", "trench": "Tranchée"}
    given = {"cell": "C3", "holder": "pillbox"}
    picks, _ = picks_of(CC, "melee", "melee", given, argument="holder", kind="option", options=options)
    assert named(picks.widget, "Choix").value is None


@pytest.mark.parametrize(
    ("kind", "argument", "more"),
    [("number", "base", {"min": 3, "max": 9}), ("piece", "base", {}), ("hex", "base", {}), ("dice", "dice", {})],
)
def test_what_an_author_left_undeclared_is_not_shown_as_declared(
    kind: str, argument: str, more: dict[str, int]
) -> None:
    picks, _ = picks_of(CC, "melee", "", {}, argument=argument, kind=kind, **more)
    shown = named(picks.widget, "pas jetés" if kind == "dice" else "Choix")
    assert shown.value == (True if kind == "dice" else "")


def test_dice_are_thrown_and_taken_back() -> None:
    given = {"piece": "perdu", "leader": "chef"}
    picks, said = picks_of(ASL, "reprise", "rally", given, argument="dice", kind="dice", none="pas jetés")
    unsaid, first = named(picks.widget, "pas jetés"), named(picks.widget, "Choix, blanc")
    assert unsaid.value
    first.value = 5
    assert said[-1] == given | {"dice": [5, 1]}
    picks.take(said[-1])
    assert not unsaid.value
    assert unsaid.layout.display is None  # it may be ticked again
    unsaid.value = True
    assert said[-1] == given


def test_the_setting_of_a_unit_that_is_gone_is_hidden_until_it_comes_back() -> None:
    board = game("sherman_leader").position("tour-1-pz3")
    board = board.model_copy(update={"tweaks": [Tweak(path="piece.u921.status.exposed", label="Le 921 est Exposé")]})
    situation = Situation(board)
    panel = TweakPanel(situation)
    row = panel.view.children[0]
    assert row.layout.display is None
    situation.change({"piece.u921": None, "piece.sanders": None})
    assert row.layout.display == "none"
    situation.undo()
    assert row.layout.display is None


@pytest.mark.parametrize(
    ("value", "key"), [(None, "none"), (0, "none"), (1, "1"), (False, None), (True, "true"), ("bois", None)]
)
def test_the_option_of_a_value(value: Any, key: str | None) -> None:
    assert option_key(value, {"none": "aucun", "1": "un", "true": "oui"}) == key
