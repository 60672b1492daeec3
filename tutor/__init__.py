"""Ligne de Vue: an interactive rules tutor for tactical wargames, as a plain Python library.

>>> from tutor import load_position, ask
>>> ask(load_position("combat_commander", "livret-ldv"), "los", start="J9", end="K6").value.visible
False
"""

from tutor.core.registry import ask, game, load_position

__version__ = "0.1.0"
__all__ = ["__version__", "ask", "game", "load_position"]
