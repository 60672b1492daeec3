"""The likeliest mistakes of a typed number, of chosen hexes, of an order: recognised in the trace, and named."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from tests.screen import announced, seen
from tutor.core.phrases import NBSP
from tutor.core.registry import GAMES, ask, game, load_position
from tutor.course.diagnosis import judge, replied
from tutor.course.exercises import Task
from tutor.course.figures import numbers, places, says
from tutor.course.headlines import answering_exercise
from tutor.course.lessons import exercises
from tutor.course.misread import given_in
from tutor.course.ranking import ranked
from tutor.course.slips import slip, slip_of_number
from tutor.course.sought import Sought, named
from widgets.board.panels.verdict import verdict
from widgets.host.page import Page
from widgets.host.prose import Writer
from widgets.player.exercise import ExercisePlayer

#: How the names of exercises begin -> their game.
GAME_OF = {
    "cc": "combat_commander",
    "asl": "asl_sk",
    "tcs": "tcs",
    "sl": "sherman_leader",
    "hn": "heroes_of_normandie",
}


def task(game_id: str, exercise_id: str) -> Task:
    return Task.of(game_id, exercises(game_id)[exercise_id])


@pytest.mark.parametrize(
    ("game_id", "exercise_id", "given", "words"),
    [
        ("combat_commander", "cc-17-distance", "4", "à un près"),  # a difference of dice, not counted from a start
        ("asl_sk", "asl-10-drm", "-1", "laissé de côté cette étape"),
        ("combat_commander", "cc-18-total", "5", "C’est une autre valeur"),
        ("asl_sk", "asl-12-drm", "-4", "le double de ce qu’il faut"),
        ("asl_sk", "asl-12-drm", "2", "pas son signe"),
        ("tcs", "tcs-03-hauteur", "61", "à un près"),
        ("heroes_of_normandie", "hn-01-compter", "1", "à un près"),  # half of 2, but as likely one miscounted
        ("combat_commander", "cc-02-pile", "5", "laissé de côté cette étape : « Servants"),
        ("asl_sk", "asl-10-mf", "2.5", "laissé de côté une valeur de 1"),
        ("asl_sk", "asl-10-mf", "5", "compté deux fois cette étape : « Champ de céréales en H5"),
        ("sherman_leader", "sl-06-chance", "44/45", "C’est la chance que cela n’arrive pas"),
        ("asl_sk", "asl-08-chance", "5/6", "C’est la chance que cela n’arrive pas"),
        ("tcs", "tcs-01-hexagones", ["01.01", "01.04"], "oubliés. « 01.04 : entre"),  # its name is not said twice
        ("combat_commander", "cc-08-cout", ["C3", "D2"], f"1 juste, 1 de trop, 1 oublié. C3{NBSP}: «"),
        ("tcs", "tcs-09-bande", ["04.03"], f"2{NBSP}hexagones{NBSP}: proche jusqu’à 4"),
        ("sherman_leader", "sl-06-tirer", ["B3"], "pas d’attaque à portée 2"),
        ("heroes_of_normandie", "hn-07-ordre", None, f"À mettre plus bas{NBSP}: **"),
    ],
)
def test_the_likeliest_mistakes_are_named(game_id: str, exercise_id: str, given: object, words: str) -> None:
    asked = task(game_id, exercise_id)
    given = given if given is not None else tuple(reversed(asked.solution()))
    verdict = judge(asked, given)
    assert not verdict.right
    assert words.replace(NBSP, " ") in verdict.sentence.replace("\u202f", " ").replace(NBSP, " ")


@pytest.mark.parametrize("game_id", GAMES)
def test_whatever_hex_is_too_many_or_missing_its_cause_is_said_and_none_is_given_away(game_id: str) -> None:
    for exercise in exercises(game_id).values():
        if exercise.answer.kind != "hexes":
            continue
        written = Task.of(game_id, exercise)
        for asked in (written, *([written.variant(1)] if exercise.answer.from_ else [])):
            solution = asked.solution()
            for place in asked.spots or asked.position.grid.cells:
                chosen = solution ^ {place}
                sentence = judge(asked, sorted(chosen)).sentence
                assert "[[" in sentence, (exercise.id, place, sentence)
                assert "juste" in sentence.partition(".")[0], (exercise.id, place, sentence)
                hidden = solution - chosen - places(asked.question)
                assert not places(sentence) & hidden, (exercise.id, place, sentence)
            several = judge(asked, [min(solution)]).sentence  # the others are not said, but for one of them
            if exercise.answer.from_ and len(solution) > 1:
                hidden = solution - {min(solution)} - places(asked.question)
                assert len(places(several) & hidden) <= 1, (exercise.id, several)


def test_a_hex_that_is_not_among_those_that_are_offered_is_said_to_be_none_of_them() -> None:
    asked = task("combat_commander", "cc-04-visibles")
    assert "B2 n’est pas de ceux que l’on propose." in judge(asked, ["B2", *asked.solution()]).sentence
    said = judge(asked, ["A2", "B2", "A1", *asked.solution()]).sentence
    assert "A1, A2 et B2 ne sont pas de ceux que l’on propose." in said


def test_one_hex_that_is_too_many_is_told_though_another_has_the_same_cause() -> None:
    """The second try is the reader's."""
    asked = task("tcs", "tcs-07-ou")
    said = judge(asked, ["03.04", "07.04", "07.05"]).sentence
    assert f"03.04{NBSP}: «" in said
    assert "07.04" not in said


