"""Is all content valid? Index, tables, sentences, glossary, positions, lessons, exercises, cases:
every fault, with its file.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tutor.core.errors import TutorError
from tutor.core.marks import Drawn
from tutor.core.position import Position
from tutor.core.registry import Game, ask, game
from tutor.core.result import Result
from tutor.core.yamlio import read_yaml
from tutor.course import articles, cases, coverage, lessons, options, replay, scenario, why
from tutor.course.circumstances import circumstances
from tutor.course.comparison import MECHANISMS, Mechanism, Scene, mechanism
from tutor.course.exercises import Task, fitting
from tutor.course.figures import places
from tutor.course.matching import view
from tutor.course.models import Choice, Exercise, Lesson, LiveExample, Prediction, Question, WhatIfs, texts
from tutor.course.prose import rule_ids
from tutor.course.quick import Sheet, sheets
from tutor.course.session_plan import session_plan

#: A text of the code that is a rule id of these games' form: 10.3.3, T88.2, O20.3.1, A33, F106.3, E52.
_RULE = re.compile(r"(?:[OTAEF]\d{1,3}|\d{1,2}(?=\.))(?:\.\d{1,2}){0,4}\Z")
_VARIANTS = 6
_LONGEST_REASON = 240
_MOST_ALIKE = 5
_AUTHOR = re.compile(r"\b(auteur|concepteur|éditeur)s?\b", re.IGNORECASE)


def faults(game_id: str, only: Collection[str] = ()) -> list[str]:
    """Every fault of a game's content.

    Args:
        game_id: the game.
        only: names of the parts to look at, of `PARTS`; all of them when empty.

    Returns:
        French lines; empty when all is well.

    >>> faults("combat_commander", only=["glossary", "tables"])
    []
    """
    rulebook = game(game_id)
    parts = {name: examine for name, examine in PARTS.items() if not only or name in only}
    return [fault for examine in parts.values() for fault in _until_error(examine(rulebook))]


def _until_error(lines: Iterable[str], place: str = "") -> Iterator[str]:
    """Faults as they come; an error that stops the search for more is the last of them."""
    try:
        yield from lines
    except TutorError as error:
        yield error.sentence if error.path and error.path in place else str(error)


def _at(place: str, lines: Iterable[str]) -> Iterator[str]:
    """Faults, each with its place."""
    return (f"{place} : {fault}" for fault in _until_error(lines, place))


def _raised(function: Callable[..., object], *given: Any) -> Iterator[str]:
    """What a function that must not raise raises."""
    try:
        function(*given)
    except TutorError as error:
        yield str(error)


def _known(rulebook: Game, rules: Iterable[str]) -> Iterator[str]:
    return (f"la règle {rule} n’est pas dans l’index." for rule in rules if rule not in rulebook.sections)


def _twice(seen: dict[str, str], where: str, names: Iterable[str]) -> Iterator[str]:
    """Names that another file has already; those seen are noted."""
    for name in names:
        if name in seen:
            yield f"{name} est déjà dans {seen[name]}."
        seen[name] = where


def _files(rulebook: Game) -> Iterator[str]:
    """Every YAML file of the game is strict YAML."""
    for path in sorted(rulebook.folder.rglob("*.yaml")):
        yield from _raised(read_yaml, path)


def _index(rulebook: Game) -> Iterator[str]:
    seen: set[str] = set()
    for section in read_yaml(rulebook.folder / "sections.yaml"):
        if section["id"] in seen:
            yield f"sections.yaml : l’entrée {section['id']} est donnée deux fois."
        seen.add(section["id"])
        if not str(section.get("summary") or "").strip():
            yield f"sections.yaml : l’entrée {section['id']} n’a pas de résumé."
        yield from _at(f"sections.yaml : {section['id']}", reason_faults(section.get("reason")))
    for one in rulebook.sections.values():
        for other in (*one.see, *([one.parent] if one.parent else [])):
            if other not in rulebook.sections:
                yield f"sections.yaml : {one.id} renvoie à {other}, qui n’existe pas."
    named = (*(s.rule for s in rulebook.settings.values()), *(i for r in rulebook.rules.values() for i in r.ids))
    yield from _at("game.py", _known(rulebook, (*rulebook.omittable, *named)))


def reason_faults(reason: Any) -> Iterator[str]:
    """What a rule means for who plays: short, a sentence that goes on after « cela veut dire : », and ours."""
    if reason is None:
        return
    if not isinstance(reason, str) or not reason.strip().endswith("."):
        yield "« reason » est une phrase, avec son point."
    elif len(reason) > _LONGEST_REASON:
        yield f"« reason » tient en {_LONGEST_REASON} caractères."
    elif _AUTHOR.search(reason):
        yield "« reason » dit ce que la règle fait faire au joueur, pas ce que l’auteur voulait."


def code_rule_ids(path: Path) -> set[str]:
    """Rule ids that a module writes as texts of their own (not in docstrings or sentences)."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _RULE.match(node.value)
    }


