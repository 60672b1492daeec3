"""Find the Firefox of the tests, or install Debian's, and print the path of its program.

Run by the environment's Python. The tests speak with it in WebDriver BiDi, which it understands by itself: Playwright
drives its own Firefox only. Without one, nothing is printed, and the lesson that is played in it is skipped;
`LDV_SANS_FIREFOX=1` asks for that.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from system import administrator, apt_install, say

NAMES = ("firefox-esr", "firefox")
APPLICATION = Path("/Applications/Firefox.app/Contents/MacOS/firefox")


def find() -> str | None:
    """The program given, on the path, or among a Mac's applications."""
    names = (given,) if (given := os.environ.get("LDV_FIREFOX")) else NAMES
    known = (shutil.which(name) for name in names)
    return next((path for path in known if path), str(APPLICATION) if APPLICATION.is_file() else None)


def main() -> str:
    """The path of the program, installed now where that can be done; "" when the tests do without."""
    if os.environ.get("LDV_SANS_FIREFOX") == "1":
        return ""
    program = find()
    if program is None and shutil.which("apt-get") and administrator() is not None:
        say("Installation de Firefox (paquet firefox-esr)…")
        apt_install("firefox-esr")
        program = find()
    if program is None:
        say("Sans Firefox, la leçon qui se joue dans ce navigateur est passée (sudo apt-get install -y firefox-esr).")
    return program or ""


if __name__ == "__main__":
    print(main())
