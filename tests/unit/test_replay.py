"""A turn played step by step: every path, refusals, what a result changes on the board, links, and the player."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from tests.own_loop import in_own_loop
from tests.screen import announced, controls, dressed, named, send, words
from tutor.core.errors import ContentError
from tutor.core.position import Position
from tutor.core.registry import GAMES, ask, game, load_position
from tutor.course.links import Link, read_url
from tutor.course.models import parse_model
from tutor.course.replay import Replay, Run, faults, replay, replay_files
from tutor.course.replay_words import changed
from widgets.board.panels.clickable import Pictured
from widgets.pages.lesson import lesson
from widgets.player.lesson import LessonPage
from widgets.player.replay import ReplayKeys, ReplayPlayer

CC = "combat_commander"
ALL = [(one, path.stem) for one in GAMES for path in replay_files(one)]


def turn(*steps: dict[str, Any], **more: Any) -> Replay:
    """A replay of Combat Commander made of steps."""
    base = {"who": "axis", "turn": "Tour", "title": "Étape", "text": "Texte."}
    return parse_model(
        Replay,
        {
            "id": "essai",
            "title": "Essai",
            "text": "Essai.",
            "position": "tour-hameau",
            "steps": [{**base, **step} for step in steps],
            **more,
        },
        "essai.yaml",
    )


END = {"id": "fin", "end_turn": True}
SAY = {"id": "mot"}


def runs(start: Run) -> Iterator[Run]:
    """Every run of a replay, finished."""
    if start.next is None:
        yield start
        return
    decision = start.next.decision
    for option in [one.id for one in decision.options] if decision else [None]:
        move = start.try_out(option)
        if not move.refused:
            yield from runs(start.then(move))


def after(position: Position, question: str, **given: Any) -> Position:
    """The position once a question's result is carried out."""
    result = ask(position, question, **given)
    assert result.computed, result.refusals
    return position.change(game(position.game).aftermath(position, question, given, result.value))


# -- the content --------------------------------------------------------------------------------------------------


def test_there_is_a_replay() -> None:
    assert (CC, "le-hameau") in ALL


@pytest.mark.parametrize(("game_id", "name"), ALL)
def test_a_link_leads_back_to_every_step_of_every_path(game_id: str, name: str) -> None:
    start = Run.of(game_id, replay(game_id, name))
    every = list(runs(start))
    assert len(every) > 4
    for run in every:
        for number in range(1, len(run.moves) + 1):
            again, shown = start.at(run.place(number))
            assert shown == number
            wanted = run.back(number if run.moves[number - 1].option else number - 1)
            assert again.position == wanted.position


def test_the_decisions_of_the_hamlet_change_what_follows() -> None:
    ends = {
        (tuple(sorted(run.position.by_id)), str(run.position.state.get("points")))
        for run in runs(Run.of(CC, replay(CC, "le-hameau")))
    }
    assert len(ends) >= 3, "the decisions lead to different ends"


def test_the_tie_of_the_melee_eliminates_both_camps() -> None:
    """Pioneers 7 and boxed 1, with 6: 14. Tirailleurs 5 and boxed 1, a broken Krylov 0, with 8: 14 (O16.4.3)."""
    run = Run.of(CC, replay(CC, "le-hameau")).finish()
    melee = next(move for move in run.moves if move.step.id == "melee")
    assert melee.result is not None
    assert dict(melee.result.value.totals) == {"axis": 14, "allies": 14}
    assert not {"pionniers", "krylov", "tirailleurs"} & set(run.position.by_id)
    assert run.position.state["points"] == {"axis": 4, "allies": 2}
    assert run.position.state["victory"] == 4 - 2, "one marker for both sides (4.1.1)"


# -- faults are found ---------------------------------------------------------------------------------------------

