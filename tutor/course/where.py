"""Where a rule is decided: the functions that name it, the lessons that teach it, the golden cases that cite it."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tutor.core.errors import RequestError
from tutor.core.phrases import NBSP
from tutor.core.registry import GAMES, game
from tutor.course import cases, coverage, lessons


@dataclass(frozen=True, slots=True)
class Place:
    """Where code names a rule.

    Args:
        path: the module.
        line: where the function, or the constant, begins.
        name: its name.
        question: the question that it answers and declares to decide the rule; "" for a helper or a constant.
    """

    path: Path
    line: int
    name: str
    question: str = ""


@dataclass(frozen=True, slots=True)
class Findings:
    """All there is on a rule of a game.

    Args:
        game: its id.
        rule: id; title: of its section.
        places: questions first, then functions and constants that name it, file by file.
        lessons: (id, file) of those that teach it.
        cases: (id, file) of those that cite it.
    """

    game: str
    rule: str
    title: str
    places: tuple[Place, ...]
    lessons: tuple[tuple[str, Path], ...]
    cases: tuple[tuple[str, Path], ...]


def where(rule: str, game_id: str = "") -> list[Findings]:
    """What there is on a rule, game by game.

    Args:
        rule: id.
        game_id: of one game; "" for every game whose booklet has such a rule.

    Raises:
        RequestError: no booklet has it. UnknownRule: the one named has not.

    >>> [(one.game, one.places[0].question) for one in where("11.4", "tcs")]
    [('tcs', 'crossfire')]
    """
    if game_id:
        game(game_id).section(rule)
    games = [game_id] if game_id else [one for one in GAMES if rule in game(one).sections]
    if not games:
        raise RequestError(f"Aucun livret n’a de règle « {rule} ».", remedy="« ldv coverage » les donne toutes.")
    return [_findings(rule, one) for one in games]


def _findings(rule: str, game_id: str) -> Findings:
    rulebook = game(game_id)
    taught = [
        (one.id, rulebook.folder / "lessons" / f"{one.slug}.yaml")
        for one in lessons.readable(game_id)[0]
        if rule in one.rules
    ]
    folder = coverage.cases_folder(game_id)
    cited = [
        (case.id, path)
        for path in (cases.case_files(folder) if folder.is_dir() else ())
        for case in cases.read_cases(path)
        if rule in case.rules
    ]
    places = [place for path in sorted(rulebook.folder.rglob("*.py")) for place in named_in(path, rule)]
    places.sort(key=lambda place: not place.question)
    return Findings(game_id, rule, rulebook.section(rule).title, tuple(places), tuple(taught), tuple(cited))


def named_in(path: Path, rule: str) -> Iterator[Place]:
    """The functions and constants of a module whose code names a rule; docstrings, which may cite others, do not count.

    Args:
        path: the module.
        rule: id.
    """
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            question = _question(node, rule)
            if question or _names(node.body[1:] if ast.get_docstring(node) else node.body, rule):
                yield Place(path, node.lineno, node.name, question)
        elif isinstance(node, ast.ClassDef):
            methods = (one for one in node.body if isinstance(one, ast.FunctionDef))
            yield from (Place(path, one.lineno, f"{node.name}.{one.name}") for one in methods if _names([one], rule))
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and _names([node], rule):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            yield Place(path, node.lineno, ast.unparse(target))


def _question(node: ast.FunctionDef, rule: str) -> str:
    """The question that a function answers, when it declares to decide the rule; "" otherwise."""
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func).endswith(".question"):
            rules = [one.value for one in decorator.keywords if one.arg == "rules"]
            if _names(rules, rule) and decorator.args:
                return str(ast.literal_eval(decorator.args[0]))
    return ""


def _names(nodes: list[Any], rule: str) -> bool:
    """Whether code holds the rule's id as a text of its own."""
    return any(isinstance(one, ast.Constant) and one.value == rule for node in nodes for one in ast.walk(node))


def text(findings: Findings) -> str:
    """What there is on a rule, for a person at a terminal: each place as ``file:line``, which editors open."""
    lines = [f"{GAMES[findings.game]}{NBSP}: {findings.rule}, {findings.title}"]
    for place in findings.places:
        said = f"{place.name}, question «{NBSP}{place.question}{NBSP}»" if place.question else place.name
        lines.append(f"  {_short(place.path)}:{place.line}  {said}")
    if not findings.places:
        lines.append("  aucune fonction ne la nomme")
    for heading, there in (("leçon", findings.lessons), ("cas", findings.cases)):
        lines += [f"  {heading} {name}  {_short(path)}" for name, path in there]
        if not there:
            lines.append(f"  {'aucune leçon ne l’enseigne' if heading == 'leçon' else 'aucun cas ne la cite'}")
    return "\n".join(lines)


def plain(findings: Findings) -> dict[str, Any]:
    """The same as plain data."""
    return {
        **asdict(findings),
        "places": [asdict(place) | {"path": _short(place.path)} for place in findings.places],
        "lessons": [{"id": name, "path": _short(path)} for name, path in findings.lessons],
        "cases": [{"id": name, "path": _short(path)} for name, path in findings.cases],
    }


def _short(path: Path) -> str:
    """A path from where we are, when it is below."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else os.fspath(path)