def test_a_hex_of_which_nothing_is_said_is_named_once_with_what_all_others_have() -> None:
    asked = task("heroes_of_normandie", "hn-05-souffle")
    said = judge(asked, ["A1", *asked.solution()]).sentence
    assert said.startswith("2 justes, 1 de trop (A1). Seules comptent")
    assert said.count("de trop") == said.count("A1") == 1
    assert judge(asked, ["A1", "A2", *asked.solution()]).sentence.startswith("2 justes, 2 de trop (dont A1). Seules")


def test_a_title_with_brackets_does_not_stand_in_brackets() -> None:
    assert named(game("asl_sk"), "3.2.1") == f"[[3.2.1]], «{NBSP}Ligne de vue (LOS){NBSP}»"
    assert named(game("combat_commander"), "T97") == "[[T97]] (Mur)"


@pytest.mark.parametrize("game_id", GAMES)
def test_no_cause_of_a_number_gives_the_answer_away(game_id: str) -> None:
    said = []
    for exercise in exercises(game_id).values():
        if exercise.answer.kind == "number":
            asked = Task.of(game_id, exercise)
            solution = asked.solution()
            if not isinstance(solution, Fraction) or solution.denominator > 1:
                continue
            for given in (solution + 1, solution + 2, 2 * solution):
                verdict = judge(asked, str(given))
                if not verdict.right and not verdict.omissions and abs(solution) > 3:
                    said.append((exercise.id, solution, verdict.sentence))
    assert not [one for one in said if one[1] in numbers(one[2])]


def test_values_of_two_signs_were_not_added_for_the_greatest() -> None:
    place = load_position("asl_sk", "drm").change({"piece.epave.at": "H4"})  # its cover +1, a flamethrower −1
    sought = Sought(ask(place, "fire", firers=["alpha"], target="H4"), place, Fraction(0))
    assert "additionné" not in slip_of_number(sought, Fraction(-1)).said


def test_bonuses_that_all_count_were_not_added_in_place_of_the_greatest() -> None:
    written = task("combat_commander", "cc-03-pf")
    asked = next(one for one in map(written.variant, range(9)) if one.solution() == 5 and len(_leaders(one)) > 1)
    assert "additionné" not in judge(asked, "6").sentence  # 2 + 2 + 1: each Leader of the hex counts
    written = task("combat_commander", "cc-08-total")
    for asked in map(written.variant, range(9)):
        assert "additionné" not in judge(asked, str(asked.solution() + 1)).sentence  # a road that is read twice


def _leaders(asked: Task) -> list[str]:
    return [step.code for step in asked.result().trace.walk() if step.code == "command.bonus"]


def test_a_term_whose_rule_does_not_change_the_number_was_not_left_out() -> None:
    asked = task("combat_commander", "cc-18-total")  # points spent; the road adds one to those at hand
    assert "laissé de côté" not in judge(asked, str(asked.solution() - 1)).sentence