WALK = {"ask": "move", "with": {"pieces": ["fusiliers"], "path": ["C2"]}}
FAR = {"ask": "advance", "with": {"piece": "pionniers", "cell": "E4"}}


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([{"id": "a", **FAR}, SAY, END], "les règles la refusent"),
        (
            [
                {
                    "id": "a",
                    "decision": {
                        "text": "Où ?",
                        "options": [{"id": "x", "label": "Là", **FAR}, {"id": "y", "label": "Ici", **FAR}],
                    },
                },
                SAY,
                END,
            ],
            "impasse",
        ),
        ([{"id": "a", **WALK}, {**SAY, "when": {"piece.fusiliers.at": "G5"}}, END], "aucun chemin n’y passe"),
        ([{"id": "a", "ask": "move", "with": {"pieces": ["personne"], "path": ["C2"]}}, SAY, END], "Aucun pion"),
        (
            [
                {
                    "id": "a",
                    **WALK,
                    "question": {
                        "text": "Où ?",
                        "choices": [
                            {"label": "Là", "when": {"value": {"cell": "C2"}}},
                            {"label": "Ici", "when": {"outcome": "computed"}},
                        ],
                    },
                },
                SAY,
                END,
            ],
            "ne correspond au résultat",
        ),
        (
            [{"id": "a", "ask": "retreat", "with": {"piece": "milice", "distance": "{b.x}"}}, SAY, END],
            "pas de résultat",
        ),
        (
            [{"id": "a", "ask": "advance", "with": {"piece": "fusiliers", "cell": "B3"}}, SAY, END],
            "",
        ),
    ],
)
def test_a_fault_is_named(steps: list[dict[str, Any]], said: str) -> None:
    wrong = list(faults(CC, turn(*steps)))
    assert any(said in line for line in wrong) if said else wrong == []


def test_an_impossible_position_is_a_fault() -> None:
    together = turn({"id": "a", **WALK}, SAY, END, changes={"piece.milice.at": "C4"})
    assert any("C4" in line for line in faults(CC, together))


def test_a_form_that_means_nothing_is_refused() -> None:
    with pytest.raises(ContentError, match="une étape est"):
        turn({"id": "a", **WALK, "end_turn": True}, SAY, END)
    with pytest.raises(ContentError, match="même « id »"):
        turn(SAY, SAY, END)
    with pytest.raises(ContentError, match="n’existe pas"):
        replay(CC, "../le-hameau")


# -- a run --------------------------------------------------------------------------------------------------------


def test_a_refused_choice_changes_nothing_and_says_why() -> None:
    run = Run.of(CC, replay(CC, "le-hameau"))
    move = run.try_out("separes")
    assert move.refused
    assert move.after is run.position
    assert move.result is not None
    assert [step.rule for step in move.result.refusals] == ["O20.3.1"]
    assert run.try_out("groupe").after != run.position


def test_what_must_be_allowed_first_is_asked_first() -> None:
    run, _ = Run.of(CC, replay(CC, "le-hameau")).at("3")
    late = run.try_out("trop-tard")
    assert late.result is not None
    assert late.result.ask == "op_fire"
    assert "A33.2" in {step.rule for step in late.result.refusals}


def test_an_earlier_result_completes_a_declaration() -> None:
    walk = {"id": "a", **WALK}
    on = {"id": "b", "ask": "move", "with": {"pieces": ["fusiliers"], "path": ["D1"], "spent": "{a.spent}"}}
    run = Run.of(CC, turn(walk, on, END)).finish()
    assert run.moves[1].arguments["spent"] == 1
    assert run.moves[1].result is not None
    assert run.moves[1].result.value.spent == 3  # one for C2, two for brush


@pytest.mark.parametrize("place", ["99", "abc", "3-bch", "2-aaaaaaaaaaaaaaaaaaaaaaaaaaa", "1-c", "-1"])
def test_a_bad_link_says_so(place: str) -> None:
    with pytest.raises(ContentError):
        Run.of(CC, replay(CC, "le-hameau")).at(place)


def test_the_step_is_in_the_grammar_of_links() -> None:
    link = Link("lesson", CC, slug="19-un-tour-complet", stage="5-ab")
    assert link.url.endswith("19-un-tour-complet.ipynb?etape=5-ab")
    assert read_url(link.url) == link


# -- what a result changes ----------------------------------------------------------------------------------------


def test_an_attack_marks_firers_and_victims() -> None:
    start = load_position(CC, "tour-hameau")
    shot = after(start, "attack", firers=["mg"], target="E3", roll=[6, 6], defence={"milice": [1, 1]})
    assert shot.piece("servants").activated == "fire"
    assert shot.piece("milice").status == ["broken"]
    again = after(shot, "attack", firers=["pionniers"], target="E3", roll=[6, 6], defence={"milice": [1, 1]})
    assert "milice" not in again.by_id
    assert again.state["points"] == {"axis": 2, "allies": 0}


def test_a_movement_meets_its_shots() -> None:
    start = load_position(CC, "tour-hameau")
    shot = {"at": "D2", "firers": ["tirailleurs"], "roll": [6, 6], "defence": {"fusiliers": [1, 1]}}
    moved = after(start, "move", pieces=["fusiliers"], path=["C2", "D2"], shots=[shot])
    piece = moved.piece("fusiliers")
    assert (piece.at, piece.activated, piece.status) == ("D2", "move", ["broken"])
    assert moved.piece("tirailleurs").activated == "op_fire"


