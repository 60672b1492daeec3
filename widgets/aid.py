"""The player aid: one page to print, written from the tables, the index and the same functions that play the lessons."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from html import escape
from typing import Any

import ipywidgets as ipw

from tutor.core.dice import chance, product
from tutor.core.phrases import NBSP, percent, signed
from tutor.core.registry import ask, game, load_position
from tutor.core.typography import typography
from widgets.bridge import bridge
from widgets.course_page import course_page
from widgets.lesson_text import box, html, rule_chip, whole_page
from widgets.terrain_chart import GAME_ID, STYLE, chart_html, entries

#: What a turn is, and what may be done in it: entries of the index whose summaries make the sequence.
SEQUENCE = ("5", "5.1", "A24.2", "5.4", "6.1.2", "6.2.2")
FIRE = ("O20.3", "O20.3.1.2", "10.3.2", "O20.3.3", "O20.3.4")
MARGINS = range(-4, 6)
MORALES = range(4, 12)
NEEDS = range(1, 13)
SPACES = range(5, 13)
TRIGGERS = ("event", "jammed", "sniper", "time")
NATIONS = ("germany", "america", "russia")
PRINT = """<style>
.ldv-aid { columns: 2 24rem; column-gap: 1.5rem; font-size: .85rem; }
.ldv-aid section { break-inside: avoid; margin-bottom: 1rem; }
.ldv-aid table { border-collapse: collapse; width: 100%; }
.ldv-aid th, .ldv-aid td { padding: .15rem .35rem !important; text-align: left; }
.ldv-aid-box { max-width: 100%; overflow-x: auto; }
@media screen and (max-width: 640px) { .ldv-aid { columns: 1; } .ldv-aid th, .ldv-aid td { padding: .15rem !important; } }
@media print {
  @page { size: A4; margin: 7mm; }
  .ldv-aid { columns: 3; column-gap: 4mm; font-size: 6pt; line-height: 1.15; }
  .ldv-aid section { margin: 0 0 1.5mm; }
  .ldv-aid h2 { font-size: 7.5pt !important; margin: 0 0 .5mm !important; line-height: 1.1 !important; }
  .ldv-aid ol { margin: 0; padding-left: 3mm; }
  .ldv-aid table, .ldv-aid th, .ldv-aid td, .ldv-aid li, .ldv-aid small { font-size: 6pt !important; line-height: 1.1 !important; }
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
    held = game(GAME_ID)
    items = (
        f"<li>{rule_chip(GAME_ID, rule)} <b>{escape(held.section(rule).title)}</b>{NBSP}: {escape(held.section(rule).summary)}</li>"
        for rule in rules
    )
    return f"<ol>{''.join(items)}</ol>"


def fire_rows() -> list[list[str]]:
    """Chances of a fire by margin (firepower less Morale), from the question that plays the lessons.

    >>> fire_rows()[4][0], fire_rows()[4][1].replace(NBSP, " ")
    ('0', '44,4 %')
    """
    position = load_position(GAME_ID, "tir-pre")
    morale = ask(position, "morale", piece="fusiliers", trace=False).value
    rows = []
    for margin in MARGINS:
        asked: dict[str, Any] = {"firers": ["ligne"], "target": "D3", "trace": False}
        found = ask(position.change({"piece.ligne.front.fp": morale + margin}), "fire_odds", **asked).value
        moving = position.change({"piece.ligne.front.fp": morale + margin, "piece.fusiliers.activated": "move"})
        on_move = ask(moving, "fire_odds", mode="op_fire", **asked).value
        one = found.pieces["fusiliers"]
        rows.append([signed(margin), *map(percent, (one.broken, one.suppressed, on_move.any_broken))])
    return rows


def morale_rows() -> list[list[str]]:
    """Chances to rally, and to have to retreat, by Morale."""
    position = load_position(GAME_ID, "tir-pre").change({"piece.fusiliers.status.broken": True})
    rows = []
    for morale in MORALES:
        rally = ask(position, "recover_odds", piece="fusiliers", morale=morale, trace=False).value.results
        rout = ask(position, "rout_odds", piece="fusiliers", morale=morale, trace=False).value.results
        rows.append([str(morale), percent(rally["rallied"]), percent(rally["suppressed"]), percent(rout["retreat"])])
    return rows


def trigger_name(trigger: str) -> str:
    """A trigger as its table calls it.

    >>> trigger_name("time").replace("\\u202f", " ")
    'Time !'
    """
    return typography(game(GAME_ID).tables["triggers"].term(trigger))


def trigger_rows() -> list[list[str]]:
    """Chance of each trigger on one roll, by nation."""
    position, held = load_position(GAME_ID, "tir-pre"), game(GAME_ID)
    rows = []
    for nation in NATIONS:
        odds = ask(position, "trigger_odds", nation=nation, trace=False).value
        shares: tuple[Fraction, ...] = tuple(getattr(odds, trigger) for trigger in TRIGGERS)
        rows.append([escape(held.phrases.term(nation)), *map(percent, shares)])
    return rows


def space_rows() -> list[list[str]]:
    """Chance that the game ends, by Time space, Sudden Death marker reached."""
    position = load_position(GAME_ID, "objectifs").change({"state.sudden_death": 1})
    return [
        [str(space), percent(ask(position, "sudden_death_odds", time=space, trace=False).value.ends)]
        for space in SPACES
    ]


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


def aid_html() -> str:
    """The whole page.

    >>> "Bois" in aid_html() and trigger_name("time") in aid_html()
    True
    """
    parts = [
        section("Le Tour", summaries(SEQUENCE)),
        section("Un tir", summaries(FIRE)),
        section(
            "Modificateurs du tir", grid(("Cas", "PF", "Total", "Règle"), table_rows("fire_modifiers", "fp", "total"))
        ),
        section("Terrains", chart_html(entries())),
        section(
            "Fortifications",
            grid(
                ("Fortification", "Couverture", "Mortier, Radio", "Règle"),
                table_rows("fortifications", "cover", "indirect_cover"),
            ),
        ),
        section(
            "Chances d’un tir, par PF moins Moral",
            grid(("Écart", "Démoralisée", "Suppression", "En Mouvement"), fire_rows()),
        ),
        section(
            "Ralliement et Déroute, par Moral", grid(("Moral", "Ralliée", "Suppression", "Retraite"), morale_rows())
        ),
        section(
            "Ciblage, par distance plus gêne",
            grid(
                ("Dépasser", "Touche"),
                ([str(n), percent(chance(product, lambda p, least=n: p > least))] for n in NEEDS),
            ),
        ),
        section("Déclencheurs, par jet", grid(("Nation", *map(trigger_name, TRIGGERS)), trigger_rows())),
        section("Mort Soudaine, par case", grid(("Case du Temps", "La partie finit"), space_rows())),
        section("Quand jouer une Action", grid(("Action", "Moment", "Règle"), table_rows("timings", "moment"))),
        section(
            "PV d’une unité éliminée ou sortie", grid(("Unité", "PV", "Règle"), table_rows("elimination", "points"))
        ),
    ]
    return f'{STYLE}{PRINT}<div class="ldv-aid">{"".join(parts)}</div>'


def aid() -> ipw.Widget:
    """The page."""
    told = f"<p class='ldv-aid-note'>Tout est écrit d’après les tables et l’index du site. Imprimez cette page (Ctrl+P){NBSP}: elle tient sur une feuille A4.</p>"
    return whole_page(lambda: box(html(told), html(aid_html()), bridge(), course_page(), css="ldv-part"))
