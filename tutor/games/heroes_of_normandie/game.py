"""The game object of Heroes of Normandie (Battle for Caen): modules, rules that may be left out, open readings."""

from __future__ import annotations

from tutor.core.registry import Game, Setting

#: Rules a computation can leave out, and what then holds. Wrong answers are diagnosed with these.
OMITTABLE = {
    "1.1.1": "Un effet de ligne joue aussi pour le tireur adjacent à la ligne.",
    "1.1.2": "Un obstacle sur la ligne ne la gêne pas.",
    "1.1.3": "Une position dominante tire comme une unité au sol.",
    "1.1.4": "Une unité au sol vise une position dominante comme une unité au sol.",
    "1.1.5": "Entre deux positions dominantes, ce qui est au sol compte aussi.",
    "1.1.6": "Une position dominante n’ignore pas les lignes d’élévation.",
    "1.2": "Aucun terrain n’est fermé aux véhicules.",
    "1.3.2": "Les murs, les fenêtres et les flèches bleues ne changent pas la zone de contrôle.",
    "1.3.3": "La pièce où se trouve le tireur ne change rien.",
    "1.3.4": "Les murs n’arrêtent pas une explosion.",
    "1.3.5": "Une grenade se lance d’un bâtiment dans un autre.",
    "1.3.7": "Une grenade change d’étage d’où que ce soit.",
    "1.3.7.2": "La cheminée se vise comme une position dominante.",
    "1.3.9": "Une pièce intacte est touchée comme le reste.",
    "1.4.1": "Deux demi-cases comptent comme deux cases.",
    "2.2.1": "Une unité franchit autant d’ouvertures qu’elle veut.",
    "2.3.1.2": "Une brèche n’arrête pas le mouvement.",
    "2.3.2": "Le démolisseur n’ajoute rien aux dés.",
    "2.4.1": "Une unité inébranlable subit les marqueurs Suppressed.",
    "2.5.2": "Un sous-officier relève à toute distance, même sans ligne dégagée.",
    "2.5.3": "Un tir de batterie se fait dès le premier tour, avec des armes de tous les noms.",
    "5.2": "Un avion dans les nuages se vise comme un autre.",
    "5.5": "Toute unité peut tirer sur un avion en vue.",
    "5.6": "Un Chasseur/DCA n’a aucun avantage contre un avion.",
    "5.7": "Aucune pénalité de vitesse.",
    "5.8": "Le tir d’opportunité subit la pénalité de vitesse ordinaire.",
}

