"""A situation as data: a strict, human-editable YAML file; no pixels, no rules.

``load -> dump -> load`` is identity; loader errors name file, place and remedy; ``problems`` (of the game) lists every
fault of a well-formed but impossible position. Positions are immutable: ``change`` returns another one.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_serializer

from tutor.core.cells import CellWords
from tutor.core.changes import changed, copied
from tutor.core.effort import spend
from tutor.core.errors import PositionError, brief
from tutor.core.explained import explain
from tutor.core.grid import HexGrid, SquareGrid, column_of, split_cell
from tutor.core.grids_half import HalfHexGrid
from tutor.core.grids_numbered import NumberedHexGrid
from tutor.core.grids_pointy import PointyHexGrid, PointyHexGridOdd
from tutor.core.limits import excesses
from tutor.core.yamlio import dump_yaml, parse_yaml, read_yaml

#: Longest ``?position=`` accepted, in characters, and the longest text it may unpack to.
MAX_LINK, MAX_TEXT = 2000, 64_000

#: A level as JSON writes it, where keys are texts.
_LEVEL = re.compile(r"-?[0-9]{1,5}")
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_.-]{0,63}$")]
_CELL = r"(?:[A-Z@]{1,2}-?[0-9]{1,3}|(?:[0-9]{2}|-[0-9])\.(?:[0-9]{2}|-[0-9]))"  # J7, or 07.12 on a numbered board
CellName = Annotated[str, StringConstraints(pattern=f"^{_CELL}$")]
ColumnName = Annotated[str, StringConstraints(pattern=r"^(?:[A-Z]{1,2}|[0-9]{2})$")]
SideName = Annotated[str, StringConstraints(pattern=f"^{_CELL}/{_CELL}$")]
#: A text that pages and drawings hold: no control character besides tabs and ends of lines.
Text = Annotated[str, StringConstraints(max_length=2000, pattern=r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]*$")]
Direction = Annotated[int, Field(ge=1, le=6)]
Value = Annotated[int, Field(ge=-99, le=999)]
LatticePoint = tuple[Annotated[int, Field(ge=-20000, le=20000)], Annotated[int, Field(ge=-20000, le=20000)]]
#: What says something though it is nothing.
_NUMBERS = (int, bool)
#: Kind of cells -> grid.
_GRIDS: dict[str, type[HexGrid] | type[SquareGrid]] = {
    "hex": HexGrid,
    "half_hex": HalfHexGrid,
    "hex-numbered": NumberedHexGrid,
    "pointy": PointyHexGrid,
    "pointy_odd": PointyHexGridOdd,
    "square": SquareGrid,
}


@lru_cache(maxsize=16)
def _grid(kind: str, *bounds: int) -> HexGrid | SquareGrid:
    """The one grid of all positions of a board, which works out its cells once."""
    return _GRIDS[kind](*bounds)


class Model(BaseModel):
    """Strict and frozen: unknown keys refused, no silent conversion."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, populate_by_name=True)


class GridSpec(Model):
    """The board: kind of cells, first and last column (letters; two digits when numbered) and row (numbers)."""

    kind: Literal["hex", "square", "half_hex", "hex-numbered", "pointy", "pointy_odd"] = "hex"
    columns: tuple[ColumnName, ColumnName]
    rows: tuple[Annotated[int, Field(ge=0, le=60)], Annotated[int, Field(ge=0, le=60)]]

    @property
    def words(self) -> CellWords:
        """How its cells are called."""
        return _GRIDS[self.kind].words


class Silhouette(Model):
    """A drawn shape that replaces the default one: of the terrain of a hex, or of all ground of a level and above.

    Corners are lattice points (twentieths of a lattice unit, see ``tutor.core.grid``).
    """

    hex: CellName | None = None
    level: Annotated[int, Field(ge=1, le=9000)] | None = None
    polygon: Annotated[list[LatticePoint], Field(min_length=3, max_length=200)]


class Piece(Model):
    """A unit or weapon: who, where, in what state; values when they are not those of its counter."""

    id: Slug
    kind: Slug
    side: Slug
    at: CellName | None = None
    name: Text | None = None
    nation: Slug | None = None
    counter: Annotated[str, StringConstraints(max_length=80)] | None = None
    carrier: Slug | None = None
    front: dict[Slug, Value] = Field(default_factory=dict)
    back: dict[Slug, Value] = Field(default_factory=dict)
    boxed: list[Slug] | None = None
    status: list[Slug] = Field(default_factory=list)
    activated: Slug | None = None
    provenance: Text | None = None