def test_who_leaves_the_map_leaves_with_his_weapon() -> None:
    start = load_position(CC, "tour-hameau").change(
        {"piece.servants.at": "G4", "state.edges": {"axis": "left", "allies": "right"}}
    )
    gone = after(start, "advance", piece="servants", cell="exit")
    assert not {"servants", "mg"} & set(gone.by_id)


def test_recovery_rout_and_the_end_of_a_turn() -> None:
    start = load_position(CC, "tour-hameau").change(
        {"piece.milice.status.broken": True, "piece.krylov.status.suppressed": True, "piece.ganz.activated": "fire"}
    )
    better = after(start, "recover", side="allies", rolls={"milice": [1, 1]})
    assert better.piece("milice").status == better.piece("krylov").status == []
    assert better.state["activated_players"] == ["allies"]
    tied = after(start, "rout", side="allies", rolls={"milice": [4, 4]})  # 5 printed, 3 of the building: 8
    assert set(tied.piece("milice").status) == {"broken", "suppressed"}
    fled = after(start, "retreat", piece="milice", distance=1, path=["F3"])
    assert fled.piece("milice").at == "F3"
    ended = better.change(game(CC).end_turn(better))
    assert ended.piece("ganz").activated is None
    assert "activated_players" not in ended.state


EFFECTS: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
    ("tir-rafale", "smoke_grenades", {"piece": "assaut", "cell": "E2", "smoke": 5}, {"marker.smoke.E2": 5}),
    ("tir-rafale", "smoke_grenades", {"piece": "assaut", "cell": "E2"}, {}),
    ("fumee", "smoke_marker", {"cell": "B2", "value": 3}, {"marker.smoke.B2": 5}),
    ("fortifications", "fortify", {"kind": "wire", "cell": "E1"}, {"marker.fortification.E1": "wire"}),
    ("fortifications", "demolitions", {"side": "axis", "cell": "C3"}, {"marker.fortification.C3": None}),
    (
        "fortifications",
        "mines",
        {"movers": ["garde"], "start": "E3", "end": "D3", "roll": [3, 5], "defence": {"garde": [2, 3]}},
        {"piece.garde.at": "D3", "piece.garde.status.broken": True},
    ),
    ("artillerie", "impact", {"radio": "radio", "cell": "G3", "roll": [4, 6]}, {"marker.fortification.G3": None}),
    ("armes", "repair", {"hex": "F5"}, {"piece.mg.status.broken": False}),
]


@pytest.mark.parametrize(("position", "question", "given", "changes"), EFFECTS)
def test_a_result_is_carried_out(position: str, question: str, given: dict[str, Any], changes: dict[str, Any]) -> None:
    start = load_position(CC, position).change({"piece.assaut.activated": "move"} if position == "tir-rafale" else {})
    assert game(CC).aftermath(start, question, given, ask(start, question, **given).value) == changes


def test_light_wounds_leave_a_team_of_the_order_of_battle() -> None:
    start = load_position(CC, "melee")
    left = after(start, "light_wounds", piece="fusiliers", quality="line")
    assert (left.piece("fusiliers").kind, left.piece("fusiliers").counter) == ("team", "germany/line-team")
    assert left.state["points"] == {"axis": -1, "allies": 0}


def test_who_dies_on_mines_does_not_arrive() -> None:
    start = load_position(CC, "fortifications").change({"piece.garde.status.broken": True, "piece.fusiliers.at": "D3"})
    roll = {"at": "D3", "roll": [5, 6], "defence": {"garde": [2, 3]}}
    done = after(start, "advance", piece="garde", cell="D3", mines=[roll])
    assert "garde" not in done.by_id
    assert "melee" not in done.state
    assert done.state["points"] == {"axis": 2, "allies": 0}


def test_a_question_nobody_carries_out_is_a_fault_of_the_content() -> None:
    with pytest.raises(ContentError, match="ne sait pas"):
        game(CC).aftermath(load_position(CC, "tour-hameau"), "drift", {}, True)


def test_what_changes_is_told_in_words() -> None:
    start = load_position(CC, "tour-hameau")
    lines = changed(start, start.change({"piece.fusiliers.at": "C2", "state.points": {"axis": 2, "allies": 0}}))
    assert [line.replace("\u00a0", " ") for line in lines] == ["Fusiliers : B2 → C2.", "L’Axe : +2 PV (2 en tout)."]


# -- the player ---------------------------------------------------------------------------------------------------


