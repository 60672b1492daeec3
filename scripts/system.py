"""What the set-up scripts share: one-line messages, quiet commands, Debian packages without a prompt."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
LOG = ENVIRONMENT / "installation.log"


def say(text: str) -> None:
    """Tell the reader what is going on, on stderr (stdout is for results)."""
    print(text, file=sys.stderr, flush=True)


def stop(text: str) -> NoReturn:
    """Say in one line what is missing and leave with exit code 1."""
    say(text)
    sys.exit(1)


def quietly(command: Sequence[str | Path], env: dict[str, str] | None = None) -> str | None:
    """Run a command with its output in the log and nothing to read from.

    Args:
        command: Program and arguments.
        env: Variables to add to the environment.

    Returns:
        None when it went well, else the most telling line of what it wrote.
    """
    try:
        done = subprocess.run(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(env or {})},
            cwd=ROOT,
        )
    except OSError as error:
        return str(error)
    output = done.stdout.decode(errors="replace")
    if ENVIRONMENT.is_dir():
        with LOG.open("a", encoding="utf-8") as log:
            log.write(f"$ {' '.join(map(str, command))}\n{output}\n")
    if done.returncode == 0:
        return None
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    telling = [line for line in lines if line.startswith(("ERROR:", "E:", "Error:"))]
    return (telling or lines or [f"code {done.returncode}"])[-1]


def administrator() -> list[str] | None:
    """How to run a command as root without being asked for a password; None when there is no way."""
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    if sudo and quietly([sudo, "-n", "true"]) is None:
        return [sudo, "-n"]
    return None


def apt_install(*packages: str) -> str | None:
    """Install Debian packages, never asking anything.

    Args:
        packages: Names of packages.

    Returns:
        None when they are installed, else why not.
    """
    apt = shutil.which("apt-get")
    if apt is None:
        return "apt-get est absent"
    prefix = administrator()
    if prefix is None:
        return "il faut être administrateur"
    path = f"PATH={os.environ.get('PATH', os.defpath)}:/usr/local/sbin:/usr/sbin:/sbin"  # dpkg needs what is there
    command = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", path, apt, "-q", "-y"]
    quietly([*command, "update"])  # a stale list is no reason to give up: the installation decides
    return quietly([*command, "install", "--no-install-recommends", *packages])
