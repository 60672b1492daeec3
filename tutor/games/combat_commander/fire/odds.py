"""Exact odds of one fire or of several in succession, over the very stages that resolve a fire.

States that are equal are merged, no trace is built below the totals. Attack and defence draw from two decks: by default
both are unknown and each roll is two fresh dice; with known discards, cards are drawn without replacement.

**Rule:** 1.3, 1.9, O20.2.3, O20.3.3, O20.3.4, 3.2.4, 13.2.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Annotated, Any

from tutor.core.arguments import Firers, Pieces, TargetCell
from tutor.core.chances import Chances, Distribution
from tutor.core.context import Context, reader
from tutor.core.dice import Drawn, Source, rolls, total, total_and_double, whole
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.core.trace import hexes
from tutor.games.combat_commander.arguments import (
    ActionNames,
    AlsoCell,
    BasePiece,
    Concealment,
    DuelDiscards,
    FireMode,
    NextFires,
)
from tutor.games.combat_commander.deck import shuffling
from tutor.games.combat_commander.fire.attack import Salvo, airburst, attack_total, concealed, hiding, outcome, prepare
from tutor.games.combat_commander.fire.targeting import aim
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.units import AS_PLACED, Troops, is_single_use, is_white_band, places
from tutor.games.combat_commander.values import morale_in

#: Number of the markers (see ``_Runner.number``), cards drawn by the attacker, cards drawn by the defender.
State = tuple[int, Drawn, Drawn]
#: State, or fire roll and state -> weight.
States = dict[State, int]
Rolled = dict[tuple[int, State], int]
#: Most defence rolls worked out card by card: beyond, the number of possible draws explodes.
MOST_CARDS = 5
#: Units that fires may aim at, and fires one after another, in one calculation: the states grow with each of them.
MOST_UNITS, MOST_FIRES = 9, 12
#: Most units whose odds are shown, in the order of their rolls.
_SHOWN = 5
_FIRE = ("firers", "target", "actions", "base", "mode", "also")


@dataclass(frozen=True, slots=True)
class PieceOdds(Chances):
    """Where a unit stands at the end: the four probabilities add up to 1.

    Args:
        nothing, suppressed, broken, eliminated: newly so; a unit broken and suppressed counts as broken.
    """

    nothing: Fraction
    suppressed: Fraction
    broken: Fraction
    eliminated: Fraction


def aimed(hit: Fraction) -> Distribution:
    """The chances of a targeting roll."""
    return Distribution({"Touche": hit, "Manque": 1 - hit}, about="le ciblage")


def befalling(pieces: Mapping[str, PieceOdds]) -> tuple[Distribution, ...]:
    """What befalls each unit, in reading order; elimination, where there is a chance of it."""
    return tuple(
        Distribution(
            {
                "Indemne": odds.nothing,
                "En suppression": odds.suppressed,
                "Démoralisée": odds.broken,
                **({"Éliminée": odds.eliminated} if odds.eliminated else {}),
            },
            about=name,
        )
        for name, odds in list(pieces.items())[:_SHOWN]
    )


@dataclass(frozen=True, slots=True)
class FireOdds(Chances):
    """Odds of one or several fires.

    Args:
        fp: final firepower of each fire.
        morale: Morale of each unit before the first.
        pieces: unit id -> odds.
        any_broken: at least one unit newly broken or eliminated.
        any_eliminated: at least one.
        unharmed: nobody affected.
        hit: chance that the first fire hits, for ordnance.
        breakdown: chance that a double breaks a weapon under Sustained Fire.
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

    def distributions(self, named: Callable[[str], bool]) -> tuple[Distribution, ...]:
        """The targeting, for ordnance, then what befalls each unit."""
        return (*([aimed(self.hit)] if self.hit is not None else []), *befalling(self.pieces))

    def spread(self) -> Mapping[int, Fraction]:
        """Totals of the attack."""
        return self.totals


