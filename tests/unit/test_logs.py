"""What a log line says, and what it never says."""

from __future__ import annotations

import io
import logging
import re
import sys
import threading
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application, RequestHandler

from tests.own_loop import in_own_loop
from widgets.serving import logs

MARK = "MOT-D-UN-LECTEUR"
LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (DÉTAIL|INFO|ALERTE|ERREUR|FATAL) [\w.]+ .+ \([^ ]+:\d+\).*")


@pytest.fixture
def said() -> Iterator[io.StringIO]:
    """What the whole process logs, as the server sets it up; put back afterwards."""
    root, others = logging.getLogger(), logging.getLogger("autres_tests")
    kept = (list(root.handlers), root.level, sys.excepthook, threading.excepthook, logging.getLogger("ldv").level)
    others.propagate = False
    others.addHandler(logging.StreamHandler(sys.stderr))
    out = io.StringIO()
    logs.set_up(others, out)
    yield out
    root.handlers[:], level, sys.excepthook, threading.excepthook, ldv = kept
    root.setLevel(level)
    logging.getLogger("ldv").setLevel(ldv)
    logging.captureWarnings(False)


def lines(out: io.StringIO) -> list[str]:
    """Every line, each of the one form and without the mark."""
    written = out.getvalue().splitlines()
    for line in written:
        assert LINE.fullmatch(line), line
        assert MARK not in line, line
    return written


def fail(text: str = MARK) -> None:
    """Raise an error that says what a reader wrote."""
    try:
        int(text)
    except ValueError as error:
        raise KeyError(text) from error


def test_our_own_events_are_whole_and_errors_say_where_only(said: io.StringIO) -> None:
    try:
        fail()
    except KeyError as error:
        logging.getLogger("ldv.desk").exception("a request failed")
        logging.getLogger("ldv.desk").info("after %d tries: %s", 3, error)
    failed, info = lines(said)
    assert " ERREUR ldv.desk a request failed (tests/unit/test_logs.py:" in failed
    assert re.search(r"KeyError < ValueError : tests/unit/test_logs.py:\d+ > tests/unit/test_logs.py:\d+$", failed)
    assert " INFO ldv.desk after 3 tries: KeyError (" in info


def test_others_say_the_form_of_their_messages_alone(said: io.StringIO) -> None:
    others = logging.getLogger("autres_tests")  # keeps to itself until it is set up, as Jupyter's does
    others.error("kernel of %s died", MARK)
    others.error(f"{MARK} wrote this")
    others.error(ValueError(MARK))
    logging.getLogger("tornado.application").error("Uncaught %s\n%r", MARK, {"uri": MARK})
    kernel, written, error, uncaught = lines(said)
    assert "kernel of %s died" in kernel
    assert logs.HIDDEN in written
    assert logs.HIDDEN in error
    assert "Uncaught %s %r" in uncaught


def test_what_nobody_expected_goes_the_same_way(said: io.StringIO) -> None:
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    try:
        fail()
    except KeyError as error:
        sys.excepthook(type(error), error, error.__traceback__)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn(MARK, stacklevel=1)
    in_thread, at_top, warned = lines(said)
    assert "KeyError < ValueError" in in_thread
    assert "KeyError < ValueError" in at_top
    assert " ALERTE py.warnings " in warned


def test_a_kernel_writes_as_the_server_does() -> None:
    own, root = logging.getLogger("noyau_tests"), logging.getLogger()
    before = list(root.handlers)
    out = io.StringIO()
    own.propagate = False
    own.addHandler(logging.StreamHandler(out))
    try:
        logs.set_up_kernel(own)
        for log in (own, logging.getLogger("ligne_de_vue")):
            try:
                fail()
            except KeyError:
                log.exception("error in a callback")
        for _ in range(1_000):  # what a page that has left still said
            logging.getLogger("Comm").warning("No such comm: %s", MARK)
    finally:
        root.handlers[:] = before
        own.handlers.clear()
    first, second, *unknown = lines(out)
    assert len(unknown) == logs.MOST_REPEATS
    assert all(" ALERTE Comm No such comm: %s (" in line for line in unknown)
    assert "error in a callback" not in first  # another's, without arguments: it could be anything
    assert " ERREUR ligne_de_vue error in a callback (" in second


class Failing(RequestHandler):
    """A page whose handler stumbles over what was asked."""

    def get(self, name: str) -> None:
        """Fail with the visitor's words."""
        fail(name)


class Fine(RequestHandler):
    """A page."""

    def get(self) -> None:
        """Answer."""
        self.finish("oui")


def ask(every: bool) -> list[int]:
    """Ask both pages, with the mark wherever a visitor can put it; their statuses."""

    async def play() -> list[int]:
        function = logs.log_every_request if every else logs.log_request
        application = Application([(r"/juste", Fine), (r"/(.*)", Failing)], log_function=function)
        sock, port = bind_unused_port()
        server = HTTPServer(application)
        server.add_socket(sock)
        codes = []
        for path in (f"/juste?code={MARK}", f"/{MARK}?reponse={MARK}", f"/é{MARK}"):
            headers = {"Cookie": f"a={MARK}", "Referer": f"http://x/?{MARK}", "User-Agent": MARK}
            asked = HTTPRequest(f"http://127.0.0.1:{port}{path}".replace("é", "%C3%A9"), headers=headers)
            codes.append((await AsyncHTTPClient().fetch(asked, raise_error=False)).code)
        server.stop()
        await server.close_all_connections()
        return codes

    return in_own_loop(play())


@pytest.mark.parametrize("every", [False, True])
def test_a_request_that_fails_says_what_kind_of_page_and_where(said: io.StringIO, every: bool) -> None:
    assert ask(every) == [200, 500, 500]
    written = lines(said)
    requests = [line for line in written if " ldv.requests " in line]
    assert len([line for line in requests if " GET Failing 500 " in line]) == 2
    assert len([line for line in requests if " GET Fine 200 " in line]) == int(every)
    assert len([line for line in written if " tornado.application " in line and "KeyError" in line]) == 2


def test_a_method_that_a_visitor_made_up_is_not_written() -> None:
    class Asked:
        request: Any = type("Request", (), {"method": MARK, "request_time": staticmethod(lambda: 0.0)})()

        def get_status(self) -> int:
            return 500

    assert MARK not in logs._request(Asked(), 500)
