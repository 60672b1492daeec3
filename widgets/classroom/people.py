"""Who is in a session, as the teacher sees it: lists as HTML, everything that others typed escaped."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from tutor.core.phrases import NBSP
from tutor.course.prose import rule_number
from tutor.course.shown import answer_text, place_name, stuck_name


def people_list(people: Iterable[Mapping[str, Any]], now: float | None = None) -> str:
    """Who is in, where, stuck on what, and what each answered; those who are stuck come first.

    Args:
        people: participants, as the desk sends them.
        now: seconds since 1970, to say how long one has been stuck.

    >>> row = {"nickname": "<b>Zoé</b>", "online": True, "where": {}, "stuck": "", "stuck_since": None, "answer": None}
    >>> "&lt;b&gt;Zoé" in people_list([row]), "<b>Zoé" in people_list([row])
    (True, False)
    """
    ordered = sorted(people, key=lambda one: (not one["stuck"], not one["online"], str(one["nickname"]).casefold()))
    if not ordered:
        return '<p class="ldv-empty">Personne n’est encore entré.</p>'
    rows = "".join(_row(one, time.time() if now is None else now) for one in ordered)
    return f'<ul class="ldv-people">{rows}</ul>'


def _row(one: Mapping[str, Any], now: float) -> str:
    where = escape(place_name(one["where"]) if one["online"] else "parti")
    stuck = escape(stuck_name(str(one["stuck"]), one["where"]))
    if stuck and one.get("stuck_since"):
        minutes = int((now - float(one["stuck_since"])) // 60)
        stuck += f" ({minutes}{NBSP}min)" if minutes else ""
    sign = f'<span class="ldv-stuck">⚑ {stuck}</span>' if stuck else ""
    parts = [part for part in (f"<small>{where}</small>" if where else "", sign, _answer(one["answer"])) if part]
    online = str(bool(one["online"])).lower()
    return f'<li data-online="{online}"><b>{escape(str(one["nickname"]))}</b> {" · ".join(parts)}</li>'


def _answer(given: Mapping[str, Any] | None) -> str:
    if given is None:
        return ""
    sign, css = {True: ("✓", "ldv-yes"), False: ("✕", "ldv-no")}.get(given["ok"], ("", ""))
    tries = f" ({given['tries']}{NBSP}essais)" if given.get("tries", 1) > 1 else ""
    return f'<span class="{css}">{sign} {escape(answer_text(given["answer"]))}</span>{tries}'


def missed_list(people: Iterable[Mapping[str, Any]]) -> str:
    """The rules that wrong answers to the current question call for, most frequent first, as one sentence of HTML."""
    counts: dict[str, int] = {}
    for one in people:
        for rule in (one["answer"] or {}).get("missed") or ():
            counts[rule] = counts.get(rule, 0) + 1
    if not counts:
        return ""
    named = ", ".join(
        f"{escape(rule_number(rule))} ({n})" for rule, n in sorted(counts.items(), key=lambda item: -item[1])[:4]
    )
    return f"<p><small>Règles à relire{NBSP}: {named}</small></p>"


def answered_line(state: Mapping[str, Any]) -> str:
    """How many have answered, and whether answers are open."""
    people, answered = int(state.get("people") or 0), int(state.get("answered") or 0)
    closed = " · réponses fermées" if state.get("locked") else ""
    shown = " · réponse montrée" if state.get("revealed") else ""
    return f"{answered} réponse{'s' if answered > 1 else ''} sur {people}{closed}{shown}"
