"""Places of the house: who has one, how many are kept for whom, which are taken back because nobody sat down."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field

from widgets.serving.desk.limits import Bucket, Clock
from widgets.serving.limits import Limits
from widgets.serving.visitors import TEACHERS, Visitor

#: Seconds after which the place of a page that shows no sign of life goes to somebody who waits for one.
YIELDS = 8.0
#: Seconds for which the signs of life of a loading page count; it gives one every three.
LONGEST_LOADING = 180.0
#: Browsers and addresses whose openings are remembered.
MOST_REMEMBERED = 4_096
COMMON = ""


@dataclass(eq=False)
class Place:
    """One place.

    Args:
        visitor: whose it is.
        group: for whom it was kept; "" when it is anyone's.
        path: of the notebook.
        kernel: id, once there is one.
        sent: when the page was sent whole; None before.
        alive: last sign of life of a page that was sent and is not connected yet.
        opened: whether the page has connected to its kernel, once at least.
    """

    visitor: Visitor
    group: str = COMMON
    path: str = ""
    kernel: str = ""
    sent: float | None = None
    alive: float = 0.0
    opened: bool = False


#: The place for which a kernel is about to start, in the task of the request that has it.
TAKEN: ContextVar[Place | None] = ContextVar("ldv_place", default=None)


class TooMany(Exception):
    """A visitor who has what he may have.

    Args:
        title: of the page that says so; text: what to do; retry: seconds after which to try again.
    """

    def __init__(self, title: str, text: str, retry: float) -> None:
        super().__init__(title)
        self.title, self.text, self.retry = title, text, max(1, round(retry))


class Openings:
    """How often each may open a page.

    Args:
        minute: pages a minute; as many may come at once.
        clock: seconds, monotonic.
    """

    def __init__(self, minute: int, clock: Clock) -> None:
        self.minute, self.clock = minute, clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, name: str) -> Bucket:
        """The bucket of a browser or an address."""
        bucket = self._buckets.setdefault(name, Bucket(self.minute, self.minute / 60, clock=self.clock))
        self._buckets.move_to_end(name)
        while len(self._buckets) > MOST_REMEMBERED:
            self._buckets.popitem(last=False)
        return bucket


@dataclass
class Places:
    """All the places.

    Args:
        limits: what the house allows.
        clock: seconds, monotonic.
        changed: called when a place may have become free.
    """

    limits: Limits
    clock: Clock = time.monotonic
    changed: Callable[[], object] = lambda: None
    taken: set[Place] = field(default_factory=set)
    kept: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._browsers = Openings(self.limits.visitor_openings, self.clock)
        self._addresses = Openings(self.limits.address_openings, self.clock)

    # -- taking ---------------------------------------------------------------------------------------------------

    def admit(self, visitor: Visitor) -> None:
        """Count one more opening by a visitor, when he may.

        Raises:
            TooMany: when he has opened too much, or has too many pages open.
        """
        if visitor.here:
            return
        limits, mine = self.limits, sum(place.visitor.browser == visitor.browser for place in self.taken)
        if mine >= limits.visitor_places:
            raise TooMany(
                f"Vous avez déjà {mine} page{'s' if mine > 1 else ''} ouverte{'s' if mine > 1 else ''}",
                "C’est ce que ce serveur donne à un lecteur. Fermez un de vos onglets, puis réessayez\u202f: "
                "sa place se libère aussitôt.",
                10,
            )
        theirs = sum(place.group == COMMON and place.visitor.address == visitor.address for place in self.taken)
        kept = any(self._free(group, visitor) > 0 for group in visitor.groups)
        if theirs >= limits.address_places and not kept:
            raise TooMany(
                "Trop de pages sont ouvertes depuis votre réseau",
                f"Ce serveur en donne {theirs} à une même adresse. Fermez-en une, puis réessayez\u202f; si vous venez "
                "avec une classe, entrez son code\u202f: ses places vous sont gardées.",
                30,
            )
        buckets = [self._browsers.of(visitor.browser)]
        if not kept:
            buckets.append(self._addresses.of(visitor.address))
        if rest := max(bucket.wait() for bucket in buckets):
            seconds = max(1, round(rest))
            raise TooMany(
                "Vous ouvrez des pages trop vite",
                f"Attendez {seconds}\u00a0seconde{'s' if seconds > 1 else ''}, puis réessayez.",
                rest,
            )
        for bucket in buckets:
            bucket.take()

    def take(self, visitor: Visitor, path: str = "") -> Place | None:
        """A place for a visitor: kept for him, or anyone's; None when there is none for him now."""
        for group in (*visitor.groups, COMMON):
            if self._free(group, visitor) > 0:
                place = Place(visitor, group, path)
                self.taken.add(place)
                return place
        return None

    def free(self, visitor: Visitor) -> int:
        """How many places there are for a visitor now."""
        return max(self._free(group, visitor) for group in (*visitor.groups, COMMON))

    def _free(self, group: str, visitor: Visitor) -> int:
        """Places of a group that are free: what is left once what is kept for the others is set aside."""
        by_group = Counter(place.group for place in self.taken)
        mine = {group, TEACHERS} if visitor.here else {group}  # this machine is his who sits at it
        aside = sum(max(0, count - by_group[name]) for name, count in self.kept.items() if name not in mine)
        left = self.limits.places - len(self.taken) - aside
        return left if group == COMMON else min(left, self.kept.get(group, 0) - by_group[group])

    def keep(self, group: str, count: int) -> None:
        """Keep so many places for a group; 0 keeps none any more."""
        self.kept.pop(group, None)
        if count > 0:
            self.kept[group] = count
        self.changed()

    def regroup(self, kernel: str, visitor: Visitor) -> None:
        """Count the page of a kernel as his who has just shown what he may."""
        place = self.of(kernel)
        if place is None or place.visitor.browser != visitor.browser:
            return
        place.visitor = visitor
        if place.group == COMMON:
            place.group = next((group for group in visitor.groups if self._free(group, visitor) > 0), COMMON)
        self.changed()

    # -- from the page's request to its end -----------------------------------------------------------------------

    def of(self, kernel: str) -> Place | None:
        """The place of a kernel."""
        return next((place for place in self.taken if kernel and place.kernel == kernel), None)

    def sent(self, place: Place) -> None:
        """The page of a place was sent whole: it should come to life."""
        place.sent = place.alive = self.clock()

    def sign(self, kernel: str) -> None:
        """A page that still loads says that it is there."""
        place = self.of(kernel)
        if place is not None and place.sent is not None and self.clock() - place.sent < LONGEST_LOADING:
            place.alive = self.clock()

    def opened(self, kernel: str) -> None:
        """A page has connected to its kernel."""
        place = self.of(kernel)
        if place is not None:
            place.opened = True

    def leave(self, place: Place) -> None:
        """Give a place back."""
        if place in self.taken:
            self.taken.discard(place)
            self.changed()

    def left(self, kernel: str) -> None:
        """A kernel has ended."""
        place = self.of(kernel)
        if place is not None:
            self.leave(place)

    def unused(self, wanted: int = 0) -> Iterator[Place]:
        """Places whose page never came to life, the oldest first: those overdue, and as many as are waited for.

        Args:
            wanted: readers who wait for a place.
        """
        now = self.clock()
        silent = [place for place in self.taken if place.sent is not None and not place.opened]
        for place in sorted(silent, key=lambda place: place.alive):
            age = now - place.alive
            if age >= self.limits.unopened or (wanted > 0 and age >= YIELDS):
                wanted -= 1
                yield place
