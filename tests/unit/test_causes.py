"""Why a wrong choice is wrong: how rules that were perhaps forgotten are named, how many, and which come first."""

from __future__ import annotations

import pytest

from tutor.core.registry import game, load_position
from tutor.course.causes import Asked, cause, forgotten, likeliest, to_read_again
from tutor.course.models import Choice
from tutor.course.sought import named

CC = "combat_commander"


@pytest.mark.parametrize(
    ("game_id", "rule", "title"),
    [
        (CC, "T97", "Mur"),
        (CC, "T93", "Route"),
        (CC, "E52", "Déploiement"),
        (CC, "A30", "Tir Croisé"),
        (CC, "O14", "Règles Générales (Ordres)"),
        (CC, "3.1.1", "Puissance de Feu (PF)"),
        (CC, "F101", "Bunker"),
        ("asl_sk", "3.2.2-fg", "Fire Group (FG)"),
        ("tcs", "6.16", "Fortifications (Dug-In)"),
    ],
)
def test_a_title_in_english_then_in_french_is_given_in_french(game_id: str, rule: str, title: str) -> None:
    """In guillemets where it has brackets of its own."""
    said = f"[[{rule}]], «\u00a0{title}\u00a0»" if "(" in title else f"[[{rule}]] ({title})"
    assert named(game(game_id), rule) == said


def test_every_english_title_of_the_booklet_has_its_french_one_in_brackets() -> None:
    rulebook = game(CC)
    english = [one for one in rulebook.sections.values() if rulebook.name_of(one.id) != one.title]
    assert len(english) > 60
    assert all(one.title.endswith(f"({rulebook.name_of(one.id)})") for one in english)
    assert not [one.id for one in english if one.title.startswith("Règles")]


def test_two_rules_at_most_are_said_to_be_forgotten_those_at_work_first() -> None:
    left_out = (("10.1",), ("10.3",), ("10.3.2",), ("O20.3.2",))
    assert likeliest(left_out, ["O20.3.2", "10.3.2"])[:2] == (("10.3.2",), ("O20.3.2",))
    said = forgotten(game(CC), likeliest(left_out, ["O20.3.2"]), "« 8 »")
    assert said.count("ou peut-être") == 1
    assert said.index("[[O20.3.2]]") < said.index("[[10.1]]")
    assert ("10.3",) not in likeliest(left_out, [])  # its part says which sentence of it was forgotten
    assert likeliest(left_out, ["10.3"])[0] == ("10.3",)
    assert "10.3.2]]" not in said.replace("O20.3.2", "")


def test_the_rules_at_work_of_an_example_come_first_among_those_that_give_a_choice() -> None:
    place = load_position(CC, "fumee")
    result = game(CC).rules["los"](place, start="A3", end="C3")
    choices = [Choice(label=f"{lost} PF", when={"value": {"hindrance": lost}}) for lost in (0, 5)]
    first = [
        cause(Asked(result, place, choices, rules=rules), choices[0].label).omissions[0] for rules in ((), ["10.3"])
    ]
    assert first == [("10.3.4",), ("10.3",)]


def test_the_rule_to_read_again_is_named_in_french() -> None:
    place = load_position(CC, "vallee")
    result = game(CC).rules["los"](place, start="B5", end="D5")
    assert to_read_again(game(CC), result, "los.gully") == "La règle qui tranche ici est [[T86]] (Fossé)."