SETTINGS = {
    "los_line": Setting(
        "1.1.2",
        "Le tracé de la ligne de vue, que le livret de base donne et que celui-ci n’imprime pas",
        {"centre": "va du centre au centre (usage, hors livret)", "unknown": "reste inconnu"},
        "centre",
    ),
    "obstacles": Setting(
        "1.1.2",
        "L’effet d’un obstacle sur la ligne de vue (bloquer ou réduire), que seul le livret de base donne",
        {
            "unknown": "reste inconnu : la ligne est seulement dite gênée",
            "usage": "est l’usage : bâtiment bloque, ruine, décombres et muret réduisent",
        },
        "unknown",
    ),
    "corner": Setting(
        "1.1.1",
        "Une ligne de vue qui ne touche que le bout d’un mur ou d’une ligne",
        {"counts": "le touche", "ignored": "passe à côté"},
        "counts",
    ),
    "whole_line": Setting(
        "1.1.1",
        "Un muret, ou une ligne, qui longe plusieurs côtés\u00a0: le tireur adjacent",
        {"side": "est celui qui touche le côté franchi", "whole": "peut toucher n’importe lequel de ces côtés"},
        "side",
    ),
    "infantry_blocks": Setting(
        "1.1.3",
        "L’icône perdue : les unités qui ne bloquent jamais une position dominante",
        {"infantry": "sont l’infanterie ; un véhicule compte comme un obstacle", "all": "sont toutes les unités"},
        "infantry",
    ),
    "own_height": Setting(
        "1.1.5",
        "Entre deux positions dominantes, une autre case de l’une des deux sur la ligne",
        {"refused": "empêche le tir, comme vers l’extérieur", "counts": "peut gêner, comme une troisième hauteur"},
        "refused",
    ),
    "deep_target": Setting(
        "1.1.3",
        "D’une position dominante, une cible au fond d’un obstacle, derrière une autre case de celui-ci,",
        {"hidden": "est gênée, comme la case juste derrière", "seen": "n’est pas derrière lui\u00a0: pas gênée"},
        "hidden",
    ),
    "smoke_stack": Setting(
        "3.3.6",
        "Plusieurs fumigènes sur une même ligne",
        {"worst": "ne comptent qu’une fois, le plus fort", "sum": "s’additionnent"},
        "worst",
    ),
    "blast_opening": Setting(
        "1.3.4",
        "Une explosion contre une ouverture, une fenêtre ou une brèche",
        {"contained": "y est contenue comme par un mur", "through": "la traverse"},
        "contained",
    ),
    "large_half": Setting(
        "1.4.1",
        "Les demi-cases, pour un pion de plus d’une case (Pak 40), que le livret exclut sans en dire plus",
        {"closed": "lui sont fermées", "two": "lui comptent deux cases"},
        "closed",
    ),
    "range": Setting(
        "2.5.2",
        "Le compte des cases d’une distance en diagonale, que le livret de base donne et que celui-ci n’imprime pas",
        {"diagonal": "vaut une case (usage, hors livret)", "orthogonal": "se fait par les côtés seulement"},
        "diagonal",
    ),
    "both_special": Setting(
        "5.7",
        "Pénalité de vitesse quand tireur et avion ont chacun un ordre spécial révélé",
        {"zero": "le dernier ordre révélé vaut pour les deux, donc 0", "unknown": "reste inconnue"},
        "zero",
    ),
    "ground_units": Setting(
        "1.1.2",
        "Une unité au sol, sur la ligne d’un tir au sol",
        {"unknown": "reste inconnue\u00a0: nous n’en tenons pas compte", "hinder": "gêne la ligne comme un obstacle"},
        "unknown",
    ),
    "next_to_wall": Setting(
        "1.1.4",
        "Du sol, un tireur qui touche un muret vise une position dominante",
        {"ignored": "sans que le muret joue (1.1.1)", "counts": "à travers le muret, comme à l’aller (1.1.4)"},
        "ignored",
    ),
    "blue_arrow": Setting(
        "1.3.2",
        "Une flèche bleue étend la zone de contrôle",
        {"both": "dans les deux sens", "one": "dans son sens seulement"},
        "both",
    ),
    "offset_wall": Setting(
        "1.4.2",
        "Entre deux cases décalées, un mur sur une moitié du bord",
        {"both": "n’arrête rien\u00a0: il doit fermer les deux moitiés", "any": "arrête la zone de contrôle"},
        "both",
    ),
    "blast_room": Setting(
        "1.3.9",
        "Une explosion, au-delà d’une pièce intacte qu’elle épargne,",
        {"stops": "ne va pas plus loin", "through": "continue de l’autre côté"},
        "stops",
    ),
    "breach_wall": Setting(
        "2.3.1",
        "Plusieurs murs du bâtiment visé sont sur la ligne\u00a0: la brèche s’ouvre",
        {"first": "dans le premier, côté tireur", "nearest": "dans le plus proche de la case visée"},
        "first",
    ),
    "partly_destroyed": Setting(
        "5.4",
        "«\u00a0Un bâtiment même partiellement détruit\u00a0» comprend",
        {"element": "ses cases en ruine aussi", "standing": "ses seules cases encore debout"},
        "element",
    ),
}

#: Subjects under which the questions are listed.
THEMES = (
    "Vue et tir",
    "Mouvement, ordres et cartes",
    "Bâtiments",
    "Explosions et avions",
)

GAME = Game(
    "heroes_of_normandie",
    modules=(
        "board",
        "problems",
        "los",
        "smoke",
        "control",
        "rooms",
        "fire",
        "floors",
        "move",
        "suppression",
        "breach",
        "aviation",
        "options",
    ),
    omittable=OMITTABLE,
    settings=SETTINGS,
    themes=THEMES,
)
