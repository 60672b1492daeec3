"""The colours of boards and counters: one palette for light pages, one for dark ones; nothing else here holds a colour.

The first roles bear the names of the template's CSS variables (``--ldv-paper`` is ``paper``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Palette:
    """Every colour a board is drawn with, by role."""

    paper: str = "#FBF8F1"
    ink: str = "#23291F"
    olive: str = "#586B2F"
    line: str = "#D8D2C2"
    clear: str = "#0072B2"
    hindered: str = "#E69F00"
    blocked: str = "#D55E00"
    # The map
    ground: str = "#F3EDDA"
    mesh: str = "#CFC5A8"
    frame: str = "#B9AD8C"
    label: str = "#776D55"
    halo: str = "#FBF6E8"
    levels: tuple[str, ...] = ("#E9DBB6", "#DBC492", "#CBAB70", "#B89256", "#A47C43")
    sunken: str = "#E3E0CB"
    crest: str = "#8F6A3A"
    woods: str = "#C9D4A6"
    woods_line: str = "#5E7A41"
    crown: str = "#86A35E"
    crown_light: str = "#A5BE7F"
    crown_dark: str = "#4F6B36"
    shade: str = "#3B4A2A"
    building: str = "#E3D6C6"
    building_line: str = "#7A5F4C"
    roof: str = "#C4714F"
    roof_shade: str = "#9E5539"
    wood: str = "#C89B6A"
    wood_line: str = "#6E4A28"
    field: str = "#EFDF9B"
    field_line: str = "#C4A94E"
    brush: str = "#E2E2B4"
    brush_line: str = "#8C8B45"
    orchard: str = "#DDE6BC"
    orchard_line: str = "#7A9150"
    water: str = "#B5D3E4"
    water_line: str = "#4F87A8"
    marsh: str = "#D3DFCB"
    gully: str = "#D6C39B"
    gully_line: str = "#8A6B42"
    road: str = "#FAF3E1"
    road_line: str = "#A68F66"
    trail: str = "#9A7F54"
    rail: str = "#4D4A45"
    stone: str = "#CFC8BB"
    stone_line: str = "#625B50"
    hedge: str = "#6F9148"
    hedge_line: str = "#3F5A28"
    fence: str = "#7B5F3B"
    cliff: str = "#5A4630"
    smoke: str = "#8D9195"
    smoke_light: str = "#E4E5E4"
    fire: str = "#E4572E"
    fire_light: str = "#FFC857"
    earth: str = "#8B6F4A"
    concrete: str = "#B9B5AC"
    # Counters: two sides that differ by hue, tone and corner shape
    axis: str = "#2C4866"
    axis_light: str = "#A3BAD0"
    axis_deep: str = "#172A3E"
    allies: str = "#8A6212"
    allies_light: str = "#F3E1A2"
    allies_deep: str = "#3D2C07"
    counter_ink: str = "#15170F"
    counter_white: str = "#FFFFFF"
    broken: str = "#B3261E"
    suppressed: str = "#F2B705"
    shadow: str = "#1B1E19"
    # Overlays
    select: str = "#586B2F"
    cursor: str = "#23291F"
    reach: str = "#4C9A8A"
    heat: tuple[str, ...] = ("#F7E3B0", "#F0B86A", "#DD7F3C", "#B84A23", "#7D2212")
    good: str = "#00775B"
    wrong: str = "#A2467F"


LIGHT = Palette()

#: The same map by lamplight: tones lowered, meaning colours lightened so that they keep their contrast.
DARK = replace(
    LIGHT,
    paper="#1B1E1A",
    ink="#ECE8DD",
    olive="#A9BF78",
    line="#3C4039",
    clear="#56B4E9",
    hindered="#F2B33D",
    blocked="#F07C3A",
    ground="#35382E",
    mesh="#4E5143",
    frame="#5E604F",
    label="#B4AF9B",
    halo="#2A2D25",
    levels=("#47432F", "#5A5033", "#6E5E38", "#83703F", "#978148"),
    sunken="#2F332C",
    crest="#C6A064",
    woods="#3F4C2F",
    woods_line="#8DAA66",
    crown="#5F7B42",
    crown_light="#7B9758",
    crown_dark="#2C3B1F",
    shade="#10140C",
    building="#4C443C",
    building_line="#C4A690",
    roof="#A75D40",
    roof_shade="#80452F",
    wood="#8C6A44",
    wood_line="#D2A877",
    field="#58502F",
    field_line="#9C8745",
    brush="#454830",
    brush_line="#B4B26A",
    orchard="#424C33",
    orchard_line="#9BB26C",
    water="#2F4A5A",
    water_line="#79AECB",
    marsh="#37463D",
    gully="#4E4330",
    gully_line="#C09C68",
    road="#6B6451",
    road_line="#A8977A",
    trail="#C0A477",
    rail="#D0CBC0",
    stone="#8E887C",
    stone_line="#DAD4C7",
    hedge="#7E9F57",
    hedge_line="#24331A",
    fence="#C9A876",
    cliff="#D9BE97",
    smoke_light="#A9ACAD",
    select="#C5DB94",
    cursor="#ECE8DD",
    reach="#6FC2B0",
    good="#4FC49E",
    wrong="#D98BBC",
)


def palette(theme: str) -> Palette:
    """The palette of a theme: ``light`` or ``dark``.

    >>> palette("dark").ink
    '#ECE8DD'
    """
    return DARK if theme == "dark" else LIGHT