@GAME.question(
    "fire_odds",
    rules=("O20.3.3", "O20.3.4", "1.9", "3.2.4", "13.2"),
    label="Quelles chances a ce tir ?",
    theme="Vue et tir",
    common=True,
    chances=True,
)
def fire_odds(
    ctx: Context,
    firers: Firers,
    target: TargetCell,
    actions: ActionNames = (),
    base: BasePiece | None = None,
    mode: FireMode = "order",
    also: AlsoCell | None = None,
    concealment: Concealment = 0,
    order: Annotated[Pieces, "Jets de défense, dans l’ordre"] = (),
    then: NextFires = (),
    discards: DuelDiscards | None = None,
    total: Annotated[int | None, "Total d’Attaque voulu"] = None,
) -> FireOdds:
    """Exact odds of a fire, and of fires that follow it.

    Args:
        firers, target, actions, base, mode, also: the fire, see :func:`fire`.
        concealment: Concealments the defender plays.
        order: unit ids in the order of their defence rolls.
        then: further fires (same keys), each meeting what the one before left.
        discards: attacker and defender -> pairs already discarded; None: unknown decks, fresh dice each time.
        total: attack total of the first fire whose chance a step says; None: no such step.

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
    first = dict(zip(_FIRE, (firers, target, actions, base, mode, also), strict=True))
    salvos = [(prepare(ctx, first, order), concealment)]
    for number, more in enumerate(then, 2):
        with ctx.group("O20.3", "odds.next", number=number):
            salvos.append(
                (
                    prepare(ctx, {key: value for key, value in more.items() if key in _FIRE}, more.get("order", order)),
                    int(more.get("concealment", 0)),
                )
            )
            _fires_again(ctx, salvos[-1][0], [salvo for salvo, _ in salvos[:-1]], str(more.get("mode", "order")))
    _known(salvos, [*order, *(name for more in then for name in more.get("order", ()))])
    ctx.settle()
    runner = _Runner(ctx, salvos, discards)
    if not ctx.refusals:
        for salvo, cards in salvos:
            runner.run(salvo, cards)
    answer = runner.summary()
    if total is not None and not ctx.refusals:
        chance = answer.totals.get(total, Fraction(0))
        if answer.hit is None and not concealment:
            ctx.step("O20.3.3", "odds.roll", value=total - answer.fp[0], fp=answer.fp[0], total=reader(total))
            if not discards:
                ctx.step("O20.3.3", "odds.pairs", value=int(36 * chance), roll=total - answer.fp[0])
        ctx.step("O20.3.3", "odds.total", value=chance, where=hexes(target), total=reader(total))
    return answer


def _fires_again(ctx: Context, salvo: Salvo, earlier: Sequence[Salvo], mode: str) -> None:
    """A piece fires once in a Fire order, so again is in another one; a single-use weapon never.

    **Rule:** O20.3, 11.6.
    """
    before = {piece.id for other in earlier for piece in other.firers}
    again = [piece for piece in salvo.firers if piece.id in before]
    for piece in again:
        if is_single_use(ctx, piece):
            ctx.refuse("11.6", "op_fire.refuse.gone", where=places(piece), piece=piece.id)
    lasting = [piece for piece in again if not is_single_use(ctx, piece)]
    if lasting and mode == "order":
        ctx.step("O20.3", "odds.other_order", where=places(*lasting), pieces=[piece.id for piece in lasting])


def _known(salvos: Iterable[tuple[Salvo, int]], order: Sequence[str]) -> None:
    units = dict.fromkeys(p.id for salvo, _ in salvos for hexful in salvo.defenders for p in hexful)
    strangers = [name for name in order if name not in units]
    if strangers:
        raise RequestError(
            f"« {strangers[0]} » ne défend contre aucun de ces tirs.",
            remedy=f"Unités visées : {', '.join(units) or 'aucune'}.",
        )


class _Runner:
    """The distribution of states while fires follow each other: integer weights over one common scale."""

    def __init__(self, ctx: Context, fires: Sequence[tuple[Salvo, int]], discards: Mapping[str, Any] | None) -> None:
        salvos, self.cards = [salvo for salvo, _ in fires], [cards for _, cards in fires]
        self.ctx = ctx
        self.silent = Context(ctx.game, ctx.position, without=ctx.without, trace=False)
        self.salvos = salvos
        self.pairs = any(self._aimed(salvo) for salvo in salvos)
        sustained = any(salvo.sustained for salvo in salvos)
        self.exact = total_and_double if sustained else total
        copies = int(ctx.table("limits").peek("copies", "value"))
        piles = _piles(discards, salvos)
        time = shuffling(self.silent, copies)
        self.attacker = rolls(whole if self.pairs else self.exact, copies, piles and piles["attacker"], time)
        self.defender = rolls(total, copies, piles and piles["defender"], time)
        self.scale = 1
        self.troops: list[Troops] = []
        self._numbers: dict[Troops, int] = {}
        self.states: States = {(self.number(AS_PLACED), (), ()): 1}
        self.units = {p.id: p for salvo in salvos for hexful in salvo.defenders for p in hexful}
        self._bounded()
        self.cover = {
            p.id: covering
            for salvo in reversed(salvos)
            for (_, covering, _), units in zip(salvo.cells, salvo.defenders, strict=True)
            for p in units
        }
        self.start = {name: morale_in(ctx, unit, self.cover[name]) for name, unit in self.units.items()}
        for salvo in salvos:
            if self._aimed(salvo):
                aim(ctx, salvo.firers[0], salvo.cells[0][0], None)
        self.hit: Fraction | None = None
        self.breakdown = Fraction(0)
        self.totals: dict[int, Fraction] = {}
        self._moods: dict[tuple[str, int, int], int] = {}
        self._signs: dict[tuple[Drawn, int, bool], tuple[tuple[int, int, Drawn], ...]] = {}

    def _bounded(self) -> None:
        """Refuse what would take minutes.

        Raises:
            RequestError: too many units aimed at, or too many fires.
        """
        for most, number, what in (
            (MOST_UNITS, len(self.units), "unités visées"),
            (MOST_FIRES, len(self.salvos), "tirs à la suite"),
        ):
            if number > most:
                raise RequestError(
                    f"Les chances se calculent pour {most} {what} au plus ; il y en a {number} ici.",
                    remedy="Retirez-en, ou jouez avec des dés donnés.",
                )

    def _aimed(self, salvo: Salvo) -> bool:
        return len(salvo.firers) == 1 and is_white_band(self.silent, salvo.firers[0])

    def number(self, troops: Troops) -> int:
        """The number that stands for some markers in the states."""
        if troops not in self._numbers:
            self._numbers[troops] = len(self.troops)
            self.troops.append(troops)
        return self._numbers[troops]

    def _widen(self, source: Source, drawn: Iterable[Drawn]) -> int:
        """Factor that makes the scale fit the next roll of every state."""
        factor = lcm(*{source.size(cards) for cards in set(drawn)})
        self.scale *= factor
        return factor

    def run(self, salvo: Salvo, concealment: int) -> None:
        """Let one fire act on every state."""
        first = salvo is self.salvos[0]
        units = [unit for hexful in salvo.defenders for unit in hexful]
        spared: States = {
            state: w for state, w in self.states.items() if not any(map(self.troops[state[0]].present, units))
        }
        standing: States = {state: w for state, w in self.states.items() if state not in spared}
        since = self.scale
        if self._aimed(salvo):
            standing, missed = self._target(salvo, standing)
            spared = {state: w * (self.scale // since) for state, w in spared.items()}
            for state, w in missed.items():
                spared[state] = spared.get(state, 0) + w
            since = self.scale
            if first:
                self.hit = Fraction(sum(standing.values()), self.scale)
        rolled = self._roll(salvo, standing)
        covers = [covering for _, covering, _ in salvo.cells]
        for index, ((cell, covering, fp), defenders) in enumerate(zip(salvo.cells, salvo.defenders, strict=True)):
            attacks = {
                number: concealed(
                    self.silent, attack_total(self.silent, fp, number, salvo.against, cell), covers, concealment
                )
                for number in {number for number, _ in rolled}
            }
            if first and index == 0:
                for (number, _), w in rolled.items():
                    chance = self.totals.get(attacks[number], Fraction(0))
                    self.totals[attacks[number]] = chance + Fraction(w, self.scale)
            for unit in defenders:
                final = salvo is self.salvos[-1] and unit is units[-1]
                rolled = self._defend(rolled, attacks, unit, covering, final)
        after: States = defaultdict(int, {state: w * (self.scale // since) for state, w in spared.items()})
        for (_, state), w in rolled.items():
            after[state] += w
        self.states = after

    def _target(self, salvo: Salvo, states: States) -> tuple[States, States]:
        hits: States = defaultdict(int)
        missed: States = defaultdict(int)
        weapon, cell = salvo.firers[0], salvo.cells[0][0]
        verdict: dict[Any, bool] = {}
        factor = self._widen(self.attacker, (drawn for _, drawn, _ in states))
        for (troops, drawn, other), w in states.items():
            share = w * (factor // self.attacker.size(drawn))
            for pair, n, after in self.attacker.draw(drawn):
                if pair not in verdict:
                    verdict[pair] = bool(aim(self.silent, weapon, cell, pair).hit)
                (hits if verdict[pair] else missed)[(troops, after, other)] += share * n
        return hits, missed

    def _roll(self, salvo: Salvo, states: States) -> Rolled:
        rolled: Rolled = defaultdict(int)
        last = salvo is self.salvos[-1]
        doubles = 0
        factor = self._widen(self.attacker, (drawn for _, drawn, _ in states))
        for (troops, drawn, other), w in states.items():
            share = w * (factor // self.attacker.size(drawn))
            for value, n, after in self.attacker.draw(drawn):
                read = self.exact(value) if self.pairs else value
                number, twice = read if isinstance(read, tuple) else (read, False)
                if salvo.sustained and twice:
                    doubles += share * n
                rolled[(number, (troops, () if last else after, other))] += share * n
        self.breakdown += Fraction(doubles, self.scale)
        return rolled

    def _defend(self, rolled: Rolled, attacks: Mapping[int, int], unit: Piece, covering: int, final: bool) -> Rolled:
        """One unit defends in every state; after the final roll of all, what was drawn and rolled no longer matters."""
        defended: Rolled = defaultdict(int)
        results: dict[tuple[int, int], int] = {}
        here: dict[int, bool] = {}
        factor = self._widen(self.defender, (other for _, (_, _, other) in rolled))
        for (number, (now, drawn, other)), w in rolled.items():
            if now not in here:
                here[now] = self.troops[now].present(unit)
            if not here[now]:
                defended[(0, (now, (), ())) if final else (number, (now, drawn, other))] += w * factor
                continue
            share = w * (factor // self.defender.size(other))
            key = (unit.id, covering, now)
            if key not in self._moods:
                self._moods[key] = morale_in(self.silent, unit, covering, self.troops[now])
            for sign, n, after in self._compare(other, attacks[number] - self._moods[key], final):
                if (now, sign) not in results:
                    results[(now, sign)] = self.number(outcome(self.silent, self.troops[now], unit, sign)[1])
                then = results[(now, sign)]
                defended[(0, (then, (), ())) if final else (number, (then, drawn, after))] += share * n
        return defended

    def _compare(self, drawn: Drawn, lead: int, final: bool) -> tuple[tuple[int, int, Drawn], ...]:
        """Sign of (attack total - Morale - defence dice), how many outcomes give it, and the cards drawn then."""
        key = (drawn, lead, final)
        if key not in self._signs:
            merged: dict[tuple[int, Drawn], int] = defaultdict(int)
            for value, n, after in self.defender.draw(drawn):
                merged[((lead > value) - (lead < value), () if final else after)] += n
            self._signs[key] = tuple((sign, n, after) for (sign, after), n in merged.items())
        return self._signs[key]

    def _modifiers(self) -> None:
        """The steps of what changes attack totals, of targeting and of weapons that may break."""
        ctx = self.ctx
        if len(self.salvos) > 1 and ctx.on("13.2"):
            with ctx.group("13.2", "odds.carried"):
                ctx.table("statuses").get("suppressed", "morale")
        for salvo, cards in zip(self.salvos, self.cards, strict=True):
            covers = [covering for _, covering, _ in salvo.cells]
            for cell, _, _ in salvo.cells:
                airburst(ctx, salvo.against, cell)
            if cards and ctx.on("A29"):
                cover, note = hiding(ctx, covers)
                ctx.step("A29", "odds.concealed", value=-cover * cards, note=note, cards=reader(cards), cover=cover)
        if self.hit is not None:
            cell = self.salvos[0].cells[0][0]
            ctx.step("O20.2.3", "odds.hit", value=self.hit, where=hexes(cell), cell=cell)
        if self.breakdown:
            ctx.step("A41", "odds.breakdown", value=self.breakdown)

    def summary(self) -> FireOdds:
        """Odds of each unit and of all together, and the steps that say so."""
        counts = {name: dict.fromkeys(("nothing", "suppressed", "broken", "eliminated"), 0) for name in self.units}
        broken = eliminated = spared = 0
        weights: dict[int, int] = defaultdict(int)
        for (now, _, _), w in self.states.items():
            weights[now] += w
        for now, w in weights.items():
            troops = self.troops[now]
            results = {name: _became(unit, troops) for name, unit in self.units.items()}
            for name, result in results.items():
                counts[name][result] += w
            happened = set(results.values())
            broken += w * bool(happened & {"broken", "eliminated"})
            eliminated += w * ("eliminated" in happened)
            spared += w * (happened <= {"nothing"})
        any_broken, any_eliminated, unharmed = (Fraction(w, self.scale) for w in (broken, eliminated, spared))
        pieces = {
            name: PieceOdds(**{result: Fraction(w, self.scale) for result, w in shares.items()})
            for name, shares in counts.items()
        }
        ctx = self.ctx
        ctx.consulted |= self.silent.consulted
        if not ctx.refusals:
            self._modifiers()
            for name, odds in pieces.items():
                unit = self.units[name]
                ctx.step(
                    "O20.3.4",
                    _code(odds),
                    value=odds.broken + odds.eliminated,
                    where=places(unit),
                    piece=name,
                    morale=self.start[name],
                    suppressed=odds.suppressed,
                    broken=odds.broken,
                    eliminated=odds.eliminated,
                )
                if odds.broken and ctx.on("3.2.1"):
                    ctx.step("3.2.1", "odds.other_face", value=odds.broken, where=places(unit), piece=name)
                if odds.eliminated:
                    ctx.step("3.2.4", "odds.again", value=odds.eliminated, where=places(unit), piece=name)
                if unit.activated == "move" and ctx.on("O20.3.4"):
                    ctx.step("O20.3.4", "odds.moving", value=True, where=places(unit), piece=name)
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


def _code(odds: PieceOdds) -> str:
    if not odds.eliminated:
        return "odds.piece"
    return "odds.piece_lost" if odds.broken else "odds.piece_out"


def _became(unit: Piece, troops: Troops) -> str:
    before, after = frozenset(unit.status), troops.of(unit)
    if "eliminated" in after:
        return "eliminated"
    new = after - before
    return "broken" if "broken" in new else "suppressed" if "suppressed" in new else "nothing"


def _piles(discards: Mapping[str, Any] | None, salvos: Sequence[Salvo]) -> dict[str, list[Any]] | None:
    if discards is None:
        return None
    unknown = [key for key in discards if key not in ("attacker", "defender")]
    if unknown:
        raise RequestError(
            f"« {unknown[0]} » n’est pas un joueur.", remedy="Les défausses sont celles de attacker et de defender."
        )
    defences = sum(len(hexful) for salvo in salvos for hexful in salvo.defenders)
    if defences > MOST_CARDS:
        raise RequestError(
            f"Le calcul carte par carte s’arrête à {MOST_CARDS} jets de défense ; il y en a {defences} ici.",
            remedy="Retirez les défausses connues : chaque jet sera alors un jet de deux dés.",
        )
    return {"attacker": list(discards.get("attacker", [])), "defender": list(discards.get("defender", []))}
