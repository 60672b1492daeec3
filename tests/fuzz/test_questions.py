"""Every question of every rulebook, asked wrongly: an answer, a refusal, or a French sentence; never a stray error.

What is asked begins as golden cases and exercises ask it; declarations, and the boards themselves, are then changed at
random. ``LDV_FUZZ=20000 make test PYTEST_ARGS=tests/fuzz`` asks each question so many times.
"""

from __future__ import annotations

import copy
import random
import traceback
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz.mutation import Mutator, count, draws
from tutor.core.errors import TutorError
from tutor.core.position import Position
from tutor.core.registry import GAMES, ask, game
from tutor.course.cases import case_files, position_of, read_cases
from tutor.course.coverage import cases_folder
from tutor.course.lessons import readable

#: Times that each question is asked in the ordinary suite; boards that it is asked on, besides its own.
ORDINARY, BOARDS = 500, 30
_ANYTHING: tuple[Any, ...] = (
    True,
    False,
    0,
    1,
    -1,
    13,
    10**9,
    10**30,
    "x",
    "",
    "3",
    [],
    ["x"],
    {},
    {"x": "y"},
    {"x": 10**30},
    None,
)
Asked = tuple[Position, dict[str, Any]]


@cache
def known(game_id: str) -> dict[str, list[Asked]]:
    """Some declarations of each question that cases, examples and exercises make: few, on different boards."""
    asked: dict[str, list[Asked]] = {name: [] for name in game(game_id).rules}

    def keep(name: str, position: Position, declared: dict[str, Any]) -> None:
        if len(asked[name]) < 6 and all(declared.keys() != other.keys() or position != at for at, other in asked[name]):
            asked[name].append((position, dict(declared)))

    for path in case_files(cases_folder(game_id)):
        for case in read_cases(path):
            if len(asked[case.ask]) < 6:
                keep(case.ask, position_of(case, path), case.with_)
    for lesson in readable(game_id)[0]:
        for example in lesson.examples.values():
            if not asked[example.ask]:
                keep(example.ask, game(game_id).position(example.position).change(example.changes), example.with_)
    chances = {name: rule.odds for name, rule in game(game_id).rules.items() if rule.odds}
    for name, odds in chances.items():
        for position, declared in asked[name]:
            shared = {key: value for key, value in declared.items() if key in game(game_id).rules[odds].arguments}
            keep(odds, position, shared)
    board = next(position for pairs in asked.values() for position, _ in pairs)
    for name, pairs in asked.items():
        if not pairs:  # nothing asks it by itself: a declaration guessed from what it takes
            mutator = Mutator(draws(game_id, name, "guess"), words(game_id, board))
            taken = game(game_id).rules[name].arguments.values()
            pairs.append((board, {one.name: _guess(str(one.annotation), mutator) for one in taken}))
    return asked


