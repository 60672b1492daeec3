"""ASL Starter Kit's attacks: odds against enumeration, traces and refusals on random positions."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import settings as budget
from hypothesis import strategies as st

from tutor.core.dice import PAIRS
from tutor.core.errors import TutorError
from tutor.core.position import Position
from tutor.games.asl_sk import GAME
from tutor.games.asl_sk.fire.effects import selections
from tutor.games.asl_sk.problems import STATUSES

GAME.load()
SEEDS = st.integers(0, 10**6)
PHASES = ["PFPh", "MPh", "DFPh", "AFPh", "RPh"]


def ask(position, question, **arguments):
    return GAME.rules[question](position, **arguments)


def random_position(seed: int) -> Position:
    """Units of both sides in any state on the training board."""
    random = Random(seed)
    data = GAME.position("ecole").data()
    cells = GAME.position("ecole").grid.cells
    near = [c for c in cells if c[0] in "CDEFGH"]
    free = sorted(STATUSES - {"broken", "pinned", "melee", "hidden"})
    pieces = []
    for n in range(8):
        side = "axis" if n % 2 else "allies"
        kind = random.choice(["squad", "squad", "half_squad", "crew", "leader"])
        status = random.sample(free, random.randint(0, 3)) + random.choices([["broken"], ["pinned"], []], [1, 1, 4])[0]
        front = {
            "morale": random.randint(6, 9),
            "fp": random.randint(1, 8),
            "range": random.randint(3, 7),
            "leadership": random.randint(-2, 1),
        }
        pieces.append(
            {"id": f"u{n}", "kind": kind, "side": side, "at": random.choice(near), "status": status, "front": front}
        )
    for n, kind in enumerate(["mg", "flamethrower", "atr", "demolition_charge"]):
        pieces.append(
            {
                "id": f"w{n}",
                "kind": kind,
                "side": pieces[n]["side"],
                "carrier": f"u{n}",
                "front": {"fp": 4, "range": 8, "rof": 2},
            }
        )
    data["pieces"] = pieces
    data["markers"] = {"smoke": {random.choice(near): 2}, "residual": {random.choice(near): 4}}
    data["state"] = {"phase": random.choice(PHASES), "month": random.randint(1, 12), "elr": random.randint(1, 4)}
    return Position.from_data(data)


@budget(max_examples=60, deadline=None)
@given(SEEDS)
def test_any_attack_is_answered_told_and_changes_nothing(seed):
    position = random_position(seed)
    assert GAME.problems(position) == []
    before = position.dump()
    random = Random(seed + 1)
    firers = random.sample([p.id for p in position.pieces if p.kind != "leader"], random.randint(1, 3))
    leaders = random.sample([p.id for p in position.pieces if p.kind == "leader"], 1) if random.random() < 0.3 and any(
        p.kind == "leader" for p in position.pieces) else []  # fmt: skip
    target = random.choice([p.at for p in position.pieces if p.at])
    questions = [
        ("attack", {"firers": firers, "target": target, "leaders": leaders, "dice": list(random.choice(PAIRS))}),
        ("fire_odds", {"firers": firers, "target": target, "leaders": leaders}),
        ("rally", {"piece": "u0"}),
        ("dm_removal", {"piece": "u1"}),
        ("morale_check", {"piece": "u2", "dice": [3, 4], "leader": "u3"}),
        ("pin_check", {"piece": "u2", "dice": [3, 4]}),
        ("defensive_fire", {"firer": firers[0], "mover": "u4"}),
        (
            "walk",
            {"movers": ["u5"], "path": [position.by_id["u5"].at, position.grid.neighbours(position.by_id["u5"].at)[0]]},
        ),
    ]
    for name, arguments in questions:
        result = ask(position, name, **arguments)
        for step in result.trace.walk():
            assert step.rule in GAME.sections, step
            assert GAME.sentence(step, position)
        assert (result.outcome == "refused") == bool(result.refusals)
        assert all(r.rule in GAME.sections and r.kind == "refusal" for r in result.refusals)
        if name == "fire_odds" and result.computed and result.value.units:
            for outcomes in result.value.units.values():
                assert sum(outcomes.values()) == 1
            assert sum(result.value.results.values()) == 1
    assert position.dump() == before


@pytest.mark.parametrize("cower", [0, 1, 2])
@pytest.mark.parametrize(("fp", "drm"), [(1, 0), (4, 1), (12, -2), (36, 4)])
def test_the_odds_of_the_table_are_its_cells_over_all_rolls(fp, drm, cower):
    position = GAME.position("ecole")
    counted: dict[str, Fraction] = defaultdict(Fraction)
    for pair in PAIRS:
        counted[ask(position, "ift", fp=fp, drm=drm, dice=list(pair), cower=cower, trace=False).value] += Fraction(
            1, 36
        )
    assert ask(position, "ift_odds", fp=fp, drm=drm, cower=cower).value == dict(counted)


def test_the_odds_of_an_attack_are_its_outcomes_over_all_rolls():
    position = GAME.position("tir").change({"piece.cible.at": "F4", "state.elr": 2})
    counted: dict[str, Fraction] = defaultdict(Fraction)
    fire = {"firers": ["alpha"], "target": "F4", "leaders": ["chef"]}
    for first in PAIRS:
        for second in PAIRS:
            done = ask(position, "attack", **fire, dice=list(first), checks={"cible": list(second)}, trace=False).value
            counted[dict(done.units)["cible"]] += Fraction(1, 1296)
    assert ask(position, "fire_odds", **fire).value.units["cible"] == dict(counted)


SUMS = {value: Fraction(6 - abs(7 - value), 36) for value in range(2, 13)}


def by_hand(modifier: int, leader: int = 8, squad: int = 6) -> dict[str, Fraction]:
    """A MC of a leader 8-1 and of a Squad with him, his loss included: what becomes of the Squad, by plain loops."""
    odds: dict[str, Fraction] = defaultdict(Fraction)
    for one, p in SUMS.items():
        fates = {"lost": Fraction(1, 3), "broken": Fraction(2, 3)} if one == 12 else {
            "broken" if one + modifier > leader else "pinned" if one + modifier == leader else "fit": Fraction(1)}  # fmt: skip
        for fate, share in fates.items():
            for two, q in SUMS.items():
                final = two + modifier - (fate == "fit")
                state = (
                    "reduced_broken"
                    if two == 12
                    else "broken"
                    if final > squad
                    else "pinned"
                    if final == squad
                    else "nothing"
                )
                weight = p * share * q
                if fate == "lost":
                    for three, r in SUMS.items():
                        odds[after_loss(state, three)] += weight * r
                elif fate == "broken" and state == "nothing":
                    for three, r in SUMS.items():
                        odds["pinned" if three + 1 > squad else "nothing"] += weight * r
                else:
                    odds[state] += weight
    return odds


def after_loss(state: str, three: int, squad: int = 6, broken_side: int = 8) -> str:
    """A NMC with +1 for the leader's loss, on top of what already happened."""
    if "broken" not in state:
        return (
            "reduced_broken"
            if three == 12
            else "broken"
            if three + 1 > squad
            else "pinned"
            if three + 1 == squad
            else state
        )
    if broken_side >= 8:  # the Squad's broken side is as good as the leader: it does not check
        return state
    raise AssertionError(state)


