"""Grounds that were drawn, kept on disk: a board that anybody has seen is there at once, also after a restart."""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
from pathlib import Path

log = logging.getLogger("ligne_de_vue")
#: Bytes of pictures that are kept; those that were read longest ago go first.
MOST = 64 * 1024 * 1024


class KeptGrounds:
    """Compressed pictures in a folder, one file for each.

    Args:
        folder: where; it is made with the first picture.
        version: of the hand that draws them: what another version left is removed.
        most: bytes that all of them may take.

    A folder that cannot be written keeps nothing, and says so once in the log.

    >>> import tempfile
    >>> shelf = KeptGrounds(Path(tempfile.mkdtemp()), "v1")
    >>> shelf.keep("plateau", b"<svg/>")
    >>> shelf.read("plateau"), shelf.read("autre")
    (b'<svg/>', None)
    """

    def __init__(self, folder: Path, version: str, most: int = MOST) -> None:
        self._root, self._folder, self._most = folder, folder / version, most
        self._size: int | None = None
        self._open = True

    def _path(self, name: str) -> Path:
        return self._folder / f"{hashlib.sha256(name.encode()).hexdigest()}.svg.gz"

    def read(self, name: str) -> bytes | None:
        """What is kept under a name, None when nothing is."""
        path = self._path(name)
        try:
            kept = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        return kept

    def keep(self, name: str, picture: bytes) -> None:
        """Keep a picture; whole or not at all, whoever else writes the same."""
        if not self._open or len(picture) > self._most:
            return
        try:
            if self._size is None:
                self._begin()
            path = self._path(name)
            half = path.with_suffix(f".{os.getpid()}")
            half.write_bytes(picture)
            half.replace(path)
            self._size = (self._size or 0) + len(picture)
            if self._size > self._most:
                self._thin()
        except OSError as error:
            self._open = False
            log.warning("grounds are not kept on disk: %s", error)

    def _begin(self) -> None:
        """Make the folder, and remove what other versions left."""
        self._folder.mkdir(parents=True, exist_ok=True)
        for other in self._root.iterdir():
            if other != self._folder and other.is_dir():
                shutil.rmtree(other, ignore_errors=True)
        self._size = sum(size for _, size, _ in self._files())

    def _files(self) -> list[tuple[float, int, Path]]:
        """When each file was last read, its size, where it is; the one that was read longest ago first."""
        every = []
        for path in self._folder.iterdir():
            try:
                known = path.stat()
            except FileNotFoundError:  # another server of this house removed it
                continue
            every.append((known.st_mtime, known.st_size, path))
        return sorted(every)

    def _thin(self) -> None:
        """Remove a quarter of what may be kept, so that it is not done again at once."""
        files = self._files()
        size = sum(one for _, one, _ in files)
        for _, one, path in files:
            if size <= self._most * 3 // 4:
                break
            path.unlink(missing_ok=True)
            size -= one
        self._size = size
