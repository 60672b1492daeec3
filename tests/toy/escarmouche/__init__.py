"""Escarmouche: a game of three rules, written to show what a game is made of."""

from tutor.games.escarmouche.game import GAME

__all__ = ["GAME"]