def _rules_in_code(rulebook: Game) -> Iterator[str]:
    for path in sorted(rulebook.folder.rglob("*.py")):
        yield from _at(str(path.relative_to(rulebook.folder)), _known(rulebook, sorted(code_rule_ids(path))))


def _tables(rulebook: Game) -> Iterator[str]:
    for table in rulebook.tables.values():
        rules = {table.rule}
        for cells in table.rows.values():
            rules |= {str(cells["rule"])} if "rule" in cells else set()
            rules |= {str(cell["rule"]) for cell in cells.values() if isinstance(cell, dict) and "rule" in cell}
        yield from _at(table.path, _known(rulebook, sorted(rules)))
    for code, template in rulebook.phrases.templates.items():
        if not isinstance(template, str) or not template.strip():
            yield f"phrases : l’étape « {code} » n’a pas de phrase."


def _glossary(rulebook: Game) -> Iterator[str]:
    for entry in rulebook.glossary:
        yield from _at("glossary.yaml", _known(rulebook, entry.get("rules") or ()))


def _positions(rulebook: Game) -> Iterator[str]:
    for name in rulebook.positions():
        yield from _at(f"positions/{name}.yaml", _position(rulebook, name))


def _position(rulebook: Game, name: str) -> Iterator[str]:
    position = rulebook.position(name)
    if position.id != name:
        yield f"« id » vaut {position.id}."
    yield from rulebook.faults(position)
    if Position.parse(position.dump()) != position:
        yield "relue après écriture, la position change."
    for tweak in position.tweaks:
        yield from _at(f"réglage {tweak.path}", _raised(position.read, tweak.path))


def _lessons(rulebook: Game) -> Iterator[str]:
    known, broken = lessons.readable(rulebook.id)
    yield from map(str, broken)
    seen: dict[str, str] = {}
    for one in known:
        where = f"lessons/{one.slug}.yaml"
        yield from _at(where, _twice(seen, where, (one.id, f"numéro {one.number}")))
        yield from _at(where, _lesson(rulebook, one, {other.id for other in known}))


def _lesson(rulebook: Game, lesson: Lesson, ids: Collection[str]) -> Iterator[str]:
    yield from _known(rulebook, lesson.rules)
    for text in lesson.prose():
        yield from _known(rulebook, rule_ids(text))
    words = {entry["term"] for entry in rulebook.glossary}
    yield from (f"« {word} » n’est pas au glossaire." for word in lesson.glossary if word not in words)
    for block in lesson.blocks:
        if block.kind == "suite" and block.lesson and block.lesson not in ids:
            yield f"la leçon suivante {block.lesson} n’existe pas."
        if block.kind == "replay":
            yield from _raised(replay.replay, rulebook.id, block.id)
    yield from _raised(lessons.exercises_of, rulebook.id, lesson)
    yield from example_faults(rulebook, lesson)


