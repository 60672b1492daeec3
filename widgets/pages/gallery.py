"""Every board of the games, drawn at three sizes in both themes: a folder of pictures to be looked at one by one.

``ldv gallery DOSSIER`` makes it.
"""

from __future__ import annotations

import argparse
import base64
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from pathlib import Path

from tutor.core.registry import GAMES, game, load_position
from widgets.board.svg import board_svg

#: A phone's board, a lesson's, and one alone on a wide screen: greatest width and height, in CSS pixels.
SIZES = {"téléphone": (374, 330), "leçon": (760, 560), "large": (1180, 860)}
THEMES = {"light": "clair", "dark": "sombre"}
_FONTS = Path(__file__).parents[1] / "serving" / "jupyter" / "voila" / "templates" / "ldv" / "static" / "fonts"
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;margin:24px;background:#f4f1e8;color:#23291f}"
    "section{margin:0 0 40px}h2{font-size:1.1em}code{color:#5c6153}"
    ".row{display:flex;flex-wrap:wrap;align-items:start;gap:12px;padding:12px}"
    ".dark{background:#1a1d17}img{display:block;max-width:100%;height:auto}"
)


def draw_gallery(folder: Path, game_ids: Iterable[str]) -> list[Path]:
    """Draw every position of some games, and write the pages that show them: one for each game, and their list.

    Args:
        folder: where; made if need be.
        game_ids: of the games.

    Returns:
        The pages that were written, the list last.
    """
    pages = []
    for game_id in game_ids:
        names = game(game_id).positions()
        (folder / game_id).mkdir(parents=True, exist_ok=True)
        rows = "".join(_drawn(folder, game_id, name) for name in names)
        page = folder / f"{game_id}.html"
        page.write_text(_page(GAMES[game_id], f"<p>{len(names)} plateaux</p>{rows}"), "utf-8")
        pages.append(page)
    links = "".join(f'<li><a href="{page.name}">{escape(GAMES[page.stem])}</a></li>' for page in pages)
    index = folder / "index.html"
    index.write_text(_page("Galerie des plateaux", f"<ul>{links}</ul>"), "utf-8")
    return [*pages, index]


def _drawn(folder: Path, game_id: str, name: str) -> str:
    """The pictures of one position, written; the piece of page that shows them."""
    position = load_position(game_id, name)
    rows = []
    for theme, word in THEMES.items():
        pictures = []
        for size, (width, height) in SIZES.items():
            file = f"{game_id}/{name}-{theme}-{width}.svg"
            drawn = board_svg(position, size=width, height=height, theme=theme, ground="inline")
            (folder / file).write_text(drawn.replace(">", f">{_fonts()}", 1), "utf-8")
            alt = escape(f"{position.title}, {size}, thème {word}", quote=True)
            pictures.append(f'<img src="{file}" alt="{alt}" loading="lazy">')
        rows.append(f'<div class="row {theme}">{"".join(pictures)}</div>')
    return f"<section><h2>{escape(position.title)} <code>{escape(name)}</code></h2>{''.join(rows)}</section>"


@cache
def _fonts() -> str:
    """The page's letters, within a picture: one that stands in an ``<img>`` is given none."""
    faces = []
    for weight in (400, 700):
        data = base64.b64encode((_FONTS / f"atkinson-hyperlegible-latin-{weight}-normal.woff2").read_bytes()).decode()
        faces.append(
            f"@font-face{{font-family:'Atkinson Hyperlegible';font-weight:{weight};"
            f"src:url(data:font/woff2;base64,{data}) format('woff2')}}"
        )
    return f"<style>{''.join(faces)}</style>"


def _page(title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="fr"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style><h1>{escape(title)}</h1>{body}</html>\n"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """``ldv gallery``: draw the boards into a folder, say where the page is."""
    parser = argparse.ArgumentParser(prog="ldv gallery")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--game", choices=sorted(GAMES), default=None)
    options = parser.parse_args(argv)
    pages = draw_gallery(options.folder, [options.game] if options.game else list(GAMES))
    print(f"{len(pages) - 1} jeu{'x' if len(pages) > 2 else ''} : ouvrez {pages[-1]}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
