"""Find the PostgreSQL of the tests, or install Debian's, and print the folder of its programs.

Run by the environment's Python. The tests start a private server of their own with them, as an ordinary user.
`LDV_SANS_POSTGRES=1` does without: nothing is printed, and the tests that need it are skipped.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from system import administrator, apt_install, say, stop

NEEDED = ("initdb", "postgres")
#: Where Debian, Fedora, Homebrew and the packages of postgresql.org put the programs.
PLACES = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin", "/usr/local/pgsql/bin")


def folders() -> list[Path]:
    """Folders that have PostgreSQL's programs, the one given first, then the newest."""
    given = os.environ.get("LDV_POSTGRES")
    if given:
        return [Path(given)]
    places = [place for pattern in PLACES for place in Path("/").glob(pattern.lstrip("/"))]
    places.sort(key=lambda place: [int(number) for number in re.findall(r"\d+", str(place))], reverse=True)
    if there := shutil.which("initdb"):
        places.append(Path(there).resolve().parent)
    return places


def find() -> Path | None:
    """The first folder that has the programs."""
    complete = (place for place in folders() if all(os.access(place / name, os.X_OK) for name in NEEDED))
    return next(complete, None)


def main() -> str:
    """The folder of the programs, installed now where that can be done; "" when the tests do without.

    Raises:
        SystemExit: when there is none and none could be installed, with one line.
    """
    if os.environ.get("LDV_SANS_POSTGRES") == "1":
        return ""
    folder = find()
    if folder is None and shutil.which("apt-get") and administrator() is not None:
        say("Installation de PostgreSQL (paquet postgresql)…")
        apt_install("postgresql")
        folder = find()
    if folder is None:
        stop(
            "Il manque PostgreSQL pour les tests ; tapez : sudo apt-get install -y postgresql "
            "(ou LDV_SANS_POSTGRES=1 pour vous en passer)"
        )
    return str(folder)


if __name__ == "__main__":
    print(main())
