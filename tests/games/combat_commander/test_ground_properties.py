"""What a hex costs and covers, told again straight from the booklet, against the engine on random pairs of hexes."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tutor.core.position import Position
from tutor.core.registry import ask, load_position

BENCH = load_position("combat_commander", "terrains").change({"piece.fusiliers": None, "piece.ligne": None})
COSTS = {"building": 2, "woods": 2, "brush": 2, "gully": 2, "stream": 3, "marsh": 3, "orchard": 1, "field": 1, None: 1}
COVERS = {"building": 3, "woods": 2, "brush": 1, "orchard": 1, "gully": 1, "stream": -1} | dict.fromkeys(
    ("major_bridge", "minor_bridge"), 2
)
SHELTERS = {"foxholes": 3, "trench": 4, "pillbox": 5, "bunker": 6}
KINDS = [*COSTS, "major_bridge", "minor_bridge", "water_barrier"]

side = st.sampled_from([None, "wall", "hedge", "fence", "cliff"])
ways = st.sampled_from([[], [1], [4], [1, 4], [2, 5], [1, 3]])
hexagon = st.fixed_dictionaries(
    {
        "terrain": st.sampled_from(KINDS),
        "level": st.integers(0, 2),
        "road": ways,
        "rail": ways,
        "trail": ways,
        "fort": st.sampled_from([None, *SHELTERS, "mines", "wire"]),
        "blaze": st.sampled_from([False, False, False, True]),
        "under": st.sampled_from(["stream", "gully", None]),
    }
)


def board(here: dict[str, Any], there: dict[str, Any], edge: str | None) -> Position:
    """B1 and B2, one below the other, as drawn; nothing lies on water or in a fire."""
    changes: dict[str, Any] = {"side.B1/B2": edge, "state.beneath": {}}
    under = {}
    for cell, one in (("B1", here), ("B2", there)):
        changes |= {f"terrain.{cell}": one["terrain"], f"level.{cell}": one["level"]}
        changes |= {f"way.{way}.{cell}": one[way] or None for way in ("road", "rail", "trail")}
        wet = one["terrain"] in ("stream", "marsh", "water_barrier")
        changes[f"marker.blaze.{cell}"] = (one["blaze"] and not wet) or None
        changes[f"marker.fortification.{cell}"] = None if wet or one["blaze"] else one["fort"]
        if one["under"]:
            under[cell] = one["under"]
    return BENCH.change(changes | {"state.beneath": under})


def printed_cost(position: Position, here: dict[str, Any], there: dict[str, Any], edge: str | None) -> int | str:
    """Cost of B1 to B2: a number, ``refused`` or ``unknown``. Side 4 of B1 is side 1 of B2."""
    bridges = [(one, arm) for one, arm in ((here, 4), (there, 1)) if one["terrain"] == "major_bridge"]
    if position.marker("blaze", "B2") or there["terrain"] == "water_barrier" or edge == "cliff":
        return "refused"
    if any(arm not in one["road"] + one["rail"] for one, arm in bridges):
        return "refused"
    forts = {position.marker("fortification", cell) for cell in ("B1", "B2")}
    if "trench" in forts and forts <= {"trench", "pillbox", "bunker"}:
        return 1
    extra = (there["level"] > here["level"]) + (edge is not None)
    if any(1 in there[way] for way in ("road", "rail", "trail")):
        return 1 + extra
    if there["terrain"] == "minor_bridge":
        return "unknown" if there["under"] is None else COSTS[there["under"]] + extra
    return COSTS[there["terrain"]] + extra


@given(here=hexagon, there=hexagon, edge=side)
@settings(max_examples=300, deadline=None)
def test_a_step_costs_what_the_booklet_says(here: dict[str, Any], there: dict[str, Any], edge: str | None) -> None:
    position = board(here, there, edge)
    result = ask(position, "step_cost", start="B1", end="B2")
    wanted = printed_cost(position, here, there, edge)
    assert (result.value if result.computed else result.outcome) == wanted


@given(here=hexagon, there=hexagon, edge=side, against=st.sampled_from(["fire", "mortar", "radio", "flame", "mines"]))
@settings(max_examples=300, deadline=None)
def test_a_hex_covers_as_the_booklet_says(
    here: dict[str, Any], there: dict[str, Any], edge: str | None, against: str
) -> None:
    position = board(here, there, edge)
    result = ask(position, "cover", cell="B2", against=against, firing_from=["B1"])
    if there["terrain"] == "water_barrier" or position.marker("blaze", "B2"):
        assert result.outcome == "refused"
        return
    shelled = against in ("mortar", "radio")
    options = [COVERS.get(there["terrain"], 0)]
    fort = position.marker("fortification", "B2")
    if fort in SHELTERS:
        options.append(SHELTERS[str(fort)] + shelled)
    if not shelled:
        options.append({"wall": 2, "hedge": 1}.get(edge or "", options[0]))
    wanted = 0 if against in ("flame", "mines") else max(options) - bool(there["road"])
    assert result.value.value == wanted
