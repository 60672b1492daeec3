"""The number that is asked for has one form, and the steps that decide it are about its place, or its unit."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from tests.asked import posed, posed_at, proof_at, proof_of, shown_of, variants
from tutor.core.registry import GAMES, game
from tutor.core.trace import Step
from tutor.course.answers import shown as shown_number
from tutor.course.diagnosis import replied
from tutor.course.evidence import Evidence
from tutor.course.exercises import Task
from tutor.course.figures import head, plain
from tutor.course.headlines import answering_exercise, asked_of
from tutor.course.lessons import exercises
from tutor.course.matching import deciding, matches, view
from tutor.course.proof import deciding_steps
from tutor.course.prose import judgement

FRACTION = re.compile(r"(?<![\d./])\d+ ?(?:/|sur) ?\d+(?![\d./])")


@pytest.mark.parametrize(
    ("game_id", "exercise_id"),
    [("tcs", "tcs-03-hauteur"), ("asl_sk", "asl-10-drm"), ("asl_sk", "asl-06-drm"), ("asl_sk", "asl-09-drm")],
)
def test_a_number_at_a_place_of_a_list_is_what_is_asked_for(game_id: str, exercise_id: str) -> None:
    for task in variants(game_id, exercise_id):
        seen = view(task.result())
        assert all(matches(asked.when, seen) for asked in asked_of(task)), task.question


def test_the_height_of_a_hex_is_not_shown_by_that_of_another() -> None:
    for task in variants("tcs", "tcs-03-hauteur"):
        few = proof_of(task)
        assert {place.ref for step in few for place in step.where if step.code == "elevation.basin"} <= {"02.09"}
        assert few


def test_the_drm_of_an_attack_is_shown_by_its_terms() -> None:
    for task in variants("asl_sk", "asl-10-drm"):
        codes = shown_of(task)
        assert "defence.term" in codes, task.question
        assert not {"defence.just_passed", "table.multipliers.factor"}.intersection(codes), task.question


def test_of_many_targets_the_one_that_is_offered_is_spoken_of() -> None:
    few = proof_at("sherman_leader", "sl-05-cible, pz3, et si 3")
    assert {place.ref for step in few for place in step.where if place.kind == "piece"} == {"u921"}


def test_the_dice_that_a_question_gives_are_among_its_steps() -> None:
    for where in ("sl-05-cible, tir", "sl-05-cible, tir, et si 1", "sl-05-cible, tir, et si 2"):
        codes = [step.code for step in proof_at("sherman_leader", where)]
        assert {"resolve.dice", "resolve.defence"} <= set(codes), where
    jet = next(one for one in variants("sherman_leader", "sl-05-jet") if one.arguments == {"unit": "pz4"})
    few = deciding_steps(jet.result(), jet.position, jet.result().trace.children[-1:], asked_of(jet))
    assert len({step.code for step in few}) == len(few)  # no term of a target that was not chosen


def test_what_was_known_is_shown_before_the_number_that_is_lacking() -> None:
    codes = [step.code for step in proof_at("tcs", "tcs-07-croise, effet, et si 2")]
    assert codes == ["crossfire.rays", "crossfire.yes", "fire.terrain", "fire.terrain_shift"]


def test_what_changes_nothing_elsewhere_is_no_step_of_a_line_along_a_side() -> None:
    codes = [step.code for step in proof_at("asl_sk", "asl-02-los, cote")]
    assert "los.own_firer" not in codes
    assert "los.own_firer" in [
        step.code for step in proof_at("asl_sk", "asl-02-los, bois, question")
    ]  # a choice says it


def test_no_other_odds_stand_beside_those_that_are_asked_for() -> None:
    for task in variants("combat_commander", "cc-06-chance"):
        codes = shown_of(task)
        assert codes == ["odds.roll", "odds.pairs"]


@pytest.mark.parametrize("game_id", GAMES)
def test_no_question_offers_as_a_fraction_what_its_headline_says_in_per_cent(game_id: str) -> None:
    labels = [choice.label for one in posed(game_id) if one.prediction for choice in one.prediction.choices]
    assert labels
    assert not [label for label in labels if FRACTION.search(head(label).replace("\u00a0", " "))]


@pytest.mark.parametrize(
    ("game_id", "where", "codes"),
    [
        ("tcs", "tcs-05-zone, mg", ["fire.b1_open"]),  # no infantry fires: that is why the half-track may be hit
        ("tcs", "tcs-05-zone, qui, et si 1", ["fire.b1_open", "fire.b1_open"]),
        (
            "tcs",
            "tcs-06-decalages, convoi, et si 3",
            ["fire.shifts", "fire.terrain_shift"],
        ),  # what that posture is worth
        ("tcs", "tcs-09-ponctuel, cibles, et si 3", ["point.may_pfa"]),  # a choice says that three were fired
        ("tcs", "tcs-10-reaction, bord", ["fire.edge", "fire.terrain_shift"]),  # the terrain that was chosen
        ("tcs", "tcs-10-reaction, fired, et si 2", ["overwatch.fired_near", "overwatch.fired_near"]),
        ("tcs", "tcs-10-reaction, fired, et si 3", ["overwatch.fired_morale", "overwatch.fired_morale"]),
        ("tcs", "tcs-10-reaction, fired, et si 4", ["overwatch.fired_final", "overwatch.fired_final"]),
        ("tcs", "tcs-11-moral, effet, et si 4", ["effect.again", "effect.all"]),  # not what becomes of the platoon
        ("sherman_leader", "sl-01-plateau, etape, et si 3", ["command.speed", "command.tactic_own"]),
        ("sherman_leader", "sl-01-plateau, etape, et si 4", ["command.speed", "command.tactic_lent"]),
        ("sherman_leader", "sl-01-plateau, transport, et si 1", ["transport.load"]),  # how far it goes refuses nothing
        ("sherman_leader", "sl-01-plateau, bouger, et si 3", ["move.speed", "move.cost"]),  # no dice are thrown
        ("sherman_leader", "sl-02-ldv, mortier", ["attack.range"]),  # not that nothing ails who commands it
        ("sherman_leader", "sl-06-degats, reste, et si 3", ["attack.range"]),
        ("sherman_leader", "sl-08-ordres, couvert, et si 5", ["order.safe_acted", "order.cover"]),  # who has acted
        ("sherman_leader", "sl-08-ordres, contour, et si 2", ["order.bypass", "order.safe"]),  # none reaches it
        ("asl_sk", "asl-09-defense, encore, et si 3", ["fire.not_adjacent"]),  # the target is seen
        ("asl_sk", "asl-09-defense, encore, et si 1", ["fire.not_nearest"]),  # so it is here
        ("asl_sk", "article 3.8, broken-en-cc", ["cc.not_all_broken"]),
        ("asl_sk", "asl-12-cc, duel, et si 5", ["cc.leader_pinned"]),  # not his firepower, which is for the ratio
        ("asl_sk", "asl-12-cc, melee", ["fire.melee_all"]),  # who is shot at, not what shelters them
        ("asl_sk", "asl-05-tir, tir, question", ["fire.exact", "drm.terrain"]),  # a total of one term is not said twice
        ("asl_sk", "asl-05-tir, hauteur, et si 1", ["drm.height_lost", "table.terrain.tem"]),  # what woods take away
        ("asl_sk", "asl-05-tir, hauteur, et si 2", ["drm.target", "drm.height_equal"]),
        ("asl_sk", "asl-06-groupes, groupe, et si 4", ["fire.leads_once", "fire.exact"]),  # of two chiefs, one counts
        ("asl_sk", "asl-06-groupes, double, et si 1", ["fire.ready", "attack.steady"]),  # who does not cower
        ("asl_sk", "asl-08-ralliement, rallier, et si 3", ["table.rally.drm"] * 3),  # each DRM, and no odds
        ("asl_sk", "asl-10-residuelle, traversee, et si 3", [*["defence.term"] * 2, "drm.ffmo_hindered"]),
        ("asl_sk", "asl-05-tir, tout, et si 2", ["drm.target", "drm.vehicle_lost", "drm.terrain", "table.drm.drm"]),
        ("asl_sk", "asl-09-defense, dfph, et si 2", ["fire.exact", "drm.after_moving"]),
        ("asl_sk", "asl-07-moral, pile, et si 2", ["effect.pinned_leader", "morale.check"]),  # not the ELR
        ("asl_sk", "asl-07-moral, chef", ["effect.leader_lost", "morale.task", "morale.pinned"]),
        ("asl_sk", "asl-07-moral, chef, et si 2", ["effect.leader_lost", "morale.check", "morale.halved"]),
        ("asl_sk", "asl-08-ralliement, seul", ["table.rally.drm"] * 3),  # no odds
        ("asl_sk", "asl-07-moral, chef, et si 1", ["morale.passed", "effect.leader_lost"]),  # no dice of who is spared
        ("combat_commander", "cc-16-temps, mort, question", []),  # the odds of another box
        ("heroes_of_normandie", "hn-06-suppression, batterie", ["near.range"] * 3),  # each of the three
        ("heroes_of_normandie", "hn-06-suppression, batterie, et si 4", [*["near.range"] * 3, "los.reduced"]),
        ("heroes_of_normandie", "hn-03-dominante, soi-meme", ["los.dominant_own"]),  # not what obstacles hide
        ("heroes_of_normandie", "hn-03-dominante, derriere, et si 1", ["los.dominant", "los.beyond"]),  # why it is free
        ("heroes_of_normandie", "hn-02-lignes, combien, et si 3", ["los.clear", "smoke.weak"]),  # what lacks a number
        ("heroes_of_normandie", "hn-05-explosions, intacte", ["blast.room"]),  # no ruin in it, not the four squares
        ("heroes_of_normandie", "hn-02-lignes, combien, et si 2", ["los.clear", "smoke.total_one"]),  # smoke once
        ("combat_commander", "cc-16-temps, avance", ["clock.advance", "table.clock.value"]),  # the Defender's point
        ("combat_commander", "cc-06-tir, jet, et si 1", ["value.total", "attack.defence_total"]),  # not its fate again
        ("combat_commander", "cc-12-artillerie, tir, question", ["artillery.needed", "artillery.accuracy_roll"]),
        ("combat_commander", "cc-11-melee, jets, et si 2", ["melee.ambush_again", "melee.over"]),  # no points
        ("combat_commander", "cc-10-collines, colline-obstacle, et si 3", ["los.clear"]),  # the hill is in the headline
        (
            "combat_commander",
            "cc-15-evenements, hors-carte",
            ["event.counts_alone", *["event.counts_kept"] * 2],
        ),  # that count
        ("combat_commander", "article E49, e49-objectifs", ["event.counts_alone"] * 3),
        ("combat_commander", "article E60, e60-couverture", ["event.cover_low"] * 3),  # each of the three
        ("combat_commander", "article E75, e75-vue", ["event.under_gun"] * 3),
        ("combat_commander", "cc-12-artillerie, tir, et si 1", ["artillery.drift_step"] * 2),  # one for each die
        ("combat_commander", "cc-12-artillerie, tir, et si 2", ["artillery.drift_step"] * 2),
        ("sherman_leader", "sl-06-degats, reste, et si 1", ["attack.range", "attack.kind"]),  # AP or HE, but no dice
        ("tcs", "tcs-07-croise, effet", ["crossfire.rays", "fire.other"]),
        (
            "tcs",
            "tcs-06-decalages, chars, et si 1",
            ["fire.terrain_shift", "fire.p_target_thin"],
        ),  # what shelters nobody
        ("tcs", "tcs-06-decalages, chars, et si 3", ["fire.terrain_shift", "fire.p_target_plunging"]),
        ("tcs", "article 24.2a, transports-integres", ["point.halftrack_defense"]),  # what they count as
        ("asl_sk", "asl-12-cc, duel, et si 4", ["cc.pinned", "cc.fp", "cc.ratio_exact"]),  # odds asked, no Kill Number
        ("asl_sk", "asl-05-tir, tir, et si 1", ["fire.sum"]),  # what is fired at the column, not the DRM
        ("asl_sk", "asl-10-residuelle, traversee, et si 2", ["defence.term"]),  # not what comes after
        ("tcs", "tcs-09-ponctuel, cibles", ["point.b_defense"]),  # not the total that it is a part of
    ],
)
def test_the_steps_that_decide_are_about_what_is_asked(game_id: str, where: str, codes: Sequence[str]) -> None:
    assert [step.code for step in proof_at(game_id, where)] == codes


def test_each_target_that_is_out_of_reach_has_one_reason() -> None:
    codes = [step.code for step in posed_at("sherman_leader", "sl-05-cible, proche, et si 4").result.trace.walk()]
    assert [code for code in codes if code.startswith("target.out.")] == ["target.out.rifle", "target.out.rifle_far"]


def spots_of(exercise_id: str) -> list[tuple[Task, list[Step]]]:
    """Each spot of an exercise of Tactical Combat Series, in each variant, with the steps that are shown of it."""
    shown = []
    for task in variants("tcs", exercise_id):
        for there in (task.about(cell) for cell in task.spots or [""]):
            shown.append((there, [*Evidence.of(there).headline, *proof_of(there)]))
    return shown


@pytest.mark.parametrize(
    ("exercise_id", "codes"),
    [
        ("tcs-05-portee", {"fire.in_range", "fire.twice_range", "fire.out_of_range", "fire.out_of_twice"}),
        ("tcs-06-ou", {"fire.in_range", "fire.out_of_range", "fire.first_sfa", "fire.second_sfa"}),
        ("tcs-06-refus", {"fire.may_sfa", "fire.fired", "fire.unassigned", "fire.move_mode"}),
        ("tcs-09-cibles", {"point.range", "point.band_of", "point.area_target", "fire.out_of_twice"}),
        ("tcs-12-chemin", {"syr.away", "syr.not_away", "syr.opposite", "syr.other_side", "syr.stack"}),
    ],
)
def test_where_only_what_is_allowed_is_asked_its_conditions_are_shown(exercise_id: str, codes: set[str]) -> None:
    for there, steps in spots_of(exercise_id):
        assert {step.code for step in steps} <= codes, there.question


def test_all_that_adds_up_to_the_number_asked_for_is_shown() -> None:
    assert shown_of(variants("tcs", "tcs-05-somme")[0]) == ["fire.attack", "fire.attack", "fire.at_guns"]


def test_each_hex_that_blocks_a_line_is_shown() -> None:
    for task in variants("tcs", "tcs-03-verdict"):
        blocking = task.result().value.blocking
        assert shown_of(task).count("los.over") == (len(blocking) if len(blocking) != 1 else 1), task.question


def test_of_a_whole_stack_what_becomes_of_the_piece_asked_about_is_shown() -> None:
    for there, steps in spots_of("tcs-12-sort"):
        assert [place.ref for place in steps[0].where] == ["canon"], there.question
        assert not {"platoon", "camion"}.intersection(place.ref for step in steps for place in step.where)


def test_a_number_below_zero_keeps_its_sign_and_is_said_by_the_step_that_works_it_out() -> None:
    for task in variants("tcs", "tcs-02-marge"):
        margin = task.solution()
        said = replied(task, None)
        answer = judgement(False, shown=True)
        assert margin >= 0 or plain(said).startswith(plain(f"{answer} {shown_number(margin, 'm')}. PdC")), said


def test_a_number_that_is_read_is_shown_with_what_it_is_read_at() -> None:
    for task in variants("sherman_leader", "sl-04-de-flanc"):
        assert shown_of(task) == ["attack.range"]


def test_what_the_booklet_leaves_out_is_said_where_it_matters_and_not_first() -> None:
    asked = [one for one in posed("heroes_of_normandie") if one.ask in ("los", "breach")]
    assert asked
    assert not [
        one.where for one in asked if [step.code for step in one.result.trace.children[:1]] == ["table.base.line"]
    ]


def test_a_short_proof_leaves_out_what_never_counts_and_its_titles() -> None:
    for where in ("vitesse, question", "ciel", "admis, et si 4"):  # a malus that never counts, and a title
        shot = {step.code for step in proof_at("heroes_of_normandie", f"hn-07-aviation, {where}")}
        assert shot
        assert not {"plane.long_range_spared", "speed"}.intersection(shot)
    assert not proof_at("heroes_of_normandie", "hn-05-explosions, dehors, et si 1")  # all: a place that is kept out too
    assert not proof_at("tcs", "tcs-01-altitude, plateau")  # all: a height that is of one point too


def test_what_stops_nothing_or_nobody_is_said_in_words() -> None:
    saved = posed_at("sherman_leader", "sl-05-cible, tir")
    dice = next(step for step in saved.result.trace.walk() if step.code == "resolve.defence")
    assert game("sherman_leader").sentence(dice, saved.position).endswith("aucun coup annulé.")  # not « 0 coup »
    stays = posed_at("sherman_leader", "sl-08-ordres, couvert, et si 1").result  # why it stays
    assert "order.no_cover" in {step.code for step in stays.trace.walk()}


@pytest.mark.parametrize(
    ("game_id", "where", "codes"),
    [
        ("heroes_of_normandie", "hn-06-suppression, sergent, et si 1", ["los.crossed", "los.affected"]),
        ("heroes_of_normandie", "hn-06-suppression, sergent, et si 3", ["near.too_far", "near.not_clear"]),
        ("heroes_of_normandie", "hn-06-suppression, batterie, et si 1", ["battery.first_turn"]),
        ("heroes_of_normandie", "hn-06-suppression, batterie, et si 2", ["battery.names"]),
        ("combat_commander", "cc-11-melee, pas, et si 1", ["advance.refuse.cliff"]),
        ("combat_commander", "cc-15-evenements, jouer, et si 1", ["timing.refuse.moment"]),
    ],
)
def test_a_refusal_is_not_shown_by_what_is_as_it_should_be(game_id: str, where: str, codes: Sequence[str]) -> None:
    """A distance that is allowed, or the most that is allowed, does not decide that something else forbids."""
    assert [step.code for step in proof_at(game_id, where)] == codes


@pytest.mark.parametrize(
    ("game_id", "exercise_id", "codes"),
    [
        ("sherman_leader", "sl-03-issue", {"resolve.dice", "resolve.defence"}),
        ("sherman_leader", "sl-03-valeur", {"table.classes.attack"}),
        ("sherman_leader", "sl-06-stress", {"damage.stress"}),
    ],
)
def test_an_exercise_is_shown_by_its_dice_or_by_the_row_that_answers(
    game_id: str, exercise_id: str, codes: set[str]
) -> None:
    for task in variants(game_id, exercise_id)[:1]:
        few = {step.code for step in proof_of(task)}
        assert codes <= few
        assert "attack.range" not in few


def test_the_dice_of_a_shot_say_whether_its_target_is_destroyed() -> None:
    for where in ("sl-04-plusieurs, flanc", "sl-03-attaque, jet, et si 1"):
        codes = [step.code for step in proof_at("sherman_leader", where)]
        assert {"resolve.dice", "resolve.defence"} <= set(codes), where


def test_each_stress_that_a_chit_gives_is_shown() -> None:
    for task in variants("sherman_leader", "sl-06-stress"):
        few = proof_of(task)
        given = sum(step.value for step in few if step.code == "damage.stress")
        assert given == task.result().value.stress, task.question


def test_what_is_counted_is_shown_one_by_one() -> None:
    asked = Task.of("sherman_leader", exercises("sherman_leader")["sl-02-chemins"])
    few = proof_of(asked)
    assert len(few) == asked.result().value.paths == 3
    assert {step.code.partition("_")[0] for step in few} == {"los.path"}


def test_what_stops_at_each_place_is_shown_where_the_answer_is_no() -> None:
    for where, cells in (
        ("sl-02-ldv, choisir, et si 1", ["A4", "B4"]),
        ("sl-02-ldv, recul, et si 2", ["A4", "B5", "C5"]),
    ):
        few = proof_at("sherman_leader", where)
        assert [step.where[0].ref for step in few if step.code == "los.blocking"] == cells, where


def test_what_follows_the_word_that_is_asked_for_is_no_proof_of_it() -> None:
    for task in variants("sherman_leader", "sl-07-etat"):
        few = {step.code for step in proof_of(task)}
        assert few <= {"command.status"}, task.question
    for where in ("hn-07-aviation, vitesse, question",):
        assert "plane.total" not in [step.code for step in proof_at("heroes_of_normandie", where)]


def test_the_odds_of_something_else_are_no_proof_of_those_asked_for_in_words() -> None:
    few = proof_at("combat_commander", "cc-14-cartes, frequence")  # « une sur six »
    assert [step.code for step in few] == ["table.limits.value"] * 2


def test_what_the_way_to_a_forbidden_side_costs_is_no_proof_that_it_is_forbidden() -> None:
    for where in ("grand-pont", "grand-pont, et si 2"):
        codes = {step.code for step in proof_at("combat_commander", f"cc-18-eau, {where}")}
        assert "table.ways.move" not in codes
    assert "table.ways.move" in {step.code for step in proof_at("combat_commander", "cc-18-eau, grand-pont, et si 1")}


def test_what_a_bridge_entered_from_beside_costs_is_the_other_terrain_of_its_hex() -> None:
    for where in ("pont, question", "pont, et si 2"):
        assert "move.beneath" in {step.code for step in proof_at("combat_commander", f"cc-18-eau, {where}")}


def test_a_sudden_death_is_shown_by_the_pairs_that_end_the_game() -> None:
    for task in variants("combat_commander", "cc-16-chance"):
        result = task.result()
        assert [step.code for step in result.trace.walk()][1:] == ["clock.pairs", "clock.odds"]
        pairs = next(step for step in result.trace.walk() if step.code == "clock.pairs")
        assert pairs.value == 36 * task.solution()


@pytest.mark.parametrize(
    ("exercise_id", "answers"),
    [
        ("cc-07-refus", {"fire.chain"}),
        ("cc-08-refus", {"move.left"}),
        ("cc-09-moment", {"op_fire.count"}),
        ("cc-06-resultat", {"attack.unharmed", "attack.tie", "attack.broken", "attack.eliminated", "attack.points"}),
        ("cc-09-parade", {"attack.unharmed", "attack.tie_moving", "attack.broken"}),
    ],
)
def test_what_is_allowed_and_what_became_of_a_unit_are_answered_by_the_step_that_the_content_names(
    exercise_id: str, answers: set[str]
) -> None:
    for task in variants("combat_commander", exercise_id):
        result = task.result()
        headed = {step.code for step in deciding(result, answering_exercise(task, result))}
        assert result.refusals or headed <= answers, task.question


def test_a_melee_is_decided_by_both_totals_and_not_by_what_is_won_by_it() -> None:
    for task in variants("combat_commander", "cc-11-vainqueur"):
        codes = shown_of(task)
        assert {"melee.total_active", "melee.total_inactive"} <= set(codes)
        assert not {"attack.points", "attack.lost_with"}.intersection(codes)


@pytest.mark.parametrize(
    "where", ["asl-06-groupes, mitrailleuse, et si 3", "article 4.1, panne", "asl-07-moral, pile, et si 1"]
)
def test_what_becomes_of_one_is_not_shown_by_the_dice_read_for_others(where: str) -> None:
    codes = [step.code for step in proof_at("asl_sk", where)]
    assert "attack.final" not in codes, codes
    assert "attack.breakdown" in codes or "effect.spared_broken" in codes, codes


def test_a_total_is_not_shown_by_one_that_says_it_again() -> None:
    for task in variants("asl_sk", "asl-06-drm"):
        few = proof_of(task)
        assert "fire.drm" not in {step.code for step in few}, task.question


def test_that_something_is_seen_gives_no_number() -> None:
    for where in ("asl-09-defense, encore", "asl-09-defense, encore, et si 2"):
        codes = [step.code for step in proof_at("asl_sk", where)]
        assert "defence.sees" not in codes, codes
        assert "table.multipliers.factor" in codes, codes


def test_a_vehicle_that_moved_and_hinders_says_that_the_phase_is_past() -> None:
    assert "los.vehicle_past" in [step.code for step in proof_at("asl_sk", "asl-03-genes, char, et si 2")]
    assert "los.vehicle" in [step.code for step in proof_at("asl_sk", "asl-03-genes, char")]


@pytest.mark.parametrize("where", ["asl-12-cc, riposte", "asl-12-cc, duel, et si 2", "asl-12-cc, duel, et si 5"])
def test_a_sum_of_terms_is_not_shown_by_what_leads_to_another_number(where: str) -> None:
    codes = [step.code for step in proof_at("asl_sk", where)]
    assert not {"cc.ratio", "cc.ratio_exact"}.intersection(codes), codes
    assert codes


def test_that_a_term_is_not_added_is_shown() -> None:
    assert "cc.not_all_broken" in [step.code for step in proof_at("asl_sk", "article 3.8, broken-en-cc")]


def test_a_number_to_be_typed_is_not_shown_by_a_word() -> None:
    for task in variants("heroes_of_normandie", "hn-09-portee"):
        codes = shown_of(task)
        assert "floors.dot" in codes, task.question
        assert "los.clear" not in codes, task.question


def test_all_that_cannot_be_reached_is_said_of_at_once() -> None:
    one = next(step for step in proof_at("tcs", "tcs-06-decalages, convoi, question") if step.code == "fire.b1")
    assert {place.ref for place in one.where} == {"halftrack-b1", "halftrack-b2"}


def test_a_way_is_allowed_by_what_is_gained_on_it_and_not_by_its_price() -> None:
    codes = [step.code for step in proof_at("combat_commander", "article T93, t93-mouvement")]
    assert "table.ways.bonus" in codes
    assert "table.ways.move" not in codes


def test_a_conclusion_that_says_the_number_again_is_no_proof_of_it() -> None:
    codes = [step.code for step in proof_at("combat_commander", "article T92, t92-vue")]
    assert "table.ways.hindrance" in codes
    assert "los.hindered" not in codes


@pytest.mark.parametrize("where", ["cc-09-tir-op, arret", "cc-09-tir-op, arret, et si 1"])
def test_how_far_one_goes_is_not_shown_by_the_terms_of_a_shot_on_the_way(where: str) -> None:
    codes = [step.code for step in proof_at("combat_commander", where)]
    assert "command.bonus" in codes, codes
    assert "fire.hindrance" not in codes, codes


def test_that_a_broken_leader_adds_nothing_is_said_where_he_would_have() -> None:
    codes = [step.code for step in proof_at("combat_commander", "cc-06-tir, jet, et si 3")]
    assert "command.broken" in codes, codes


@pytest.mark.parametrize("seed", [3, 15])  # the machine gun, and the tank that has one
def test_whether_a_shot_is_allowed_is_not_shown_by_what_the_die_loses(seed: int) -> None:
    task = Task.of("heroes_of_normandie", exercises("heroes_of_normandie")["hn-07-admis"]).variant(seed)
    few = proof_of(task)
    assert [step.code for step in few] == ["plane.may_spared"], task.question


def test_what_dice_do_is_shown_by_these_dice_and_not_by_a_total() -> None:
    codes = [step.code for step in proof_at("combat_commander", "article A41, a41-soutenu")]
    assert "attack.roll" in codes
    assert "attack.total" not in codes
