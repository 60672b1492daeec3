"""Addresses of the door: a ticket's turn, a page that still loads, a code or a key that is shown."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import replace
from typing import Any

from jupyter_server.auth.decorator import allow_unauthenticated
from tornado.web import RequestHandler
from voila.handler import BaseVoilaHandler

from tutor.store.codes import KEY_LENGTH
from widgets.serving.door import Door, Turned, spelled
from widgets.serving.handlers import FrenchErrors

#: Seconds for which a question about a ticket is held when there is nothing new.
HOLD = 2.0


class TicketHandler(RequestHandler):
    """`/attente/<ticket>`: whose turn it is, as JSON; answered when it is his, or after two seconds."""

    async def get(self, ticket: str) -> None:
        """`before`: readers before this one; `seconds`: until his turn, or null; `called`: whether to come now."""
        door: Door = self.settings["ldv_door"]
        self.set_header("Cache-Control", "no-store")
        turn = door.arrivals.turn_of(ticket)
        if turn is None:
            self.set_status(404)
            self.finish({})
            return
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(turn.news.wait(), HOLD)
        before, seconds = door.arrivals.before(turn), door.arrivals.expected(turn)
        self.set_header("Content-Type", "application/json; charset=UTF-8")
        self.finish(json.dumps({"before": before, "seconds": seconds, "called": turn.called}))


class LoadingHandler(RequestHandler):
    """`/attente/page/<kernel>`: a page that was sent still loads, and wants its kernel."""

    def get(self, kernel_id: str) -> None:
        """Note it."""
        door: Door = self.settings["ldv_door"]
        door.places.sign(kernel_id)
        self.set_header("Cache-Control", "no-store")
        self.set_status(204)


class EntryHandler(FrenchErrors, BaseVoilaHandler):  # type: ignore[misc]
    """`/entree`: shows the code of a class or a teacher's key; its places are then open to this browser."""

    def initialize(self, **kwargs: Any) -> None:
        """Voilà's configuration, for its templates."""
        super().initialize(**kwargs)

    @allow_unauthenticated
    async def post(self) -> None:
        """Take `secret`, and go on to `vers`; `page` is the kernel of the page that shows it.

        Raises:
            Turned: the secret opens nothing, or too many were tried.
        """
        door: Door = self.settings["ldv_door"]
        visitor = await door.recognize(self)
        if rest := door.guessing(visitor).wait():
            seconds = max(1, round(rest))
            raise Turned(429, "Trop d’essais", f"Attendez {seconds}\u00a0s, puis recopiez le code en entier.", seconds)
        secret = spelled(self.get_body_argument("secret", "")[:80])
        if len(secret) == KEY_LENGTH:
            right = await door.check_key(visitor, secret)
            visitor = replace(visitor, teacher=visitor.teacher or right)
        else:
            right = bool(secret) and await door.check_code(visitor, secret)
            if right and secret not in visitor.classes:
                visitor = replace(visitor, classes=(*visitor.classes, secret))
        if not right:
            raise Turned(
                403,
                "Ce code n’ouvre rien",
                "Aucune séance ouverte, aucun enseignant ne le connaît\u202f: recopiez-le en entier.",
            )
        door.visitors.show(self, visitor)
        door.places.regroup(self.get_body_argument("page", "")[:40], visitor)
        onward = self.get_body_argument("vers", "")
        if onward.startswith("/") and not onward.startswith(("//", "/\\")):
            self.redirect(onward, status=303)
        else:
            self.set_status(204)
            self.finish()