@pytest.mark.parametrize(
    ("exercise_id", "given", "words"),
    [
        ("cc-05-finale", "1", "De C4 à C3"),  # a distance is no part of a Firepower
        ("cc-14-frequence", "1/36", "Time"),  # nor the odds of one trigger of those of another
        ("cc-12-impact", "12", "Garde, Moral"),  # nor what comes after
    ],
)
def test_a_number_of_something_else_is_no_step_on_the_way(exercise_id: str, given: str, words: str) -> None:
    said = judge(task("combat_commander", exercise_id), given).sentence
    assert said.startswith(f"Ce nombre dit autre chose{NBSP}: «")
    assert words in said
    assert "Continuez" not in said


@pytest.mark.parametrize(
    ("exercise_id", "given", "words"),
    [
        ("asl-05-drm", "4", "4 FP"),  # a firepower is no DRM
        ("asl-06-drm", "8", "FP du groupe"),
        ("asl-09-drm", "4", "4 FP"),
        ("asl-12-drm", "5", "5 FP"),
        ("cc-06-total", "7", "Moral"),  # what the total is compared with
        ("tcs-06-decalage", "4", "valeur de tir 4"),  # nor is a strength a shift
        ("sl-07-besoin", "4", "Défense du Pz IV"),
    ],
)
def test_a_number_that_does_not_go_into_the_answer_is_no_step_to_it(exercise_id: str, given: str, words: str) -> None:
    said = judge(task(GAME_OF[exercise_id.partition("-")[0]], exercise_id), given).sentence.replace(NBSP, " ")
    assert said.startswith("Ce nombre dit autre chose")
    assert words in said


@pytest.mark.parametrize(
    ("exercise_id", "given"),
    [
        ("asl-05-drm", "-1"),  # what is added to the dice
        ("asl-08-seuil", "-1"),  # a part of the modifier that is said as one number
        ("cc-06-total", "6"),  # of the firepower, before what hinders it
        ("cc-08-total", "3"),  # spent so far
        ("cc-07-pf", "1"),  # of each other piece
    ],
)
def test_what_goes_into_the_answer_is_a_step_to_it(exercise_id: str, given: str) -> None:
    said = judge(task(GAME_OF[exercise_id.partition("-")[0]], exercise_id), given).sentence
    assert said.startswith("Ce nombre n’est qu’une étape du calcul")


@pytest.mark.parametrize(
    ("exercise_id", "given", "words"),
    [
        ("tcs-05-chars", "29", "laissé de côté « pertes : 2 »"),  # a fact of the question
        (
            "tcs-05-chars",
            "25",
            "« pertes : 2 », et ce n’est qu’une étape",
        ),  # of five tanks, without who fires with them
        ("tcs-05-chars", "23", "compté deux fois cette étape : « Platoon de grenadiers"),
        ("tcs-05-somme", "6", "laissé de côté une valeur de 2"),  # two of them bring as much
        ("tcs-05-pres", "9", "laissé de côté « pas perdus : 1 »"),
        ("tcs-08-passagers", "5", "la question le donne déjà : « avec 5 pas à bord »"),
        ("tcs-09-differentiel", "8", "additionné 5 et 3"),
        ("tcs-01-cuvette", "40", "la courbe de 40 m »"),  # rather than the double
        ("cc-14-vues", "6", "laissé de côté « 6-6 et 5-6 »"),
        ("cc-11-total", "9", "Ce sont les dés seuls, 5 et 4"),
        ("cc-11-total", "16", "la valeur d’un autre : « PF de Mêlée pour l’Axe"),
        ("asl-12-chance", "5/12", "la chance d’autre chose"),  # with those of being reduced
        ("sl-07-rude", "9", "ajouté ce qui se retranche"),
        ("hn-07-total", "3", "ajouté ce qui se retranche"),  # its penalty gives the answer away
        ("cc-03-pf", "8", "Regardez de nouveau où se trouve Grein : en D3."),
        ("cc-03-pf", "7", "compté deux fois cette étape : « Bolter est dans le même hex"),
        ("cc-09-pf", "5", "ajouté au lieu de retrancher cette étape : « K7 est plus haut que L5 : −1 PF »"),
        ("asl-03-fumee", "7", "compté deux fois cette étape : « Fumigène en F4"),
    ],
)
def test_a_term_or_a_fact_that_was_overlooked_is_named(exercise_id: str, given: str, words: str) -> None:
    said = judge(task(GAME_OF[exercise_id.partition("-")[0]], exercise_id), given).sentence
    assert words in said.replace(NBSP, " ").replace("\u202f", " ")
    assert "[[" in said


