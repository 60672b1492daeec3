"""Each rule of Tactical Combat Series that may be left out does what it declares."""

from __future__ import annotations

from typing import Any

import pytest

from tutor.games.tcs import GAME

GAME.load()
SFA = {"firers": ["platoon-a1", "platoon-a2", "mg-a1", "canon-a1", "canon-a2"], "target": "18.06"}
ZONE = {
    "firers": ["platoon-a1", "platoon-a2", "mortier-a"],
    "target": "06.03",
    "spotter": "platoon-a1",
    "observed": True,
}
FICTIVE = {"setting.charts": "fictif"}
CROSS = {"firers": ["nord", "sud-est"], "target": "05.05", "observed": True}
PANTHERS = {"firers": ["panther"], "targets": ["sherman"], "observed": True}
GUARD = {"reactors": ["mg", "platoon"], "trigger": "move", "at": "05.03", "left": "05.04"}
#: Rules whose omission takes a refusal away: position, changes, question, arguments.
REFUSALS: dict[str, tuple[str, dict[str, Any], str, dict[str, Any]]] = {
    "26.1d": ("livret-moral", {}, "morale_reduction", {"morale": 3, "die": 2, "hour": 23}),
    "17.4b": ("fuite", {}, "syr", {"cell": "05.03", "side": "allies", "threat": "02.03", "path": ["06.03", "07.03", "08.03"]}),
    "3.2c": ("panthers", FICTIVE, "point_fire", {**PANTHERS, "targets": ["platoon"]}),
    "9.1c": ("tir-groupe", {**FICTIVE, "piece.platoon-a1.status.move": True}, "area_fire", {"firers": ["platoon-a1"], "target": "18.06"}),
    "13.1b": ("tir-groupe", {**FICTIVE, "piece.mg-a1.status.fired": True}, "area_fire", {"firers": ["mg-a1"], "target": "18.06"}),
    "13.1c": ("tir-groupe", {**FICTIVE, "piece.mg-a1.status.unassigned": True}, "area_fire", {"firers": ["mg-a1"], "target": "18.06"}),
    "14.1c": ("panthers", {**FICTIVE, "piece.panther.front.pfa": 3}, "point_fire", PANTHERS),
    "14.1g": ("panthers", {**FICTIVE, "piece.panther.status.late": True}, "point_fire", PANTHERS),
    "14.1i": ("panthers", {**FICTIVE, "piece.panther.status.fired": True}, "point_fire", PANTHERS),
    "15.2c": ("livret-sfa", {}, "overwatch", {"reactors": ["mg-a1"], "trigger": "move", "at": "18.06", "observed": True}),
    "15.3b": ("livret-sfa", {}, "overwatch", {"reactors": ["platoon-b"], "trigger": "fire", "at": "15.06", "observed": True}),
}  # fmt: skip
MORALE = {"cell": "03.03", "side": "a"}

#: Rule left out -> position, changes, question, arguments, part of the value, with the rule, without it.
CASES: dict[str, tuple[str, dict[str, Any], str, dict[str, Any], str, Any, Any]] = {
    "8.1b": ("livret-ldv", {"marker.smoke.02.04": 2}, "los", {"start": "01.04", "end": "04.05"}, "visible", False, True),
    "8.1c": ("livret-ldv", {"terrain.01.04": "village"}, "los", {"start": "01.04", "end": "04.05"}, "visible", True, False),
    "8.1h": ("livret-ldv", {}, "los", {"start": "01.11", "end": "02.06"}, "visible", False, True),
    "8.1i": ("livret-ldv", {}, "elevation", {"cell": "04.09"}, "value", 80, 96),
    "7.0": ("livret-ldv", {"state.visibility": 2}, "los", {"start": "01.04", "end": "04.05"}, "visible", False, True),
    "8.2b": ("livret-ldv", {}, "elevation", {"cell": "01.04"}, "value", 35, 20),
    "8.2c": ("livret-ldv", {}, "elevation", {"cell": "01.08"}, "value", 40, 20),
    "8.3b": ("livret-ldv", {"terrain.04.04": None}, "los", {"start": "04.03", "end": "04.05"}, "visible", True, False),
    "7.1e": ("livret-observation", {"piece.mg.status.fired": True}, "spotting", {"spotter": "compagnie-1", "target": "08.04"}, "hexes", 6, 1),
    "6.16": ("livret-observation", FICTIVE, "spotting", {"spotter": "compagnie-1", "target": "08.04"}, "hexes", 1, 2),
    "9.3": ("livret-observation", FICTIVE, "spotting", {"spotter": "compagnie-1", "target": "08.04"}, "hexes", 1, 2),
    "10.0e": ("pertes", {}, "losses", {"target": "05.02", "side": "allies", "steps": 13}, "attacker", 5, 6),
    "10.0f": ("pertes", {}, "losses", {"target": "05.02", "side": "allies", "steps": 8}, "attacker", 3, 4),
    "9.1f": ("livret-sfa", FICTIVE, "area_fire", SFA, "strength", 12, 14),
    "11.1b": ("livret-tir-zone", FICTIVE, "area_fire", ZONE, "vulnerable", ("platoon-b1", "canon-b"), ("platoon-b1", "halftrack-b1", "halftrack-b2", "canon-b")),
    "11.3b": ("livret-sfa", {**FICTIVE, "piece.mg-b.status.dug_in": True}, "area_fire", SFA, "shift", -2, -4),
    "11.3c": ("livret-tir-zone", FICTIVE, "area_fire", ZONE, "shift", 1, 2),
    "11.3d": ("livret-sfa", {**FICTIVE, "piece.platoon-a1.at": "17.06"}, "area_fire", {**SFA, "firers": ["platoon-a1"]}, "strength", 7, 4),
    "11.4": ("tir-croise", FICTIVE, "area_fire", CROSS, "crossfire", True, False),
    "11.4a": ("tir-croise", {}, "crossfire", {"target": "05.05", "firers": ["nord", "sud-est", "mortier"]}, "applies", False, True),
    "12.1c": ("livret-panther", {}, "point_fire", {"firers": ["panther"], "targets": ["shermans"], "observed": True}, "column", "6", "4"),
    "6.3b": ("livret-moral", {"piece.platoon.status.unassigned": True}, "morale", MORALE, "total", 11, 9),
    "10.0b": ("livret-moral", {}, "morale", MORALE, "total", 9, 6),
    "17.1b": ("livret-moral", {}, "morale", MORALE, "total", 9, 8),
    "17.2a": ("livret-moral", {"piece.platoon.front.lost": 0}, "morale", MORALE, "unit", "mg", "platoon"),
    "11.1f": ("panthers", FICTIVE, "area_fire", {"firers": ["panther"], "target": "06.03"}, "strength", 25, 5),
    "12.1b": ("panthers", FICTIVE, "point_fire", PANTHERS, "shift", 3, 1),
    "15.3a": ("guet", {"piece.mg.status.suppressed": True}, "overwatch", GUARD, "may", ("platoon",), ("mg", "platoon")),
    "16.1e": ("livret-sfa", {**FICTIVE, "piece.canon-b.at": "16.06"}, "at_rolls", {"attackers": ["platoon-a1"], "target": "16.06", "rolls": [[1, 2]]}, "lost", 1, 0),
    "17.8e": ("livret-moral", {}, "vehicle_morale", {"track": [0, 1], "lost": 1, "marked": 1, "total_steps": 2, "lost_before": 1}, "morale", 2, 1),
    "15.3c": ("livret-sfa", {}, "overwatch", {"reactors": ["mg-b"], "trigger": "fire", "at": "15.06", "observed": True}, "may", ("mg-b",), ()),
}  # fmt: skip


