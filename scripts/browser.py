"""Find the browser of the tests, or install one, and print its path.

Run by the environment's Python. Tried in this order, each judged by opening a blank page: `LDV_CHROMIUM`, Debian's
`chromium-headless-shell` (the same browser without windows, for half of the processor's time), installed where that can
be done, a Chromium or Chrome of the machine, Debian's `chromium` (with fonts), Playwright's own download. What opened once is not
opened again as long as the file has not changed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from system import ENVIRONMENT, LOG, ROOT, administrator, apt_install, quietly, say, stop

SEEN = ENVIRONMENT / "ligne-de-vue.browser"
SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
APPLICATIONS = ("Google Chrome.app/Contents/MacOS/Google Chrome", "Chromium.app/Contents/MacOS/Chromium")
#: For a machine that does ten other things.
SECONDS = 180.0


def candidates() -> Iterator[str]:
    """Browsers that this machine seems to have."""
    for name in NAMES:
        if path := shutil.which(name):
            yield path
    for application in APPLICATIONS:
        if (path := Path("/Applications", application)).is_file():
            yield str(path)


def mark(path: str) -> list[str | int]:
    """What tells that the file at `path` is still the one that opened."""
    state = Path(path).stat()
    return [path, state.st_size, state.st_mtime_ns]


def remembered() -> str | None:
    """The browser that opened the last time, if it is still the same file."""
    try:
        seen = json.loads(SEEN.read_text(encoding="utf-8"))
        path = str(seen[0])
        return path if seen == mark(path) else None
    except (OSError, ValueError, LookupError, TypeError):
        return None


def opens(path: str) -> bool:
    """True when the browser at `path` opens a blank page without a screen."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        command += ["--no-first-run", f"--user-data-dir={profile}", "--dump-dom", "about:blank"]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)
        except (OSError, subprocess.TimeoutExpired):
            return False
    if done.returncode != 0 or b"<html" not in done.stdout:
        return False
    SEEN.write_text(json.dumps(mark(path)), encoding="utf-8")
    return True


def shell() -> Iterator[str]:
    """Debian's browser without windows, installed now if it is not there, with fonts that have accents and bold."""
    if shutil.which(SHELL) is None and shutil.which("apt-get") and administrator() is not None:
        say(f"Installation de Chromium (paquets {SHELL} et fonts-dejavu)…")
        apt_install(SHELL, "fonts-dejavu")
    if path := shutil.which(SHELL):
        yield path


def debian() -> Iterator[str]:
    """The browser of Debian's `chromium` package, installed now, with fonts that have accents and bold."""
    if shutil.which("apt-get") is None or administrator() is None:
        return
    say("Installation de Chromium (paquets chromium et fonts-dejavu)…")
    if apt_install("chromium", "fonts-dejavu") is None:
        yield from candidates()


def playwright() -> Iterator[str]:
    """Playwright's own Chromium, downloaded now into `.browsers`, then once more with the libraries it needs."""
    tool = [sys.executable, "-m", "playwright"]
    where = {"PLAYWRIGHT_BROWSERS_PATH": os.environ.get("PLAYWRIGHT_BROWSERS_PATH", str(ROOT / ".browsers"))}
    say("Téléchargement de Chromium par Playwright…")
    if quietly([*tool, "install", "chromium"], where) is not None:
        return
    ask = "from playwright.sync_api import sync_playwright as p\nwith p() as q: print(q.chromium.executable_path)"
    answer = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, env={**os.environ, **where})
    path = answer.stdout.strip()
    if not path:
        return
    yield path
    if shutil.which("apt-get") and administrator() is not None:
        quietly([*tool, "install-deps", "chromium"], where)
        yield path


def require_driver() -> None:
    """Make sure that Playwright's driver starts: its Node.js needs a library that a bare Debian does not have."""
    check = [sys.executable, "-m", "playwright", "--version"]
    problem = quietly(check)
    if problem is None:
        return
    if "libatomic" in problem:
        if administrator() is not None and apt_install("libatomic1") is None and quietly(check) is None:
            return
        stop("Il manque à Playwright la bibliothèque libatomic ; tapez : sudo apt-get install -y libatomic1")
    stop(f"Playwright, qui conduit le navigateur des tests, ne démarre pas : {problem}")


def find() -> str:
    """The path of a browser that opens and that Playwright can drive.

    Raises:
        SystemExit: when there is none and none could be installed, with one line.
    """
    chosen = os.environ.get("LDV_CHROMIUM", "")
    chosen = shutil.which(chosen) or chosen
    last = remembered()
    if last is not None and chosen in ("", last):
        return last
    require_driver()
    if chosen:
        if opens(chosen):
            return chosen
        stop(
            f"LDV_CHROMIUM désigne « {chosen} », qui n’ouvre pas une page vide : corrigez cette variable ou retirez-la."
        )
    for source in (shell, candidates, debian, playwright):
        for path in source():
            if opens(path):
                return path
    stop(
        f"Il manque un navigateur pour les tests (détails dans {LOG.relative_to(ROOT)}) ; donnez le chemin d’un "
        "Chromium dans LDV_CHROMIUM, ou tapez : sudo apt-get install -y chromium fonts-dejavu"
    )


if __name__ == "__main__":
    print(find())
