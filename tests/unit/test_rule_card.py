"""The card of a rule: every taught rule has one, its ways lead somewhere, and the server gives it without a kernel."""

from __future__ import annotations

import gzip
import html
import multiprocessing
import re
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPResponse
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application

from tests.own_loop import in_own_loop
from tutor.core.position import Position
from tutor.core.registry import GAMES, game, load_position
from tutor.core.shelf import Facts, Shelf
from tutor.core.typography import typography
from tutor.course.articles import card
from tutor.course.lessons import lessons, teaching
from tutor.course.links import read_url
from widgets.board.grounds import ground_address
from widgets.board.paint.shapes import fitted
from widgets.board.svg import window_around
from widgets.board.words import whole
from widgets.ground import ground_svg
from widgets.pages.rule_card import case, picture, rule_card, word_card, written
from widgets.serving import rule_cards
from widgets.serving.rule_cards import Answer, CardHandler, Cards, CardWriter, GroundHandler, Unwritten

CC = "combat_commander"
HREF = re.compile(r'(?:href|data-ldv-picture)="([^"]+)"')


def check_way(url: str) -> None:
    """A link of a card leads to something that there is."""
    link = read_url(url)
    if link.page == "home":
        assert link.rule in game(link.game).sections, url
    elif link.page == "articles":
        content = card(link.game, link.rule)
        assert content, url
        assert not link.example or link.example in {one.id for one in content.article.examples}, url
    else:
        lesson = next((one for one in lessons(link.game) if one.slug == link.slug), None)
        assert lesson, url
        assert not link.example or link.example in lesson.examples, url


@pytest.mark.parametrize("game_id", list(GAMES))
def test_every_rule_has_a_card_whose_ways_lead_somewhere(game_id: str) -> None:
    taught = teaching(game_id)
    assert taught
    for rule, section in game(game_id).sections.items():
        text = rule_card(game_id, rule)
        assert whole(html.escape(typography(section.summary))) in (text or ""), rule
        assert text
        assert text.count('id="ldv-card-title"') == 1
        if rule in taught:
            assert section.reason, rule
            assert "Pour un joueur" in text, rule
            assert taught[rule].slug in text, rule
        for url in (html.unescape(one) for one in HREF.findall(text)):
            if not url.startswith("/regles/"):
                check_way(url)
        assert text.count("data-ldv-picture") == (2 if case(game_id, rule) else 0), rule


@pytest.mark.parametrize("game_id", list(GAMES))
def test_a_board_is_drawn_in_both_themes_with_and_without_its_verdict(game_id: str) -> None:
    rules = [rule for rule in teaching(game_id) if case(game_id, rule)][:6]
    assert rules
    for rule in rules:
        pictures = [picture(game_id, rule, theme, solved) for theme in ("light", "dark") for solved in (False, True)]
        for one in pictures:
            assert ElementTree.fromstring(one or "").get("viewBox"), rule
        assert pictures[0] != pictures[2]
    assert any(picture(game_id, rule, "light", False) != picture(game_id, rule, "light", True) for rule in rules)


def test_a_card_does_not_give_its_answer_away_unasked() -> None:
    text = rule_card(CC, "10.3.3") or ""
    question, _, verdict = text.partition("<details>")
    assert "Quelle gêne subit un tir" in question
    assert "la plus forte compte, 4" not in question
    assert "la plus forte compte, 4" in verdict


def test_the_board_of_a_card_is_the_part_that_is_asked_about() -> None:
    one = case(CC, "10.1")
    assert one
    part = window_around(fitted(one.position.grid, 1000, 900), ["B2"])
    assert part
    left, top, width, height = part
    x, y = fitted(one.position.grid, 1000, 900).centre("B2")
    assert left < x < left + width
    assert top < y < top + height
    shown = []
    for rule in list(teaching(CC))[::4]:  # each is drawn
        if one := case(CC, rule):
            size = re.search(r'viewBox="([\d ]+)" width', picture(CC, rule, "light", False) or "")
            assert size
            left, top, width, height = (int(number) for number in size[1].split())
            assert f'width="{width}" height="{height}"' in (rule_card(CC, rule) or "")  # its place is kept on the page
            shown.append((left, top) != (0, 0))
    assert any(shown)
    assert not all(shown)


@pytest.mark.parametrize("game_id", list(GAMES))
def test_every_word_has_a_card_by_any_of_its_forms(game_id: str) -> None:
    for entry in game(game_id).glossary:
        for form in (entry["term"], *(entry.get("aliases") or ())):
            assert "<h2" in (word_card(game_id, str(form).upper()) or ""), form


