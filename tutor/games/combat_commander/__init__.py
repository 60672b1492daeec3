"""Combat Commander: Europe: the rulebook as index, tables, positions and rule functions."""

from tutor.games.combat_commander.game import GAME

__all__ = ["GAME"]
