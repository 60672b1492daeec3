"""Files that never change: compressed once, cached by the browser for good."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from email.utils import formatdate
from pathlib import Path
from typing import Any

from tornado.ioloop import IOLoop
from tornado.web import HTTPError, RequestHandler

COMPRESSIBLE = (".js", ".mjs", ".css", ".json", ".svg", ".html", ".map", ".txt", ".ttf", ".eot")
SMALLEST = 1_000
VERSION = re.compile("[0-9a-f]{12}")
#: A version that a bundler wrote for a package of JupyterLab: rspack's ``"^4.6.2"``, webpack's ``[1,4,6,2]``.
EXACT = re.compile(
    rb'("@jupyterlab/[\w-]+",(?:import:\w+,requiredVersion:"\^\d+|(?:![01],)?\[1,\d+))[.,]\d+[.,]\d+(["\]])'
)
_SHEETS = "colours ldv controls lesson stage first card film camera scenario replay"
#: What a page asks for as one -> our files that are joined for it, in this order: its sheets, the scripts that it waits
#: for, those that it does not.
SHEAVES: Mapping[str, Sequence[str]] = {
    "page.css": [f"{name}.css" for name in _SHEETS.split()],
    "page.js": ["ldv.js", "link.js", "first.js"],
    "later.js": ["card.js", "film.js", "camera.js"],
}
#: Voilà's entry: it comes after the pieces that every page needs, which only lie ready until it asks for them. Asked for
#: one by one, as each is met in another, they are ninety requests in four waves.
ENTRY = "voila.js"
FOREVER = "public, max-age=31536000, immutable"
TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".woff2": "font/woff2", ".woff": "font/woff"}


def version_of(roots: Iterable[Path]) -> str:
    """A short mark that changes when a file under one of the roots does (by name, size and date).

    What Python and the reading of contents keep in ``__pycache__`` is no file of theirs: it comes as they are read.
    """
    seen = hashlib.sha256()
    for root in roots:
        for folder, folders, files in os.walk(root):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            for name in sorted(files):
                with suppress(OSError):  # removed meanwhile
                    file = os.path.join(folder, name)
                    state = os.stat(file)
                    seen.update(f"{file.removeprefix(str(root))}:{state.st_size}:{state.st_mtime_ns}\n".encode())
    return seen.hexdigest()[:12]


class Store:
    """Files below some roots, read and compressed once.

    Args:
        roots: Directories, the first that has a file wins.
    """

    def __init__(self, roots: Iterable[Path]) -> None:
        self.roots = [root.resolve() for root in roots if os.path.isdir(root)]  # False where one may not look
        self.version = version_of(self.roots)
        self._kept: dict[str, tuple[int, bytes, bytes, str, str]] = {}

    def locate(self, path: str) -> Path:
        """The file at a path of an address.

        Raises:
            HTTPError: 404 when there is none below the roots.
        """
        if "\0" not in path and "\\" not in path:
            for root in self.roots:
                file = Path(os.path.normpath(root / path))
                if file.is_relative_to(root) and os.path.isfile(file):  # False for a path that is too long
                    return file
        raise HTTPError(404)

    def those(self, paths: Iterable[str]) -> Iterator[Path]:
        """The files at some paths; a path where there is none is left out."""
        for path in paths:
            with suppress(HTTPError):
                yield self.locate(path)

    def dated(self, file: Path) -> int:
        """When a file was changed last, in nanoseconds."""
        return file.stat().st_mtime_ns

    def content(self, file: Path) -> bytes:
        """What is sent of a file: all of it, as it is."""
        return file.read_bytes()

    def read(self, file: Path) -> tuple[bytes, bytes, str, str]:
        """Content, compressed content ("" when not worth it), tag and date of a file."""
        date = self.dated(file)
        kept = self._kept.get(str(file))
        if kept is None or kept[0] != date:
            plain = self.content(file)
            worth = file.suffix.lower() in COMPRESSIBLE and len(plain) >= SMALLEST
            small = gzip.compress(plain, 6, mtime=0) if worth else b""
            tag = f'"{hashlib.sha256(plain).hexdigest()[:24]}"'
            kept = (date, plain, small, tag, formatdate(date / 1e9, usegmt=True))
            self._kept[str(file)] = kept
        return kept[1:]


class Sheaves(Store):
    """Files, some of which a page asks for as one: each request is a turn at a server that starts a kernel meanwhile, and
    a way there and back for a reader who is far.

    Args:
        roots: as of any store.
        sheaves: name -> names of the files that are joined under it, in this order; those that another version of a
            package does not have are left out.
        beside: directories of more files to join.
    """

    def __init__(
        self, roots: Iterable[Path], sheaves: Mapping[str, Sequence[str]] = SHEAVES, beside: Iterable[Path] = ()
    ) -> None:
        super().__init__(roots)
        parts = Store([*self.roots, *beside])
        self._parts = {name: list(parts.those(names)) for name, names in sheaves.items()}
        self.version = hashlib.sha256(f"{parts.version} {sheaves}".encode()).hexdigest()[:12]

    def locate(self, path: str) -> Path:
        """The file at a path of an address; a name alone for what is joined."""
        return Path(path) if path in self._parts else super().locate(path)

    def dated(self, file: Path) -> int:
        """When a file, or one of those that are joined, was changed last."""
        return max(super(Sheaves, self).dated(part) for part in self._parts.get(str(file), (file,)))

    def content(self, file: Path) -> bytes:
        """The file, or those that are joined."""
        parts = self._parts.get(str(file), (file,))
        return (b"\n;" if file.suffix == ".js" else b"\n").join(part.read_bytes() for part in parts)


class Extensions(Store):
    """The extensions of the page's front end, which is an older JupyterLab than the one they were built with.

    Their builder writes the version it had (``^4.6.2``) where the packages themselves ask for the major one (``^4.0.0``),
    and each page then warns thirteen times of what works. What is sent asks for the major version.
    """

    def __init__(self, roots: Iterable[Path]) -> None:
        super().__init__(roots)
        self.version = hashlib.sha256(f"{self.version} {EXACT.pattern!r}".encode()).hexdigest()[:12]

    def content(self, file: Path) -> bytes:
        """The file; an entry asks JupyterLab's own packages for their major version only."""
        plain = super().content(file)
        return major_only(plain) if file.name.startswith("remoteEntry") else plain


