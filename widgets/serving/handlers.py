"""What answers each address: notebooks as pages, health, and errors that a reader understands."""

from __future__ import annotations

import asyncio
import json
import time
from http.client import responses
from typing import Any
from urllib.parse import urlencode

from jupyter_server.auth.decorator import allow_unauthenticated
from tornado.httputil import HTTPServerRequest
from tornado.web import HTTPError, RequestHandler, authenticated
from voila.handler import BaseVoilaHandler
from voila.shutdown_kernel_handler import VoilaShutdownKernelHandler
from voila.tornado.handler import TornadoVoilaHandler

from widgets.serving.arrivals import Turn
from widgets.serving.catalogue import HOME, SANDBOX, Catalogue, url_of
from widgets.serving.connections import PlainErrors
from widgets.serving.door import Door, Turned, with_ticket
from widgets.serving.first_pictures import FirstPictures
from widgets.serving.headers import FAILED, page_policy
from widgets.serving.kernels import ReaderKernelManager
from widgets.serving.leaving import STICKY_COOKIE, Leaving

#: A position in a link has at most 2 000 characters; what is longer is cut here, still long enough for the notebook
#: to see that it is too long and to say so.
LONGEST_VALUE = 4_000
#: Seconds for a browser on this machine to draw how a page begins, before its kernel takes the processors that both use.
DRAWN = 0.2
STARTED = time.monotonic()


def shorten(request: HTTPServerRequest) -> None:
    """Cut the over-long values of a query, so that no kernel is started with kilobytes of environment.

    Args:
        request: Changed in place: `arguments`, `query` and `uri`.
    """
    if len(request.query or "") <= LONGEST_VALUE:
        return
    kept, room = [], 4 * LONGEST_VALUE
    for name, values in request.query_arguments.items():
        value = values[-1].decode("utf-8", "replace")[:LONGEST_VALUE]
        room -= len(name) + len(value)
        if room < 0:
            break
        kept.append((name, value))
    request.query = urlencode(kept)
    request.uri = f"{request.path}?{request.query}"
    request.query_arguments = request.arguments = {name: [value.encode()] for name, value in kept}


class FrenchErrors:
    """Error pages of ours, for any handler that renders Voilà's templates."""

    request: HTTPServerRequest

    @property
    def content_security_policy(self) -> str:
        """The page's policy, with this request's host."""
        return page_policy(self.request.host, self.settings["ldv_secure"], self.settings["ldv_frames"])  # type: ignore[attr-defined]

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """Answer with the French page of this error, never with a traceback."""
        self.set_header("Content-Type", "text/html; charset=UTF-8")  # type: ignore[attr-defined]
        self.set_header("Cache-Control", "no-store")  # type: ignore[attr-defined]
        error = kwargs.get("exc_info", (None, None))[1]
        turned = error if isinstance(error, Turned) else None
        if retry := turned.retry if turned else 60 * (status_code == 503):
            self.set_header("Retry-After", str(retry))  # type: ignore[attr-defined]
        said = turned.said if turned else None
        self.finish(self.french_page("error.html", status_code=status_code, said=said))  # type: ignore[attr-defined]

    def french_page(self, template: str, path: str = "", **values: Any) -> str:
        """A page of ours that needs no kernel.

        Args:
            template: its name; path: of the notebook that it leads to; values: what it shows.
        """
        onward = self.request.uri if self.request.method == "GET" else "/"
        # A request refused before anyone looked who asks (an address that is no text) has no user, and sees no form.
        known = hasattr(self, "_jupyter_current_user")
        page: str = self.settings["ldv_plain"].render(  # type: ignore[attr-defined]
            template,
            path,
            **values,
            onward=onward,
            xsrf=self.xsrf_form_html() if known else "",  # type: ignore[attr-defined]
            leaving=self.settings["ldv_leaving"].active,  # type: ignore[attr-defined]
        )
        return page


