"""What a visitor gives is data: markup stays text, and what is broken is a French sentence that a page can send."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any

import ipywidgets as ipw
import pytest

from tutor.core.errors import ContentError, PositionError, RequestError, TutorError
from tutor.core.position import Position
from tutor.core.registry import ask, load_position
from tutor.core.yamlio import parse_yaml
from tutor.course.matching import exact
from tutor.course.models import Answer
from widgets.editor.teacher_lesson import Plan
from widgets.player.answers import OrderField

EVIL = "<img src=x onerror=alert(1)>"
BOARD = load_position("combat_commander", "livret-ldv")


def linked(**changes: Any) -> str:
    """A link of a board as a forger would write it: nothing of ours has read it before."""
    raw = json.dumps({**BOARD.data(), **changes}).encode()
    return base64.urlsafe_b64encode(zlib.compress(raw, 9)).decode().rstrip("=")


def markup(widget: Any) -> str:
    """All that a widget gives the browser as HTML."""
    own = widget.value if isinstance(widget, ipw.HTML) else ""
    return own + "".join(map(markup, getattr(widget, "children", ())))


def test_what_is_put_in_order_is_no_markup() -> None:
    items = [{"label": EVIL, "when": {"value": 1}}, {"label": "b", "when": {"value": 2}}]
    answer = Answer.model_construct(kind="order", items=[type("Item", (), item)() for item in items])
    assert EVIL not in markup(OrderField(answer, lambda _: None, BOARD, lambda _: None).widget)
    assert "&lt;img" in markup(OrderField(answer, lambda _: None, BOARD, lambda _: None).widget)


@pytest.mark.parametrize("name", ["\ud800", "a\x00b", "\x07", "\x1b[2J"])
def test_a_name_that_no_page_nor_drawing_holds_is_refused(name: str) -> None:
    pieces = [{**BOARD.data()["pieces"][0], "name": name}]
    with pytest.raises(PositionError, match="name") as caught:
        Position.from_link(linked(pieces=pieces))
    caught.value.sentence.encode()  # what is said of it can be sent


@pytest.mark.parametrize(
    "changes", [{"x" * 60_000: 1}, {"title": "y" * 60_000}, {"terrain": {"w" * 3000: ["A1"]}}, {"id": "\ud800"}]
)
def test_a_sentence_stays_a_sentence(changes: dict[str, Any]) -> None:
    with pytest.raises(PositionError) as caught:
        Position.from_data({**BOARD.data(), **changes})
    caught.value.sentence.encode()
    assert len(caught.value.sentence) < 400


@pytest.mark.parametrize("value", [float("inf"), float("nan"), "inf", "1e999", "½"])
def test_what_is_no_number_is_none(value: Any) -> None:
    assert exact(value) is None


@pytest.mark.parametrize(
    "text",
    [
        "schema: [", "a: b: c", "\tx: 1", "a: 'x", "a: @b", "!!python/name:os.system x", "a: &x 1\nb: *y", '"\\ud800"', "a: 2026-13-45",
        "- a\nb: 1", "{a: 1", "%YAML 9.9\n---\na", "a: |2x", "? [a]\n: b", '"\\q"', "a: 0x", "\x07",
    ],
)  # fmt: skip
def test_a_text_that_is_no_yaml_is_told_in_french(text: str) -> None:
    try:
        parse_yaml(text)
    except ContentError as error:
        said = str(error)
        assert not re.search(r"\b(found|expected|could|while|not|the|must|invalid|character)\b", said), said


@pytest.mark.parametrize(
    "forged",
    [
        {"parts": [{"kind": "situation", "text": None, "title": "", "sheet": None}]},
        {"parts": [{"kind": "rule", "text": "", "title": 5, "sheet": None}]},
        {"parts": [{"kind": "example", "text": "", "title": "", "sheet": True}]},
        {"parts": [{"kind": "situation", "text": "", "title": "", "sheet": None}] * 5000},
        {"minutes": float("inf")},
        {"minutes": True},
        {"title": ["x"]},
        {"teaser": "x" * 300_000},
        {"game": "chess"},
    ],
)
def test_a_forged_draft_is_a_sentence(forged: dict[str, Any]) -> None:
    kept = {**json.loads(Plan("Voir").dump("tcs")), **forged}
    with pytest.raises(TutorError):
        Plan.parse(json.dumps(kept))


def test_a_deep_draft_is_a_sentence() -> None:
    with pytest.raises(TutorError):
        Plan.parse("[" * 100_000)


def crowd(game_id: str, name: str, piece: str, copies: int) -> tuple[Position, list[str]]:
    """A board of the game where a piece stands many times in its hex, and their ids."""
    board = load_position(game_id, name)
    data = board.data()
    first = next(one for one in data["pieces"] if one["id"] == piece)
    names = [piece, *(f"{piece}-{number}" for number in range(2, copies + 1))]
    data["pieces"] += [{**first, "id": name} for name in names[1:]]
    return Position.from_data(data), names


@pytest.mark.parametrize(
    ("game_id", "name", "piece", "most", "question", "declared"),
    [
        ("combat_commander", "groupe-haie", "garde", 7, "fire_odds", {"firers": ["loup", "renard"], "target": "D3"}),
        ("asl_sk", "defense", "assaut", 4, "walk", {"movers": "all", "path": ["H4", "G5"]}),
    ],
)
def test_a_crowd_made_to_be_expensive_is_a_sentence(
    game_id: str, name: str, piece: str, most: int, question: str, declared: dict[str, Any]
) -> None:
    for copies, allowed in ((most, True), (30, False)):
        board, names = crowd(game_id, name, piece, copies)
        given = {key: names if value == "all" else value for key, value in declared.items()}
        if allowed:
            ask(board, question, **given)
        else:
            with pytest.raises(RequestError, match="30"):
                ask(board, question, **given)


def test_a_sheet_of_losses_longer_than_any_formation_is_a_sentence() -> None:
    board = load_position("tcs", "livret-moral")
    with pytest.raises(RequestError, match="feuille"):
        ask(board, "vehicle_morale", track=[0, 1, 1], lost=1_000_000, dice=[3])


def test_odds_that_cannot_be_computed_leave_none_of_before() -> None:
    from tutor.course.models import Odds
    from widgets.player.odds import OddsStack

    odds = OddsStack(Odds(ask="fire_odds"))
    given = {"firers": ["loup", "renard"], "target": "D3"}
    odds.show(load_position("combat_commander", "groupe-haie"), given)
    assert "<svg" in markup(odds.widget) or "%" in markup(odds.widget)
    with pytest.raises(TutorError):
        odds.show(crowd("combat_commander", "groupe-haie", "garde", 30)[0], given)
    assert "%" not in markup(odds.widget)


@pytest.mark.parametrize(
    "text",
    [
        "http://[", "https://x//[?lecon=ABCD2345", "http://[?position=x", "javascript:alert(1)", "?position=" + "x" * 9000, "/l/" + "A" * 400,
        "https://ailleurs.example/voila/render/../../etc/passwd", "/?jeu=<b>", "\x00/", "a" * 70_000, "schema: [\n", "½",
        "data:text/html,<script>", "/voila/render/combat_commander/%00.ipynb",
    ],
)  # fmt: skip
def test_a_pasted_link_that_leads_nowhere_is_a_sentence(text: str) -> None:
    from widgets.classroom.pasted import KeptReader

    def never(*_: Any) -> Any:
        raise AssertionError("nothing is asked of the server, nothing is shown")

    with pytest.raises(TutorError) as caught:
        KeptReader(never, never, never).read(text)
    assert len(caught.value.sentence) < 400


def test_what_a_hex_of_water_cannot_hold_is_said_with_its_elision() -> None:
    from tutor.core.registry import game

    wet = BOARD.change({"terrain.K6": "water_barrier", "marker.blaze.K6": True})
    faults = " ".join(game("combat_commander").problems(wet))
    assert "pas d’Incendie" in faults