@pytest.mark.parametrize(
    ("exercise_id", "seed", "given", "words"),
    [
        ("asl-09-fp", 4, "5", "compté deux fois"),  # factors, of which the sum is by chance the number
        ("tcs-05-somme", 6, "12", "seule la plus forte"),  # terms that are all added
        ("cc-11-total", 6, "16", "seule la plus forte"),  # points that come after
        ("cc-08-total", 3, "6", "d’un autre"),  # what is spent so far
        ("cc-18-total", 2, "0", "laissé de côté"),  # of no way at all
    ],
)
def test_a_thought_that_nobody_has_is_not_said(exercise_id: str, seed: int, given: str, words: str) -> None:
    asked = task(GAME_OF[exercise_id.partition("-")[0]], exercise_id).variant(seed)
    assert words not in judge(asked, given).sentence


@pytest.mark.parametrize("game_id", GAMES)
def test_a_figure_that_is_a_name_is_not_given_by_the_question(game_id: str) -> None:
    for exercise in (one for one in exercises(game_id).values() if one.answer.kind == "number"):
        asked = Task.of(game_id, exercise)
        for number in range(1, 13):
            said = given_in(asked, Fraction(number))
            assert not re.search(r"\d-\d", said), exercise.id


def test_what_comes_after_the_number_asked_for_is_no_part_of_it() -> None:
    asked = task("tcs", "tcs-05-somme")  # a sum of fire; the column is shifted later, by −1
    assert "laissé de côté" not in judge(asked, str(asked.solution() + 1)).sentence


@pytest.mark.parametrize(
    ("game_id", "exercise_id", "given", "words"),
    [
        ("tcs", "tcs-05-chars", "2", "étape du calcul"),  # how far a platoon is seen
        ("tcs", "tcs-05-somme", "-2", "étape du calcul"),  # a shift that comes after
        ("asl_sk", "asl-09-drm", "1", "Cowering"),
        ("tcs", "tcs-02-marge", "50", "additionné"),  # two heights, of which none is in the answer
        ("asl_sk", "asl-05-drm", "-1", "9-1"),  # the name of a leader, and no −1
        ("combat_commander", "cc-07-pf", "8", "additionné"),  # how far each is from the target
        ("tcs", "tcs-04-distance", "2", "hex de départ"),  # read from a table, and not counted
    ],
)
def test_a_number_of_another_reckoning_is_no_step_of_this_one(
    game_id: str, exercise_id: str, given: str, words: str
) -> None:
    for asked in (task(game_id, exercise_id), *(task(game_id, exercise_id).variant(seed) for seed in range(1, 4))):
        for number in (given, str(int(asked.solution()) + 1) if words == "hex de départ" else given):
            assert words not in judge(asked, number).sentence, asked.question


@pytest.mark.parametrize("seed", range(3))
def test_the_headline_of_hexes_that_may_be_fired_at_is_no_firepower(seed: int) -> None:
    asked = task("combat_commander", "cc-07-cibles").variant(seed)
    headed = verdict(asked.result(), asked.position, answering_exercise(asked, asked.result()))[1]
    assert headed.endswith("à portée.")


def test_of_a_missed_hex_where_something_is_allowed_nothing_else_is_said() -> None:
    said = judge(task("combat_commander", "cc-07-cibles"), ["F2"]).sentence
    assert "D3\u00a0: rien ne s’y oppose ([[O20.3.1]])." in said


def test_the_only_hex_that_is_missing_is_not_named() -> None:
    said = judge(task("tcs", "tcs-06-ou"), ["17.06"]).sentence
    assert said == f"1 juste, 1 oublié. Voyez [[13.0]], «{NBSP}SFA (tirs groupés){NBSP}»."
    said = judge(task("heroes_of_normandie", "hn-05-souffle"), ["B4"]).sentence
    assert said.startswith("1 juste, 1 oubliée. Seules comptent les quatre cases de l’intercase")


def test_a_first_miss_hides_the_answer_and_a_second_proves_it() -> None:
    exercise = exercises("asl_sk")["asl-10-drm"]
    player = ExercisePlayer(Page(), "asl_sk", "", [exercise], Writer("asl_sk"))
    player.submit("-1")
    player.submit("-1")
    assert "Essayez encore." in announced(player.widget)
    assert player.stage.trace.view.value == ""
    player.submit("-7")
    said = announced(player.widget)
    assert f"DRM{NBSP}<strong>−2</strong>" in said
    assert said.count("−2") == 1  # the sentence that answers, here alone
    assert not seen(player.stage.verdict.view)
    assert "ldv-step" in player.stage.trace.view.value
    assert "règle oubliée" not in said