class NotebookHandler(FrenchErrors, TornadoVoilaHandler):  # type: ignore[misc]
    """A notebook of the catalogue, as a page with its kernel."""

    def initialize(self, **kwargs: Any) -> None:
        """Take the catalogue, the door and the first pictures besides what Voilà gives."""
        self.catalogue: Catalogue = kwargs.pop("catalogue")
        self.door: Door = kwargs.pop("door")
        self.firsts: FirstPictures = kwargs.pop("firsts")
        self.turn: Turn | None = None
        self.gone = False
        super().initialize(**kwargs)

    def asked(self, path: str) -> str:
        """The notebook that is asked for; "" when all is answered already.

        Raises:
            HTTPError: the server leaves, or there is no such page.
        """
        if self.settings["ldv_leaving"].active:
            self.clear_cookie(STICKY_COOKIE)  # the proxy is free to lead him elsewhere
            raise HTTPError(503)
        name = path or HOME
        if self.catalogue.file(name) is None:
            if not path:
                self.render_contents()
                return ""
            raise HTTPError(404)
        shorten(self.request)
        if not path and self.get_query_argument("position", "") and SANDBOX in self.catalogue:
            self.redirect(f"{url_of(SANDBOX)}?{self.request.query}")  # a position without lesson opens the free board
            return ""
        return name

    @authenticated
    def head(self, path: str = "") -> None:
        """What `get` says before the page itself: no kernel, no place, no wait."""
        if self.asked(path):
            self.set_header("Content-Type", "text/html")
            self.set_header("Cache-Control", "no-store")
            self.finish()

    @authenticated
    async def get(self, path: str = "") -> None:
        """Render the notebook at `path`, or the home page."""
        name = self.asked(path)
        if not name:
            return
        # Sets the cookie that the page sends back when it frees its kernel on leaving.
        assert self.xsrf_token
        self.turn = turn = await self.door.line_up(self, name)
        shown = self.firsts.of(name, self.request.query)
        if turn.ticket:
            self.render_waiting(turn, shown)
            return
        begun = self.begin(name, shown) if turn.place is not None and not turn.ready else ""
        if begun and turn.visitor.here:
            await asyncio.sleep(DRAWN)
        if self.gone or not await self.door.wait(turn):
            self.door.left(turn)
            return
        try:
            self.door.begin(turn)
            # A page that was made ready knew neither address nor picture.
            async for html in self.firsts.within(name, shown, begun, self.get_generator(path=name)):
                self.write(html)
                self.flush()
        except Exception:
            if begun:
                self.write(f"<script>{FAILED}</script>")
            raise
        finally:
            self.door.sent(turn, gone=self.gone)

    def begin(self, name: str, shown: str) -> str:
        """Send how a page begins, its picture included, while its kernel waits for its turn and starts.

        Args:
            name: of its notebook.
            shown: its picture.

        Returns:
            What was sent; "" for nothing.
        """
        begun = self.firsts.beginning(name, shown)
        if begun:
            self.set_header("Content-Type", "text/html")
            self.set_header("Cache-Control", "no-cache, no-store, must-revalidate")
            self.write(begun)
            self.flush()
        return begun

    def on_connection_close(self) -> None:
        """Whoever asked has gone: he waits no more, and nothing is kept for him."""
        self.gone = True
        if self.turn is not None and not self.turn.ticket:
            self.door.left(self.turn)
        super().on_connection_close()

    def should_use_rendered_notebook(self, notebook_data: Any, pool_size: int, *_: Any) -> bool:
        """Use a pre-heated kernel only if one is ready now: waiting for one takes longer than starting one."""
        name = self.current_path
        turn = self.turn
        if turn is None or not (pool_size and notebook_data):
            return False
        kernel_id = self.door.pool.ready(name, turn.visitor.groups)
        if kernel_id:
            self.door.took_ready(turn, name, kernel_id)
        return bool(kernel_id)

    @property
    def current_path(self) -> str:
        """Path of the notebook asked for."""
        return (self.path_args[0] if self.path_args else "") or HOME

    def render_waiting(self, turn: Turn, shown: str) -> None:
        """The page on which one waits for his turn; who has a place, before what his page will show first."""
        arrivals = self.door.arrivals
        self.set_status(202)
        self.set_header("Content-Type", "text/html; charset=UTF-8")
        self.set_header("Cache-Control", "no-store")
        self.set_header("Retry-After", "5")
        self.finish(
            self.french_page(
                "waiting.html",
                path=turn.path,
                ticket=turn.ticket,
                address=with_ticket(self.request.uri or "/", turn.ticket),
                before=arrivals.before(turn),
                seconds=arrivals.expected(turn),
                title=self.catalogue.pages[turn.path].title,
                first=shown if turn.place is not None else "",
            )
        )

    def render_contents(self) -> None:
        """The list of lessons, when there is no home notebook."""
        self.set_header("Content-Type", "text/html; charset=UTF-8")
        self.finish(self.settings["ldv_plain"].render("contents.html", HOME, courses=self.catalogue.courses))


