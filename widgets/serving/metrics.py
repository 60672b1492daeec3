"""What the server counts, for Prometheus: how full it is, what it writes, what it refused, when it could not.

Numbers only: nothing says who. Whoever counts calls a method or adds to a counter; what stands somewhere already is
read there when it is asked for (`watch`, `watch_counts`).
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

#: Operations of the store that give an answer, with what it is given to.
ANSWERS = {"attempt.add": "lecon", "class.answer": "classe"}
#: Bounds in seconds of the time between a write that is asked and its confirmation.
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class _Read:
    """A metric that is read where it stands."""

    def __init__(self, collect: Callable[[], Any]) -> None:
        self._collect = collect

    def collect(self) -> Iterator[Any]:
        """What prometheus_client asks for."""
        yield self._collect()


class Metrics:
    """Everything that one server counts. Its counters may be added to from any thread."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.kernels_started = self._counter("ldv_kernels_started", "Noyaux démarrés, préparés d’avance compris.")
        self.kernels_ended = self._counter("ldv_kernels_ended", "Noyaux finis.")
        self.places_refused = self._counter("ldv_places_refused", "Lecteurs renvoyés faute de place.")
        self.answers = self._counter("ldv_answers_written", "Réponses gardées, confirmées après écriture.", "where")
        self.writes = self._counter("ldv_writes", "Écritures demandées, par issue.", "outcome")
        self.write_seconds = Histogram(
            "ldv_write_seconds",
            "Temps entre une écriture demandée et sa confirmation.",
            registry=self.registry,
            buckets=SECONDS,
        )
        for where in ANSWERS.values():
            self.answers.labels(where)
        for outcome in ("done", "refused", "away"):
            self.writes.labels(outcome)
        self._outages, self._lost, self._since = 0, 0.0, 0.0
        self._lock = threading.Lock()
        self._register(
            lambda: CounterMetricFamily(
                "ldv_outages", "Fois où la base n’a plus répondu ou plus gardé.", value=self._outages
            )
        )
        self._register(
            lambda: CounterMetricFamily(
                "ldv_outage_seconds", "Secondes sans base, celle qui dure comprise.", value=self.outage_seconds()
            )
        )

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(name, text, labels, registry=self.registry)

    def _register(self, collect: Callable[[], Any]) -> None:
        self.registry.register(_Read(collect))  # type: ignore[arg-type]

    # -- what others read and say ---------------------------------------------------------------------------------

    def watch(self, name: str, text: str, read: Callable[[], float]) -> None:
        """Show a number that stands somewhere.

        Args:
            name: of the metric, `ldv_…`.
            text: what it is, in French.
            read: gives it; called in the server's loop.
        """
        self._register(lambda: GaugeMetricFamily(name, text, value=read()))

    def watch_counts(self, name: str, text: str, label: str, read: Callable[[], Mapping[str, float]]) -> None:
        """Show counts that only grow and stand somewhere, by a few words of ours.

        Args:
            name: of the metric, `ldv_…`, without `_total`.
            text: what is counted, in French.
            label: what the words are.
            read: gives the counts by word; called in the server's loop.
        """

        def collect() -> Any:
            family = CounterMetricFamily(name, text, labels=[label])
            for word, count in sorted(read().items()):
                family.add_metric([word], count)
            return family

        self._register(collect)

    def follow(self, op: str, writing: asyncio.Future[Any]) -> None:
        """Measure a write from now to its outcome.

        Args:
            op: operation of the store.
            writing: the outcome to come.
        """
        began = time.monotonic()

        def count(done: asyncio.Future[Any]) -> None:
            if done.cancelled():
                return
            if done.exception() is not None:
                self.writes.labels("away").inc()
                return
            refused = done.result().refused is not None
            self.write_seconds.observe(time.monotonic() - began)
            self.writes.labels("refused" if refused else "done").inc()
            if op in ANSWERS and not refused:
                self.answers.labels(ANSWERS[op]).inc()

        writing.add_done_callback(count)

    def outage(self, away: bool) -> float:
        """The database is away from now on, or back. Saying it twice changes nothing.

        Args:
            away: which of the two.

        Returns:
            Seconds that it was away, once it is back; else 0.
        """
        with self._lock:
            now = time.monotonic()
            if away and not self._since:
                self._outages, self._since = self._outages + 1, now
            elif not away and self._since:
                lasted, self._since = now - self._since, 0.0
                self._lost += lasted
                return lasted
        return 0.0

    def outage_seconds(self) -> float:
        """Seconds without the database, those of an outage that still lasts included."""
        with self._lock:
            return self._lost + (time.monotonic() - self._since if self._since else 0.0)

    def text(self) -> bytes:
        """Everything, in Prometheus's own format."""
        return generate_latest(self.registry)
