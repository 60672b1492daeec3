"""The ground as a picture: drawn where it is judged, within its budget, the same each time, in both themes."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import hypot

import pytest
from shapely.geometry import LineString, Point, Polygon
from shapely.ops import unary_union

from tutor.core.drawing import Shape
from tutor.core.position import Position
from tutor.core.registry import GAMES, game, load_position
from widgets.board.paint.plain import plain_ground
from widgets.board.paint.shapes import fitted
from widgets.board.palette import LIGHT
from widgets.ground import ground_sheet, ground_svg
from widgets.ground.colours import mix
from widgets.ground.layout import ROAD, Layout
from widgets.ground.styles import Theme, style
from widgets.ground.svg import Sheet, document, polygons
from widgets.ground.waters import river_band, stream_band, stream_courses

POSITIONS = [(one, path.stem) for one in GAMES for path in sorted((game(one).folder / "positions").glob("*.yaml"))]
#: Kinds of terrain whose silhouette a line of sight meets; a path through them is cut out, except of a plan of walls.
JUDGED = ("woods", "building", "orchard", "field", "grain", "brush", "marsh", "gully", "village", "town", "city")
PLANS = ("stone_building", "wooden_building")
#: Two boards of each game, with several kinds of terrain.
STILL = [
    ("combat_commander", "vallee"),
    ("combat_commander", "artillerie"),
    ("asl_sk", "ecole"),
    ("asl_sk", "route-en-foret"),
    ("tcs", "livret-ldv"),
    ("sherman_leader", "ordres"),
    ("heroes_of_normandie", "batiment"),
    ("heroes_of_normandie", "a-cheval"),
]
NUMBER = re.compile(r"-?(?:\d*\.\d+|\d+)")


@cache
def drawn(game_id: str, name: str) -> tuple[Layout, Sheet]:
    """The ground of a position by day."""
    return ground_sheet(load_position(game_id, name))


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours."""
    lights = []
    for colour in (one, other):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        r, g, b = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        lights.append(0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05)
    return max(lights) / min(lights)


def elements(text: str) -> int:
    """How many elements a picture has."""
    return len(re.findall(r"<(?!/|svg|defs)\w", text))


def rings(data: str) -> list[Polygon]:
    """Polygons of relative path data made of straight lines."""
    read = []
    for piece in filter(str.strip, data.split("z")):
        values = [float(text) for text in NUMBER.findall(piece)]
        x, y = values[:2]
        ring = [(x, y)]
        for dx, dy in zip(values[2::2], values[3::2], strict=False):
            x, y = x + dx, y + dy
            ring.append((x, y))
        if len(ring) > 2:
            read.append(Polygon(ring))
    return read


@pytest.mark.parametrize(("game_id", "name"), POSITIONS)
def test_a_terrain_is_drawn_where_it_is_judged(game_id: str, name: str) -> None:
    layout, sheet = drawn(game_id, name)
    if layout.square or layout.pointy:
        return  # whole squares and tiles: their sides are the mesh
    edges = [ring.exterior for data in sheet.outlines for ring in rings(data)]
    wanted = [one for kind in JUDGED for one in polygons(layout.judged(kind))]
    wanted += [one for kind in PLANS for one in polygons(layout.area(kind))]
    if layout.style.hand != "topographic":  # its heights are between centres, and rules read centres alone
        wanted += [one for level in layout.levels for one in polygons(layout.relief(level))]
    apart = [
        min((one.exterior.hausdorff_distance(edge) for edge in edges), default=99.0) for one in wanted if one.area > 4
    ]
    assert max(apart, default=0.0) <= 0.1  # pixels: path data are in tenths


@pytest.mark.parametrize(("game_id", "name"), POSITIONS)
def test_roads_and_rivers_stay_in_what_is_judged(game_id: str, name: str) -> None:
    layout, _ = drawn(game_id, name)
    terrain = {cell: kind for cell, kind in layout.position.terrain_of.items() if cell in layout.grid}
    lines = [LineString(line) for line in layout.ways("road") if len(line) > 1]
    covered = [layout.cell(cell) for cell in layout.position.ways.get("road", {}) if terrain.get(cell)]
    surface = unary_union([line.buffer(layout.r * ROAD * 0.925, cap_style="flat") for line in lines])
    surface = surface.intersection(unary_union(covered))
    corridor = layout.area("road", "way").buffer(0.3)
    assert surface.difference(corridor).area <= 0.02 * surface.area  # bends are rounded
    own = unary_union([layout.cell(c) for c, kind in terrain.items() if kind in ("water_barrier", "major_bridge")])
    water = river_band(layout).intersection(layout.play)
    assert water.difference(own).area <= 0.01 * water.area


