"""Is all content valid? Index, tables, sentences, glossary, positions, lessons, exercises, cases: every fault, with its file."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tutor.core.errors import TutorError
from tutor.core.position import Position
from tutor.core.registry import Game, ask, game
from tutor.core.result import Result
from tutor.core.yamlio import read_yaml
from tutor.course import articles, cases, coverage, lessons, options, replay
from tutor.course.comparison import MECHANISMS, mechanism
from tutor.course.exercises import Task, fitting
from tutor.course.matching import view
from tutor.course.models import Choice, Exercise, Lesson, LiveExample, Prediction, Question, WhatIfs, texts
from tutor.course.prose import rule_ids
from tutor.course.quick import sheets

#: A text of the code that is a rule id of these games' form: 10.3.3, T88.2, O20.3.1, A33, F106.3, E52.
_RULE = re.compile(r"(?:[OTAEF]\d{1,3}|\d{1,2}(?=\.))(?:\.\d{1,2}){0,4}\Z")
_VARIANTS = 6


def faults(game_id: str) -> list[str]:
    """Every fault of a game's content as French lines; empty when all is well."""
    held = game(game_id)
    found: list[str] = []
    for examine in (
        _files,
        _index,
        _rules_in_code,
        _tables,
        _glossary,
        _positions,
        _lessons,
        _exercises,
        _articles,
        _replays,
        _comparison,
        _quick,
        _cases,
    ):
        found += _guarded(examine, held)
    return found


def _guarded(examine: Callable[[Game], Iterator[str]], held: Game) -> list[str]:
    found: list[str] = []
    try:
        found.extend(examine(held))
    except TutorError as error:
        found.append(str(error))
    return found


def _files(held: Game) -> Iterator[str]:
    """Every YAML file of the game is strict YAML."""
    for path in sorted(held.folder.rglob("*.yaml")):
        try:
            read_yaml(path)
        except TutorError as error:
            yield str(error)


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
    for rule in (
        *held.omittable,
        *(s.rule for s in held.settings.values()),
        *(i for r in held.rules.values() for i in r.ids),
    ):
        yield from _known(held, rule, "game.py")


def _known(held: Game, rule: str, where: str) -> Iterator[str]:
    if rule not in held.sections:
        yield f"{where} : la règle {rule} n’est pas dans l’index."


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
        for rule in sorted(code_rule_ids(path)):
            yield from _known(held, rule, path.name)


def _tables(held: Game) -> Iterator[str]:
    for table in held.tables.values():
        rules = {table.rule}
        for cells in table.rows.values():
            rules |= {str(cells["rule"])} if "rule" in cells else set()
            rules |= {str(cell["rule"]) for cell in cells.values() if isinstance(cell, dict) and "rule" in cell}
        for rule in sorted(rules):
            yield from _known(held, rule, table.path)
    templates = held.phrases.templates
    for code, template in templates.items():
        if not isinstance(template, str) or not template.strip():
            yield f"phrases : l’étape « {code} » n’a pas de phrase."


def _glossary(held: Game) -> Iterator[str]:
    for entry in held.glossary:
        for rule in entry.get("rules") or ():
            yield from _known(held, rule, "glossary.yaml")


def _positions(held: Game) -> Iterator[str]:
    for name in held.positions():
        try:
            position = held.position(name)
        except TutorError as error:
            yield str(error)
            continue
        where = f"positions/{name}.yaml"
        if position.id != name:
            yield f"{where} : « id » vaut {position.id}."
        yield from (f"{where} : {fault}" for fault in held.problems(position))
        if Position.parse(position.dump(), where) != position:
            yield f"{where} : relue après écriture, la position change."
        for tweak in position.tweaks:
            try:
                position.read(tweak.path)
            except TutorError as error:
                yield f"{where} : réglage {tweak.path} : {error}"


def _lessons(held: Game) -> Iterator[str]:
    seen: dict[str, str] = {}
    known: list[Lesson] = []
    for path in lessons.lesson_files(held.id):
        try:
            known.append(lessons._read(path))
        except TutorError as error:
            yield str(error)
    ids = {one.id for one in known}
    for one in known:
        where = f"lessons/{one.slug}.yaml"
        for key in (one.id, f"numéro {one.number}"):
            if key in seen:
                yield f"{where} : {key} est déjà pris par {seen[key]}."
            seen[key] = one.slug
        for rule in one.rules:
            yield from _known(held, rule, where)
        for text in one.prose():
            for rule in rule_ids(text):
                yield from _known(held, rule, where)
        words = {entry["term"] for entry in held.glossary}
        yield from (f"{where} : « {word} » n’est pas au glossaire." for word in one.glossary if word not in words)
        for block in one.blocks:
            if block.kind == "suite" and block.lesson and block.lesson not in ids:
                yield f"{where} : la leçon suivante {block.lesson} n’existe pas."
            if block.kind == "replay":
                replay.replay(held.id, block.id)
        yield from _examples(held, one, where)
        try:
            lessons.exercises_of(held.id, one)
        except TutorError as error:
            yield str(error)


