"""Faults that a reader found in the sentences of a trace: what is said last is why it ends."""

from __future__ import annotations

import pytest

from tutor.core.registry import ask, game, load_position


def last(changes: dict[str, object], **declared: object) -> tuple[str, str]:
    """Rule and code of the last step of a move."""
    result = ask(load_position("combat_commander", "mouvement-route").change(changes), "move", **declared)
    assert result.outcome == "computed"
    step = result.trace.children[-1]
    return step.rule, step.code


def test_a_move_that_wire_stops_ends_on_the_wire():
    assert last({"marker.fortification.B2": "wire"}, pieces=["fusiliers"], path=["B2"]) == ("F106.2", "move.left_wire")


def test_a_move_that_nothing_stops_ends_on_the_points_left():
    assert last({}, pieces=["fusiliers"], path=["B2"]) == ("O21.1", "move.left")


@pytest.mark.parametrize("result", ["broken", "eliminated"])
def test_a_lost_squad_that_deploys_leaves_the_board(result):
    position = load_position("combat_commander", "armes").change({"piece.fusiliers.status.broken": True})
    answer = ask(position, "deploy", squad="fusiliers", result=result)
    assert "fusiliers" not in position.change(answer.value.changes).by_id


def steps(position: str, changes: dict[str, object], question: str, **declared: object) -> list[tuple[str, str]]:
    """Code of each step of a trace, and the piece that it speaks of."""
    place = load_position("combat_commander", position).change(changes)
    walked = ask(place, question, **declared).trace.walk()
    return [(step.code, str(step.operands["piece"].value)) for step in walked if "piece" in step.operands]


def test_whom_a_leader_leaves_out_is_said_with_the_reason():
    said = steps("livret-tir", {"piece.peloton-k8.activated": "move"}, "activation", unit="bolter")
    left_out = {piece: code for code, piece in said if code.startswith("command.spared")}
    assert left_out == {
        "grein": "command.spared.leader",
        "peloton-k8": "command.spared.activated",
        "peloton-j7": "command.spared.too_far",
        "peloton-j6": "command.spared.too_far",
    }


def test_who_is_no_leader_is_said_to_be_alone():
    assert ("command.alone", "peloton-l8") in steps("livret-tir", {}, "activation", unit="peloton-l8")


def test_prisoners_that_no_enemy_stands_beside_are_said():
    said = steps("livret-tir", {}, "event", name="prisoners_of_war", side="axis")
    assert said == [("event.no_captor", "peloton-k8")]


def sentences(position: str, changes: dict[str, object], question: str, **declared: object) -> list[str]:
    """What the steps of a trace say, in their order, typographic spaces made plain."""
    place = load_position("combat_commander", position).change(changes)
    rulebook = game("combat_commander")
    walked = list(ask(place, question, **declared).trace.walk())[1:]
    return [rulebook.sentence(step, place).translate({0xA0: " ", 0x202F: " "}) for step in walked]


@pytest.mark.parametrize(("more", "lacking"), [(0, "6 unités"), (5, "1 unité")])
def test_a_side_that_does_not_surrender_says_how_many_units_are_lacking(more, lacking):
    said = sentences("objectifs", {}, "surrender", side="allies", more=more)
    assert said[-1] == f"La case 7 n’est pas atteinte (les Alliés) : il manque encore {lacking}."


def test_a_side_that_surrenders_lacks_nothing():
    said = sentences("objectifs", {}, "surrender", side="allies", more=6)
    assert not any("il manque" in one for one in said)


def test_the_strengths_and_the_rolls_of_a_melee_say_what_they_are_made_of():
    said = sentences("melee", {}, "melee", cell="C3", axis=[4, 1], allies=[3, 3])
    assert "PF de Mêlée pour l’Axe (+5 +2) : 7." in said
    assert "L’inactif jette d’abord (les Alliés) : 6 de PF (+5 +1) + 3 + 3 aux dés = 12." in said
    assert sentences("melee", {}, "melee", cell="C3")[-1] == (
        "Avant les dés : 7 pour l’Axe (+5 +2), 6 pour les Alliés (+5 +1) ; écart +1."
    )


def test_a_move_says_what_each_hex_cost_and_what_the_movement_is_made_of():
    said = sentences("mouvement-route", {}, "move", pieces=["fusiliers"], path=["B2", "C3", "D3"])
    assert said[-2:] == [
        "En D3 (+1 +2 +1), pour un Mouvement de 5 (+4 +1) : 4 PM dépensés, il en reste 1.",
        "Hex après hex, en PM : B2 +1 (Terrain Dégagé), C3 +2 (Bois) et D3 +1 (Route).",
    ]


@pytest.mark.parametrize(
    ("changes", "against", "said"),
    [
        ({}, "fire", "Couverture de B2 (Bunker), ajoutée au Moral : +6."),
        ({}, "mortar", "Couverture de B2 contre un mortier ou une Radio (Bunker), ajoutée au Moral : +7."),
        ({"marker.fortification.B2": None}, "fire", "Couverture de B2, ajoutée au Moral : 0."),
        (
            {"marker.fortification.B2": None, "terrain.B2": "woods"},
            "fire",
            "Couverture de B2 (Bois), ajoutée au Moral : +2.",
        ),
    ],
)
def test_a_cover_says_what_gives_it_where_it_is_added(changes, against, said):
    place = {"piece.milice.at": "B2", **changes}
    assert sentences("fortifications", place, "morale", piece="milice", against=against)[-1] == said
