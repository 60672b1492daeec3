"""The track of a replayed turn: its turns, their phases, their events, each a link; the one on screen is marked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from itertools import groupby

from tutor.core.phrases import NBSP
from tutor.course.turn import Event, Standing

_HEX = "M8 1.5h12l6 10.5-6 10.5H8L2 12z"
_MARKS: dict[Standing, tuple[str, str]] = {
    "asked": ("ahead", "à venir"),
    "missed": ("ahead", "à reprendre"),
    "shown": ("half", "montrée"),
    "right": ("done", "faite"),
}


def track(events: Iterable[Event], url: Callable[[str], str]) -> str:
    """The track as HTML.

    Args:
        events: of the turn, in order.
        url: address of a place.
    """
    every = list(events)
    sides = list(dict.fromkeys(event.step.who for event in every))
    turns = []
    for name, during in groupby(every, key=lambda event: event.step.turn):
        phases = "".join(
            _phase(phase, list(within), sides, url)
            for phase, within in groupby(during, key=lambda event: event.step.phase or event.step.title)
        )
        turns.append(f'<li class="ldv-track-turn"><b>{escape(name)}</b><ol>{phases}</ol></li>')
    return f'<nav class="ldv-track" aria-label="Étapes du tour"><ol>{"".join(turns)}</ol></nav>'


def _phase(name: str, events: list[Event], sides: list[str], url: Callable[[str], str]) -> str:
    here = ' aria-current="true"' if any(event.here for event in events) else ""
    links = "".join(_link(event, sides.index(event.step.who) + 1, url) for event in events)
    return f'<li class="ldv-track-phase"{here}><span>{links}</span><small>{escape(name)}</small></li>'


def _link(event: Event, side: int, url: Callable[[str], str]) -> str:
    mark, words = _MARKS[event.standing]
    name = escape(f"{event.number}. {event.step.title}{NBSP}: {words}", quote=True)
    here = ' aria-current="step"' if event.here else ""
    return (
        f'<a href="{escape(url(event.place), quote=True)}" data-ldv-within data-mark="{mark}" data-player="{side}"{here} '
        f'title="{name}" aria-label="{name}"><svg viewBox="0 0 28 24" width="28" height="24" aria-hidden="true">'
        f'<path d="{_HEX}"/></svg><i aria-hidden="true">{event.number}</i></a>'
    )
