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
from pathlib import Path
from typing import Any

import tornado.httpserver
import tornado.ioloop
import tornado.netutil
import tornado.web
from jupyter_server.services.kernels.handlers import KernelHandler
from tornado.httputil import HTTPServerRequest
from traitlets.config import Config
from voila.app import Voila
from voila.paths import collect_static_paths
from voila.request_info_handler import RequestInfoSocketHandler
from voila.tornado.kernel_websocket_handler import VoilaKernelWebsocketHandler

from widgets.serving import forked
from widgets.serving.access import Access
from widgets.serving.catalogue import Catalogue
from widgets.serving.desk import Desk
from widgets.serving.desk_pages import ShortLinkHandler
from widgets.serving.handlers import (
    ContentsRedirect,
    HealthHandler,
    MissingHandler,
    NotebookHandler,
    RefusedHandler,
    ShutdownHandler,
)
from widgets.serving.kernels import QuickConnection, ReaderKernelManager
from widgets.serving.options import JUPYTER_DATA, BadOption, Options
from widgets.serving.pool import PoolKeeper
from widgets.serving.statics import StaticHandler, Store

TEMPLATE = "ldv"
KERNEL_ID = r"(?P<kernel_id>\w+-\w+-\w+-\w+-\w+)"
EXTENSIONS = ["ipycanvas", "anywidget", "@jupyter-widgets/jupyterlab-manager", "@voila-dashboards/widgets-manager8"]
REFUSED_HOST = "Ligne de Vue ne répond pas à cette adresse : ouvrez {address}"
REFUSED_LENGTH = "Cette adresse est trop longue (plus de 100 000 caractères) : ouvrez {address}"
CELL_ERROR = "Cette partie de la page n’a pas pu être calculée : rechargez la page."
LONGEST_URL = 100_000
MIB = 1024 * 1024


def version() -> str:
    """Version of the product, as installed."""
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
    c.Voila.kernel_websocket_connection_class = QuickConnection
    c.Voila.config_file_paths = []
    c.VoilaConfiguration.template = TEMPLATE
    c.VoilaConfiguration.allow_template_override = "NO"
    c.VoilaConfiguration.allow_theme_override = "NO"
    c.VoilaConfiguration.multi_kernel_manager_class = ReaderKernelManager
    c.VoilaConfiguration.preheat_kernel = options.pool > 0
    c.VoilaConfiguration.default_pool_size = 0
    c.VoilaConfiguration.extension_allowlist = EXTENSIONS
    c.VoilaExporter.language_code = "fr"
    c.VoilaExecutor.cell_error_instruction = CELL_ERROR
    c.VoilaExecutor.timeout = 60
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
    """

    name = "voila"

    def __init__(self, options: Options, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.options = options
        self.catalogue = Catalogue(options.notebooks)
        self.pool: PoolKeeper | None = None
        self.desk = Desk(os.environ)
        self._page_config: dict[str, Any] | None = None

    def initialize(self, argv: list[str] | None = None) -> None:
        """Take our configuration; no file and no command line of Voilà's."""
        self.update_config(configuration(self.options))
        super().initialize([])
        self.voila_configuration.page_config_hook = self.page_config
        for name, level in (("tornado.access", 60), ("tornado.general", 40), ("asyncio", 50)):
            logging.getLogger(name).setLevel(level)

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
        self.assets = Store([ours, *lab])
        self.voila_static = Store([Path(path) for path in self.static_paths])
        self.extensions = Store([Path(path) for path in self.labextensions_path])
        self.themes = Store([Path(self.themes_dir)])

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
            "pool": self.pool,
        }
        return [
            (r"/", NotebookHandler, notebook),
            (r"/voila/render/(.*)", NotebookHandler, notebook),
            (r"/sante/?", HealthHandler),
            (r"/l/([0-9A-Za-z-]{1,20})", ShortLinkHandler),
            (rf"/api/kernels/{KERNEL_ID}", KernelHandler),
            (rf"/api/kernels/{KERNEL_ID}/channels", VoilaKernelWebsocketHandler),
            (rf"/voila/query/{KERNEL_ID}", RequestInfoSocketHandler),
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
        self.pool = PoolKeeper(self.kernel_manager, self.catalogue, self.options.pool, self.options.reserved)
        self.app = GuardedApplication(
            **settings,
            default_handler_class=None,
            ldv_page=self.describe_page,
            ldv_version=version(),
            ldv_desk=self.desk,
            allow_origin=self.options.origin,
            websocket_max_message_size=8 * MIB,
            headers={"Referrer-Policy": "same-origin"},
        )
        self.app.access = Access(self.options.hosts, self.options.origin)
        self.app.address = self.options.address
        self.app.add_handlers(".*$", self.init_handlers())
        asyncio.run(self.serve(sockets))

    def bind(self) -> list[socket.socket]:
        """Take the port, before anything is started.

        Raises:
            BadOption: when it cannot be had.
        """
        try:
            return tornado.netutil.bind_sockets(self.options.port, self.options.host)
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
        server = tornado.httpserver.HTTPServer(
            self.app, max_header_size=4 * LONGEST_URL, max_body_size=8 * MIB, idle_connection_timeout=120
        )
        await self.desk.start()
        self.desk.lend(os.environ)
        os.environ["LDV_ADDRESS"] = self.options.address  # what a teacher's page gives to learners
        forked.warm()
        server.add_sockets(sockets)
        print(f"Ligne de Vue est prête : {self.options.address}  (Ctrl+C pour arrêter)", flush=True)
        assert self.pool is not None
        if self.options.pool:
            self.pool.start()
        try:
            await stopped.wait()
        finally:
            server.stop()
            await self.end_kernels()
            await self.desk.stop()
            shutil.rmtree(self.connection_dir, ignore_errors=True)

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


def run(options: Options) -> None:
    """Serve until told to stop.

    Args:
        options: How to serve.

    Raises:
        BadOption: when the port or the address cannot be had.
    """
    app = LigneDeVue(options)
    app.initialize([])
    app.start()
