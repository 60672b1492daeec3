"""Write anew which pieces of Voilà's scripts and of the extensions a page asks for: after another version of one of them.

Run from the root by the environment's Python, as a module: `.venv/bin/python -m scripts.pieces`.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from bench.pages import SIGHT, browsing, reading, served
from widgets.serving.options import JUPYTER_DATA
from widgets.serving.statics import ENTRY

LIST = JUPYTER_DATA / "voila" / "pieces.txt"
FOLDERS = ("/voila/static/", "/voila/labextensions/")


def piece(address: str) -> str:
    """The name of a piece, as the list has it; "" of anything else that a page asks for.

    >>> piece("http://localhost/voila/static/1f/143.voila.js"), piece("http://localhost/voila/static/1f/voila.js")
    ('143.voila.js', '')
    >>> piece("http://localhost/voila/labextensions/1f/ipycanvas/static/287.f6e4.js?v=f6e4")
    'ipycanvas/static/287.f6e4.js'
    """
    path = urlsplit(address).path
    folder = next((one for one in FOLDERS if path.startswith(one)), "")
    name = path.removeprefix(folder).partition("/")[2]
    entry = name == ENTRY or name.rpartition("/")[2].startswith("remoteEntry")
    return name if folder and name.endswith(".js") and not entry else ""


def main() -> None:
    """Open a lesson without any piece brought along, and write what it asked for."""
    LIST.write_text("", encoding="utf-8")
    with browsing() as browser, served() as server, reading(browser, server, SIGHT) as page:
        asked: list[str] = page.evaluate("performance.getEntriesByType('resource').map(one => one.name)")
    names = sorted({name for name in map(piece, asked) if name}, key=lambda name: ("/" in name, name))
    LIST.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")


if __name__ == "__main__":
    main()
