"""What a unit and its commander bring: card values, stress status (the morale of this game), skills, attack modifier.

**Rule:** 3.14, 3.16, 7.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from tutor.core.arguments import PieceId
from tutor.core.context import Context
from tutor.core.errors import RequestError, UnknownValue
from tutor.core.position import Piece
from tutor.core.trace import Place
from tutor.games.sherman_leader.arguments import Tactic
from tutor.games.sherman_leader.game import GAME

#: Whose Tactic counter is spent, and the rule that lets it.
_TACTICS = {"own": "3.16.10.8", "lent": "3.16.10.9"}
SKILLS = ("medic", "aggressive", "mechanic", "overdrive", "cautious", "spotter", "marksman", "close_combat")


@dataclass(frozen=True, slots=True)
class Command:
    """What a unit's commander is worth now.

    Args:
        status: okay, shaken, unfit, killed, or absent without a commander.
        stress: his stress.
        fast: whether the unit acts before the enemy.
        modifier: what each attack die gets at the range asked for.
        skills: special notes he may use.
    """

    status: str
    stress: int
    fast: bool
    modifier: int
    skills: tuple[str, ...]


def value_of(ctx: Context, piece: Piece, key: str, rule: str, otherwise: int | None = None) -> int:
    """A value of a piece: its own, else its card's.

    Raises:
        UnknownValue: neither the position nor the booklet gives it.
    """
    if key in piece.front:
        return piece.front[key]
    table = GAME.tables["units"]
    row = piece.counter or piece.id
    if table.has(row, key):
        if otherwise is not None:
            return int(ctx.table("units").peek(row, key, otherwise))
        return int(ctx.table("units").get(row, key, where=[Place("piece", piece.id)]))
    if otherwise is not None:
        return otherwise
    raise UnknownValue("units", f"{row}.{key}", rule)


def unit_of(ctx: Context, unit: str, side: str) -> Piece:
    """A unit of a side by id.

    Raises:
        RequestError: it is a commander, off the board, or of the other side. PositionError: there is none.
    """
    piece = ctx.position.piece(unit)
    if piece.side != side or not GAME.tables["classes"].has(piece.kind):
        whose = "une unité américaine" if side == "us" else "une unité ennemie"
        raise RequestError(f"« {piece.name or unit} » n’est pas {whose}.", remedy="Choisissez un autre pion.")
    place(ctx, piece)
    return piece


def place(ctx: Context, piece: Piece) -> str:
    """Hex of a unit.

    Raises:
        RequestError: it is nowhere on the board.
    """
    if piece.at is None or piece.at not in ctx.position.grid:
        raise RequestError(f"« {piece.name or piece.id} » n’est pas sur le plateau.", remedy="Placez ce pion.")
    return piece.at


def active(ctx: Context, side: str) -> list[Piece]:
    """Units of a side on the board that are not destroyed, in file order."""
    return [
        p
        for p in ctx.position.pieces
        if p.side == side
        and GAME.tables["classes"].has(p.kind)
        and p.at in ctx.position.grid
        and "destroyed" not in p.status
    ]


def commander_of(ctx: Context, unit: Piece) -> Piece | None:
    """The commander of a unit, or None."""
    return next((p for p in ctx.position.pieces if p.kind == "commander" and p.carrier == unit.id), None)


def vehicle(piece: Piece) -> bool:
    """Whether a unit is a vehicle for damage and impassable hexes."""
    return bool(GAME.tables["classes"].get(piece.kind, "vehicle", False))


def stress_status(ctx: Context, chief: Piece, asked: bool = False) -> str:
    """Okay, shaken or unfit, by the stress of a commander; ``asked``: this is what one wants to know."""
    stress = chief.front.get("stress", 0)
    limits = []
    for key in ("okay_max", "shaken_max"):
        if key in chief.front:
            limits.append(chief.front[key])
        else:
            limits.append(int(ctx.table("commanders").get("card", key)))
    status = "okay" if stress <= limits[0] else "shaken" if stress <= limits[1] else "unfit"
    code, value = ("command.status", status) if asked or status != "okay" else ("command.status_spared", 0)
    ctx.step("3.16.6", code, value=value, piece=chief.id, stress=stress, okay=limits[0], shaken=limits[1])
    return status


def _limit(chief: Piece, key: str) -> int:
    """The most stress of a status, as his card gives it."""
    return int(chief.front.get(key, GAME.tables["commanders"].get("card", key)))


def _lacking(chief: Piece, key: str) -> UnknownValue | None:
    """What neither his card nor the table gives of a commander, if so."""
    row = chief.counter or chief.id
    given = key in chief.front or GAME.tables["commanders"].get(row, key) is not None
    return None if given else UnknownValue("commanders", f"{row}.{key}", "3.16.9")


def _card(ctx: Context, chief: Piece, key: str) -> int:
    if key in chief.front:
        return chief.front[key]
    return int(ctx.table("commanders").get(chief.counter or chief.id, key, where=[Place("piece", chief.id)]))


def command(
    ctx: Context, unit: Piece, away: int, unknown: list[UnknownValue] | None = None, asked: bool = False
) -> Command:
    """What the commander of a unit is worth at a range; an unknown modifier is raised, or joins ``unknown``."""
    chief = commander_of(ctx, unit)
    if chief is None:
        ctx.step("3.15", "command.none", actor=unit.id, value=0)
        return Command("absent", 0, True, 0, ())
    stress = chief.front.get("stress", 0)
    numbers = ctx.table("numbers")
    if "killed" in chief.status:
        row = "killed_vehicle" if vehicle(unit) else "killed_infantry"
        return Command("killed", stress, False, int(numbers.get(row, "value")), ())
    status = stress_status(ctx, chief, asked) if ctx.on("3.16.7") else "okay"
    if status == "unfit":
        shaken = _limit(chief, "shaken_max")
        with ctx.group("3.16.7", "command.unfit_dice", piece=chief.id, stress=stress, shaken=shaken) as step:
            step.value = int(numbers.get("unfit_dice", "value"))
        return Command("unfit", stress, False, int(step.value), ())
    if status == "shaken":
        okay, shaken = _limit(chief, "okay_max"), _limit(chief, "shaken_max")
        ctx.step("3.16.7", "command.shaken", piece=chief.id, value=status, stress=stress, okay=okay, shaken=shaken)
    key = ("shaken_" if status == "shaken" else "") + ("r0" if away == 0 else "r1")
    modifier = 0
    if ctx.on("3.16.9"):
        if (missing := _lacking(chief, key)) is None:
            with ctx.group("3.16.9", "command.modifier", piece=chief.id, status=status, range=away) as step:
                step.value = modifier = _card(ctx, chief, key)
            step.kind = "rule" if step.children else "compute"
        elif unknown is None:
            raise missing
        else:
            unknown.append(missing)
    return Command(status, stress, "slow" not in chief.status, modifier, _noted(chief))


def _noted(chief: Piece) -> tuple[str, ...]:
    return tuple(skill for skill in SKILLS if skill in chief.status)


def skills_of(ctx: Context, unit: Piece) -> tuple[str, ...]:
    """Special notes that the commander of a unit may use now; nothing is said of what he adds to dice.

    **Rule:** 3.16.7, 3.16.10.
    """
    chief = commander_of(ctx, unit)
    if chief is None or "killed" in chief.status:
        return ()
    if ctx.on("3.16.7") and stress_status(ctx, chief) == "unfit":
        ctx.step("3.16.7", "command.unfit", piece=chief.id)
        return ()
    return _noted(chief)


@GAME.question(
    "commander",
    rules=("3.16.7", "3.16.6", "3.16.8", "3.16.9"),
    label="Dans quel état est son commandant ?",
    theme="Équipages et campagne",
)
def commander(
    ctx: Context, unit: PieceId, away: Annotated[int, "Distance"] = 1, tactic: Tactic | None = None
) -> Command:
    """Status of a unit's commander, and what each attack die gets from him.

    Args:
        unit: id of one of your units.
        away: range, 0 or more.
        tactic: whose counter is spent for the unit this turn; None: nobody's.

    Returns:
        The command.

    **Rule:** 3.16.6-3.16.10, 3.16.10.8, 3.16.10.9, 6.16.2, 6.17.3.

    >>> GAME.load().rules["commander"](GAME.position("tour-1"), unit="u921", away=0).value.modifier
    -1
    """
    if away < 0:
        raise RequestError("Une portée est un nombre de 0 à 5.", remedy="Donnez 0 pour le même hexagone.")
    worth = command(ctx, unit_of(ctx, unit, "us"), away, asked=tactic is None)
    speed, turn = ("fast", "before_enemy") if worth.fast else ("slow", "after_enemy")
    ctx.step("3.16.8", "command.speed", value=worth.fast, actor=unit, step=speed, turn=turn)
    ctx.step("3.16.7", "command.worth", value=worth.modifier, actor=unit, status=worth.status, step=speed, turn=turn)
    if tactic:
        rule, other = _TACTICS[tactic], "after_enemy" if worth.fast else "before_enemy"
        ctx.step(rule, f"command.tactic_{tactic}", actor=unit, turn=turn, other=other)
    return worth


@GAME.question(
    "rest",
    rules=("8.2", "8.5", "4.3"),
    label="Quel stress après la permission ?",
    theme="Équipages et campagne",
)
def rest(
    ctx: Context,
    unit: PieceId,
    leave: Annotated[bool, "Aucune bataille cette semaine"] = True,
    priority: Annotated[bool, "Repos payé"] = False,
) -> int:
    """Stress of a commander once the week is over.

    Args:
        unit: id of the unit he commands.
        leave: he fought no battle of the week.
        priority: you pay for R&R.

    Returns:
        His stress, 0 or more; his Cool does not count.

    **Rule:** 4.3, 8.2, 8.5.

    >>> eandi = GAME.position("tour-1").change({"piece.eandi.front.stress": 10})
    >>> GAME.load().rules["rest"](eandi, unit="u042").value
    6
    """
    chief = commander_of(ctx, unit_of(ctx, unit, "us"))
    if chief is None or "killed" in chief.status:
        ctx.refuse("8.2", "stress.nobody", actor=unit)
        return 0
    before = after = chief.front.get("stress", 0)
    for taken, row, rule in ((leave, "leave", "8.2"), (priority, "priority", "8.5")):
        if taken:
            after = max(0, after + int(ctx.table("numbers").get(row, "value")))
            ctx.step(rule, f"stress.{row}", value=after, piece=chief.id)
    if not leave:
        ctx.step("4.3", "stress.fought", piece=chief.id)
    ctx.step("8.2", "stress.week", value=after, piece=chief.id, before=before)
    stress_status(ctx, chief.model_copy(update={"front": {**chief.front, "stress": after}}), asked=True)
    return after


@GAME.question(
    "stress_after",
    rules=("7.5", "3.16.5"),
    label="Quel stress après la bataille ?",
    theme="Équipages et campagne",
)
def stress_after(
    ctx: Context,
    unit: PieceId,
    battle: Annotated[int, "Stress de la bataille"] = 0,
    relief: Annotated[int, "Repos"] = 0,
) -> int:
    """Stress of a commander once the battle is over.

    Args:
        unit: id of one of your units.
        battle: stress taken in the battle.
        relief: what an event takes off it.

    Returns:
        His stress, 0 or more (less by the reading ``stress_floor``).

    **Rule:** 7.5, 3.16.5.

    >>> GAME.load().rules["stress_after"](GAME.position("tour-1"), unit="u042", battle=2, relief=1).value
    2
    """
    if battle < 0 or relief < 0:
        raise RequestError("Un stress se compte de 0 en montant.", remedy="Donnez des nombres positifs.")
    chief = commander_of(ctx, unit_of(ctx, unit, "us"))
    if chief is None or "killed" in chief.status:
        ctx.refuse("7.5", "stress.nobody", actor=unit)
        return 0
    if "cool" not in chief.front:
        raise UnknownValue("commanders", f"{chief.counter or chief.id}.cool", "3.16.5")
    part = int(ctx.table("numbers").get("participation", "count")) if ctx.on("7.5") else 0
    before, cool = chief.front.get("stress", 0), chief.front["cool"] if ctx.on("3.16.5") else 0
    if cool:
        ctx.step("3.16.5", "stress.cool", value=cool, piece=chief.id)
    eased = min(relief, before + battle)
    if eased:
        ctx.step("7.1", "stress.eased", value=eased, piece=chief.id)
    taken = max(0, battle - eased)
    before -= eased - (battle - taken)
    left = before + taken + part - cool
    below = ctx.setting("stress_floor") == "below"
    after = left if below else max(0, left)
    ctx.step(
        "7.5",
        "stress.sum" if left >= 0 else "stress.below" if below else "stress.floor",
        note="interprétation" if left < 0 else None,
        value=after,
        piece=chief.id,
        before=before,
        battle=taken,
        part=part,
        cool=cool,
    )
    stress_status(ctx, chief.model_copy(update={"front": {**chief.front, "stress": after}}), asked=True)
    return after
