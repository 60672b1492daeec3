"""What a refused declaration says: all its reasons, and nothing of what it would have given."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

from tests.asked import posed
from tutor.core.registry import GAMES, game
from tutor.core.trace import Step
from tutor.course.why import Posed


class Finding(NamedTuple):
    """What may still be looked at once a declaration is refused: whether one more reason holds hangs on it.

    Args:
        asks: questions that look at it.
        codes: its steps, or the groups that they stand in.
        reasons: refusals that hang on it.
    """

    asks: str
    codes: str
    reasons: str


#: Questions that answer when they are refused, with the reason: how far they came. Nothing else gives a value.
HALFWAY = {
    ("combat_commander", "move"): "ce qui est fait avant l’hex refusé l’est : hexs entrés, points dépensés, tirs subis",
    ("combat_commander", "fire"): "une PF au-dessous de 1 est elle-même la raison (10.3.2.1)",
    ("asl_sk", "walk"): "ce qui est fait avant l’hex refusé l’est : hexs entrés, MF dépensés, tirs subis",
}

#: Everything that may come after a first refusal, because every reason is wanted: a line of sight that another
#: reason hangs on, a distance, a range, a cost. Never a term of what is refused, nor a total.
FINDINGS: dict[str, tuple[Finding, ...]] = {
    "combat_commander": (
        Finding("fire fire_odds op_fire attack targeting move", "fire.sees fire.sees_hindered", "fire.refuse.los"),
        Finding(
            "fire fire_odds op_fire attack targeting move",
            "fire.reach fire.out_of_reach fire.out_of_reach_one",
            "fire.refuse.range fire.refuse.min_range",
        ),
        Finding("fire fire_odds op_fire", "fire.chain fire.together", "fire.refuse.chain"),
        Finding("fire", "fire.unit_in_water", "fire.refuse.water"),
        Finding("fire", "fire.group value.total table.weapons.fp", "fire.refuse.too_weak"),
        Finding("fire", "action.crossfire", "action.refuse.crossfire"),
        Finding("op_fire move", "op_fire.activates", "fire.refuse.activated op_fire.refuse.apart"),
        Finding("op_fire move", "op_fire.moment op_fire.again op_fire.count", "op_fire.refuse.already"),
        Finding("move", "move.cost", "move.refuse.points move.refuse.first_points"),
        Finding(
            "fire_order",
            "command.weapons fire.possible fire.seen value.total table.weapons.range",
            "fire.refuse.no_target",
        ),
        Finding("activation", "command.radius", "command.refuse.too_far"),
        Finding("advance", "advance.against", "advance.refuse.enemy"),
        Finding("order", "order.done", "order.refuse.nobody order.refuse.nobody_moves"),
        Finding(
            "spotting barrage",
            "los.relief los.no_obstacle los.no_hindrance los.units los.adjacent los.clear",
            "artillery.refuse.unseen",
        ),
        Finding("transfer", "move.free_hands table.limits.move value.total", "move.refuse.transfer_points"),
    ),
    "asl_sk": (
        Finding("fire attack", "fire.line", "fire.unseen"),
        Finding("fire", "fire.rate_kept", "fire.already fire.final_fired"),
        Finding("defensive_fire", "defence.left defence.sees", "fire.unseen defence.too_many"),
        Finding("rout", "rout.heads table.terrain.mf", "rout.must_stop defence.too_dear"),
    ),
    "tcs": (
        Finding("area_fire point_fire overwatch", "los.open_to los.hangs_on_8_1c", "fire.no_los_far"),
        Finding("overwatch", "spotting.by", "overwatch.hidden"),
        Finding("overwatch", "overwatch.mg", "overwatch.fired"),
        Finding("syr", "syr.slow syr.stack syr.vehicles syr.opposite syr.cover", "syr.too_short"),
    ),
    "sherman_leader": (
        Finding("attack", "attack.range attack.in_range table.units.range_max", "attack.too_near attack.too_far"),
        Finding("enemy_attack", "attack.range", "attack.too_far"),
        Finding("attack enemy_attack", "los attack.spotter", "attack.no_los"),
        Finding("attack enemy_attack", "attack.kind table.units.he", "attack.dash"),
        Finding("transport", "table.units.speed", "move.too_far"),
    ),
    "heroes_of_normandie": (
        Finding("fire floors battery rally", "los", "fire.blocked floors.blocked near.not_clear"),
        Finding(
            "floors",
            "floors.dot floors.tower table.base.line los.crossed los.obstacle los.between los.affected",
            "floors.blocked",
        ),
        Finding("rally battery", "table.limits.value near.range table.base.count", "near.too_far"),
        Finding("breach", "table.base.line breach.line", "breach.no_wall"),
        Finding("path", "path.down", "path.up_stops"),
        Finding("aim_at_plane", "plane.hunter", "plane.no_burst"),
        Finding("plane_fire", "plane.ruin_inside", "plane.into_building"),
    ),
}


@cache
def refused(game_id: str) -> tuple[Posed, ...]:
    return tuple(one for one in posed(game_id) if not one.without and one.result.outcome == "refused")


def after(one: Posed) -> Iterator[tuple[Step, tuple[str, ...]]]:
    """What follows the first refusal of a trace, reasons, inputs and headings left out: each step, and the codes of
    the groups that it stands in.
    """
    reasons, begun = {id(step) for step in one.result.refusals}, False

    def walk(step: Step, above: tuple[str, ...]) -> Iterator[tuple[Step, tuple[str, ...]]]:
        nonlocal begun
        begun = begun or id(step) in reasons
        if begun and step.kind not in ("refusal", "input", "rule"):
            yield step, above
        for child in step.children:
            yield from walk(child, (*above, step.code))

    yield from walk(one.result.trace, ())


def looked_at(game_id: str, asked: str, codes: set[str]) -> list[Finding]:
    """The findings that some steps belong to."""
    return [one for one in FINDINGS[game_id] if asked in one.asks.split() and codes & set(one.codes.split())]


@pytest.mark.parametrize("game_id", GAMES)
def test_nothing_is_computed_after_a_refusal_but_what_another_reason_hangs_on(game_id: str) -> None:
    beyond = [
        f"{one.where} : {step.code} ({one.ask})"
        for one in refused(game_id)
        for step, above in after(one)
        if not looked_at(game_id, one.ask, {step.code, *above})
    ]
    assert refused(game_id)
    assert not beyond


@pytest.mark.parametrize("game_id", GAMES)
def test_what_is_refused_has_no_value_but_how_far_it_came(game_id: str) -> None:
    valued = {one.ask for one in refused(game_id) if one.result.value is not None}
    assert valued == {asked for named, asked in HALFWAY if named == game_id}
    assert valued == {name for name, rule in game(game_id).load().rules.items() if rule.halfway}


@pytest.mark.parametrize("game_id", GAMES)
def test_every_finding_is_met_and_its_reason_is_one_the_game_gives(game_id: str) -> None:
    met = {(one.ask, code) for one in refused(game_id) for step, above in after(one) for code in (step.code, *above)}
    sentences = game(game_id).load().phrases.templates
    for finding in FINDINGS[game_id]:
        asks = finding.asks.split()
        assert [code for code in finding.codes.split() if not any((asked, code) in met for asked in asks)] == []
        assert [asked for asked in asks if not any((asked, code) in met for code in finding.codes.split())] == []
        assert [one for one in finding.reasons.split() if one not in sentences] == []


@pytest.mark.parametrize("game_id", GAMES)
def test_a_trace_says_every_reason_of_a_refusal(game_id: str) -> None:
    for one in refused(game_id):
        steps = {id(step) for step in one.result.trace.walk()}
        assert all(id(reason) in steps for reason in one.result.refusals), one.where


@pytest.mark.parametrize("game_id", GAMES)
def test_a_reason_is_said_to_a_reader_once_whoever_it_holds_for(game_id: str) -> None:
    for one in (one for one in posed(game_id) if one.prediction):
        reasons = [(step.code, tuple(step.where)) for step in one.result.refusals if step.where]
        assert len(set(reasons)) == len(reasons), (one.where, reasons)
