"""What parsing a file of the package, or a golden case, gave, kept where Python keeps compiled modules: YAML is slow to parse.

A kept result is used only for the very same bytes (a digest, not a date: the files of a wheel all bear the same one),
and losing it loses nothing: a folder that cannot be written, or a damaged file, only means parsing again.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parent.parent
#: Golden cases of a checkout: every check of a game reads them.
CASES = PACKAGE.parent / "tests" / "games"
#: Change it when the same bytes would be parsed into something else.
FORMAT = b"1"


def kept_file(path: Path) -> Path:
    """Where the parsed form of a file is kept.

    >>> kept_file(PACKAGE / "games" / "sections.yaml").parent.name
    '__pycache__'
    """
    folder = os.path.dirname(path)
    return Path(f"{_beside(folder)}{os.sep}{path.name}.{sys.implementation.cache_tag}.parsed")


@lru_cache(maxsize=64)
def _beside(folder: str) -> str:
    """Where Python keeps the compiled modules of a folder."""
    return os.path.dirname(cache_from_source(os.path.join(folder, "x.py")))


def parsed(path: Path, content: bytes, parse: Callable[[], Any], manner: str = "") -> Any:
    """What ``parse`` gives for a file, from the last time if its bytes are the same.

    Args:
        path: the file; only files of this package and golden cases are kept.
        content: its bytes.
        parse: parses them; what it raises is raised.
        manner: what else, beside the bytes, decides what it gives.

    Returns:
        Plain data, fresh each time.
    """
    if not str(path).startswith((f"{PACKAGE}{os.sep}", f"{CASES}{os.sep}")):
        return parse()
    digest, kept = blake2b(content + FORMAT + manner.encode(), digest_size=20).digest(), kept_file(path)
    with suppress(OSError, EOFError, ValueError, TypeError):
        known, data = marshal.loads(kept.read_bytes())
        if known == digest:
            return data
    data = parse()
    if not sys.dont_write_bytecode:
        with suppress(OSError, ValueError):
            _write(kept, marshal.dumps((digest, data)))
    return data


def _write(kept: Path, content: bytes) -> None:
    """Write as a whole or not at all: several processes may do it at once."""
    kept.parent.mkdir(exist_ok=True, parents=True)
    part = kept.with_name(f"{kept.name}.{os.getpid()}")
    try:
        part.write_bytes(content)
        os.replace(part, kept)
    except OSError:
        part.unlink(missing_ok=True)
        raise
