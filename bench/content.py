"""Loading: the import of the library, then the content of one game, on the first start and on the next ones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from statistics import median

from bench.measures import Measure

TITLE = "Chargement (un processus neuf à chaque essai)"
TARGET = 30.0
STARTS = 5
CHILD = """
import json, sys
from time import process_time as clock
def timed(name, task):
    start = clock(); task(); durations[name] = (clock() - start) * 1000
durations = {}
timed("libraries", lambda: __import__("pydantic") and __import__("yaml"))
def code():
    from tutor.core.registry import GAMES, game
    return game(next(iter(GAMES)))
timed("code", code)
rulebook = code()
timed("tables", lambda: rulebook.tables)
timed("sections", lambda: rulebook.sections)
timed("phrases", lambda: rulebook.phrases)
timed("glossary", lambda: rulebook.glossary)
timed("course", lambda: __import__("tutor.course.lessons"))
from tutor.course.lessons import exercises, lesson, lesson_files, lessons
timed("lesson", lambda: lessons(rulebook.id)[:1])
timed("exercises", lambda: exercises(rulebook.id))
timed("positions", lambda: [rulebook.position(name) for name in rulebook.positions()])
print(json.dumps(durations))
"""
PARTS = {
    "tables": "  tables",
    "sections": "  index des règles",
    "phrases": "  phrases",
    "glossary": "  glossaire",
    "lesson": "  leçons",
    "exercises": "  exercices",
    "positions": "  positions",
}


def start(kept: str) -> dict[str, float]:
    """Milliseconds of each part, in a new process that keeps its compiled files in ``kept``."""
    env = {**os.environ, "PYTHONPYCACHEPREFIX": kept}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run([sys.executable, "-c", CHILD], env=env, capture_output=True, text=True, check=True)
    return {name: float(value) for name, value in json.loads(done.stdout).items()}


def run() -> Iterator[Measure]:
    """Measure."""
    with tempfile.TemporaryDirectory() as kept:
        first = start(kept)
        nexts = [start(kept) for _ in range(STARTS)]
    usual = {name: min(start_times[name] for start_times in nexts) for name in first}
    content = min(sum(start_times[name] for name in PARTS) for start_times in nexts)
    at_first = sum(first[name] for name in PARTS)
    libraries = median(start_times["libraries"] for start_times in nexts)
    yield Measure("Bibliothèques (pydantic, yaml)", libraries)
    yield Measure("Code du jeu et de ses règles", usual["code"], "ms", libraries, "bibliothèques")
    yield Measure("Code du cours", usual["course"], "ms", libraries, "bibliothèques")
    yield Measure("Contenu d’un jeu, premier démarrage", at_first, "ms", libraries, "bibliothèques")
    yield Measure("Contenu d’un jeu, démarrages suivants", content, "ms", at_first, "premier démarrage", TARGET)
    for name, label in PARTS.items():
        yield Measure(label, usual[name], "ms", first[name], "premier démarrage")
