"""What is shown of an exercise, in each of its variants: the head that answers it, and the steps of its places and numbers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.asked import proof_at, shown_of, variants
from tutor.core.registry import game
from tutor.course.diagnosis import replied
from tutor.course.exercises import Task
from tutor.course.figures import plain
from tutor.course.headlines import answering_exercise
from tutor.course.lessons import exercises
from tutor.course.matching import deciding
from tutor.course.slips import slip
from tutor.course.why import posed


@pytest.mark.parametrize(
    ("exercise_id", "codes"),
    [
        ("asl-02-cote", {"los.hindered", "los.clear", "los.blocked"}),  # not the hex across, which counts already
        ("asl-05-drm", {"drm.target"}),
        ("asl-06-permis", {"fire.adjacent", "fire.unseen_member", "fire.apart"}),
        ("asl-11-chance", {"rout.free", "rout.odds"}),  # not the 1 MF of a hex, for 100 %
        ("asl-01-pion", {"values.ready", "values.stuck", "values.idle"}),  # a broken squad neither fires nor moves
    ],
)
def test_the_headline_of_an_exercise_answers_it_in_each_variant(exercise_id: str, codes: set[str]) -> None:
    for task in variants("asl_sk", exercise_id):
        result = task.result()
        answer = deciding(result, answering_exercise(task, result))
        assert {step.code for step in answer} <= codes, task.question


def test_the_leaders_of_two_hexes_are_shown_though_the_worst_changes_nothing() -> None:
    assert shown_of(variants("asl_sk", "asl-06-drm")[0]) == ["drm.leaders", "drm.terrain"]


@pytest.mark.parametrize(
    ("game_id", "exercise_id", "codes"),
    [
        (
            "combat_commander",
            "cc-07-refus",
            ["fire.sees", "fire.sees", "fire.sees", "fire.reach"],
        ),  # who shares the fire
        ("combat_commander", "cc-07-cibles", ["fire.sees", "fire.sees", "value.total", "value.total"]),  # no firepower
        ("combat_commander", "cc-09-moment", ["fire.reach"]),
        ("asl_sk", "asl-06-dirige", ["fire.line", "fire.line"]),  # each firer sees, and each is led
    ],
)
def test_what_is_allowed_is_shown_by_each_condition_that_holds(
    game_id: str, exercise_id: str, codes: list[str]
) -> None:
    shown = [shown_of(task) for task in variants(game_id, exercise_id) if not task.result().refusals]
    assert codes in shown


def test_the_range_of_who_does_not_fire_is_not_said() -> None:
    codes = [step.code for step in variants("asl_sk", "asl-01-pion")[1].result().trace.walk()]
    assert "values.idle" in codes
    assert "values.range" not in codes


def test_who_flees_off_the_map_is_shown_his_last_steps_and_not_the_points_they_cost() -> None:
    codes = {step.code for step in proof_at("combat_commander", "cc-17-deroute, fuite, et si 4")}
    assert "retreat.step" in codes
    assert not {"attack.points", "retreat.forced"}.intersection(codes)


@pytest.mark.parametrize(
    ("game_id", "where", "codes"),
    [
        ("asl_sk", "asl-02-los, cote, et si 2", ["los.hindrance"]),  # not that one's own house stops nothing
        ("asl_sk", "asl-02-los, bois, question", ["los.own_firer", "los.obstacle"]),  # which a choice holds to stop it
        ("tcs", "tcs-03-obstacles, haie, et si 2", ["los.visibility"]),
        ("tcs", "tcs-05-zone, panthers, et si 1", ["fire.times_steps"]),  # not that the order allows it
        ("tcs", "tcs-04-observation, compagnie, et si 1", ["spotting.shift", "spotting.shift", "spotting.column"]),
        (
            "asl_sk",
            "asl-10-residuelle, mf, et si 2",
            [*["table.terrain.mf"] * 3, "table.movement.factor", "table.terrain.mf"],
        ),
        ("asl_sk", "asl-12-cc, duel, et si 1", [*["cc.fp"] * 4, "cc.sum"]),  # of all who fight, not of two of them
        ("asl_sk", "article 3.2.2-cower, mg-et-double", ["table.limits.columns", "attack.cowers"]),  # not the terrain
        ("asl_sk", "article 3.2.3, egalite", ["effect.killed_tied"] * 2),
        (
            "asl_sk",
            "asl-09-defense, fpf",
            ["attack.own", "morale.check", "morale.breaks"],
        ),  # with the dice of that check
        ("tcs", "tcs-12-fuite, fuite, question", ["syr.slow"]),  # who is no vehicle, not where to
        ("tcs", "article 16.0, test-at", ["at.modifier", "at.miss"]),
        (
            "tcs",
            "article 8.5a, points-reels",
            ["elevation.basin", "elevation.high", "los.blocked"],
        ),  # which a cause cites
    ],
)
def test_what_decides_is_shown_and_nothing_to_fill_up(game_id: str, where: str, codes: list[str]) -> None:
    assert [step.code for step in proof_at(game_id, where)] == codes


@pytest.mark.parametrize(
    ("where", "last"),
    [("tcs-05-zone, force, et si 1", "unknown"), ("tcs-06-decalages, convoi, et si 1", "fire.result")],
)
def test_that_a_number_is_lacking_and_what_the_dice_read_are_shown(where: str, last: str) -> None:
    assert [step.code for step in proof_at("tcs", where)][-1] == last


@pytest.mark.parametrize(
    ("exercise_id", "seed", "codes"),
    [
        ("tcs-02-marge", 0, ["elevation.between", "los.line_there"]),  # what joins both ends
        ("tcs-03-pourquoi", 0, ["los.visibility"]),
        ("tcs-02-verdict", 0, ["los.under", "los.under"]),  # both that might stand in the way
        ("tcs-02-verdict", 2, ["los.over", "elevation.between", "los.under"]),  # « seul »: the other does not
        ("tcs-02-marge", 1, ["elevation.between", "elevation.between", "los.line_there"]),  # both heights, no verdict
        ("tcs-03-verdict", 0, ["los.on", "los.missed", "los.on"]),
        ("tcs-03-verdict", 2, ["los.over", "los.whole_hex", "los.on"]),
        ("tcs-03-pourquoi", 1, ["los.smoke"]),  # no height of a hex on the line
    ],
)
def test_each_hex_between_which_one_chooses_is_shown(exercise_id: str, seed: int, codes: Sequence[str]) -> None:
    written = Task.of("tcs", exercises("tcs")[exercise_id])
    task = written.variant(seed) if seed else written
    assert shown_of(task) == codes, task.question


def test_a_shift_is_shown_by_its_terms_and_starts_from_its_column() -> None:
    for exercise_id in ("tcs-06-decalage", "tcs-06-colonne"):
        for task in variants("tcs", exercise_id):
            assert not {"spotting.walk", "fire.b1"} & set(shown_of(task)), task.question
    for task in variants("tcs", "tcs-04-distance"):
        assert "colonne 3" in plain(replied(task, None)), task.question
    marge = variants("tcs", "tcs-02-marge")[0]
    assert "étape" not in slip(marge, marge.read("1")).said  # « à 1 hexagone » are no metres


@pytest.mark.parametrize(
    ("exercise_id", "codes"),
    [
        ("asl-06-colonne", ["table.limits.columns", "attack.roll"]),  # not the marker that follows
        ("asl-10-marche", [*["defence.leg"] * 3, "defence.allowance"]),  # each hex, not the last alone
        ("asl-12-rapport", ["cc.sum", "cc.ratio_exact"]),
    ],
)
def test_an_exercise_shows_what_its_number_is_made_of(exercise_id: str, codes: Sequence[str]) -> None:
    assert shown_of(variants("asl_sk", exercise_id)[0]) == codes


def test_an_exercise_that_names_a_step_of_some_variants_answers_the_others_too() -> None:
    for task in variants("asl_sk", "asl-06-colonne"):
        assert str(task.solution()) in plain(replied(task, None)).split(".")[0], task.question


def test_a_second_fire_says_what_it_takes_off_the_breakdown_number() -> None:
    jammed = [one for one in posed("asl_sk") if one.where == "asl-06-groupes, mitrailleuse, et si 2"][-1]
    assert {"attack.breakdown", "table.limits.breakdown"} <= {step.code for step in jammed.result.trace.walk()}


def test_a_total_of_nothing_is_shown_by_what_adds_nothing() -> None:
    task = Task.of("asl_sk", exercises("asl_sk")["asl-06-drm"]).variant(2)
    assert task.solution() == 0
    assert shown_of(task) == ["drm.leaders"]


@pytest.mark.parametrize(
    ("exercise_id", "seed", "said"),
    [
        ("asl-06-permis", 1, "au plus près à 2 hexs du reste du groupe"),
        ("asl-09-second", 0, "l’ennemi le plus proche, Second Squad, est à 2"),
        ("asl-10-marche", 0, "3 MF sur 4, hex après hex 1, 1 et 1"),
        ("asl-10-marche", 1, "5 MF pour 4, hex après hex 2, 2 et 1 : trop loin"),
        ("asl-09-fp", 0, "Le Squad A vers F4 : 2 FP."),
    ],
)
def test_a_headline_of_asl_says_what_its_answer_hangs_on(exercise_id: str, seed: int, said: str) -> None:
    written = Task.of("asl_sk", exercises("asl_sk")[exercise_id])
    task = written.variant(seed) if seed else written
    assert said in plain(replied(task, None)).replace("**", ""), task.question


def test_who_leads_is_said_once_with_its_drm() -> None:
    for task in variants("asl_sk", "asl-05-drm"):
        said = [game("asl_sk").sentence(step, task.position) for step in task.result().trace.walk() if step.code]
        assert sum("−1" in one for one in said if "leader" in one.lower()) == 1, task.question


def test_the_ground_of_a_point_is_named_where_it_is_typed_for_the_line() -> None:
    task = next(one for one in variants("tcs", "tcs-02-droite") if one.solution() != 40)
    assert "Valeur sans ajout ni décalage" in slip(task, task.read("40")).said  # « Base » is no word of the game


def test_the_height_of_a_hex_is_no_step_where_the_line_is_asked_about() -> None:
    for where in ("02-profil, a-g, et si 3", "02-profil, a-g, et si 4", "03-obstacles, c-d, question"):
        assert [step.code for step in proof_at("tcs", f"tcs-{where}")] == ["los.clear"]


def test_what_allows_a_shot_is_no_step_to_a_word_and_all_addends_are_steps_to_their_sum() -> None:
    assert [step.code for step in proof_at("tcs", "tcs-09-ponctuel, deux, et si 1")] == ["point.band_of"]
    hexes = [step.where[0].ref for step in proof_at("asl_sk", "asl-10-residuelle, mf, et si 1")]
    assert hexes == ["H5", "H5", "G6", "F5", "E5"]


def test_of_the_pieces_compared_each_gives_its_number() -> None:
    for task in variants("tcs", "tcs-11-qui"):
        assert shown_of(task) == ["morale.candidate"] * 2


def test_of_objectives_that_are_counted_each_is_shown() -> None:
    for task in variants("combat_commander", "cc-15-points"):
        counts = [code for code in shown_of(task) if code.startswith("event.counts_")]
        assert len(counts) == task.solution() or task.solution() in (0, 1), task.question
        assert "contrôlé" in plain(replied(task, None)), task.question  # no number of an objective for that of them all
