"""A console without our characters, a file saved in another alphabet: a text that says the same, or advice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tutor.core.encoding import STAND_IN
from tutor.core.errors import ContentError, PositionError
from tutor.core.yamlio import read_yaml
from widgets.host.uploads import read_file

ROOT = Path(__file__).resolve().parents[2]
CASE = ROOT / "tests" / "games" / "combat_commander" / "cases" / "lectures.yaml"


@pytest.mark.parametrize("encoding", ["cp1252", "cp850", "ascii"])
@pytest.mark.parametrize(
    "words", [["coverage", "tcs"], ["questions", "heroes_of_normandie"], ["solve", str(CASE)], ["rien"]]
)
def test_the_command_never_fails_for_a_character(encoding: str, words: list[str]) -> None:
    env = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "tutor.cli", *words], cwd=ROOT, env=env, capture_output=True, timeout=300
    )
    assert b"Traceback" not in done.stderr
    assert done.returncode == (2 if words == ["rien"] else 0)
    text = done.stdout.decode(encoding)
    if words[0] == "solve":
        assert json.loads(text)


def test_what_stands_for_a_character_says_the_same() -> None:
    assert "3\u202f→\u00a0−1 ≥ ½ œ ✕".encode("cp1252", STAND_IN).decode("cp1252") == "3 ->\u00a0-1 >= ½ œ ?"
    assert "« D’où »".encode("ascii", STAND_IN) == b'" D\'o? "'


@pytest.mark.parametrize(("encoding", "advice"), [("cp1252", "ANSI"), ("utf-16", "UTF-16")])
def test_a_file_in_another_alphabet_is_refused_with_advice(tmp_path: Path, encoding: str, advice: str) -> None:
    content = "title: Fossé".encode(encoding)
    path = tmp_path / "essai.yaml"
    path.write_bytes(content)
    with pytest.raises(ContentError, match="enregistrez-le en UTF-8") as file:
        read_yaml(path)
    assert advice in str(file.value)
    with pytest.raises(PositionError, match="enregistrez-le en UTF-8"):
        read_file(({"content": content},))


def test_a_mark_of_utf_8_is_no_character(tmp_path: Path) -> None:
    path = tmp_path / "essai.yaml"
    path.write_bytes("title: Fossé".encode("utf-8-sig"))
    assert read_yaml(path) == {"title": "Fossé"}
