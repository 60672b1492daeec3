"""What /metrics counts, and who may read it. No server is started."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from tornado.httputil import HTTPHeaders, HTTPServerRequest, RequestStartLine

from tests.own_loop import in_own_loop
from tutor.store.errors import Away, Refused
from tutor.store.who import Outcome
from widgets.serving import metrics as metrics_module
from widgets.serving.metrics import Metrics
from widgets.serving.metrics_page import FORWARDED, Readers, read_readers
from widgets.serving.options import BadOption


def values(metrics: Metrics) -> dict[str, float]:
    """Every number, by name and labels, as Prometheus reads them."""
    families = text_string_to_metric_families(metrics.text().decode())
    return {
        ",".join([sample.name, *sample.labels.values()]): sample.value
        for family in families
        for sample in family.samples
    }


# -- Counting ----------------------------------------------------------------------------------------------------------


def test_writes_are_counted_by_what_came_of_them() -> None:
    metrics = Metrics()

    async def play() -> None:
        loop = asyncio.get_running_loop()
        outcomes: list[tuple[str, Any]] = [
            ("attempt.add", Outcome({})),
            ("attempt.add", Outcome({})),
            ("class.answer", Outcome({})),
            ("class.answer", Outcome(refused=Refused("non"))),
            ("lesson.open", Outcome({})),
            ("attempt.add", Away("away")),
            ("attempt.add", None),
        ]
        for op, outcome in outcomes:
            writing: asyncio.Future[Outcome] = loop.create_future()
            metrics.follow(op, writing)
            if outcome is None:
                writing.cancel()
            elif isinstance(outcome, Exception):
                writing.set_exception(outcome)
            else:
                writing.set_result(outcome)
        await asyncio.sleep(0)

    in_own_loop(play())
    seen = values(metrics)
    assert (seen["ldv_answers_written_total,lecon"], seen["ldv_answers_written_total,classe"]) == (2, 1)
    assert [seen[f"ldv_writes_total,{outcome}"] for outcome in ("done", "refused", "away")] == [4, 1, 1]
    assert seen["ldv_write_seconds_count"] == 5


def test_outages_are_counted_once_and_last_until_they_end(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(metrics_module.time, "monotonic", lambda: now[0])
    metrics = Metrics()
    assert metrics.outage(True) == 0.0
    now[0] += 3
    assert metrics.outage(True) == 0.0
    assert (values(metrics)["ldv_outages_total"], values(metrics)["ldv_outage_seconds_total"]) == (1, 3)
    now[0] += 2
    assert metrics.outage(False) == 5.0
    now[0] += 60
    assert metrics.outage(False) == 0.0
    assert (values(metrics)["ldv_outages_total"], values(metrics)["ldv_outage_seconds_total"]) == (1, 5)


def test_what_stands_somewhere_is_read_when_it_is_asked_for() -> None:
    metrics, places, cut = Metrics(), [3], {"frame": 2}
    metrics.watch("ldv_places_taken", "Places prises.", lambda: places[0])
    metrics.watch_counts("ldv_lines_cut", "Lignes coupées.", "reason", lambda: cut)
    assert (values(metrics)["ldv_places_taken"], values(metrics)["ldv_lines_cut_total,frame"]) == (3, 2)
    places[0], cut["slow"] = 4, 1
    assert (values(metrics)["ldv_places_taken"], values(metrics)["ldv_lines_cut_total,slow"]) == (4, 1)


# -- Who may read ------------------------------------------------------------------------------------------------------


def request(peer: str, host: str = "127.0.0.1:8866", **headers: str) -> HTTPServerRequest:
    """A request for /metrics."""
    given = HTTPHeaders({"Host": host, **{name.replace("_", "-"): value for name, value in headers.items()}})

    class Connection:
        context = type("Context", (), {"remote_ip": peer, "protocol": "http"})()

    start = RequestStartLine("GET", "/metrics", "HTTP/1.1")
    return HTTPServerRequest(start_line=start, headers=given, connection=Connection())  # type: ignore[arg-type]


def test_by_default_only_the_machine_itself_reads_and_never_through_a_proxy() -> None:
    readers = read_readers("")
    assert readers.may(request("127.0.0.1"))
    assert readers.may(request("::1", "[::1]:8866"))
    assert readers.may(request("127.0.0.1", "localhost"))
    assert not readers.may(request("192.168.1.7"))
    assert not readers.may(request("127.0.0.1", "cours.exemple.fr"))  # a proxy that keeps the name
    assert not readers.may(request("127.0.0.1", Origin="http://127.0.0.1:8866"))  # a page, not a collector
    for header in FORWARDED:  # a proxy that does not
        assert not readers.may(request("127.0.0.1", **{header: "127.0.0.1"}))
    assert not readers.may(request("127.0.0.1", X_Forwarded_For="203.0.113.9, 127.0.0.1"))


def test_addresses_open_it_to_those_addresses_alone() -> None:
    readers = read_readers("10.0.0.7, 10.1.0.0/16 ,2001:db8::/32")
    for peer in ("10.0.0.7", "::ffff:10.0.0.7", "10.1.200.3", "2001:db8::5"):
        assert readers.may(request(peer, "10.0.0.1:8866")), peer
        assert not readers.may(request(peer, "10.0.0.1:8866", X_Real_Ip=peer)), peer
    for peer in ("10.0.0.8", "127.0.0.1", "2001:db9::5", "", "unix"):
        assert not readers.may(request(peer)), peer


def test_a_token_opens_it_from_anywhere(tmp_path: Path) -> None:
    (tmp_path / "jeton").write_text("un-jeton-assez-long\n", encoding="utf-8")
    readers = read_readers(f"jeton:{tmp_path / 'jeton'}")
    right = "Bearer un-jeton-assez-long"
    assert readers.may(request("203.0.113.9", "cours.exemple.fr", Authorization=right, X_Forwarded_For="1.2.3.4"))
    for wrong in ("", "Bearer ", "Bearer un-jeton-assez-lonG", "un-jeton-assez-long", "Bearer é"):
        assert not readers.may(request("127.0.0.1", Authorization=wrong)), wrong
    assert not readers.may(request("127.0.0.1"))


def test_it_can_be_closed() -> None:
    assert not read_readers("non").may(request("127.0.0.1"))
    assert read_readers(" ") == Readers()


@pytest.mark.parametrize("wrong", ["oui", "10.0.0.0/99", "10.0.0.1;10.0.0.2", "jeton:", "jeton:/absent", "jeton:court"])
def test_what_is_wrong_is_said_in_french(wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "court").write_text("court", encoding="utf-8")
    with pytest.raises(BadOption, match="LDV_METRICS"):
        read_readers(wrong)
