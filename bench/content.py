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
    start = clock(); task(); found[name] = (clock() - start) * 1000
found = {}
timed("libraries", lambda: __import__("pydantic") and __import__("yaml"))
timed("code", lambda: __import__("tutor.core.registry").core.registry.game("combat_commander"))
from tutor.core.registry import game
held = game("combat_commander")
timed("tables", lambda: held.tables)
timed("sections", lambda: held.sections)
timed("phrases", lambda: held.phrases)
timed("glossary", lambda: held.glossary)
timed("course", lambda: __import__("tutor.course.lessons"))
from tutor.course.lessons import exercises, lesson, lesson_files, lessons
timed("lesson", lambda: lessons("combat_commander")[:1])
timed("exercises", lambda: exercises("combat_commander"))
timed("positions", lambda: [held.position(name) for name in held.positions()])
print(json.dumps(found))
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
    usual = {name: min(found[name] for found in nexts) for name in first}
    content = min(sum(found[name] for name in PARTS) for found in nexts)
    at_first = sum(first[name] for name in PARTS)
    libraries = median(found["libraries"] for found in nexts)
    yield Measure("Bibliothèques (pydantic, yaml)", libraries)
    yield Measure("Code du jeu et de ses règles", usual["code"], "ms", libraries, "bibliothèques")
    yield Measure("Code du cours", usual["course"], "ms", libraries, "bibliothèques")
    yield Measure("Contenu d’un jeu, premier démarrage", at_first, "ms", libraries, "bibliothèques")
    yield Measure("Contenu d’un jeu, démarrages suivants", content, "ms", at_first, "premier démarrage", TARGET)
    for name, label in PARTS.items():
        yield Measure(label, usual[name], "ms", first[name], "premier démarrage")
