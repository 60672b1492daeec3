"""The terrain chart: every entry with our own picture, its cover, cost and effect on sight, filtered;
and a board to try it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Any

import ipywidgets as ipw

from tutor.core.phrases import NBSP, number, signed
from tutor.core.position import Position
from tutor.core.registry import GAMES, ask, game, load_position
from tutor.core.tables import Table
from tutor.course.links import Link
from tutor.course.search import folded
from widgets.board.errors import guarded
from widgets.board.panels.legend import sample
from widgets.board.svg import board_svg
from widgets.host.page import Page
from widgets.host.prose import box, html, rule_chip
from widgets.pages.opening import opened
from widgets.player.stage import Stage

GAME_ID = GAMES.of_page("terrains")
#: Tables of the chart, in reading order, and how a mover pays in each.
TABLES = ("terrain", "ways", "sides", "markers")


@lru_cache(maxsize=1)
def facts() -> dict[str, Any]:
    """What the game says of its chart, beside its tables: words of the cells, own pictures, the board of trials.

    >>> facts()["trial"]["cell"]
    'B2'
    """
    return dict(game(GAME_ID).content("terrains.yaml"))


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the chart, its values as a reader sees them.

    Args:
        table, row: where it comes from.
        term: French name.
        rule: id.
        cost, cover, sight: in words.
        los: sort of sight.
        note: where a value comes from, when it is not the booklet.
    """

    table: str
    row: str
    term: str
    rule: str
    cost: str
    cover: str
    sight: str
    los: str
    note: str


@lru_cache(maxsize=1)
def entries() -> tuple[Entry, ...]:
    """Every terrain, way, hex side and marker of the tables, in their order.

    >>> [e.cover for e in entries() if e.row == "woods"]
    ['+2']
    """
    tables = game(GAME_ID).tables
    return tuple(
        _entry(tables[name], row) for name in TABLES for row in tables[name].rows if row not in facts()["not_shown"]
    )


def _entry(table: Table, row: str) -> Entry:
    los = str(table.get(row, "los", "clear"))
    hindrance = table.get(row, "hindrance")
    if span := facts()["between"].get(row):
        hindrance = " à ".join(str(table.get(row, column)) for column in span)
    sight = facts()["sights"][los]["cell"] + (f" ({hindrance})" if hindrance is not None else "")
    sight = facts()["sight"].get(row, sight + facts()["except"].get(row, ""))
    own = {c for c in ("move", "cover", "hindrance") if table.has(row, c) and table.get(row, c) is not None}
    notes = {table.cell(row, c).provenance for c in own} - {"livret"}
    rule = str(table.rows[row].get("rule", table.rule))
    return Entry(
        table.id, row, table.term(row), rule, _cost(table, row), _cover(table, row), sight, los, ", ".join(notes)
    )


def _cost(table: Table, row: str) -> str:
    if row in facts()["cost"]:
        return str(facts()["cost"][row])
    if row in facts()["by_way"]:
        return f"{game(GAME_ID).tables['ways'].get('road', 'move')} PM par la voie {facts()['by_way'][row]}"
    if table.get(row, "impassable", False):
        return "interdit"
    if table.id == "sides":
        return f"+{table.get(row, 'cross')} PM"
    value = table.get(row, "move")
    if value is None:
        return "sans effet"
    return f"{value} PM" + (" par ce côté" if table.id == "ways" else "")


def _cover(table: Table, row: str) -> str:
    value = table.get(row, "cover")
    if value is None and table.id != "terrain":
        return str(facts()["cover"].get(row, "celle du terrain"))
    if row in facts()["added"]:
        return f"{signed(value)} à celle du terrain"
    cover = "aucune" if value is None else signed(value) if value else number(value)
    return f"{cover} si traversé" if table.id == "sides" and value else cover


def matching(words: str, los: str) -> tuple[Entry, ...]:
    """Entries whose name or rule holds the words, of one sort of sight (any when empty).

    >>> [e.row for e in matching("foss", "")]
    ['gully']
    """
    wanted = folded(words)
    return tuple(e for e in entries() if (not los or e.los == los) and wanted in folded(f"{e.term} {e.rule} {e.cost}"))


@lru_cache(maxsize=64)
def picture(table: str, row: str) -> str:
    """Our drawing of an entry, as the board paints it; empty when the board draws nothing of it."""
    board = load_position(GAME_ID, facts()["trial"]["position"])
    own = facts()["pictures"].get(row)
    if own is None:
        return sample(board, table, row, "light")
    rows, changes = own
    bare = {**board.data(), "grid": {"kind": "hex", "columns": ["A", "A"], "rows": [1, rows]}, "pieces": []}
    return board_svg(Position.from_data(bare).change(changes), size=64, height=58, theme="light", labels=False)


_COLUMNS = ("Mouvement", "Couverture", "Vue", "Règle")


def card_url(entry: Entry) -> str:
    """Address of the card of an entry, where its live examples are.

    >>> card_url(matching("verger", "")[0])
    '/voila/render/articles.ipynb?jeu=combat_commander&regle=T91'
    """
    return Link("articles", GAME_ID, rule=entry.rule).url


