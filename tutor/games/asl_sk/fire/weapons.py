"""What the dice of an attack do to the weapons that made it: breakdown, loss, rate of fire, a charge that fails.

**Rule:** 1.2.2, 1.2.4.1, 4.1, 4.2, 4.3, 5.4, 5.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any

from tutor.core.context import Context
from tutor.core.context import dice as rolled
from tutor.core.dice import chance, total, whole
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.games.asl_sk.board import phase
from tutor.games.asl_sk.fire.fire import Fire
from tutor.games.asl_sk.fire.firepower import mode_of
from tutor.games.asl_sk.game import GAME
from tutor.games.asl_sk.units import MMC, inexperienced, owner, places, printed


def weapons_after(
    ctx: Context, ready: Fire, original: int, coloured: int, cowers: bool, chosen: Sequence[str]
) -> tuple[tuple[str, ...], ...]:
    """Weapons that break down, that are lost, that keep their rate: none after cowering, but by ``cower_rof``."""
    done = cowers and ctx.setting("cower_rof") == "lost"
    pieces = [ctx.position.piece(name) for name in ready.firers]
    lost = [piece.id for piece in pieces if _spent(ctx, piece, original)]
    jammed: list[str] = []
    again: list[str] = []
    failing: dict[str, tuple[int, bool]] = {}
    for piece in pieces:
        if piece.kind != "mg":
            continue
        base, limit = _breakdown(ctx, piece)
        if original >= limit:
            gone = base > limit and original >= base
            failing[piece.id] = (base if gone else limit, gone)
        elif not done and _fires_again(ctx, piece, coloured):
            again.append(piece.id)
    for name in _drawn(ctx, tuple(failing), chosen):
        limit, gone = failing[name]
        _say_breakdown(ctx, ctx.position.piece(name), original, limit, gone)
        (lost if gone else jammed).append(name)
    return tuple(jammed), tuple(lost), tuple(again)


def _say_breakdown(ctx: Context, piece: Piece, original: int, limit: int, gone: bool) -> None:
    """That a machine gun fails, or is lost, by the B# on its counter and what a second fire takes off it."""
    where, code = places(piece), "attack.mg_lost" if gone else "attack.jammed"
    with ctx.group("4.1", code, where=where, piece=piece.id, original=rolled(original), limit=limit):
        ctx.step("4.1", "attack.breakdown", where=where, value=_printed_breakdown(ctx, piece), piece=piece.id)
        if not gone and _sustained(ctx, piece):
            ctx.table("limits").get("sustained", "breakdown", where)


def _spent(ctx: Context, piece: Piece, original: int) -> bool:
    """Whether a flamethrower or a demolition charge leaves the game."""
    if piece.kind not in ("flamethrower", "demolition_charge"):
        return False
    spent = original >= _spent_from(ctx, piece, owner(ctx.position, piece))
    if spent and piece.kind == "flamethrower":
        ctx.step("4.2", "attack.flame_lost", where=places(piece), piece=piece.id, original=rolled(original))
    return spent


def _breakdown(ctx: Context, piece: Piece) -> tuple[int, int]:
    """B# of a machine gun, and the dice from which it fails: two less in sustained fire."""
    base = _printed_breakdown(ctx, piece) + _handling(ctx, piece, owner(ctx.position, piece))
    less = int(ctx.table("limits").peek("sustained", "breakdown")) if _sustained(ctx, piece) else 0
    return base, base + less


def _printed_breakdown(ctx: Context, piece: Piece) -> int:
    return int(printed(piece, "breakdown") or ctx.table("limits").peek("mg", "breakdown"))


def _sustained(ctx: Context, piece: Piece) -> bool:
    return mode_of(ctx.position, piece) in ("subsequent", "protective", "final")


def _fires_again(ctx: Context, piece: Piece, coloured: int) -> bool:
    """Whether a machine gun keeps its rate of fire; says why not when the coloured die alone decides."""
    mode, status = mode_of(ctx.position, piece), owner(ctx.position, piece).status
    printed_rate, captured = int(printed(piece, "rof") or 0), "captured" in piece.status
    rate = printed_rate
    if rate and captured:
        rate += int(ctx.table("limits").peek("captured", "rof"))
    again = keeps_rate(mode, rate, coloured, status)
    if again or (rate and keeps_rate(mode, rate, 1, status)):
        code = "attack.again" if again else "attack.spent"
    elif rate and coloured <= rate:
        code = "attack.no_rate_pinned" if "pinned" in status else "attack.no_rate"
    else:
        return again
    where, said = places(piece), {"coloured": rolled(coloured), "rof": rate}
    said = said if again or code == "attack.spent" else {}
    said |= {"phase": phase(ctx.position)} if code == "attack.no_rate" else {}
    with ctx.group("1.2.4.1", code, where=where, piece=piece.id, **said):
        ctx.step("1.2.4.1", "attack.coloured", "dice", value=coloured)
        ctx.step("1.2.4.1", "attack.rate", where=where, value=printed_rate, piece=piece.id)
        if printed_rate and captured:
            ctx.table("limits").get("captured", "rof", where)
    return again


