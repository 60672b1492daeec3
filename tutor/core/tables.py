"""Tables of numbers, each cell with its French term, rule id and provenance; reads are recorded by whoever traces them.

A table file is YAML::

    id: terrain
    title: Tableau du Terrain
    rule: T78            # default rule id of its rows
    provenance: livret   # default provenance
    rows:
      woods: {term: Bois, rule: T99, cover: 2, move: 2, los: obstacle, blind_hex: true}
      bridge: {term: Pont, rule: T80, hindrance: {value: 1, provenance: aide de jeu publiée}}

A cell is a plain value, or a mapping with ``value`` and its own ``provenance``, ``rule`` or ``note``. A null is
*unknown*.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tutor.core.errors import ContentError, RequestError, UnknownValue

PROVENANCES = (
    "livret",
    "aide de jeu publiée",
    "table d’ASL complet, transcription publique",
    "déduit",
    "interprétation",
    "usage, hors livret",
    "fictif",
)
_META = frozenset({"term", "rule", "provenance", "note"})


@dataclass(frozen=True, slots=True)
class Cell:
    """One number of a rulebook, with what it is and where it comes from."""

    table: str
    row: str
    column: str
    value: Any
    rule: str
    provenance: str
    note: str | None = None

    @property
    def path(self) -> str:
        """``table.row.column``."""
        return f"{self.table}.{self.row}.{self.column}"


class Table:
    """One table of a game, read-only.

    Args:
        data: the parsed YAML mapping.
        path: file it came from, for errors.

    Raises:
        ContentError: unknown provenance, missing keys.

    >>> t = Table({"id": "terrain", "title": "Terrain", "rule": "T78", "provenance": "livret",
    ...            "rows": {"woods": {"term": "Bois", "rule": "T99", "cover": 2}}}, "demo.yaml")
    >>> t.cell("woods", "cover").value, t.cell("woods", "cover").rule, t.term("woods")
    (2, 'T99', 'Bois')
    """

    def __init__(self, data: Mapping[str, Any], path: str) -> None:
        try:
            self.id: str = data["id"]
            self.title: str = data["title"]
            self.rule: str = data["rule"]
            self.provenance: str = data["provenance"]
            self.rows: Mapping[str, Mapping[str, Any]] = data["rows"]
        except KeyError as error:
            raise ContentError(
                f"La clé {error} manque.", path=path, remedy="Une table a id, title, rule, provenance, rows."
            ) from None
        self.note: str | None = data.get("note")
        self.path = path
        for row, cells in self.rows.items():
            for label in (self.provenance, *(self._origin(cells, c)[1] for c in cells if c not in _META)):
                if label not in PROVENANCES:
                    raise ContentError(
                        f"Provenance « {label} » inconnue.",
                        path=f"{path}: rows.{row}",
                        remedy=f"Choisissez parmi {', '.join(PROVENANCES)}.",
                    )

    def _origin(self, cells: Mapping[str, Any], column: str) -> tuple[str, str, str | None]:
        own = cells[column] if isinstance(cells.get(column), Mapping) and "value" in cells[column] else {}
        return (
            own.get("rule", cells.get("rule", self.rule)),
            own.get("provenance", cells.get("provenance", self.provenance)),
            own.get("note", cells.get("note")),
        )

    def has(self, row: str, column: str | None = None) -> bool:
        """Whether the row (and the column in it) exists."""
        return row in self.rows and (column is None or column in self.rows[row])

    def cell(self, row: str, column: str) -> Cell:
        """One cell.

        Raises:
            UnknownValue: the rulebook does not print it (null).
            RequestError: there is no such row or column.
        """
        cells = self.rows.get(row)
        if cells is None or column not in cells:
            raise RequestError(f"La table « {self.title} » n’a pas de case {row}.{column}.", path=self.path)
        raw = cells[column]
        value = raw["value"] if isinstance(raw, Mapping) and "value" in raw else raw
        rule, provenance, note = self._origin(cells, column)
        if value is None:
            raise UnknownValue(self.id, f"{row}.{column}", rule)
        return Cell(self.id, row, column, value, rule, provenance, note)

    def get(self, row: str, column: str, default: Any = None) -> Any:
        """A value without provenance, for drawing and compiling boards; absent or unknown gives the default."""
        if not self.has(row, column):
            return default
        raw = self.rows[row][column]
        value = raw["value"] if isinstance(raw, Mapping) and "value" in raw else raw
        return default if value is None else value

    def term(self, row: str) -> str:
        """French term of a row."""
        return str(self.rows[row].get("term", row)) if row in self.rows else row
