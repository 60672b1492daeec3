"""What a page shows first is sent with it: board and question, nothing to press, written before it is needed."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.own_loop import in_own_loop
from tutor.core.registry import GAMES
from tutor.core.shelf import Facts, Shelf
from tutor.course.lessons import lessons
from widgets.host import course_page
from widgets.pages.card_writer import shown
from widgets.pages.first_picture import first_free, first_home, first_picture
from widgets.serving import first_pictures, rule_cards
from widgets.serving.catalogue import Catalogue
from widgets.serving.first_pictures import FirstPictures
from widgets.serving.headers import ANEW
from widgets.serving.options import DEFAULT_AHEAD
from widgets.serving.rule_cards import Answer, Asked, Cards, CardWriter

CC = "combat_commander"
STATIC, STYLE = course_page.TEMPLATE, course_page.STATIC / "course.css"
NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
pytestmark = pytest.mark.usefixtures("handed_grounds")


class Scribe(CardWriter):
    """Writes what it is asked for, and a ground's address in each first picture."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, str]] = []

    def ask(self, asked: Asked) -> Answer:
        self.asked.append((asked[1], asked[2]))
        return f"<image href=/sol/v1/{CC}/dark/{asked[2]}.svg>", ""


def named(prefix: str, text: str) -> set[str]:
    """The names with a prefix that a style sheet writes for."""
    return set(re.findall(rf"\.{prefix}-([\w-]+)", text))


@pytest.mark.parametrize("game_id", GAMES)
def test_what_a_page_has_a_style_for_has_one_in_its_first_picture(game_id: str) -> None:
    """Nothing moves when the live page takes its place: ``first.css`` writes for the same boxes."""
    sheets = [path.read_text(encoding="utf-8") for path in (*STATIC.glob("*.css"), STYLE)]
    live, first = named("ldv", "".join(sheets)), named("first", "".join(sheets))
    pictures = first_home(game_id, asked=True), first_free(game_id), first_picture(game_id, lessons(game_id)[0].id)
    shown = {
        name for html in pictures for names in re.findall(r'class="([^"]*)"', html or "") for name in names.split()
    }
    boxes = {name.removeprefix("first-") for name in shown if name.startswith("first-")}
    assert len(boxes & live) > 10
    assert sorted(boxes & live - first) == []


def drawn(shown: str) -> None:
    """A board in both themes, words, and nothing that can be pressed or that a script knows."""
    assert [shown.count(f'<template data-theme="{theme}"><svg') for theme in ("light", "dark")] == [1, 1]
    words = re.sub(r"<template.*?</template>", "", shown, flags=re.DOTALL)
    assert len(re.sub(r"<[^>]+>|\s", "", words)) > 40, words
    assert not re.search(r"<(a|button|input|select|script)\b|\sid=|class=\"[^\"]*ldv-", words), words


@pytest.mark.parametrize("game_id", GAMES)
def test_every_lesson_has_its_board_and_its_words_and_nothing_that_can_be_pressed(game_id: str) -> None:
    for one in lessons(game_id):
        drawn(first_picture(game_id, one.id) or "")


@pytest.mark.parametrize("game_id", GAMES)
def test_so_have_the_home_page_and_the_free_board_of_every_game(game_id: str) -> None:
    asked, free = (shown(game_id, kind, name, "light") or "" for kind, name in (("home", "asked"), ("free", "")))
    drawn(asked)
    drawn(free)
    for page in (asked, free):
        assert re.findall(r'data-game="(\w+)"', page) == [game_id]
        assert set(re.findall(r"/sol/v1/(\w+)/", page)) == {game_id}
    assert f"<h1>{GAMES[game_id]}</h1>" in asked
    assert bool(shown(game_id, "home", "", "light")) == (
        game_id == next(iter(GAMES))
    )  # who asks for none sees the first


def test_a_home_page_says_nothing_of_a_reader() -> None:
    said = shown(CC, "home", "", "light") or ""
    assert not re.search("Pour commencer|Vous en étiez|Continuer|Rejoindre", said)


@pytest.mark.parametrize(
    ("path", "query", "asked"),
    [
        ("accueil.ipynb", "", (CC, "home", "")),
        ("accueil.ipynb", "attente=abc", (CC, "home", "")),
        ("accueil.ipynb", "jeu=tcs&attente=abc", ("tcs", "home", "asked")),
        ("accueil.ipynb", "jeu=inconnu", None),
        ("accueil.ipynb", "jeu=tcs&vue=index", None),
        ("accueil.ipynb", "classe=K7PM2Q", None),
        ("bac-a-sable.ipynb", "", (CC, "free", "")),
        ("bac-a-sable.ipynb", "jeu=tcs", ("tcs", "free", "")),
        ("bac-a-sable.ipynb", "position=abc", None),
        ("combat_commander/03-ldv-terrain-plat.ipynb", "scene=regle", None),
        ("reviser.ipynb", "", None),
    ],
)
def test_an_address_has_the_picture_of_what_it_opens(path: str, query: str, asked: tuple[str, str, str] | None) -> None:
    scribe = Scribe()
    cards = Cards(scribe)

    async def play() -> None:
        firsts = FirstPictures(cards, Catalogue(NOTEBOOKS))
        await firsts.prepare(path, query)
        at_hand = firsts.of(path, query)
        assert at_hand.startswith('<div id="ldv-first"') if asked else at_hand == ""
        cards.stop()

    in_own_loop(play())
    assert scribe.asked[:1] == ([asked[1:]] if asked else [])


