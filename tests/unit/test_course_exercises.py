"""Exercises: the engine answers from the position on screen; wrong answers are explained by what was left out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from tutor.core.errors import AnswerError, ContentError
from tutor.core.phrases import NBSP
from tutor.core.registry import GAMES, ask, game
from tutor.course.answers import REFUSED, read_number, same, shown
from tutor.course.diagnosis import candidates, judge
from tutor.course.exercises import Task
from tutor.course.figures import numbers
from tutor.course.lessons import exercises, lessons
from tutor.course.models import Exercise, parse_model

CC = "combat_commander"
EVERY = [
    pytest.param(game_id, exercise, id=exercise.id) for game_id in GAMES for exercise in exercises(game_id).values()
]


def exercise(**changes: object) -> Exercise:
    data = {
        "id": "essai",
        "lesson": "cc-04-ldv",
        "title": "Essai",
        "rules": ["10.3"],
        "position": "livret-ldv",
        "ask": "los",
        "with": {"start": "M9", "end": "N6"},
        "question": "De {start} à {end}, que perd un tir de {schmidt} ?",
        "hint": "Cherchez la gêne.",
        "answer": {"kind": "number", "from": "value.hindrance", "unit": "PF"},
    }
    return parse_model(Exercise, {**data, **changes}, "essai.yaml")


def task(**changes: object) -> Task:
    return Task.of(CC, exercise(**changes))


def asked_of_each(game_id: str, position: str, asked: str, given: dict[str, object], each: dict[str, object]) -> Task:
    data = {
        "position": position,
        "ask": asked,
        "with": given,
        "question": "Où ?",
        "answer": {"kind": "hexes", "each": each},
    }
    return Task.of(game_id, exercise(**data))


# -- numbers a reader types ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("6", Fraction(6)),
        (" 0,5 ", Fraction(1, 2)),
        ("0.5", Fraction(1, 2)),
        ("50 %", Fraction(1, 2)),
        ("50\u202f%", Fraction(1, 2)),
        ("33,6%", Fraction(336, 1000)),
        ("35/1296", Fraction(35, 1296)),
        ("35 / 1296", Fraction(35, 1296)),
        ("\u22121", Fraction(-1)),
        ("+2", Fraction(2)),
        ("1 296", Fraction(1296)),
        ("11 PF", Fraction(11)),
    ],
)
def test_numbers_are_read_with_patience(typed: str, value: Fraction) -> None:
    number = read_number(typed, "PF")
    assert not isinstance(number, str)
    assert number.value == value


@pytest.mark.parametrize(
    "typed", ["abc", "", "  ", "1/0", "1,2,3", "6e5", "nan", "inf", "9" * 40, "--2", "½½", "%", "١٢٣٤abc"]
)
def test_what_is_no_number_is_a_french_sentence(typed: str) -> None:
    with pytest.raises(AnswerError) as error:
        read_number(typed)
    assert error.value.remedy


@pytest.mark.parametrize("typed", ["refusé", "Tir refusé", "impossible"])
def test_a_refusal_can_be_typed(typed: str) -> None:
    assert read_number(typed) == REFUSED


def test_there_is_no_tolerance() -> None:
    assert same(read_number("6"), Fraction(6))
    assert not same(read_number("6,01"), Fraction(6))
    assert not same(read_number("5"), Fraction(6))


@pytest.mark.parametrize(
    ("typed", "right"),
    [
        ("33,6 %", True),
        ("33,56", True),
        ("34 %", True),
        ("0,336", True),
        ("435/1296", True),
        ("33,5 %", False),
        ("33 %", False),
        ("0,3", True),
        ("434/1296", False),
    ],
)
def test_a_probability_may_be_rounded_as_written(typed: str, right: bool) -> None:
    assert same(read_number(typed, "%"), Fraction(435, 1296), "%") is right


@pytest.mark.parametrize("typed", ["50", "75", "75,0"])
def test_a_percentage_without_its_sign_is_explained_like_one_that_has_it(typed: str) -> None:
    task = Task.of("heroes_of_normandie", exercises("heroes_of_normandie")["hn-08-chances"])
    verdict = judge(task, typed)
    assert not verdict.right
    assert verdict == judge(task, f"{typed} %")
    assert "Ce nombre" in verdict.sentence  # what it is in the calculation, not the rule alone


def test_solutions_are_written_in_french() -> None:
    assert shown(Fraction(435, 1296), "%") == f"33,6{NBSP}% (145/432)"
    assert shown(REFUSED, refusal="Tir refusé") == f"«{NBSP}Tir refusé{NBSP}»"
    assert shown(("C3, D3", "C3, C4, D4")) == "C3, D3\u202f; puis C3, C4, D4"
    assert shown(frozenset()) == f"«{NBSP}rien à montrer{NBSP}»"


# -- the four kinds of answer -------------------------------------------------------------------------------------


def test_a_number_comes_from_the_position_on_screen() -> None:
    first = task()
    assert first.solution() == Fraction(2)
    changed = first.on(first.position.change({"terrain.N7": "brush"}))
    assert changed.solution() == Fraction(3)
    assert judge(changed, "3").right
    assert not judge(changed, "2").right


def test_the_question_is_filled_from_the_position() -> None:
    assert task().question == "De M9 à N6, que perd un tir de Schmidt\u202f?"


def test_a_question_calls_the_state_what_the_form_calls_it() -> None:
    task = Task.of("asl_sk", exercises("asl_sk")["asl-03-total"])
    assert task.question.startswith("En juillet, ")
    assert task.on(task.position.change({"state.month": 12})).question.startswith("En décembre, ")


@pytest.mark.parametrize(("smoke", "said"), [(3, "De la fumée cache N8."), (None, "Rien ne cache N8.")])
def test_a_question_says_in_a_sentence_what_is_or_is_not(smoke: int | None, said: str) -> None:
    made = task(question="{marker.smoke.N8:De la fumée|Rien ne} cache N8.", changes={"marker.smoke.N8": smoke})
    assert made.question == said


def test_a_question_that_names_nothing_is_a_fault() -> None:
    with pytest.raises(ContentError, match="Nommez"):
        task(question="Que fait {personne} ?").question  # noqa: B018


def test_a_choice_is_the_one_that_fits() -> None:
    choices = [
        {"label": "Oui", "when": {"value": {"visible": True}}},
        {"label": "Non", "when": {"value": {"visible": False}}},
    ]
    made = task(answer={"kind": "choice", "choices": choices})
    assert made.solution() == "Oui"
    assert judge(made, "Oui").right
    with pytest.raises(AnswerError):
        judge(made, None)


def test_hexes_from_a_list_or_asked_one_by_one() -> None:
    blocked = task(**{"with": {"start": "J9", "end": "K6"}, "answer": {"kind": "hexes", "from": "value.blocking"}})
    assert blocked.solution() == frozenset({"J8"})
    assert judge(blocked, ("J8",)).right
    each = {"argument": "end", "among": ["K6", "L9", "K9"], "when": {"value": {"visible": True}}}
    seen = task(**{"with": {"start": "J9", "end": "L9"}, "answer": {"kind": "hexes", "each": each}})
    wanted = {hex_ for hex_ in each["among"] if ask(seen.position, "los", start="J9", end=hex_).value.visible}
    assert seen.solution() == wanted
    unseen = next(name for name in each["among"] if name not in wanted)
    assert seen.doubtful(wanted | {unseen}) == unseen
    assert seen.doubtful(wanted) == min(wanted)
    assert blocked.doubtful(frozenset()) == ""
    with pytest.raises(Exception, match="n’est pas sur ce plateau"):
        judge(seen, ("Z99",))


def test_pieces_are_asked_about_one_by_one_where_each_stands_alone() -> None:
    each = {"argument": "target", "among": ["pz4", "guet", "camion"], "when": {"outcome": "computed"}}
    made = asked_of_each("sherman_leader", "vue", "attack", {"unit": "sherman", "target": "pz4"}, each)
    assert made.spots == {"B3": "pz4", "D4": "guet", "C1": "camion"}
    assert made.differing == {"target"}
    assert made.about("D4").arguments == {"unit": "sherman", "target": "guet"}
    assert made.about("") is made
    can = {name for name in each["among"] if ask(made.position, "attack", unit="sherman", target=name).computed}
    assert made.solution() == {made.position.hex_of(name) for name in can}
    stacked = made.on(made.position.change({"piece.guet.at": "B3"}))
    assert stacked.spots == {"B3": "guet", "C1": "camion"}
    assert "B3" in stacked.solution()
    assert not stacked.well_posed()
    gone = made.on(made.position.change({"piece.guet.status.eliminated": True}))
    assert not gone.well_posed()
    none = replace(made, arguments={"unit": "mortier"}).on(made.position.change({"piece.mortier.activated": "attack"}))
    assert none.solution() == frozenset()
    assert not none.well_posed()


def test_a_piece_is_put_in_one_hex_after_another() -> None:
    each = {"moved": "pz4", "among": ["B3", "B4", "C2"], "when": {"outcome": "computed"}}
    made = asked_of_each("sherman_leader", "vue", "attack", {"unit": "sherman", "target": "pz4"}, each)
    assert made.differing == {"target"}
    assert made.about("C2").position.hex_of("pz4") == "C2"
    where = {cell: made.position.change({"piece.pz4.at": cell}) for cell in each["among"]}
    can = {cell for cell, position in where.items() if ask(position, "attack", **made.arguments).computed}
    assert made.solution() == can
    assert "C2" in judge(made, ("B3", "B4", "C2")).said
    with pytest.raises(ContentError, match="« argument » ou « moved »"):
        asked_of_each("sherman_leader", "vue", "attack", {}, {**each, "argument": "target"})


def test_a_spot_is_alone_in_a_list() -> None:
    each = {"argument": "firers", "among": ["ligne", "fusiliers"], "when": {"outcome": "computed"}}
    made = asked_of_each(CC, "tir-pre", "fire", {"firers": ["ligne"], "target": "D3"}, each)
    assert [made.about(cell).arguments["firers"] for cell in made.spots] == [[one] for one in each["among"]]


def test_an_order_is_sorted_by_the_engine() -> None:
    items = [{"label": name, "with": {"end": name}} for name in ("N6", "M8", "L6")]
    made = task(
        answer={
            "kind": "order",
            "from": "value.distance",
            "items": [*items[:2], {"label": "M4", "with": {"end": "M4"}}],
        }
    )
    assert made.solution() == ("M8", "N6", "M4")
    assert judge(made, ("M8", "N6", "M4")).right
    assert not judge(made, ("M4", "N6", "M8")).right
    with pytest.raises(AnswerError):
        judge(made, ("M8",))
    tied = task(answer={"kind": "order", "from": "value.distance", "items": items})
    assert tied.solution() is None
    assert not tied.well_posed()


@pytest.mark.parametrize(
    "answer",
    [{"kind": "number"}, {"kind": "choice", "choices": []}, {"kind": "hexes"}, {"kind": "order", "from": "value.x"}],
)
def test_an_incomplete_answer_is_a_fault(answer: dict[str, object]) -> None:
    with pytest.raises(ContentError, match="demande"):
        exercise(answer=answer)


# -- diagnosis ----------------------------------------------------------------------------------------------------


def test_one_omission_is_named() -> None:
    """Orchard in N7 hinders by 2: whoever forgets hindrances says 0."""
    verdict = judge(task(), "0")
    assert verdict.omissions == (("10.3",),)
    assert "[[10.3]]" in verdict.sentence
    assert verdict.said.startswith("**Pas encore.** Vous avez peut-être oublié")
    assert f"on trouve bien 0{NBSP}PF" in verdict.sentence


def test_hindrances_added_up_are_recognised() -> None:
    changes = {"terrain.M8": "brush", "way.road.M8": None, "side.M8/N8": None}
    made = task(changes=changes)
    assert made.solution() == Fraction(3)
    assert judge(made, "5").omissions == (("10.3.3",),)


def test_two_omissions_when_one_is_not_enough() -> None:
    """Own hex counted and hindrances added: brush 3 + orchard 2 on the way, orchard 2 at the end: 7."""
    made = task(changes={"terrain.M8": "brush", "way.road.M8": None})
    verdict = judge(made, "7")
    assert verdict.omissions == (("10.1", "10.3.3"),)
    assert "[[10.1]]" in verdict.sentence
    assert "[[10.3.3]]" in verdict.sentence
    assert "sans elles" in verdict.sentence


def test_a_written_cause_is_surer_than_one_of_several_omissions() -> None:
    asked = Task.of("sherman_leader", exercises("sherman_leader")["sl-05-pourquoi"])
    assert "Vous trouvez deux jets différents" in judge(asked, "Le jet le plus bas").sentence


def test_several_omissions_are_all_perhaps() -> None:
    made = task(**{"with": {"start": "M9", "end": "N7"}, "answer": {"kind": "number", "from": "value.hindrance"}})
    verdict = judge(made, "0")
    assert len(verdict.omissions) > 1
    assert verdict.sentence.count("peut-être") >= 2


def test_an_answer_nothing_explains_names_the_rule_to_read_again() -> None:
    verdict = judge(task(), "41")
    assert verdict.omissions == ()
    assert "La règle qui tranche ici" in verdict.sentence
    assert "oubliée" not in verdict.sentence


def test_the_rule_to_read_again_is_the_one_that_the_exercise_is_there_for() -> None:
    flank = Task.of("sherman_leader", exercises("sherman_leader")["sl-04-de-flanc"])
    assert judge(flank, "97").rules == ("10.3",)  # not the last of the attack's own: the question is its flank


def test_an_unreadable_answer_is_not_a_verdict() -> None:
    with pytest.raises(AnswerError):
        judge(task(), "abc")


def test_the_exercise_may_name_what_is_easily_forgotten() -> None:
    assert candidates(task(omit=["10.3.3"])) == ["10.3.3"]
    assert judge(task(omit=["10.3.3"]), "0").omissions == ()


# -- variants -----------------------------------------------------------------------------------------------------


def test_a_variant_is_drawn_from_its_seed_and_unlike_the_last() -> None:
    made = task(
        vary=[
            {"path": "terrain.N7", "choices": ["brush", "orchard", "field", None]},
            {"argument": "start", "choices": ["M9", "M8"]},
        ]
    )
    again = made.variant(3)
    assert again.position == made.variant(3).position
    assert again.solution() != made.solution()
    assert again.well_posed()


def test_a_variant_keeps_what_it_must() -> None:
    made = task(
        vary=[{"path": "terrain.M8", "choices": ["woods", None, "brush"]}, {"path": "way.road.M8", "choices": [None]}],
        keep={"value": {"visible": True}},
    )
    assert all(made.variant(seed).result().value.visible for seed in range(8))


@pytest.mark.parametrize(("game_id", "one"), EVERY)
def test_exercises_are_well_posed_and_their_variants_too(game_id: str, one: Exercise) -> None:
    made = Task.of(game_id, one)
    assert made.well_posed()
    assert "{" not in made.question
    for seed in range(3):
        made = made.variant(seed)
        assert made.well_posed()
        assert made.question


@pytest.mark.parametrize(("game_id", "one"), EVERY)
def test_the_right_answer_is_right_and_a_wrong_one_is_not(game_id: str, one: Exercise) -> None:
    made = Task.of(game_id, one)
    solution = made.solution()
    given = {
        "number": lambda: str(solution) if solution != REFUSED else "refusé",
        "choice": lambda: solution,
        "hexes": lambda: tuple(solution),
        "order": lambda: solution,
    }
    assert judge(made, given[one.answer.kind]()).right
    if one.answer.kind == "number":
        wrong = judge(made, "987654")
        assert not wrong.right
        assert wrong.sentence.endswith(".")


def test_every_lesson_has_exercises_of_its_own() -> None:
    known = exercises(CC)
    for lesson in lessons(CC):
        assert all(known[i].lesson == lesson.id for i in lesson.exercise_ids)


def test_all_omissions_can_be_told() -> None:
    rulebook = game(CC)
    for rule, then in rulebook.omittable.items():
        assert rulebook.section(rule).title
        assert then.endswith(".")


@pytest.mark.parametrize("game_id", GAMES)
def test_odds_given_as_an_example_of_an_answer_are_not_the_answer(game_id: str) -> None:
    for one in exercises(game_id).values():
        if one.answer.unit == "%":
            written = Task.of(game_id, one)
            for task in [written, *(written.variant(seed) for seed in range(1, 6))]:
                odds = {number for number in numbers(f"{task.question} {task.hint}") if number.denominator > 1}
                assert task.solution() not in odds, one.id


@pytest.mark.parametrize("game_id", GAMES)
def test_units_are_written_in_the_plural(game_id: str) -> None:
    """A number under two takes their plural off by itself (« 1 hex », « 4 hexs »)."""
    units = {one.answer.unit for one in exercises(game_id).values()}
    assert not units & {"hex", "hexagone", "case", "perte", "point", "carte", "tour"}