def _example(rulebook: Game, example: LiveExample) -> Iterator[str]:
    """A live example: its board, its rules at work, its sentences, its question, what the reader may change."""
    position = rulebook.position(example.position).change(example.changes)
    result = ask(position, example.ask, **example.with_)
    yield from rulebook.faults(position)
    traced = set(result.trace.rules())
    yield from (f"la règle {rule} n’est pas à l’œuvre dans la trace." for rule in example.rules if rule not in traced)
    yield from rulebook.untold(result.trace, position)
    if example.panel == "profile" and not (
        (isinstance(result.value, Drawn) and result.value.from_side()) or {"spotter", "target"} <= set(example.with_)
    ):
        yield f"« panel: profile », mais « {example.ask} » ne donne pas de profil."
    if example.question:
        yield from answer_faults(example.question, result)
    for tweak in example.tweaks:
        yield from _raised(position.read, tweak.path)
    for pick in example.picks:
        if pick.argument.partition(".")[0] not in rulebook.rules[example.ask].arguments:
            yield f"« {pick.argument} » n’est pas un argument de « {example.ask} »."
    if example.odds:
        ask(position, example.odds.ask, trace=False, **example.odds.arguments(example.with_))


def _articles(rulebook: Game) -> Iterator[str]:
    """« Article par article »: known sections, each once; live examples whose every choice gives a result."""
    seen: dict[str, str] = {}
    for path in lessons.article_files(rulebook.id):
        yield from _at(f"articles/{path.name}", _family(rulebook, path, seen))


def _family(rulebook: Game, path: Path, seen: dict[str, str]) -> Iterator[str]:
    family = articles.read_family(path)
    for text in texts(family):
        yield from _known(rulebook, rule_ids(text))
    for article in family.articles:
        yield from _known(rulebook, [article.rule])
        names = (f"l’article {article.rule}", *(f"l’exemple {example.id}" for example in article.examples))
        yield from _twice(seen, path.name, names)
        for example in article.examples:
            place = f"exemple {example.id}"
            lines = list(_at(place, _example(rulebook, example)))
            yield from lines
            if not lines:
                position = rulebook.position(example.position).change(example.changes)
                yield from _at(place, options.faults(rulebook, example, position))


def example_faults(rulebook: Game, lesson: Lesson) -> Iterator[str]:
    """What is wrong with the examples of a lesson, and with what it asks about them."""
    examples = lesson.examples
    for example in examples.values():
        place = f"exemple {example.id}"
        lines = list(_at(place, _example(rulebook, example)))
        yield from lines
        if not lines:
            base = rulebook.position(example.position).change(example.changes)
            yield from _at(place, options.unshown(example, base, example.with_))
    for block in lesson.blocks:
        if isinstance(block, (Question, WhatIfs)):
            if block.example in examples:
                yield from _predictions(rulebook, examples[block.example], block)
            else:
                yield f"l’exemple {block.example} n’existe pas."


def _predictions(rulebook: Game, example: LiveExample, block: Question | WhatIfs) -> Iterator[str]:
    """What a lesson asks about one of its examples: as it is, or changed."""
    if isinstance(block, Question):
        yield from _at("question", _prediction(rulebook, example, block, {}, {}))
        return
    for number, case in enumerate(block.cases, 1):
        place = f"et si {number} de {block.example}"
        yield from _at(place, _prediction(rulebook, example, case, case.changes, case.with_))


def _prediction(
    rulebook: Game, example: LiveExample, asked: Prediction, changes: Mapping[str, Any], with_: Mapping[str, Any]
) -> Iterator[str]:
    changed, given = (
        rulebook.position(example.position).change({**example.changes, **changes}),
        {**example.with_, **with_},
    )
    yield from rulebook.faults(changed)
    yield from answer_faults(asked, ask(changed, example.ask, **given))
    yield from options.unshown(example, changed, given)


def answer_faults(asked: Prediction, result: Result[Any]) -> Iterator[str]:
    """Exactly one choice fits, and the step that is said to answer is in the trace."""
    seen, because = view(result), asked.because
    if fitting(asked.choices, seen) is None:
        brief = {key: value for key, value in seen.items() if value not in (None, [])}
        yield f"aucun choix, ou plusieurs, ne correspond au résultat {brief}."
    right = fitting(asked.choices, seen)
    yield from cause_faults(asked.choices)
    for choice in asked.choices:
        if choice.label == right and choice.because_not:
            yield f"« {choice.label} » est juste : ôtez « because_not »."
    if because and not result.refusals and all(because not in (s.rule, s.code) for s in result.trace.walk()):
        yield f"la trace n’a pas d’étape « {because} »."


