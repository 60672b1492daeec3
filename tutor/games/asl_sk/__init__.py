"""ASL Starter Kit 3: rules as pure functions of a position."""

from tutor.games.asl_sk.game import GAME

__all__ = ["GAME"]
