"""Every text that a visitor can give, broken: it is read, or a French sentence says why not; never a stray error.

Texts of positions, sheets and lessons, links, charts, cases: their words are broken as YAML, their data as data. What can be
read is then looked at as a page would: its faults, its text, its link.
"""

from __future__ import annotations

import base64
import json
import random
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz.mutation import Mutator, count, draws
from tutor.core.errors import TutorError
from tutor.core.position import Position
from tutor.core.registry import GAMES, game
from tutor.core.yamlio import dump_yaml, parse_yaml
from tutor.course.cases import case_files
from tutor.course.coverage import cases_folder
from tutor.course.links import position_in, read_url
from tutor.course.models import Case, CaseFile, parse_model
from tutor.course.teacher_lessons import AuthoredLesson, Sheet
from tutor.games.tcs import charts

ORDINARY = 300
#: Pieces of YAML that its readers know, and that no text of ours holds.
SNIPPETS = (
    "!!bool x", "!!int ''", "!!int _", "!!float x", "!!timestamp x", "!!map [1]", "!!seq {a: 1}", "!!set {a}", "!!set [a]", "!!omap [a: 1]",
    "!!pairs [1]", "!!binary x", "!!binary aGVsbG8=", "!!python/name:os.system x", "!!python/object/apply:os.getcwd []", "!foo a", "! a",
    "? {a: 1}", "? [a]", "? a", "<<: {a: 1}", "<<: 3", "=: 1", "&x [*x]", "*x", "&a b", "2026-01-01", "2026-13-45", "2026-01-01T99:99:99Z",
    ".nan", ".inf", "-.inf", "1e999", "0x" + "f" * 5000, "1" * 4300, "1" * 4301, "0b_", "0o9", "1:59:59", "1_0", "~", "null", "yes", "on", "\x00",
    "\x07", "\ud800", "\ufeff", "\u2028", "\x85", "\t", "---\n", "...\n", "%YAML 9.9\n", "[" * 200, "{" * 200, "- " * 200, "'", '"', '"\\ud800"',
    '"\\q"', "|2x", ">-", "@", "`", ": ", " #", "\r", "[", "]", "{", "}", ",", "true: 1", "null: 1", "1.5: a", "9" * 30,
)  # fmt: skip
WORDS = [
    "grid",
    "pieces",
    "terrain",
    "A1",
    "B2/B3",
    "woods",
    "state",
    "id",
    "hex-numbered",
    "half_hex",
    "pointy_odd",
    "square",
    "01",
    "ZZ",
    "tcs",
]


def broken(text: str, draw: random.Random) -> str:
    """A text with some things put in, left out, doubled or exchanged."""
    for _ in range(draw.randint(1, 4)):
        lines = text.split("\n")
        here = draw.randrange(len(lines))
        match draw.randrange(6):
            case 0:
                at = draw.randrange(len(text) + 1)
                text = text[:at] + draw.choice(SNIPPETS) + text[at:]
            case 1:
                head, colon, _ = lines[here].partition(": ")
                lines[here] = head + colon + draw.choice(SNIPPETS)
                text = "\n".join(lines)
            case 2:
                lines.insert(here, draw.choice(SNIPPETS))
                text = "\n".join(lines)
            case 3:
                lines.insert(here, lines[draw.randrange(len(lines))])
                text = "\n".join(lines)
            case 4:
                at = draw.randrange(len(text) + 1)
                text = text[:at] + text[at + draw.choice((1, 1, 2, 20)) :]
            case _:
                text = text.replace(draw.choice(("1", "a", ":", "-", "[", "hex", "0")), draw.choice(SNIPPETS), 1)
    return text


def packed(data: Any) -> str:
    """Data as a link carries it."""
    raw = json.dumps(data).encode()
    return base64.urlsafe_b64encode(zlib.compress(raw)).decode().rstrip("=")


def look(position: Position) -> None:
    """What a page does with a board at once."""
    if position.game in GAMES:
        rulebook = game(position.game)
        faults = rulebook.problems(position)
        if not faults:
            rulebook.shapes(position)
    position.to_link()
    assert Position.parse(position.dump()) == position


def _case(text: str) -> None:
    data = parse_yaml(text)
    parse_model(CaseFile if isinstance(data, dict) and "cases" in data else Case, data, "cas")


def _chart(text: str) -> None:
    try:
        charts.SHELF.supply(parse_yaml(text))
    finally:
        charts.withdraw()


