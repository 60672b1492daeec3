"""Processes of a run that was killed: servers, browsers and databases of a suite whose own process is gone.

Every process that a suite starts inherits a variable that names the suite; the next suite of the same checkout reads it,
and ends, by number, what belongs to a suite that no longer runs.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parent.parent
#: Names the checkout, and the process of the suite with its time of birth: numbers are used again.
MARK = "LIGNE_DE_VUE_SUITE"


def mark() -> str:
    """What the processes of this suite are marked with."""
    own = psutil.Process()
    return f"{own.pid}:{own.create_time():.2f}:{ROOT}"


def put_mark() -> None:
    """Mark all that this process starts from now on; whoever is marked already belongs to a suite that runs."""
    os.environ.setdefault(MARK, mark())


def orphans() -> list[psutil.Process]:
    """Processes of suites of this checkout that no longer run."""
    orphaned = []
    for process in psutil.process_iter():
        try:
            said = process.environ().get(MARK, "")
            pid, _, rest = said.partition(":")
            born, _, root = rest.partition(":")
            if root == str(ROOT) and not runs(int(pid), float(born)):
                orphaned.append(process)
        except (psutil.Error, OSError, ValueError):
            continue
    return orphaned


def runs(pid: int, born: float) -> bool:
    """Whether a process of this number and this time of birth is there (within two seconds: clocks are set right).

    Args:
        pid: its number.
        born: seconds since 1970.
    """
    try:
        return abs(psutil.Process(pid).create_time() - born) < 2.0
    except psutil.Error:
        return False


def end_orphans() -> list[str]:
    """End what a killed run left, with the folders of its databases.

    Returns:
        what was ended: number and command line of each.
    """
    ended = []
    left = orphans()
    for process in left:
        try:
            words, place = " ".join(process.cmdline())[:120], Path(process.cwd())
            process.kill()
        except (psutil.Error, OSError):
            continue
        ended.append(f"{process.pid} {words}")
        if place.parent == Path(tempfile.gettempdir()) and place.name.startswith("ldv-pg-"):
            shutil.rmtree(place, ignore_errors=True)
    psutil.wait_procs(left, timeout=10)
    return ended
