"""Is all content valid? Index, tables, sentences, glossary, positions, lessons, exercises, cases: every fault, with its file."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tutor.core.errors import TutorError
from tutor.core.position import Position
from tutor.core.registry import Game, ask, game
from tutor.core.result import Result
from tutor.core.yamlio import read_yaml
from tutor.course import articles, cases, coverage, lessons, options, replay
from tutor.course.comparison import MECHANISMS, Mechanism, Scene, mechanism
from tutor.course.exercises import Task, fitting
from tutor.course.matching import view
from tutor.course.models import Exercise, Lesson, LiveExample, Prediction, Question, WhatIfs, texts
from tutor.course.prose import rule_ids
from tutor.course.quick import Sheet, sheets

#: A text of the code that is a rule id of these games' form: 10.3.3, T88.2, O20.3.1, A33, F106.3, E52.
_RULE = re.compile(r"(?:[OTAEF]\d{1,3}|\d{1,2}(?=\.))(?:\.\d{1,2}){0,4}\Z")
_VARIANTS = 6


def faults(game_id: str) -> list[str]:
    """Every fault of a game's content as French lines; empty when all is well."""
    held = game(game_id)
    parts = (
        *(_files, _index, _rules_in_code, _tables, _glossary, _positions, _lessons, _exercises),
        *(_articles, _replays, _comparison, _quick, _cases),
    )
    return [fault for examine in parts for fault in _told(examine(held))]


def _told(found: Iterable[str], place: str = "") -> Iterator[str]:
    """Faults as they come; an error that stops the search for more is the last of them."""
    try:
        yield from found
    except TutorError as error:
        yield error.sentence if error.path and error.path in place else str(error)


def _at(place: str, found: Iterable[str]) -> Iterator[str]:
    """Faults, each with its place."""
    return (f"{place} : {fault}" for fault in _told(found, place))


def _raised(function: Callable[..., object], *given: Any) -> Iterator[str]:
    """What a function that must not raise raises."""
    try:
        function(*given)
    except TutorError as error:
        yield str(error)


def _known(held: Game, rules: Iterable[str]) -> Iterator[str]:
    return (f"la règle {rule} n’est pas dans l’index." for rule in rules if rule not in held.sections)


def _twice(seen: dict[str, str], where: str, names: Iterable[str]) -> Iterator[str]:
    """Names that another file has already; those seen are noted."""
    for name in names:
        if name in seen:
            yield f"{name} est déjà dans {seen[name]}."
        seen[name] = where


def _files(held: Game) -> Iterator[str]:
    """Every YAML file of the game is strict YAML."""
    for path in sorted(held.folder.rglob("*.yaml")):
        yield from _raised(read_yaml, path)


def _index(held: Game) -> Iterator[str]:
    seen: set[str] = set()
    for section in read_yaml(held.folder / "sections.yaml"):
        if section["id"] in seen:
            yield f"sections.yaml : l’entrée {section['id']} est donnée deux fois."
        seen.add(section["id"])
        if not str(section.get("summary") or "").strip():
            yield f"sections.yaml : l’entrée {section['id']} n’a pas de résumé."
    for one in held.sections.values():
        for other in (*one.see, *([one.parent] if one.parent else [])):
            if other not in held.sections:
                yield f"sections.yaml : {one.id} renvoie à {other}, qui n’existe pas."
    named = (*(s.rule for s in held.settings.values()), *(i for r in held.rules.values() for i in r.ids))
    yield from _at("game.py", _known(held, (*held.omittable, *named)))


