"""Golden cases: what the rulebook prints, as data, run against the engine.

A file holds one case, or ``cases: [...]``::

    id: livret-tir-c
    title: Exemple de Tir C
    game: combat_commander
    rules: [O20.3.1, O20.3.1.2]     # ids that must all be in the trace
    origin: imprimé                 # or « calculé à la main », then « arithmetic » shows the computation
    position: livret-tir            # a position of the game, a mapping, or a path from this file (./plateau.yaml)
    changes: {piece.grein.at: K7}   # optional
    ask: fire
    with: {firers: [a, b], target: M6}
    without: []                     # optional: rules left out
    odds: {ask: fire_odds, with: {}}                       # optional: a second question, about odds
    expect: {outcome: computed, value: {fp: 11}, refusals: [], missing: null, odds: {broken: 435/1296}}

``value`` and ``odds`` match partly in mappings, whole in lists, exactly in numbers and fractions. ``refusals`` are the
rule ids of every reason, in any order. What ``expect`` leaves out is not compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tutor.core.errors import ContentError, TutorError
from tutor.core.position import Position
from tutor.core.registry import ask, game
from tutor.core.result import Result
from tutor.core.trace import plain
from tutor.core.yamlio import read_yaml
from tutor.course.matching import differences, view
from tutor.course.models import Case, CaseFile, parse_model


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one case went.

    Args:
        case: its id.
        path: its file.
        faults: French lines, empty when it passed.
    """

    case: str
    path: Path
    faults: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing differs."""
        return not self.faults


def case_files(folder: Path) -> list[Path]:
    """Case files below a folder: YAML files that are not positions.

    Raises:
        ContentError: no such folder.
    """
    if folder.is_file():
        return [folder]
    if not folder.is_dir():
        raise ContentError(f"Le dossier « {folder} » n’existe pas.", remedy="Donnez un dossier de cas, ou un fichier.")
    return sorted(p for p in folder.rglob("*") if p.suffix in (".yaml", ".yml") and not _is_position(p))


def _is_position(path: Path) -> bool:
    with path.open(encoding="utf-8", errors="replace") as file:
        return any(line.startswith("schema:") for line in file)


def read_cases(path: Path) -> list[Case]:
    """The cases of a file.

    Raises:
        ContentError: broken file, with place and remedy.
    """
    data = read_yaml(path)
    if isinstance(data, dict) and "cases" in data:
        return list(parse_model(CaseFile, data, path.name).cases)
    return [parse_model(Case, data, path.name)]


def position_of(case: Case, path: Path) -> Position:
    """The position of a case, changes made.

    Raises:
        TutorError: it cannot be read.
    """
    given = case.position
    if isinstance(given, str) and given.endswith((".yaml", ".yml")):
        position = Position.load(path.parent / given)
    else:
        position = game(case.game).position(given)
    if position.game != case.game:
        raise ContentError(
            f"La position est du jeu « {position.game} ».", path=path.name, remedy=f"Le cas est de « {case.game} »."
        )
    return position.change(case.changes) if case.changes else position


def solve(case: Case, path: Path) -> tuple[Result[Any], Result[Any] | None]:
    """The engine's result for a case, and its odds: those it asks for, else those of the same question if it has some.

    Raises:
        TutorError: the position or the question is broken.
    """
    position = position_of(case, path)
    result = ask(position, case.ask, without=case.without, **case.with_)
    if case.odds:
        return result, ask(position, case.odds.ask, without=case.without, **case.odds.with_)
    rulebook = game(case.game)
    odds = rulebook.rules[case.ask].odds
    if not result.computed or odds is None:
        return result, None
    shared = {name: value for name, value in case.with_.items() if name in rulebook.rules[odds].arguments}
    return result, ask(position, odds, without=case.without, trace=False, **shared)


def as_json(case: Case, path: Path) -> dict[str, Any]:
    """What ``ldv solve`` prints: value, outcome, refusals (with their sentences), trace, odds."""
    result, odds = solve(case, path)
    rulebook = game(case.game)
    position = position_of(case, path)
    data = {"id": case.id, **result.as_json()}
    for plain_step, step in zip(data["refusals"], result.refusals, strict=True):
        plain_step["sentence"] = rulebook.sentence(step, position)
    data["odds"] = plain(odds.value) if odds else data["value"] if rulebook.rules[case.ask].chances else None
    return data


def unknown_words(case: Case, path: Path) -> list[str]:
    """Words of a case's position that its game does not know: they would pass in silence."""
    return [f"position : {fault}" for fault in game(case.game).unknown_words(position_of(case, path))]


def faults(case: Case, path: Path) -> list[str]:
    """Where a case and the engine disagree, as French lines; empty when they agree."""
    try:
        result, odds = solve(case, path)
    except TutorError as error:
        return [str(error)]
    seen, wanted = view(result), case.expect
    lines = unknown_words(case, path)
    fields = case.expect.model_fields_set
    for name in ("outcome", "value", "missing"):
        if name in fields:
            lines += differences(getattr(wanted, name), seen[name], name)
    if wanted.refusals is not None:
        lines += _refusals(wanted.refusals, seen["refusals"])
    if "odds" in fields:
        lines += (
            differences(wanted.odds, plain(odds.value), "odds")
            if odds
            else ["odds : le cas ne pose pas de question « odds »"]
        )
    traced = set(result.trace.rules()) | (set(odds.trace.rules()) if odds else set())
    lines += [
        f"rules : {rule} n’est pas dans la trace ({', '.join(filter(None, result.trace.rules()))})"
        for rule in case.rules
        if rule not in traced
    ]
    lines += [f"rules : {rule} n’est pas dans l’index" for rule in case.rules if rule not in game(case.game).sections]
    return lines


def _refusals(wanted: Iterable[str], seen: Iterable[str]) -> list[str]:
    wanted, seen = set(wanted), set(seen)
    lacking = [f"refusals : {rule} attendu, absent" for rule in sorted(wanted - seen)]
    return lacking + [f"refusals : {rule} obtenu, pas attendu" for rule in sorted(seen - wanted)]


def run(folder: Path) -> Iterator[Outcome]:
    """Run every case below a folder, one outcome after another; a broken file is one failure."""
    known: dict[str, Path] = {}
    for path in case_files(folder):
        try:
            read = read_cases(path)
        except TutorError as error:
            yield Outcome(path.stem, path, (str(error),))
            continue
        for case in read:
            double = [f"id : déjà pris dans {known[case.id].name}"] if case.id in known else []
            known[case.id] = path
            try:
                yield Outcome(case.id, path, tuple(double + faults(case, path)))
            except Exception as error:  # the engine must not break on a case: report it, go on
                yield Outcome(case.id, path, (*double, f"le moteur s’est arrêté : {type(error).__name__}: {error}"))


def by_rule(folder: Path) -> Mapping[str, list[Case]]:
    """Rule id -> the cases that name it; broken files are left to ``run``."""
    cases_of: dict[str, list[Case]] = {}
    for path in case_files(folder) if folder.is_dir() else []:
        try:
            cases = read_cases(path)
        except TutorError:
            continue
        for case in cases:
            for rule in case.rules:
                cases_of.setdefault(rule, []).append(case)
    return cases_of
