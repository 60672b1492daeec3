"""Charts that the booklet does not print: the cells it lets know, a fictive set, or the reader's own.

Every chart ``x`` is a table; ``fictif_x`` is ours, for lessons, and agrees with every printed cell. A reader's chart
file has the same shape (one table, ``id: x``); it is taken with :attr:`supply_file`, or found through the environment
variable ``LDV_TCS_CHARTS`` (a file or a folder of ``.yaml`` files), and used where the setting ``charts`` says
``reader``.

**Rule:** 11.0, 11.3, 12.1, 7.1a, 17.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tutor.core.context import Context
from tutor.core.errors import UnknownValue
from tutor.core.supplied import Shelf
from tutor.core.tables import Cell, Table
from tutor.core.trace import Operand, Place
from tutor.core.yamlio import dump_yaml
from tutor.games.tcs.game import GAME

#: Charts that may be supplied.
CHARTS = (
    "fire_columns",
    "fire",
    "area_terrain",
    "area_range",
    "area_shifts",
    "stacking_shift",
    "point_entry",
    "point_terrain",
    "point_range",
    "point_shifts",
    "differential",
    "spotting",
    "spotting_shifts",
    "morale",
    "morale_modifiers",
    "at_base",
    "at_modifiers",
)
VARIABLE = "LDV_TCS_CHARTS"
FICTIVE = "fictif"
#: What a morale check may give, from nothing to the worst.
RESULTS = ("none", "suppressed", "paralyzed", "syr", "surrender")
_META = frozenset({"term", "rule", "provenance", "note"})
#: Charts whose rows are the columns of the Fire Table: a reader's own may be cut otherwise than ours.
_OWN_ROWS = frozenset({"fire", "fire_columns"})
_LADDER_NOTE = "Les bornes des colonnes sont les nôtres : corrigez-les d’après votre table, ici et dans « fire »."


def template(name: str) -> str:
    """The file that a reader fills from his own chart: every cell, null where the booklet says nothing.

    Args:
        name: one of CHARTS.

    >>> print(template("differential").splitlines()[0])
    id: differential
    """
    printed, whole = GAME.tables[SHELF.named(name)], GAME.tables[f"{FICTIVE}_{name}"]
    ladder = name == "fire_columns"
    rows = {
        row: {
            "term": whole.term(row),
            **{
                column: whole.get(row, column) if ladder else printed.get(_booklet_row(row, printed), column)
                for column in cells
                if column not in _META
            },
        }
        for row, cells in whole.rows.items()
    }
    head = {"id": name, "title": printed.title, "rule": printed.rule, "provenance": "aide de jeu publiée"}
    return dump_yaml({**head, **({"note": _LADDER_NOTE} if ladder else {}), "rows": rows})


def _booklet_row(row: str, printed: Table) -> str:
    return "deux sous 4" if row == "2" and printed.has("deux sous 4") else row


def faults(table: Table) -> Iterator[str]:
    """Every fault of a reader's chart, in French: unknown rows and columns, impossible values; empty cells may stay."""
    whole = GAME.tables[f"{FICTIVE}_{table.id}"]
    free = table.id in _OWN_ROWS
    for row, cells in table.rows.items():
        if row not in whole.rows and not free:
            yield f"la ligne {row} est inconnue"
            continue
        allowed = next(iter(whole.rows.values())) if free else whole.rows[row]
        for column in (str(c) for c in cells if c not in _META):
            if column not in allowed:
                yield f"{row}.{column} est inconnue"
                continue
            value = table.get(row, column)
            if value is not None and not _possible(table.id, column, value):
                yield f"{row}.{column} : « {value} » n’est pas {_expected(table.id)}"


def _possible(name: str, column: str, value: Any) -> bool:
    if name == "fire":
        return value == "none" or (type(value) is int and 0 < value <= 30)
    if name == "morale":
        return value in RESULTS
    if name == "point_entry":
        return isinstance(value, str)
    return (column == "run" and isinstance(value, str)) or (type(value) is int and -30 <= value <= 9999)


def _expected(name: str) -> str:
    return {
        "fire": "un nombre de pas, ou none",
        "morale": f"un résultat ({', '.join(RESULTS)})",
        "point_entry": "le nom d’une colonne",
    }.get(name, "un nombre entier")


def contradictions(table: Table) -> list[str]:
    """Cells in which a chart denies what the booklet prints, as ``row.column``; none for the columns' own ladder."""
    printed = GAME.tables[table.id.removeprefix(f"{FICTIVE}_")]
    if printed.id == "fire_columns":
        return []
    denied = []
    for row, cells in printed.rows.items():
        twin = _twin(row, table)
        for column in cells:
            value = printed.get(row, column)
            if column in _META or value is None or column.endswith("_at_least"):
                continue
            if table.get(twin, column) != value:
                denied.append(f"{row}.{column}")
    return denied