def words(game_id: str, position: Position) -> list[str]:
    """Names that mean something on a board."""
    rulebook, grid = game(game_id), position.grid
    cells = list(grid.cells)
    rows = [row for table in rulebook.tables.values() for row in list(table.rows)[:8]]
    some = [*cells[:3], *cells[len(cells) // 2 :][:3], *cells[-3:]]
    return [
        *(piece.id for piece in position.pieces for _ in range(3)),
        *(piece.at for piece in position.pieces if piece.at),
        *some,
        *(
            f"{some[0]}/{some[1]}",
            f"{some[0]}-{some[1]}",
            "",
            "axis",
            "allies",
            "german",
            "us",
            "all",
            "ZZ9",
            "inconnu",
        ),
        *random.Random(game_id).sample([str(row) for row in rows], min(40, len(rows))),
    ]


class Boards:
    """Boards of a game that nobody should play on, but that anybody can upload."""

    def __init__(self, game_id: str, draw: random.Random) -> None:
        self._draw = draw
        rulebook = game(game_id)
        self._sources = [position.data() for asked in known(game_id).values() for position, _ in asked]
        self._words = [w for name in rulebook.positions()[:3] for w in words(game_id, rulebook.position(name))]
        states = [key for data in self._sources for key in data.get("state", {})]
        self._words += ["broken", "suppressed", "eliminated", "squad", "leader", "tank", "mg", *states]

    def make(self) -> Position:
        """A board that can be read: a board of the game, changed until the loader takes it."""
        while True:
            mutator = Mutator(self._draw, self._words)
            data = mutator.mutate(self._draw.choice(self._sources), 8)
            for block in ("state", "settings", "markers"):  # what lives there is of any kind, or missing
                if self._draw.random() < 0.5 and isinstance(data.get(block), dict):
                    self._muddle(data[block])
            if self._draw.random() < 0.3 and isinstance(data.get("pieces"), list):
                self._crowd(data["pieces"])
            try:
                made = Position.from_data(data)
                made.to_link()
            except TutorError:
                continue
            if made.game == self._sources[0]["game"]:
                return made

    def _muddle(self, block: dict[str, Any]) -> None:
        for key in list(block):
            if isinstance(block[key], dict) and self._draw.random() < 0.7:
                self._muddle(block[key])
            elif self._draw.random() < 0.4:
                block[key] = copy.deepcopy(self._draw.choice(_ANYTHING))
            elif self._draw.random() < 0.1:
                del block[key]

    def _crowd(self, pieces: list[Any]) -> None:
        """Pieces without values, without places, on one place, carried by one another."""
        real = [one for one in pieces if isinstance(one, dict)]
        for piece in real:
            others = [one.get("id") for one in real]
            key = self._draw.choice(("at", "carrier", "counter", "front", "nation", "kind", "side", "status", "back"))
            match self._draw.randrange(3):
                case 0 if key not in ("kind", "side"):
                    piece.pop(key, None)
                case 1 if key == "carrier":
                    piece[key] = self._draw.choice(others)
                case _ if key in ("at", "kind", "side", "counter", "nation"):
                    piece[key] = self._draw.choice(real).get(key)


@cache
def odd_boards(game_id: str) -> tuple[Position, ...]:
    """Boards that questions of a game are asked on, made once."""
    boards = Boards(game_id, draws(game_id, "boards"))
    return tuple(boards.make() for _ in range(BOARDS))


def hostile(game_id: str, name: str, times: int) -> Iterator[tuple[Position, dict[str, Any], dict[str, Any]]]:
    """Boards, declarations and ways of asking, one after another."""
    draw = draws(game_id, name)
    rule = game(game_id).rules[name]
    boards = Boards(game_id, draw) if times > ORDINARY else None
    asked = known(game_id)[name]
    others = [position for pairs in known(game_id).values() for position, _ in pairs[:1]]
    strange = list(odd_boards(game_id))
    mutators = {}
    for number in range(times):
        own, declared = draw.choice(asked)
        position = own if draw.random() < 0.6 else draw.choice(strange) if draw.random() < 0.8 else draw.choice(others)
        if boards and number % 500 == 499:
            strange[draw.randrange(BOARDS)] = boards.make()
        mutator = mutators.get(id(position))
        if mutator is None:
            mutator = mutators[id(position)] = Mutator(draw, words(game_id, position))
        given = mutator.mutate(declared) if declared and draw.random() < 0.9 else dict(declared)
        if draw.random() < 0.25:  # an argument that this declaration leaves out
            parameter = draw.choice(list(rule.arguments.values()) or [None])
            if parameter is not None:
                given[parameter.name] = _guess(str(parameter.annotation), mutator)
        extra: dict[str, Any] = {"trace": draw.random() < 0.2}
        if draw.random() < 0.1 and game(game_id).omittable:
            extra["without"] = draw.sample(sorted(game(game_id).omittable), 1)
        yield position, given, extra


def _guess(annotation: str, mutator: Mutator) -> Any:
    """A value that an annotation may mean."""
    draw = mutator.draw
    if draw.random() < 0.2:
        return mutator.junk()
    if "dict" in annotation or "Mapping" in annotation:
        inner = mutator.value(0) if "int" in annotation else mutator.value(None)
        entry = {mutator.word(): inner if draw.random() < 0.5 else [mutator.value(0), mutator.value(0)]}
        return [entry] if annotation.startswith(("list", "Sequence", "tuple")) else entry
    if annotation.startswith(("list", "Sequence", "tuple")):
        of_numbers = "int" in annotation
        items = [draw.randint(1, 6) if of_numbers else mutator.word() for _ in range(draw.choice((0, 1, 2, 3)))]
        return [items] if annotation.count("[") > 1 else items
    return mutator.value(True if annotation.startswith("bool") else 0 if annotation.startswith("int") else "x")


def strays(game_id: str, name: str, times: int) -> Counter[str]:
    """What went wrong otherwise than by a sentence: exception and place, how often."""
    wrong: Counter[str] = Counter()
    rulebook = game(game_id)
    for position, given, extra in hostile(game_id, name, times):
        try:
            result = ask(position, name, **{**extra, **given})
            if extra["trace"]:
                for _ in rulebook.untold(result.trace, position):
                    pass
                result.as_json()
        except TutorError as error:
            if not error.sentence.strip():
                wrong["a sentence that says nothing"] += 1
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            ours = [f for f in traceback.extract_tb(error.__traceback__) if "/tutor/games/" in f.filename][-2:]
            where = " < ".join(f"{Path(f.filename).name}:{f.lineno}" for f in reversed(ours))
            wrong[
                f"{name}: {type(error).__name__} {str(error)[:60]} at {Path(place.filename).name}:{place.lineno} ({where}) {given!r:.300}"
            ] += 1
    return wrong


QUESTIONS = [(game_id, name) for game_id in GAMES for name in sorted(game(game_id).rules)]


@pytest.mark.parametrize(("game_id", "name"), QUESTIONS, ids=["-".join(one) for one in QUESTIONS])
def test_a_question_asked_wrongly_ends_in_a_sentence(game_id: str, name: str) -> None:
    wrong = strays(game_id, name, count(ORDINARY))
    assert not wrong, "\n".join(f"{times} x {what}" for what, times in wrong.most_common(12))