def proved(game_id: str, exercise_id: str, given: object, times: int = 2) -> ExercisePlayer:
    """An exercise on which a wrong answer, then another, was given."""
    player = ExercisePlayer(Page(), game_id, "", [exercises(game_id)[exercise_id]], Writer(game_id))
    wrongs = [given, [*given, "A1"] if isinstance(given, list) else given]
    for wrong in wrongs[:times]:
        player.submit(wrong)
    return player


@pytest.mark.parametrize("exercise_id", ["cc-04-bloque", "cc-04-visibles", "cc-11-hexs"])
def test_an_answer_of_several_hexes_is_said_once(exercise_id: str) -> None:
    player = proved("combat_commander", exercise_id, ["A2"])
    said, solution = announced(player.widget), player.task().solution()
    assert "La réponse" in said
    assert solution <= places(said)
    assert solution <= places(player.page.bridge.announce), "a screen reader hears it with the reply"
    right = proved("combat_commander", exercise_id, sorted(solution), times=1)
    assert "Juste." in announced(right.widget)
    assert solution <= places(announced(right.widget))
    for shown in (player, right):
        assert not seen(shown.stage.verdict.view)


@pytest.mark.parametrize("game_id", GAMES)
def test_the_steps_of_an_order_are_those_of_each_thing_with_its_number(game_id: str) -> None:
    for exercise in (one for one in exercises(game_id).values() if one.answer.kind == "order"):
        player = ExercisePlayer(Page(), game_id, "", [exercise], Writer(game_id))
        player.submit(player.task().solution())
        steps = player.stage.trace.view.value
        order = ranked(player.task())
        assert steps.count('<li class="ldv-step"') >= len(order), exercise.id
        assert all(one.steps for one in order), exercise.id
        ranks = [one.number for one in order if one.number is not None]
        assert ranks == sorted(ranks, reverse=exercise.answer.descending), exercise.id
        sentences = [one.sentence() for one in order]
        assert all(says(said, frozenset({number})) for said, number in zip(sentences, ranks, strict=True))
        assert not seen(player.stage.verdict.view), "the reply says it"


def test_no_name_takes_a_capital_within_a_sentence() -> None:
    asked = task("tcs", "tcs-05-rang")
    first, *others = asked.solution()
    said = judge(asked, (first, others[1], others[0], others[2])).sentence
    assert f"l’on trouve bien {first[0].lower()}{first[1:]}, puis" in said


@pytest.mark.parametrize("game_id", GAMES)
def test_what_is_left_out_is_said_after_one_colon(game_id: str) -> None:
    assert [rule for rule, said in game(game_id).omittable.items() if ":" in said] == []


@pytest.mark.parametrize("game_id", GAMES)
def test_a_line_that_is_too_high_is_said_in_short_sentences_of_one_colon_each(game_id: str) -> None:
    for exercise in (one for one in exercises(game_id).values() if one.answer.kind == "order"):
        asked = Task.of(game_id, exercise)
        order = asked.solution()
        said = slip(asked, (order[1], order[0], *order[2:])).said
        assert said.startswith(f"À mettre plus bas{NBSP}: **{order[1]}**"), exercise.id
        assert said.partition("«")[0].count(f"{NBSP}:") <= 2, exercise.id
        assert not said.endswith(".."), exercise.id


@pytest.mark.parametrize("seed", range(3))
def test_a_number_that_several_places_have_is_answered_by_the_one_asked_about(seed: int) -> None:
    asked = task("tcs", "tcs-03-hauteur").variant(seed)  # a village, woods: the whole basin is 40 m high
    said = verdict(asked.result(), asked.position, answering_exercise(asked, asked.result()))[1]
    assert said.removeprefix("PdC en ").startswith("02.09")
    assert says(said, frozenset({asked.solution()}))


