"""Whether every answer says why: what ``ldv check --why`` counts, and the floors it may not fall below again."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from tests.asked import posed
from tutor import cli
from tutor.core.registry import GAMES, ask, load_position
from tutor.core.trace import Step
from tutor.course import check, why
from tutor.course.causes import Asked, cause
from tutor.course.figures import says
from tutor.course.headlines import asked_for
from tutor.course.models import Choice, Prediction
from tutor.course.why import Posed, Report, Share, answers

#: Per cent of decisive rules cited, decisive rules whose effect is said, wrong choices with a cause, headlines that
#: answer, questions with three answers or more, taught sections with a reason.
FLOORS = {
    "combat_commander": (100.0, 99.9, 100.0, 100.0, 100.0, 100.0),
    "asl_sk": (100.0, 100.0, 100.0, 100.0, 100.0, 100.0),
    "tcs": (100.0, 100.0, 100.0, 100.0, 100.0, 100.0),
    "sherman_leader": (100.0, 100.0, 100.0, 100.0, 100.0, 100.0),
    "heroes_of_normandie": (100.0, 100.0, 100.0, 100.0, 100.0, 100.0),
}


@cache
def reported(game_id: str) -> Report:
    """What is counted of a game, once for all tests."""
    return why.report(game_id)


@pytest.mark.parametrize("game_id", GAMES)
def test_what_is_measured_can_only_rise(game_id: str) -> None:
    measured = dict(reported(game_id).rows())
    low = [
        f"{name} : {share.percent:.2f} % (plancher {floor} %)"
        for (name, share), floor in zip(measured.items(), FLOORS[game_id], strict=True)
        if share.percent < floor
    ]
    assert not low
    assert all(share.all for share in measured.values())


@pytest.mark.parametrize("game_id", GAMES)
def test_exceptions_are_few_true_and_none_in_a_lesson(game_id: str) -> None:
    excused = why.exceptions(game_id)
    silent = {(one.where, rule): one.source for one in why.posed(game_id) for rule in one.mute} if excused else {}
    asked = len(posed(game_id))
    assert all(key in silent for key in excused), "une exception ne tait plus rien : ôtez-la"
    assert all(reason.strip() for reason in excused.values())
    assert not [key for key in excused if silent[key] == "leçon"]
    assert len(excused) * 100 <= asked


def hindered() -> Posed:
    return Posed("essai", "cas", load_position("combat_commander", "livret-ldv"), "los", {"start": "M9", "end": "N6"})


def test_a_rule_that_decides_unsaid_is_named() -> None:
    asked = hindered()
    assert asked.decisive
    assert not asked.silent
    muted = asked.result.trace
    muted.children = [Step("10", step.code, step.kind) for step in muted.children]
    assert asked.silent == asked.decisive


def test_a_rule_that_is_cited_without_saying_what_it_did_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    decisive = hindered().decisive
    assert decisive
    assert not hindered().mute
    monkeypatch.setattr(why, "otherwise", lambda result, *_: dict.fromkeys(decisive, result))
    asked = hindered()
    assert not asked.silent
    assert asked.mute == decisive


def test_a_share_counts_what_is_not_good() -> None:
    share = Share()
    assert share.percent == 100
    share.count(True, "bon")
    share.count(False, "mauvais")
    assert (share.percent, share.offenders) == (50, ["mauvais"])


def test_a_headline_must_say_the_number_or_the_place_that_the_choices_differ_by() -> None:
    choices = [Choice(label=label, when={}) for label in ("7 : Ganz est avec eux", "6, sans le Chef")]
    wanted = asked_for(choices, choices[0].label)
    assert says("La PF est de 7.", wanted)
    assert not says("Ganz ajoute 1.", wanted)
    places = [Choice(label=label, when={}) for label in ("Oui, en C2", "Oui, en C4", "Non")]
    assert says("Le Char passe par C2.", asked_for(places, places[0].label))
    assert not says("Le Char passe.", asked_for(places, places[0].label))
    assert not asked_for(places, places[2].label)


def test_a_number_asked_for_is_said_with_its_sign_or_as_the_loss_that_the_sentence_comes_to() -> None:
    loss = frozenset({Fraction(-2)})
    assert says("Décalages : −2 en tout.", loss)
    assert not says("P-Target de défense sous 2 : elle n’abrite personne.", loss)
    assert says("Fumigènes en A3 : gêne de 2.", loss, [Fraction(2)])


def test_the_fixed_words_of_a_sentence_are_no_answer() -> None:
    """« Un dé de défense » says nothing of a 1 that is asked for."""
    one = next(one for one in posed("sherman_leader") if one.where == "sl-03-attaque, besoin")
    assert one.prediction
    choices, right = one.prediction.choices, "6"
    assert answers(one, choices, right, one.prediction.because)
    other = [choice.model_copy(update={"label": "1"}) if choice.label == right else choice for choice in choices]
    assert not answers(one, other, "1", one.prediction.because)


def test_a_wrong_choice_is_what_the_content_says_of_it_else_the_omission_that_gives_it() -> None:
    asked = hindered()
    right = asked.result.value.hindrance
    choices = [
        Choice(label="Gênée", when={"value": {"visible": True, "hindrance": right}}),
        Choice(label="Libre", when={"value": {"visible": True, "hindrance": 0}}),
        Choice(label="Gênée deux fois", when={"value": {"hindrance": 2 * right}}, because_not="Une fois, en M8."),
        Choice(label="Trois fois", when={"value": {"hindrance": 3 * right}}),
    ]
    of = [cause(Asked(asked.result, asked.position, choices), choice.label) for choice in choices]
    assert ("10.3",) in of[1].omissions
    assert "[[10.3]]" in of[1].sentence
    assert of[2].sentence == "Une fois, en M8."
    assert not of[3]
    written = choices[1].model_copy(update={"because_not": "Quelque chose gêne, en M8."})
    said = cause(Asked(asked.result, asked.position, [choices[0], written, *choices[2:]]), "Libre")
    assert (said.sentence, said.omissions) == ("Quelque chose gêne, en M8.", of[1].omissions)


def test_ldv_check_why_prints_the_numbers_and_lists_offenders(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", "--why", "--list", "--game", "heroes_of_normandie"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "heroes_of_normandie"
    assert sum("%  " in line for line in lines) == 6
    shares = reported("heroes_of_normandie").rows()
    assert sum(line.lstrip().startswith("- ") for line in lines) == sum(len(share.offenders) for _, share in shares)


def test_the_list_alone_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", "--list"]) == 1
    assert "--why" in capsys.readouterr().err


def test_a_written_cause_cites_a_rule_or_a_place_and_never_stands_on_the_right_choice() -> None:
    bare = Choice(label="Oui", when={}, because_not="Relisez bien.")
    cited = Choice(label="Non", when={}, because_not="Le bois de J8 bloque.")
    assert list(check.cause_faults([bare])) == ["« Oui » : « because_not » cite une règle ([[10.2]]) ou un lieu."]
    assert not list(check.cause_faults([cited]))
    right = {"label": "Bloquée", "when": {"value": {"visible": False}}, "because_not": "Par J8."}
    asked = Prediction(text="Voit-on ?", choices=[right, {"label": "Libre", "when": {"value": {"visible": True}}}])
    place = load_position("combat_commander", "livret-ldv")
    faults = list(check.answer_faults(asked, ask(place, "los", start="J9", end="K6")))
    assert faults == ["« Bloquée » est juste : ôtez « because_not »."]


def test_a_reason_is_short_and_ours() -> None:
    assert not list(check.reason_faults("rester groupé fait de vous une cible."))
    assert not list(check.reason_faults("tenir la hauteur, c’est voir par-dessus."))
    assert list(check.reason_faults("sans point"))
    assert list(check.reason_faults("l’auteur voulait que l’on avance."))
    assert list(check.reason_faults("x" * 240 + "."))
