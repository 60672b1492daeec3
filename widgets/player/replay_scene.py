"""A replayed turn as a scene of a lesson: its events one after another on the lesson's board, its track under it."""

from __future__ import annotations

from collections.abc import Sequence

import ipywidgets as ipw

from tutor.core.phrases import NBSP
from widgets.host.prose import box, html
from widgets.player.ending import Asked
from widgets.player.replay import ReplayPlayer
from widgets.player.scene import Mark, together
from widgets.player.timeline import track


class ReplayScene:
    """A turn that is replayed.

    Args:
        player: of the turn.
    """

    def __init__(self, player: ReplayPlayer) -> None:
        self.id, self.player = player.content.id, player
        self._track = html("", "ldv-track-place")
        #: What stands under the board.
        self.under: Sequence[ipw.Widget] = (box(player.keys, player.play, self._track, row=True, css="ldv-track-row"),)

    @property
    def begun(self) -> bool:
        """Whether an event stands before the one on screen."""
        return self.player.turn.number > 1

    @property
    def name(self) -> str:
        """Where the reader is in the turn."""
        turn = self.player.turn
        return f"{turn.step.turn}{NBSP}: étape {turn.number} sur {turn.total}"

    def enter(self) -> None:
        """Take the board."""
        self.player.enter()

    def leave(self) -> None:
        """Give the board to another scene."""
        self.player.leave()

    @property
    def widgets(self) -> Sequence[ipw.Widget]:
        """What is asked of the event on screen; once it is answered, what came of it."""
        self._track.value = track(self.player.turn.events(), self.player.address)
        return self.player.parts

    @property
    def mark(self) -> Mark:
        """How its events were answered, all together."""
        marks: dict[str, Mark] = {"asked": "ahead", "missed": "ahead", "shown": "half", "right": "done"}
        turn = self.player.turn
        return together([marks[event.standing] for event in turn.events() if turn.asks(event.number)])

    @property
    def answered(self) -> bool:
        """Whether the event on screen is, if it asks anything."""
        return not self.player.turn.waits

    def advance(self, by: int = 1) -> bool:
        """Go to the next event, or the one before (-1); False at the ends of the turn."""
        inside = 1 <= self.player.turn.number + by <= self.player.turn.total
        if inside:
            self.player.go(self.player.turn.number + by)
        return inside

    @property
    def asked(self) -> Sequence[Asked]:
        """Its decisions and questions, as the turn is decided now; what a link or « Lire » decided is not answered."""
        turn, asked = self.player.turn, []
        for event in turn.events():
            if text := event.step.decision or event.step.question:
                missed = turn.missed(event.number)
                state = "asked" if event.standing == "shown" and not missed else event.standing
                asked.append(Asked(f"{event.step.title}{NBSP}: {text.text}", state, missed))
        return asked
