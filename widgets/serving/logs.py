"""The log: one line for each event, that says when, how grave, where in the program and what kind of thing, never who.

What a reader wrote (a name, an answer, a code, an address with its query) reaches a log by three ways: the arguments of
somebody else's message, the text of an exception, the line of a request. None of them is written. Standard library
only: kernels use it.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
import traceback
from collections import Counter
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

#: First parts of the names of our own loggers: what we say there is written by us.
OURS = ("ldv", "ligne_de_vue")
LEVELS = {10: "DÉTAIL", 20: "INFO", 30: "ALERTE", 40: "ERREUR", 50: "FATAL"}
HIDDEN = "(texte non montré)"
#: Folder below which places are named in short: ours, else the packages'.
ROOT = Path(__file__).resolve().parents[2]
#: Places of a trace that are named, the last ones: where it happened.
MOST_PLACES, LONGEST = 8, 2_000
#: How often a kernel says the same thing of somebody else's program: a page may cause it as often as it likes.
MOST_REPEATS = 10
POLLED = ("HealthHandler", "ReadyHandler", "MetricsHandler")


def place(file: str, line: int | None) -> str:
    """Where in the program, in short.

    >>> place("/usr/lib/python3/site-packages/tornado/web.py", 12)
    'tornado/web.py:12'
    """
    path = Path(file)
    parts = path.parts
    if "site-packages" in parts:
        short = "/".join(parts[parts.index("site-packages") + 1 :])
    elif path.is_relative_to(ROOT):
        short = path.relative_to(ROOT).as_posix()
    else:
        short = path.name
    return f"{short}:{line}"


def fault(error: BaseException, trace: TracebackType | None) -> str:
    """What kind of error, and where: never what it says, which may be a reader's words.

    >>> fault(ValueError("le mot d’un lecteur"), None)
    'ValueError'
    """
    named = [type(error).__name__]
    cause = error.__cause__ or error.__context__
    while cause is not None and len(named) < 4:
        named.append(type(cause).__name__)
        cause = cause.__cause__ or cause.__context__
    places = [place(frame.filename, frame.lineno) for frame in traceback.extract_tb(trace)[-MOST_PLACES:]]
    return " < ".join(named) + (f" : {' > '.join(places)}" if places else "")


class Line(logging.Formatter):
    """Instant (UTC), level, logger, event, place; then the error, if there is one.

    >>> record = logging.LogRecord("tornado.general", 40, __file__, 7, "%s asked", ("un lecteur",), None)
    >>> Line().format(record).split(" ", 1)[1]
    'ERREUR tornado.general %s asked (widgets/serving/logs.py:7)'
    """

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        now = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        level = LEVELS.get(record.levelno, record.levelname)
        said = f"{now}.{int(record.msecs):03}Z {level} {record.name} {_event(record)}"
        said += f" ({place(record.pathname, record.lineno)})"
        if record.exc_info and record.exc_info[1] is not None:
            said += f" {fault(record.exc_info[1], record.exc_info[2])}"
        return " ".join(said.split())[:LONGEST]


class Seldom(logging.Filter):
    """Lets others' messages of one place through a few times, then no more; ours always.

    >>> seldom, again = Seldom(), logging.LogRecord("Comm", 30, __file__, 7, "No such comm: %s", ("x",), None)
    >>> sum(seldom.filter(again) for _ in range(1_000)) == MOST_REPEATS
    True
    """

    def __init__(self) -> None:
        """Nothing was said yet."""
        super().__init__()
        self._times: Counter[tuple[str, int]] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether this one is written."""
        if record.name.split(".")[0] in OURS:
            return True
        self._times[record.pathname, record.lineno] += 1
        return self._times[record.pathname, record.lineno] <= MOST_REPEATS


def _event(record: logging.LogRecord) -> str:
    """Our own messages, whole; of others' the form alone, and nothing where they have put everything into it."""
    if record.name.split(".")[0] in OURS:
        given = record.args if isinstance(record.args, tuple) else ()
        plain = tuple(type(one).__name__ if isinstance(one, BaseException) else one for one in given)
        try:
            return str(record.msg) % plain if plain else str(record.msg)
        except (TypeError, ValueError):
            return str(record.msg)
    return record.msg if record.args and isinstance(record.msg, str) else HIDDEN


def set_up(others: logging.Logger, stream: TextIO | None = None) -> None:
    """Have everything that this process logs go one way.

    Args:
        others: Jupyter's own logger, which keeps to itself.
        stream: where to; standard error by default.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(Line())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger(OURS[0]).setLevel(logging.INFO)
    others.handlers.clear()
    others.propagate = True
    others.setLevel(logging.ERROR)
    logging.captureWarnings(True)
    log = logging.getLogger("ldv")

    def uncaught(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
        if error is not None and not isinstance(error, KeyboardInterrupt | SystemExit):
            log.error("une erreur que rien n’attendait", exc_info=(kind, error, trace))

    sys.excepthook = uncaught
    threading.excepthook = lambda args: uncaught(args.exc_type, args.exc_value, args.exc_traceback)


def set_up_kernel(log: logging.Logger) -> None:
    """Have a kernel write as the server does, where the server does; the page gets nothing of it.

    Args:
        log: the kernel application's own logger, whose handlers reach the server's standard error.
    """
    for handler in log.handlers:
        handler.setFormatter(Line())
        handler.addFilter(Seldom())
        if not log.propagate:
            logging.getLogger().addHandler(handler)


def log_request(handler: Any) -> None:
    """Log a request that the server could not answer: which kind of page, never its address.

    Args:
        handler: tornado's, once it has answered.
    """
    status = handler.get_status()
    if status >= 500 and status != 503:
        logging.getLogger("ldv.requests").error(_request(handler, status))


def log_every_request(handler: Any) -> None:
    """Log each request: method, kind of page, status, milliseconds. No address, of the visitor's or of the page's.

    What machines ask every few seconds (`/sante`, `/metrics`) is left out while it goes well.

    Args:
        handler: tornado's, once it has answered.
    """
    status = handler.get_status()
    if status >= 400 or type(handler).__name__ not in POLLED:
        logging.getLogger("ldv.requests").info(_request(handler, status))


def _request(handler: Any, status: int) -> str:
    method = handler.request.method
    known = method if method in ("GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH") else "?"
    return f"{known} {type(handler).__name__} {status} {1_000 * handler.request.request_time():.0f} ms"
