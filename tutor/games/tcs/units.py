"""Units of Tactical Combat Series: what a counter is, where it is, in what state, and what it is worth.

A piece's ``front`` holds attack, range, morale, defense, steps (full), lost; ``status`` holds move, dug_in, fired,
suppressed, paralyzed, unassigned, pfa, moved, late (not in Fire mode since the phase began), towed, riding; integrated
or integrated_armoured (its own trucks or half-tracks), afoot (leaves them for this phase); ``carrier`` is what carries
it.

**Rule:** 3.1, 3.2, 4.1, 10.0a, 11.2, 24.2a-24.2c.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from tutor.core.context import Context
from tutor.core.errors import PositionError, UnknownValue
from tutor.core.position import Piece, Position
from tutor.core.trace import Place
from tutor.games.tcs.game import GAME

#: What a unit may be marked with.
STATUSES = (
    "move",
    "dug_in",
    "fired",
    "suppressed",
    "paralyzed",
    "unassigned",
    "pfa",
    "moved",
    "late",
    "towed",
    "riding",
    "integrated",
    "integrated_armoured",
    "afoot",
)
#: What a unit counts as while it drives, with each kind of integrated transports (24.2b).
INTEGRATED = {"integrated": "B0", "integrated_armoured": "B1"}


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as the rules see it.

    Args:
        id, side, at, kind: of the piece.
        target: A, B0, B1 or P.
        firer: A or P.
        trajectory: low or high.
        steps: full.
        lost: steps lost.
        posture: move (also of whatever is carried, 24.1b), fire or dug_in (never of an unassigned unit, 6.3a).
        embarked: inside a transport.
        towed, riding: behind or on a carrier.
        vehicle: takes no morale check.
        driving: moves in its own integrated transports, and counts as them.
    """

    id: str
    side: str
    at: str
    kind: str
    target: str
    firer: str
    trajectory: str
    steps: int
    lost: int
    posture: str
    embarked: bool
    towed: bool
    riding: bool
    vehicle: bool
    driving: bool
    status: tuple[str, ...]
    piece: Piece

    @property
    def left(self) -> int:
        """Steps left."""
        return max(0, self.steps - self.lost)

    @property
    def carried(self) -> bool:
        """Whether something carries it: inside, on or behind."""
        return self.embarked or self.towed or self.riding


def place(u: Unit) -> tuple[Place, ...]:
    """Where a unit is, as a place of the trace."""
    return (Place("piece", u.id),)


def trace_driving(ctx: Context, u: Unit) -> None:
    """Add the step that says what a unit in its integrated transports counts as.

    **Rule:** 24.2a.
    """
    if u.driving:
        ctx.step("24.2a", "unit.driving", value=u.target, where=place(u), piece=u.id)


def _default(kind: str, column: str) -> object:
    return GAME.tables["kinds"].get(kind, column)


def unit(ctx: Context, piece_id: str) -> Unit:
    """A unit by its piece id.

    Raises:
        PositionError: no such piece, no such kind, or it is nowhere.
    """
    position = ctx.position
    piece = position.piece(piece_id)
    if not GAME.tables["kinds"].has(piece.kind):
        raise PositionError(
            f"Le pion « {piece.name or piece.id} » est d’un type inconnu, « {piece.kind} ».",
            remedy=f"Types : {', '.join(GAME.tables['kinds'].rows)}.",
        )
    at = position.hex_of(piece_id)
    if at is None or at not in position.grid:
        raise PositionError(f"Le pion « {piece.name or piece.id} » n’est sur aucun hexagone du plateau.")
    status = frozenset(piece.status)
    carried = piece.carrier is not None
    steps = piece.front.get("steps", _default(piece.kind, "steps"))
    dug_in = "dug_in" in status and "unassigned" not in status
    own = next((INTEGRATED[s] for s in INTEGRATED if s in status), None)
    driving = own is not None and "move" in status and "afoot" not in status and not carried
    posture = "move" if carried or "move" in status else "dug_in" if dug_in else "fire"
    return Unit(
        piece.id,
        piece.side,
        at,
        piece.kind,
        str(own if driving else _default(piece.kind, "target")),
        str(_default(piece.kind, "firer")),
        str(_default(piece.kind, "trajectory")),
        int(str(steps)),
        piece.front.get("lost", 0),
        posture,
        carried and not status & {"towed", "riding"},
        carried and "towed" in status,
        carried and "riding" in status,
        bool(_default(piece.kind, "vehicle")),
        driving,
        tuple(s for s in STATUSES if s in status),
        piece,
    )


def units_at(ctx: Context, cell: str, side: str | None = None) -> list[Unit]:
    """Units in a hex, carried ones included, in file order."""
    units = [unit(ctx, p.id) for p in ctx.position.pieces_at(cell, side)]
    return [u for u in units if u.left > 0]


def value(u: Unit, name: str, rule: str = "3.4") -> int:
    """A value printed on the counter: attack, range, morale or defense.

    Raises:
        UnknownValue: the position does not give it and its kind has no default.
    """
    number = u.piece.front.get(name, _default(u.kind, name))
    if type(number) is not int:
        raise UnknownValue("kinds", f"{u.piece.name or u.id} : {name}", rule)
    return number


def rounded(ctx: Context, value: Fraction) -> int:
    """Classical rounding; an exact half goes as the setting says (1.4 is silent).

    **Rule:** 1.4.
    """
    if ctx.setting("half") == "down":
        return -round_half_up(-value.numerator, value.denominator)
    return round_half_up(value.numerator, value.denominator)


def round_half_up(numerator: int, denominator: int) -> int:
    """Classical rounding; an exact half goes up (our reading, 1.4 is silent).

    >>> round_half_up(5, 2), round_half_up(7, 3), round_half_up(8, 3)
    (3, 2, 3)
    """
    return (2 * numerator + denominator) // (2 * denominator)


def state_problems(position: Position) -> Iterator[str]:
    """Markers that no unit in Move mode can bear, as French sentences.

    A unit that is embarked or towed keeps them; so does, once it has fled, what drives and was marked Fired.

    **Rule:** 4.1c, 17.0a, 17.3c, 17.4, 17.5c.
    """
    for piece in position.pieces:
        status, name = set(piece.status), piece.name or piece.id
        if "move" not in status or not GAME.tables["kinds"].has(piece.kind):
            continue
        drives = bool(_default(piece.kind, "vehicle")) or bool(INTEGRATED.keys() & status)
        if "fired" in status and not drives and piece.carrier is None:
            yield (
                f"Pions : {name} est Fired et en mode Mouvement ; marquée Fired, une unité ne change de mode que pour "
                "fuir, puis revient en mode Tir (4.1c)."
            )
        if piece.carrier is not None and "riding" not in status:
            continue
        for state, rule in (("suppressed", "17.3c"), ("paralyzed", "17.5c")):
            if state in status and _default(piece.kind, "vehicle"):
                yield f"Pions : {name} ne peut pas être {state.capitalize()}, c’est un véhicule ou un transport (17.0a)."
            elif state in status:
                yield (
                    f"Pions : {name} est {state.capitalize()} et en mode Mouvement ; une unité qui le devient passe "
                    f"aussitôt en mode Tir ({rule})."
                )