def test_every_notebook_of_a_lesson_names_it() -> None:
    catalogue = Catalogue(NOTEBOOKS)
    named = {(page.game, page.lesson) for page in catalogue.lessons}
    assert named == {(game_id, one.id) for game_id in GAMES for one in lessons(game_id)}


@pytest.mark.parametrize("ahead", [DEFAULT_AHEAD, 0])
def test_a_visit_has_its_lesson_prepared_and_the_next_one_where_that_is_wanted(
    monkeypatch: pytest.MonkeyPatch, ahead: int
) -> None:
    monkeypatch.setattr(first_pictures, "AFTER", 0.0)
    scribe, catalogue = Scribe(), Catalogue(NOTEBOOKS)
    cards = Cards(scribe)
    firsts = FirstPictures(cards, catalogue, ahead=ahead)
    path = catalogue.courses[CC][0].path

    async def play() -> None:
        assert firsts.of(path) == ""
        await firsts.settled()
        assert "<image" in firsts.of(path)
        assert firsts.of("reviser.ipynb") == ""
        await firsts.settled()
        if not ahead:
            await firsts.watch()
        cards.stop()

    in_own_loop(play())
    ids = [page.lesson for page in catalogue.courses[CC][: 2 if ahead else 1]]
    assert scribe.asked == [(kind, one) for one in ids for kind in ("first", "ground")]


def test_a_page_begins_as_it_did_and_is_not_sent_twice() -> None:
    firsts = FirstPictures(Cards(Scribe()), Catalogue(NOTEBOOKS))

    async def page(*parts: str) -> AsyncIterator[str]:
        for part in parts:
            yield part

    def sent(begun: str, *parts: str) -> str:
        async def all_of_it() -> str:
            return "".join([text async for text in firsts.within("un.ipynb", "<i>", begun, page(*parts))])

        text: str = in_own_loop(all_of_it())
        return text

    body, shows = "<body><!--ldv-first-->", "<script>ldv.loading();</script>"
    assert firsts.beginning("un.ipynb", "<i>") == ""
    assert sent("", body[:9], body[9:] + shows[:5], shows[5:] + "<p>", "</p>") == f"<body><i>{shows}<p></p>"
    assert firsts.beginning("un.ipynb", "") == firsts.beginning("deux.ipynb", "<i>") == ""
    begun = firsts.beginning("un.ipynb", "<i>")
    assert begun == f"<body><i>{shows}"  # it is on the screen, whatever the kernel does
    assert begun + sent(begun, body + shows + "<p>", "</p>") == f"<body><i>{shows}<p></p>"
    assert sent(begun, f"<title>{body}{shows}<p>", "</p>") == f"<script>{ANEW}</script>"
    assert sent(firsts.beginning("un.ipynb", "<i>"), f"<title>{body}{shows}<p>") == "<p>"
    assert sent("", "<p>", "</p>") == "<p></p>"  # a page without room for a picture


def test_a_lesson_whose_files_change_is_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_cards, "LOOK_EVERY", 0.0)
    file = tmp_path / "lecon.yaml"
    file.write_text("avant", encoding="utf-8")

    class One(Shelf):
        def facts(self, game_id: str) -> Facts:
            return Facts(tmp_path, "Un jeu") if game_id == CC else super().facts(game_id)

    scribe, catalogue = Scribe(), Catalogue(NOTEBOOKS)
    cards = Cards(scribe, One())
    firsts = FirstPictures(cards, catalogue)
    page = catalogue.courses[CC][0]

    async def play() -> None:
        await firsts.prepare(page.path)
        (tmp_path / "__pycache__").mkdir()  # what reading a content leaves is no change
        (tmp_path / "__pycache__" / "lecon.yaml.parsed").write_bytes(b"lu")
        await firsts.prepare(page.path)
        assert scribe.asked.count(("first", page.lesson)) == 1
        file.write_text("après, et plus long", encoding="utf-8")
        await firsts.prepare(page.path)
        cards.stop()

    in_own_loop(play())
    assert scribe.asked.count(("first", page.lesson)) == 2


def test_an_idle_server_prepares_the_home_page_the_free_boards_and_every_lesson_and_none_while_somebody_reads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(first_pictures, "EVERY", 0.0)
    scribe, catalogue, reading = Scribe(), Catalogue(NOTEBOOKS), [True] * 5
    cards = Cards(scribe)

    def busy() -> bool:
        assert not scribe.asked or not reading
        return bool(reading and reading.pop())

    async def play() -> None:
        await FirstPictures(cards, catalogue, busy, ahead=1e-9).watch()
        cards.stop()

    in_own_loop(play())
    made = [(kind, name) for kind, name in scribe.asked if kind != "ground"]
    assert made[:2] == [("home", ""), ("free", "")]
    assert made[2:].count(("home", "asked")) == len(GAMES) == made.count(("free", ""))
    assert [name for kind, name in made if kind == "first"] == [page.lesson for page in catalogue.lessons]