def cause_faults(choices: Iterable[Choice]) -> Iterator[str]:
    """A written cause cites a rule or a place."""
    for choice in choices:
        if choice.because_not and not rule_ids(choice.because_not) and not places(choice.because_not):
            yield f"« {choice.label} » : « because_not » cite une règle ([[10.2]]) ou un lieu."


def _written(rulebook: Game) -> Iterator[str]:
    """No written cause serves for too many choices."""
    asked = [one.prediction.choices for one in why.posed(rulebook.id) if one.prediction]
    asked += [one.answer.choices for one in lessons.exercises(rulebook.id).values()]
    written = Counter(choice.because_not for choices in asked for choice in choices if choice.because_not)
    for text, times in written.items():
        if times > _MOST_ALIKE:
            yield f"« {text} » sert de cause à {times} choix : {_MOST_ALIKE} au plus."


def _exercises(rulebook: Game) -> Iterator[str]:
    known = {one.id: one for one in lessons.readable(rulebook.id)[0]}
    for exercise in lessons.exercises(rulebook.id).values():
        yield from _at(f"exercises : {exercise.id}", _exercise(rulebook, exercise, known))


def _exercise(rulebook: Game, exercise: Exercise, known: Mapping[str, Lesson]) -> Iterator[str]:
    omit = exercise.omit or ()
    yield from _known(rulebook, (*exercise.rules, *omit, *rule_ids(exercise.hint), *rule_ids(exercise.question)))
    yield from _known(rulebook, (rule for one in exercise.answer.choices for rule in rule_ids(one.because_not or "")))
    yield from cause_faults(exercise.answer.choices)
    yield from (f"la règle {rule} ne peut pas être laissée de côté." for rule in omit if rule not in rulebook.omittable)
    if exercise.lesson not in known:
        yield f"la leçon {exercise.lesson} n’existe pas."
    elif exercise.id not in known[exercise.lesson].exercise_ids:
        yield f"la leçon {exercise.lesson} ne le propose pas."
    task = Task.of(rulebook.id, exercise)
    task.question, task.hint  # noqa: B018 - raise when they name what is not there
    yield from rulebook.faults(task.position)
    if not task.well_posed():
        yield f"sans réponse unique ; résultat {view(task.result(trace=False))}."
    elif exercise.vary:
        answers, drawn = set(), task
        for seed in range(_VARIANTS):
            drawn = drawn.variant(seed)
            answers.add(str(drawn.solution()))
        if len(answers) < 2:
            yield "les variantes ont toutes la même réponse."


def _replays(rulebook: Game) -> Iterator[str]:
    """Turns played step by step: every path of decisions, known rules."""
    for path in replay.replay_files(rulebook.id):
        yield from _at(f"replays/{path.name}", _replay(rulebook, path))


def _replay(rulebook: Game, path: Path) -> Iterator[str]:
    turn = replay.replay(rulebook.id, path.stem)
    for text in texts(turn):
        yield from _known(rulebook, rule_ids(text))
    yield from replay.faults(rulebook.id, turn)


def _scenarios(rulebook: Game) -> Iterator[str]:
    """Mini-scenarios: known rules and lesson, possible boards, orders of the game, something to decide at once."""
    for path in scenario.scenario_files(rulebook.id):
        yield from _at(f"scenarios/{path.name}", _scenario(rulebook, path))


def _scenario(rulebook: Game, path: Path) -> Iterator[str]:
    content = scenario.scenario(rulebook.id, path.stem)
    yield from _known(rulebook, [*content.rules, *(rule for text in texts(content) for rule in rule_ids(text))])
    run = scenario.Skirmish.of(rulebook.id, content, "AAAA")
    yield from rulebook.faults(run.start)
    if content.after not in {one.id for one in lessons.lessons(rulebook.id)}:
        yield f"la leçon « {content.after} » n’existe pas."
    if not run.must:
        yield "le lecteur ne peut donner aucun ordre."


