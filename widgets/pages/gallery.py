"""Every board of the games, and what answers draw on them, at several sizes in both themes: a folder of pictures to be
looked at one by one.

``ldv gallery DOSSIER`` makes it.
"""

from __future__ import annotations

import argparse
import base64
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from html import escape
from pathlib import Path

from tutor.core.position import Position
from tutor.core.registry import GAMES, game, load_position
from tutor.course.crowd import heat
from tutor.course.why import posed
from widgets.board.layers import Fire, Layer, LineOfSight, Outline, Rays, Tint, layers_for
from widgets.board.layers import Path as Way
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
    """Draw every position of some games, and each kind of mark that their lessons' answers lay over one; write the pages
    that show them: one for each game, and their list.

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
        rows = "".join(_drawn(folder, game_id, name, load_position(game_id, name)) for name in names)
        answers = "".join(
            _drawn(folder, game_id, f"reponse-{number:02}", position, layers, where)
            for number, (where, position, layers) in enumerate(overlays(game_id), 1)
        )
        page = folder / f"{game_id}.html"
        body = f"<p>{len(names)} plateaux</p>{rows}<h2>Ce que dessinent les réponses</h2>{answers}"
        page.write_text(_page(GAMES[game_id], body), "utf-8")
        pages.append(page)
    links = "".join(f'<li><a href="{page.name}">{escape(GAMES[page.stem])}</a></li>' for page in pages)
    index = folder / "index.html"
    index.write_text(_page("Galerie des plateaux", f"<ul>{links}</ul>"), "utf-8")
    return [*pages, index]


def overlays(game_id: str) -> Iterator[tuple[str, Position, tuple[Layer, ...]]]:
    """Each kind of mark once, as the first question of a lesson draws it that shows one; last, where a class answers.

    Args:
        game_id: of the game.

    Yields:
        Where it is asked, the position, and what its answer draws.
    """
    seen: set[tuple[object, ...]] = set()
    crowd: tuple[Position, dict[str, int]] | None = None
    for one in posed(game_id):
        if one.source != "leçon":
            continue
        layers = layers_for(one.result, one.position, game(game_id).shapes(one.position))
        kinds = {_kind(layer) for layer in layers}
        if kinds - seen:
            seen |= kinds
            yield one.where, one.position, layers
        occupied = dict.fromkeys(piece.at for piece in one.position.pieces if piece.at in one.position.grid)
        if crowd is None and len(occupied) > 3:
            crowd = one.position, {cell: number for number, cell in enumerate(filter(None, occupied), 1)}
    if crowd:
        yield "une classe", crowd[0], (heat(crowd[1], len(crowd[1])),)


def _kind(layer: Layer) -> tuple[object, ...]:
    """What sets a mark apart from others, when it is looked at."""
    own: tuple[object, ...] = ()
    if isinstance(layer, LineOfSight):
        own = layer.state, layer.rule is not None, bool(layer.touched)
    elif isinstance(layer, Fire):
        own = layer.legal, len(layer.starts) > 1
    elif isinstance(layer, Way):
        own = (layer.legal,)
    elif isinstance(layer, Tint):
        own = layer.role, any(layer.texts)
    elif isinstance(layer, Rays):
        own = (layer.holds,)
    elif isinstance(layer, Outline):
        own = layer.role, *sorted({place.kind for place in layer.places})
    return type(layer).__name__, *own


def _drawn(
    folder: Path, game_id: str, name: str, position: Position, layers: Iterable[Layer] = (), where: str = ""
) -> str:
    """The pictures of one position, or of what an answer draws on it, written; the piece of page that shows them."""
    rows, layers = [], tuple(layers)
    for theme, word in THEMES.items():
        pictures = []
        for size, (width, height) in SIZES.items():
            file = f"{game_id}/{name}-{theme}-{width}.svg"
            drawn = board_svg(position, layers, size=width, height=height, theme=theme, ground="inline")
            (folder / file).write_text(drawn.replace(">", f">{_fonts()}", 1), "utf-8")
            alt = escape(f"{position.title}, {size}, thème {word}", quote=True)
            pictures.append(f'<img src="{file}" alt="{alt}" loading="lazy">')
        rows.append(f'<div class="row {theme}">{"".join(pictures)}</div>')
    head = f"{escape(where or position.title)} <code>{escape(name)}</code>"
    return f"<section><h2>{head}</h2>{''.join(rows)}</section>"


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