def _texts(kind: str) -> list[str]:
    boards = [game(one).position(name) for one in GAMES for name in game(one).positions()[:2]]
    if kind == "chart":
        return [charts.template(name) for name in ("differential", "fire", "morale", "spotting", "fire_columns")]
    if kind == "case":
        rooms = [case_files(cases_folder(one)) for one in GAMES]
        files = [path for room in rooms for path in sorted(room, key=lambda p: p.stat().st_size)[:2]]
        return [path.read_text(encoding="utf-8") for path in files]
    if kind == "lesson":
        head = {"id": "essai", "title": "Voir", "teaser": "Voir.", "rules": [], "minutes": 5}
        blocks = [{"kind": "situation", "text": "Un bois."}, {"kind": "remember", "lines": ["Une ligne."]}]
        kept = [{"schema": 1, "game": one, "lesson": {**head, "blocks": blocks}} for one in GAMES]
        return [dump_yaml(one) for one in kept]
    return [Sheet.of(board).dump() if kind == "sheet" else board.dump() for board in boards]


READERS: dict[str, Callable[[str], object]] = {
    "position": lambda text: look(Position.parse(text)),
    "sheet": lambda text: look(Sheet.parse(text).board),
    "lesson": AuthoredLesson.parse,
    "chart": _chart,
    "case": _case,
}


def stray(read: Callable[[str], object], text: str) -> str:
    """What went wrong otherwise than by a sentence; "" when nothing did."""
    try:
        read(text)
    except TutorError as error:
        error.sentence.encode()  # it can be sent
        return (
            ""
            if error.sentence.strip() and len(str(error)) < 4000
            else f"a sentence of {len(str(error))} letters: {text[:200]!r}"
        )
    except Exception as error:
        place = error.__traceback__
        while place and place.tb_next:
            place = place.tb_next
        where = f"{Path(place.tb_frame.f_code.co_filename).name}:{place.tb_lineno}" if place else ""
        return f"{type(error).__name__} {str(error)[:80]} at {where}: {text[:300]!r}"
    return ""


@pytest.mark.parametrize("kind", READERS)
def test_a_broken_text_is_a_sentence(kind: str) -> None:
    draw, texts = draws("text", kind), _texts(kind)
    mutator = Mutator(draw, WORDS)
    wrong = set()
    for _ in range(count(ORDINARY)):
        text = draw.choice(texts)
        if draw.random() < 0.5:
            try:
                text = dump_yaml(mutator.mutate(parse_yaml(text), 6))
            except UnicodeEncodeError:  # a lone surrogate: no writer takes it
                continue
        else:
            text = broken(text, draw)
        wrong.add(stray(READERS[kind], text))
    assert wrong <= {""}, "\n".join(sorted(wrong)[:12])


def test_a_broken_link_is_a_sentence() -> None:
    draw = draws("link")
    boards = [game(one).position(name) for one in GAMES for name in game(one).positions()[:2]]
    mutator = Mutator(draw, WORDS)
    wrong = set()

    def read(text: str) -> None:
        look(Position.from_link(text))

    def follow(text: str) -> None:
        position_in(text)
        read_url(text)

    for _ in range(count(ORDINARY)):
        board = draw.choice(boards)
        if draw.random() < 0.7:
            data = mutator.mutate(board.data(), 6)
            if draw.random() < 0.3:
                data["levels"] = {draw.choice(("²", "--1", "1" * 5000, "x", "-", "٣", "1")): ["A1"]}
            try:
                text = packed(data)
            except (TypeError, ValueError, UnicodeEncodeError):
                continue
        else:
            text = broken(board.to_link(), draw)
        wrong |= {
            stray(read, text),
            stray(follow, f"/?position={text}"),
            stray(follow, broken("/voila/render/x.ipynb?position=a", draw)),
        }
    assert wrong <= {""}, "\n".join(sorted(wrong)[:12])


@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda one: ascii(one)[:24])
def test_each_snippet_is_read_or_said_with_its_line(snippet: str) -> None:
    for text in (snippet, f"a: {snippet}", f"- {snippet}", f"{snippet}: 1", f"a:\n  {snippet}\n"):
        assert not stray(parse_yaml, text)


@pytest.mark.parametrize("text", ["? {a: 1}\n: b", "? [a]\n: b"])
def test_a_key_that_is_a_block_is_not_called_double(text: str) -> None:
    with pytest.raises(TutorError, match="une clé est un nom") as caught:
        parse_yaml(text)
    assert "deux fois" not in str(caught.value)
