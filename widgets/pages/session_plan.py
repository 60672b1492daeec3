"""« Une séance de 45 minutes »: a plan for a teacher, to read beside the class and to print."""

from __future__ import annotations

from html import escape

import ipywidgets as ipw

from tutor.core.phrases import NBSP
from tutor.core.registry import GAMES
from tutor.course.lessons import exercises
from tutor.course.links import Link, read_query
from tutor.course.session_plan import LENGTH, PlanStep, SessionPlan, session_plan
from widgets.board.errors import guarded
from widgets.host.page import Page
from widgets.host.prose import Writer, box, html
from widgets.pages.opening import opened


def plan_html(game_id: str, plan: SessionPlan) -> str:
    """A plan as HTML.

    Args:
        game_id: whose plan it is.
        plan: the plan.
    """
    writer = Writer(game_id)
    teach = escape(Link("teacher").url, quote=True)
    steps = "".join(
        _step_html(game_id, writer, step, start) for step, start in zip(plan.steps, plan.starts(), strict=True)
    )
    return (
        f'<div class="ldv-plan"><h2>{escape(plan.title)}</h2>'
        f"<p><strong>À la fin, vos élèves savent{NBSP}:</strong> {writer.inline(plan.aim)}</p>"
        f"<p><strong>Avant{NBSP}:</strong> {writer.inline(plan.prepare)} "
        f'<a href="{teach}">Ouvrir une séance</a></p><ol class="ldv-plan-steps">{steps}</ol></div>'
    )


def _step_html(game_id: str, writer: Writer, step: PlanStep, start: int) -> str:
    sent = ""
    if step.exercise:
        title = escape(exercises(game_id)[step.exercise].title)
        sent = f"<p>À envoyer{NBSP}: «{NBSP}Un exercice{NBSP}», <strong>{title}</strong>.</p>"
    asked = f"<p><strong>Demandez{NBSP}:</strong> {writer.inline(step.ask)}</p>" if step.ask else ""
    awaited = f"<p><strong>Attendez-vous à{NBSP}:</strong> {writer.inline(step.expect)}</p>" if step.expect else ""
    scene = escape(step.link(game_id).url, quote=True)
    label = f"Ouvrir la scène de l’étape «{NBSP}{step.title}{NBSP}»"
    return (
        f"<li><h3>{start}–{start + step.minutes}{NBSP}min · {escape(step.title)}</h3><p>{writer.inline(step.do)}</p>"
        f'{sent}{asked}{awaited}<p><a href="{scene}" aria-label="{escape(label, quote=True)}">Ouvrir la scène</a></p></li>'
    )


class PlanPage:
    """The page: a rulebook, its plan."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._plans = {game_id: plan for game_id in GAMES if (plan := session_plan(game_id))}
        self._game = ipw.ToggleButtons(
            options=[(GAMES.facts(game_id).short or GAMES[game_id], game_id) for game_id in self._plans]
        )
        self._game.add_class("ldv-tabs")
        self._text = html("")
        self.widget = box(
            html(f"<p>Une séance de {LENGTH}{NBSP}minutes pour une classe, minute par minute.</p>"),
            self._game,
            self._text,
            *self.page.unseen,
            css="ldv-part",
        )
        self._game.observe(guarded(lambda _: self._show()), "value")
        self._show()
        self.page.course.on_query(self._asked)

    def _show(self) -> None:
        self._text.value = plan_html(self._game.value, self._plans[self._game.value])

    def _asked(self) -> None:
        """What the link asks for: a rulebook (``jeu``)."""
        asked = read_query(self.page.course.query)
        if asked.game in self._plans:
            self._game.value = asked.game


def plan() -> ipw.Widget:
    """The page."""
    return opened(lambda page: PlanPage(page).widget)