def _handling(ctx: Context, piece: Piece, unit: Piece) -> int:
    """What captured weapons and inexperienced hands take off a B# or an X#.

    **Rule:** 5.4, 5.5.
    """
    rows = ["captured"] if "captured" in piece.status else []
    rows += ["raw_hands"] if unit.kind in MMC and inexperienced(ctx.position, unit) and ctx.on("5.4") else []
    return sum(int(ctx.table("limits").get(row, "breakdown", places(piece))) for row in rows)


def _spent_from(ctx: Context, piece: Piece, unit: Piece) -> int:
    """X# of a flamethrower or of a demolition charge: two less for a MMC that is not elite; crews are.

    **Rule:** 1.2.2, 4.2, 4.3.
    """
    table, row = ctx.table("limits"), "ft" if piece.kind == "flamethrower" else "dc"
    plain = unit.kind in ("squad", "half_squad") and "elite" not in unit.status
    least = int(table.peek(row, "x_number")) + (int(table.peek(row, "not_elite")) if plain else 0)
    return least + _handling(ctx, piece, unit)


def charge_fails(ctx: Context, ready: Fire, original: int) -> bool:
    """Whether a demolition charge does nothing: dice at its X# or above.

    **Rule:** 4.3.
    """
    for piece in (ctx.position.piece(name) for name in ready.firers):
        if piece.kind == "demolition_charge":
            limit = _spent_from(ctx, piece, owner(ctx.position, piece))
            if original >= limit:
                ctx.step("4.3", "attack.charge_fails", where=places(piece), piece=piece.id, original=rolled(original),
                         limit=limit)  # fmt: skip
                return True
    return False


def _drawn(ctx: Context, failing: tuple[str, ...], chosen: Sequence[str]) -> tuple[str, ...]:
    """Machine guns that break down: of several, those picked at random, none while the reader has not said.

    **Rule:** 4.1.
    """
    if len(failing) < 2:
        return failing
    picked = tuple(name for name in failing if name in chosen)
    where = places(*(ctx.position.piece(name) for name in failing))
    ctx.step("4.1", "attack.jam_draw", where=where, pieces=list(failing))
    return picked


def keeps_rate(mode: str | None, rof: int, coloured: int, status: Any) -> bool:
    """Whether a weapon may fire again: not in the AFPh, in Final Fire or when pinned.

    **Rule:** 1.2.4.1.
    """
    return mode in ("prep", "first", "defensive") and coloured <= rof and "pinned" not in status


@GAME.question(
    "rof",
    rules=("1.2.4.1",),
    label="Quelles chances d’un second tir ?",
    theme="Canons et armes",
)
def rof(ctx: Context, rate: Annotated[int, "ROF"]) -> dict[str, Fraction]:
    """Chance of a second shot, and mean number of shots.

    Args:
        rate: rate of fire, 0 to 5.

    Returns:
        ``again`` and ``mean``.

    **Rule:** 1.2.4.1.

    >>> from tutor.games.asl_sk import GAME
    >>> GAME.load().rules["rof"](GAME.position("ecole"), rate=3).value == {"again": Fraction(1, 2), "mean": 2}
    True
    """
    if not 0 <= rate <= 5:
        raise RequestError(f"Une ROF va de 0 à 5, pas {rate}.", remedy="rate: 3")
    again = Fraction(rate, 6)
    mean = 1 / (1 - again)
    ctx.step("1.2.4.1", "chart.rof", value=again, rate=rate, mean=mean)
    return {"again": again, "mean": mean}


@GAME.question(
    "breakdown",
    rules=("4.1", "3.3.3-SFF"),
    label="Quelles chances de s’enrayer ?",
    theme="Canons et armes",
)
def breakdown(
    ctx: Context, number: Annotated[int, "Seuil de panne"] = 12, sustained: Annotated[bool, "Tir soutenu"] = False
) -> dict[str, Fraction]:
    """Chance that a machine gun breaks down.

    Args:
        number: B#, 2 to 12.
        sustained: Subsequent First Fire or Final Fire with a First Fire marker.

    Returns:
        ``jammed`` (lost included) and ``lost``.

    **Rule:** 4.1, 3.3.3-SFF.

    >>> from tutor.games.asl_sk import GAME
    >>> answer = GAME.load().rules["breakdown"](GAME.position("ecole"), sustained=True).value
    >>> str(answer["jammed"]), str(answer["lost"])
    ('1/6', '1/36')
    """
    if not 2 <= number <= 12:
        raise RequestError(f"Un B# va de 2 à 12, pas {number}.", remedy="number: 12")
    limit = number + (int(ctx.table("limits").get("sustained", "breakdown")) if sustained else 0)
    jammed = chance(whole, lambda pair: total(pair) >= limit)
    lost = chance(whole, lambda pair: sustained and total(pair) >= number)
    ctx.step("4.1", "chart.breakdown", value=jammed, limit=limit, lost=lost)
    return {"jammed": jammed, "lost": lost}
