"""« Article par article » : what the checks see, one live example at a time, what a verdict shows on the board."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.screen import announced, living, named, seen, words
from tutor.core.registry import GAMES, ask, game
from tutor.course import articles, check, lessons, options
from tutor.course.articles import Article, Family, card, cards, families, neighbours
from tutor.course.exercises import fitting
from tutor.course.lessons import article_rules
from tutor.course.matching import view
from tutor.course.models import parse_model
from tutor.course.search import search
from widgets.board.panels.verdict import verdict
from widgets.host.page import Page
from widgets.pages.articles import ArticlesPage
from widgets.pages.index import RuleIndex

CC = "combat_commander"


def article(**changes: Any) -> dict[str, Any]:
    """A sound article as a file would hold it, with changes to its only example."""
    example = {
        "id": "essai",
        "title": "S’enterrer",
        "rules": ["A32"],
        "position": "objectifs",
        "ask": "action",
        "with": {"name": "dig_in", "side": "allies", "moment": "time_advanced", "cell": "G4"},
        "question": {
            "text": "Où ?",
            "choices": [
                {"label": "Oui", "when": {"outcome": "computed"}},
                {"label": "Non", "when": {"outcome": "refused"}},
            ],
        },
    }
    return {"rule": "A32", "when": "Après le Temps.", "effect": "Des trous.", "examples": [example | changes]}


def faults(monkeypatch: pytest.MonkeyPatch, data: dict[str, Any]) -> list[str]:
    """What the check says of a family that holds one article."""
    family = {"id": "essai", "slug": "essai", "title": "Essai", "teaser": "Pour voir.", "articles": [data]}
    path = game(CC).folder / "articles" / "essai.yaml"
    for module in (articles, lessons):
        monkeypatch.setattr(module, "article_files", lambda _: [path])
    monkeypatch.setattr(articles, "read_family", lambda _: parse_model(Family, family, path.name))
    return check.faults(CC, only=["articles"])


# -- content ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", GAMES)
def test_the_sections_found_without_reading_are_those_of_the_files(game_id: str) -> None:
    assert sorted(article_rules(game_id)) == sorted(one.rule for one in cards(game_id))


def test_families_follow_the_index_and_cards_each_other() -> None:
    order = list(game(CC).sections)
    firsts = [order.index(one.articles[0].rule) for one in families(CC)]
    assert firsts == sorted(firsts)
    every = cards(CC)
    assert neighbours(CC, every[0].rule) == (None, every[1])
    assert neighbours(CC, every[-1].rule) == (every[-2], None)
    assert neighbours(CC, "10.9.9") == (None, None)


def test_every_action_has_its_card() -> None:
    sections = [one for one in game(CC).sections.values() if one.id.startswith(("A2", "A3", "A4"))]
    assert {one.id for one in sections} - set(article_rules(CC)) == {"A24"}  # a heading: its three parts have theirs


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, ""),
        ({"rules": ["A31"]}, "A31 n’est pas à l’œuvre"),
        ({"with": {"name": "dig_in"}}, "side"),
        (
            {"question": {"text": "?", "choices": [{"label": "a", "when": {}}, {"label": "b", "when": {}}]}},
            "aucun choix",
        ),
        ({"picks": [{"argument": "moment", "kind": "option", "label": "Quand", "options": {"jamais": "?"}}]}, "Quand"),
        ({"picks": [{"argument": "cell", "kind": "hex", "label": "Hex", "among": ["Z9"]}]}, "Z9"),
        ({"picks": [{"argument": "cell", "kind": "hex", "label": "Hex", "among": ["A1"]}]}, "G4 n’est pas offert"),
        ({"picks": [{"argument": "cell", "kind": "option", "label": "Hex"}]}, "n’offre aucun choix"),
        ({"tweaks": [{"path": "terrain.Z9", "label": "Terrain", "options": {"woods": "Bois"}}]}, "Z9"),
        ({"tweaks": [{"path": "marker.blaze.G4", "label": "Feu", "options": {"true": "oui"}}]}, "rien d’autre"),
    ],
    ids=["sound", "rule", "arguments", "choices", "option", "hex", "start", "empty", "setting", "impossible"],
)
def test_the_check_plays_every_choice(changes: dict[str, Any], said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said_wrong = faults(monkeypatch, article(**changes))
    assert any(said in fault for fault in said_wrong) if said else said_wrong == []


def test_an_article_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    data = article()
    data["examples"].append(data["examples"][0])
    assert "l’exemple essai est déjà" in " ".join(faults(monkeypatch, data))


@pytest.mark.parametrize(
    ("game_id", "rule", "changes", "given", "said"),
    [
        (CC, "O18.2", {}, {"drift": [1, 1]}, "Aucun hex de la zone ne contient d’unité ni de Fortification"),
        (CC, "O18.2", {}, {"accurate": [1, 1]}, "Un seul hex contient une unité ou une Fortification, F3"),
        (CC, "O20.1", {}, {"pieces": ["fusiliers"]}, "L’Ordre de Tir peut être donné. Cible possible pour : Fusiliers"),
        (CC, "O20.3.4", {"piece.schmidt.at": "D3"}, {}, "Schmidt : reste le jet de Défense, contre 13"),
        (
            CC,
            "A33.3",
            {"piece.mg.counter": "germany/light-mortar"},
            {"already": 0},
            "Arme des Servants : bande blanche",
        ),
        (
            CC,
            "A38",
            {"piece.pistolets.nation": "america"},
            {"winner": "axis"},
            "Pas de Quartier se joue par un Allemand",
        ),
        (CC, "E67", {}, {"choose": "a"}, "Ce choix n’est pas offert ici : Pion A"),
        (CC, "F100.2", {}, {}, "Fortification de C3 éliminée : Tranchée"),
        ("asl_sk", "3.2.3", {"setting.random_ties": "one"}, {}, "Restent les jets de 3 unités"),
        ("asl_sk", "3.5-assault-fire", {"piece.alpha.status.assault_fire": False}, {}, "Le Squad A vers G4 : 2,5 FP"),
        ("tcs", "16.0", {}, {}, "Jets 9 et 4, pour 7 ou plus : 1 pas détruit, et 0 pas perdu"),
    ],
)
def test_the_verdict_of_a_card_says_what_came_of_it(
    game_id: str, rule: str, changes: dict[str, Any], given: dict[str, Any], said: str
) -> None:
    shown = card(game_id, rule)
    assert shown
    example = shown.article.examples[0]
    position = game(game_id).position(example.position).change({**example.changes, **changes})
    sentence = verdict(ask(position, example.ask, **{**example.with_, **given}), position)[1]
    assert re.sub("[\u00a0\u202f]", " ", sentence).startswith(said)


def test_a_step_that_holds_for_nobody_is_not_told() -> None:
    """Nobody ticked: no range to tell, nor of a card of no use the moment it is played (A28)."""
    position = game(CC).position("genes")
    trace = ask(position, "fire", firers=[], target="D3").trace
    assert [step.code for step in trace.walk() if step.code.startswith("fire.reach")] == []
    trace = ask(position, "action", name="command_confusion", side="axis", moment="fire_roll").trace
    assert [step.code for step in trace.walk() if step.code == "timing.when"] == []


def test_what_one_marker_is_worth_is_not_told_as_their_number() -> None:
    """A row of a table named as a word of the pieces took its plural (3.1.3)."""
    position = game("heroes_of_normandie").position("materiel")
    sentences = [
        game(position.game).sentence(step, position) for step in ask(position, "gear", unit="panther").trace.walk()
    ]
    said = [re.sub("[\u00a0\u202f]", " ", line) for line in sentences]
    assert {"Un blindage supplémentaire, en défense : 1.", "Un marqueur Fuel, en cases : 1."} <= set(said)


def test_what_may_be_picked() -> None:
    position = game(CC).position("objectifs")
    example = parse_model(Article, article(), "essai.yaml").examples[0]
    picks = [{"argument": "a", "kind": kind, "label": "x"} for kind in ("hex", "hexes", "piece", "pieces", "dice")]
    sound = parse_model(Article, article(picks=picks), "essai.yaml").examples[0].picks
    offered = {pick.kind: options.picked(pick, position) for pick in sound}
    assert offered["hex"] == list(position.grid.cells)
    assert offered["hexes"][0] == ["A1"]
    assert "garnison" in offered["piece"]
    assert ["garnison"] in offered["pieces"]
    assert offered["dice"][:2] == [[1, 1], [2, 2]]
    assert not example.picks


# -- the page -----------------------------------------------------------------------------------------------------


@pytest.fixture
def page(here: Page) -> ArticlesPage:
    made = ArticlesPage(here)
    made.show_list()
    return made


def test_one_board_lives_at_a_time(here: Page, page: ArticlesPage) -> None:
    def weight(rule: str) -> int:
        page.open(rule)
        return living()

    boards = len(here.bridge.boards)
    for rule in ("A32", "A26", "A35.2"):  # what a page makes once is made
        page.open(rule)
    first = weight("A25")
    for rule in ("A32", "A26", "A41", "A35.2"):
        page.open(rule)
        assert len(here.bridge.boards) == boards + 1
    assert weight("A25") == first
    page.show_list()
    assert len(here.bridge.boards) == boards


def test_an_example_of_a_card_gives_way_to_the_other(page: ArticlesPage) -> None:
    page.open("A35.2", "a35-mines-attaque")
    assert page.card
    assert page.card.player
    assert page.card.player.example.id == "a35-mines-attaque"
    kept = page.card
    page.open("A35.2", "a35-mines")
    assert page.card is kept
    assert kept.player
    assert kept.player.example.id == "a35-mines"


def test_the_effect_is_seen_and_nothing_is_lost(page: ArticlesPage) -> None:
    page.open("A35.2")
    assert page.card
    player = page.card.player
    assert player
    effect = named(player.widget, "Voir l’effet")
    assert not seen(effect)  # before the answer
    player.disclose(True)
    assert seen(effect)
    effect.click()
    assert player.stage.position.marker("fortification", "E3") == "mines"
    assert player.position.marker("fortification", "E3") is None
    effect.click()
    assert player.stage.position == player.position
    effect.click()
    player.change({"terrain.E3": "woods"})  # what is asked next starts from what was asked, not from the effect
    assert player.stage.position.marker("fortification", "E3") is None


def test_the_answer_says_what_the_rule_of_the_card_did(page: ArticlesPage) -> None:
    for rule, part, rules in (
        ("A41", "panne (MG Lourde)", 1),
        ("A24.2", "D’abord l’inactif", 1),
        ("A26", "non encadrée", 1),
        ("A24.3", "ne change pas", 1),
        ("A34", "PF finale", 2),
    ):
        page.open(rule)
        assert page.card
        player = page.card.player
        assert player
        assert player.example.question
        asked = player.example.question.choices
        result = ask(player.position, player.example.ask, **player.example.with_)
        named(player.widget, str(fitting(asked, view(result)))).click()
        said = announced(player.question.widget)
        assert "Juste" in said
        assert said.count(part) == 1
        assert said.count("ldv-rule") == rules


def test_a_refusal_has_no_effect_to_show(page: ArticlesPage) -> None:
    page.open("A35")
    assert page.card
    assert page.card.player
    page.card.player.disclose(True)
    assert not seen(named(page.card.player.widget, "Voir l’effet"))


def test_a_link_opens_a_card_and_its_example(here: Page, page: ArticlesPage, shown: list[str]) -> None:
    follow(here, "?jeu=combat_commander&regle=A39&exemple=a39-empiler")
    assert page.card
    assert page.card.player
    assert page.card.player.example.id == "a39-empiler"
    assert here.course.scroll == "article-A39"
    follow(here, "?jeu=combat_commander&vue=actions")
    assert page.card is None
    assert page.list.family.slug == "actions"
    assert here.course.scroll == "lien-A39"
    assert not shown
    follow(here, "?jeu=combat_commander&regle=A99")
    assert "A99" in shown[-1]
    follow(here, "?jeu=echecs")
    assert "n’a pas encore d’articles" in shown[-1]


def follow(here: Page, query: str) -> None:
    here.course.query = query


def test_words_find_a_card_of_any_family(page: ArticlesPage) -> None:
    named(page.list.widget, "Chercher un article").value = "grenades"
    assert "A34" in words(page.list.widget)
    assert "A39" in words(page.list.widget)
    named(page.list.widget, "Chercher un article").value = "<b>rien</b>"
    assert "Aucun article" in words(page.list.widget)
    assert "<b>rien" not in words(page.list.widget)
    assert search(CC, "grenades", 3)


def test_the_index_leads_to_the_card() -> None:
    index = RuleIndex(CC)
    index.open("A32")
    assert "articles.ipynb?jeu=combat_commander&amp;regle=A32" in index.entry.value
    assert card(CC, "A32")