class HealthHandler(RequestHandler):
    """`/sante`: whether the server answers, and how full it is. Starts no kernel."""

    def get(self) -> None:
        """A JSON object."""
        manager: ReaderKernelManager = self.settings["kernel_manager"]
        self.set_header("Content-Type", "application/json; charset=UTF-8")
        self.set_header("Cache-Control", "no-store")
        self.finish(
            json.dumps(
                {
                    "status": "draining" if self.settings["ldv_leaving"].active else "ok",
                    "version": self.settings["ldv_version"],
                    "uptime_s": round(time.monotonic() - STARTED, 1),
                    "kernels": len(manager.list_kernel_ids()),
                    "readers": manager.readers(),
                    "preheated": manager.waiting(),
                    "max_readers": manager.max_kernels,
                    "waiting": self.settings["ldv_door"].arrivals.waiting,
                    "store": self.settings["ldv_desk"].describe(),
                }
            )
        )

    head = get


class ReadyHandler(RequestHandler):
    """`/sante/pret`: whether new readers may come; 503 once the server leaves. Says nothing else."""

    def get(self) -> None:
        """A JSON object."""
        leaving: Leaving = self.settings["ldv_leaving"]
        self.set_status(503 if leaving.active else 200)
        self.set_header("Cache-Control", "no-store")
        self.finish({"status": "draining" if leaving.active else "ok"})

    head = get


class MissingHandler(FrenchErrors, BaseVoilaHandler):  # type: ignore[misc]
    """Every other address: a French page that leads back."""

    def initialize(self, **kwargs: Any) -> None:
        """Voilà's configuration, for its templates."""
        super().initialize(**kwargs)

    @allow_unauthenticated
    def get(self, *_: str) -> None:
        """There is no such page."""
        raise HTTPError(404)

    head = get


class RobotsHandler(RequestHandler):
    """`/robots.txt`: each page takes a place and a kernel, so none is for those who only collect addresses."""

    def get(self) -> None:
        """Nothing is to be visited."""
        self.set_header("Content-Type", "text/plain; charset=UTF-8")
        self.finish("User-agent: *\nDisallow: /\n")

    head = get


class ContentsRedirect(RequestHandler):
    """Voilà's own directory page, in English: the home page instead."""

    def get(self, *_: str) -> None:
        """Lead to the home page."""
        self.redirect("/")


class RefusedHandler(RequestHandler):
    """An address under which this server does not answer, or a request from another site."""

    def initialize(self, status: int, line: str) -> None:
        """Take the status and the French line to answer."""
        self.status = status
        self.line = line

    def prepare(self) -> None:
        """Answer at once, whatever was asked."""
        self.set_status(self.status, responses.get(self.status, "Refused"))
        self.set_header("Content-Type", "text/plain; charset=UTF-8")
        self.finish(self.line + "\n")

    def check_xsrf_cookie(self) -> None:
        """Nothing is done here that could be forged."""


class ShutdownHandler(PlainErrors, VoilaShutdownKernelHandler):  # type: ignore[misc]
    """Frees the kernel of a page that is left. The cross-site check stays on: the page sends its cookie back."""

    @authenticated
    async def post(self, kernel_id: str) -> None:
        """End a kernel; one that has already gone is no error."""
        await self.kernel_manager.end_reader(kernel_id)
        self.set_status(204)
        self.finish()
