"""Exact odds of one fire or of several in succession, over the very stages that resolve a fire.

States that are equal are merged, no trace is built below the totals. Attack and defence draw from two decks: by default
both are unknown and each roll is two fresh dice; with known discards, cards are drawn without replacement.

**Rule:** 1.3, 1.9, O20.2.3, O20.3.3, O20.3.4, 3.2.4, 13.2.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tutor.core.context import Context
from tutor.core.dice import Drawn, rolls, total, total_and_double, whole
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.core.trace import hexes
from tutor.games.combat_commander.attack import Salvo, attack_total, concealed, outcome, prepare
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.targeting import aim
from tutor.games.combat_commander.units import AS_PLACED, Troops, is_white_band, places
from tutor.games.combat_commander.values import morale_in

#: Markers, cards drawn by the attacker, cards drawn by the defender.
State = tuple[Troops, Drawn, Drawn]
States = dict[State, Fraction]
FIRE_KEYS = ("firers", "target", "actions", "base", "mode", "also")


@dataclass(frozen=True, slots=True)
class PieceOdds:
    """Where a unit stands at the end: the four probabilities add up to 1.

    Args:
        nothing, suppressed, broken, eliminated: newly so; a unit broken and suppressed counts as broken.
    """

    nothing: Fraction
    suppressed: Fraction
    broken: Fraction
    eliminated: Fraction


@dataclass(frozen=True, slots=True)
class FireOdds:
    """Odds of one or several fires.

    Args:
        fp: final firepower of each fire; morale: Morale of each unit before the first.
        pieces: unit id -> odds; any_broken: at least one unit newly broken or eliminated; any_eliminated: at least one.
        unharmed: nobody affected; hit: chance that the first fire hits, for ordnance; breakdown: chance that a
            double breaks a weapon under Sustained Fire.
        totals: attack total of the first fire -> probability (misses left out).
    """

    fp: tuple[int, ...]
    morale: Mapping[str, int]
    pieces: Mapping[str, PieceOdds]
    any_broken: Fraction
    any_eliminated: Fraction
    unharmed: Fraction
    hit: Fraction | None
    breakdown: Fraction
    totals: Mapping[int, Fraction]


@GAME.rule("fire_odds", "O20.3.3", "O20.3.4", "1.9", "3.2.4", "13.2")
def fire_odds(
    ctx: Context,
    firers: list[str],
    target: str,
    actions: list[str] | tuple[str, ...] = (),
    base: str | None = None,
    mode: str = "order",
    also: str | None = None,
    concealment: int = 0,
    order: list[str] | tuple[str, ...] = (),
    then: list[dict[str, Any]] | tuple[dict[str, Any], ...] = (),
    discards: dict[str, list[list[int]]] | None = None,
) -> FireOdds:
    """Exact odds of a fire, and of fires that follow it.

    Args:
        firers, target, actions, base, mode, also: the fire, see :func:`fire`.
        concealment: Concealments the defender plays; order: unit ids in the order of their defence rolls.
        then: further fires (same keys), each meeting what the one before left.
        discards: attacker and defender -> pairs already discarded; None: unknown decks, fresh dice each time.

    Returns:
        The odds; refused when a fire is.

    Raises:
        RequestError: impossible discards, unknown keys.

    **Rule:** 1.9, O20.2.3, O20.3.3, O20.3.4, 3.2.4, 13.2.

    >>> from tutor import ask, load_position
    >>> str(ask(load_position("combat_commander", "livret-tir"), "fire_odds",
    ...     firers=["peloton-l8", "peloton-k8", "peloton-j7", "peloton-j6", "mg-j6"], target="M6").value.any_broken)
    '613/648'
    """
    first = dict(zip(FIRE_KEYS, (firers, target, actions, base, mode, also), strict=True))
    salvos = [(prepare(ctx, first, order), concealment)]
    for number, more in enumerate(then, 2):
        with ctx.group("O20.3", "odds.next", number=number):
            salvos.append((prepare(ctx, _declared(more), more.get("order", order)), int(more.get("concealment", 0))))
    runner = _Runner(ctx, [salvo for salvo, _ in salvos], discards)
    if not ctx.refusals:
        for salvo, cards in salvos:
            runner.run(salvo, cards)
    return runner.summary()


def _declared(more: Mapping[str, Any]) -> dict[str, Any]:
    unknown = [key for key in more if key not in (*FIRE_KEYS, "order", "concealment")]
    if unknown or "firers" not in more or "target" not in more:
        raise RequestError(
            "Un tir suivant est mal décrit.", remedy=f"Clés : {', '.join(FIRE_KEYS)}, order, concealment."
        )
    return {key: value for key, value in more.items() if key in FIRE_KEYS}


class _Runner:
    """The distribution of states while fires follow each other."""

    def __init__(self, ctx: Context, salvos: Sequence[Salvo], discards: Mapping[str, Any] | None) -> None:
        self.ctx = ctx
        self.silent = Context(ctx.game, ctx.position, without=ctx.without, trace=False)
        self.salvos = salvos
        aimed = any(self._aimed(salvo) for salvo in salvos)
        sustained = any(salvo.sustained for salvo in salvos)
        self.exact = total_and_double if sustained else total
        copies = int(ctx.table("limits").peek("copies", "value"))
        piles = _piles(discards)
        self.attacker = rolls(
            whole if aimed else self.exact, copies, piles.get("attacker") if piles is not None else None
        )
        self.defender = rolls(total, copies, piles.get("defender") if piles is not None else None)
        self.whole = aimed
        self.states: States = {(AS_PLACED, (), ()): Fraction(1)}
        self.units = {p.id: p for salvo in salvos for hexful in salvo.defenders for p in hexful}
        self.cover = {
            p.id: c
            for s in reversed(salvos)
            for (_, c, _), units in zip(s.cells, s.defenders, strict=True)
            for p in units
        }
        self.start = {name: morale_in(ctx, unit, self.cover[name]) for name, unit in self.units.items()}
        for salvo in salvos:
            if self._aimed(salvo):
                aim(ctx, salvo.firers[0], salvo.cells[0][0], None)
        self.hit: Fraction | None = None
        self.breakdown = Fraction(0)
        self.totals: dict[int, Fraction] = {}
        self._moods: dict[tuple[str, int, Troops], int] = {}
        self._signs: dict[tuple[Drawn, int], tuple[tuple[int, Fraction, Drawn], ...]] = {}

    def _aimed(self, salvo: Salvo) -> bool:
        return len(salvo.firers) == 1 and is_white_band(self.silent, salvo.firers[0])

    def run(self, salvo: Salvo, concealment: int) -> None:
        """Let one fire act on every state."""
        first = salvo is self.salvos[0]
        standing: States = defaultdict(Fraction)
        missed: States = defaultdict(Fraction)
        for state, p in self.states.items():
            living = any(state[0].present(unit) for hexful in salvo.defenders for unit in hexful)
            (standing if living else missed)[state] += p
        if self._aimed(salvo):
            standing = self._target(salvo, standing, missed)
            if first:
                self.hit = sum(standing.values(), Fraction(0))
        rolled = self._roll(salvo, standing, first)
        covers = [covering for _, covering, _ in salvo.cells]
        for index, ((cell, covering, fp), defenders) in enumerate(zip(salvo.cells, salvo.defenders, strict=True)):
            attacks = {
                number: concealed(
                    self.silent, attack_total(self.silent, fp, number, salvo.against, cell), covers, concealment
                )
                for number in {number for number, _ in rolled}
            }
            if first and index == 0:
                for (number, _), p in rolled.items():
                    self.totals[attacks[number]] = self.totals.get(attacks[number], Fraction(0)) + p
            for unit in defenders:
                rolled = self._defend(rolled, attacks, unit, covering)
        after: States = missed
        for (_, state), p in rolled.items():
            after[state] += p
        self.states = after

    def _target(self, salvo: Salvo, states: States, missed: States) -> States:
        hits: States = defaultdict(Fraction)
        weapon, cell = salvo.firers[0], salvo.cells[0][0]
        verdict: dict[Any, bool] = {}
        for (troops, drawn, other), p in states.items():
            for pair, q, after in self.attacker.draw(drawn):
                if pair not in verdict:
                    verdict[pair] = bool(aim(self.silent, weapon, cell, pair).hit)
                (hits if verdict[pair] else missed)[(troops, after, other)] += p * q
        return hits

    def _roll(self, salvo: Salvo, states: States, first: bool) -> dict[tuple[int, State], Fraction]:
        found: dict[tuple[int, State], Fraction] = defaultdict(Fraction)
        last = salvo is self.salvos[-1]
        for (troops, drawn, other), p in states.items():
            for value, q, after in self.attacker.draw(drawn):
                read = self.exact(value) if self.whole else value
                number = read[0] if isinstance(read, tuple) else read
                if salvo.sustained and isinstance(read, tuple) and read[1]:
                    self.breakdown += p * q
                found[(number, (troops, () if last else after, other))] += p * q
        return found

    def _defend(
        self, rolled: dict[tuple[int, State], Fraction], attacks: Mapping[int, int], unit: Piece, covering: int
    ) -> dict[tuple[int, State], Fraction]:
        found: dict[tuple[int, State], Fraction] = defaultdict(Fraction)
        results: dict[tuple[Troops, int], Troops] = {}
        for (number, (troops, drawn, other)), p in rolled.items():
            if not troops.present(unit):
                found[(number, (troops, drawn, other))] += p
                continue
            key = (unit.id, covering, troops)
            if key not in self._moods:
                self._moods[key] = morale_in(self.silent, unit, covering, troops)
            for sign, q, after in self._compare(other, attacks[number] - self._moods[key]):
                if (troops, sign) not in results:
                    results[(troops, sign)] = outcome(self.silent, troops, unit, sign)[1]
                found[(number, (results[(troops, sign)], drawn, after))] += p * q
        return found

    def _compare(self, drawn: Drawn, lead: int) -> tuple[tuple[int, Fraction, Drawn], ...]:
        """Sign of (attack total - Morale - defence dice), its probability, and the cards drawn then."""
        key = (drawn, lead)
        if key not in self._signs:
            merged: dict[tuple[int, Drawn], Fraction] = defaultdict(Fraction)
            for value, q, after in self.defender.draw(drawn):
                merged[((lead > value) - (lead < value), after)] += q
            self._signs[key] = tuple((sign, q, after) for (sign, after), q in merged.items())
        return self._signs[key]

    def summary(self) -> FireOdds:
        """Odds of each unit and of all together, and the steps that say so."""
        counts = {
            name: dict.fromkeys(("nothing", "suppressed", "broken", "eliminated"), Fraction(0)) for name in self.units
        }
        any_broken = any_eliminated = unharmed = Fraction(0)
        by_troops: dict[Troops, Fraction] = defaultdict(Fraction)
        for (troops, _, _), p in self.states.items():
            by_troops[troops] += p
        for troops, p in by_troops.items():
            results = {name: _became(unit, troops) for name, unit in self.units.items()}
            for name, result in results.items():
                counts[name][result] += p
            any_broken += p * any(r in ("broken", "eliminated") for r in results.values())
            any_eliminated += p * ("eliminated" in results.values())
            unharmed += p * all(r == "nothing" for r in results.values())
        pieces = {name: PieceOdds(**found) for name, found in counts.items()}
        ctx = self.ctx
        ctx.consulted |= self.silent.consulted
        if not ctx.refusals:
            for name, odds in pieces.items():
                unit = self.units[name]
                ctx.step(
                    "O20.3.4",
                    "odds.piece",
                    value=odds.broken + odds.eliminated,
                    where=places(unit),
                    piece=name,
                    morale=self.start[name],
                    suppressed=odds.suppressed,
                    broken=odds.broken,
                    eliminated=odds.eliminated,
                )
            cells = tuple(dict.fromkeys(cell for salvo in self.salvos for cell, _, _ in salvo.cells))
            ctx.step("1.9", "odds.any", value=any_broken, where=hexes(*cells), cells=list(cells))
        return FireOdds(
            tuple(salvo.fire.fp for salvo in self.salvos),
            self.start,
            pieces,
            any_broken,
            any_eliminated,
            unharmed,
            self.hit,
            self.breakdown,
            dict(sorted(self.totals.items())),
        )


def _became(unit: Piece, troops: Troops) -> str:
    before, after = frozenset(unit.status), troops.of(unit)
    if "eliminated" in after:
        return "eliminated"
    new = after - before
    return "broken" if "broken" in new else "suppressed" if "suppressed" in new else "nothing"


def _piles(discards: Mapping[str, Any] | None) -> Mapping[str, list[Any]] | None:
    if discards is None:
        return None
    unknown = [key for key in discards if key not in ("attacker", "defender")]
    if unknown:
        raise RequestError(
            f"« {unknown[0]} » n’est pas un joueur.", remedy="Les défausses sont celles de attacker et de defender."
        )
    return {"attacker": list(discards.get("attacker", [])), "defender": list(discards.get("defender", []))}


__all__ = ["FireOdds", "PieceOdds", "fire_odds"]