@pytest.mark.parametrize(("game_id", "name"), POSITIONS)
def test_a_ground_is_light(game_id: str, name: str) -> None:
    layout, sheet = drawn(game_id, name)
    text = document(sheet, layout.width, layout.height)
    assert elements(text) <= 210
    assert len(gzip.compress(text.encode())) <= 48_000


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("game_id", GAMES)
def test_the_same_position_gives_the_same_bytes(game_id: str, theme: str) -> None:
    _, name = next(one for one in POSITIONS if one[0] == game_id)
    text = ground_svg(load_position(game_id, name), theme)
    assert text == ground_svg(load_position(game_id, name), theme)
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "undefined" not in text


def blank(game_id: str) -> Position:
    """An open board of a game, three cells by three."""
    _, name = next(one for one in POSITIONS if one[0] == game_id)
    kind = load_position(game_id, name).board.kind
    grid = f"{{kind: {kind}, columns: [A, C], rows: [1, 3]}}" if kind != "numbered" else ""
    return Position.parse(f"schema: 1\ngame: {game_id}\nid: x\ngrid: {grid}")


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("game_id", GAMES)
def test_the_smallest_boards_have_a_ground(game_id: str, rows: int) -> None:
    """The samples of a legend are one cell; a column of cells lies in one line."""
    kind = load_position(game_id, next(name for one, name in POSITIONS if one == game_id)).board.kind
    kind = kind if kind in ("pointy", "square") else "hex"
    grid = f"{{kind: {kind}, columns: [A, A], rows: [1, {rows}]}}"
    board = Position.parse(f"schema: 1\ngame: {game_id}\nid: x\ngrid: {grid}")
    assert elements(ground_svg(board)) > 0


