"""Morale: the unit that tests, its total, the result for the whole stack, recovery and retreat.

**Rule:** 17.0-17.7, 6.3b, 10.0b.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from tutor.core.arguments import Cell, Side
from tutor.core.context import Context, dice
from tutor.core.errors import RequestError, UnknownValue
from tutor.core.trace import hexes
from tutor.games.tcs.arguments import AcrossSide, MoraleResult, RollTotal
from tutor.games.tcs.board import board
from tutor.games.tcs.charts import FICTIVE, RESULTS, cell_of, chart, known, read, table_note
from tutor.games.tcs.dice import D66, EACH, sequential
from tutor.games.tcs.game import GAME
from tutor.games.tcs.units import INTEGRATED, Unit, place, unit, value

#: Most protective first.
CLASSES = ("protective", "partly_protective", "open", "billard")


@dataclass(frozen=True, slots=True)
class MoraleCheck:
    """A morale check.

    Args:
        unit: piece that tests.
        counter, lost, battalion: terms of its morale.
        modifiers: (name, value) added.
        total: their sum, also the column.
        result: none, suppressed, paralyzed, syr or surrender, None without a roll.
    """

    unit: str
    counter: int
    lost: int
    battalion: int
    modifiers: tuple[tuple[str, int], ...]
    total: int
    result: str | None


@dataclass(frozen=True, slots=True)
class Effect:
    """What a morale result does to one unit.

    Args:
        unit: piece.
        state: ok, suppressed or paralyzed.
        posture: move or fire.
        fate: stays, flees, lost or surrenders.
        steps_lost: steps lost on top (a Paralyzed unit that flees an assault).
        dismounts: gets off its vehicle.
    """

    unit: str
    state: str
    posture: str
    fate: str
    steps_lost: int = 0
    dismounts: bool = False


def stack(ctx: Context, cell: str, side: str) -> list[Unit]:
    """Units of a side in a hex, those just eliminated included.

    Raises:
        UnknownHex: the hex is not on the board. RequestError: there is none.
    """
    ctx.position.grid.check(cell)
    units = [unit(ctx, p.id) for p in ctx.position.pieces_at(cell, side)]
    if not units:
        raise RequestError(f"Aucune unité de ce camp en {cell}.", remedy="Choisissez un hexagone occupé.")
    return units


def battalion_of(ctx: Context, u: Unit) -> str | None:
    """The battalion of a unit, None when the position says nothing."""
    formations = ctx.position.state.get("formations")
    name = formations.get(u.id) if isinstance(formations, dict) else None
    return None if name is None else str(name)


def battalion_morale(ctx: Context, u: Unit) -> tuple[str | None, int]:
    """The battalion of a unit and its morale, 0 when the position says nothing."""
    name, values = battalion_of(ctx, u), ctx.position.state.get("battalions")
    morale = values.get(name) if name is not None and isinstance(values, dict) else 0
    return name, morale if type(morale) is int else 0


@GAME.question(
    "morale",
    rules=("17.2", "17.2a", "17.1b", "6.3b"),
    label="Que donne ce test de moral ?",
    theme="Moral",
    common=True,
    odds="morale_odds",
)
def morale(
    ctx: Context,
    cell: Cell,
    side: Side,
    roll: RollTotal | None = None,
    crossfire: Annotated[bool, "Tir croisé"] = False,
    across: AcrossSide | None = None,
) -> MoraleCheck | None:
    """The morale check of a stack: which unit tests, its total, and the result of a roll.

    Args:
        cell: hex.
        side: of the stack.
        roll: 11 to 66, None to stop at the column.
        crossfire: whether the fire was a cross fire.
        across: hex across the side whose terrain the fire took, None for the hex's.

    Returns:
        The check, None when only vehicles and transports are there.

    Raises:
        RequestError: no unit there, or not a roll.

    **Rule:** 17.0a, 17.1b, 17.2, 17.2a, 6.3b, 10.0b, 11.4, 15.2c, 26.1e.

    >>> from tutor import ask, load_position
    >>> check = ask(load_position("tcs", "livret-moral"), "morale", cell="03.03", side="a", roll=46).value
    >>> check.total, check.result
    (9, 'syr')
    """
    for rule in ("17.2a", "17.1b", "10.0b", "6.3b"):
        ctx.on(rule)
    rolled = None if roll is None else sequential(roll)
    units = stack(ctx, cell, side)
    testing = [u for u in units if not u.vehicle]
    for u in units:
        if u.vehicle:
            ctx.step("17.0a", "morale.vehicle", where=place(u), piece=u.id)
    if not testing:
        ctx.step("17.0a", "morale.nobody", where=hexes(cell), cell=cell)
        return None
    terms = {u.id: _terms(ctx, u) for u in testing}
    chosen = testing[0] if "17.2a" in ctx.without else _worst(ctx, testing, terms)
    if len(testing) > 1:
        tied = _open_choice(testing, terms, chosen)
        code, note = ("morale.choice_tied", "interprétation") if tied else ("morale.choice", None)
        with ctx.group("17.2a", code, where=place(chosen), piece=chosen.id) as group:
            group.note = note
            for u in testing:
                printed, lost, battalion = terms[u.id]
                ctx.step("17.2a", "morale.candidate", value=sum(terms[u.id]), where=place(u), piece=u.id,
                         counter=printed, lost=lost, battalion=battalion)  # fmt: skip
            group.value = sum(terms[chosen.id])
    counter, lost, battalion = terms[chosen.id]
    where = place(chosen)
    ctx.step("17.2", "morale.counter", value=counter, where=where, piece=chosen.id)
    if lost:
        ctx.step(
            "10.0b",
            "morale.eliminated" if chosen.left == 0 else "morale.lost",
            value=lost,
            where=where,
            piece=chosen.id,
        )
    if battalion:
        ctx.step("17.1b", "morale.battalion", value=battalion, where=where, battalion=battalion_morale(ctx, chosen)[0])
    modifiers = _modifiers(ctx, chosen, cell, crossfire, across)
    total = counter + lost + battalion + sum(v for _, v in modifiers)
    ctx.step(
        "17.2",
        "morale.total",
        value=total,
        where=where,
        terms=[v for v in (counter, lost, battalion, *(v for _, v in modifiers)) if v],
    )
    result = None if rolled is None else _result(ctx, total, rolled)
    return MoraleCheck(chosen.id, counter, lost, battalion, modifiers, total, result)


def _worst(ctx: Context, testing: Sequence[Unit], terms: Mapping[str, tuple[int, int, int]]) -> Unit:
    """The unit with the worst morale; of several, one that its modifiers burden most (17.2a is silent)."""
    burdened = "6.3b" not in ctx.without
    return max(testing, key=lambda u: (sum(terms[u.id]), burdened and "unassigned" in u.status))


def _open_choice(testing: Sequence[Unit], terms: Mapping[str, tuple[int, int, int]], chosen: Unit) -> bool:
    """Whether another unit has the same morale, and other modifiers."""
    return any(
        sum(terms[u.id]) == sum(terms[chosen.id]) and ("unassigned" in u.status) != ("unassigned" in chosen.status)
        for u in testing
    )


def _terms(ctx: Context, u: Unit) -> tuple[int, int, int]:
    lost = 0 if "10.0b" in ctx.without else min(u.lost, u.steps)
    return value(u, "morale", "17.2"), lost, 0 if "17.1b" in ctx.without else battalion_morale(ctx, u)[1]


def _modifiers(ctx: Context, u: Unit, cell: str, crossfire: bool, across: str | None) -> tuple[tuple[str, int], ...]:
    wanted = [("unassigned", "6.3b", "unassigned" in u.status and "6.3b" not in ctx.without),
              ("night", "26.1e", ctx.position.state.get("night") is True),
              ("crossfire", "11.4", crossfire)]  # fmt: skip
    modifiers = [
        (name, int(read(ctx, "morale_modifiers", name, "shift", "morale.modifier", rule, place(u))))
        for name, rule, holds in wanted
        if holds
    ]
    terrain = hex_class(ctx, cell) if across is None else side_class(ctx, cell, across)
    if terrain is None:
        raise UnknownValue("terrain", f"{cell}.class", "9.3")
    if terrain != "open" or known(ctx, "morale_modifiers", terrain, "shift") is not None:
        shift = int(read(ctx, "morale_modifiers", terrain, "shift", "morale.modifier", "15.2c", hexes(cell)))
        modifiers += [(terrain, shift)] if shift else []
    return tuple(modifiers)


def hex_class(ctx: Context, cell: str) -> str | None:
    """The most protective terrain class present in a hex, None when a terrain has no known class.

    **Rule:** 9.3, 9.3a.
    """
    kinds = board(ctx.position).features.get(cell, []) or ["open"]
    classes = [GAME.tables["terrain"].get(k, "class") for k in kinds]
    if None in classes:
        return None
    return min((str(c) for c in classes), key=CLASSES.index)


def class_note(table: str, kinds: Sequence[str], shown: str) -> str | None:
    """Provenance to show beside a class that some terrain gives, None when the booklet says it of one of them."""
    cells = [GAME.tables[table].cell(kind, "class") for kind in kinds]
    origins = [cell.provenance for cell in cells if cell.value == shown]
    return None if not origins or "livret" in origins else origins[0]


def side_class(ctx: Context, cell: str, other: str) -> str | None:
    """The terrain class of the hexside between two hexes: a hedge, what both hexes are drawn with, else open ground.

    **Rule:** 9.3a, 15.2c.
    """
    compiled = board(ctx.position)
    if compiled.grid.distance(compiled.grid.check(cell), compiled.grid.check(other)) != 1:
        raise RequestError(f"{cell} et {other} ne se touchent pas.", remedy="Donnez deux hexagones voisins.")
    kinds = set(compiled.features.get(cell, [])) & set(compiled.features.get(other, []))
    whole = {
        k
        for c in (cell, other)
        for k in compiled.features.get(c, [])
        if GAME.tables["terrain"].get(k, "los") == "whole"
    }
    hedge = compiled.hedges.get(compiled.grid.side_between(cell, other))
    classes = [GAME.tables["terrain"].get(k, "class") for k in kinds | whole]
    classes += [GAME.tables["sides"].get(hedge, "class")] if hedge else []
    return None if None in classes else min((str(c) for c in classes or ["open"]), key=CLASSES.index)


def _column(ctx: Context, total: int) -> str:
    """The column of a total; a fictive chart ends with its last column."""
    rows = [int(r) for r in chart(ctx, "morale").rows]
    return str(min(max(total, min(rows)), max(rows))) if ctx.setting("charts") == FICTIVE else str(total)


def _result(ctx: Context, total: int, rolled: int) -> str:
    ctx.step("1.6", "roll", "dice", roll=dice(rolled), value=rolled)
    return str(read(ctx, "morale", _column(ctx, total), str(rolled), "morale.result", "17.2", roll=rolled, total=total))


@GAME.question(
    "morale_odds",
    rules=("17.2",),
    label="Quelles chances à ce test de moral ?",
    theme="Moral",
    chances=True,
)
def morale_odds(
    ctx: Context,
    cell: Cell,
    side: Side,
    crossfire: Annotated[bool, "Tir croisé"] = False,
    across: AcrossSide | None = None,
) -> dict[str, Fraction]:
    """Exact odds of each result of a morale check.

    Args:
        cell: hex.
        side: of the stack.
        crossfire: whether the fire was a cross fire.
        across: as for ``morale``.

    Returns:
        Result -> probability; a stack that does not test has « none » for sure.

    **Rule:** 1.6, 17.2.

    >>> from tutor import ask, load_position
    >>> position = load_position("tcs", "livret-moral").change({"setting.charts": "fictif"})
    >>> odds = ask(position, "morale_odds", cell="03.03", side="a").value
    >>> str(odds["none"]), str(odds["syr"]), sum(odds.values()) == 1
    ('1/3', '13/36', True)
    """
    check = morale.function(ctx, cell, side, None, crossfire, across)
    if check is None:
        return {"none": Fraction(1)}
    odds = dict.fromkeys(RESULTS, Fraction(0))
    for roll in D66:
        odds[str(cell_of(ctx, "morale", _column(ctx, check.total), str(roll), "17.2").value)] += EACH
    ctx.step("17.2", "morale.odds", note=table_note(ctx, "morale"), value=odds["none"], total=check.total)
    return odds


@GAME.question(
    "morale_effect",
    rules=("17.3", "17.4", "17.5", "17.6"),
    label="Que fait ce résultat de moral ?",
    theme="Moral",
)
def morale_effect(
    ctx: Context, cell: Cell, side: Side, result: MoraleResult, assault: Annotated[bool, "Assaut"] = False
) -> tuple[Effect, ...]:
    """What a morale result does to each unit of a stack.

    Args:
        cell: hex.
        side: of the stack.
        result: none, suppressed, paralyzed, syr or surrender.
        assault: whether it happens in an assault.

    Returns:
        One effect for each unit left.

    Raises:
        RequestError: no such result, or nobody there.

    **Rule:** 17.0a, 17.3c, 17.3d, 17.4, 17.5c, 17.5d, 17.6, 22.0c.

    >>> from tutor import ask, load_position
    >>> effects = ask(load_position("tcs", "livret-moral"), "morale_effect", cell="03.03", side="a", result="syr").value
    >>> [(one.unit, one.state, one.fate) for one in effects]
    [('platoon', 'suppressed', 'flees'), ('mg', 'suppressed', 'flees'), ('camion', 'ok', 'flees')]
    """
    if result not in RESULTS:
        raise RequestError(f"« {result} » n’est pas un résultat de moral.", remedy=f"Résultats : {', '.join(RESULTS)}.")
    units = [u for u in stack(ctx, cell, side) if u.left]
    effects = tuple(_effect(ctx, u, _worse(ctx, u, result, assault), assault) for u in units)
    lost = [effect.unit for effect in effects if effect.fate == "lost"]
    ctx.step("17.0a", "effect.all_lost" if lost else "effect.all", value=result, where=hexes(cell), pieces=lost)
    return effects


def _worse(ctx: Context, u: Unit, result: str, assault: bool) -> str:
    """In an assault, a Paralyzed unit that is Suppressed again flees, and Paralyzed again surrenders (22.0c)."""
    if not assault or u.vehicle or "paralyzed" not in u.status:
        return result
    worse = {"suppressed": "syr", "paralyzed": "surrender"}.get(result, result)
    if worse != result:
        ctx.step("22.0c", "effect.assault", value=worse, where=place(u), piece=u.id)
    return worse


def _effect(ctx: Context, u: Unit, result: str, assault: bool) -> Effect:
    where = place(u)
    state = "paralyzed" if "paralyzed" in u.status else "suppressed" if "suppressed" in u.status else "ok"
    posture = "move" if u.posture == "move" else "fire"
    if result == "surrender":
        ctx.step("17.6", "effect.surrender", where=where, piece=u.id)
        return Effect(u.id, state, posture, "surrenders")
    if result == "syr":
        return _flight(ctx, u, assault, posture)
    if result == "none" or u.vehicle:
        if result != "none":
            ctx.step("17.0a", "effect.ignored", where=where, piece=u.id)
        return Effect(u.id, state, posture, "stays")
    if state == "paralyzed" or state == result:
        rule, code = ("17.5d" if state == "paralyzed" else "17.3d"), "effect.again"
        if assault and state == "suppressed":
            rule, code = "22.0c", "effect.choice"
        ctx.step(rule, code, where=where, piece=u.id, state=state)
        return Effect(u.id, state, posture, "stays")
    rule = "17.3c" if result == "suppressed" else "17.5c"
    flips = posture == "move" and not (u.embarked or u.towed)  # 24.1b: whatever is carried or towed stays in Move mode
    ctx.step("17.3" if result == "suppressed" else "17.5", "effect.marked", where=where, piece=u.id, state=result)
    if flips or u.riding:
        ctx.step(rule, "effect.dismounts" if u.riding else "effect.flips", where=where, piece=u.id)
    elif posture == "move" and u.embarked:
        ctx.step(rule, "effect.aboard", where=where, piece=u.id)
    return Effect(u.id, result, "fire" if flips or u.riding else posture, "stays", 0, u.riding)


def category(u: Unit) -> str:
    """infantry, weapon, vehicle or transport; transport for what drives in its own.

    **Rule:** 3.1, 24.2a.
    """
    return "transport" if u.driving else str(GAME.tables["kinds"].get(u.kind, "category"))


def abandoned(u: Unit) -> bool:
    """Whether a flight leaves a unit behind: a gun or a mortar that nothing carries.

    **Rule:** 17.4.
    """
    return bool(GAME.tables["kinds"].get(u.kind, "heavy")) and not (u.carried or u.driving)


def _flight(ctx: Context, u: Unit, assault: bool, posture: str) -> Effect:
    where = place(u)
    lost = -(-u.left // 2) if assault and "paralyzed" in u.status else 0
    if lost:
        ctx.step("17.4", "effect.half_lost", value=lost, unit="pas", where=where, piece=u.id)
    carried = u.carried or u.driving
    if INTEGRATED.keys() & set(u.status) and not carried:
        ctx.step("24.2e", "effect.cannot_drive", where=where, piece=u.id)
        return Effect(u.id, "ok", posture, "lost", lost)
    if abandoned(u) or lost >= u.left:
        ctx.step("17.4", "effect.abandoned", where=where, piece=u.id)
        return Effect(u.id, "ok", posture, "lost", lost)
    if u.vehicle or carried:
        ctx.step("17.4", "effect.flees_moving", where=where, piece=u.id)
        return Effect(u.id, "ok", "move", "flees", lost)
    ctx.step("17.4", "effect.flees", where=where, piece=u.id)
    return Effect(u.id, "suppressed", "fire", "flees", lost)


@GAME.question(
    "recover",
    rules=("17.7", "17.7a", "17.7b"),
    label="Qui récupère ?",
    theme="Moral",
)
def recover(ctx: Context, cell: Cell, side: Side) -> tuple[Effect, ...]:
    """Recovery of a stack at the end of its Action Phase.

    Args:
        cell: hex.
        side: of the stack.

    Returns:
        The new state of each unit that was Suppressed or Paralyzed; an enemy overwatch may follow.

    Raises:
        RequestError: nobody there.

    **Rule:** 17.5e, 17.7, 17.7a, 17.7b, 17.7d, 15.2e.

    >>> from tutor import ask, load_position
    >>> marked = {"piece.platoon.status.suppressed": True, "piece.mg.status.paralyzed": True}
    >>> position = load_position("tcs", "livret-moral").change(marked)
    >>> [(one.unit, one.state) for one in ask(position, "recover", cell="03.03", side="a").value]
    [('platoon', 'ok'), ('mg', 'suppressed')]
    """
    units = [u for u in stack(ctx, cell, side) if u.left]
    marked = [u for u in units if {"suppressed", "paralyzed"} & set(u.status)]
    if not marked:
        ctx.refuse("17.7", "recover.nobody", where=hexes(cell), cell=cell)
    barrage = ctx.position.markers.get("barrage", {})
    if any(on and ctx.position.grid.distance(cell, c) == 0 for c, on in barrage.items()):
        ctx.refuse("17.7b", "recover.barrage", where=hexes(cell), cell=cell)
    if any("recovered" in u.piece.status for u in units):
        ctx.refuse("17.7d", "recover.twice", where=hexes(cell), cell=cell)
    if ctx.refusals:
        return ()
    effects = []
    for u in marked:
        state = "suppressed" if "paralyzed" in u.status and ctx.on("17.5e") else "ok"
        rule = "17.5e" if state == "suppressed" else "17.7"
        ctx.step(rule, "recover.better", value=state, where=place(u), piece=u.id)
        effects.append(Effect(u.id, state, "move" if u.posture == "move" else "fire", "stays"))
    ctx.step("15.2e", "recover.trigger", where=hexes(cell), cell=cell)
    return tuple(effects)
