"""Charts that the booklet does not print: public transcriptions of the full game's, or the reader's own.

Every chart is a table of ``tables/`` whose provenance says that it is a transcription. A reader's chart file has the
same shape (one table, ``id: ift``); it is taken with :attr:`supply_file`, or found through the environment variable
``LDV_ASL_CHARTS`` (a file or a folder of ``.yaml`` files), and used where the setting ``charts`` says ``reader``.

**Rule:** 3.2.3, 3.2.4-procedure, 3.2.4-effet, 3.8, 7.9.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from tutor.core.context import Context, TracedTable
from tutor.core.supplied import Shelf
from tutor.core.tables import Table
from tutor.core.yamlio import dump_yaml
from tutor.games.asl_sk.game import GAME

#: Charts that may be supplied.
CHARTS = ("ift", "close_combat", "calibres", "to_hit", "to_hit_calibre", "to_kill", "to_kill_range")
VARIABLE = "LDV_ASL_CHARTS"
_META = frozenset({"term", "rule", "provenance", "note"})
#: Columns that name or bound a row, which a reader's file repeats as they are.
_LADDER = {"calibres": ("least",), "to_hit_calibre": ("most",), "to_kill": ("calibre",)}
_RESULT = re.compile(r"[1-9]KIA|K/[1-4]|[1-4]MC|NMC|PTC|NE")


def template(name: str) -> str:
    """The file that a reader fills from his own chart: every cell is there, empty.

    Args:
        name: one of CHARTS.

    Raises:
        ContentError: no such chart.

    >>> print(template("ift").splitlines()[0])
    id: ift
    """
    ours, kept = GAME.tables[SHELF.named(name)], _LADDER.get(name, ())
    rows = {
        row: {
            "term": ours.term(row),
            **{c: ours.get(row, c) if c in kept else None for c in cells if c not in _META},
        }
        for row, cells in ours.rows.items()
    }
    head = {"id": name, "title": ours.title, "rule": ours.rule, "provenance": "aide de jeu publiée"}
    return dump_yaml({**head, "rows": rows})


def faults(table: Table) -> Iterator[str]:
    """Every fault of a reader's chart, as French lines: rows and columns missing or unknown, impossible values."""
    ours = GAME.tables[table.id]
    for row in ours.rows:
        if row not in table.rows:
            yield f"la ligne {row} manque"
    for row, cells in table.rows.items():
        if row not in ours.rows:
            yield f"la ligne {row} est inconnue"
            continue
        wanted = {c for c in ours.rows[row] if c not in _META}
        given = {str(c) for c in cells if c not in _META}
        yield from (f"{row}.{c} manque" for c in sorted(wanted - given))
        yield from (f"{row}.{c} est inconnue" for c in sorted(given - wanted))
        for column in sorted(wanted & given):
            value = table.get(row, column)
            if column in _LADDER.get(table.id, ()):
                if value != ours.get(row, column):
                    yield f"{row}.{column} vaut {ours.get(row, column)}, pas {value}"
            elif value is not None and not _possible(table.id, value):
                yield f"{row}.{column} : « {value} » n’est pas {_expected(table.id)}"
    if table.id == "ift":
        yield from _slips(table)


def _possible(name: str, value: Any) -> bool:
    if name == "ift":
        return isinstance(value, str) and bool(_RESULT.fullmatch(value))
    return type(value) is int and -20 <= value <= 60


def _expected(name: str) -> str:
    return "un résultat de l’IFT (2KIA, K/1, 3MC, NMC, PTC ou NE)" if name == "ift" else "un nombre entier"


def severity(result: str) -> int:
    """Rank of a result of the IFT, from nothing to the worst.

    >>> [severity(r) for r in ("NE", "PTC", "NMC", "2MC", "K/1", "3KIA")]
    [0, 1, 2, 4, 7, 13]
    """
    if result in ("NE", "PTC", "NMC"):
        return ("NE", "PTC", "NMC").index(result)
    if result.endswith("MC"):
        return 2 + int(result[:-2])
    return 6 + int(result[2:]) if result.startswith("K/") else 10 + int(result[:-3])


def _slips(table: Table) -> Iterator[str]:
    """Cells of an IFT milder than the one below: surely a slip of the pen."""
    rows = [row for row in GAME.tables["ift"].rows if row in table.rows]
    for column in GAME.tables["ift"].rows["r0"]:
        cells = [(row, table.get(row, column)) for row in rows]
        known = [(row, v) for row, v in cells if isinstance(v, str) and _RESULT.fullmatch(v)]
        for (row, value), (below, worse) in pairwise(known):
            if severity(value) < severity(worse):
                yield f"{row}.{column} ({value}) est moins grave que {below}.{column} ({worse})"


SHELF = Shelf(CHARTS, VARIABLE, faults)
supply, supply_file, withdraw = SHELF.supply, SHELF.supply_file, SHELF.withdraw


def chart(ctx: Context, name: str) -> TracedTable:
    """The chart that the position's settings choose; its reads are recorded with their provenance."""
    return TracedTable(untraced_chart(ctx, name), ctx)


def untraced_chart(ctx: Context, name: str) -> Table:
    """The chart that the position's settings choose, untraced."""
    if ctx.setting("charts") != "reader":
        return GAME.tables[name]
    return SHELF.get(name) or GAME.tables[name]
