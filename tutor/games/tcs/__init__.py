"""Tactical Combat Series 4.0: the rulebook as index, tables, positions and rule functions."""

from tutor.games.tcs.game import GAME

__all__ = ["GAME"]
