"""The game object of Tactical Combat Series: its modules, the rules that may be left out, the open readings."""

from __future__ import annotations

from tutor.core.registry import Game, Setting

#: Rules a computation can leave out, and what then holds. Wrong answers are diagnosed with these.
OMITTABLE = {
    "8.1b": "La fumée n’arrête pas la LdV.",
    "8.1c": "Le terrain des hexagones des deux bouts compte aussi.",
    "8.1h": "Le terrain n’ajoute rien à l’altitude d’un point de contentieux.",
    "8.1i": "La cote d’un point de référence compte comme l’altitude de son hexagone.",
    "8.3b": "Un point de contentieux posé exactement sur la droite bloque aussi.",
}

SETTINGS = {
    "elevation": Setting(
        "8.2",
        "Comment l’altitude d’un hexagone est déterminée",
        {
            "standard": "méthode standard : au quart de l’intervalle près (8.2)",
            "simplified": "méthode simplifiée : la courbe inférieure (8.4)",
            "map_reader": "habitués des cartes : points réels, plateaux bombés, cuvettes creuses (8.5)",
        },
        "standard",
    ),
    "quarter_tie": Setting(
        "8.2b",
        "Un centre à égale distance de deux quarts",
        {"lower": "prend le quart le plus bas", "upper": "prend le quart le plus haut"},
        "lower",
    ),
}

GAME = Game(
    "tcs",
    "Tactical Combat Series 4.0",
    modules=("board", "elevation", "los"),
    omittable=OMITTABLE,
    settings=SETTINGS,
)
