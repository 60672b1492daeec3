"""Find the nginx of the tests, or install Debian's, and print the path of its program.

Run by the environment's Python. The tests start a private one with it, as an ordinary process. `LDV_SANS_NGINX=1` does
without: nothing is printed, and the tests that need it are skipped.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from system import administrator, apt_install, say, stop

#: Where Debian, Fedora, Homebrew and nginx's own packages put the program, which is often on no ordinary user's path.
PLACES = ("/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin", "/usr/local/nginx/sbin")


def find() -> str | None:
    """The program given, on the path, or in one of the usual places."""
    given = os.environ.get("LDV_NGINX")
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), *PLACES))
    return shutil.which(given or "nginx", path=path)


def main() -> str:
    """The path of the program, installed now where that can be done; "" when the tests do without.

    Raises:
        SystemExit: when there is none and none could be installed, with one line.
    """
    if os.environ.get("LDV_SANS_NGINX") == "1":
        return ""
    program = find()
    if program is None and shutil.which("apt-get") and administrator() is not None:
        say("Installation de nginx (paquets nginx et openssl)…")
        apt_install("nginx", "openssl")
        program = find()
    if program is None:
        stop(
            "Il manque nginx pour les tests ; tapez : sudo apt-get install -y nginx "
            "(ou LDV_SANS_NGINX=1 pour vous en passer)"
        )
    return program


if __name__ == "__main__":
    print(main())
