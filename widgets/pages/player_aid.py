"""The player aid: one page to print, written from the tables,
the index and the same functions that play the lessons.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

import ipywidgets as ipw

from tutor.core.dice import chance, product
from tutor.core.phrases import NBSP, percent, signed
from tutor.core.registry import GAMES, ask, game, load_position
from tutor.core.typography import typography
from widgets.host.prose import box, html, rule_chip
from widgets.pages.opening import opened
from widgets.pages.terrain_chart import STYLE, chart_html, entries

GAME_ID = GAMES.of_page("aid")
PRINT = """<style>
.ldv-aid { columns: 2 24rem; column-gap: 1.5rem; font-size: .85rem; }
.ldv-aid section { break-inside: avoid; margin-bottom: 1rem; }
.ldv-aid table { border-collapse: collapse; width: 100%; }
.ldv-aid th, .ldv-aid td { padding: .15rem .35rem !important; text-align: left; }
.ldv-aid-box { max-width: 100%; overflow-x: auto; }
@media screen and (max-width: 640px) {
  .ldv-aid { columns: 1; }
  .ldv-aid th, .ldv-aid td { padding: .15rem !important; }
}
@media print {
  @page { size: A4; margin: 7mm; }
  .ldv-aid { columns: 3; column-gap: 4mm; font-size: 6pt; line-height: 1.15; }
  .ldv-aid section { margin: 0 0 1.5mm; }
  .ldv-aid h2 { font-size: 7.5pt !important; margin: 0 0 .5mm !important; line-height: 1.1 !important; }
  .ldv-aid ol { margin: 0; padding-left: 3mm; }
  .ldv-aid table, .ldv-aid th, .ldv-aid td, .ldv-aid li, .ldv-aid small {
    font-size: 6pt !important; line-height: 1.1 !important;
  }
  .ldv-aid th, .ldv-aid td { padding: .15mm .6mm !important; }
  .ldv-aid .ldv-rule { border: 0; padding: 0; font-size: 5pt !important; }
  .ldv-aid svg { width: 11px !important; height: 10px !important; }
  .ldv-aid .ldv-chart tbody th > div { gap: 1mm; }
  .ldv-aid-note, header, footer, nav, .ldv-controls-box { display: none !important; }
  h1 { font-size: 10pt !important; margin: 0 !important; } h1::after { display: none !important; }
  body, main, #rendered_cells, #ldv-content { margin: 0 !important; padding: 0 !important; }
}
</style>"""


def section(title: str, inner: str) -> str:
    """One part of the page."""
    return f"<section><h2>{escape(title)}</h2>{inner}</section>"


def grid(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table whose first column names the rows; cells are HTML."""
    top = "".join(f'<th scope="col">{escape(h)}</th>' for h in heads)
    body = "".join(
        f'<tr><th scope="row">{first}</th>' + "".join(f"<td>{cell}</td>" for cell in rest) + "</tr>"
        for first, *rest in rows
    )
    return f'<div class="ldv-aid-box"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'


def summaries(rules: Iterable[str]) -> str:
    """Entries of the index, in order, with their summaries."""
    rulebook = game(GAME_ID)
    items = (
        f"<li>{rule_chip(GAME_ID, rule)} <b>{escape(rulebook.section(rule).title)}</b>{NBSP}: "
        f"{escape(rulebook.section(rule).summary)}</li>"
        for rule in rules
    )
    return f"<ol>{''.join(items)}</ol>"


def reached(value: Any, path: str) -> Any:
    """What a path of fields and keys leads to in an answer.

    >>> reached({"results": {"rallied": 3}}, "results.rallied")
    3
    """
    for name in path.split("."):
        value = value[name] if isinstance(value, Mapping) else getattr(value, name)
    return value


def odds_rows(part: Mapping[str, Any]) -> list[list[str]]:
    """Chances row by row, from the questions that play the lessons.

    Args:
        part: a part of ``aid.yaml``: its position, its rows (numbers or terms), the question of each cell.
    """
    rulebook = game(GAME_ID)
    position = load_position(GAME_ID, part["position"]).change(part.get("changes", {}))
    base = part.get("given")
    added = ask(position, base["ask"], **base["with"], trace=False).value if base else 0
    rows = []
    for row in part.get("terms") or range(part["from"], part["to"] + 1):
        board = position.change({part["change"]: added + row}) if "change" in part else position
        answers: dict[str, Any] = {}
        cells = []
        for cell in part["cells"]:
            given = cell.get("with", {}) | ({part["argument"]: row} if "argument" in part else {})
            key = repr((cell["ask"], given, cell.get("changes")))
            if key not in answers:
                here = board.change(cell.get("changes", {}))
                answers[key] = ask(here, cell["ask"], **given, trace=False).value
            cells.append(percent(reached(answers[key], cell["value"])))
        head = signed(row) if part.get("signed") else str(row)
        rows.append([escape(rulebook.phrases.term(row)) if "terms" in part else head, *cells])
    return rows


def product_rows(part: Mapping[str, Any]) -> list[list[str]]:
    """Chance that the product of two dice exceeds each number."""
    needs = range(part["from"], part["to"] + 1)
    return [[str(need), percent(chance(product, lambda p, least=need: p > least))] for need in needs]


def heads_of(part: Mapping[str, Any]) -> list[str]:
    """Heads of the columns of a part: its own words, then terms of a table as that table calls them."""
    named = part.get("heads_of", {"rows": ()})
    return [*part["heads"], *(typography(game(GAME_ID).tables[named["table"]].term(row)) for row in named["rows"])]


def table_rows(name: str, *columns: str) -> list[list[str]]:
    """Rows of a table of the game: term, the columns asked for, rule."""
    table = game(GAME_ID).tables[name]
    terms = game(GAME_ID).phrases.term
    rows = []
    for row in table.rows:
        cells = (table.get(row, column) for column in columns)
        shown = ["" if c is None else signed(c) if isinstance(c, int) else escape(terms(c)) for c in cells]
        rows.append([escape(table.term(row)), *shown, rule_chip(GAME_ID, str(table.rows[row].get("rule", table.rule)))])
    return rows


def part_html(part: Mapping[str, Any]) -> str:
    """One part of the page, as ``aid.yaml`` has it."""
    if "rules" in part:
        return summaries(part["rules"])
    if "terrains" in part:
        return chart_html(entries())
    if "table" in part:
        return grid(heads_of(part), table_rows(part["table"], *part["columns"]))
    return grid(heads_of(part), product_rows(part) if "product" in part else odds_rows(part))


def aid_html() -> str:
    """The whole page.

    >>> "Bois" in aid_html()
    True
    """
    parts = (section(part["title"], part_html(part)) for part in game(GAME_ID).content("aid.yaml")["parts"])
    return f'{STYLE}{PRINT}<div class="ldv-aid">{"".join(parts)}</div>'


def aid() -> ipw.Widget:
    """The page."""
    note = (
        "<p class='ldv-aid-note'>Tout est écrit d’après les tables et l’index du site. "
        f"Imprimez cette page (Ctrl+P){NBSP}: elle tient sur une feuille A4.</p>"
    )
    return opened(lambda page: box(html(note), html(aid_html()), *page.unseen, css="ldv-part"))
