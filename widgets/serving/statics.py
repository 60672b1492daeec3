"""Files that never change: compressed once, cached by the browser for good."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import os
from collections.abc import Iterable
from email.utils import formatdate
from pathlib import Path
from typing import Any

from tornado.ioloop import IOLoop
from tornado.web import HTTPError, RequestHandler

COMPRESSIBLE = (".js", ".mjs", ".css", ".json", ".svg", ".html", ".map", ".txt", ".ttf", ".eot")
SMALLEST = 1_000
FOREVER = "public, max-age=31536000, immutable"
TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".woff2": "font/woff2", ".woff": "font/woff"}


def version_of(roots: Iterable[Path]) -> str:
    """A short mark that changes when a file under one of the roots does (by name, size and date)."""
    seen = hashlib.sha256()
    for root in roots:
        for file in sorted(root.rglob("*")):
            if file.is_file():
                state = file.stat()
                seen.update(f"{file.relative_to(root)}:{state.st_size}:{state.st_mtime_ns}\n".encode())
    return seen.hexdigest()[:12]


class Store:
    """Files below some roots, read and compressed once.

    Args:
        roots: Directories, the first that has a file wins.
    """

    def __init__(self, roots: Iterable[Path]) -> None:
        self.roots = [root.resolve() for root in roots if root.is_dir()]
        self.version = version_of(self.roots)
        self._kept: dict[str, tuple[int, bytes, bytes, str, str]] = {}

    def locate(self, path: str) -> Path:
        """The file at a path of an address.

        Raises:
            HTTPError: 404 when there is none below the roots.
        """
        if "\0" not in path and "\\" not in path:
            for root in self.roots:
                found = Path(os.path.normpath(root / path))
                if found.is_relative_to(root) and found.is_file():
                    return found
        raise HTTPError(404)

    def read(self, file: Path) -> tuple[bytes, bytes, str, str]:
        """Content, compressed content ("" when not worth it), tag and date of a file."""
        date = file.stat().st_mtime_ns
        kept = self._kept.get(str(file))
        if kept is None or kept[0] != date:
            plain = file.read_bytes()
            worth = file.suffix.lower() in COMPRESSIBLE and len(plain) >= SMALLEST
            small = gzip.compress(plain, 6, mtime=0) if worth else b""
            tag = f'"{hashlib.sha256(plain).hexdigest()[:24]}"'
            kept = (date, plain, small, tag, formatdate(date / 1e9, usegmt=True))
            self._kept[str(file)] = kept
        return kept[1:]


class StaticHandler(RequestHandler):
    """Serves the files of a store; for good when the address carries the store's version, else to be checked."""

    def initialize(self, store: Store) -> None:
        """Take the store given by the route."""
        self.store = store

    async def get(self, path: str) -> None:
        """Send the file, compressed when the browser accepts it, or 304 when it has it."""
        version, _, rest = path.partition("/")
        fixed = version == self.store.version
        file = self.store.locate(rest if fixed else path)
        plain, small, tag, date = await IOLoop.current().run_in_executor(None, self.store.read, file)
        fixed = fixed or self.get_query_argument("v", "") == self.store.version
        suffix = file.suffix.lower()
        kind = TYPES.get(suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        if kind.startswith("text/") or kind == "application/json":
            kind += "; charset=UTF-8"
        self.set_header("Content-Type", kind)
        self.set_header("Cache-Control", FOREVER if fixed else "no-cache")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Last-Modified", date)
        self.set_header("Etag", tag)
        if small:
            self.set_header("Vary", "Accept-Encoding")
        if self.check_etag_header():
            self.set_status(304)
            return
        if small and "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.set_header("Content-Encoding", "gzip")
            plain = small
        if self.request.method == "HEAD":
            self.set_header("Content-Length", str(len(plain)))
            self.finish()
        else:
            self.finish(plain)

    head = get

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """One French line: nobody reads more of a missing file."""
        self.set_header("Content-Type", "text/plain; charset=UTF-8")
        self.finish("Ce fichier n’existe pas.\n" if status_code == 404 else "Ce fichier n’a pas pu être lu.\n")
