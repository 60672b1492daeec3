"""The server: Voilà with everything this course needs, and nothing that it does not."""

from __future__ import annotations

import asyncio
import errno
import importlib.metadata
import logging
import os
import shutil
import signal
import socket
import sys
import tempfile
import warnings
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import tornado.ioloop
import tornado.netutil
import tornado.web
from jupyter_server.services.kernels.handlers import KernelHandler
from tornado.httputil import HTTPServerRequest
from traitlets.config import Config
from voila.app import Voila
from voila.paths import collect_static_paths

from tutor.store.database import data_folder
from widgets.serving import forked, logs
from widgets.serving.access import Access
from widgets.serving.catalogue import Catalogue, notebooks_of_games
from widgets.serving.ceilings import Warden
from widgets.serving.confine import Confinement, rules
from widgets.serving.connections import QueryHandler, QuickConnection, Waiting
from widgets.serving.contents import HouseContents
from widgets.serving.desk.desk import Desk
from widgets.serving.desk.pages import ShortLinkHandler
from widgets.serving.door import Door
from widgets.serving.door_pages import EntryHandler, LoadingHandler, TicketHandler
from widgets.serving.first_pictures import FirstPictures
from widgets.serving.frames import LONGEST_FRAME
from widgets.serving.handlers import (
    ContentsRedirect,
    HealthHandler,
    MissingHandler,
    NotebookHandler,
    ReadyHandler,
    RefusedHandler,
    RobotsHandler,
    ShutdownHandler,
)
from widgets.serving.headers import cookie_options, hardened
from widgets.serving.idle import Rest
from widgets.serving.kept_grounds import KeptGrounds
from widgets.serving.kernels import ReaderKernelManager
from widgets.serving.leaving import SIGNAL, Leaving
from widgets.serving.lines import PING_EVERY, PING_PATIENCE, LineHandler, Lines
from widgets.serving.metrics import Metrics
from widgets.serving.metrics_page import MetricsHandler, read_readers
from widgets.serving.options import JUPYTER_DATA, BadOption, Options
from widgets.serving.rule_cards import CardHandler, Cards, GroundHandler, grounds_version
from widgets.serving.sockets import PatientServer, most_connections, raise_files
from widgets.serving.statics import ENTRY, Extensions, Sheaves, StaticHandler, Store
from widgets.serving.templates import PlainPages, read_once
from widgets.serving.visitors import Readers, Visitors

TEMPLATE = "ldv"
KERNEL_ID = r"(?P<kernel_id>\w+-\w+-\w+-\w+-\w+)"
EXTENSIONS = ["ipycanvas", "anywidget", "@jupyter-widgets/jupyterlab-manager", "@voila-dashboards/widgets-manager8"]
REFUSED_HOST = "Ligne de Vue ne répond pas à cette adresse : ouvrez {address}"
REFUSED_LENGTH = "Cette adresse est trop longue (plus de 100 000 caractères) : ouvrez {address}"
CELL_ERROR = "Cette partie de la page n’a pas pu être calculée : rechargez la page."
LONGEST_URL = 100_000
METRICS = "/metrics"
#: Connections that the system keeps until they are taken; one that it has no room for comes again seconds later.
BACKLOG = 4096


@cache
def version() -> str:
    """Version of the product, as installed: each page says it."""
    try:
        return importlib.metadata.version("ligne-de-vue")
    except importlib.metadata.PackageNotFoundError:
        return "non installée"


class GuardedApplication(tornado.web.Application):
    """A tornado application that first looks at who asks, under which name, and how long the address is."""

    access: Access
    address: str

    def find_handler(self, request: HTTPServerRequest, **kwargs: Any) -> Any:
        """The handler of a request; a refusal for a stranger's `Host` or `Origin`."""
        status, line = 0, ""
        if request.path == METRICS:  # its own rule is stricter, and a collector knows a machine by another name
            return super().find_handler(request, **kwargs)
        origin = request.headers.get("Origin") or request.headers.get("Sec-Websocket-Origin")
        peer = request.remote_ip or ""
        if not self.access.allows(request.headers.get("Host", ""), origin, peer):
            status, line = 403, REFUSED_HOST
        elif len(request.uri or "") > LONGEST_URL:
            status, line = 414, REFUSED_LENGTH
        if not status:
            return super().find_handler(request, **kwargs)
        arguments = {"status": status, "line": line.format(address=self.address)}
        return self.get_handler_delegate(request, RefusedHandler, arguments)


