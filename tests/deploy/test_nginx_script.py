"""How the tests find nginx: what there is, Debian's package, or one line that says what to type."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.deploy.harness import load_script


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """scripts/nginx.py on a machine without nginx, where nobody may install."""
    module = load_script()
    for name in ("LDV_NGINX", "LDV_SANS_NGINX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    monkeypatch.setattr(module, "PLACES", (str(tmp_path / "sbin"),))
    monkeypatch.setattr(module, "administrator", lambda: None)
    return module


def installed(folder: Path, name: str = "nginx") -> Path:
    """A program of that name."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    return program


def test_without_nginx_one_line_says_what_to_type(script: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        script.main()
    said = capsys.readouterr().err
    assert left.value.code == 1
    assert len(said.splitlines()) == 1
    assert "sudo apt-get install -y nginx" in said
    assert "LDV_SANS_NGINX=1" in said


def test_one_may_do_without(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LDV_SANS_NGINX", "1")
    assert script.main() == ""


def test_it_is_found_off_the_path_or_where_it_is_said_to_be(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = installed(tmp_path / "sbin")
    assert script.main() == str(there)
    other = installed(tmp_path / "mine")
    monkeypatch.setenv("LDV_NGINX", str(other))
    assert script.main() == str(other)


def test_debian_s_package_is_installed_where_that_can_be(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    def install(*packages: str) -> None:
        asked.append(packages)
        installed(tmp_path / "sbin")

    installed(tmp_path / "path", "apt-get")
    monkeypatch.setattr(script, "administrator", lambda: [])
    monkeypatch.setattr(script, "apt_install", install)
    assert script.main() == str(tmp_path / "sbin" / "nginx")
    assert asked == [("nginx", "openssl")]