@pytest.fixture
def player() -> ReplayPlayer:
    """The player of the lesson."""
    parts = lesson(CC, "cc-19-tour")
    parts.opening()
    parts.closing()
    assert isinstance(parts.page, LessonPage)
    assert parts.page.replay is not None
    return parts.page.replay


def press(player: ReplayPlayer, label: str) -> None:
    next(one for one in controls(player.widget) if str(getattr(one, "description", "")).endswith(label)).click()


def test_the_reader_decides_and_may_choose_again(player: ReplayPlayer) -> None:
    press(player, "Les Fusiliers et les Pionniers")
    assert 'data-outcome="refused"' in player.stage.verdict.view.value
    onward = named(player.widget, "▶")
    onward.click()  # it comes to nothing, and keeps the focus of who pressed it
    assert (onward.disabled, "ldv-closed" in dressed(onward), player.number) == (False, True, 1)
    assert player.run.moves == ()
    press(player, "La MG, seule")
    assert "Suppression" in player.stage.verdict.view.value.replace("suppression", "Suppression")
    assert player.stage.position.piece("milice").status == ["suppressed"]
    assert 'data-die="red"' in words(player.widget)
    assert player.page.course.link.endswith("?etape=1-b")
    named(player.widget, "▶").click()
    assert player.number == 2


def test_going_back_and_deciding_otherwise_forgets_the_rest(player: ReplayPlayer) -> None:
    player.open("6-aaaa")
    played = len(player.run.moves)
    player.go(1)
    press(player, "La MG et ses Servants")
    assert len(player.run.moves) == played, "the same decision keeps what follows"
    press(player, "La MG, seule")
    assert len(player.run.moves) == 1


def test_a_question_comes_before_its_verdict(player: ReplayPlayer) -> None:
    player.open("4-aaa")
    assert player.move is None
    assert player.stage.trace.view.value == ""
    asked = next(iter(player._questions.values()))
    asked.buttons[0].click()
    assert "Pas encore" in announced(asked.widget)
    assert "Essayez encore" in announced(asked.widget)
    assert player.move is None, "a first miss gives the answer away"
    for made in asked.buttons[1:]:
        made.click()
    assert player.stage.position.piece("fusiliers").status == ["broken"]
    assert "O20.3.4" in player.stage.trace.view.value


def test_the_victory_marker_slides_at_the_step_that_pays(player: ReplayPlayer) -> None:
    """4 PV to the Axis, 2 to the Allies (O16.4.3, 7.1): one marker, 2 spaces towards the Axis; it is only looked at."""
    panel = player.stage.panel_widgets[0]
    assert isinstance(panel, Pictured)

    def caption() -> str:
        assert 'role="slider"' not in panel.picture
        assert "Touchez" not in panel.picture
        return panel.picture.partition("<figcaption>")[2].replace("\u00a0", " ")

    assert caption().startswith("Égalité.")
    player.open("12-aaaaaa")
    assert caption().startswith("Égalité."), "nothing is paid before the melee"
    press(player, "Krylov")
    assert caption().startswith("L’Axe mène de 2 PV.")
    player.go(11)
    assert caption().startswith("Égalité."), "a step back takes the points back"
    player.go(13)
    assert caption().startswith("L’Axe mène de 2 PV.")


def test_arrow_keys_step_once_for_each_press(player: ReplayPlayer) -> None:
    keys = next(one for one in controls(player.widget) if isinstance(one, ReplayKeys))

    def key(name: str) -> None:
        send(keys, {"type": "key", "key": name})

    key("on")
    assert player.number == 1, "nothing is decided yet"
    press(player, "La MG, seule")
    key("on")
    assert player.number == 2
    player.open("12-aaaaaa")
    for _ in range(5):
        key("back")
    assert player.number == 7


def test_it_plays_to_the_end_by_itself(player: ReplayPlayer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("widgets.player.replay.PACE", 0.0)

    async def watch() -> None:
        named(player.widget, "Lire").click()
        while any(getattr(one, "description", "") == "Arrêter" for one in controls(player.widget)):
            await asyncio.sleep(0)

    in_own_loop(watch())
    assert player.run.next is None
    assert player.number == len(player.run.moves)
    assert "ldv-closed" in dressed(named(player.widget, "Lire"))
    assert not named(player.widget, "Lire").disabled
    assert "Le tour est fini" in words(player.widget)


def test_a_bad_step_in_the_address_leaves_the_first_on_screen(player: ReplayPlayer, shown: list[str]) -> None:
    player.page.course.query = "?etape=77"
    assert player.number == 1
    assert "étape 77" in shown[-1]