def _comparison(rulebook: Game) -> Iterator[str]:
    """What « Côte à côte » says of this rulebook: known rules, possible boards, every step sorted."""
    for about in map(mechanism, MECHANISMS):
        book, where = about.books.get(rulebook.id), f"comparison/{about.id}.yaml"
        if book is None:
            continue
        yield from _at(where, _known(rulebook, sorted({*book.rules, *rule_ids(" ".join(book.says))})))
        for scene in about.scenes:
            yield from _at(f"{where}, scène {scene.id}", _scene(rulebook, about, scene))


def _scene(rulebook: Game, about: Mechanism, scene: Scene) -> Iterator[str]:
    board, position = about.books[rulebook.id].board, about.position(rulebook.id, scene)
    if board is None or position is None:
        return
    yield from rulebook.faults(position)
    for step in about.result(rulebook.id, position, scene).trace.children:
        if board.kind_of(step) is None:
            yield f"l’étape {step.code} n’a pas de sorte."


def _quick(rulebook: Game) -> Iterator[str]:
    """The sheets of « À table »: known rules, and no tap that makes an impossible position or an unknown answer."""
    for sheet in sheets(rulebook.id):
        where = f"quick.yaml, {sheet.id}"
        yield from _at(where, _known(rulebook, sheet.rules))
        for control in sheet.controls:
            for index, option in enumerate(control.options):
                place = f"{where}, {control.label} : {option.label}"
                yield from _at(place, _tap(rulebook, sheet, {control.id: index}, option.unknown))


def _plan(rulebook: Game) -> Iterator[str]:
    """The plan of a session: scenes, exercises and rules that exist."""
    if plan := session_plan(rulebook.id):
        texts = [text for step in plan.steps for text in (step.do, step.ask, step.expect) if text]
        yield from _at("session.yaml", _known(rulebook, [rule for text in texts for rule in rule_ids(text)]))
        yield from _at("session.yaml", plan.faults(rulebook.id))


def _tap(rulebook: Game, sheet: Sheet, taps: Mapping[str, int], unknown: bool) -> Iterator[str]:
    position, _ = sheet.situation(rulebook.id, taps)
    yield from rulebook.faults(position)
    result = sheet.result(rulebook.id, taps)
    if result.outcome == "unknown" and not unknown:
        yield f"la réponse est inconnue ({result.missing})."


def _forms(rulebook: Game) -> Iterator[str]:
    """What the free board and the editor offer: a board that can be, circumstances that can be read."""
    kit = rulebook.kit
    yield from _raised(circumstances, rulebook.id)
    if kit.first not in rulebook.positions():
        yield f"kit.py : la position « {kit.first} » n’existe pas."
    asked = {name for shot in kit.shots.values() for name in (shot.ask, shot.odds) if name}
    yield from (f"kit.py : la question « {name} » n’existe pas." for name in sorted(asked - set(rulebook.rules)))


def _cases(rulebook: Game) -> Iterator[str]:
    folder = coverage.cases_folder(rulebook.id)
    for path in cases.case_files(folder) if folder.is_dir() else ():
        yield from _at(path.name, _case_rules(rulebook, path))


def _case_rules(rulebook: Game, path: Path) -> Iterator[str]:
    for case in cases.read_cases(path):
        yield from _known(rulebook, case.rules)


#: What a game's content is made of, by the name of the part, and what looks for its faults, in that order.
PARTS: Mapping[str, Callable[[Game], Iterator[str]]] = {
    "files": _files,
    "index": _index,
    "code": _rules_in_code,
    "tables": _tables,
    "glossary": _glossary,
    "positions": _positions,
    "lessons": _lessons,
    "exercises": _exercises,
    "articles": _articles,
    "replays": _replays,
    "scenarios": _scenarios,
    "comparison": _comparison,
    "quick": _quick,
    "plan": _plan,
    "forms": _forms,
    "cases": _cases,
    "causes": _written,
}