def test_a_leader_and_his_squad_by_plain_loops():
    data = GAME.position("tir").change({"terrain.H4": "stone_building"}).data()
    data["pieces"].append(
        {"id": "sergent", "kind": "leader", "side": "allies", "at": "H4", "front": {"morale": 8, "leadership": -1}}
    )
    position = Position.from_data(data)
    odds = ask(position, "fire_odds", firers=["alpha"], target="H4", leaders=["chef"]).value
    assert set(odds.results) == {"1MC", "NMC", "PTC", "NE"}
    broken = sum(odds.results[code] * by_hand(n)["broken"] for code, n in (("1MC", 1), ("NMC", 0)))
    reduced = sum(odds.results[code] * by_hand(n)["reduced_broken"] for code, n in (("1MC", 1), ("NMC", 0)))
    assert (odds.units["cible"]["broken"], odds.units["cible"]["reduced_broken"]) == (broken, reduced)


@pytest.mark.parametrize("kind", ["squad", "leader", "half_squad"])
def test_the_sentence_of_a_target_says_the_chance_asked_and_tells_it_from_a_mere_reduction(kind):
    position = GAME.position("tir").change({"piece.cible.kind": kind, "piece.cible.front.leadership": 0})
    result = ask(position, "fire_odds", firers=["alpha"], target="H4")
    (step,) = [s for s in result.trace.walk() if s.code.startswith("odds.unit")]
    assert step.value == result.value.any_broken
    merely = sum((p for r, p in result.value.units["cible"].items() if r in ("reduced", "wounded")), Fraction(0))
    assert step.code == {"squad": "odds.unit_reduced", "leader": "odds.unit_wounded"}.get(kind, "odds.unit")
    said = [step.operands[name].value for name in ("less", "pinned", "nothing")]
    assert said[0] == merely
    assert step.value + sum(said, Fraction(0)) == 1


@given(st.integers(1, 4), st.integers(1, 4))
@budget(max_examples=16, deadline=None)
def test_random_selection_picks_at_least_as_many_as_wanted(candidates, wanted):
    ways = selections(candidates, wanted)
    assert sum(n for _, n in ways) == 6**candidates
    assert all(len(picked) >= min(wanted, candidates) for picked, _ in ways)


@budget(max_examples=20, deadline=None)
@given(SEEDS, st.integers(-2, 4))
def test_morale_odds_sum_to_one(seed, modifier):
    position = random_position(seed)
    for kind in ("mc", "ptc"):
        odds = dict(ask(position, "morale_odds", piece="u0", modifier=modifier, kind=kind).value)
        odds.pop("replaced", None)
        assert sum(odds.values()) == 1


@budget(max_examples=30, deadline=None)
@given(SEEDS)
def test_leaving_out_any_rule_is_answered_too(seed):
    position = random_position(seed)
    random = Random(seed)
    omitted = random.choice(sorted(GAME.omittable))
    target = random.choice([p.at for p in position.pieces if p.at])
    firer = random.choice([p.id for p in position.pieces if p.kind != "leader"])
    try:
        result = ask(position, "fire", firers=[firer], target=target, without={omitted})
    except TutorError as error:
        pytest.fail(str(error))
    assert all(GAME.sentence(step, position) for step in result.trace.walk())
