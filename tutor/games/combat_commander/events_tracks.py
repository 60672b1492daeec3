"""Events off the map: points, objective chits, the surrender marker, cards in hand.

The position may hold the hands: ``state.hand_axis`` and ``state.hand_allies``, lists of orders.

**Rule:** E45, E49, E54, E57, E61, E65, E67, E74.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tutor.core.context import Context
from tutor.core.errors import RequestError
from tutor.core.trace import hexes
from tutor.games.combat_commander.activation import is_hero
from tutor.games.combat_commander.events import Call, Event, among, effect_of, family
from tutor.games.combat_commander.points import chits_of
from tutor.games.combat_commander.units import is_unit
from tutor.games.combat_commander.victory import controller, objective_hexes, objectives_on, surrender_of, units_in


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
        silent = Context(ctx.game, ctx.position, without=ctx.without, trace=False)
        controlled = [n for n in objectives_on(ctx) if controller(silent, n) == call.side]
        for objective in sorted(objectives_on(ctx), key=lambda n: n in controlled):  # those that count, said last
            controller(ctx, objective)
        code = "event.counted_objectives" if controlled else "event.counted_none"
        ctx.step("E49", code, value=len(controlled), objectives=controlled)
        for objective in controlled:
            _say_counted(ctx, objective, objective_hexes(silent, objective), call.side)
        won = len(controlled)
    return Event(affected=(call.side,), effect="points", points=won)


def _say_counted(ctx: Context, objective: int, cells: Sequence[str], side: str) -> None:
    """Why an objective counts for a side: alone there, or the last to have been. **Rule:** E49, 7.3.1."""
    alone = {p.side for p in units_in(ctx, cells)} == {side}
    code = "event.counts_alone" if alone else "event.counts_kept"
    ctx.step("E49", code, where=hexes(*cells), objective=objective, cells=list(cells), side=side)


@family("track")
def track(ctx: Context, call: Call) -> Event:
    """The surrender marker moves, or an objective chit is drawn or revealed. **Rule:** E54, E65, E67, E74."""
    who = str(ctx.table("events").peek(call.name, "who"))
    if who == "surrender":
        before = surrender_of(ctx, call.side)
        ctx.step("E54", "event.elan", value=before + 1, before=before, side=call.side)
        surrenders: Any = ctx.position.state.get("surrender")
        return Event((), True, (call.side,), "elan", 0, {"state.surrender": {**surrenders, call.side: before + 1}})
    if who == "reveal":
        return _reveals(ctx, call)
    if call.choose is None:
        ctx.step(call.rule, f"event.{effect_of(ctx, call)}", value=call.side)
        return Event((), True, (call.side,), effect_of(ctx, call))
    return _draws(ctx, call, call.choose.lower())


def _draws(ctx: Context, call: Call, chit: str) -> Event:
    """A chit drawn from the cup: secret if it can and should be, open and paid otherwise. **Rule:** E65, E74, 7.3.3."""
    table, known = ctx.table("chits"), ctx.game.tables["chits"].rows
    drawn = [name for key in ("chits", "secret_axis", "secret_allies") for name in chits_of(ctx, key)]
    if f"chit_{chit}" not in known or chit in drawn:
        raise RequestError(
            f"Le pion Objectif « {chit} » n’est pas à tirer.", remedy="Donnez un pion encore à la tasse."
        )
    ctx.step(call.rule, "event.chit_drawn", "input", value=f"chit_{chit}")
    if effect_of(ctx, call) == "secret_chit":
        if not table.peek(f"chit_{chit}", "open"):
            ctx.step("E65", "event.stays_secret", value=call.side)
            mine = [*chits_of(ctx, f"secret_{call.side}"), chit]
            return Event((), True, (call.side,), "secret_chit", 0, {f"state.secret_{call.side}": mine})
        ctx.step("7.3.3", "event.no_secret_face", value=False)
    return _opens(ctx, call, chit, {})


def _reveals(ctx: Context, call: Call) -> Event:
    """A secret chit is revealed, by whom the setting says, and becomes general. **Rule:** E67, 7.3.3."""
    revealer = call.enemy if ctx.setting("reconnaissance") == "opponent" else call.side
    secret = chits_of(ctx, f"secret_{revealer}")
    ctx.step("E67", "event.reveals", value=len(secret), note="interprétation", side=revealer)
    if not secret:
        ctx.step("E42", "event.impossible", value=0)
    chit = among(ctx, call, call.choose, secret, "chit_")
    if chit is None:
        return Event(tuple(secret), True, (revealer,), effect_of(ctx, call) if secret else "nothing")
    rest = [name for name in secret if name != chit]
    ctx.step("E67", "event.revealed", value=f"chit_{chit}")
    opened = _opens(ctx, call, chit, {f"state.secret_{revealer}": rest})
    return replace(opened, options=tuple(secret), affected=(revealer,))


def _opens(ctx: Context, call: Call, chit: str, changes: dict[str, Any]) -> Event:
    """A chit becomes general: it pays at once whoever controls its objectives. **Rule:** 7.3.3."""
    ctx.step("7.3.3", "event.general", value=f"chit_{chit}")
    changes = {**changes, "state.chits": [*chits_of(ctx), chit]}
    return Event((), True, (call.side,), "open_chit", _paid(ctx, call, chit), changes)


def _paid(ctx: Context, call: Call, chit: str) -> int:
    """Points that an open chit pays to who drew the event, those of the enemy taken off. **Rule:** 7.3.3."""
    table, row, won = ctx.table("chits"), f"chit_{chit}", 0
    if table.peek(row, "special") is not None:
        return 0
    amount = int(table.get(row, "points"))
    paid: dict[str, list[int]] = {}
    for number in objectives_on(ctx):
        if table.peek(row, "objective") not in (number, "each"):
            continue
        holder = controller(ctx, number)
        if holder:
            ctx.step("7.3.3", "victory.paid", value=amount, objective=number, side=holder)
            won += amount if holder == call.side else -amount
            paid.setdefault(holder, []).append(number)
    for side, objectives in paid.items():
        if len(objectives) > 1:
            ctx.step("7.3.3", "victory.paid_in_all", value=amount * len(objectives), side=side, objectives=objectives)
    gains = call.side if won > 0 else call.enemy
    ctx.step("4.1.1", "event.track_moves" if won else "event.track_stays", value=abs(won), side=gains)
    return won


def _hand(ctx: Context, side: str) -> list[str]:
    cards = ctx.position.state.get(f"hand_{side}", [])
    return [str(card) for card in cards] if isinstance(cards, list) else []


def _discarded(ctx: Context, call: Call, side: str, hand: list[str], card: str) -> list[str]:
    """What is left of a hand."""
    at = hand.index(card)
    left = hand[:at] + hand[at + 1 :]
    ctx.step(call.rule, "event.card_lost", value=card, side=side)
    ctx.step(call.rule, "event.hand_left", value=len(left), cards=left, side=side)
    return left


@family("cards")
def cards(ctx: Context, call: Call) -> Event:
    """Cards of the hands: one lost at random by each, or a hand shown and one discarded.

    **Rule:** E57, E61, 1.0, 1.2.
    """
    if call.name == "event_fog_of_war":
        return _fog(ctx, call)
    hand = _hand(ctx, call.enemy)
    ctx.step("1.0", "event.hand_shown", value=call.enemy)
    if hand:
        ctx.step("E61", "event.hand", value=len(hand), cards=hand)
    ctx.step("E61", "event.discards_one", value=call.enemy, side=call.side)
    card = among(ctx, call, call.choose, hand) if hand else None
    if card is None:
        return Event(tuple(hand), False, (call.enemy,), "card_shown")
    changes = {f"state.hand_{call.enemy}": _discarded(ctx, call, call.enemy, hand, card)}
    return Event(tuple(hand), False, (call.enemy,), "card_lost", 0, changes)


def _fog(ctx: Context, call: Call) -> Event:
    """Each player draws a card of the other's hand, unseen, and it is discarded. **Rule:** E57, 1.2."""
    ctx.step("E57", "event.fog_of_war")
    changes: dict[str, Any] = {}
    for side, drawn in ((call.enemy, call.choose), (call.side, call.then)):
        hand = _hand(ctx, side)
        card = among(ctx, call, drawn, hand) if hand else None
        if card is not None:
            changes[f"state.hand_{side}"] = _discarded(ctx, call, side, hand, card)
    return Event(affected=("axis", "allies"), effect="card_lost", changes=changes)
