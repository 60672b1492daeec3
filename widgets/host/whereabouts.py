"""Where a reader was: the scene of the lesson that he read last, kept by his browser, and under his code by the server."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from tutor.course.links import Link

if TYPE_CHECKING:
    from widgets.host.page import Page

#: What the browser is given to forget what it keeps.
FORGET = "-"


@dataclass(frozen=True, slots=True)
class Place:
    """A scene of a lesson.

    Args:
        game: game id.
        lesson: its id.
        slug: of the lesson.
        scene: id of the scene, "" of the first.
        name: of the scene, for who reads.
        at: its place in the lesson, from 1.
        of: how many scenes the lesson has.
        when: seconds since 1970; 0 when unknown.
        stage: event of its replayed turn, with the decisions that lead there; "" of none.

    >>> Place("tcs", "tcs-01-altitude", "01-altitude", "fosse-si", "Et si…", 3, 8).url
    '/voila/render/tcs/01-altitude.ipynb?scene=fosse-si'
    """

    game: str
    lesson: str
    slug: str
    scene: str
    name: str
    at: int
    of: int
    when: float = 0.0
    stage: str = ""

    @property
    def url(self) -> str:
        """The address of the scene."""
        return Link("lesson", self.game, slug=self.slug, scene=self.scene, stage=self.stage).url

    @property
    def part(self) -> float:
        """How much of the lesson lies behind, from 0 to 1; the last scene is its end."""
        return min(1.0, max(0.0, (self.at - 1) / max(1, self.of - 1)))


def read(data: Any, when: float | None = None) -> Place | None:
    """A place as it was kept; None of anything else.

    Args:
        data: a mapping, or its JSON text.
        when: seconds since 1970; what the data say when None.

    >>> read('{"game": "tcs", "lesson": "x", "slug": "01-x", "scene": "", "name": "", "at": 1, "of": 2}').slug
    '01-x'
    >>> read("abîmé") is None, read({"game": 3}) is None, read('{"at": true}') is None
    (True, True, True)
    """
    if isinstance(data, str):
        try:
            data = json.loads(data or "{}")
        except ValueError:
            return None
    if not isinstance(data, Mapping):
        return None
    texts = [data.get(key) for key in ("game", "lesson", "slug", "scene", "name")]
    counts = [data.get(key) for key in ("at", "of")]
    if not all(isinstance(text, str) and len(text) <= 160 for text in texts):
        return None
    if not all(type(count) is int and 0 < count < 1000 for count in counts):
        return None
    known = data.get("when") if when is None else when
    given = float(known) if isinstance(known, (int, float)) and not isinstance(known, bool) else 0.0
    event = data.get("stage")
    stage = event if isinstance(event, str) and len(event) <= 40 else ""
    return Place(*map(str, texts), *counts, given, stage)  # type: ignore[call-arg]


def keep(page: Page, place: Place) -> None:
    """Have the browser remember where the reader is, and the server, once he has a code."""
    known = asdict(place) | {"when": time.time()}
    page.course.place = json.dumps(known, ensure_ascii=False)
    page.progress.placed(place.lesson, known)


def last(page: Page) -> Place | None:
    """Where the reader was last: what this browser remembers, or what the server keeps of another one, if it is newer."""
    places = [read(page.course.last)]
    places += [read(one.get("place"), float(one.get("changed") or 0)) for one in page.progress.lessons]
    return max((place for place in places if place), key=lambda place: place.when, default=None)
