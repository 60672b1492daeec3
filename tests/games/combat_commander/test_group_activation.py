"""Every group that Combat Commander's contents make fire under a Fire order could be activated by one order (O14.1)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest

from tutor.core.position import Position
from tutor.core.registry import ask, game
from tutor.course.articles import cards
from tutor.course.lessons import exercises, lessons
from tutor.course.models import Exercise, LiveExample, WhatIfs

CC = "combat_commander"
GAME = game(CC)
#: Questions that take the activation of a group as given; ``order``, ``fire_order`` and ``op_fire`` judge it themselves.
FIRES = ("fire", "attack", "fire_odds")

Asked = tuple[str, Position, dict[str, Any]]


def asked_of_example(example: LiveExample) -> Iterator[Asked]:
    """The question of a live example, and of its odds."""
    position = GAME.position(example.position).change(example.changes)
    yield example.ask, position, example.with_
    if example.odds:
        yield example.odds.ask, position, example.odds.arguments(example.with_)


def asked_of_exercise(exercise: Exercise) -> Iterator[Asked]:
    """The question of an exercise as written, then of every variant, for each thing to put in order."""
    start = GAME.position(exercise.position).change(exercise.changes)
    items = [(item.changes, item.with_) for item in exercise.answer.items] or [({}, {})]
    drawn = [[(one, value) for value in one.values()] for one in exercise.vary]
    for values in ((), *product(*drawn)):
        position = start.change({one.path: value for one, value in values if one.path})
        given = {**exercise.with_, **{one.argument: value for one, value in values if one.argument}}
        for changes, with_ in items:
            yield exercise.ask, position.change(changes), {**given, **with_}


def asked() -> Iterator[tuple[str, Asked]]:
    """Every question of the lessons, the articles and the exercises, under the name of its content."""
    for lesson in lessons(CC):
        for example in lesson.examples.values():
            yield from ((f"{lesson.slug}/{example.id}", one) for one in asked_of_example(example))
        for block in lesson.blocks:
            if isinstance(block, WhatIfs):
                example = lesson.examples[block.example]
                position = GAME.position(example.position).change(example.changes)
                for number, case in enumerate(block.cases, 1):
                    given = {**example.with_, **case.with_}
                    yield (
                        f"{lesson.slug}/{example.id}/et-si-{number}",
                        (example.ask, position.change(case.changes), given),
                    )
    for card in cards(CC):
        for of in card.article.examples:
            yield from ((f"{card.rule}/{of.id}", one) for one in asked_of_example(of))
    for exercise in exercises(CC).values():
        if exercise.ask in FIRES:
            yield from ((exercise.id, one) for one in asked_of_exercise(exercise))


def group(position: Position, given: dict[str, Any]) -> list[str]:
    """Units that fire under the order, those of its next fires too; a weapon stands for its carrier."""
    firers = [name for fire in (given, *given.get("then", ())) for name in fire["firers"]]
    return list(dict.fromkeys(position.piece(name).carrier or name for name in firers))


@cache
def groups() -> dict[str, list[tuple[Position, list[str]]]]:
    """Content -> the groups of several units that it makes fire under a Fire order."""
    places: dict[str, list[tuple[Position, list[str]]]] = {}
    for name, (question, position, given) in asked():
        if question in FIRES and given.get("mode", "order") == "order" and len(units := group(position, given)) > 1:
            places.setdefault(name, []).append((position, units))
    return places


def one_order_activates(position: Position, units: list[str]) -> bool:
    """Whether activating one piece on the board brings them all, by the game's own rule."""
    placed = [piece.id for piece in position.pieces if position.hex_of(piece.id)]
    return any(ask(position, "activation", trace=False, unit=one, units=units).computed for one in placed)


def test_one_order_could_activate_every_group() -> None:
    apart = [
        f"{name} : {', '.join(units)} ({position.id})"
        for name, fired in groups().items()
        for position, units in fired
        if not one_order_activates(position, units)
    ]
    assert apart == []


def test_the_check_sees_a_leader_too_far_away() -> None:
    hedge = GAME.position("groupe-haie")
    group_of_three = ["loup", "lynx", "servants"]
    assert not one_order_activates(hedge, group_of_three)
    assert one_order_activates(hedge.change({"piece.ganz.at": "B1"}), group_of_three)


def test_the_check_reads_lessons_articles_and_exercises() -> None:
    assert {"06-groupes-de-tir/haie", "06-groupes-de-tir/haie/et-si-3", "A40/a40-rafale", "cc-07-ordre"} <= set(
        groups()
    )


@pytest.mark.parametrize(
    ("changes", "declared", "said"),
    [
        ({}, {"firers": ["loup", "lynx", "servants"]}, True),
        ({"piece.ganz.at": "B1"}, {"firers": ["loup", "lynx", "servants"]}, False),
        ({"piece.ganz.activated": "fire"}, {"firers": ["loup", "renard"]}, False),
        ({"piece.ganz.activated": "move"}, {"firers": ["loup", "renard"]}, True),
        ({}, {"firers": ["equipe", "mg"]}, False),
        ({"piece.garde.activated": "move"}, {"firers": ["loup", "lynx", "servants"], "mode": "op_fire"}, False),
        ({}, {"firers": ["loup", "lynx"]}, False),
    ],
    ids=["too-far", "near", "fired-first", "moved", "a-unit-and-its-weapon", "op-fire", "refused"],
)
def test_a_fire_says_when_it_supposes_that_one_order_activated_the_group(
    changes: dict[str, Any], declared: dict[str, Any], said: bool
) -> None:
    result = ask(GAME.position("groupe-haie").change(changes), "fire", target="D3", **declared)
    assert ("fire.supposed" in [step.code for step in result.trace.walk()]) == said
