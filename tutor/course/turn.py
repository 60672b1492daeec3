"""A reader in a replayed turn: where he is, what he has answered, and the way ahead, which each decision draws again.

The way is always whole: what he has decided, then what is played for who does not decide. So any event can be looked
at; one that asks him something shows nothing of its result before he has answered it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tutor.core.position import Position
from tutor.course.replay import Move, Replay, ReplayStep, Run

#: How far the reader is with an event: not answered, missed once, its answer shown, answered right.
Standing = Literal["asked", "missed", "shown", "right"]
#: Wrong choices after which the answer shows.
TRIES = 2


@dataclass(frozen=True, slots=True)
class Event:
    """An event of the turn, as its track shows it.

    Args:
        number: from 1.
        step: the step.
        place: that a link to it names.
        standing: how far the reader is with it; « right » of one that asks nothing, once seen.
        here: whether it is on screen.
    """

    number: int
    step: ReplayStep
    place: str
    standing: Standing
    here: bool


class Turn:
    """A replayed turn as one reader goes about it.

    Args:
        game_id: game.
        content: the replay.

    Raises:
        ContentError: the starting position cannot be read, or the rules refuse every option of a step.

    >>> from tutor.course.replay import replay
    >>> turn = Turn("combat_commander", replay("combat_commander", "le-hameau"))
    >>> turn.decide("separes").refused, turn.standing(1), turn.waits
    (True, 'missed', True)
    >>> turn.decide("seule").refused, turn.standing(1), turn.place
    (False, 'right', '1-b')
    """

    def __init__(self, game_id: str, content: Replay) -> None:
        self.start = Run.of(game_id, content)
        #: The turn from its beginning to its end: decided by the reader, or for him.
        self.whole = self.start.finish()
        #: Number of the event on screen, from 1.
        self.number = 1
        #: What the rules refused of the event on screen, until something else is tried.
        self.refused: Move | None = None
        self._missed: dict[str, list[str]] = {}
        self._wrong: set[str] = set()
        self._why: dict[str, Move] = {}
        self._settled: dict[str, Standing] = {}
        self._seen: set[str] = {self.key(1)}
        #: Whether the reader is about it: before that, a link tells where to begin.
        self.begun = False

    # -- where ----------------------------------------------------------------------------------------------------

    @property
    def total(self) -> int:
        """How many events the turn has, as it is decided now."""
        return len(self.whole.moves)

    @property
    def step(self) -> ReplayStep:
        """The step on screen."""
        return self.whole.moves[self.number - 1].step

    @property
    def before(self) -> Position:
        """The situation that the event on screen begins with."""
        return self.whole.moves[self.number - 1].before

    @property
    def move(self) -> Move | None:
        """What came of the event on screen; None as long as the reader has to answer it."""
        return None if self.waits else self.whole.moves[self.number - 1]

    @property
    def run(self) -> Run:
        """What is played: all that comes before the first event that the reader has not answered."""
        first = next((number for number in range(1, self.total + 1) if self.open(number)), self.total + 1)
        return self.whole.back(first - 1)

    def key(self, number: int) -> str:
        """Names an event on the way that leads to it, its own decision apart.

        Args:
            number: from 1 to the last of the turn.
        """
        return self.whole.back(number - 1).place(number)

    @property
    def place(self) -> str:
        """Where the reader is, for a link: its own decision with it once it is made."""
        return self._place(self.number)

    def _place(self, number: int) -> str:
        return self.key(number) if self.open(number) else self.whole.place(number)

    def go(self, number: int) -> None:
        """Look at an event; those outside the turn mean the nearest."""
        self.number = min(max(1, number), self.total)
        self.refused = None
        self._seen.add(self.key(self.number))

    def at(self, place: str) -> None:
        """Look at the event that a link names. One of the way, once the reader is about it, is only looked at; else the
        decisions that the link tells are made, and count as shown.

        Args:
            place: as :attr:`place` writes it.

        Raises:
            ContentError: it cannot be read, or leads where the rules do not.
        """
        run, number = self.start.at(place)
        ours = number <= self.total and place in (self.key(number), self._place(number))
        if not (ours and self.begun):
            if not ours:
                self.whole = run.finish()
            decided = [at for at, move in enumerate(run.moves, 1) if move.option]
            for at in decided[: len(place.partition("-")[2])]:
                self._settled.setdefault(self.key(at), "shown")
        self.begun = True
        self.go(number)

    # -- what is asked --------------------------------------------------------------------------------------------

    def asks(self, number: int) -> bool:
        """Whether an event asks the reader something."""
        step = self.whole.moves[number - 1].step
        return step.decision is not None or step.question is not None

    def open(self, number: int) -> bool:
        """Whether an event asks something that the reader has not answered yet."""
        return self.asks(number) and self.key(number) not in self._settled

    @property
    def waits(self) -> bool:
        """Whether the reader has to answer the event on screen."""
        return self.open(self.number)

    def standing(self, number: int) -> Standing:
        """How far the reader is with an event."""
        key = self.key(number)
        if not self.asks(number):
            return "right" if key in self._seen else "asked"
        return self._settled.get(key) or ("missed" if self._missed.get(key) else "asked")

    def missed(self, number: int) -> bool:
        """Whether the reader was wrong at an event once at least."""
        return self.key(number) in self._wrong or bool(self._missed.get(self.key(number)))

    @property
    def tried(self) -> tuple[str, ...]:
        """What was tried of the decision on screen and refused, while it was asked."""
        return tuple(self._missed.get(self.key(self.number), ()))

    @property
    def why(self) -> Move | None:
        """What the rules refused last of the decision on screen."""
        return self._why.get(self.key(self.number))

    @property
    def ended(self) -> bool:
        """Whether the last event is on screen, and answered."""
        return self.number == self.total and not self.waits

    def decide(self, option: str) -> Move:
        """Try an option of the decision on screen. What the rules refuse changes nothing; after two of them the first
        option that they allow is played.

        Args:
            option: its id.

        Returns:
            What came of it, refused or not.
        """
        self.begun = True
        key, before = self.key(self.number), self.whole.back(self.number - 1)
        move = before.try_out(option)
        self.refused = move if move.refused else None
        if not move.refused:
            if move.option != self.whole.moves[self.number - 1].option:
                self.whole = before.then(move).finish()
            self._settled.setdefault(key, "right")
            return move
        self._why[key] = move
        if self.waits:
            missed = self._missed.setdefault(key, [])
            if option not in missed:
                missed.append(option)
            if len(missed) >= TRIES:
                self.settle("shown")
                self.refused = None
        return move

    def settle(self, standing: Standing, *, missed: bool = False) -> None:
        """The event on screen is answered.

        Args:
            standing: « right » or « shown ».
            missed: whether the reader was wrong at its question.
        """
        if standing in ("right", "shown"):
            self._settled[self.key(self.number)] = standing
        if missed:
            self._wrong.add(self.key(self.number))

    def recall(self, kept: Callable[[str], tuple[Standing, Sequence[int]]]) -> None:
        """The turn is as it was left on an earlier visit, but for what is decided or tried already.

        Args:
            kept: of an event, by its key: how far the reader was, and the places of the choices that he pressed.
        """
        number = 1
        while number <= self.total:
            standing, places = kept(self.key(number))
            if standing != "asked" and self.asks(number) and not self._missed.get(self.key(number)):
                self._recall(number, standing, places)
            number += 1

    def _recall(self, number: int, standing: Standing, places: Sequence[int]) -> None:
        key, before, now = self.key(number), self.whole.back(number - 1), self.whole.moves[number - 1]
        options = now.step.decision.options if now.step.decision else []
        tried = [before.try_out(options[place].id) for place in places if place < len(options)]
        refused = [move.option.id for move in tried if move.refused and move.option]
        made = next((move for move in tried if not move.refused), now)
        if key in self._settled and made.option != now.option:
            return  # the link that the reader followed decided otherwise
        if made.option != now.option:
            self.whole = before.then(made).finish()
        if refused:
            self._missed[key] = refused
        if now.step.question and (standing == "shown" or len(places) > 1):
            self._wrong.add(key)
        if standing != "missed":
            self._settled[key] = standing

    # -- the track ------------------------------------------------------------------------------------------------

    def events(self) -> Iterator[Event]:
        """The events of the turn as it is decided now."""
        for number, move in enumerate(self.whole.moves, 1):
            yield Event(number, move.step, self._place(number), self.standing(number), number == self.number)
