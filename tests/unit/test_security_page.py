"""What SECURITY.md promises is held by a test that exists."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")


def promises() -> dict[str, list[tuple[str, str]]]:
    """Tests named for each promise: file and function."""
    table = re.search(r"<!-- promesses .*? -->\n(.*?)<!-- fin des promesses -->", TEXT, re.S)
    assert table
    rows = [line.split("|") for line in table[1].strip().splitlines()[2:]]
    return {row[1].strip(): re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", row[2]) for row in rows}


def test_every_promise_names_a_test_that_exists() -> None:
    promised = promises()
    assert len(promised) > 15
    for promise, tests in promised.items():
        assert tests, promise
        for file, function in tests:
            assert f"\ndef {function}(" in (ROOT / file).read_text(encoding="utf-8"), f"{file}::{function}"
