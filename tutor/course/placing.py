"""Where in a course a reader should begin: at most eight questions, each chosen by the answers before."""

from __future__ import annotations

from itertools import pairwise

#: Most questions that are asked.
MOST = 8


class Placing:
    """A search over the lessons of a course, in their order: each counts as harder than those before.

    The border between what is known and what is not is halved; what questions are left look into the widest stretches
    that were taken as known without being asked.

    Args:
        count: how many lessons.

    >>> placing = Placing(19)
    >>> asked = []
    >>> while placing.next is not None:
    ...     asked.append(placing.next)
    ...     placing.answer(placing.next < 6)
    >>> asked, placing.start
    ([9, 4, 7, 6, 5, 1, 2, 0], 6)
    """

    def __init__(self, count: int) -> None:
        self.count = count
        #: Lesson, by its place from 0 -> whether its question was answered rightly.
        self.answers: dict[int, bool] = {}
        self._low, self._high = 0, count

    @property
    def next(self) -> int | None:
        """The lesson to ask about; None once the test is over."""
        if len(self.answers) >= MOST:
            return None
        if self._low < self._high:
            return (self._low + self._high) // 2
        return self._doubtful()

    def _doubtful(self) -> int | None:
        """The middle of the widest stretch that is taken as known; None when a gap was met, or nothing is left."""
        if self.gaps:
            return None
        asked = [-1, *sorted(at for at in self.answers if at < self._low), self._low]
        width, start = max(((after - before - 1, -before) for before, after in pairwise(asked)))
        return -start + (width + 1) // 2 if width else None

    def answer(self, right: bool) -> None:
        """Take the answer to the question asked now.

        Args:
            right: whether it was.
        """
        at = self.next
        if at is None:
            return
        self.answers[at] = right
        if self._low < self._high:
            if right:
                self._low = at + 1
            else:
                self._high = at

    @property
    def gaps(self) -> list[int]:
        """Lessons below the border that were asked about and missed."""
        return [at for at, right in sorted(self.answers.items()) if not right and at < self._low]

    @property
    def start(self) -> int:
        """The lesson to begin with: the first that is not known; ``count`` when all are."""
        return min([*self.gaps, self._low])

    @property
    def known(self) -> list[int]:
        """The lessons that may be skipped."""
        return [at for at in range(self._low) if at not in self.gaps]