class Tweak(Model):
    """Something the reader may change: a change path, its French label, and its bounds or choices."""

    path: Text
    label: Text
    min: Value | None = None
    max: Value | None = None
    options: dict[str, Text] | None = None


Scalar = bool | int | str | None


class Position(Model):
    """A whole situation. See CONTRIBUTING.md for the format, field by field.

    >>> p = Position.parse("schema: 1\\ngame: combat_commander\\nid: vide\\ngrid: {columns: [A, C], rows: [1, 3]}")
    >>> p.grid.cells[:2], Position.parse(p.dump()) == p
    (('A1', 'A2'), True)
    """

    schema_: Literal[1] = Field(alias="schema")
    game: Slug
    id: Slug
    title: Text = ""
    note: Text | None = None
    provenance: Text | None = None
    board: GridSpec = Field(alias="grid")
    levels: dict[Annotated[int, Field(ge=-500, le=9000)], list[CellName]] = Field(default_factory=dict)
    terrain: dict[Slug, list[CellName]] = Field(default_factory=dict)
    joined: list[list[CellName]] = Field(default_factory=list)
    sides: dict[Slug, list[SideName]] = Field(default_factory=dict)
    ways: dict[Slug, dict[CellName, list[Direction]]] = Field(default_factory=dict)
    silhouettes: Annotated[list[Silhouette], Field(max_length=600)] = Field(default_factory=list)
    markers: dict[Slug, dict[CellName, Scalar]] = Field(default_factory=dict)
    pieces: Annotated[list[Piece], Field(max_length=200)] = Field(default_factory=list)
    state: dict[Slug, Scalar | list[str] | dict[str, Scalar]] = Field(default_factory=dict)
    settings: dict[Slug, str] = Field(default_factory=dict)
    tweaks: list[Tweak] = Field(default_factory=list)

    @model_serializer(mode="wrap")
    def _lean(self, handler: Any) -> dict[str, Any]:
        data: dict[str, Any] = handler(self)
        kept: dict[str, Any] = {k: v for k, v in data.items() if v or v.__class__ in _NUMBERS}
        if "pieces" in kept:
            kept["pieces"] = [
                {k: v for k, v in piece.items() if v or v.__class__ in _NUMBERS or (k == "boxed" and v is not None)}
                for piece in kept["pieces"]
            ]
        return kept

    # -- reading and writing ------------------------------------------------------------------------------------

    @classmethod
    def parse(cls, text: str, path: str = "position") -> Position:
        """Read a position from YAML text.

        Raises:
            ContentError: not readable YAML. PositionError: not a position, every fault listed.
        """
        return cls.from_data(parse_yaml(text, path), path)

    @classmethod
    def load(cls, path: Path) -> Position:
        """Read a position file."""
        return cls.from_data(read_yaml(path), path.name)

    @classmethod
    def from_data(cls, data: Any, path: str = "position") -> Position:
        """Check plain data as a position.

        Raises:
            PositionError: with every fault.
        """
        if not isinstance(data, dict):
            raise PositionError(
                "Ce texte ne décrit pas une position.", path=path, remedy="Commencez par « schema: 1 »."
            )
        try:
            read = cls.model_validate(_tuples(data))
            canonical = read._canonical  # cells in board order, whatever the order of the text
            ordered = cls.model_validate(_tuples(canonical))
        except ValidationError as error:
            raise PositionError(explain(error), path=path, remedy="Corrigez ces lignes, puis rechargez.") from None
        if reasons := excesses(ordered):
            raise PositionError(" ".join(reasons), path=path, remedy="Réduisez cette position, puis rechargez.")
        ordered.__dict__["_canonical"] = canonical  # whoever changes a position changes its data
        return ordered

    def data(self) -> dict[str, Any]:
        """Canonical plain data: keys in order, cells sorted, defaults left out."""
        return dict(copied(self._canonical))

    def __copy__(self) -> Position:
        """A copy whose fields may be given others (``model_copy``): its data is worked out anew."""
        other = super().__copy__()
        other.__dict__.pop("_canonical", None)
        return other

    @cached_property
    def _canonical(self) -> dict[str, Any]:
        """As ``data`` gives it, to read only."""
        kept = self.model_dump(by_alias=True, exclude_none=True)
        kept["grid"] = {key: list(v) if isinstance(v, tuple) else v for key, v in kept["grid"].items()}
        for key in ("levels", "terrain", "sides"):
            if key in kept:
                kept[key] = {k: sorted(set(v), key=_cell_order) for k, v in sorted(kept[key].items()) if v}
        for kind, cells in kept.get("markers", {}).items():  # « no » is no marker
            kept["markers"][kind] = {cell: value for cell, value in cells.items() if value is not False}
        for key in ("ways", "markers"):
            if key in kept:
                kept[key] = {
                    k: dict(sorted(v.items(), key=lambda item: _cell_order(item[0])))
                    for k, v in sorted(kept[key].items())
                    if v
                }
        for shape in kept.get("silhouettes", []):
            shape["polygon"] = [list(point) for point in shape["polygon"]]
        return kept

    def dump(self) -> str:
        """Canonical YAML text."""
        return dump_yaml(self.data())

    def to_link(self) -> str:
        """Compact text for ``?position=``; longer than ``MAX_LINK`` means: offer a file instead."""
        packed = zlib.compress(json.dumps(self.data(), ensure_ascii=False, separators=(",", ":")).encode(), 9)
        return base64.urlsafe_b64encode(packed).decode().rstrip("=")

    @classmethod
    def from_link(cls, text: str) -> Position:
        """Read the compact text form, through the same strict loader.

        Raises:
            PositionError: too long, damaged, or not a position.
        """
        if len(text) > MAX_LINK:
            raise PositionError(
                f"Ce lien est trop long ({len(text)} caractères, {MAX_LINK} au plus).",
                remedy="Enregistrez la position dans un fichier.",
            )
        try:
            unpacker = zlib.decompressobj()
            raw = unpacker.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), MAX_TEXT)
            if unpacker.unconsumed_tail:
                raise PositionError(
                    "Ce lien contient une position trop grande.", remedy="Enregistrez-la dans un fichier."
                )
            if not unpacker.eof:
                raise ValueError("cut short")
            data = json.loads(raw)
        except (ValueError, zlib.error, binascii.Error, RecursionError):
            raise PositionError(
                "Ce lien de position est abîmé.", remedy="Recopiez-le en entier, sans espace."
            ) from None
        if isinstance(data, dict) and isinstance(data.get("levels"), dict):
            levels = data["levels"].items()
            data["levels"] = {int(key) if _LEVEL.fullmatch(key) else key: cells for key, cells in levels}
        return cls.from_data(data, "lien")

    # -- reading the situation ----------------------------------------------------------------------------------

    @cached_property
    def grid(self) -> HexGrid | SquareGrid:
        """The grid object of this board."""
        return _grid(self.board.kind, *map(column_of, self.board.columns), *self.board.rows)

    @cached_property
    def terrain_of(self) -> dict[str, str]:
        """Cell -> terrain, for cells that are not open ground."""
        return {cell: kind for kind, cells in self.terrain.items() for cell in cells}

    @cached_property
    def level_of(self) -> dict[str, int]:
        """Cell -> level, for cells off level 0."""
        return {cell: level for level, cells in self.levels.items() for cell in cells}

    @cached_property
    def sides_of(self) -> dict[str, str]:
        """Canonical side name -> what lies on it."""
        return {self.canonical_side(side): kind for kind, sides in self.sides.items() for side in sides}

    @cached_property
    def by_id(self) -> dict[str, Piece]:
        """Piece id -> piece."""
        return {piece.id: piece for piece in self.pieces}

    def canonical_side(self, side: str) -> str:
        """The side's two cells in board order."""
        one, other = side.split("/")
        return side if _cell_order(one) <= _cell_order(other) else f"{other}/{one}"

    def piece(self, piece_id: str) -> Piece:
        """A piece by id.

        Raises:
            PositionError: there is none.
        """
        try:
            return self.by_id[piece_id]
        except (KeyError, TypeError):  # a file may name a piece by a list
            raise PositionError(
                f"Aucun pion « {brief(piece_id)} » dans cette position.",
                remedy=f"Pions présents : {brief(', '.join(self.by_id) or 'aucun', 300)}.",
            ) from None

    def named(self, names: Any) -> list[Piece]:
        """The pieces of a list of ids, each once.

        Raises:
            PositionError: there is no such piece, or this is no list.
        """
        if not isinstance(names, (list, tuple)):
            raise PositionError(
                f"« {brief(names)} » n’est pas une liste de pions.", remedy="Par exemple [alpha, bravo]."
            )
        return list({piece.id: piece for piece in map(self.piece, names)}.values())

    def hex_of(self, piece_id: str) -> str | None:
        """Where a piece is: its own hex, or its carrier's; nowhere once its status says that it is eliminated."""
        spend()
        return self._place_of(self.piece(piece_id))

    def _place_of(self, piece: Piece) -> str | None:
        carrier = self.by_id.get(piece.carrier) if piece.carrier else None
        gone = "eliminated" in piece.status or (carrier is not None and "eliminated" in carrier.status)
        return None if gone else carrier.at if carrier else piece.at

    def pieces_at(self, cell: str, side: str | None = None) -> list[Piece]:
        """Pieces in a hex, carried weapons included, in file order."""
        spend()
        return [p for p in self.pieces if (side is None or p.side == side) and self._place_of(p) == cell]

    def marker(self, kind: str, cell: str) -> Scalar:
        """Value of a marker in a hex, or None."""
        return self.markers.get(kind, {}).get(cell)

    @cached_property
    def names(self) -> dict[str, str]:
        """Piece id -> name to show."""
        return {p.id: p.name or p.id for p in self.pieces}

    # -- changing it --------------------------------------------------------------------------------------------

    def change(self, changes: Mapping[str, Any]) -> Position:
        """Another position with some things changed.

        Args:
            changes: path -> new value. Paths: ``terrain.K6`` (kind or null), ``level.K6`` (int), ``side.M8/N8`` (kind
                or null), ``way.road.M4`` (list of sides or null), ``marker.smoke.N8`` (value or null), ``piece.ID``
                (null removes), ``piece.ID.at`` / ``.carrier`` / ``.activated`` / ``.name`` / ``.front.fp`` /
                ``.back.fp`` / ``.status.suppressed`` (true or false), ``state.KEY``, ``setting.KEY``.

        Raises:
            PositionError: a path that means nothing, a value of the wrong kind.

        >>> p = Position.parse("schema: 1\\ngame: g\\nid: vide\\ngrid: {columns: [A, C], rows: [1, 3]}")
        >>> p.change({"terrain.B2": "woods"}).terrain_of
        {'B2': 'woods'}
        """
        spend()
        return Position.from_data(changed(self._canonical, changes, Piece.model_fields), "modification")

    def read(self, path: str) -> Any:
        """Current value at a change path.

        Raises:
            PositionError: a path that means nothing.
        """
        head, _, rest = path.partition(".")
        if head == "terrain":
            return self.terrain_of.get(rest)
        if head == "level":
            return self.level_of.get(rest, 0)
        if head == "side":
            return self.sides_of.get(self.canonical_side(rest))
        if head == "state":
            return self.state.get(rest)
        if head == "setting":
            return self.settings.get(rest)
        kind, _, more = rest.partition(".")
        if head == "marker":
            return self.marker(kind, more)
        if head == "way":
            return self.ways.get(kind, {}).get(more)
        if head == "piece":
            piece = self.piece(kind)
            field, _, key = more.partition(".")
            if field == "status":
                return key in piece.status
            if field in ("front", "back"):
                return getattr(piece, field).get(key)
            if field in Piece.model_fields:
                return getattr(piece, field)
        raise PositionError(f"Le chemin « {path} » ne désigne rien.", remedy="Voir les chemins de modification.")


@lru_cache(maxsize=4096)
def _cell_order(name: str) -> tuple[Any, ...]:
    parts = name.split("/")
    key: list[int] = []
    for part in parts:
        key.extend(split_cell(part))
    return tuple(key)


def _tuples(value: Any) -> Any:
    """YAML lists where the model wants tuples: grid bounds and polygon points."""
    value = dict(value)
    grid = value.get("grid")
    if isinstance(grid, dict):
        value["grid"] = {k: tuple(v) if isinstance(v, list) else v for k, v in grid.items()}
    shapes = value.get("silhouettes")
    if isinstance(shapes, list):
        value["silhouettes"] = [
            {**s, "polygon": [tuple(p) if isinstance(p, list) else p for p in s["polygon"]]}
            if isinstance(s, dict) and isinstance(s.get("polygon"), list)
            else s
            for s in shapes
        ]
    return value
