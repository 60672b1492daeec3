"""How the project is written: tests speak to public names, and a name says what it holds or does."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tutor.core.registry import GAMES, game

ROOT = Path(__file__).resolve().parents[2]
#: Accesses of tests to private attributes: it may only fall.
MOST_PRIVATE = 26


def modules(*tops: str) -> list[Path]:
    """Every Python file of these folders."""
    return [path for top in tops for path in sorted((ROOT / top).rglob("*.py"))]


def private_accesses(text: str) -> Iterator[str]:
    """Each access of a module to a private attribute of something else than itself."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute):
            owner = node.value.id if isinstance(node.value, ast.Name) else ""
            if node.attr.startswith("_") and not node.attr.startswith("__") and owner not in ("self", "cls"):
                yield f"line {node.lineno}: {ast.unparse(node)}"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("a._b.c._d", 2),
        ("self._b + cls._c + a.__dict__ + a.b", 0),
        ("super()._b()", 1),
        ("f(x)._b = 1", 1),
    ],
)
def test_accesses_are_counted(text: str, count: int) -> None:
    assert len(list(private_accesses(text))) == count


def test_tests_speak_to_public_names() -> None:
    reached = [
        f"{path.relative_to(ROOT)}, {access}"
        for path in modules("tests")
        for access in private_accesses(path.read_text(encoding="utf-8"))
    ]
    assert len(reached) <= MOST_PRIVATE, "\n".join(reached)


# -- names ------------------------------------------------------------------------------------------------------------

#: Words that were the names of fourteen unrelated things: a value is named for what it is, a function for what it does.
EMPTY_WORDS = {"found", "held", "told", "tell"}


def names_of(text: str) -> Iterator[str]:
    """Each name of a value, a function, a class or an argument in a module, and where it is."""
    for node in ast.walk(ast.parse(text)):
        for field in ("id", "name", "arg", "attr", "asname"):
            name = getattr(node, field, None)
            if isinstance(name, str):
                yield f"line {getattr(node, 'lineno', 0)}: {name}"


def empty(name: str) -> bool:
    """Whether a name says nothing of what it holds or does."""
    return name.rpartition(" ")[2].strip("_").lower() in EMPTY_WORDS


@pytest.mark.parametrize(
    "text",
    [
        "found = 1",
        "def tell(): ...",
        "class Held: ...",
        "f(told=1)",
        "x.told()",
        "import a as held",
        "def f(_found): 1",
    ],
)
def test_an_empty_word_is_seen(text: str) -> None:
    assert [name for name in names_of(text) if empty(name)] != []


@pytest.mark.parametrize("top", ["widgets", "tutor", "tests", "bench", "scripts"])
def test_names_say_what_they_hold_or_do(top: str) -> None:
    files = modules(top)
    assert files
    assert [
        f"{path.relative_to(ROOT)}, {name}"
        for path in files
        for name in names_of(path.read_text(encoding="utf-8"))
        if empty(name)
    ] == []


# -- the rooms of a game ------------------------------------------------------------------------------------------------

#: Words by which the name or the first line of a module says its mechanism.
MECHANISMS = {
    "los": r"los|sight|lines?|profile",
    "fire": r"fires?|crossfire|overwatch|fired|firers?|attacks?|attacked|firepower|ift|shots?|shooters?|to_hit|to hit",
    "move": r"moves?|movement|walk|steps?_cost|costs",
    "rally": r"rally|recovery?|morale",
    "rout": r"rout|retreat",
    "melee": r"melees?|close combat",
    "events": r"events?",
    "artillery": r"artillery|impact|barrage",
}
#: More files than this on one mechanism are a package.
MOST_FILES = 4
#: Files that serve every mechanism of a game, and so may name several.
COMMON = {"__init__", "arguments", "aftermath", "board", "counters", "game", "kit", "problems", "units", "values"}


def subject(path: Path) -> str:
    """The mechanism of a module: the first that its name says, else the first that its first line says; or ""."""
    line = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition("\n")[0]
    for text in (re.sub("_", " ", path.stem), line.partition(":")[0]):
        hits = [
            (hit.start(), name)
            for name, words in MECHANISMS.items()
            if (hit := re.search(rf"\b(?:{words})\b", text, re.IGNORECASE))
        ]
        if hits:
            return min(hits)[1]
    return ""


