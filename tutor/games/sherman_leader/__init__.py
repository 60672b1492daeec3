"""Sherman Leader: the rulebook as index, tables, positions and rule functions."""

from tutor.games.sherman_leader.game import GAME

__all__ = ["GAME"]
