"""Events off the map: points, objective chits, the surrender marker, cards in hand.

**Rule:** E45, E49, E54, E57, E61, E65, E67, E74.
"""

from __future__ import annotations

from typing import Any

from tutor.core.context import Context
from tutor.games.combat_commander.command import is_hero
from tutor.games.combat_commander.events import Call, Event, effect_of, family
from tutor.games.combat_commander.units import is_unit
from tutor.games.combat_commander.victory import chits_of, controller, objectives_on, surrender_of


@family("points")
def points(ctx: Context, call: Call) -> Event:
    """A point for each enemy unit on the Casualty Track, or for each objective controlled. **Rule:** E45, E49."""
    if str(ctx.table("events").peek(call.name, "who")) == "lost":
        lost = [
            p
            for p in ctx.position.pieces
            if p.side == call.enemy and is_unit(p) and "eliminated" in p.status and not is_hero(p)
        ]
        ctx.step("E45", "event.counted_units", value=len(lost), pieces=[p.id for p in lost])
        won = len(lost)
    else:
        held = [n for n in objectives_on(ctx) if controller(ctx, n) == call.side]
        ctx.step("E49", "event.counted_objectives", value=len(held), objectives=held)
        won = len(held)
    return Event(affected=(call.side,), effect="points", points=won)


@family("track")
def track(ctx: Context, call: Call) -> Event:
    """The surrender marker moves, or an objective chit is drawn or revealed. **Rule:** E54, E65, E67, E74."""
    who = str(ctx.table("events").peek(call.name, "who"))
    if who == "surrender":
        before = surrender_of(ctx, call.side)
        ctx.step("E54", "event.elan", value=before + 1, before=before, side=call.side)
        held: Any = ctx.position.state.get("surrender")
        return Event((), True, (call.side,), "elan", 0, {"state.surrender": {**held, call.side: before + 1}})
    if who == "reveal":
        revealer = call.enemy if ctx.setting("reconnaissance") == "opponent" else call.side
        secret = chits_of(ctx, f"secret_{revealer}")
        ctx.step("E67", "event.reveals", value=len(secret), side=revealer)
        return Event(tuple(secret), True, (revealer,), effect_of(ctx, call) if secret else "nothing")
    ctx.step(call.rule, f"event.{effect_of(ctx, call)}", value=call.side)
    return Event((), True, (call.side,), effect_of(ctx, call))


@family("cards")
def cards(ctx: Context, call: Call) -> Event:
    """Cards of the hands: one lost at random by each, or a hand shown. **Rule:** E57, E61, 1.0, 1.2."""
    if call.name == "event_fog_of_war":
        ctx.step("E57", "event.fog_of_war", value=1)
        return Event(affected=("axis", "allies"), effect="card_lost")
    ctx.step("1.0", "event.hand_shown", value=call.enemy)
    ctx.step("E61", "event.discards_one", value=call.enemy)
    return Event(affected=(call.enemy,), effect="card_shown", must=False)
