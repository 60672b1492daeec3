"""Every fault of a well-formed but impossible position of ASL Starter Kit, as French sentences.

**Rule:** 1.1, 1.2, 1.2.5, 3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from tutor.core.faults import common_faults
from tutor.core.grid import HexGrid
from tutor.core.position import Position
from tutor.games.asl_sk.game import GAME
from tutor.games.asl_sk.units import MMC, printed

KINDS = frozenset(
    {"squad", "half_squad", "crew", "leader", "mg", "flamethrower", "demolition_charge", "atr", "gun", "afv", "wreck"}
)
CARRIED = frozenset({"mg", "flamethrower", "demolition_charge", "atr"})
STATUSES = frozenset(
    [
        "broken",
        "dm",
        "pinned",
        "cx",
        "wounded",
        "prep_fire",
        "first_fire",
        "final_fire",
        "moved",
        "moving",
        "assault_move",
        "motion",
        "inexperienced",
        "elite",
        "assault_fire",
        "boxed_morale",
        "fixed_quality",
        "emplaced",
        "crew_exposed",
        "hidden",
        "hazardous",
        "by_road",
        "directed",
        "malfunction",
        "captured",
        "rate_kept",
        "melee",
        "underlined",
    ]
)
#: Values without which a piece cannot be used.
NEEDED = {
    "squad": ("fp", "range", "morale"),
    "half_squad": ("fp", "range", "morale"),
    "crew": ("fp", "range", "morale"),
    "leader": ("morale", "leadership"),
    "mg": ("fp", "range"),
}
PHASES = ("RPh", "PFPh", "MPh", "DFPh", "AFPh", "RtPh", "APh", "CCPh")


def problems(position: Position) -> list[str]:
    """Every fault of a position; empty when it can be played.

    >>> p = GAME.load().position("ecole")
    >>> problems(p), problems(p.change({"terrain.Z9": "woods"}))
    ([], ['Terrain : Z9 n’est pas sur le plateau.'])
    """
    if not isinstance(position.grid, HexGrid) or not position.grid.cells:
        return ["Le plateau : ses colonnes ou ses rangées sont à l’envers, ou il n’est pas en hexs."]
    return [*common_faults(position, GAME.tables), *_ground(position), *_state(position), *_pieces(position)]


def _ground(position: Position) -> Iterator[str]:
    yield from (f"Niveaux : {n} n’existe pas ici, de 0 à 4." for n in position.levels if not 0 <= n <= 4)
    yield from (f"Voies : « {way} » est inconnu ; il n’y a que road." for way in position.ways if way != "road")
    for side in (side for sides in position.sides.values() for side in sides):
        yield f"Côtés : {side} : ce livret ne connaît ni murs ni haies."
    yield from (f"Dessins : le niveau {s.level} n’en prend pas ici." for s in position.silhouettes if s.level)
    table = GAME.tables["markers"]
    for kind, values in position.markers.items():
        least, most = table.get(kind, "least"), table.get(kind, "most")
        for cell, value in values.items() if table.has(kind) else ():
            if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
                yield f"Marqueurs : {table.term(kind)} en {cell} vaut {value} ; il faut de {least} à {most}."


def _state(position: Position) -> Iterator[str]:
    month, phase = position.state.get("month", 7), position.state.get("phase", "PFPh")
    if not isinstance(month, int) or not 1 <= month <= 12:
        yield f"Mois : {month} n’existe pas, de 1 à 12."
    if phase not in PHASES:
        yield f"Phase : « {phase} » est inconnue ; choisissez parmi {', '.join(PHASES)}."


def _pieces(position: Position) -> Iterator[str]:
    units = GAME.tables["units"]
    for piece in position.pieces:
        name = piece.name or piece.id
        if piece.kind not in KINDS:
            yield f"{name} : « {piece.kind} » est un genre inconnu ; choisissez parmi {', '.join(sorted(KINDS))}."
        if piece.counter and not units.has(piece.counter):
            yield f"{name} : le pion « {piece.counter} » est inconnu ; donnez ses chiffres dans « front »."
        for value in NEEDED.get(piece.kind, ()):
            if value not in piece.front and not (piece.counter and units.has(piece.counter, value)):
                yield f"{name} : il manque « {value} » ; donnez front: {{{value}: …}} ou un pion connu."
        fp = printed(piece, "fp")
        if piece.kind in MMC and isinstance(fp, int) and fp < 1:
            yield f"{name} : la FP d’un MMC vaut au moins 1, pas {fp}."
        yield from (
            f"{name} : l’état « {s} » est inconnu ; choisissez parmi {', '.join(sorted(STATUSES))}."
            for s in piece.status
            if s not in STATUSES
        )
        carrier = position.by_id.get(piece.carrier) if piece.carrier else None
        if carrier and (carrier.carrier or carrier.kind not in KINDS - CARRIED):
            yield f"{name} : son porteur « {piece.carrier} » n’est pas une unité présente."
        if position.hex_of(piece.id) is None:
            yield f"{name} n’est pas sur le plateau."
        if {"broken", "pinned"} <= set(piece.status):
            yield f"{name} ne peut pas être Broken et Pin à la fois (3.3.3)."


GAME.problems = problems
