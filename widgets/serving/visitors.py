"""Who a visitor is: his address, as far as it can be believed, and a cookie of ours; what he has shown at the door."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, field, replace
from typing import Any

from jupyter_server.auth.identity import IdentityProvider, User
from tornado.httputil import HTTPServerRequest
from tornado.web import RequestHandler, create_signed_value, decode_signed_value

from widgets.serving.access import is_loopback
from widgets.serving.networks import Network, sender, subscriber

#: Cookies: who the browser is, and the classes and the teacher whose secrets it has shown.
WHO, SHOWN = "ldv_visiteur", "ldv_entree"
#: Name under which places are kept for teachers.
TEACHERS = "teacher"
#: Days for which a browser is known, and for which what it has shown is believed.
KNOWN_DAYS, SHOWN_DAYS = 31, 1
#: Classes that one browser may be in at once: the last ones count.
MOST_CLASSES = 4
READER = User("lecteur")


@dataclass(frozen=True)
class Visitor:
    """Whoever asks for a page.

    Args:
        address: stands for his address, see :func:`subscriber`.
        browser: name of his browser, from our cookie.
        known: whether the browser sent that cookie, so that it keeps it.
        here: whether he sits at this machine, which is his: he is counted, never limited.
        classes: codes of the open classes that he is in.
        teacher: whether he has shown a teacher's key.
    """

    address: str
    browser: str
    known: bool = False
    here: bool = False
    classes: tuple[str, ...] = ()
    teacher: bool = False

    @property
    def groups(self) -> tuple[str, ...]:
        """Names under which places may be kept for him."""
        return (*((TEACHERS,) if self.teacher else ()), *(class_group(code) for code in self.classes))


class Readers(IdentityProvider):  # type: ignore[misc]
    """Whom Jupyter sees in a visitor: nobody has an account here, so all are one, without the cookie of a login."""

    def get_user(self, handler: RequestHandler) -> User:
        """The one user there is."""
        return READER


def class_group(code: str) -> str:
    """Name under which places are kept for a class."""
    return f"class {code}"


@dataclass
class Visitors:
    """Recognizes visitors.

    Args:
        trusted: networks of the proxies whose word counts.
        public: whether the server has a public address; then nobody who comes through this machine is at it.
        secure: whether that address is https.
        secret: signs the cookies; a new one by default, so that a restart makes everyone new.
    """

    trusted: tuple[Network, ...] = ()
    public: bool = False
    secure: bool = False
    secret: str | bytes = field(default_factory=lambda: secrets.token_hex(32))

    def recognize(self, handler: RequestHandler) -> Visitor:
        """The visitor of a request; a new browser is given its cookie.

        Args:
            handler: of the request, not yet answered.
        """
        request = handler.request
        address = sender(request.remote_ip or "", request.headers, self.trusted)
        name = self._read(handler, WHO, KNOWN_DAYS)
        known = len(name) == 32 and name.isalnum()
        if not known:
            name = secrets.token_hex(16)
            self._give(handler, WHO, name, KNOWN_DAYS)
        here = not self.public and not self.trusted and is_loopback(address)
        visitor = Visitor(subscriber(address), name, known, here)
        shown = self._shown(handler)
        return replace(visitor, classes=tuple(shown["classes"]), teacher=shown["teacher"])

    def show(self, handler: RequestHandler, visitor: Visitor) -> None:
        """Have a browser remember what its visitor has shown at the door."""
        text = json.dumps({"classes": visitor.classes[-MOST_CLASSES:], "teacher": visitor.teacher})
        self._give(handler, SHOWN, text, SHOWN_DAYS)

    def _shown(self, handler: RequestHandler) -> dict[str, Any]:
        try:
            said = json.loads(self._read(handler, SHOWN, SHOWN_DAYS) or "{}")
        except ValueError:  # signed by us, so written by an earlier version
            said = {}
        codes = [str(code) for code in said.get("classes", ())]
        return {"classes": codes[-MOST_CLASSES:], "teacher": bool(said.get("teacher"))}

    def _read(self, handler: RequestHandler, name: str, days: int) -> str:
        value = handler.get_cookie(name)
        read = decode_signed_value(self.secret, name, value, max_age_days=days) if value else None
        return read.decode("utf-8", "replace") if read else ""

    def _give(self, handler: RequestHandler, name: str, value: str, days: int) -> None:
        signed = create_signed_value(self.secret, name, value)
        handler.set_cookie(
            name, signed.decode(), expires_days=days, path="/", httponly=True, samesite="Lax", secure=self.secure
        )


def opens_pages(request: HTTPServerRequest) -> bool:
    """Whether a request comes from what shows pages to people; a script gets no page to wait on."""
    return "text/html" in request.headers.get("Accept", "")