def test_what_there_is_not_has_no_card() -> None:
    assert written(CC, "rule", "99.99") is None
    assert written(CC, "word", "hélicoptère") is None
    assert written(CC, "plateau", "INTRO") is None
    assert written(CC, "verdict", "99.99") is None


# -- The server --------------------------------------------------------------------------------------------------------


class Scribe(CardWriter):
    """A writer in this process, that counts what it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, ...]] = []
        self.ended = 0
        self.fault = ""

    def ask(self, asked: tuple[str, str, str, str]) -> Answer:
        self.asked.append(asked)
        return (None, self.fault) if self.fault else (written(*asked), "")

    def end(self) -> None:
        self.ended += 1


def visited(cards: Cards, visit: Callable[[Callable[..., Any]], Any]) -> None:
    """Serve cards, and have a visit ask for addresses."""

    async def play() -> None:
        routes = [
            (r"/regles/(\w{1,64})(?:/(plateau|verdict)\.svg)?", CardHandler, {"cards": cards}),
            (r"/sol/\w+/(\w{1,64})/(light|dark)/([\w-]{1,8000})\.svg", GroundHandler, {"cards": cards}),
        ]
        server = HTTPServer(Application(routes))
        (sock,) = bind_sockets(0, "127.0.0.1")
        server.add_socket(sock)

        async def get(path: str, **given: Any) -> HTTPResponse:
            url = f"http://127.0.0.1:{sock.getsockname()[1]}{path}"
            return await AsyncHTTPClient().fetch(url, raise_error=False, **given)

        try:
            await visit(get)
        finally:
            server.stop()
            cards.stop()

    in_own_loop(play())


def test_a_card_is_written_once_and_checked_by_its_tag() -> None:
    scribe = Scribe()

    async def visit(get: Callable[..., Any]) -> None:
        first = await get(f"/regles/{CC}?regle=10.3.3", decompress_response=False)
        assert first.code == 200
        assert first.headers["Content-Type"] == "text/html; charset=UTF-8"
        assert "Modificateurs de Gênes" in first.body.decode()
        squeezed = await get(
            f"/regles/{CC}?regle=10.3.3", headers={"Accept-Encoding": "gzip"}, decompress_response=False
        )
        assert gzip.decompress(squeezed.body) == first.body
        again = await get(f"/regles/{CC}?regle=10.3.3", headers={"If-None-Match": first.headers["Etag"]})
        assert again.code == 304
        assert not again.body
        assert len(scribe.asked) == 1
        word = await get(f"/regles/{CC}?mot=voisins")
        assert "Adjacent" in word.body.decode()
        board = await get(f"/regles/{CC}/verdict.svg?regle=10.3.3&theme=dark")
        assert board.headers["Content-Type"] == "image/svg+xml"
        assert board.body.startswith(b"<svg")
        assert scribe.asked[-1] == (CC, "verdict", "10.3.3", "dark")
        await get(f"/regles/{CC}/plateau.svg?regle=10.3.3&theme=../../x")
        assert scribe.asked[-1] == (CC, "plateau", "10.3.3", "light")

    visited(Cards(scribe), visit)


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        (f"/regles/{CC}?regle=99.99", 404, "Cette règle n’est pas dans le livret."),
        (f"/regles/{CC}", 404, "Cette règle n’est pas dans le livret."),
        (f"/regles/{CC}?regle={'9' * 500}", 404, "Cette règle n’est pas dans le livret."),
        (f"/regles/{CC}?mot=h%C3%A9licopt%C3%A8re", 404, "Ce mot n’est pas dans le lexique."),
        (f"/regles/{CC}/plateau.svg?regle=INTRO", 404, "Aucun exemple ne montre cette règle."),
        ("/regles/echecs?regle=1", 404, "Ce jeu n’est pas dans la bibliothèque."),
        (f"/regles/{CC}?regle=%ff", 400, "Cette règle n’est pas dans le livret."),
    ],
)
def test_what_there_is_not_is_a_french_line(path: str, status: int, sentence: str) -> None:
    async def visit(get: Callable[..., Any]) -> None:
        answer = await get(path)
        assert (answer.code, answer.body.decode()) == (status, f"{sentence}\n")

    visited(Cards(Scribe()), visit)


def test_a_ground_is_drawn_once_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LDV_GROUND", "v1")
    one = load_position(CC, "livret-ldv")
    scribe = Scribe()

    async def visit(get: Callable[..., Any]) -> None:
        address = ground_address(one)
        answer = await get(address)
        assert answer.code == 200
        assert answer.headers["Content-Type"] == "image/svg+xml"
        assert "immutable" in answer.headers["Cache-Control"]
        assert answer.body.decode() == ground_svg(one)
        assert (await get(address, headers={"If-None-Match": answer.headers["Etag"]})).code == 304
        assert len(scribe.asked) == 1
        for wrong in (address.replace(CC, "asl_sk"), address.replace(".svg", "x.svg"), f"/sol/v1/{CC}/light/xyz.svg"):
            lost = await get(wrong)
            assert (lost.code, lost.body.decode()) == (404, "Ce plateau ne se dessine pas.\n")

    visited(Cards(scribe), visit)


def test_an_address_names_all_that_a_ground_shows_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    one = load_position(CC, "livret-ldv")
    assert ground_address(one) == ""
    monkeypatch.setenv("LDV_GROUND", "v1")
    address = ground_address(one)
    assert one.pieces
    assert ground_address(one.model_copy(update={"pieces": [], "title": "Autre"})) == address
    assert ground_address(one.change({"marker.smoke.C3": 2})) == address
    assert ground_address(one.change({"terrain.C3": "woods"})) != address
    assert ground_address(one, dark=True) != address


def test_a_board_that_would_take_long_has_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LDV_GROUND", "v1")
    open_ = Position.parse(f"schema: 1\ngame: {CC}\nid: x\ngrid: {{kind: hex, columns: [A, AG], rows: [1, 10]}}")
    assert ground_address(open_)
    full = open_.change({f"terrain.{cell}": "woods" for cell in open_.grid.cells})
    assert ground_address(full) == ""
    assert written(CC, "ground", full.to_link()) is None


def test_broken_content_is_said_in_french() -> None:
    scribe = Scribe()
    scribe.fault = "Le fichier « sections.yaml » est cassé."

    async def visit(get: Callable[..., Any]) -> None:
        answer = await get(f"/regles/{CC}?regle=10.3.3")
        assert (answer.code, answer.body.decode()) == (500, f"{scribe.fault}\n")

    visited(Cards(scribe), visit)


def test_a_crowd_is_asked_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_cards, "MOST_WAITING", 0)

    async def visit(get: Callable[..., Any]) -> None:
        answer = await get(f"/regles/{CC}?regle=10.3.3")
        assert answer.code == 503
        assert answer.headers["Retry-After"]
        assert "réessayez" in answer.body.decode()

    visited(Cards(Scribe()), visit)


def test_a_file_that_changes_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_cards, "LOOK_EVERY", 0.0)
    file = tmp_path / "sections.yaml"
    file.write_text("avant", encoding="utf-8")

    class One(Shelf):
        def facts(self, game_id: str) -> Facts:
            return Facts(tmp_path, "Un jeu") if game_id == CC else super().facts(game_id)

    scribe = Scribe()
    cards = Cards(scribe, One())

    async def play() -> None:
        asked = (CC, "rule", "10.3.3", "light")
        await cards.read(asked)
        await cards.read(asked)
        assert (len(scribe.asked), scribe.ended) == (1, 0)
        file.write_text("après, et plus long", encoding="utf-8")
        await cards.read(asked)
        assert (len(scribe.asked), scribe.ended) == (2, 1)
        cards.stop()

    in_own_loop(play())


def test_no_more_is_kept_than_has_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_cards, "MOST_BYTES", 3_000)
    scribe = Scribe()
    cards = Cards(scribe)

    async def play() -> None:
        for rule in ("10.1", "10.2", "10.3", "10.3.1", "10.3.2", "10.3.3"):
            await cards.read((CC, "rule", rule, "light"))
        assert 0 < sum(len(one.small) for one in cards._kept.values()) <= 3_000
        await cards.read((CC, "rule", "10.3.3", "light"))
        assert len(scribe.asked) == 6
        cards.stop()

    in_own_loop(play())


def test_a_writer_that_died_is_replaced_and_one_that_was_closed_is_not() -> None:
    started: list[BaseProcess] = []

    def start(target: Callable[..., object], *given: object) -> BaseProcess:
        process = multiprocessing.get_context("spawn").Process(target=target, args=given, daemon=True)
        process.start()
        started.append(process)
        return process

    writer = CardWriter(start)
    asked = (CC, "word", "voisins", "light")
    assert "Adjacent" in (writer.ask(asked)[0] or "")
    assert writer.ask((CC, "rule", "99.99", "light")) == (None, "")
    started[0].kill()
    started[0].join()
    assert "Adjacent" in (writer.ask(asked)[0] or "")
    assert len(started) == 2
    writer.close()
    started[1].join()
    assert writer.pid is None
    with pytest.raises(Unwritten):
        writer.ask(asked)
    assert len(started) == 2
