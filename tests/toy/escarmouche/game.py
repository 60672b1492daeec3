"""Escarmouche: the rule that may be forgotten, and its modules."""

from __future__ import annotations

from tutor.core.registry import Game

GAME = Game(
    "escarmouche",
    modules=("board", "los", "fire"),
    omittable={"3.1": "Un bois ne protège pas la cible."},
    themes=("Vue et tir",),
)
