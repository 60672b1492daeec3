"""What the mini-scenarios of Combat Commander order, over the rule functions and their odds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from tutor.core.phrases import NBSP, listing
from tutor.core.play import Arguments, Declaration, Fate, Fates, Order, Roller
from tutor.core.position import Piece, Position
from tutor.core.registry import ask
from tutor.games.combat_commander.units import is_unit

_STATES = ("suppressed", "broken", "eliminated")


class _Known:
    """What has been worked out of the last situation asked about: the same odds serve many declarations."""

    def __init__(self) -> None:
        self._position: Position | None = None
        self._values: dict[Any, Any] = {}

    def get(self, position: Position, key: Any, compute: Callable[[], Any]) -> Any:
        """A value of a situation, computed once."""
        if position is not self._position:
            self._position, self._values = position, {}
        if key not in self._values:
            self._values[key] = compute()
        return self._values[key]


def state_of(piece: Piece) -> str:
    """The state of a unit: ``broken`` counts before ``suppressed``."""
    return next((state for state in ("eliminated", "broken", "suppressed") if state in piece.status), "standing")


def _units(position: Position, side: str) -> list[Piece]:
    return [p for p in position.pieces if p.side == side and is_unit(p) and p.at and "eliminated" not in p.status]


def _enemies(position: Position, side: str) -> list[Piece]:
    return [p for p in position.pieces if p.side != side and is_unit(p) and p.at and "eliminated" not in p.status]


def _after(unit: Piece, odds: Any, cell: str | None) -> dict[Fate, Fraction]:
    """Fates of a unit that a fire met, from its odds; what changes nothing leaves it in its state."""
    fates = {(state, cell): getattr(odds, state) for state in _STATES if getattr(odds, state)}
    same = (state_of(unit), cell)
    return fates | {same: fates.get(same, Fraction(0)) + odds.nothing}


def percent(chance: Fraction) -> str:
    """A probability in whole percents; never 0 or 100 of what may happen, or may not.

    >>> percent(Fraction(1, 3)), percent(Fraction(1, 1000))
    ('33\\xa0%', 'moins de 1\\xa0%')
    """
    rounded = round(chance * 100)
    if chance and not rounded:
        return f"moins de 1{NBSP}%"
    return f"{99 if chance < 1 and rounded == 100 else rounded}{NBSP}%"


def _fire_chances(position: Position, pieces: Iterable[tuple[str, Any]]) -> str:
    parts = []
    for name, odds in pieces:
        unit = position.piece(name)
        hurt, word = (odds.eliminated, "d’éliminer") if state_of(unit) == "broken" else (odds.broken, "de démoraliser")
        parts.append(f"{percent(hurt)} {word} {unit.name or unit.id}")
    return listing(parts)


class Shooting:
    """« Tirer »: one unit or one weapon fires at a hex. **Rule:** O20."""

    label, where, several = "Tirer", "Sur quel hex ?".replace(" ?", "\u202f?"), False

    def __init__(self) -> None:
        self._known = _Known()

    def doers(self, position: Position, side: str) -> tuple[str, ...]:
        """Units of the side, each followed by its weapons."""
        return tuple(
            name
            for unit in _units(position, side)
            for name in (unit.id, *(p.id for p in position.pieces if p.carrier == unit.id and p.kind != "radio"))
        )

    def places(self, position: Position, doer: str, chosen: tuple[str, ...]) -> tuple[str, ...]:
        """Hexes with enemies."""
        if chosen:
            return ()
        return tuple(dict.fromkeys(str(p.at) for p in _enemies(position, position.piece(doer).side)))

    def options(self, position: Position, side: str) -> Iterator[Declaration]:
        """Every piece at every hex with enemies."""
        for doer in self.doers(position, side):
            for cell in self.places(position, doer, ()):
                yield Declaration("fire", doer, (cell,))

    def question(self, position: Position, declared: Declaration) -> tuple[str, Arguments]:
        """A fire."""
        return "attack", {"firers": [declared.doer], "target": declared.places[0]}

    def rolled(self, position: Position, declared: Declaration, roll: Roller) -> tuple[str, Arguments]:
        """The fire roll, then that of each unit that defends. **Rule:** O20.3.3, O20.3.4."""
        question, given = self.question(position, declared)
        side = position.piece(declared.doer).side
        fire = list(roll())
        targets = [p.id for p in _enemies(position, side) if p.at == declared.places[0]]
        return question, {**given, "roll": fire, "defence": {name: list(roll()) for name in targets}}

    def _odds(self, position: Position, declared: Declaration) -> Any:
        given = self.question(position, declared)[1]
        return self._known.get(position, declared, lambda: ask(position, "fire_odds", **given).value)

    def fates(self, position: Position, declared: Declaration) -> Fates:
        """Those of the units fired at. **Rule:** O20.3.4, 13.2, 3.2.4."""
        odds = self._odds(position, declared).pieces
        return {name: _after(position.piece(name), one, declared.places[0]) for name, one in odds.items()}

    def said(self, position: Position, declared: Declaration) -> str:
        """Who, and where."""
        cell = declared.places[0]
        targets = [p.name or p.id for p in _enemies(position, position.piece(declared.doer).side) if p.at == cell]
        return f"{position.names[declared.doer]} sur {cell} ({listing(targets)})"

    def chances(self, position: Position, declared: Declaration) -> str:
        """Of breaking each unit, or of eliminating those already broken."""
        return _fire_chances(position, self._odds(position, declared).pieces.items())

    def because(self, position: Position, chosen: Declaration, best: Declaration) -> str:
        """The greatest of four differences: printed firepower, hindrance, cover, morale. **Rule:** O20.3.3."""
        terms = [self._terms(position, one) for one in (chosen, best)]
        gaps = {name: terms[1][name] - terms[0][name] for name in terms[0]}
        name = max(gaps, key=lambda key: gaps[key])
        if gaps[name] <= 0:
            return ""
        mine, other = abs(terms[0][name]), abs(terms[1][name])
        return _WHY[name].format(mine=mine, other=other, cell=chosen.places[0], better=best.places[0], n=gaps[name])

    def sequel(self, position: Position, declared: Declaration, roll: Roller) -> None:
        """Nothing follows."""

    def _terms(self, position: Position, declared: Declaration) -> dict[str, int]:
        fire = ask(position, "fire", **self.question(position, declared)[1]).value
        cell = declared.places[0]
        side = position.piece(declared.doer).side
        at = position.hex_of(declared.doer)
        shelter = ask(position, "cover", cell=cell, against="fire", firing_from=[at])
        covered = int(shelter.value.value) if shelter.computed else 0
        targets = [p.id for p in _enemies(position, side) if p.at == cell]
        morale = min(self._odds(position, declared).morale[name] for name in targets) - covered
        return {"fp": fire.base_fp, "hindrance": -fire.hindrance, "cover": -covered, "morale": -morale}


#: Of each difference, the sentence that says it.
_WHY = {
    "fp": "La différence : {mine} PF au départ du tir, {other} pour l’autre [[O20.3]].",
    "hindrance": "La différence : une gêne retire {mine} PF à votre tir, {other} à l’autre [[10.3.2]].",
    "cover": "La différence : le couvert de {cell} ajoute {mine} au moral, celui de {better} {other} [[T78.3]].",
    "morale": "La différence : un moral de {mine} avant couvert en {cell}, de {other} en {better} [[O20.3.4]].",
}


class Walking:
    """« Bouger »: one unit, hex after hex.

    Args:
        watched: the enemy may answer with one Op Fire, where it has the best chance (A33).
    """

    label, where, several = "Bouger", "Par quels hexs ?".replace(" ?", "\u202f?"), True

    def __init__(self, watched: bool) -> None:
        self.watched = watched
        self._known = _Known()

    @property
    def kind(self) -> str:
        """Name of this kind of order."""
        return "move" if self.watched else "walk"

    def doers(self, position: Position, side: str) -> tuple[str, ...]:
        """Units of the side."""
        return tuple(p.id for p in _units(position, side))

    def places(self, position: Position, doer: str, chosen: tuple[str, ...]) -> tuple[str, ...]:
        """The neighbours of the last hex."""
        start = position.hex_of(doer)
        last = chosen[-1] if chosen else start
        return tuple(c for c in position.grid.neighbours(str(last)) if c != start and c not in chosen)

    def options(self, position: Position, side: str) -> Iterator[Declaration]:
        """Every path that the rules allow, up to three hexs, that never comes back to where it was adjacent."""
        for doer in self.doers(position, side):
            yield from self._paths(position, doer, ())

    def _paths(self, position: Position, doer: str, path: tuple[str, ...]) -> Iterator[Declaration]:
        start = str(position.hex_of(doer))
        for cell in self.places(position, doer, path):
            if position.grid.distance(start, cell) != len(path) + 1:
                continue
            declared = Declaration(self.kind, doer, (*path, cell))
            question, given = self.question(position, declared)
            if not ask(position, question, **given).computed:
                continue
            yield declared
            if len(path) < 2:
                yield from self._paths(position, doer, (*path, cell))

    def question(self, position: Position, declared: Declaration) -> tuple[str, Arguments]:
        """A movement."""
        return "move", {"pieces": [declared.doer], "path": list(declared.places)}

    def answer(self, position: Position, declared: Declaration) -> tuple[str, str, Any] | None:
        """The Op Fire that has the best chance on the way: hex entered, firer, odds; None without any.

        **Rule:** A33.1, A33.2, A33.3.
        """
        best: tuple[str, str, Any] | None = None
        for cell in declared.places:
            compute = partial(_worst, position, declared.doer, cell)
            worst = self._known.get(position, (declared.doer, cell), compute)
            if worst and (best is None or _hurt(worst[1], declared.doer) > _hurt(best[2], declared.doer)):
                best = (cell, *worst)
        return best

    def rolled(self, position: Position, declared: Declaration, roll: Roller) -> tuple[str, Arguments]:
        """The Op Fire met, and its dice; who is stopped by it goes no further."""
        question, given = self.question(position, declared)
        met = self.answer(position, declared) if self.watched else None
        if met is None:
            return question, given
        cell, firer, odds = met
        rolls = {"roll": list(roll()), "defence": {name: list(roll()) for name in odds.pieces}}
        given["shots"] = [{"at": cell, "firers": [firer], **rolls}]
        met_at = declared.places.index(cell) + 1
        for length in range(len(declared.places), met_at, -1):
            walked = {**given, "path": list(declared.places[:length])}
            if ask(position, question, **walked).computed:
                return question, walked
        return question, {**given, "path": list(declared.places[:met_at])}

    def _end(self, position: Position, declared: Declaration, cell: str, state: str) -> str:
        """Where a unit whose state becomes another in a hex of its path ends. **Rule:** O21.2, 3.2.1, 13.2."""
        if state == state_of(position.piece(declared.doer)):
            return declared.places[-1]
        place = declared.places.index(cell)
        if state == "broken":
            return cell
        question, given = self.question(position, declared)
        spent = ask(position, question, **given).value.entries[place].spent
        unit = f"piece.{declared.doer}"
        there = position.change({f"{unit}.at": cell, f"{unit}.status.{state}": True})
        for length in range(len(declared.places), place + 1, -1):
            rest = list(declared.places[place + 1 : length])
            if ask(there, question, pieces=[declared.doer], path=rest, spent=spent).computed:
                return declared.places[length - 1]
        return cell

    def fates(self, position: Position, declared: Declaration) -> Fates:
        """There in its state, or stopped where the Op Fire met it; those who stood there, too.

        **Rule:** A33, O20.3.4.
        """
        unit, end = position.piece(declared.doer), declared.places[-1]
        met = self.answer(position, declared) if self.watched else None
        if met is None:
            return {unit.id: {(state_of(unit), end): Fraction(1)}}
        cell, _, odds = met
        fates: dict[str, Mapping[Fate, Fraction]] = {
            name: _after(position.piece(name), one, position.hex_of(name)) for name, one in odds.pieces.items()
        }
        fates[unit.id] = {
            (state, None if state == "eliminated" else self._end(position, declared, cell, state)): chance
            for (state, _), chance in _after(unit, odds.pieces[unit.id], None).items()
        }
        return fates

    def said(self, position: Position, declared: Declaration) -> str:
        """Who, and by where."""
        return f"{position.names[declared.doer]} par {', '.join(declared.places)}"

    def chances(self, position: Position, declared: Declaration) -> str:
        """Of arriving."""
        met = self.answer(position, declared) if self.watched else None
        if met is None:
            return "aucun tir possible en chemin" if self.watched else "rien ne s’y oppose"
        return f"{percent(1 - _hurt(met[2], declared.doer))} de passer {met[0]} sous le feu de {position.names[met[1]]}"

    def because(self, position: Position, chosen: Declaration, best: Declaration) -> str:
        """The worst hex of each path. **Rule:** A33, T78.3."""
        mine, other = self.answer(position, chosen), self.answer(position, best)
        if not self.watched or mine is None:
            return "La différence : le chemin que vous laissez mène plus loin." if chosen.doer == best.doer else ""
        if other is None:
            return f"La différence : en {mine[0]}, {position.names[mine[1]]} vous voit ; sur l’autre chemin, personne [[A33]]."
        return (
            f"La différence : {percent(_hurt(mine[2], chosen.doer))} d’être démoralisé en {mine[0]}, "
            f"{percent(_hurt(other[2], best.doer))} en {other[0]} [[A33]]."
        )

    def sequel(self, position: Position, declared: Declaration, roll: Roller) -> None:
        """Nothing follows."""


def _worst(position: Position, mover: str, cell: str) -> tuple[str, Any] | None:
    """Who of the enemy has the best Op Fire at a unit that enters a hex, and its odds; None when nobody may.

    **Rule:** A33.1, A33.2, A33.3.
    """
    there = position.change({f"piece.{mover}.at": cell, f"piece.{mover}.activated": "move"})
    best: tuple[str, Any] | None = None
    for enemy in _enemies(position, position.piece(mover).side):
        for name in (enemy.id, *(p.id for p in position.pieces if p.carrier == enemy.id and p.kind == "mg")):
            if not ask(there, "op_fire", firers=[name], target=cell, entered=cell).computed:
                continue
            odds = ask(there, "fire_odds", firers=[name], target=cell, mode="op_fire")
            if odds.computed and (best is None or _hurt(odds.value, mover) > _hurt(best[1], mover)):
                best = (name, odds.value)
    return best


def _hurt(odds: Any, unit: str) -> Fraction:
    one = odds.pieces[unit]
    return Fraction(one.broken + one.eliminated)


class Recovering:
    """« Récupérer »: the whole side puts itself in order. **Rule:** O22."""

    label, where, several = "Récupérer", "", False

    def doers(self, position: Position, side: str) -> tuple[str, ...]:
        """The side itself."""
        return (side,)

    def places(self, position: Position, doer: str, chosen: tuple[str, ...]) -> tuple[str, ...]:
        """None."""
        return ()

    def options(self, position: Position, side: str) -> Iterator[Declaration]:
        """Worth weighing when someone is broken or suppressed."""
        if any(state_of(unit) != "standing" for unit in _units(position, side)):
            yield Declaration("recover", side)

    def question(self, position: Position, declared: Declaration) -> tuple[str, Arguments]:
        """A Recover order."""
        return "recover", {"side": declared.doer}

    def _broken(self, position: Position, side: str) -> list[Piece]:
        return [unit for unit in _units(position, side) if "broken" in unit.status]

    def rolled(self, position: Position, declared: Declaration, roll: Roller) -> tuple[str, Arguments]:
        """A roll for each broken unit. **Rule:** O22.2."""
        rolls = {unit.id: list(roll()) for unit in self._broken(position, declared.doer)}
        return "recover", {"side": declared.doer, **({"rolls": rolls} if rolls else {})}

    def _odds(self, position: Position, unit: Piece) -> Fraction:
        return Fraction(ask(position, "recover_odds", piece=unit.id).value.results["rallied"])

    def fates(self, position: Position, declared: Declaration) -> Fates:
        """Suppression goes, those who rally stand. **Rule:** O22.2, O22.3."""
        fates: dict[str, dict[Fate, Fraction]] = {}
        for unit in _units(position, declared.doer):
            if state_of(unit) == "suppressed":
                fates[unit.id] = {("standing", unit.at): Fraction(1)}
        for unit in self._broken(position, declared.doer):
            rallied = self._odds(position, unit)
            fates[unit.id] = {("standing", unit.at): rallied, ("broken", unit.at): 1 - rallied}
        return fates

    def said(self, position: Position, declared: Declaration) -> str:
        """Who needs it."""
        names = [unit.name or unit.id for unit in _units(position, declared.doer) if state_of(unit) != "standing"]
        return listing(names) if names else "personne n’en a besoin"

    def chances(self, position: Position, declared: Declaration) -> str:
        """Of rallying each."""
        parts = [
            f"{percent(self._odds(position, unit))} de rallier {unit.name or unit.id}"
            for unit in self._broken(position, declared.doer)
        ]
        return listing(parts) if parts else "personne à rallier"

    def because(self, position: Position, chosen: Declaration, best: Declaration) -> str:
        """There is one way of recovering."""
        return ""

    def sequel(self, position: Position, declared: Declaration, roll: Roller) -> None:
        """Nothing follows."""


class Assaulting:
    """« Progresser »: one unit, one hex; where the enemy stands, the melee follows. **Rule:** O16."""

    label, where, several = "Progresser", "Dans quel hex ?".replace(" ?", "\u202f?"), False

    def doers(self, position: Position, side: str) -> tuple[str, ...]:
        """Units of the side."""
        return tuple(p.id for p in _units(position, side))

    def places(self, position: Position, doer: str, chosen: tuple[str, ...]) -> tuple[str, ...]:
        """The neighbours."""
        return () if chosen else position.grid.neighbours(str(position.hex_of(doer)))

    def options(self, position: Position, side: str) -> Iterator[Declaration]:
        """Every unit into every neighbour."""
        for doer in self.doers(position, side):
            for cell in self.places(position, doer, ()):
                yield Declaration("advance", doer, (cell,))

    def question(self, position: Position, declared: Declaration) -> tuple[str, Arguments]:
        """An advance."""
        return "advance", {"piece": declared.doer, "cell": declared.places[0]}

    def rolled(self, position: Position, declared: Declaration, roll: Roller) -> tuple[str, Arguments]:
        """No die of its own."""
        return self.question(position, declared)

    def sequel(self, position: Position, declared: Declaration, roll: Roller) -> tuple[str, Arguments] | None:
        """The melee where both sides stand now. **Rule:** O16.4."""
        cell, side = declared.places[0], position.piece(declared.doer).side
        if not any(p.at == cell for p in _enemies(position, side)):
            return None
        return "melee", {"cell": cell, "active": side, "axis": list(roll()), "allies": list(roll())}

    def _met(self, position: Position, declared: Declaration) -> tuple[Position, Mapping[str, Fraction]] | None:
        """The situation once the unit is in, and the chances of each side; None where nobody stands."""
        side, cell = position.piece(declared.doer).side, declared.places[0]
        if not any(p.at == cell for p in _enemies(position, side)):
            return None
        there = position.change({f"piece.{declared.doer}.at": cell})
        odds: Mapping[str, Fraction] = ask(there, "melee_odds", cell=cell).value.results
        return there, odds

    def fates(self, position: Position, declared: Declaration) -> Fates:
        """There, or in a melee that one side leaves play by. **Rule:** O16.4.3."""
        unit, cell = position.piece(declared.doer), declared.places[0]
        met = self._met(position, declared)
        if met is None:
            return {unit.id: {(state_of(unit), cell): Fraction(1)}}
        there, odds = met
        return {
            one.id: {(state_of(one), cell): odds[one.side], ("eliminated", None): 1 - odds[one.side]}
            for one in there.pieces
            if is_unit(one) and one.at == cell
        }

    def said(self, position: Position, declared: Declaration) -> str:
        """Who, where, against whom."""
        cell = declared.places[0]
        foes = [p.name or p.id for p in _enemies(position, position.piece(declared.doer).side) if p.at == cell]
        return f"{position.names[declared.doer]} en {cell}" + (f", contre {listing(foes)}" if foes else "")

    def chances(self, position: Position, declared: Declaration) -> str:
        """Of winning the melee."""
        met = self._met(position, declared)
        if met is None:
            return "personne dans l’hex, donc pas de Mêlée"
        return f"{percent(met[1][position.piece(declared.doer).side])} de gagner la Mêlée"

    def because(self, position: Position, chosen: Declaration, best: Declaration) -> str:
        """The strength of both sides in each melee. **Rule:** O16.4.1."""
        return "La différence : la force des deux camps en Mêlée [[O16.4.1]]." if self._met(position, best) else ""


PLAY: dict[str, Order] = {
    "fire": Shooting(),
    "walk": Walking(watched=False),
    "move": Walking(watched=True),
    "recover": Recovering(),
    "advance": Assaulting(),
}
