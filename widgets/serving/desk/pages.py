"""Addresses that the desk answers itself: short links."""

from __future__ import annotations

from tornado.web import HTTPError, RequestHandler

from tutor.store.errors import Away, Refused
from tutor.store.who import Who
from widgets.serving.desk.desk import Desk
from widgets.serving.desk.limits import Bucket

#: Short links opened by everyone together: at once, then a second. A class opens one forty times.
OPENINGS = Bucket(200, 40.0)


class ShortLinkHandler(RequestHandler):
    """`/l/<code>`: leads to what a short link stands for."""

    async def get(self, code: str) -> None:
        """Redirect to the page of this site that the link names."""
        desk: Desk = self.settings["ldv_desk"]
        if OPENINGS.take():
            raise HTTPError(429)
        try:
            link = await desk.librarian.read("link.get", Who(), {"code": code})
        except (Refused, Away) as error:
            self.set_status(503 if isinstance(error, Away) else 404)
            self.set_header("Content-Type", "text/plain; charset=UTF-8")
            self.finish(f"{error.sentence}\n")
            return
        desk.own_write("link.used", {"code": code})
        self.set_header("Cache-Control", "no-store")
        self.redirect(link["target"])

    head = get