@pytest.mark.parametrize(
    "rule", sorted(set(GAME.omittable) - set(REFUSALS) - {"17.1a", "10.0g", "17.4c", "17.4d", "17.5e", "20.1d"})
)
def test_leaving_it_out_changes_what_it_says(rule: str) -> None:
    name, changes, question, arguments, part, on, off = CASES[rule]
    position = GAME.position(name).change(changes)
    with_rule = GAME.rules[question](position, **arguments)
    without = GAME.rules[question](position, without={rule}, **arguments)
    assert (getattr(with_rule.value, part), getattr(without.value, part)) == (on, off)
    assert rule in with_rule.consulted


def test_every_unit_may_count_for_a_battalion() -> None:
    position = GAME.position("livret-moral")
    ask = GAME.rules["battalion_morale"]
    assert ask(position, platoons=1, others=5).value == 2
    assert ask(position, platoons=1, others=5, without={"17.1a"}).value == 6


def test_passengers_may_lose_as_many_steps_as_their_carrier() -> None:
    ask, position = GAME.rules["passenger_losses"], GAME.position("pertes")
    arguments = {"passengers": 5, "carrier": 2, "lost": 1}
    assert ask(position, **arguments).value == 3
    assert ask(position, without={"10.0g"}, **arguments).value == 1


def test_triggers_and_flights_left_out() -> None:
    position = GAME.position("livret-panther")
    trigger = GAME.rules["triggers"]
    assert trigger(position, event="enter", bottleneck=True).value == ("move", "move")
    assert trigger(position, event="enter", bottleneck=True, without={"20.1d"}).value == ("move",)
    away = {"cell": "10.03", "side": "allies", "threat": "02.03", "path": ["11.03"]}
    short = GAME.rules["syr"](position, **away)
    assert [r.operands["wanted"].value for r in short.refusals] == [6]
    assert [r.operands["wanted"].value for r in GAME.rules["syr"](position, without={"17.4c"}, **away).refusals] == [3]
    back = {**away, "path": ["09.03", "08.03", "07.03"]}
    assert {r.rule for r in GAME.rules["syr"](position, **back).refusals} == {"17.4b", "17.4c", "17.4d"}
    assert GAME.rules["syr"](position, without={"17.4b", "17.4c", "17.4d"}, **back).value == 3


@pytest.mark.parametrize("rule", sorted(REFUSALS))
def test_leaving_it_out_takes_its_refusal_away(rule: str) -> None:
    name, changes, question, arguments = REFUSALS[rule]
    position = GAME.position(name).change(changes)
    refused = GAME.rules[question](position, **arguments)
    assert {step.rule for step in refused.refusals} == {rule}
    assert rule in refused.consulted
    allowed = GAME.rules[question](position, without={rule}, **arguments)
    assert rule not in {step.rule for step in allowed.refusals}


def test_recovery_may_go_too_far() -> None:
    position = GAME.position("fuite").change({"piece.platoon.status.paralyzed": True})
    recover = GAME.rules["recover"]
    assert [e.state for e in recover(position, cell="05.03", side="allies").value] == ["suppressed"]
    assert [e.state for e in recover(position, without={"17.5e"}, cell="05.03", side="allies").value] == ["ok"]


def test_what_is_left_out_is_not_said_as_if_it_counted() -> None:
    position = GAME.position("panthers").change(FICTIVE)
    codes = [
        {step.code for step in GAME.rules["point_fire"](position, without=left_out, **PANTHERS).trace.walk()}
        for left_out in ((), ("12.1b",))
    ]
    assert ["point.range" in one for one in codes] == [True, False]
