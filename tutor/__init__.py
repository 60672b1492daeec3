"""Ligne de Vue: an interactive rules tutor for tactical wargames, as a plain Python library.

The rules are loaded at the first question: the server imports parts of this package and asks none.

>>> from tutor import load_position, ask
>>> ask(load_position("combat_commander", "livret-ldv"), "los", start="J9", end="K6").value.visible
False
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tutor.core.context import Context
    from tutor.core.position import Position
    from tutor.core.registry import ask, game, load_position, sentences

__version__ = "0.2.0"
__all__ = ["Context", "Position", "__version__", "ask", "game", "load_position", "sentences"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from tutor.core import registry

    return getattr(registry, name)
