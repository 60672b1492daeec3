"""Measures and how they are shown: a time on this machine now, and its ratio to a reference of the same session."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from math import floor, log10
from time import process_time
from typing import Any

NBSP = "\u00a0"


@dataclass(frozen=True, slots=True)
class Measure:
    """One line of results.

    Args:
        label: French, what was measured.
        value: how much.
        unit: ``ms``, ``Mio``, …
        reference: value of the reference in the same unit and session, if there is one.
        against: French, what the reference is.
        target: value not to exceed, if there is one.
    """

    label: str
    value: float
    unit: str = "ms"
    reference: float | None = None
    against: str = ""
    target: float | None = None

    @property
    def ratio(self) -> float | None:
        """Value over reference."""
        return self.value / self.reference if self.reference else None

    def line(self) -> str:
        """The measure as one French line."""
        parts = [f"{self.label:<58}{amount(self.value, self.unit):>12}"]
        if self.ratio is not None:
            parts.append(f"× {figure(self.ratio)} ({self.against} : {amount(self.reference or 0, self.unit)})")
        if self.target is not None:
            kept = "tenu" if self.value <= self.target else "dépassé"
            parts.append(f"objectif {amount(self.target, self.unit)} : {kept}")
        return "  ".join(parts).replace(" :", f"{NBSP}:").replace("× ", f"×{NBSP}")

    def plain(self) -> dict[str, Any]:
        """The measure as data."""
        return {**asdict(self), "ratio": self.ratio}


def figure(value: float) -> str:
    """Three significant figures, French.

    >>> figure(0.01234), figure(3.14159), figure(12), figure(1234.5)
    ('0,0123', '3,14', '12,0', '1234')
    """
    digits = max(0, 2 - floor(log10(value))) if value > 0 else 0
    return f"{value:.{digits}f}".replace(".", ",")


def amount(value: float, unit: str) -> str:
    """A value and its unit.

    >>> amount(2.5, "ms").replace(NBSP, " ")
    '2,50 ms'
    """
    return f"{figure(value)}{NBSP}{unit}"


def milliseconds(task: Callable[[], object], *, times: int = 5, before: Callable[[], object] | None = None) -> float:
    """Processor time of a task, in milliseconds: the best of several, which other work on the machine disturbed least.

    Args:
        task: what is timed.
        times: how often.
        before: done before each, untimed.
    """
    best = float("inf")
    for _ in range(times):
        if before:
            before()
        start = process_time()
        task()
        best = min(best, process_time() - start)
    return best * 1000


def show(title: str, measures: Iterable[Measure]) -> list[Measure]:
    """Print measures as they come."""
    print(f"\n{title}\n{'-' * len(title)}")
    shown = []
    for measure in measures:
        print(measure.line(), flush=True)
        shown.append(measure)
    return shown