@pytest.mark.parametrize("game_id", GAMES)
def test_whatever_the_game_draws_shows(game_id: str) -> None:
    """A terrain, a way or a side that has a shape adds something to the picture, alone among open cells too.

    Markers apart: the board draws them over the picture.
    """
    rulebook, bare = game(game_id), blank(game_id)

    def judged(position: Position) -> list[Shape]:
        return [shape for shape in rulebook.shapes(position) if shape.layer != "marker"]

    middle = bare.grid.cells[len(bare.grid.cells) // 2]
    side = bare.grid.side(middle, 1)
    plain, shapes = elements(ground_svg(bare)), judged(bare)
    changes = {
        "terrain": {f"terrain.{middle}": None},
        "ways": {f"way.KIND.{middle}": [1, 3] if bare.grid.side_count == 4 else [1, 4]},
        "sides": {f"side.{side}": None},
    }
    hidden = []
    for table, change in changes.items():
        for kind in rulebook.tables[table].rows if table in rulebook.tables else ():
            other = bare.change(
                {key.replace("KIND", kind): kind if value is None else value for key, value in change.items()}
            )
            if judged(other) != shapes and elements(ground_svg(other)) <= plain:
                hidden.append(f"{table} {kind}")
    assert hidden == []


@pytest.mark.parametrize("game_id", GAMES)
def test_no_two_kinds_are_drawn_alike(game_id: str) -> None:
    """Of what tells one terrain, one way or one side from another, each has its own look, in plain tints too."""
    bare, tables = blank(game_id), game(game_id).tables
    middle = bare.grid.cells[len(bare.grid.cells) // 2]
    side, ends = bare.grid.side(middle, 1), [1, 3] if bare.grid.side_count == 4 else [1, 4]
    seen: dict[str, str] = {}
    plainly: dict[str, str] = {}
    for table, change in (("terrain", "terrain.{}"), ("ways", "way.{kind}.{}"), ("sides", "side.{}")):
        for kind in tables[table].rows if table in tables else ():
            key = change.format(side if table == "sides" else middle, kind=kind)
            other = bare.change({key: ends if table == "ways" else kind})
            plain = plain_ground(other, game(game_id).shapes(other), fitted(other.grid, 200, 200), LIGHT)
            for pictures, picture in ((seen, ground_svg(other)), (plainly, str(plain.shapes))):
                assert picture not in pictures, (kind, pictures[picture])
                pictures[picture] = kind


#: What is drawn of what stands on sides, and of ledges: its lightest tone, by hand.
STANDING = ("wall", "hedge", "fence", "cliff_light", "rail")
COMIC = ("wall_fill", "wall_light", "crest", "door", "glass")


@pytest.mark.parametrize("game_id", GAMES)
def test_by_night_what_stands_on_sides_is_lighter_than_the_ground(game_id: str) -> None:
    night = style(game_id, "dark")
    for role in (*STANDING, *(COMIC if night.hand == "comic" else ())):
        assert contrast(night[role], night["ground"]) >= 2.9, role
    for floor in ("floor_a", "floor_b", "floor_c") if night.hand == "comic" else ():
        assert contrast(night["door"], night[floor]) >= 2.5, floor
    if night.hand == "tiles":
        assert contrast(night["stencil"], night["mat_dark"]) >= 7


@pytest.mark.parametrize("game_id", GAMES)
def test_by_night_what_is_judged_shows_on_whatever_it_crosses(game_id: str) -> None:
    """Ways by their surface, waters and terrain by their edge; lightness alone tells, so that any eye sees it."""
    night, sheet = style(game_id, "dark"), Sheet(night=True)
    heights = [f"tint{i}" for i in range(6)] if night.hand == "topographic" else ["level1", "level2", "level3"]
    under = ["ground", "ground_lo", "ground_hi", *heights]
    for role in ("road", "trail", "rail_edge", "water_edge", "stone"):
        assert min(contrast(night[role], night[one]) for one in under) >= 3, role
    assert contrast(night["water_edge"], night["water"]) >= 3
    for role in (role for role in night.colours if role.endswith("_edge")):
        assert contrast(sheet.lit(night[role]), night["ground"]) >= 3, role


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("game_id", [one for one in GAMES if style(one).mesh])
def test_sides_of_cells_show_and_stay_quiet(game_id: str, theme: Theme) -> None:
    own = style(game_id, theme)
    for role in ("ground", "ground_lo", "ground_hi"):
        assert 1.5 <= contrast(mix(own[role], own["mesh"], own.mesh), own[role]) <= 3, role
    assert contrast(mix(own["ground"], own["mesh"], own.mesh), own["ground"]) >= 1.6
    topographic = own.hand == "topographic"  # its tints change from contour to contour, under one mesh
    for role in [f"tint{i}" for i in range(6)] if topographic else ["level1", "level2", "level3"]:
        colour, opacity = (own["mesh"], own.mesh) if topographic else own.sides_on(role)
        assert 1.6 <= contrast(mix(own[role], colour, opacity), own[role]) <= 3, role


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("game_id", ["asl_sk", "combat_commander"])
def test_sides_of_cells_on_high_ground_are_drawn_as_they_show_there(game_id: str, theme: Theme) -> None:
    board = blank(game_id)
    middle, own = board.grid.cells[len(board.grid.cells) // 2], style(game_id, theme)
    ring = [board.grid.neighbour(middle, side) for side in range(1, 7)]
    for level in (1, 2, 3):
        hill = board.change({f"level.{cell}": level for cell in (middle, *ring) if cell})
        colour, opacity = own.sides_on(f"level{level}")
        drawn = re.findall(rf'stroke="{colour}"[^>]* opacity="([.0-9]+)"', ground_svg(hill, theme))
        assert any(abs(float(one) - opacity) < 0.006 for one in drawn), level


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_by_night_no_side_of_a_hex_is_drawn_over_the_edge_of_an_orchard(theme: Theme) -> None:
    """Its edge lies on the six sides of its hex; by day both are dark."""
    board, own = blank("asl_sk"), style("asl_sk", theme)
    middle = board.grid.cells[len(board.grid.cells) // 2]

    def sides(position: Position) -> int:
        drawn = re.findall(
            rf' d="([^"]*)" fill="none" stroke="{own["mesh"]}"[^>]* opacity=', ground_svg(position, theme)
        )
        return sum(1 for data in drawn for _ in strokes(data))

    assert sides(board) - sides(board.change({f"terrain.{middle}": "orchard"})) == (6 if theme == "dark" else 0)


@pytest.mark.parametrize("name", ["dominante", "demi-cases", "batiment"])
def test_by_night_rooms_and_ruins_have_a_light_edge(name: str) -> None:
    """A floor without walls is told from the grass by it."""
    _, sheet = ground_sheet(load_position("heroes_of_normandie", name), "dark")
    light = sheet.lit(style("heroes_of_normandie", "dark")["line"])
    assert contrast(light, style("heroes_of_normandie", "dark")["ground"]) >= 3
    edges = [data for data in sheet.outlines if any(f'd="{data}"' in one and light in one for one in sheet.parts)]
    assert len(edges) >= 2


def course(name: str, arms: tuple[int, ...]) -> Position:
    """A water of an open board that leaves a hex by some of its sides."""
    board = blank("combat_commander").change({"terrain.B2": name})
    return board.change({f"terrain.{board.grid.neighbour('B2', d)}": name for d in arms})


@pytest.mark.parametrize("arms", [(1, 2), (1, 3), (1, 4), (1, 3, 5), (2, 3, 4)], ids=str)
def test_a_water_has_no_notch_where_it_bends_or_forks(arms: tuple[int, ...]) -> None:
    layout, _ = ground_sheet(course("water_barrier", arms))
    stream, _ = ground_sheet(course("stream", arms))
    for b, band, wide in (
        (layout, river_band(layout), 0.3),
        (stream, stream_band(stream, stream_courses(stream)), 0.03),
    ):
        assert not any(one.interiors for one in polygons(band))
        (water,) = polygons(band.intersection(b.cell("B2")))
        assert water.buffer(wide * b.r).buffer(-wide * b.r).difference(water).area <= 0.08 * water.area
        assert water.buffer(-wide * b.r).buffer(wide * b.r).area >= 0.95 * water.area


def test_a_stream_narrows_where_it_rises_and_ends_in_the_river_beside_it() -> None:
    layout, _ = drawn("combat_commander", "deroute")
    band = stream_band(layout, stream_courses(layout))
    tip = min(y for one in polygons(band) for _, y in one.exterior.coords)

    def width(y: float) -> float:
        return LineString([(0, y), (layout.width, y)]).intersection(band).length

    assert width(tip + 0.1 * layout.r) < 0.6 * width(layout.centre("B5")[1])
    layout, _ = drawn("combat_commander", "evenements")
    assert stream_band(layout, stream_courses(layout)).intersects(river_band(layout))


def test_counters_change_nothing_of_it() -> None:
    position = load_position("combat_commander", "livret-ldv")
    assert position.pieces
    assert ground_svg(position.model_copy(update={"pieces": []})) == ground_svg(position)


#: How many numbers follow each letter of path data; the last two say where the pen is then.
TAKES = {"m": 2, "l": 2, "h": 1, "v": 1, "q": 4, "t": 2, "c": 6, "a": 7}


def strokes(data: str) -> Iterator[tuple[int, int, int]]:
    """Where each stroke of path data begins, in pixels, and how many letters it has."""
    x = y = 0.0
    begun: tuple[float, float] = (0.0, 0.0)
    letters = 0
    for letter, numbers in re.findall(r"([a-zA-Z])([^a-zA-Z]*)", data):
        values = [float(text) for text in NUMBER.findall(numbers)]
        kind, still = letter.lower(), letter.islower()
        if kind == "m" and letters:
            yield round(begun[0]), round(begun[1]), letters
            letters = 0
        if kind == "z":
            x, y = begun
        for i in range(0, len(values), TAKES.get(kind, 1)):
            step = values[i : i + TAKES[kind]]
            x, y = {
                "h": (still * x + step[-1], y),
                "v": (x, still * y + step[-1]),
            }.get(kind, (still * x + step[-2 % len(step)], still * y + step[-1]))
            if kind == "m" and not i:
                begun = (x, y)
        letters += 1
    if letters:
        yield round(begun[0]), round(begun[1]), letters


@pytest.mark.parametrize(("game_id", "name"), STILL)
def test_one_hex_more_leaves_the_rest_as_it_was(game_id: str, name: str) -> None:
    """What is strewn over a terrain lies where its place says, not where the one before it ended."""
    position = load_position(game_id, name)
    cell = sorted(position.terrain_of)[len(position.terrain_of) // 2]
    layout, _ = drawn(game_id, name)
    x, y = layout.cell(cell).centroid.coords[0]

    def beyond(text: str) -> Counter[tuple[int, int, int]]:
        every = (one for data in re.findall(r' d="([^"]*)"', text) for one in strokes(data))
        return Counter(one for one in every if hypot(one[0] - x, one[1] - y) > 2 * layout.r)

    before, after = (beyond(ground_svg(one)) for one in (position, position.change({f"terrain.{cell}": None})))
    assert (before & after).total() > 0.9 * before.total() > 100


def test_no_height_on_a_contour_line_is_cut_by_the_woods_and_towns_that_are_drawn_over_it() -> None:
    looked = 0
    for game_id, name in (one for one in POSITIONS if one[0] == "tcs"):
        layout, sheet = drawn(game_id, name)
        areas = [layout.outline(shape) for shape in layout.shapes if shape.layer == "area"]
        for x, y in re.findall(r'<text x="([\d.]+)" y="([\d.]+)"', "".join(sheet.parts)):
            looked += 1
            assert all(area.distance(Point(float(x), float(y))) > 0.05 * layout.r for area in areas), name
    assert looked > 4
