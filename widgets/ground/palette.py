"""Colours of the ground that every game may use; those of a game stand in its ``ground.yaml``."""

from __future__ import annotations

#: What colours are mixed with, and what light and shade are made of.
LAMP = "#FFF6E0"
DUSK = "#1A120C"
RIDGE = "#FFF3DC"
BLACK = "#000000"
WHITE = "#FFFFFF"
MOON = "#F4EBCF"
BEVEL_LIGHT = "#FFF8DC"
BEVEL_SHADE = "#10130A"
#: Colours of a summer campaign map, which a game's own stand upon.
CAMPAIGN = {
    "clear": "#0067A3",
    "ink": "#1E211B",
    "olive": "#586B2F",
    "halo": "#EEE8CB",
    "shadow": "#14160E",
    "ground": "#CFCA90",
    "ground_lo": "#B5BF7C",
    "ground_hi": "#E3D39B",
    "grass": "#858E4C",
    "mesh": "#4A452C",
    "frame": "#5B5337",
    "beyond": "#EFE8D2",
    "level1": "#D9BE83",
    "level2": "#C39C5C",
    "level3": "#A57B42",
    "crest": "#6B4820",
    "woods": "#4C6A31",
    "woods_edge": "#22371A",
    "crown_dark": "#39552A",
    "crown": "#62873F",
    "crown_light": "#80A454",
    "crown_high": "#A3C172",
    "field": "#E3C469",
    "field_alt": "#D6B052",
    "field_line": "#A77F2B",
    "field_edge": "#7D5E1E",
    "brush": "#C3C077",
    "brush_edge": "#6F7433",
    "bush": "#7F8A3D",
    "bush_light": "#A3AC58",
    "orchard": "#C2D08A",
    "orchard_edge": "#5E7B35",
    "orchard_row": "#B0C175",
    "marsh": "#B9C9A0",
    "marsh_edge": "#3F7487",
    "marsh_water": "#84B2BE",
    "reed": "#5F7038",
    "water": "#76A9C0",
    "water_deep": "#5B91AB",
    "water_edge": "#2F617B",
    "water_light": "#B5D6E2",
    "bank": "#A89A62",
    "gully": "#B49A63",
    "gully_deep": "#8D7440",
    "gully_edge": "#5F4720",
    "road": "#F1E6C8",
    "road_edge": "#7E6B41",
    "rut": "#D6C49A",
    "verge": "#D8CF9F",
    "trail": "#EADDB6",
    "trail_edge": "#7A6438",
    "rail_bed": "#C9BEA0",
    "rail": "#37342E",
    "tie": "#7A674B",
    "rail_edge": "#7F7352",
    "wall": "#CFC7B4",
    "wall_edge": "#3F3A31",
    "hedge": "#6C8E43",
    "hedge_dark": "#2E4720",
    "fence": "#5B4020",
    "cliff": "#4A3A2A",
    "cliff_light": "#BBAF9B",
    "yard": "#D9C9A4",
    "roof_a": "#BF5F3F",
    "roof_b": "#A94F36",
    "roof_c": "#8A7F78",
    "roof_d": "#C88155",
    "roof_edge": "#45261B",
    "garden": "#A9B874",
    "deck": "#BBA883",
    "deck_edge": "#463C2B",
    "stone": "#C5BDAA",
    "stone_edge": "#4A443A",
}
#: Colours that a dark board takes as they are.
NIGHT = {"ink": "#ECE8DD", "olive": "#A9BF78", "beyond": "#232620", "halo": "#15180F", "clear": "#6CC3F2"}
