"""The game object of Tactical Combat Series: its modules, the rules that may be left out, the open readings."""

from __future__ import annotations

from tutor.core.registry import Game, Setting

#: Rules a computation can leave out, and what then holds. Wrong answers are diagnosed with these.
OMITTABLE = {
    "8.1b": "La fumée n’arrête pas la LdV.",
    "8.1c": "Le terrain des hexagones des deux bouts compte aussi.",
    "8.1h": "Le terrain n’ajoute rien à l’altitude d’un point de contentieux.",
    "8.1i": "La cote d’un point de référence compte comme l’altitude de son hexagone.",
    "7.0": "La visibilité du tour ne limite pas la LdV.",
    "8.2b": "Un centre entre deux courbes est à l’altitude de la plus basse.",
    "8.2c": "Une cuvette est un intervalle plus bas que sa courbe.",
    "6.3b": "Une unité non assignée n’a pas plus mauvais moral.",
    "10.0b": "Les pas perdus ne comptent pas dans le moral.",
    "10.0e": "Les pas en trop se partagent aussi.",
    "10.0f": "Tous les pas se partagent, sans premier pas à part.",
    "10.0g": "Ceux qui sont à bord perdent autant de pas que leur transport.",
    "7.1e": "Une unité qui a tiré ne se voit pas de plus loin.",
    "6.16": "Être fortifié ne change rien à l’observation.",
    "9.3": "Le terrain de la cible ne change rien à l’observation.",
    "3.2c": "Un tir ponctuel peut viser une A-Target.",
    "9.1c": "Une unité en mode Mouvement tire aussi.",
    "11.1f": "La valeur d’une unité ne se multiplie pas par ses pas.",
    "12.1b": "La distance ne décale pas.",
    "13.1b": "Une unité Fired, qui a fait un PFA ou qui vient de se poster fait un SFA.",
    "13.1c": "Une unité non assignée fait un SFA.",
    "14.1c": "Le nombre de PFA n’est pas limité.",
    "14.1g": "Une unité qui vient de passer en mode Tir fait un PFA.",
    "14.1i": "Une unité Fired fait un PFA.",
    "15.3a": "Une unité Suppressed ou Paralyzed réagit.",
    "17.5e": "Une unité Paralyzed qui récupère ne porte plus rien.",
    "9.1f": "Les canons AT tirent en zone à pleine valeur.",
    "11.1b": "L’infanterie touche aussi les B-1.",
    "11.3b": "La meilleure posture du défenseur compte.",
    "11.3c": "La distance la plus favorable au tireur compte.",
    "11.3d": "L’infanterie n’a pas de bonus de près.",
    "11.4": "Le tir croisé ne compte pas.",
    "11.4a": "Un tireur à trajectoire haute n’empêche pas le tir croisé.",
    "12.1c": "Le différentiel ne compte pas.",
    "15.2c": "On n’a pas besoin de voir l’hexagone quitté.",
    "15.3b": "Une unité marquée Fired réagit à toute distance.",
    "15.3c": "Une MG marquée Fired ne réagit pas de loin.",
    "16.1e": "Un jet de 3 ou moins ne coûte rien à l’attaquant.",
    "17.1a": "Chaque unité éliminée compte un point.",
    "17.4c": "Toutes les fuites sont de 3 hexagones.",
    "17.4d": "La fuite peut ne pas éloigner de l’ennemi.",
    "20.1d": "Un goulot d’étranglement ne donne qu’un signal.",
    "17.8e": "Une case carrée ne compte jamais double.",
    "17.1b": "Le Moral de Bataillon ne s’ajoute pas.",
    "17.2a": "La première unité de la pile fait le test.",
    "8.3b": "Un point de contentieux posé exactement sur la droite bloque aussi.",
}

SETTINGS = {
    "elevation": Setting(
        "8.2",
        "Comment l’altitude d’un hexagone est déterminée",
        {
            "standard": "méthode standard : au quart de l’intervalle près (8.2)",
            "simplified": "méthode simplifiée : la courbe inférieure (8.4)",
            "map_reader": "habitués des cartes : points réels, plateaux bombés, cuvettes creuses (8.5)",
        },
        "standard",
    ),
    "charts": Setting(
        "11.0",
        "Les tables que le livret n’imprime pas",
        {
            "livret": "le livret seul : ce qu’il n’imprime pas reste inconnu",
            "fictif": "table fictive : de notre invention, d’accord avec chaque case imprimée",
            "reader": "votre table, là où vous l’avez fournie",
        },
        "livret",
    ),
    "corner": Setting(
        "8.1g",
        "Une LdV qui ne touche qu’un coin d’un hexagone plus haut",
        {"counts": "en fait un point de contentieux", "ignored": "passe à côté, sauf village, ville ou fumée"},
        "counts",
    ),
    "vehicle_syr": Setting(
        "15.2h",
        "Le signal auquel des véhicules répondent par la fuite",
        {
            "point_fire": "un tir ponctuel (15.2h, et l’exemple de 12.2)",
            "move": "un mouvement (17.4)",
            "both": "l’un ou l’autre",
        },
        "point_fire",
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
    modules=(
        "board",
        "elevation",
        "los",
        "crossfire",
        "morale",
        "flight",
        "spotting",
        "fire",
        "point",
        "losses",
        "overwatch",
        "at_rolls",
        "formations",
    ),
    omittable=OMITTABLE,
    settings=SETTINGS,
)
