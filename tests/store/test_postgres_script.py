"""How the tests find PostgreSQL: what there is, Debian's package, or one line that says what to type."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.store.harness import load_script


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """scripts/postgres.py on a machine without PostgreSQL, where nobody may install."""
    module = load_script()
    for name in ("LDV_POSTGRES", "LDV_SANS_POSTGRES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(module, "PLACES", ())
    monkeypatch.setattr(module.shutil, "which", lambda name: None)
    monkeypatch.setattr(module, "administrator", lambda: None)
    return module


def installed(folder: Path) -> Path:
    """A folder with programs that bear the right names."""
    folder.mkdir(parents=True)
    for name in ("initdb", "postgres"):
        (folder / name).write_text("#!/bin/sh\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    return folder


def test_without_postgresql_one_line_says_what_to_type(script: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        script.main()
    said = capsys.readouterr().err
    assert left.value.code == 1
    assert len(said.splitlines()) == 1
    assert "sudo apt-get install -y postgresql" in said
    assert "LDV_SANS_POSTGRES=1" in said


def test_one_may_do_without(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LDV_SANS_POSTGRES", "1")
    assert script.main() == ""


def test_the_newest_is_found_or_the_one_given(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    older, newer = (installed(tmp_path / version / "bin") for version in ("9", "15"))
    (tmp_path / "99" / "bin").mkdir(parents=True)  # there, and empty
    monkeypatch.setattr(script, "PLACES", (f"{tmp_path}/*/bin",))
    assert script.main() == str(newer)
    monkeypatch.setenv("LDV_POSTGRES", str(older))
    assert script.main() == str(older)


def test_debian_s_package_is_installed_where_that_can_be(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    def install(*packages: str) -> None:
        asked.append(packages)
        installed(tmp_path / "15" / "bin")

    monkeypatch.setattr(script, "PLACES", (f"{tmp_path}/*/bin",))
    monkeypatch.setattr(script.shutil, "which", lambda name: "/usr/bin/apt-get" if name == "apt-get" else None)
    monkeypatch.setattr(script, "administrator", lambda: [])
    monkeypatch.setattr(script, "apt_install", install)
    assert script.main() == str(tmp_path / "15" / "bin")
    assert asked == [("postgresql",)]