def major_only(entry: bytes) -> bytes:
    """An extension's entry, in either bundler's writing, without the minor versions of JupyterLab that it was built with.

    Args:
        entry: JavaScript.

    >>> major_only(b'shareKey:"@jupyterlab/console",import:null,requiredVersion:"^4.6.2",strictVersion:!1')
    b'shareKey:"@jupyterlab/console",import:null,requiredVersion:"^4.0.0",strictVersion:!1'
    >>> major_only(b'("default","@jupyterlab/statedb",!1,[1,4,5,10]),("default","@lumino/widgets",!1,[1,2,3,1])')
    b'("default","@jupyterlab/statedb",!1,[1,4,0,0]),("default","@lumino/widgets",!1,[1,2,3,1])'
    """
    return EXACT.sub(lambda at: at[1] + (b",0,0]" if at[2] == b"]" else b'.0.0"'), entry)


class StaticHandler(RequestHandler):
    """Serves the files of a store; for good when the address carries the store's version, else to be checked."""

    def initialize(self, store: Store) -> None:
        """Take the store given by the route."""
        self.store = store

    async def get(self, path: str) -> None:
        """Send the file, compressed when the browser accepts it, or 304 when it has it."""
        version, _, rest = path.partition("/")
        fixed = version == self.store.version
        file = self.store.locate(rest if VERSION.fullmatch(version) else path)  # a page of another server names its own
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
