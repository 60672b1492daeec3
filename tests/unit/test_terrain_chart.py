"""The terrain chart: every entry has a picture of its own and a card; every section of terrain and fortification too."""

from __future__ import annotations

from tutor.core.registry import ask, game
from tutor.course.articles import card
from widgets.pages.terrain_chart import GAME_ID, chart_html, entries, matching, picture, tried


def test_every_entry_has_a_picture_of_its_own_and_a_card() -> None:
    drawn = {entry.row: picture(entry.table, entry.row) for entry in entries()}
    assert all("<svg" in one for one in drawn.values())
    assert len(set(drawn.values())) == len(drawn)
    assert [entry.rule for entry in entries() if card(GAME_ID, entry.rule) is None] == []


def test_every_section_of_terrain_and_fortification_has_a_card() -> None:
    sections = game(GAME_ID).sections
    heads = {section.parent for section in sections.values()}
    wanted = [s.id for s in sections.values() if s.id.startswith(("T7", "T8", "T9", "F10")) and s.id not in heads]
    assert len(wanted) > 40
    assert [rule for rule in wanted if card(GAME_ID, rule) is None] == []


def test_a_trail_gives_the_sight_of_its_hex_and_a_bridge_the_cost_of_its_way() -> None:
    by_row = {entry.row: entry for entry in entries()}
    assert by_row["trail"].sight == by_row["trail"].cover.capitalize()
    assert by_row["major_bridge"].cost != by_row["minor_bridge"].cost
    assert 'href="/voila/render/articles.ipynb?jeu=combat_commander&amp;regle=T97"' in chart_html(matching("mur", ""))


def test_every_entry_is_tried_on_a_board_that_gives_its_cost_or_refuses() -> None:
    for entry in entries():
        board = tried(entry)
        assert game(GAME_ID).problems(board) == []
        outcomes = {ask(board, "step_cost", start=one, end=end).outcome for one, end in (("B1", "B2"), ("B2", "B3"))}
        assert "unknown" not in outcomes, entry.row