def chart_html(entries: tuple[Entry, ...], pictures: bool = True) -> str:
    """The chart as a table."""
    if not entries:
        return '<p class="ldv-hint">Aucun terrain ne correspond.</p>'
    heads = "".join(f'<th scope="col">{h}</th>' for h in ("Terrain", *_COLUMNS))
    lines = []
    for e in entries:
        drawn = picture(e.table, e.row) if pictures else ""
        note = f" <small>({escape(e.note)})</small>" if e.note else ""
        columns = (escape(e.cost), escape(e.cover), escape(e.sight) + note, rule_chip(GAME_ID, e.rule))
        cells = "".join(f'<td data-label="{head}">{cell}</td>' for head, cell in zip(_COLUMNS, columns, strict=True))
        name = f'<a href="{escape(card_url(e), quote=True)}">{escape(e.term)}</a>'
        lines.append(f'<tr><th scope="row"><div>{drawn}<span>{name}</span></div></th>{cells}</tr>')
    return (
        '<div class="ldv-chart-box"><table '
        f'class="ldv-chart"><thead><tr>{heads}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'
    )


def tried(entry: Entry) -> Position:
    """The little board with an entry in its middle hex, or on the side below it, and what it needs beside it."""
    trial = facts()["trial"]
    cell, side = trial["cell"], f"{trial['cell']}/{trial['end']}"
    change: dict[str, dict[str, Any]] = {
        "terrain": {f"terrain.{cell}": entry.row},
        "ways": {f"way.{entry.row}.{cell}": [1, 4]},
        "sides": {f"side.{side}": entry.row},
        "markers": {f"marker.{entry.row}.{cell}": trial["values"].get(entry.row, True)},
    }
    beside = trial["beside"].get(entry.row, {})
    return load_position(GAME_ID, trial["position"]).change({**change[entry.table], **beside})


STYLE = """<style>
.ldv-chart { border-collapse: collapse; width: 100%; }
.ldv-chart th, .ldv-chart td { padding: .3rem .5rem; text-align: left; vertical-align: middle !important; }
.ldv-chart tbody th > div { display: flex; align-items: center; gap: .5rem; font-weight: 600; }
.ldv-chart svg { flex: none; width: 56px; height: 51px; }
.ldv-chart-box { max-width: 100%; overflow-x: auto; }
@media screen and (max-width: 640px) {
  .ldv-chart thead { display: none; }
  .ldv-chart, .ldv-chart tbody { display: block; }
  .ldv-chart tr {
    display: grid; grid-template-columns: 1fr 1fr; border-bottom: 1px solid var(--ldv-line); padding: .4rem 0;
  }
  .ldv-chart tbody th { grid-column: 1 / -1; border: 0 !important; }
  .ldv-chart td { border: 0 !important; padding: .1rem .3rem !important; font-size: .9rem; }
  .ldv-chart td::before { content: attr(data-label); display: block; font-size: .75rem; opacity: .75; }
  .ldv-chart-box { padding-right: 0; }
}
</style>"""


class TerrainChart:
    """The page: filters, the chart, and a board on which an entry is tried."""

    def __init__(self, page: Page) -> None:
        self.page, trial = page, facts()["trial"]
        self._words = ipw.Text(placeholder="bois, mur, T97…", description="Chercher")
        self._los = ipw.Dropdown(
            options=[("Toutes les vues", ""), *((v["name"], k) for k, v in facts()["sights"].items())],
            description="Vue",
        )
        self._chart = html("")
        for field in (self._words, self._los):
            field.observe(guarded(lambda _: self._filter()), "value")
        self._entry = ipw.Dropdown(
            options=[(e.term, i) for i, e in enumerate(entries())], value=1, description="Terrain"
        )
        self._entry.observe(guarded(lambda _: self._try()), "value")
        self._says = html("")
        self._stage = Stage(page, tried(entries()[1]), label="Banc d’essai", pending="")
        self._stage.board.let_drag(False)
        self.widget = box(
            html(STYLE + "<p>Cherchez un terrain, ou choisissez ce qu’il fait à la vue.</p>"),
            box(self._words, self._los, row=True, css="ldv-choices"),
            self._chart,
            html(
                f"<h2>L’essayer</h2><p>Le terrain choisi est au milieu, en {trial['cell']} ; "
                f"un mur ou une haie, sur le côté {trial['cell']}/{trial['end']}.</p>"
            ),
            self._entry,
            self._says,
            box(self._stage.board_widget, *self._stage.side_widgets, css="ldv-stack"),
            *self.page.unseen,
            css="ldv-part",
        )
        self._filter()
        self._try()

    def _filter(self) -> None:
        self._chart.value = chart_html(matching(self._words.value, self._los.value))

    def _try(self) -> None:
        entry = entries()[self._entry.value]
        position = tried(entry)
        self._stage.place(position)
        self._says.value = (
            f"<p>{escape(game(GAME_ID).section(entry.rule).summary)}</p><ul>{''.join(_asked(position))}</ul>"
            f'<p><a href="{escape(card_url(entry), quote=True)}">{escape(entry.term)}{NBSP}: '
            "ses exemples, question par question</a></p>"
        )
        self._stage.reveal(ask(position, "los", start=facts()["trial"]["start"], end=facts()["trial"]["end"]))


def _asked(position: Position) -> list[str]:
    """What entering the middle hex costs, and the cover that it gives, as the engine has it."""
    start, cell, end = (facts()["trial"][key] for key in ("start", "cell", "end"))
    sentences = []
    for one, other in ((start, cell), (cell, end)):
        cost = ask(position, "step_cost", start=one, end=other)
        said = f"{cost.value} PM" if cost.computed else "refusé"
        sentences.append(f"De {one} à {other}{NBSP}: {said}.")
    for at in (cell, end):
        cover = ask(position, "cover", cell=at, against="fire", firing_from=[start])
        if cover.computed:
            sentences.append(f"Couverture en {at}, contre un tir de {start}{NBSP}: {signed(cover.value.value)}.")
    return [f"<li>{escape(line)}</li>" for line in sentences]


def terrain_chart() -> ipw.Widget:
    """The page."""
    return opened(lambda page: TerrainChart(page).widget)