def code_rule_ids(path: Path) -> set[str]:
    """Rule ids that a module writes as texts of their own (not in docstrings or sentences)."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _RULE.match(node.value)
    }


def _rules_in_code(held: Game) -> Iterator[str]:
    for path in sorted(held.folder.glob("*.py")):
        yield from _at(path.name, _known(held, sorted(code_rule_ids(path))))


def _tables(held: Game) -> Iterator[str]:
    for table in held.tables.values():
        rules = {table.rule}
        for cells in table.rows.values():
            rules |= {str(cells["rule"])} if "rule" in cells else set()
            rules |= {str(cell["rule"]) for cell in cells.values() if isinstance(cell, dict) and "rule" in cell}
        yield from _at(table.path, _known(held, sorted(rules)))
    for code, template in held.phrases.templates.items():
        if not isinstance(template, str) or not template.strip():
            yield f"phrases : l’étape « {code} » n’a pas de phrase."


def _glossary(held: Game) -> Iterator[str]:
    for entry in held.glossary:
        yield from _at("glossary.yaml", _known(held, entry.get("rules") or ()))


def _positions(held: Game) -> Iterator[str]:
    for name in held.positions():
        yield from _at(f"positions/{name}.yaml", _position(held, name))


def _position(held: Game, name: str) -> Iterator[str]:
    position = held.position(name)
    if position.id != name:
        yield f"« id » vaut {position.id}."
    yield from held.problems(position)
    if Position.parse(position.dump()) != position:
        yield "relue après écriture, la position change."
    for tweak in position.tweaks:
        yield from _at(f"réglage {tweak.path}", _raised(position.read, tweak.path))


def _lessons(held: Game) -> Iterator[str]:
    known, broken = lessons.readable(held.id)
    yield from map(str, broken)
    seen: dict[str, str] = {}
    for one in known:
        where = f"lessons/{one.slug}.yaml"
        yield from _at(where, _twice(seen, where, (one.id, f"numéro {one.number}")))
        yield from _at(where, _lesson(held, one, {other.id for other in known}))


def _lesson(held: Game, lesson: Lesson, ids: Collection[str]) -> Iterator[str]:
    yield from _known(held, lesson.rules)
    for text in lesson.prose():
        yield from _known(held, rule_ids(text))
    words = {entry["term"] for entry in held.glossary}
    yield from (f"« {word} » n’est pas au glossaire." for word in lesson.glossary if word not in words)
    for block in lesson.blocks:
        if block.kind == "suite" and block.lesson and block.lesson not in ids:
            yield f"la leçon suivante {block.lesson} n’existe pas."
        if block.kind == "replay":
            yield from _raised(replay.replay, held.id, block.id)
    yield from _raised(lessons.exercises_of, held.id, lesson)
    yield from _examples(held, lesson)


def _example(held: Game, example: LiveExample) -> Iterator[str]:
    """A live example: its board, its rules at work, its sentences, its question, what the reader may change."""
    position = held.position(example.position).change(example.changes)
    result = ask(position, example.ask, **example.with_)
    yield from held.problems(position)
    traced = set(result.trace.rules())
    yield from (f"la règle {rule} n’est pas à l’œuvre dans la trace." for rule in example.rules if rule not in traced)
    yield from held.untold(result.trace, position)
    if example.panel == "profile" and not (
        {"profile", "low_end"} & set(dir(result.value)) or {"spotter", "target"} <= set(example.with_)
    ):
        yield f"« panel: profile », mais « {example.ask} » ne donne pas de profil."
    if example.question:
        yield from _answered(example.question, result)
    for tweak in example.tweaks:
        yield from _raised(position.read, tweak.path)
    for pick in example.picks:
        if pick.argument.partition(".")[0] not in held.rules[example.ask].parameters:
            yield f"« {pick.argument} » n’est pas un argument de « {example.ask} »."
    if example.odds:
        ask(position, example.odds.ask, trace=False, **example.odds.arguments(example.with_))


def _articles(held: Game) -> Iterator[str]:
    """« Article par article »: known sections, each once; live examples whose every choice gives a result."""
    seen: dict[str, str] = {}
    for path in lessons.article_files(held.id):
        yield from _at(f"articles/{path.name}", _family(held, path, seen))


def _family(held: Game, path: Path, seen: dict[str, str]) -> Iterator[str]:
    family = articles.read_family(path)
    for text in texts(family):
        yield from _known(held, rule_ids(text))
    for article in family.articles:
        yield from _known(held, [article.rule])
        names = (f"l’article {article.rule}", *(f"l’exemple {example.id}" for example in article.examples))
        yield from _twice(seen, path.name, names)
        for example in article.examples:
            place = f"exemple {example.id}"
            found = list(_at(place, _example(held, example)))
            yield from found
            if not found:
                position = held.position(example.position).change(example.changes)
                yield from _at(place, options.faults(held, example, position))


def _examples(held: Game, lesson: Lesson) -> Iterator[str]:
    examples = lesson.examples
    for example in examples.values():
        place = f"exemple {example.id}"
        found = list(_at(place, _example(held, example)))
        yield from found
        if not found:
            base = held.position(example.position).change(example.changes)
            yield from _at(place, options.unshown(example, base, example.with_))
    for block in lesson.blocks:
        if isinstance(block, (Question, WhatIfs)):
            if block.example in examples:
                yield from _predictions(held, examples[block.example], block)
            else:
                yield f"l’exemple {block.example} n’existe pas."


def _predictions(held: Game, example: LiveExample, block: Question | WhatIfs) -> Iterator[str]:
    """What a lesson asks about one of its examples: as it is, or changed."""
    if isinstance(block, Question):
        yield from _at("question", _prediction(held, example, block, {}, {}))
        return
    for number, case in enumerate(block.cases, 1):
        place = f"et si {number} de {block.example}"
        yield from _at(place, _prediction(held, example, case, case.changes, case.with_))


def _prediction(
    held: Game, example: LiveExample, asked: Prediction, changes: Mapping[str, Any], with_: Mapping[str, Any]
) -> Iterator[str]:
    changed, given = held.position(example.position).change({**example.changes, **changes}), {**example.with_, **with_}
    yield from held.problems(changed)
    yield from _answered(asked, ask(changed, example.ask, **given))
    yield from options.unshown(example, changed, given)


def _answered(asked: Prediction, result: Result[Any]) -> Iterator[str]:
    """Exactly one choice fits, and the step that is said to answer is in the trace."""
    seen, because = view(result), asked.because
    if fitting(asked.choices, seen) is None:
        brief = {key: value for key, value in seen.items() if value not in (None, [])}
        yield f"aucun choix, ou plusieurs, ne correspond au résultat {brief}."
    if because and not result.refusals and all(because not in (s.rule, s.code) for s in result.trace.walk()):
        yield f"la trace n’a pas d’étape « {because} »."


def _exercises(held: Game) -> Iterator[str]:
    known = {one.id: one for one in lessons.readable(held.id)[0]}
    for exercise in lessons.exercises(held.id).values():
        yield from _at(f"exercises : {exercise.id}", _exercise(held, exercise, known))


def _exercise(held: Game, exercise: Exercise, known: Mapping[str, Lesson]) -> Iterator[str]:
    omit = exercise.omit or ()
    yield from _known(held, (*exercise.rules, *omit, *rule_ids(exercise.hint), *rule_ids(exercise.question)))
    yield from (f"la règle {rule} ne peut pas être laissée de côté." for rule in omit if rule not in held.omittable)
    if exercise.lesson not in known:
        yield f"la leçon {exercise.lesson} n’existe pas."
    elif exercise.id not in known[exercise.lesson].exercise_ids:
        yield f"la leçon {exercise.lesson} ne le propose pas."
    task = Task.of(held.id, exercise)
    task.question, task.hint  # noqa: B018 - raise when they name what is not there
    yield from held.problems(task.position)
    if not task.well_posed():
        yield f"sans réponse unique ; résultat {view(task.result(trace=False))}."
    elif exercise.vary:
        answers, drawn = set(), task
        for seed in range(_VARIANTS):
            drawn = drawn.variant(seed)
            answers.add(str(drawn.solution()))
        if len(answers) < 2:
            yield "les variantes ont toutes la même réponse."


def _replays(held: Game) -> Iterator[str]:
    """Turns played step by step: every path of decisions, known rules."""
    for path in replay.replay_files(held.id):
        yield from _at(f"replays/{path.name}", _replay(held, path))


def _replay(held: Game, path: Path) -> Iterator[str]:
    told = replay.replay(held.id, path.stem)
    for text in texts(told):
        yield from _known(held, rule_ids(text))
    yield from replay.faults(held.id, told)


def _comparison(held: Game) -> Iterator[str]:
    """What « Côte à côte » says of this rulebook: known rules, possible boards, every step sorted."""
    for about in map(mechanism, MECHANISMS):
        book, where = about.books[held.id], f"comparison/{about.id}.yaml, {held.id}"
        yield from _at(where, _known(held, sorted({*book.rules, *rule_ids(" ".join(book.says))})))
        for scene in about.scenes:
            yield from _at(f"{where}, scène {scene.id}", _scene(held, about, scene))


def _scene(held: Game, about: Mechanism, scene: Scene) -> Iterator[str]:
    board, position = about.books[held.id].board, about.position(held.id, scene)
    if board is None or position is None:
        return
    yield from held.problems(position)
    for step in about.result(held.id, position, scene).trace.children:
        if board.kind_of(step) is None:
            yield f"l’étape {step.code} n’a pas de sorte."


def _quick(held: Game) -> Iterator[str]:
    """The sheets of « À table »: known rules, and no tap that makes an impossible position or an unknown answer."""
    for sheet in sheets(held.id):
        where = f"quick.yaml, {sheet.id}"
        yield from _at(where, _known(held, sheet.rules))
        for control in sheet.controls:
            for index, option in enumerate(control.options):
                place = f"{where}, {control.label} : {option.label}"
                yield from _at(place, _tap(held, sheet, {control.id: index}, option.unknown))


def _tap(held: Game, sheet: Sheet, taps: Mapping[str, int], unknown: bool) -> Iterator[str]:
    position, _ = sheet.situation(held.id, taps)
    yield from held.problems(position)
    result = sheet.result(held.id, taps)
    if result.outcome == "unknown" and not unknown:
        yield f"la réponse est inconnue ({result.missing})."


def _cases(held: Game) -> Iterator[str]:
    folder = coverage.cases_folder(held.id)
    for path in cases.case_files(folder) if folder.is_dir() else ():
        yield from _at(path.name, _case_rules(held, path))


def _case_rules(held: Game, path: Path) -> Iterator[str]:
    for case in cases.read_cases(path):
        yield from _known(held, case.rules)
