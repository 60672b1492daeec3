"""Parsed files of the package: kept, never stale, never in the way."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tutor.core import parsed as module
from tutor.core.errors import ContentError
from tutor.core.parsed import kept_file
from tutor.core.yamlio import read_yaml


@pytest.fixture
def page(tmp_path, monkeypatch):
    """A content file of a package that may be written to."""
    monkeypatch.setattr(module, "PACKAGE", tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    path = tmp_path / "tables" / "terrain.yaml"
    path.parent.mkdir()
    path.write_text("woods: {cover: 2, levels: [1, 2]}\n", encoding="utf-8")
    return path


@pytest.fixture
def parsings(monkeypatch):
    """Names of the files that were really parsed."""
    from tutor.core import yamlio

    seen: list[str] = []
    real = yamlio.parse_yaml
    monkeypatch.setattr(yamlio, "parse_yaml", lambda text, path: (seen.append(path), real(text, path))[1])
    return seen


def test_a_file_is_parsed_once(page, parsings):
    first, second = read_yaml(page), read_yaml(page)
    assert first == second == {"woods": {"cover": 2, "levels": [1, 2]}}
    assert parsings == ["terrain.yaml"]
    assert kept_file(page).is_file()


def test_a_golden_case_is_parsed_once(page, parsings, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "CASES", tmp_path / "cases")
    monkeypatch.setattr(module, "PACKAGE", Path("/nowhere"))
    (tmp_path / "cases").mkdir()
    case = page.rename(tmp_path / "cases" / "a.yaml")
    assert read_yaml(case) == read_yaml(case)
    assert parsings == ["a.yaml"]


def test_what_is_returned_is_fresh(page):
    read_yaml(page)["woods"]["levels"].append(9)
    assert read_yaml(page)["woods"]["levels"] == [1, 2]


def test_other_bytes_of_the_same_date_and_size_are_parsed_again(page, parsings):
    before = page.stat()
    read_yaml(page)
    page.write_text("woods: {cover: 3, levels: [1, 2]}\n", encoding="utf-8")
    os.utime(page, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert page.stat().st_size == before.st_size
    assert read_yaml(page)["woods"]["cover"] == 3
    assert len(parsings) == 2


@pytest.mark.parametrize(
    "damage", [b"", b"not marshal", b"\xe9\x01\x00\x00\x00", b"(\x01\x00\x00\x00i\x05\x00\x00\x00"]
)
def test_a_damaged_file_is_parsed_again(page, damage, parsings):
    read_yaml(page)
    kept_file(page).write_bytes(damage)
    assert read_yaml(page)["woods"]["cover"] == 2
    assert read_yaml(page)["woods"]["cover"] == 2
    assert len(parsings) == 2


def test_a_folder_that_cannot_be_written_does_not_matter(page):
    (page.parent / "__pycache__").write_text("a file where the folder would be")
    assert read_yaml(page)["woods"]["cover"] == 2


def test_nothing_is_written_when_python_writes_nothing(page, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert read_yaml(page)["woods"]["cover"] == 2
    assert not (page.parent / "__pycache__").exists()


def test_a_broken_file_is_refused_every_time(page):
    page.write_text("woods: 1\nwoods: 2\n", encoding="utf-8")
    for _ in range(2):
        with pytest.raises(ContentError, match="deux fois"):
            read_yaml(page)


def test_files_of_others_are_left_alone(page, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "PACKAGE", Path("/nowhere"))
    assert read_yaml(page)["woods"]["cover"] == 2
    assert not (page.parent / "__pycache__").exists()