def _wrong(table: Table) -> list[str]:
    """Every fault of a reader's chart; when its shape is right, what the booklet denies."""
    problems = list(faults(table))
    denied = [] if problems else contradictions(table)
    return [*problems, *([f"elle contredit le livret : {' ; '.join(denied)}"] if denied else [])]


SHELF = Shelf(CHARTS, VARIABLE, _wrong)
supply, supply_file, withdraw = SHELF.supply, SHELF.supply_file, SHELF.withdraw


def _twin(row: str, table: Table) -> str:
    """The row of a whole chart that an unnamed printed row stands for."""
    return "2" if row == "deux sous 4" and not table.has(row) else row


def chart(ctx: Context, name: str) -> Table:
    """The chart that the position's settings choose."""
    which = ctx.setting("charts")
    if which == FICTIVE:
        return GAME.tables[f"{FICTIVE}_{name}"]
    if which != "reader":
        return GAME.tables[name]
    return SHELF.get(name) or GAME.tables[name]


def known(ctx: Context, name: str, row: str, column: str) -> Any:
    """A value of a chart, untraced, None when unknown."""
    return chart(ctx, name).get(row, column)


def read(
    ctx: Context, name: str, row: str, column: str, code: str, rule: str, where: Iterable[Place] = (), **operands: Any
) -> Any:
    """A value of a chart, recorded as a table step with its provenance; one that is missing is recorded as such.

    Args:
        name: chart.
        row, column: cell.
        code: sentence of the step.
        rule: what asks for it; operands: of the sentence.

    Raises:
        UnknownValue: it has not been supplied.
    """
    try:
        cell = cell_of(ctx, name, row, column, rule)
    except UnknownValue:
        missing = Operand(row, "table", f"{name}.{row}.{column}")
        ctx.step(rule, code, "table", value=None, where=where, row=missing, **operands)
        raise
    note = note_of(name, row, column, cell)
    ctx.step(
        rule, code, "table", value=cell.value, where=where, note=note, row=Operand(row, "table", cell.path), **operands
    )
    return cell.value


def note_of(name: str, row: str, column: str, cell: Cell) -> str | None:
    """Provenance to show beside a value, None for the booklet's, as is a fictive cell that the booklet prints."""
    printed = GAME.tables[name]
    if cell.provenance == FICTIVE and printed.get(row, column) == cell.value and printed.has(row, column):
        cell = printed.cell(row, column)
    return None if cell.provenance == "livret" else cell.provenance


def table_note(ctx: Context, name: str) -> str | None:
    """Provenance to show beside what a whole chart gives, odds for instance; None for the booklet's."""
    provenance = chart(ctx, name).provenance
    return None if provenance == "livret" else provenance


def column_note(ctx: Context, column: str) -> str | None:
    """Provenance to show beside a column of the Fire Table: ours when the booklet does not name it."""
    ladder = chart(ctx, "fire_columns")
    return None if GAME.tables["fire_columns"].has(column) else ladder.cell(column, "low").provenance


def column_title(ctx: Context, column: str) -> str:
    """What a sentence calls a column of the Fire Table: by its place when the booklet does not name it."""
    ladder = chart(ctx, "fire_columns")
    named = ladder.get(column, "low") is not None if ladder.has(column) else True
    return column if named else ladder.term(column)


def cell_of(ctx: Context, name: str, row: str, column: str, rule: str) -> Cell:
    """A cell of a chart.

    Raises:
        UnknownValue: it has not been supplied.
    """
    table = chart(ctx, name)
    if not table.has(row, column) or table.get(row, column) is None:
        raise UnknownValue(name, f"{row}.{column}", rule)
    return table.cell(row, column)


# -- the columns of the Fire Table --------------------------------------------------------------------------------


def base_column(ctx: Context, total: int) -> str:
    """The column that holds a strength.

    Raises:
        UnknownValue: the booklet does not say which.

    **Rule:** 11.0.
    """
    table = chart(ctx, "fire_columns")
    for row in table.rows:
        low, high = table.get(row, "low"), table.get(row, "high")
        if low is not None and high is not None and low <= total <= high:
            return row
    raise UnknownValue("fire_columns", f"{total}", "11.0")


def shifted(ctx: Context, column: str, shift: int) -> str | None:
    """The column some places to the right (left when negative); None left of column 0; never beyond 101+.

    Raises:
        UnknownValue: the booklet does not say what lies there.

    **Rule:** 11.0.
    """
    table = chart(ctx, "fire_columns")
    run, rank = table.get(column, "run"), int(table.get(column, "rank", 0))
    mates = {int(table.get(row, "rank", 0)): row for row in table.rows if table.get(row, "run") == run}
    place = rank + shift
    if place in mates:
        return mates[place]
    if place < min(mates) and min(mates.values(), key=lambda r: table.get(r, "rank", 0)) == "0":
        return None
    if place > max(mates) and mates[max(mates)] == "101+":
        return "101+"
    raise UnknownValue("fire_columns", f"{column} {shift:+}", "11.0")
