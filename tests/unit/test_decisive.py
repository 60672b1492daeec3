"""The headline of an answer, and the few steps that decide it: found by asking again, never written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import pytest

from tests.asked import UNTURNED, posed, posed_at
from tutor import ask, load_position
from tutor.core.effort import Effort, TooLarge, bounded
from tutor.core.registry import GAMES, game
from tutor.core.trace import Step
from tutor.course import evidence, headlines, proof
from tutor.course.decisive import decisive, without
from tutor.course.evidence import MOST
from tutor.course.exercises import Task, fitting
from tutor.course.figures import Wanted, places, says
from tutor.course.headlines import (
    answering,
    answering_exercise,
    asked_for,
    asked_of,
    headline,
    headline_of,
    losses,
    together,
    turning,
    yes_or_no,
)
from tutor.course.lessons import exercises
from tutor.course.matching import deciding, view
from tutor.course.models import Choice
from tutor.course.proof import FEWEST, deciding_steps
from tutor.course.why import Posed
from widgets.board.panels.verdict import DETAIL, TracePanel, verdict

CC = "combat_commander"


#: Where a trace says a sentence twice, and why it may.
SAID_TWICE = {
    "article A29, a29-rafale": "deux cibles de même couverture, sous la même Dissimulation",
    "article A41, a41-deux": "deux cartes Tir Soutenu jouées ensemble",
    "cc-09-tir-op, encore": "deux cartes Grenades jouées ensemble",
    "cc-09-tir-op, encore, et si 2": "deux cartes Grenades jouées ensemble",
    "cc-09-tir-op, arret, et si 2": "le même Peloton tire deux fois sur le même hex",
}
FREE, NOTHING_THERE = "los.clear", {"los.no_obstacle", "los.no_hindrance"}
#: That a line is free decides nothing of a shot or a move that is asked about.
SHOTS, LINES = ("fire", "attack", "move"), {FREE, "los.missed", "los.own_side"}


def sentences_of(one: Posed, steps: Sequence[Step]) -> list[str]:
    rulebook = game(one.position.game)
    said = (step for step in steps if step.kind != "input" and step.code in rulebook.phrases.templates)
    return [rulebook.sentence(step, one.position) for step in said]


def twice(sentences: Sequence[str]) -> list[str]:
    return [sentence for sentence, times in Counter(sentences).items() if times > 1]


def repeats(one: Posed, few: Sequence[Step]) -> list[str]:
    """What a proof says again: a sentence, a line that is free, a number and the table that gives it.

    Args:
        one: question; few: steps that decide it, none where its whole trace is shown.
    """
    walked = list(one.result.trace.walk())
    wrong = twice(sentences_of(one, few or walked[1:]))
    if any(step.code == FREE for step in few):
        wrong += [step.code for step in few if step.code in NOTHING_THERE]
    for step in few:
        rows = [below for below in step.children if below.kind == "table" and below.rule == step.rule]
        wrong += [row.code for row in rows if row.value == step.value and any(row is other for other in few)]
    for step in walked:
        wrong += twice(sentences_of(one, step.children))
    return wrong


@pytest.mark.parametrize("game_id", GAMES)
def test_two_to_five_steps_decide_repeat_nothing_and_the_trace_has_them_all(game_id: str) -> None:
    long = shots = 0
    for one in posed(game_id):
        if one.prediction is None:
            continue
        choices, steps = one.prediction.choices, list(one.result.trace.walk())
        headed = answering(one.result, one.position, one.prediction.because, choices)
        few = deciding_steps(one.result, one.position, headed, choices)
        long += bool(few)
        assert len(few) <= MOST, one.where
        assert all(any(step is other for other in steps) for step in few), one.where
        if few:
            assert len(few) >= FEWEST or one.result.refusals or len(steps) <= MOST + 1, one.where
            others = turning(one.result, one.position, choices)
            turned = {rule for rule, other in others.items() if other.outcome == one.result.outcome}
            said = {step.rule for step in steps[1:] if step.kind != "input" and not step.children} & turned
            assert not said or said & {step.rule for step in (*few, *headed)}, one.where
        assert bool(repeats(one, few)) == (one.where in SAID_TWICE), (one.where, repeats(one, few))
        if game_id in (CC, "asl_sk") and one.ask in SHOTS:
            few = deciding_steps(one.result, one.position, deciding(one.result, one.prediction.because), choices)
            shots += bool(few)
            assert not [step.code for step in few if step.code in LINES], one.where
    assert long
    assert shots > 20 or game_id not in (CC, "asl_sk")


def shown(game_id: str, where: str) -> list[str]:
    """The codes of the steps that are shown where a question is asked."""
    one = posed_at(game_id, where)
    assert one.prediction
    choices = one.prediction.choices
    headed = answering(one.result, one.position, one.prediction.because, choices)
    return [step.code for step in deciding_steps(one.result, one.position, headed, choices)]


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("asl-07-moral, test, et si 3", ("Half-Squad", "Broken")),  # a natural 12 of a squad
        ("article 3.2.3-wound, blessure", ("Wounded", "Broken")),  # of a leader
        ("article 3.6, abri-plein", ("E6", "2,5", "3")),  # a shelter that friends hold
        ("article 3.2.3, egalite", ("Squad A", "Squad B", "élimination")),  # two that one draw picks
        ("article 3.2.3-KIA, kia", ("Squad B", "Réduction", "Broken")),
        ("article A40, a40-rafale", ("9 contre D2", "9 contre D3")),  # two hexes of a Spray Fire
        ("cc-13-fortifications, champ, et si 2", ("Attaques\u00a0: 1",)),  # a group, one roll
        ("cc-13-fortifications, barbeles, et si 1", ("Barbelés", "groupe")),
        ("cc-15-evenements, heros", ("Héros", "plusieurs")),
        ("hn-07-aviation, ciel, et si 3", ("Mustang", "ordre spécial")),
        ("sl-01-plateau, etape", ("Lents", "après l’ennemi")),  # « avant lui ? »
        ("tcs-03-obstacles, haie, et si 1", ("Haie", "05.05", "ne bloque pas")),
        ("tcs-06-decalages, sfa, et si 2", ("Empilement", "n’observent pas")),
        ("tcs-12-fuite, feux", ("07.03", "08.03")),  # both hexes where artillery attacks
    ],
)
def test_a_headline_says_all_that_was_asked(where: str, words: Sequence[str]) -> None:
    one = next(one for game_id in GAMES for one in posed(game_id) if one.where == where)
    assert one.prediction
    said = headline(one.result, one.position, one.prediction.because, one.prediction.choices)
    assert all(word in said for word in words), said


def test_no_step_is_shown_only_because_there_are_few() -> None:
    assert "los.units" not in shown("asl_sk", "asl-02-los, bois, et si 3")  # blocked in D4; a squad stands elsewhere
    assert shown("asl_sk", "asl-03-genes, char, et si 1") == ["los.clear"]  # a wood that the line passes by
    assert shown("asl_sk", "article 3.2.1, obstacle-bas") == ["los.clear"]
    assert shown(CC, "cc-10-collines, angle-mort, et si 1") == ["los.clear"]
    assert "cc.leader_pinned" in shown("asl_sk", "asl-12-cc, duel, et si 5")  # what was changed
    assert "los.obstacle" in shown("asl_sk", "asl-02-los, bois, question")


def test_a_refusal_shows_what_it_follows_from_else_its_reason_alone() -> None:
    assert shown("tcs", "tcs-06-decalages, sfa, et si 3") == ["fire.second_sfa"]  # a short trace of lines that are free
    assert shown("sherman_leader", "sl-06-degats, reste") == ["attack.gun_damaged"]
    assert shown("asl_sk", "asl-06-groupes, groupe, question") == ["los.blocked"]
    assert "los.wall" in shown("heroes_of_normandie", "hn-09-cheminee, point, et si 2")  # what stops the line
    assert "los.affected" in shown("heroes_of_normandie", "hn-06-suppression, sergent, et si 1")
    for where in ("cc-08-mouvement, biermann, et si 1", "cc-08-mouvement, ensemble, et si 1"):
        assert "move.not_entered" not in shown("combat_commander", where)  # the headline says it
    assert shown("combat_commander", "cc-09-tir-op, arret, et si 2") == ["op_fire.count"]


def test_what_is_shown_bears_on_the_question() -> None:
    observed = {"spotting.shift", "los.open_to", "fire.terrain_shift", "fire.shifts"}
    assert not observed.intersection(shown("tcs", "tcs-05-zone, panthers"))  # its own steps were asked for
    assert "point.band_of" in shown("tcs", "tcs-09-ponctuel, deux")  # the range that counts, not the other terms
    assert "attack.need" in shown("sherman_leader", "sl-03-attaque, besoin")  # the sum that gives the number
    assert {"resolve.dice", "resolve.defence"} <= set(shown("sherman_leader", "sl-03-attaque, jet, question"))
    assert not posed_at("combat_commander", "cc-15-evenements, choisir, et si 3").mute
    assert shown("sherman_leader", "sl-04-plusieurs, suite, et si 1") == 3 * ["series.after"]  # whose die is whose
    for where in ("mitrailleuse", "mitrailleuse, et si 1"):  # a rate of fire, not the attack of that roll
        assert "attack.rate" in shown("asl_sk", f"asl-06-groupes, {where}")
        assert not {"attack.final", "attack.pending"}.intersection(shown("asl_sk", f"asl-06-groupes, {where}"))
    few = shown("asl_sk", "asl-07-moral, pile")  # three units are rolled for, one is asked about
    assert few == ["morale.check", "morale.equal"]


def test_that_a_line_is_free_is_said_where_a_choice_would_have_it_blocked() -> None:
    place = load_position(CC, "groupe-haie")  # its hedges border the hexes of those who fire
    result = ask(place, "fire", firers=["loup"], target="D3")
    assert result.value
    assert "10.1" in decisive(result, place)
    answers = {"Oui": {"outcome": "computed"}, "Non": {"outcome": "refused"}}
    open_or_not = [Choice(label=label, when=when) for label, when in answers.items()]
    powers = [Choice(label=str(fp), when={"value": {"fp": fp}}) for fp in (result.value.fp, 40)]
    rules = [{step.rule for step in deciding_steps(result, place, (), asked)} for asked in ((), open_or_not, powers)]
    assert ["10.1" in one for one in rules] == [False, True, False]


def test_leaving_a_rule_out_asks_the_same_question() -> None:
    place = load_position(CC, "livret-ldv")
    result = ask(place, "los", start="M9", end="N6")
    other = without(result, place, "10.3")
    assert other is not None
    assert (result.value.hindrance > 0, other.value.hindrance) == (True, 0)
    assert "10.3" in decisive(result, place)


def test_the_headline_is_the_step_that_says_what_the_choices_ask_for() -> None:
    asked = posed_at("tcs", "tcs-05-zone, force, question")
    assert asked.prediction
    last = headline(asked.result, asked.position, asked.prediction.because)
    said = headline(asked.result, asked.position, asked.prediction.because, asked.prediction.choices)
    assert "18" not in last
    assert "18" in said
    steps = answering(asked.result, asked.position, asked.prediction.because, asked.prediction.choices)
    assert verdict(asked.result, asked.position, steps[-1].code)[1] == said


def test_the_step_that_the_content_names_is_the_headline_unless_a_number_is_asked_for() -> None:
    named, last = "los.crest_passed", "La ligne de vue est dégagée."
    place = load_position(CC, "colline")
    result = ask(place, "los", start="B1", end="F3")  # the crest is passed too where the wood of D2 would block
    seen = [Choice(label=label, when={"value": {"visible": label == "Oui"}}) for label in ("Oui", "Non")]
    assert "T88.4" in turning(result, place, seen)
    assert "hex de crête" in headline(result, place, named, seen)
    assert headline(result, place, None, seen) == headline(result, place, "los.not_of_this_line", seen) == last
    smoky = load_position(CC, "fumee")
    lost = [Choice(label=f"{number} PF", when={"value": {"hindrance": number}}) for number in (3, 5)]
    assert "gêne de 5" in headline(ask(smoky, "los", start="A3", end="C3"), smoky, "los.missed", lost)


def test_a_headline_says_odds_in_per_cent_and_the_detail_the_fraction() -> None:
    place = load_position(CC, "livret-tir")
    result = ask(place, "fire_odds", firers=["peloton-l8"], target="M6")
    step = result.trace.children[-1]
    exact = f"{step.value} ("
    assert exact in game(CC).sentence(step, place)
    for sentence in (headline(result, place, step.code), verdict(result, place, step.code)[1]):
        assert "%" in sentence
        assert str(step.value) not in sentence
    assert "%" in headline_of([step], place)


@pytest.mark.parametrize("game_id", GAMES)
def test_the_verdict_of_an_exercise_says_the_number_or_the_place_asked_for(game_id: str) -> None:
    asked = 0
    for exercise in exercises(game_id).values():
        written = Task.of(game_id, exercise)
        for task in (written, *([written.variant(1)] if exercise.vary else ())):
            result, solution = task.result(), task.solution()
            wanted: Wanted = frozenset()
            if isinstance(solution, Fraction):
                wanted = frozenset({solution})
            elif right := fitting(exercise.answer.choices, view(result)):
                wanted = asked_for(exercise.answer.choices, right)
            if wanted and not result.refusals:
                asked += 1
                because = answering_exercise(task, result)
                said = verdict(result, task.position, because)[1]
                assert says(said, wanted, losses(deciding(result, because))), (exercise.id, wanted, said)
    assert asked >= 10


@pytest.mark.parametrize("game_id", GAMES)
def test_an_exercise_names_a_step_of_its_own_trace_and_its_verdict_says_that_step(game_id: str) -> None:
    for exercise in exercises(game_id).values():
        if exercise.because is None:
            continue
        task = Task.of(game_id, exercise)
        result = task.result()
        name, _, there = exercise.because.partition("@")
        named = [step for step in result.trace.walk() if name in (step.rule, step.code, "")]
        named = [step for step in named if not there or any(place.ref == there for place in step.where)]
        assert named or result.refusals, exercise.id
        said = verdict(result, task.position, answering_exercise(task, result))[1]
        assert result.refusals or said == headline_of(named[-1:], task.position), (exercise.id, said)


@pytest.mark.slow
@pytest.mark.parametrize("game_id", GAMES)
def test_the_proof_of_an_exercise_decides_in_five_steps_at_most_and_repeats_nothing(game_id: str) -> None:
    for exercise in exercises(game_id).values():
        task = Task.of(game_id, exercise)
        one = Posed(f"exercice {exercise.id}", "exercice", task.position, exercise.ask, task.arguments)
        few = deciding_steps(one.result, one.position, (), exercise.answer.choices)
        assert len(few) <= MOST, one.where
        assert bool(repeats(one, few)) == (one.where in SAID_TWICE), (one.where, repeats(one, few))


def test_a_proof_that_says_a_sentence_twice_is_found() -> None:
    place = load_position(CC, "livret-ldv")
    one = Posed("essai", "cas", place, "los", {"start": "M9", "end": "N6"})
    assert not repeats(one, deciding_steps(one.result, place))
    one.result.trace.children.append(one.result.trace.children[-1])
    assert repeats(one, deciding_steps(one.result, place))


def test_a_free_line_is_said_in_one_sentence_and_a_number_by_one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    free = Posed("", "cas", load_position("asl_sk", "obstacles"), "los", {"start": "D4", "end": "G4"})
    assert not repeats(free, deciding_steps(free.result, free.position))
    assert repeats(free, [step for step in free.result.trace.walk() if step.code in NOTHING_THERE | {FREE}])
    hindered = Posed("", "cas", load_position("asl_sk", "genes"), "los", {"start": "F6", "end": "K6"})
    assert not repeats(hindered, deciding_steps(hindered.result, hindered.position))
    monkeypatch.setattr(evidence, "said_again", lambda trace: iter(()))
    monkeypatch.setattr(proof, "_reads", lambda step, row: False)
    assert repeats(hindered, deciding_steps(hindered.result, hindered.position))


#: Exercises that ask for the reason itself, without yes or no.
REASONS_ASKED = {"sl-05-pourquoi"}


def beside_the_point(game_id: str, variants: int = 3) -> tuple[set[str], set[str]]:
    """Exercises answered by yes or no of which a rule decides, and those whose headline is no step of such a rule."""
    asked, beside = set(), set()
    for exercise in exercises(game_id).values():
        choices, written = exercise.answer.choices, Task.of(game_id, exercise)
        if not yes_or_no(choices) and exercise.id not in REASONS_ASKED:
            continue
        for task in (written, *(written.variant(seed) for seed in range(1, variants + 1) if exercise.vary)):
            result = task.result()
            others = {} if result.refusals else turning(result, task.position, choices)
            taught = {*exercise.rules, *(exercise.omit or others)}
            others = {rule: other for rule, other in others.items() if rule in taught}
            if not others:
                continue
            asked.add(exercise.id)
            because = answering_exercise(task, result)
            said, steps = verdict(result, task.position, because)[1], deciding(result, because)
            own = any(step.rule in others and said == headline_of([step], task.position) for step in steps)
            elsewhere = {verdict(one, task.position, because)[1] for one in others.values()}
            if not own or said in elsewhere:
                beside.add(exercise.id)
    return asked, beside


@pytest.mark.parametrize("game_id", GAMES)
def test_the_headline_of_a_yes_or_a_no_is_the_step_that_decides(game_id: str) -> None:
    asked, beside = beside_the_point(game_id)
    assert asked
    assert beside == {one for one in UNTURNED if one in exercises(game_id)}


def test_a_headline_that_says_a_later_fact_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headlines, "_between_yes_and_no", lambda *_: ())
    assert "tcs-08-permis" in beside_the_point("tcs", 0)[1]


def test_where_what_decides_takes_too_long_the_headline_is_the_last_step(monkeypatch: pytest.MonkeyPatch) -> None:
    task = Task.of("tcs", exercises("tcs")["tcs-08-permis"])
    result = task.result()
    assert answering_exercise(task, result) == "losses.shares"

    def endless(*_: object) -> dict[str, object]:
        raise TooLarge

    monkeypatch.setattr(headlines, "turning", endless)
    assert answering_exercise(task, result) is None


def test_the_conclusion_that_a_headline_leaves_unsaid_is_among_the_steps() -> None:
    task = Task.of("sherman_leader", exercises("sherman_leader")["sl-04-issue"])
    result = task.result()
    last, because = result.trace.children[-1], answering_exercise(task, result)
    assert because == "resolve.flank"
    assert not any(step is last for step in deciding_steps(result, task.position, [last]))
    few = deciding_steps(result, task.position, deciding(result, because))
    assert few[-1] is last
    assert len(few) <= MOST


def test_a_verdict_is_said_by_the_rule_of_the_exercise_where_several_steps_say_the_number() -> None:
    task = Task.of(CC, exercises(CC)["cc-14-frequence"])
    result = task.result()
    assert "Event" in verdict(result, task.position, answering_exercise(task, result))[1]


def test_a_question_that_no_choice_fits_keeps_the_last_step() -> None:
    place = load_position(CC, "livret-ldv")
    result = ask(place, "los", start="J9", end="K6")
    nowhere = [Choice(label=label, when={"value": {"hindrance": 40}}) for label in ("4", "5")]
    assert headline(result, place, None, nowhere) == headline(result, place)


def test_a_long_trace_is_behind_the_detail_and_a_short_one_is_not() -> None:
    place = load_position(CC, "livret-ldv")
    panel = TracePanel()
    panel.show(ask(place, "los", start="J9", end="K6"), place)
    long = panel.view.value
    assert long.index("ldv-deciding") < long.index(f"<summary>{DETAIL}</summary>")
    before, _, whole = long.partition("<details")
    assert FEWEST <= before.count('class="ldv-step"') <= MOST < whole.count('class="ldv-step"')
    assert game(CC).title
    short = ask(place, "distance", start="J9", end="K6")
    panel.show(short, place)
    assert "<details" not in panel.view.value


@pytest.mark.parametrize(
    ("where", "steps"),
    [
        ("hn-05-explosions, grenade", 0),  # its reason alone
        ("hn-06-suppression, sergent, et si 2", 0),  # the conditions that hold are in the detail
        ("hn-07-aviation, nuages", 0),  # another condition that holds is in the detail
        ("hn-01-plateau, passer, et si 3", 1),  # a second reason, which the verdict only counts
    ],
)
def test_a_refusal_is_said_once_in_the_verdict_and_not_among_its_steps(where: str, steps: int) -> None:
    one = posed_at("heroes_of_normandie", where)
    panel, said = TracePanel(), verdict(one.result, one.position)[1].partition(" (et")[0]
    panel.show(one.result, one.position)
    assert one.result.outcome == "refused"
    assert panel.view.value.partition("<details")[0].count('class="ldv-step"') == steps
    assert said not in panel.view.value.partition("<details")[0]
    assert bool(panel.view.value) == (where != "hn-05-explosions, grenade")
    panel.show(one.result, one.position, replied=True)  # a reply says every reason
    first = panel.view.value.partition("<details")[0]
    assert not [step for step in one.result.refusals if f'data-code="{step.code}"' in first]


@pytest.mark.parametrize(
    ("game_id", "where", "steps"),
    [
        ("tcs", "tcs-01-altitude, cuvette", 0),  # its only step
        ("tcs", "tcs-10-reaction, couvert, et si 1", 1),
        ("asl_sk", "asl-09-defense, encore, et si 3", 0),  # a reason that stands under a title
        ("tcs", "tcs-11-moral, bataillon", 1),  # an interpretation: its note stands beside the step alone
    ],
)
def test_the_sentence_that_answers_is_not_a_step_below_it(game_id: str, where: str, steps: int) -> None:
    one, panel = posed_at(game_id, where), TracePanel()
    panel.show(one.result, one.position, one.prediction and one.prediction.because)
    assert panel.view.value.partition("<details")[0].count('class="ldv-step"') == steps


def test_where_the_deciding_rules_take_too_long_the_steps_are_chosen_without_them() -> None:
    one = next(one for one in posed(CC) if one.prediction and deciding_steps(one.result, one.position))
    with bounded(Effort(seconds=-1)):
        few = deciding_steps(one.result, one.position)
    assert FEWEST <= len(few) <= MOST


def test_a_choice_among_several_is_shown_by_a_line_for_each_and_by_what_differs() -> None:
    few = shown("sherman_leader", "sl-05-cible, pz3, et si 2")  # three targets, one of them exposed
    assert few == ["target.in", "target.in", "target.in", "table.numbers.value"]
    assert shown("sherman_leader", "sl-05-cible, proche")[:2] == ["target.in_plain", "target.in"]
    printed = shown("sherman_leader", "sl-05-cible, proche, et si 3")  # the cover does not count at that table
    assert "attack.cover" not in printed
    assert "attack.cover" in shown("sherman_leader", "sl-05-cible, proche, et si 2")


def test_a_shot_that_might_be_taken_is_not_what_lets_a_unit_march() -> None:
    assert shown("asl_sk", "asl-10-residuelle, traversee, et si 4") == ["defence.allowance", "defence.walked"]
    task = Task.of("asl_sk", exercises("asl_sk")["asl-10-marche"])
    result, choices = task.result(), task.exercise.answer.choices
    few = deciding_steps(result, task.position, deciding(result), choices)
    assert {step.code for step in few} == {"defence.leg", "defence.allowance"}


def test_the_steps_of_a_typed_number_bear_on_that_number() -> None:
    task = Task.of("tcs", exercises("tcs")["tcs-05-somme"])
    result = task.result()
    headed = deciding(result, answering_exercise(task, result))
    few = [step.code for step in deciding_steps(result, task.position, headed, asked_of(task))]
    assert "fire.at_guns" in few
    assert "spotting.shift" not in few  # how far the target is seen is another number


def test_who_may_not_pass_is_not_said_to_pass() -> None:
    one = posed_at("heroes_of_normandie", "hn-04-batiments, ouverture, et si 2")
    codes = [step.code for step in one.result.trace.walk()]
    assert "path.not_urban" in codes
    assert "path.opening" not in codes


@pytest.mark.parametrize("game_id", GAMES)
def test_an_exercise_that_asks_for_several_hexes_is_answered_by_all_of_them(game_id: str) -> None:
    for exercise in exercises(game_id).values():
        task, said = Task.of(game_id, exercise), together(Task.of(game_id, exercise))
        if exercise.answer.kind == "hexes":
            yes, _, no = said.partition("oui.")
            assert task.solution() <= places(yes), exercise.id
            assert not task.solution() & places(no), exercise.id
        elif exercise.answer.kind == "order":
            assert all(label.casefold() in said.casefold() for label in task.solution()), exercise.id
        else:
            assert said == "", exercise.id


def test_the_steps_under_an_answer_of_several_hexes_have_the_one_that_answers_of_a_hex() -> None:
    place = load_position(CC, "livret-ldv")
    result, panel = ask(place, "los", start="J9", end="K6"), TracePanel()
    sentence = verdict(result, place)[1]
    panel.show(result, place)
    assert sentence not in panel.view.value.partition("<details")[0]
    panel.show(result, place, with_answer=True)
    assert sentence in panel.view.value.partition("<details")[0]
