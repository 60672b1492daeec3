"""Errors in callbacks reach the reader, in French: in Voilà an exception in a callback shows nothing by itself."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from html import escape
from typing import ParamSpec, TypeVar

from tutor.core.errors import TutorError
from tutor.core.typography import typography

P = ParamSpec("P")
R = TypeVar("R")
log = logging.getLogger("ligne_de_vue")

UNEXPECTED = (
    "Une erreur inattendue s’est produite\u00a0; rien n’est perdu. Vous pouvez continuer, ou recharger la page "
    "si le plateau ne répond plus."
)

_sinks: list[Callable[[str], None]] = []


def on_error(show: Callable[[str], None]) -> Callable[[], None]:
    """Name what shows errors on the page, beside what does already.

    Args:
        show: called with the French sentence, or an empty text to clear it.

    Returns:
        What ends it.
    """
    _sinks.append(show)
    return lambda: _sinks.remove(show) if show in _sinks else None


def report(sentence: str) -> None:
    """Show a sentence in the alert region of the page, set in French typography (an empty one clears it)."""
    said = typography(sentence)
    for show in tuple(_sinks):
        show(said)


def failure(sentence: str, title: str = "", role: str = "alert") -> str:
    """What stands, as HTML, where a part of a page could not be made.

    Args:
        sentence: why, and what to do.
        title: what failed, in bold before it.
        role: of ARIA.

    >>> failure("Voici les autres.", "Cet exemple manque.")
    '<div class="ldv-failure" role="alert"><p><strong>Cet exemple manque.</strong> Voici les autres.</p></div>'
    """
    before = f"<strong>{escape(title)}</strong> " if title else ""
    return f'<div class="ldv-failure" role="{role}"><p>{before}{escape(typography(sentence))}</p></div>'


def guarded(function: Callable[P, R]) -> Callable[P, R | None]:
    """Wrap a callback: errors meant for the reader are shown, others logged and announced; the page goes on working.

    >>> shown = []
    >>> end = on_error(shown.append)
    >>> @guarded
    ... def callback(): raise TutorError("Cet hex n’existe pas.", remedy="Choisissez-en un autre.")
    >>> callback()
    >>> shown[-1]
    'Cet hex n’existe pas. Choisissez-en un autre.'
    >>> end()
    """

    @functools.wraps(function)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R | None:
        try:
            return function(*args, **kwargs)
        except TutorError as error:
            report(error.sentence)
        except Exception:
            log.exception("error in a callback")
            report(UNEXPECTED)
        return None

    return wrapper
