"""The hand and the colours of a game's ground. Dark colours follow from the light ones by a rule, but for a few."""

from __future__ import annotations

from functools import cache
from typing import Literal

from pydantic import BaseModel, ConfigDict

from tutor.core.registry import game
from widgets.board.grounds import STYLE
from widgets.ground.colours import contrast, mix, toned
from widgets.ground.palette import BLACK, CAMPAIGN, MOON, NIGHT

#: Manners of drawing hexes; square tiles and pointed ones have their own, whatever is said here.
Hand = Literal["campaign", "geomorphic", "topographic", "tiles", "comic"]
Theme = Literal["light", "dark"]
#: Least contrast of the sides of cells with what they lie on; greatest opacity of the mesh, so that it stays a fine line.
SIDES_SEEN, _FIRMEST = 1.6, 0.85


class Style(BaseModel):
    """The colours and habits of a game's ground: ``ground.yaml`` of its folder, upon the colours every game may use.

    Attributes:
        hand: manner of drawing.
        relief: strength of the hill shading, 0 to 1.
        mottle: of the ground's variation, 0 to 1.
        mesh: opacity of the hexes' sides, 0 to 1.
        dots: whether centres are marked.
        grass: whether open ground bears tufts.
        names: ink and halo of what is written on it, by theme; the page writes it.
        letters: that tiles bear, by kind of terrain; the page writes them.
        colours: by role.
        night: colours of the dark theme that do not follow from the others.
        theme: the theme they are for.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    hand: Hand = "campaign"
    relief: float = 0.5
    mottle: float = 1.0
    mesh: float = 0.34
    dots: bool = False
    grass: bool = True
    names: dict[Theme, tuple[str, str]] = {}
    letters: dict[str, str] = {}
    colours: dict[str, str] = {}
    night: dict[str, str] = {}
    theme: Theme = "light"

    def __getitem__(self, role: str) -> str:
        return self.colours[role]

    def sides_on(self, role: str) -> tuple[str, float]:
        """Colour and opacity of the sides of cells: the mesh, firmer on a ground where it would not show; else a pale line.

        Args:
            role: of the ground under them.

        >>> style("asl_sk").sides_on("level1") == (style("asl_sk")["mesh"], style("asl_sk").mesh)
        True
        """
        under = self[role]
        firmer = [(self["mesh"], self.mesh + step / 20) for step in range(20) if self.mesh + step / 20 <= _FIRMEST]
        for colour, opacity in (*firmer, *((MOON, step / 20) for step in range(2, 20))):
            if contrast(mix(under, colour, opacity), under) >= SIDES_SEEN:
                return colour, opacity
        return self["mesh"], self.mesh


@cache
def style(game_id: str, theme: Theme = "light") -> Style:
    """The style of a game's ground in a theme.

    Args:
        game_id: id of a game; one without ``ground.yaml`` is drawn as a campaign map.
        theme: light or dark.

    Raises:
        ContentError: ``ground.yaml`` says what nobody understands.

    >>> style("combat_commander")["ground"] == CAMPAIGN["ground"] != style("combat_commander", "dark")["ground"]
    True
    """
    rulebook = game(game_id)
    own = rulebook.content(STYLE) if (rulebook.folder / STYLE).is_file() else {}
    day = Style(**own)
    colours = CAMPAIGN | day.colours
    if theme == "light":
        return day.model_copy(update={"colours": colours})
    dark = {role: NIGHT.get(role) or _lit(role, colour, day.hand == "topographic") for role, colour in colours.items()}
    night = {"colours": dark | day.night, "theme": theme, "mesh": min(0.8, day.mesh * 1.5)}
    return day.model_copy(update=night)


def _lit(role: str, colour: str, line_map: bool) -> str:
    """A colour by lamplight; a map of lines goes to dark paper."""
    if role == "shadow":
        return colour
    if role in ("mesh", "frame"):
        return mix(colour, BLACK, 0.35)
    if line_map:
        return toned(colour, 0.34, 0.5, 0.8) if role.startswith("contour") else toned(colour, 0.02, 0.40, 0.85)
    return toned(colour, 0.03, 0.52, 0.62)