def configuration(options: Options) -> Config:
    """What Voilà, its kernel manager and its exporter are told.

    Args:
        options: How to serve.
    """
    c = Config()
    c.Voila.ip = options.host
    c.Voila.port = options.port
    c.Voila.port_retries = 0
    c.Voila.open_browser = False
    c.Voila.root_dir = str(options.notebooks)
    c.Voila.token = ""
    c.Voila.log_level = logging.ERROR
    if options.secret:
        c.Voila.cookie_secret = options.secret
    c.Voila.kernel_websocket_connection_class = QuickConnection
    c.Voila.config_file_paths = []
    c.Voila.identity_provider_class = Readers
    c.VoilaConfiguration.template = TEMPLATE
    c.VoilaConfiguration.allow_template_override = "NO"
    c.VoilaConfiguration.allow_theme_override = "NO"
    c.VoilaConfiguration.multi_kernel_manager_class = ReaderKernelManager
    c.VoilaConfiguration.preheat_kernel = True  # where there is no pool, classes are prepared all the same
    c.VoilaConfiguration.default_pool_size = 0
    c.VoilaConfiguration.extension_allowlist = EXTENSIONS
    c.VoilaExporter.language_code = "fr"
    c.VoilaExecutor.cell_error_instruction = CELL_ERROR
    c.VoilaExecutor.timeout = 60
    # What a cell shows may come long after its end from a busy kernel: after 4 s the page would stay empty, without a word.
    c.VoilaExecutor.iopub_timeout = 60
    c.VoilaExecutor.raise_on_iopub_timeout = True
    c.MappingKernelManager.cull_idle_timeout = options.idle
    c.MappingKernelManager.cull_interval = max(1, min(60, options.idle // 3))
    c.MappingKernelManager.cull_connected = False
    c.ReaderKernelManager.max_kernels = options.max_kernels
    # A board dragged about sends more than Jupyter's 1 MB/s; beyond its limit frames would be lost in silence.
    c.ZMQChannelsWebsocketConnection.iopub_msg_rate_limit = 10_000
    c.ZMQChannelsWebsocketConnection.iopub_data_rate_limit = 50_000_000
    if sys.platform != "win32":
        c.KernelManager.transport = "ipc"
    c.KernelProvisionerFactory.default_provisioner_name = forked.provisioner()
    # A kernel that died has lost the page's widgets; its restart is what tells the page, which then shows its banner.
    c.KernelManager.autorestart = True
    return c


class LigneDeVue(Voila):  # type: ignore[misc]
    """Voilà on our notebooks, template and rules.

    Args:
        options: How to serve.
        secrets: Variables that have left the environment.
    """

    name = "voila"

    def __init__(self, options: Options, secrets: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.options = options
        self.rules = rules(os.environ, options)
        self.catalogue = Catalogue(options.notebooks, notebooks_of_games())
        self.leaving = Leaving(options.drain)
        self.metrics = Metrics()
        self.metrics_readers = read_readers(options.metrics)
        self.desk = Desk({**os.environ, **secrets}, metrics=self.metrics)
        self.lines = Lines(self.desk.page_gone)
        drawn = KeptGrounds(data_folder(os.environ) / "sol", grounds_version())
        self.cards = Cards(grounds=drawn)
        self.firsts = FirstPictures(
            self.cards, self.catalogue, lambda: bool(self.kernel_manager.readers()), ahead=options.ahead
        )

    def initialize(self, argv: list[str] | None = None) -> None:
        """Take our configuration; no file and no command line of Voilà's."""
        self.update_config(configuration(self.options))
        super().initialize([])
        read_once()
        self.voila_configuration.page_config_hook = self.page_config
        for name, level in (("tornado.access", 60), ("tornado.general", 40), ("asyncio", 50)):
            logging.getLogger(name).setLevel(level)
        logs.set_up(self.log)

    # -- what the template gets ------------------------------------------------------------------------------------

    def describe_page(self, path: str) -> dict[str, Any]:
        """Everything the template shows around a notebook.

        Args:
            path: Path of the notebook, "" for an error page.
        """
        return {
            **self.catalogue.navigation(path),
            "version": version(),
            "assets": f"/voila/templates/{TEMPLATE}/static/{self.assets.version}",
            "voila": f"/voila/static/{self.voila_static.version}",
        }

    def page_config(self, page_config: dict[str, Any], notebook_path: str = "", **_: Any) -> dict[str, Any]:
        """Voilà's page configuration with ours; static addresses carry a version, so that browsers keep the files."""
        page_config["fullStaticUrl"] = f"/voila/static/{self.voila_static.version}"
        page_config["fullLabextensionsUrl"] = f"/voila/labextensions/{self.extensions.version}"
        page_config["themesUrl"] = f"/voila/api/themes/{self.themes.version}"
        page_config["ldv"] = self.describe_page(notebook_path)
        return page_config

    # -- the application -------------------------------------------------------------------------------------------

    def init_stores(self) -> None:
        """Index the files that are served as they are."""
        ours = JUPYTER_DATA / "voila" / "templates" / TEMPLATE / "static"
        lab = [Path(path) for path in collect_static_paths(["voila", "nbconvert"], "lab")]
        self.assets = Sheaves([ours, *lab])
        self.extensions = Extensions([Path(path) for path in self.labextensions_path])
        pieces = (JUPYTER_DATA / "voila" / "pieces.txt").read_text(encoding="utf-8").split()
        scripts = [Path(path) for path in self.static_paths]
        self.voila_static = Sheaves(scripts, {ENTRY: [*pieces, ENTRY]}, self.extensions.roots)
        self.themes = Store([Path(self.themes_dir)])

    def init_settings(self) -> dict[str, Any]:
        """Those of Voilà; notebooks are read where the catalogue has them."""
        settings: dict[str, Any] = super().init_settings()
        self.contents_manager = HouseContents(self.catalogue, parent=self)
        return {**settings, "contents_manager": self.contents_manager}

    def init_handlers(self) -> list[Any]:
        """The addresses of this server; everything else is a French 404."""
        files = {
            rf"/voila/templates/{TEMPLATE}/static/(.*)": self.assets,
            r"/voila/static/(.*)": self.voila_static,
            r"/voila/labextensions/(.*)": self.extensions,
            r"/voila/api/themes/(.*)": self.themes,
        }
        notebook = {
            "template_paths": self.template_paths,
            "config": self.config,
            "voila_configuration": self.voila_configuration,
            "catalogue": self.catalogue,
            "door": self.door,
            "firsts": self.firsts,
        }
        return [
            (r"/", NotebookHandler, notebook),
            (r"/voila/render/(.*)", NotebookHandler, notebook),
            (r"/sante/?", HealthHandler),
            (r"/sante/pret/?", ReadyHandler),
            (r"/robots.txt", RobotsHandler),
            (r"/entree", EntryHandler, {"voila_configuration": self.voila_configuration}),
            (rf"/attente/page/{KERNEL_ID}", LoadingHandler),
            (r"/attente/([\w-]{1,40})", TicketHandler),
            (METRICS, MetricsHandler, {"metrics": self.metrics, "readers": self.metrics_readers}),
            (r"/l/([0-9A-Za-z-]{1,20})", ShortLinkHandler),
            (r"/regles/(\w{1,64})(?:/(plateau|verdict)\.svg)?", CardHandler, {"cards": self.cards}),
            (r"/sol/\w+/(\w{1,64})/(light|dark)/([\w-]{1,8000})\.svg", GroundHandler, {"cards": self.cards}),
            (rf"/api/kernels/{KERNEL_ID}", KernelHandler),
            (rf"/api/kernels/{KERNEL_ID}/channels", LineHandler),
            (rf"/voila/query/{KERNEL_ID}", QueryHandler),
            (rf"/voila/api/shutdown/{KERNEL_ID}", ShutdownHandler),
            *((pattern, StaticHandler, {"store": store}) for pattern, store in files.items()),
            (r"/voila(?:/tree.*)?/?", ContentsRedirect),
            (r"/(.*)", MissingHandler, {"voila_configuration": self.voila_configuration}),
        ]

    def start(self) -> None:
        """Listen, say the address, serve until told to stop, then end every kernel.

        Raises:
            BadOption: when the port or the address cannot be had.
        """
        sockets = self.bind()
        root = tempfile.gettempdir()
        if sys.platform != "win32" and len(root) > 30 and os.access("/tmp", os.W_OK):
            root = "/tmp"  # a Unix socket's path has 104 characters at most
        self.connection_dir = tempfile.mkdtemp(prefix="ldv_", dir=root)
        self.init_stores()
        settings = self.init_settings()
        options = self.options
        https = options.origin.startswith("https:")
        visitors = Visitors(options.proxies, bool(options.origin), https, self.cookie_secret)
        pool = (options.pool, options.reserved)
        self.door = Door(options.limits, visitors, self.kernel_manager, self.catalogue, pool, self.desk.librarian.read)
        self.desk.listeners.append(self.door.classes.heard)
        self.count()
        settings["xsrf_cookie_kwargs"] = cookie_options(
            self.options.secure, readable=True, framed=bool(self.options.frames)
        )
        self.app = GuardedApplication(
            **settings,
            default_handler_class=None,
            ldv_plain=PlainPages(settings["voila_jinja2_env"], self.describe_page),
            ldv_version=version(),
            ldv_desk=self.desk,
            ldv_lines=self.lines,
            ws_ping_interval=PING_EVERY,
            ws_ping_timeout=PING_PATIENCE,
            ldv_leaving=self.leaving,
            ldv_door=self.door,
            log_function=logs.log_every_request if self.options.access_log else logs.log_request,
            ldv_waiting=Waiting(),
            allow_origin=self.options.origin,
            websocket_max_message_size=LONGEST_FRAME,
            ldv_secure=self.options.secure,
            ldv_frames=self.options.frames,
        )
        self.app.add_transform(hardened(self.options.secure))
        self.app.access = Access(self.options.hosts, self.options.origin)
        self.app.address = self.options.address
        self.app.add_handlers(".*$", self.init_handlers())
        asyncio.run(self.serve(sockets))

    def count(self) -> None:
        """Have what stands somewhere already be read there."""
        manager, watch = self.kernel_manager, self.metrics.watch
        manager.metrics = self.metrics
        watch("ldv_places_taken", "Places prises.", manager.readers)
        watch("ldv_places_limit", "Places en tout (LDV_MAX_KERNELS).", lambda: manager.max_kernels)
        watch("ldv_kernels_preheated", "Noyaux préparés d’avance.", manager.waiting)
        watch("ldv_readers_waiting", "Lecteurs qui attendent leur tour.", lambda: self.door.arrivals.waiting)
        watch("ldv_kernels", "Noyaux en vie.", lambda: len(manager.list_kernel_ids()))
        watch("ldv_websockets", "Pages reliées à leur noyau.", lambda: len(QuickConnection._open_sockets))
        watch("ldv_store_ready", "1 quand la base est ouverte et garde.", lambda: self.desk.ready)
        watch("ldv_classes_live", "Séances suivies sur ce serveur.", lambda: len(self.desk.room.sessions))

    def bind(self) -> list[socket.socket]:
        """Take the port, before anything is started.

        Raises:
            BadOption: when it cannot be had.
        """
        try:
            return tornado.netutil.bind_sockets(self.options.port, self.options.host, backlog=BACKLOG)
        except OSError as error:
            port, host = self.options.port, self.options.host
            if error.errno == errno.EADDRINUSE:
                raise BadOption(
                    f"Le port {port} est déjà pris : choisissez-en un autre (PORT={port + 1} make run, ou "
                    f"ldv serve --port {port + 1})."
                ) from error
            if error.errno == errno.EACCES:
                raise BadOption(
                    f"Le port {port} est réservé au système : choisissez-en un au-dessus de 1023."
                ) from error
            raise BadOption(f"L’adresse {host} n’est pas de cette machine : corrigez --host.") from error

    async def serve(self, sockets: list[socket.socket]) -> None:
        """Serve on these sockets until a signal."""
        self.ioloop = tornado.ioloop.IOLoop.current()
        stopped = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stopped.set))
        most = most_connections(self.options.connections, self.options.max_kernels, raise_files())
        server = PatientServer(self.app, most=most, most_of_one=most // 4, proxies=self.options.proxies)
        if SIGNAL is not None:
            loop.add_signal_handler(SIGNAL, self.leave, stopped)
        await self.desk.start()
        self.desk.lend(os.environ)
        os.environ["LDV_GROUND"] = grounds_version()
        os.environ["LDV_ADDRESS"] = self.options.address  # what a teacher's page gives to learners
        self.kernel_manager.confinement = Confinement(
            self.rules, Path(self.connection_dir), self.desk, self.options.notebooks
        )
        warden = self.kernel_manager.warden = Warden(
            self.kernel_manager.processes,
            self.kernel_manager.end_for_good,
            self.rules.memory * 1024 * 1024,
            self.rules.processor,
        )
        watching = asyncio.ensure_future(warden.watch())
        forked.warm()
        server.add_sockets(sockets)
        print(f"Ligne de Vue est prête : {self.options.address}  (Ctrl+C pour arrêter)", flush=True)
        print(self.rules.describe(), flush=True)
        manager = self.kernel_manager
        manager.lines = self.lines
        rest = Rest(
            manager, self.lines, self.options.rest, self.desk.follows, lambda: manager.readers() >= manager.max_kernels
        )
        rest.start()
        preparing = asyncio.ensure_future(self.firsts.watch())
        self.door.start()
        if self.options.pool:
            self.door.pool.start()
        try:
            await stopped.wait()
        finally:
            self.leaving.begin()  # a proxy still holds open lines to this server: no page may begin on one of them
            rest.stop()
            server.stop()
            watching.cancel()
            preparing.cancel()
            self.cards.stop()
            self.leaving.say_goodbye()
            self.door.stop()
            await self.end_kernels()
            await self.desk.stop()
            shutil.rmtree(self.connection_dir, ignore_errors=True)

    def leave(self, stopped: asyncio.Event) -> None:
        """Take no new reader from now on; stop once those present have left, or the limit is reached.

        Args:
            stopped: set then.
        """
        if self.leaving.active:
            return
        self.leaving.begin()
        print(f"Ligne de Vue s’en va : {self.kernel_manager.readers()} lecteurs présents.", flush=True)
        self._departure = asyncio.ensure_future(self.leaving.empty(self.kernel_manager))
        self._departure.add_done_callback(lambda _: stopped.set())

    async def end_kernels(self) -> None:
        """End every kernel at once, those that are still starting included."""
        manager = self.kernel_manager
        pools = getattr(manager, "_pools", {})
        starting = [task for pool in pools.values() for task in pool if not task.done()]
        warnings.filterwarnings(
            "ignore", "coroutine .* was never awaited"
        )  # kernels that waited for their turn to start
        for task in starting:
            task.cancel()
        await asyncio.gather(*starting, return_exceptions=True)
        for pool in pools.values():
            pool[:] = [task for task in pool if task not in starting]
        await asyncio.wait([asyncio.ensure_future(manager.shutdown_all(now=True))], timeout=15)
        await asyncio.gather(
            *(manager.shutdown_kernel(kernel_id, now=True) for kernel_id in manager.list_kernel_ids()),
            return_exceptions=True,
        )


def run(options: Options, secrets: Mapping[str, str]) -> None:
    """Serve until told to stop.

    Args:
        options: How to serve.
        secrets: Variables that have left the environment.

    Raises:
        BadOption: when the port or the address cannot be had.
    """
    app = LigneDeVue(options, secrets)
    app.initialize([])
    app.start()
