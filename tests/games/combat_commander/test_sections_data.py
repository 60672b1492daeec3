"""The rule index and the glossary of Combat Commander: Europe are complete and well formed."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

GAME = Path(__file__).parents[3] / "tutor" / "games" / "combat_commander"
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
KINDS = {"note", "definition", "reference", "procedural", "computational"}
SECTION_KEYS = ["id", "title", "kind", "parent", "summary", "see"]
TAUGHT_KEYS = ["id", "title", "kind", "parent", "summary", "reason", "see"]
GLOSSARY_KEYS = ["term", "aliases", "definition", "rules", "livret"]


def load(name: str) -> list[dict[str, Any]]:
    with (GAME / name).open(encoding="utf-8") as stream:
        data: list[dict[str, Any]] = yaml.load(stream, Loader=LOADER)
    return data


@pytest.fixture(scope="module")
def sections() -> list[dict[str, Any]]:
    return load("sections.yaml")


@pytest.fixture(scope="module")
def glossary() -> list[dict[str, Any]]:
    return load("glossary.yaml")


@pytest.fixture(scope="module")
def ids(sections: list[dict[str, Any]]) -> set[str]:
    return {section["id"] for section in sections}


@pytest.mark.parametrize(
    ("chapter", "first", "last"),
    [("O", 14, 23), ("A", 24, 41), ("E", 42, 77), ("T", 78, 99), ("F", 100, 106), ("", 1, 13)],
)
def test_no_rule_number_is_missing_in_a_chapter(ids: set[str], chapter: str, first: int, last: int) -> None:
    assert [f"{chapter}{n}" for n in range(first, last + 1) if f"{chapter}{n}" not in ids] == []


def test_sections_have_exactly_the_known_keys_and_kinds(sections: list[dict[str, Any]]) -> None:
    assert [s["id"] for s in sections if list(s) not in (SECTION_KEYS, TAUGHT_KEYS)] == []
    assert {s["kind"] for s in sections} == KINDS
    assert [s["id"] for s in sections if not (isinstance(s["id"], str) and isinstance(s["title"], str))] == []


def test_no_two_sections_have_the_same_reason(sections: list[dict[str, Any]]) -> None:
    reasons = Counter(section["reason"] for section in sections if "reason" in section)
    assert [reason for reason, times in reasons.items() if times > 1] == []
    assert [reason for reason in reasons if not reason[:1].islower()] == []


def test_a_numbered_section_hangs_under_its_own_number(sections: list[dict[str, Any]]) -> None:
    dotted = [s for s in sections if re.fullmatch(r"[OATEF]?\d+(\.\d+)+", s["id"]) and s["id"] != "1.0"]
    assert [s["id"] for s in dotted if s["parent"] != s["id"].rpartition(".")[0]] == []


def test_rules_cited_inside_texts_exist(
    sections: list[dict[str, Any]], glossary: list[dict[str, Any]], ids: set[str]
) -> None:
    texts = [s["summary"] for s in sections] + [g["definition"] for g in glossary]
    texts.append((GAME / "gaps.md").read_text(encoding="utf-8"))
    cited = {ref for text in texts for ref in re.findall(r"\b[OATEF]\d{2,3}(?:\.\d+)*\b", text)}
    assert cited
    assert cited - ids == set()


def test_summaries_are_short_and_finished_sentences(sections: list[dict[str, Any]]) -> None:
    assert [s["id"] for s in sections if not 5 <= len(s["summary"]) <= 450] == []
    assert [s["id"] for s in sections if not re.search(r"[.!…]\)?$", s["summary"])] == []


def test_glossary_entries_are_well_formed_and_lead_to_rules(glossary: list[dict[str, Any]]) -> None:
    assert [g["term"] for g in glossary if list(g) != GLOSSARY_KEYS] == []
    assert [g["term"] for g in glossary if not 0 < len(g["definition"]) <= 200] == []
    assert [g["term"] for g in glossary if not g["rules"]] == []


def test_glossary_holds_the_terms_of_the_booklet(
    glossary: list[dict[str, Any]], sections: list[dict[str, Any]]
) -> None:
    entries = [s for s in sections if s["parent"] == "GLOSSAIRE"]
    assert len(entries) == sum(g["livret"] for g in glossary) == 34


def test_no_word_of_the_glossary_is_explained_twice(glossary: list[dict[str, Any]]) -> None:
    words = Counter(
        word.casefold() for g in glossary for word in {g["term"].casefold(), *map(str.casefold, g["aliases"])}
    )
    assert [word for word, n in words.items() if n > 1] == []
