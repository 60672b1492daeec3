"""Short links and authored things: who may change what, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.store.harness import done, write
from tutor.store import teachers
from tutor.store.errors import Forbidden, Refused
from tutor.store.store import Store
from tutor.store.who import Who

OWNER, OTHER = "K7PM-2QX9-ABCD-EFGH", "ZZZZ-2QX9-ABCD-EFGH"
LESSON = {"kind": "lesson", "game": "combat_commander", "title": "Mon carrefour", "body": "blocs: []"}


def test_an_address_has_one_short_link(store: Store) -> None:
    target = "/voila/render/a.ipynb?position=é"
    outcomes = store.write([write("link.make", kind="position", target=target) for _ in range(3)])
    codes = {done(outcome)["code"] for outcome in outcomes}
    assert len(codes) == 1
    code = codes.pop()
    assert store.read("link.get", Who(), {"code": code.lower()}) == {"kind": "position", "target": target}
    [other] = store.write([write("link.make", kind="position", target="/b")])
    assert done(other)["code"] != code


@pytest.mark.parametrize(
    "target", ["", "https://exemple.fr/", "//exemple.fr", "/\\exemple.fr", "javascript:1", "/a\nb", "/" + "x" * 8_000]
)
def test_a_short_link_leads_nowhere_else(store: Store, target: str) -> None:
    [outcome] = store.write([write("link.make", kind="position", target=target)])
    assert isinstance(outcome.refused, Refused)


@pytest.mark.parametrize("code", ["AAAAAAAA", "", None, "AAAA'--", 8])
def test_an_unknown_link_is_refused(store: Store, code: Any) -> None:
    with pytest.raises(Refused):
        store.read("link.get", Who(), {"code": code})


def test_only_its_owner_changes_a_lesson(store: Store) -> None:
    [made] = store.write([write("authored.save", owner=OWNER, **LESSON)])
    code = done(made)["code"]
    changed = {**LESSON, "title": "Mieux", "code": code, "version": 1}
    [forged, mine, late] = store.write(
        [
            write("authored.save", owner=OTHER, **changed),
            write("authored.save", owner=OWNER, **changed),
            write("authored.save", owner=OWNER, **{**changed, "title": "D’un autre onglet"}),
        ]
    )
    assert isinstance(forged.refused, Forbidden)
    assert done(mine)["version"] == 2
    assert isinstance(late.refused, Refused)
    assert store.read("authored.get", Who(), {"code": code})["title"] == "Mieux"
    assert [item["code"] for item in store.read("authored.list", Who(), {"owner": OWNER})["items"]] == [code]
    assert store.read("authored.list", Who(), {"owner": OTHER})["items"] == []
    outcomes = store.write([write("authored.drop", owner=who, code=code) for who in (OTHER, OWNER)])
    assert [outcome.refused is None for outcome in outcomes] == [False, True]


def test_a_teacher_owns_without_a_code(store: Store) -> None:
    with store.engine.begin() as db:
        mine, _ = teachers.create(db, "Mme Durand", 1.0)
        other, _ = teachers.create(db, "M. Petit", 1.0)
    [made] = store.write([write("authored.save", Who(teacher=mine), **LESSON)])
    assert [item["title"] for item in store.read("authored.list", Who(teacher=mine), {})["items"]] == ["Mon carrefour"]
    assert store.read("authored.list", Who(teacher=other), {})["items"] == []
    [forged] = store.write([write("authored.drop", Who(teacher=other), code=done(made)["code"])])
    assert isinstance(forged.refused, Forbidden)


@pytest.mark.parametrize(
    "wrong", [{"owner": "court"}, {"owner": None}, {"kind": "virus"}, {"body": "x" * 200_001}, {"title": "t" * 121}]
)
def test_what_is_too_long_or_nobodys_is_refused(store: Store, wrong: dict[str, Any]) -> None:
    [outcome] = store.write([write("authored.save", **{**LESSON, "owner": OWNER, **wrong})])
    assert isinstance(outcome.refused, Refused)
