"""What a hostile or hasty hand makes of good input: other kinds, other names, too much, too little, at any depth.

Everything is drawn from a seed: the same inputs on every machine. ``LDV_FUZZ=20000`` asks for that many inputs of each
kind instead of the ordinary number, ``LDV_FUZZ_SEED`` for others.
"""

from __future__ import annotations

import copy
import os
import random
from collections.abc import Iterator
from typing import Any

Path = tuple[Any, ...]
#: Whole numbers where rules begin, end, or break.
NUMBERS = (-1_000_000, -99, -13, -7, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 13, 20, 36, 99, 100, 999, 1000, 10**6)
#: What no argument is.
JUNK: tuple[Any, ...] = (
    None, True, False, 10**6 + 1, -(10**18), 10**30, 1.5, -0.0, 1e308, float("nan"), float("inf"), "", " ", "0", "1e999", "ZZ99", "A0",
    "A1/", "/", "a/b/c", ".", "..", "\x00", "\ud800", "é" * 300, "__class__", "{0.__class__}", "%s", [], [[]], [None], [[1, 2]], [1] * 3,
    [0] * 601, ["A1"] * 601, {}, {"": 1}, {"a": {}}, {"a": None}, {"at": "A1"}, {1: 1}, {None: 1}, [{}], [{"a": 1}], [[[[[[]]]]]], (), "-1", "½", "²",
)  # fmt: skip


def count(ordinary: int) -> int:
    """How many inputs to try: the ordinary number, or what ``LDV_FUZZ`` says."""
    return int(os.environ.get("LDV_FUZZ", "") or ordinary)


def draws(*name: object) -> random.Random:
    """Draws of one test, the same each time."""
    return random.Random("/".join(map(str, (os.environ.get("LDV_FUZZ_SEED", "0"), *name))))


def places(data: Any, here: Path = ()) -> Iterator[Path]:
    """Every place in plain data, the whole last."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, (list, tuple)) else ()
    for key, item in items:
        yield from places(item, (*here, key))
    yield here


def at(data: Any, path: Path) -> Any:
    """What stands at a place."""
    for key in path:
        data = data[key]
    return data


class Mutator:
    """Changes plain data a little.

    Args:
        draw: where chances come from; words: names that mean something where the data is read.
    """

    def __init__(self, draw: random.Random, words: list[str]) -> None:
        self.draw, self.words = draw, words

    def mutate(self, data: dict[str, Any], changes: int = 3) -> dict[str, Any]:
        """Other data: one to ``changes`` things differ."""
        made = copy.deepcopy(data)
        for _ in range(self.draw.randint(1, changes)):
            made = self._once(made)
        return made

    def _once(self, data: dict[str, Any]) -> dict[str, Any]:
        path = self.draw.choice(list(places(data))[:-1] or [()])
        if not path:
            return {self.word(): self.value(None)}
        parent, key = at(data, path[:-1]), path[-1]
        if isinstance(parent, tuple):
            return data
        match self.draw.randrange(10):
            case 0:
                del parent[key]
            case 1 if isinstance(parent, list):
                parent.extend([parent[key]] * self.draw.choice((1, 1, 2, 40)))
            case 1:
                parent[self.word()] = copy.deepcopy(parent[key])
            case 2:
                parent[key] = copy.deepcopy(at(data, self.draw.choice(list(places(data))[:-1])))
            case 3:
                parent[key] = self.junk()
            case 4:
                parent[key] = [parent[key]] if self.draw.random() < 0.7 else {self.word(): parent[key]}
            case 5 if isinstance(parent[key], (list, dict)) and parent[key]:
                parent[key] = type(parent[key])()
            case _:
                parent[key] = self.value(parent[key])
        return data

    def value(self, old: Any) -> Any:
        """A value of the same kind as another, most often."""
        draw = self.draw.random()
        if isinstance(old, bool):
            return not old if draw < 0.8 else self.junk()
        if isinstance(old, int):
            return self.draw.choice(NUMBERS) if draw < 0.7 else old + self.draw.choice((-1, 1))
        if isinstance(old, str):
            return self.word() if draw < 0.9 else old + self.draw.choice(("x", "1", "/", " "))
        if isinstance(old, (list, tuple)):
            many = self.draw.choice((0, 1, 2, 3, 7))
            first = old[0] if old else self.draw.choice(("", 0))
            return [self.value(first) for _ in range(many)]
        if isinstance(old, dict):
            first = next(iter(old.values()), 0)
            return {self.word(): self.value(first) for _ in range(self.draw.choice((0, 1, 2)))}
        return self.draw.choice((self.word(), self.draw.choice(NUMBERS), [], [self.word()], {self.word(): 1}, True))

    def junk(self) -> Any:
        """What no argument is."""
        return copy.deepcopy(self.draw.choice(JUNK))

    def word(self) -> str:
        """A name."""
        return self.draw.choice(self.words)