def _example(held: Game, example: LiveExample, place: str) -> Iterator[str]:
    """A live example: its board, its rules at work, its sentences, its question, what the reader may change."""
    try:
        position = held.position(example.position).change(example.changes)
        result = ask(position, example.ask, **example.with_)
    except TutorError as error:
        yield f"{place} : {error}"
        return
    yield from (f"{place} : {fault}" for fault in held.problems(position))
    traced = set(result.trace.rules())
    yield from (
        f"{place} : la règle {rule} n’est pas à l’œuvre dans la trace." for rule in example.rules if rule not in traced
    )
    for step in result.trace.walk():
        if step.kind != "rule" or step.code in held.phrases.templates:
            held.sentence(step, position)
    if example.panel == "profile" and not (
        {"profile", "low_end"} & set(dir(result.value)) or {"spotter", "target"} <= set(example.with_)
    ):
        yield f"{place} : « panel: profile », mais « {example.ask} » ne donne pas de profil."
    if example.question:
        yield from _answered(example.question, result, place)
    for tweak in example.tweaks:
        position.read(tweak.path)
    if example.odds:
        ask(position, example.odds.ask, trace=False, **example.odds.arguments(example.with_))
    for pick in example.picks:
        if pick.argument.partition(".")[0] not in held.rules[example.ask].parameters:
            yield f"{place} : « {pick.argument} » n’est pas un argument de « {example.ask} »."


def _articles(held: Game) -> Iterator[str]:
    """« Article par article »: known sections, each once; live examples whose every choice gives a result."""
    seen: dict[str, str] = {}
    for path in lessons.article_files(held.id):
        where = f"articles/{path.name}"
        try:
            family = articles.read_family(path)
        except TutorError as error:
            yield str(error)
            continue
        for text in texts(family):
            for rule in rule_ids(text):
                yield from _known(held, rule, where)
        for article in family.articles:
            yield from _known(held, article.rule, where)
            for key in (f"l’article {article.rule}", *(f"l’exemple {example.id}" for example in article.examples)):
                if key in seen:
                    yield f"{where} : {key} est déjà dans {seen[key]}."
                seen[key] = where
            for example in article.examples:
                place = f"{where} : exemple {example.id}"
                found = list(_example(held, example, place))
                yield from found
                if not found:
                    position = held.position(example.position).change(example.changes)
                    yield from (f"{place} : {fault}" for fault in options.faults(held, example, position))


def _examples(held: Game, lesson: Lesson, where: str) -> Iterator[str]:
    examples = lesson.examples
    for example in examples.values():
        place = f"{where} : exemple {example.id}"
        found = list(_example(held, example, place))
        yield from found
        if not found:
            base = held.position(example.position).change(example.changes)
            yield from (f"{place} : {fault}" for fault in options.unshown(example, base, example.with_))
    for block in lesson.blocks:
        if isinstance(block, (Question, WhatIfs)):
            if block.example not in examples:
                yield f"{where} : l’exemple {block.example} n’existe pas."
                continue
            example = examples[block.example]
            base = held.position(example.position).change(example.changes)
            if isinstance(block, Question):
                yield from _answered(block, ask(base, example.ask, **example.with_), f"{where} : question")
                continue
            for number, case in enumerate(block.cases, 1):
                place = f"{where} : et si {number} de {block.example}"
                try:
                    changed = base.change(case.changes)
                    yield from (f"{place} : {fault}" for fault in held.problems(changed))
                    given = {**example.with_, **case.with_}
                    yield from _answered(case, ask(changed, example.ask, **given), place)
                    yield from (f"{place} : {fault}" for fault in options.unshown(example, changed, given))
                except TutorError as error:
                    yield f"{place} : {error}"


