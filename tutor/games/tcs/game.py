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
    "10.0b": "Les pas perdus ne comptent ni dans le moral, ni dans la valeur d’un mortier ou d’un transport.",
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
    "17.4b": "La fuite sort de l’hexagone par n’importe quel bord.",
    "17.4c": "Toutes les fuites sont de 3 hexagones.",
    "17.4d": "La fuite peut ne pas éloigner de l’ennemi.",
    "20.1d": "Un goulot d’étranglement ne donne qu’un signal.",
    "17.8e": "Une case carrée ne compte jamais double.",
    "17.1b": "Le Moral de Bataillon ne s’ajoute pas.",
    "26.1d": "La nuit, on tente à chaque heure de réduire un moral.",
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
            "points": "standard, avec les points réels des habitués des cartes (8.5a seule)",
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
    "illum": Setting(
        "26.2b",
        "De la nuit, un hexagone éclairé",
        {"day": "se voit comme de jour (26.2b)", "inside": "ne se voit de loin que de la lumière (26.2d)"},
        "day",
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
    "half": Setting(
        "1.4",
        "Un total qui finit juste par ,50",
        {"up": "monte à l’entier supérieur", "down": "descend à l’entier inférieur"},
        "up",
    ),
    "unobserved": Setting(
        "7.1d",
        "Une cible que certains participants observent, et d’autres non",
        {
            "each": "compte observée pour le terrain (11.3a), non observée pour l’empilement (7.1d)",
            "any": "compte non observée pour les deux (7.1d)",
            "seen": "compte observée pour les deux (11.3a)",
        },
        "each",
    ),
    "point_entry": Setting(
        "12.0",
        "La colonne de départ d’un tir ponctuel",
        {"steps": "compte les pas des tireurs (12.0)", "units": "compte les unités (notes de conception)"},
        "steps",
    ),
    "transport_syr": Setting(
        "17.4c",
        "Une pile de transports seuls qui fuit",
        {"stack": "fait 3 hexagones, comme toute pile", "vehicles": "en fait 6, comme des véhicules"},
        "stack",
    ),
    "quarter_tie": Setting(
        "8.2b",
        "Un centre à égale distance de deux quarts",
        {"lower": "prend le quart le plus bas", "upper": "prend le quart le plus haut"},
        "lower",
    ),
    "hedge": Setting(
        "8.1h",
        "La hauteur d’une haie, dessinée sur le bord de deux hexagones",
        {"both": "s’ajoute aux deux", "lower": "ne s’ajoute qu’au plus bas des deux"},
        "both",
    ),
    "battalion_points": Setting(
        "17.1a",
        "Les pertes d’infanterie, dans le moral du bataillon",
        {"platoon": "valent un point par platoon (17.1a)", "steps": "valent un point par pas (notes de conception)"},
        "platoon",
    ),
    "flight_line": Setting(
        "17.4d",
        "Une fuite « raisonnablement droite » vers l’arrière",
        {"away": "éloigne de la menace à chaque hexagone", "never_nearer": "n’en rapproche à aucun hexagone"},
        "away",
    ),
    "vehicle_half": Setting(
        "17.8e",
        "« Déjà perdu au moins la moitié » de ses pas, pour doubler une case carrée",
        {"with": "compte la perte que l’on marque", "before": "ne compte que les pertes d’avant"},
        "with",
    ),
    "vehicle_tests": Setting(
        "17.8b",
        "Une case carrée qui donne plusieurs points de moral",
        {"box": "fait un seul test, au nouveau moral", "point": "fait un test pour chaque point gagné"},
        "box",
    ),
}

#: Subjects under which the questions are listed.
THEMES = (
    "Vue et terrain",
    "Tir de zone",
    "Tir sur point",
    "Overwatch et SYR",
    "Moral",
)

GAME = Game(
    "tcs",
    modules=(
        "board",
        "problems",
        "los.elevation",
        "los.los",
        "fire.crossfire",
        "morale",
        "rout",
        "los.spotting",
        "fire.fire",
        "fire.point_fire",
        "fire.losses",
        "fire.overwatch",
        "fire.at_rolls",
        "formations",
    ),
    omittable=OMITTABLE,
    settings=SETTINGS,
    themes=THEMES,
)
