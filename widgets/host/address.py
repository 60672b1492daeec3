"""How learners come in: the address they can reach, its QR code,
and what to do when only this computer can reach it.
"""

from __future__ import annotations

import os
from html import escape
from urllib.parse import urlsplit

from tutor.core.phrases import NBSP
from tutor.course.links import Link

ADDRESS = "LDV_ADDRESS"


def public_address(origin: str) -> str:
    """Address of this server for others, with its closing slash: what the server was told, else this browser's own.

    Args:
        origin: the server's, as the page that asks has it.
    """
    return os.environ.get(ADDRESS) or f"{origin}/"


def join_address(code: str, origin: str) -> str:
    """What learners open to join a session.

    Args:
        code: of the session.
        origin: the server's, as the page that asks has it.

    >>> join_address("K7PM2Q", "http://127.0.0.1:8866").endswith("/?classe=K7PM2Q")
    True
    """
    return public_address(origin).rstrip("/") + Link(classroom=code).url


def only_here(address: str) -> bool:
    """Whether an address leads to the computer that opens it, so that no learner can.

    >>> only_here("http://127.0.0.1:8866/"), only_here("http://192.168.1.20:8866/"), only_here("http://[::1]:8866/")
    (True, False, True)
    """
    host = urlsplit(address).hostname or ""
    return host in ("localhost", "::1", "") or host.startswith("127.")


def qr_svg(text: str) -> str:
    """The QR code of a text, as SVG; black on white in both themes, as scanners want it."""
    import segno

    drawn = segno.make(text, error="m").svg_inline(scale=4, border=3, light="white", omitsize=True)
    return f'<span role="img" aria-label="Code QR de l’adresse">{drawn}</span>'


def entrance(code: str, origin: str, people: int = 0) -> str:
    """Code, QR code and address of a session, as HTML.

    Args:
        code: of the session.
        origin: the server's, as the page that asks has it.
        people: how many have joined.
    """
    address, shown = join_address(code, origin), public_address(origin).partition("://")[2].rstrip("/")
    here = f"{people} participant{'s' if people > 1 else ''}" if people else "Personne encore"
    closed = (
        '<div class="ldv-onlyhere"><p><strong>Cette adresse n’ouvre que sur cet ordinateur.</strong> Pour l’ouvrir à '
        "la "
        f"classe, relancez le serveur ainsi{NBSP}: <code>HOST=0.0.0.0 make run</code> (ou <code>--public-url</code> "
        "derrière un mandataire), puis revenez ici.</p></div>"
    )
    return (
        f'<div class="ldv-entrance">{qr_svg(address)}<div><p class="ldv-address">Ouvrez '
        f"<strong>{escape(shown)}</strong> "
        f'et entrez le code</p><p class="ldv-bigcode">{escape(code)}</p><p class="ldv-address"><small>{here} · '
        f"{escape(address)}</small></p></div></div>{closed if only_here(public_address(origin)) else ''}"
    )