def _answered(asked: Prediction, result: Result[Any], place: str) -> Iterator[str]:
    """Exactly one choice fits, and the step that is said to answer is in the trace."""
    yield from _one_choice(asked.choices, view(result), place)
    because = asked.because
    if because and not result.refusals and all(because not in (s.rule, s.code) for s in result.trace.walk()):
        yield f"{place} : la trace n’a pas d’étape « {because} »."


def _one_choice(choices: list[Choice], seen: dict[str, Any], place: str) -> Iterator[str]:
    if fitting(choices, seen) is None:
        brief = {key: value for key, value in seen.items() if value not in (None, [])}
        yield f"{place} : aucun choix, ou plusieurs, ne correspond au résultat {brief}."


def _exercises(held: Game) -> Iterator[str]:
    known = {one.id: one for one in lessons.lessons(held.id)}
    for exercise in lessons.exercises(held.id).values():
        place = f"exercises : {exercise.id}"
        for rule in (*exercise.rules, *(exercise.omit or ()), *rule_ids(exercise.hint), *rule_ids(exercise.question)):
            yield from _known(held, rule, place)
        yield from (
            f"{place} : la règle {rule} ne peut pas être laissée de côté."
            for rule in exercise.omit or ()
            if rule not in held.omittable
        )
        if exercise.lesson not in known:
            yield f"{place} : la leçon {exercise.lesson} n’existe pas."
        elif exercise.id not in known[exercise.lesson].exercise_ids:
            yield f"{place} : la leçon {exercise.lesson} ne le propose pas."
        try:
            yield from _task(held, exercise, place)
        except TutorError as error:
            yield f"{place} : {error}"


def _task(held: Game, exercise: Exercise, place: str) -> Iterator[str]:
    task = Task.of(held.id, exercise)
    task.question, task.hint  # noqa: B018 - raise when they name what is not there
    yield from (f"{place} : {fault}" for fault in held.problems(task.position))
    if not task.well_posed():
        yield f"{place} : sans réponse unique ; résultat {view(task.result(trace=False))}."
        return
    if exercise.vary:
        drawn = task
        answers = set()
        for seed in range(_VARIANTS):
            drawn = drawn.variant(seed)
            answers.add(str(drawn.solution()))
        if len(answers) < 2:
            yield f"{place} : les variantes ont toutes la même réponse."


def _replays(held: Game) -> Iterator[str]:
    """Turns played step by step: every path of decisions, known rules."""
    for path in replay.replay_files(held.id):
        told = replay.replay(held.id, path.stem)
        where = f"replays/{path.name}"
        for text in texts(told):
            for rule in rule_ids(text):
                yield from _known(held, rule, where)
        yield from (f"{where} : {fault}" for fault in replay.faults(held.id, told))


def _comparison(held: Game) -> Iterator[str]:
    """What « Côte à côte » says of this rulebook: known rules, possible boards, every step sorted."""
    for about in map(mechanism, MECHANISMS):
        book, where = about.books[held.id], f"comparison/{about.id}.yaml, {held.id}"
        for rule in {*book.rules, *rule_ids(" ".join(book.says))}:
            yield from _known(held, rule, where)
        for scene in about.scenes:
            position = about.position(held.id, scene)
            if position is None or book.board is None:
                continue
            place = f"{where}, scène {scene.id}"
            yield from (f"{place} : {problem}" for problem in held.problems(position))
            for step in about.result(held.id, position, scene).trace.children:
                if book.board.kind_of(step) is None:
                    yield f"{place} : l’étape {step.code} n’a pas de sorte."


def _quick(held: Game) -> Iterator[str]:
    """The sheets of « À table »: known rules, and no tap that makes an impossible position or an unknown answer."""
    for sheet in sheets(held.id):
        for rule in sheet.rules:
            yield from _known(held, rule, f"quick.yaml, {sheet.id}")
        for control in sheet.controls:
            for index, option in enumerate(control.options):
                place = f"quick.yaml, {sheet.id}, {control.label} : {option.label}"
                position, _ = sheet.situation(held.id, {control.id: index})
                yield from (f"{place} : {problem}" for problem in held.problems(position))
                result = sheet.result(held.id, {control.id: index})
                if result.outcome == "unknown" and not option.unknown:
                    yield f"{place} : la réponse est inconnue ({result.missing})."


def _cases(held: Game) -> Iterator[str]:
    folder = coverage.cases_folder(held.id)
    if folder.is_dir():
        for path in cases.case_files(folder):
            for case in cases.read_cases(path):
                for rule in case.rules:
                    yield from _known(held, rule, path.name)