def test_why_a_hex_is_right_is_not_said_by_why_another_is_not() -> None:
    """A wall between a hex that is struck and one that is not says nothing for the first."""
    there = task("heroes_of_normandie", "hn-01-gabarit").variant(1)
    assert there.solution() == {"A4", "A5", "B5"}
    for missed in ("A4", "B5"):
        said = judge(there, sorted({"A4", "A5", "B5"} - {missed})).sentence
        assert "contenue" not in said
        assert "[[1.3.9]]" in said
    extra = judge(there, ["A4", "A5", "B5", "B4"]).sentence.replace(NBSP, " ")
    assert "B4 : «" in extra  # of this one it is the reason


def test_a_rule_that_is_cited_is_no_hex() -> None:
    there = task("combat_commander", "cc-11-hexs")
    said = judge(there, ["B2", "B3", "D2"]).sentence.replace(NBSP, " ")
    assert "C2 : «" in said
    assert "[[O16.2]]" in said


@pytest.mark.parametrize(
    ("game_id", "exercise_id", "seed", "given", "term"),
    [
        ("sherman_leader", "sl-03-besoin", 1, 5, "−2 à chaque dé"),  # 7 is needed: what takes from the dice adds to it
        ("sherman_leader", "sl-05-jet", 0, 6, "−1 à chaque dé"),
        ("asl_sk", "asl-08-seuil", 0, 9, "DM"),
        ("asl_sk", "asl-03-total", 0, 3, "Champ de céréales"),  # a sum: what is left out is missing
    ],
)
def test_the_term_that_is_named_is_one_without_which_that_number_comes_out(
    game_id: str, exercise_id: str, seed: int, given: int, term: str
) -> None:
    written = task(game_id, exercise_id)
    there = written.variant(seed) if seed else written
    right = there.solution()
    assert isinstance(right, Fraction)
    assert term in slip(there, there.read(str(given))).said
    other = slip(there, there.read(str(2 * right - given))).said  # as far on the other side
    assert "laissé de côté" not in other or term not in other


def test_dice_that_hit_are_no_sum_of_what_is_added_to_them() -> None:
    there = task("sherman_leader", "sl-04-annules").variant(2)
    assert "laissé de côté" not in judge(there, "3").sentence


def test_the_cover_of_another_target_is_no_step_to_the_answer() -> None:
    there = task("sherman_leader", "sl-05-combien").variant(1)
    assert "902" not in judge(there, "2").sentence


def test_who_counts_the_start_is_said_so_in_the_words_of_the_game() -> None:
    there = task("sherman_leader", "sl-01-compter")
    assert there.solution() == 3
    assert "l’hexagone de départ" in judge(there, "4").sentence


@pytest.mark.parametrize(
    ("exercise_id", "seed", "given", "words"),
    [
        ("sl-05-combien", 2, "1", "à un près"),  # dice that hit, to which nothing is added
        ("sl-05-combien", 1, "2", "dit autre chose"),  # how far the target is
        ("cc-05-valeur", 1, "3", "Broussailles en C3"),  # which does not count, and not how far it is
        ("hn-08-chances", 0, "3/4", "Au moins une réussite sur 2 dés"),  # two are needed
        ("hn-08-chances", 2, "1/4", "Les 2 dés réussis"),  # one is enough
        ("hn-02-modificateur", 0, "-3", "[[3.3.6]]"),  # the smoke alone gives the number
    ],
)
def test_the_number_that_is_typed_is_named(exercise_id: str, seed: int, given: str, words: str) -> None:
    written = task(GAME_OF[exercise_id[:2]], exercise_id)
    there = written.variant(seed) if seed else written
    assert words in judge(there, given).sentence.replace(NBSP, " ")


def test_two_reasons_for_one_hex_are_parted() -> None:
    said = judge(task("asl_sk", "asl-06-cibles"), ["F5", "G3"]).sentence
    assert "([[3.2.1]])\u202f; «" in said


def test_what_to_do_is_not_said_once_the_answer_is_known() -> None:
    for exercise_id, given, advice in (("cc-06-total", "6", "Continuez."), ("cc-05-valeur", "4", "Voyez ")):
        there = task("combat_commander", exercise_id)
        judged = judge(there, given)
        assert advice in judged.said
        assert judged.cause in replied(there, judged, again=True)
        assert advice not in replied(there, judged, again=True)


def test_hindrances_that_add_up_by_chance_to_the_greatest_are_no_sum() -> None:
    there = task("combat_commander", "cc-05-valeur").variant(1)
    assert there.solution() == 4  # smoke of 4; field 1, brush 3
    assert "deux fois" not in judge(there, "5").sentence
