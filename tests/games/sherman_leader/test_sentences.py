"""What the steps of a commander and of his stress say: the number that decides, and what is paid or not."""

from __future__ import annotations

import pytest

from tutor.core.registry import ask, game, load_position


def sentences(position: str, changes: dict[str, object], question: str, **declared: object) -> list[str]:
    """What the steps of a trace say, in their order, typographic spaces made plain."""
    place = load_position("sherman_leader", position).change(changes)
    rulebook = game("sherman_leader")
    walked = list(ask(place, question, **declared).trace.walk())[1:]
    return [rulebook.sentence(step, place).translate({0xA0: " ", 0x202F: " "}) for step in walked]


@pytest.mark.parametrize(
    ("stress", "said"),
    [
        (6, "Ellis (Okay) à portée 2 : +1 à chaque dé."),
        (
            11,
            "Ellis, à 11 de stress (Okay jusqu’à 6, Secoué jusqu’à 11), est Secoué : "
            "ce sont ses notes d’état Secoué qui comptent.",
        ),
        (12, "Ellis, à 12 de stress (Secoué jusqu’à 11), est Inapte : −2 à chaque dé."),
    ],
)
def test_a_status_says_the_stress_that_makes_it(stress, said):
    assert said in sentences("tir", {"piece.ellis.front.stress": stress}, "attack", unit="sherman", target="pz4")


def test_who_is_aggressive_is_shown_what_the_card_would_cost():
    changes = {"piece.peloton.activated": "move", "piece.novak.status.aggressive": True}
    said = sentences("tir", changes, "attack", unit="peloton", target="fusilier")
    assert "La carte du Peloton porte 1 stress pour bouger et attaquer." in said


@pytest.mark.parametrize(
    ("suppressed", "said"),
    [
        (True, "Sanders prend 1 stress pour que le 921 attaque malgré la Suppression."),
        (False, "Le 921 n’est pas en Suppression : attaquer ne coûte aucun stress."),
    ],
)
def test_who_would_pay_is_shown_whether_he_does(suppressed, said):
    changes = {"piece.u921.at": "A5", "piece.u921.status.suppressed": suppressed}
    assert said in sentences("tour-1", changes, "attack", unit="u921", target="at-1", pay=True)