def crowds(folder: Path) -> dict[str, list[str]]:
    """Mechanisms on which a game has more than four files that stand in no package: mechanism -> files."""
    by_mechanism: dict[str, list[str]] = {}
    for path in sorted(folder.glob("*.py")):
        if path.stem not in COMMON and (mechanism := subject(path)):
            by_mechanism.setdefault(mechanism, []).append(path.name)
    return {name: files for name, files in by_mechanism.items() if len(files) > MOST_FILES}


def rulebooks() -> list[Path]:
    """The folder of each game."""
    return sorted(path.parent for path in (ROOT / "tutor" / "games").glob("*/game.yaml"))


@pytest.mark.parametrize(
    ("name", "line", "mechanism"),
    [
        ("fire_order", "Who may join.", "fire"),
        ("drm", "Modifiers of an attack on the IFT, each with its rule.", "fire"),
        ("move_odds", "A stack under residual fire.", "move"),
        ("deck", "The fate deck: what a card is worth in a fire.", ""),
    ],
)
def test_a_module_says_its_mechanism(tmp_path: Path, name: str, line: str, mechanism: str) -> None:
    path = tmp_path / f"{name}.py"
    path.write_text(f'"""{line}"""\n', encoding="utf-8")
    assert subject(path) == mechanism


def test_a_crowd_is_seen(tmp_path: Path) -> None:
    names = ["attack", "fire", "fire_odds", "firepower", "shooters"]
    for name in names:
        (tmp_path / f"{name}.py").write_text('"""Something."""\n', encoding="utf-8")
    assert crowds(tmp_path) == {"fire": [f"{name}.py" for name in names]}
    (tmp_path / "shooters.py").unlink()
    assert crowds(tmp_path) == {}


def test_more_than_four_files_on_one_mechanism_are_a_package() -> None:
    assert {folder.name: crowded for folder in rulebooks() if (crowded := crowds(folder))} == {}


def test_a_room_is_named_for_a_mechanism_and_has_the_file_of_its_name() -> None:
    rooms = [path.parent for folder in rulebooks() for path in folder.glob("*/__init__.py")]
    assert {room.name for room in rooms} >= {"fire", "los"}
    assert {room.name for room in rooms} <= set(MECHANISMS)
    assert [room for room in rooms if not (room / f"{room.name}.py").is_file()] == []


# -- words of one game --------------------------------------------------------------------------------------------------


def literals(text: str) -> Iterator[tuple[int, str]]:
    """Each text that a module writes, docstrings apart, and its line."""
    tree = ast.parse(text)
    documented = (ast.Module, ast.FunctionDef, ast.ClassDef)
    said = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.lineno, node.value


def of_one_game() -> set[str]:
    """What one game alone says: ids of its sections that are no plain number, capital and all, and its proper terms.

    A proper term is one of its glossary, of two words or more, with a capital inside: « Mort Soudaine ».
    """
    games = [game(game_id) for game_id in GAMES]
    rules = Counter(rule for one in games for rule in set(one.sections))
    terms = Counter(term for one in games for term in {str(entry["term"]) for entry in one.glossary})
    states = Counter(word for one in games if one.counters for word in {*one.counters.words.values()})
    own = {rule for rule, count in rules.items() if count == 1 and len(rule) > 3 and re.search(r"[A-Z]|\..*\.", rule)}
    own |= {term for term, count in terms.items() if count == 1 and re.match(r"\w.* [A-ZÉ]", term)}
    return own | {word for word, count in states.items() if count == 1 and (" " in word or re.search("[éèà]", word))}


def test_the_words_of_one_game_are_known() -> None:
    assert {"A24.2", "O20.3.1.2", "6.1.2", "Mort Soudaine", "vétéran", "en Suppression"} <= of_one_game()


def test_widgets_say_nothing_that_one_game_alone_says() -> None:
    own = of_one_game()
    words = re.compile(rf"(?<![\w.])({'|'.join(map(re.escape, sorted(own, key=len, reverse=True)))})(?![\w.])")
    assert [
        f"{path.relative_to(ROOT)}, line {line}: {hit[0]}"
        for path in modules("widgets")
        for line, text in literals(path.read_text(encoding="utf-8"))
        if (hit := words.search(text))
    ] == []
