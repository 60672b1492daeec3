"""`ldv teacher`, as typed; and the server's options about the store, wrong ones included."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.own_loop import in_own_loop
from tests.store.harness import kept, kernels, opened
from tutor.cli import main
from tutor.core.errors import TutorError
from tutor.store.database import keeping, place


def ldv(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, output and errors of a command."""
    code = main(["teacher", *arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.fixture(autouse=True)
def environment(env: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The command reads the environment."""
    for name, value in env.items():
        monkeypatch.setenv(name, value)


def test_a_key_is_made_opens_is_listed_and_revoked(env: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert ldv(capsys, "list") == (0, "Aucune clé : « ldv teacher create NOM ».\n", "")
    code, said, _ = ldv(capsys, "create", "Mme Durand")
    printed = re.match(r"Clé n° (\d+) de Mme Durand : ([2-9A-Z-]{29})\n", said)
    assert (code, bool(printed)) == (0, True)
    number, key = printed.groups()

    async def play() -> None:
        async with opened(env) as desk:
            with kernels(desk, 2) as (first, second):
                assert kept(await first.teach(key))["name"] == "Mme Durand"
                listed = ldv(capsys, "list")[1]
                assert "Mme Durand" in listed
                assert key not in listed
                assert ldv(capsys, "revoke", number)[0] == 0
                assert (await second.teach(key)).error == "forbidden"
                assert (await first.write("class.open")).error == "forbidden"  # already in, and out at once

    in_own_loop(play())
    assert "révoquée" in ldv(capsys, "list")[1]


@pytest.mark.parametrize("wrong", [["create"], ["create", " "], ["revoke"], ["revoke", "x"], ["revoke", "99"]])
def test_what_is_missing_is_said_in_one_line(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = ldv(capsys, *wrong)
    assert (code, out, len(err.splitlines())) == (1, "", 1)


def test_a_database_that_does_not_answer_is_said_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "plein").write_text("", encoding="utf-8")
    monkeypatch.delenv("LDV_DATABASE_URL", raising=False)
    monkeypatch.setenv("LDV_DATA", str(tmp_path / "plein"))
    assert ldv(capsys, "list")[::2] == (1, "ldv : La base de données ne répond pas.\n")


@pytest.mark.parametrize("url", ["mysql://h/b", "sqlite:///x", "pas une adresse", "postgresql://h:port/b"])
def test_only_postgresql_has_an_address(url: str) -> None:
    with pytest.raises(TutorError, match="LDV_DATABASE_URL"):
        place({"LDV_DATABASE_URL": url})


@pytest.mark.parametrize("days", ["0", "-1", "x", "99999", "1.5"])
def test_keeping_is_a_number_of_days(days: str) -> None:
    with pytest.raises(TutorError, match="LDV_KEEP_SESSIONS"):
        keeping({"LDV_KEEP_SESSIONS": days})


def test_without_anything_said_the_users_data_folder_serves(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    path = Path(place({}).database or "")
    assert path.name == "ligne-de-vue.sqlite3"
    assert path.is_relative_to(tmp_path)
