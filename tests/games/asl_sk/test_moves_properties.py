"""ASL Starter Kit: what must hold of any walk under residual fire and of any rout."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tutor.core.registry import ask
from tutor.games.asl_sk import GAME

GAME.load()
FIELD, FLIGHT = GAME.position("marche"), GAME.position("deroute")
PATH = ["H4", "G5", "F4", "E5"]
KINDS = st.sampled_from([None, "woods", "stone_building", "grain", "brush", "orchard"])
COUNTERS = st.sampled_from([None, 1, 2, 4, 6, 8, 12])


@st.composite
def fields(draw: st.DrawFn) -> Any:
    """The meadow with any terrain and residual fire on the way."""
    changes: dict[str, Any] = {f"terrain.{cell}": draw(KINDS) for cell in PATH[1:]}
    changes |= {f"marker.residual.{cell}": draw(COUNTERS) for cell in PATH[1:]}
    changes["piece.assaut.front.morale"] = draw(st.integers(5, 9))
    return FIELD.change(changes)


@given(fields())
@settings(max_examples=25, deadline=None)
def test_the_farther_one_walks_under_fire_the_fewer_go_on(position: Any) -> None:
    legs = ask(position, "walk", movers=["assaut"], path=PATH, trace=False).value
    chances = [dict(leg.going)["assaut"] for leg in legs]
    assert all(0 <= chance <= 1 for chance in chances)
    for before, leg, after in zip([Fraction(1), *chances], legs, chances, strict=False):
        assert after <= before
        assert leg.residual or after == before


@given(fields(), st.integers(1, 12))
@settings(max_examples=15, deadline=None)
def test_a_weaker_counter_is_never_worse(position: Any, fp: int) -> None:
    def arrives(value: int | None) -> Fraction:
        changed = position.change({"marker.residual.G5": value})
        return dict(ask(changed, "walk", movers=["assaut"], path=PATH, trace=False).value[-1].going)["assaut"]

    assert arrives(None) >= arrives(fp) >= arrives(12)


@given(
    st.sampled_from(["E5", "F4", "E4", "F5", "G5", "D5"]),
    st.sampled_from(["D4", "F3", "C4", "G3"]),
    st.sampled_from(["wooden_building", "woods", "grain", None]),
    st.booleans(),
)
@settings(max_examples=40, deadline=None)
def test_every_shelter_that_must_be_reached_can_be(at: str, enemy: str, kind: str | None, pinned: bool) -> None:
    position = FLIGHT.change(
        {
            "piece.fuyard.at": at,
            "piece.vainqueur.at": enemy,
            "terrain.E6": kind,
            "piece.vainqueur.status.pinned": pinned,
        }
    )
    goals = ask(position, "rout_goals", piece="fuyard", trace=False).value
    assert set(goals.must) <= set(goals.shelters) <= set(goals.reach)
    assert all(goals.reach[cell] <= 6 for cell in goals.reach)
    assert all(position.grid.distance(cell, enemy) > 1 for cell in goals.reach)
    for cell in position.grid.neighbours(at):
        if cell == enemy:
            continue
        result = ask(position, "rout", piece="fuyard", path=[at, cell], trace=False)
        if not result.computed:
            assert result.value is None
            continue
        assert sum(result.value.odds.values()) == 1
        assert result.value.interdicted or result.value.odds["whole"] == 1
        assert not (pinned and result.value.interdicted)
        if goals.must:  # or one as near, that it might have ignored
            assert goals.shelters[cell] <= goals.cost
