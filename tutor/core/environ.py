"""Secrets that come by the environment: read once, then gone, also from what the system shows of the process.

`os.environ.pop` leaves the block that the process was started with as it was: `/proc/<pid>/environ` goes on showing it.
Standard library only: kernels use it.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
from collections.abc import Callable

#: Names of variables that hold secrets, whoever set them.
SECRET = re.compile(r"PASSW|SECRET|TOKEN|CREDENTIAL|PRIVATE|DATABASE_URL|_DSN$|API_?KEY|ACCESS_KEY|DESK_KEY", re.I)


def is_secret(name: str) -> bool:
    """Whether a variable of this name holds a secret.

    >>> is_secret("LDV_DATABASE_URL"), is_secret("PGPASSWORD"), is_secret("LDV_DATA")
    (True, True, False)
    """
    return bool(SECRET.search(name))


def take(name: str) -> str:
    """Value of a variable, "" when there is none; the process and what it starts have it no more."""
    value = os.environ.get(name, "")
    if name in os.environ:
        _blank(name)
        del os.environ[name]
    return value


def shed(goes: Callable[[str], bool]) -> dict[str, str]:
    """Take every variable whose name is to go.

    Args:
        goes: says it of a name.

    Returns:
        What they were.
    """
    return {name: take(name) for name in list(os.environ) if goes(name)}


def _blank(name: str) -> None:
    """Write over the value where it lies, in the block that the system shows; where there is no such block, nothing."""
    if sys.platform == "win32":
        return
    getenv = ctypes.CDLL(None).getenv
    getenv.restype, getenv.argtypes = ctypes.c_void_p, [ctypes.c_char_p]
    place = getenv(os.fsencode(name))
    if place:
        ctypes.memset(place, 0, len(ctypes.string_at(place)))
