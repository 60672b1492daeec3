"""What a form of the editor changes leaves its controls in place: a reader's focus, and what he types next, are theirs."""

from __future__ import annotations

from typing import Any

import ipywidgets as ipw
import pytest

from tests.screen import behind, click, controls, named
from tests.unit.test_editor_forms import CC
from tutor.core.registry import load_position
from widgets.editor.draft import Draft
from widgets.editor.page import Editor
from widgets.editor.teacher_lesson import Part, Plan
from widgets.host.page import Page


def standing(widget: Any) -> list[Any]:
    """Every widget on screen, in order."""
    return list(controls(widget))


def test_a_change_of_a_piece_keeps_its_form() -> None:
    made = Editor(Page(), CC, Draft(load_position(CC, "pions")))
    made.step = "pieces"
    carried = next(p for p in made.bench.position.pieces if p.carrier)
    made.pieces.chosen = carried.id
    made.pieces.refresh()
    form = made.pieces.form.children[1]
    before = standing(form)
    named(form, "Nom").value = "Autre nom"
    named(form, "Porté par").value = ""
    named(form, "Moral").value = "9"
    assert standing(form) == before
    piece = made.bench.position.by_id[carried.id]
    assert (piece.name, piece.carrier, piece.front["morale"]) == ("Autre nom", None, 9)
    assert named(form, "Endroit").value == piece.at
    made.bench.undo()
    assert standing(form) == before
    assert named(form, "Moral").value == ""


def test_the_printed_counter_and_the_carriers_follow_what_the_form_says() -> None:
    made = Editor(Page(), CC, Draft(load_position(CC, "livret-tir")))
    made.step = "pieces"
    piece = next(p for p in made.bench.position.pieces if p.counter and not p.carrier)
    made.pieces.chosen = piece.id
    made.pieces.refresh()
    form, offered = (
        made.pieces.form.children[1],
        lambda: [key for _, key in named(made.pieces.form.children[1], "Porté par").options],
    )
    counter, was = named(form, "Pion imprimé"), offered()
    morale = named(form, "Moral")
    printed = morale.placeholder
    counter.value = ""
    assert (counter.layout.display, printed, morale.placeholder) == (None, printed, "")
    counter.value = piece.counter
    assert morale.placeholder == printed != ""
    named(form, "Camp").value = {"axis": "allies", "allies": "axis"}[piece.side]
    assert offered() != was


def test_what_is_told_late_of_a_piece_is_told_of_that_piece() -> None:
    made = Editor(Page(), CC, Draft(load_position(CC, "livret-tir")))
    made.step = "pieces"
    first, other = made.bench.position.pieces[:2]
    made.pieces.chosen = first.id
    made.pieces.refresh()
    name = named(made.pieces.form.children[1], "Nom")
    made.pieces.chosen = other.id
    made.pieces.refresh()
    name.value = "Tardif"
    assert [made.bench.position.by_id[i].name for i in (first.id, other.id)] == ["Tardif", other.name]


def test_a_circumstance_changes_in_its_place() -> None:
    made = Editor(Page(), CC, Draft(load_position(CC, "plateau-livret")))
    made.step = "circumstances"
    form = made.circumstances.form
    before = standing(form)
    named(form, "Camp qui défend").value = "axis"
    named(form, "Camp qui défend").value = None
    named(form, "Case de Mort Soudaine").value = "7"
    folded = next(one for one in before if "Pions Objectif ouverts" in "".join(getattr(one, "titles", ())))
    folded.selected_index = 0
    folded.children[0].children[0].value = True
    assert standing(form) == before
    assert folded.selected_index == 0, "what is open stays open"
    assert folded.titles == ("Pions Objectif ouverts\u00a0: A",)
    add = named(form, "Ajouter")
    add.click()
    assert named(form, "Ajouter") is add
    assert all(one in standing(form) for one in before)


@pytest.mark.parametrize(
    ("name", "label", "value"),
    [
        ("fire", "Sorte de tir", "op_fire"),
        ("fire", "Cible", "M6"),
        ("move", "Trajet", "K8"),
        ("attack", "Jet de Tir", "3 4"),
    ],
)
def test_an_argument_changes_in_its_place(name: str, label: str, value: str) -> None:
    made = Editor(Page(), CC, Draft(load_position(CC, "livret-tir")))
    made.step = "question"
    named(made.question.form, "À calculer").value = name
    form = behind(made.question.form, behind(made.question.form, named(made.question.form, label)))
    before = standing(form)
    named(form, label).value = value
    assert standing(form) == before
    click(made.board, "K7")
    assert standing(form) == before


def test_the_arguments_that_the_reader_may_change_stay_where_they_are() -> None:
    made = Editor(Page(), CC, Draft(load_position(CC, "livret-tir")))
    made.step = "question"
    named(made.question.form, "À calculer").value = "fire"
    tick = next(
        one for one in controls(made.question.form) if isinstance(one, ipw.Checkbox) and one.description == "Cible"
    )
    free = behind(made.question.form, tick)
    before = standing(free)
    tick.value = False
    assert standing(free) == before
    assert made.bench.asked is not None
    assert "target" not in made.bench.asked.free


def test_the_parts_of_a_lesson_keep_their_rows_and_their_form() -> None:
    made = Editor(Page(), CC)
    made.step = "lesson"
    panel = made.lesson
    panel.take(Plan("Voir", parts=(Part("situation", "Un."), Part("rule", "Deux."), Part("remember", "Trois."))))
    every = behind(panel.widget, behind(panel.widget, named(panel.widget, "Modifier")))
    named(every.children[1], "Modifier").click()
    title = named(panel.widget, "Titre")
    part = behind(panel.widget, title)
    rows, form = standing(every), standing(part)
    title.value = "La règle"
    named(every.children[1], "▼").click()
    assert [part.kind for part in panel.plan.parts] == ["situation", "remember", "rule"]
    assert (standing(every), standing(part)) == (rows, form)
    assert "Partie 3" in part.children[0].value
    named(every.children[1], "▼").click()  # another part passes the one that is open
    title.value = "La règle, encore"
    assert panel.plan.parts[1].title == "La règle, encore"
    named(every.children[0], "✕").click()
    assert "Partie 1" in part.children[0].value
    assert part.children[1].value == "La règle, encore"


def test_the_settings_of_the_reader_keep_their_rows() -> None:
    made = Editor(Page(), CC, Draft(load_position(CC, "pions")))
    made.step = "tweaks"
    for cell in ("D3", "E3"):
        click(made.board, cell)
        made.tweaks.add()
    gone = named(made.tweaks.form, "Retirer")
    row = standing(behind(made.tweaks.form, gone))
    click(made.board, "D4")
    made.tweaks.add()
    assert named(made.tweaks.form, "Retirer") is gone
    assert standing(behind(made.tweaks.form, gone)) == row
