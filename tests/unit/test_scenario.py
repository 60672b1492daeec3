"""Mini-scenarios: every one plays to its end, by the rules, the same with the same dice, judged by exact odds."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

import pytest

from tests.screen import words
from tutor.core.errors import ContentError, RequestError
from tutor.core.play import Declaration
from tutor.core.registry import GAMES, ask, game
from tutor.course.lessons import lesson
from tutor.course.links import Link, read_url
from tutor.course.scenario import WAIT, Skirmish, scenario, scenario_files, seed_of
from widgets.host.page import Page
from widgets.pages.scenarios import ScenariosPage
from widgets.player.scenario import ScenarioPlayer

CC = "combat_commander"
ALL = [(one, path.stem) for one in GAMES for path in scenario_files(one)]
FIRST = "tenir-la-lisiere"


def begun(game_id: str, name: str, seed: str) -> Skirmish:
    """A mini-scenario that begins."""
    return Skirmish.of(game_id, scenario(game_id, name), seed)


@cache
def finished(game_id: str, name: str, seed: str, best: bool) -> Skirmish:
    """One played to its end: the best decision each time, or one drawn by lot."""
    run, lot = begun(game_id, name, seed), Random(seed)
    while run.turn != "end":
        if run.turn == "opponent":
            run = run.reply()
        elif best:
            run = run.decide(run.options[0][0])
        else:
            allowed = list(run.allowed(run.content.side, run.content.orders)) or [WAIT]
            run = run.decide(lot.choice(allowed))
    return run


@pytest.mark.parametrize(("game_id", "name"), ALL)
def test_decisions_by_lot_lead_to_the_end(game_id: str, name: str) -> None:
    for seed in ("K7P2", "S2"):
        run = finished(game_id, name, seed, best=False)
        assert len(run.decisions) == run.content.decisions or (run.content.early and run.won)
        assert all(one.judged and 0 <= one.judged.score <= 3 for one in run.decisions)
        for place, one in enumerate(run.played):
            if one.declared == WAIT:
                orders = run.content.orders if one.judged else run.content.opponent.orders
                earlier = replace(run, played=run.played[:place])
                assert one.judged is None or not list(earlier.allowed(one.side, orders))
                continue
            question, given = run.order(one.declared).question(one.before, one.declared)
            assert ask(one.before, question, **given).computed, f"{one.side} : {one.declared}"
            assert one.result is not None
            assert one.result.computed


@pytest.mark.parametrize(("game_id", "name"), ALL)
def test_the_same_dice_and_decisions_give_the_same_game(game_id: str, name: str) -> None:
    one, again = finished(game_id, name, "K7P2", best=False), begun(game_id, name, "K7P2")
    for move in one.played[:4]:
        again = again.decide(move.declared) if move.judged else again.reply()
        assert (dict(again.played[-1].given), again.played[-1].declared) == (dict(move.given), move.declared)
        assert again.position.dump() == move.after.dump()


@pytest.mark.parametrize(("game_id", "name"), ALL)
def test_always_the_best_decision_has_the_greatest_score(game_id: str, name: str) -> None:
    run = finished(game_id, name, "S2", best=True)
    assert run.score == 3 * len(run.decisions)


@pytest.mark.parametrize(("game_id", "name"), ALL)
def test_a_scenario_can_be_won_and_lost_and_uses_what_was_taught(game_id: str, name: str) -> None:
    content = scenario(game_id, name)
    assert lesson(game_id, content.after)
    assert all(game(game_id).section(rule) for rule in content.rules)
    results: set[bool] = set()
    for number, best in product(range(2, 8), (True, False)):
        results.add(finished(game_id, name, f"S{number}", best=best).won)
        if results == {True, False}:
            return
    pytest.fail(f"toujours {results}")


def test_the_value_of_a_fire_is_its_chance_to_break_or_eliminate() -> None:
    run = begun(CC, FIRST, "AAAA")
    declared = Declaration("fire", "mg", ("D5",))
    odds = ask(run.position, "fire_odds", firers=["mg"], target="D5").value.pieces["ouvriers"]
    assert run.value(declared) == odds.broken + 2 * odds.eliminated == Fraction(575, 1296)


def test_scores_follow_the_share_of_the_best() -> None:
    run = begun(CC, FIRST, "AAAA")
    worths = [(run.judge(one).score, value) for one, value in run.options]
    assert worths[0][0] == 3
    assert [score for score, _ in worths] == sorted((score for score, _ in worths), reverse=True)
    assert worths[-1][0] == 0


def test_a_refused_order_says_its_rule_and_changes_nothing() -> None:
    run = begun(CC, FIRST, "AAAA")
    declared = Declaration("fire", "servants", ("E4",))
    refused = run.permitted(declared)
    assert refused is not None
    assert [step.rule for step in refused.refusals] == ["3.1.2"]
    with pytest.raises(RequestError, match="refusent"):
        run.decide(declared)
    with pytest.raises(RequestError, match="adversaire"):
        run.reply()


def test_an_unknown_scenario_or_order_is_a_content_error() -> None:
    with pytest.raises(ContentError, match="n’existe pas"):
        scenario(CC, "rien")
    content = scenario(CC, FIRST).model_copy(update={"orders": ["voler"]})
    with pytest.raises(ContentError, match="voler"):
        Skirmish.of(CC, content, "AAAA")


def test_a_link_brings_back_scenario_and_dice() -> None:
    link = Link("scenario", CC, slug=FIRST, dice="K7P2")
    assert read_url(link.url) == link
    assert seed_of("k7p2") == "K7P2"


# -- on the page ------------------------------------------------------------------------------------------------------


def opened(query: str = f"?jeu={CC}&scenario={FIRST}&des=AAAA") -> ScenarioPlayer:
    page = Page()
    shown = ScenariosPage(page)
    page.course.query = query
    assert shown.player is not None
    return shown.player


def press_through(player: ScenarioPlayer) -> None:
    """Order the best each time, to the end."""
    while player.run.turn != "end" or player.shown:
        if player.shown is None:
            best = player.run.options[0][0]
            if best != WAIT:
                player.choose_kind(best.order)
                player.choose_doer(best.doer)
                for cell in best.places:
                    player.choose_place(cell)
        player.advance()


@pytest.mark.parametrize("name", [FIRST, "reprendre-la-ferme"])
def test_the_page_plays_one_to_its_end(name: str) -> None:
    player = opened(f"?jeu={CC}&scenario={name}&des=AAAA")
    press_through(player)
    end = words(player.widget)
    assert ("But atteint." if player.run.won else "But manqué.") in end
    assert f"sur {3 * len(player.run.decisions)}" in end
    assert "des=AAAA" in player.page.course.link
    player.start("")
    assert player.run.played == ()


def test_the_page_says_the_rule_of_a_refused_order_and_plays_on() -> None:
    player = opened()
    player.choose_doer("servants")
    player.choose_place("E4")
    player.order()
    assert "Les règles refusent." in words(player.widget)
    assert "3.1.2" in words(player.widget)
    player.choose_place("D3")
    assert "Les règles refusent." not in words(player.widget)
    player.advance()
    assert player.shown is not None
    assert player.shown.judged is not None
    assert player.shown.judged.score == 0
    assert "Il y avait bien mieux." in words(player.widget)
    assert "O20.3" in words(player.widget)


def test_units_and_hexes_are_chosen_on_the_board() -> None:
    player = opened()
    player.touch("B4", None)
    first = player.doer
    player.touch("B4", None)
    assert {first, player.doer} == {"servants", "mg"}
    player.touch("D5", None)
    player.order()
    assert player.run.played[0].declared.places == ("D5",)
