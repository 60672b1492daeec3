"""Heroes of Normandie, Battle for Caen: the supplement as index, tables, positions and rule functions."""

from tutor.games.heroes_of_normandie.game import GAME

__all__ = ["GAME"]
