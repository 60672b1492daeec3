"""The game object of Sherman Leader: its modules, the rules that may be left out, the open readings."""

from __future__ import annotations

from tutor.core.registry import Game, Setting

#: Rules a computation can leave out, and what then holds. Wrong answers are diagnosed with these.
OMITTABLE = {
    "3.14.8": "Toute cible s’attaque avec la valeur HE.",
    "3.16.7": "L’état du commandant ne change rien, il garde ses valeurs « Okay ».",
    "3.16.9": "Le commandant n’ajoute rien aux dés.",
    "3.16.10.7": "Le tireur d’élite laisse à sa cible le bonus de couverture.",
    "3.16.10.10": "Le combat rapproché n’ajoute pas de dé.",
    "3.16.5": "Le Cool ne retire aucun stress.",
    "5.4": "La couverture n’ajoute rien à la défense.",
    "5.4.4": "Une unité en bocage se laisse attaquer à toute portée.",
    "5.4.5": "Vos véhicules entrent dans l’infranchissable.",
    "5.13.5": "Un fusilier ennemi attaque toute cible jusqu’à sa portée.",
    "5.14": "Le tir indirect vérifie la ligne de vue.",
    "6.5": "La couverture ne vaut rien contre un attaquant du même hexagone.",
    "6.6": "Aucun hexagone n’arrête la ligne de vue.",
    "6.7.1": "La portée ne change pas vos dés.",
    "6.7.2": "Le mouvement ne change pas vos dés.",
    "6.7.3": "Aucun coup n’est annulé par la défense.",
    "6.10": "La couverture ne départage pas les hexagones d’un ordre.",
    "6.10.10": "La demi-force ne change pas le jet de mouvement.",
    "6.11": "Un fusilier ennemi suit son ordre à la lettre.",
    "6.12": "Une unité arrêtée par un hexagone infranchissable reste sur place.",
    "6.14": "À jet égal, les défenses ne se comparent pas, et le joueur choisit.",
    "6.15": "Ni la portée ni le mouvement ne changent les dés ennemis.",
    "6.16.7": "Un véhicule exposé n’est pas plus facile à toucher.",
    "6.16.10": "Une seconde Coque ne détruit pas le véhicule.",
    "6.17.4": "De secondes Pertes ne détruisent pas l’infanterie.",
    "6.17.5": "Une infanterie exposée n’est pas plus facile à toucher.",
    "6.17.7": "La Suppression n’empêche pas d’attaquer.",
    "6.18": "Un commandant mort prend encore du stress, car son pion est gardé, et il peut payer pour agir.",
    "7.5": "Avoir participé à la bataille ne coûte aucun stress.",
    "10.3": "Aucune attaque de flanc.",
}

SETTINGS = {
    "los_path": Setting(
        "6.6",
        "Le « chemin le plus direct » de l’attaquant à la cible",
        {
            "shortest": "est tout chemin d’hexagones de longueur minimale, au choix de l’attaquant",
            "line": "est la droite de centre à centre ; on ne choisit que le long d’un côté",
        },
        "shortest",
    ),
    "range_zero": Setting(
        "6.7.1",
        "Le +2 aux dés à portée 0, que seul l’exemple de jeu donne",
        {"counts": "compte", "ignored": "ne compte pas"},
        "counts",
    ),
    "rifle_move": Setting(
        "6.15",
        "Le −2 du fusilier ennemi qui a bougé, que seul l’exemple de jeu donne",
        {"counts": "compte", "ignored": "ne compte pas"},
        "counts",
    ),
    "at_move": Setting(
        "6.15",
        "La pénalité de l’antichar ennemi qui a bougé : −2 dans la règle, −1 dans l’exemple",
        {"rule": "est −2, comme dans la règle", "example": "est −1, comme dans l’exemple"},
        "rule",
    ),
    "global_defence": Setting(
        "6.14",
        "La « défense globale » qui départage les cibles ennemies",
        {"cover": "comprend la couverture", "card": "est la défense de la carte seule"},
        "cover",
    ),
    "same_chance": Setting(
        "6.14",
        "Deux cibles ennemies que tout dé touche, par des jets différents",
        {"chance": "ont la même chance : on compare leurs défenses", "need": "se départagent par le jet le plus bas"},
        "chance",
    ),
    "cover_hexes": Setting(
        "6.10",
        "Pour les ordres ennemis, le bocage et l’infranchissable",
        {"cover": "sont une couverture, selon leur bonus", "not": "ne sont pas une couverture"},
        "cover",
    ),
    "advance_own_hex": Setting(
        "6.10.9",
        "Une unité ennemie qui avance, avec un ami déjà dans son hexagone",
        {"ignored": "va vers l’ami le plus proche d’un autre hexagone", "counts": "reste avec lui"},
        "ignored",
    ),
    "bypass_cautious": Setting(
        "6.12",
        "L’avance prudente arrêtée par un hexagone infranchissable",
        {"stays": "reste sur place", "round": "le contourne, si elle y reste à l’abri"},
        "stays",
    ),
    "flank": Setting(
        "10.3",
        "La règle optionnelle des attaques de flanc",
        {"off": "n’est pas jouée", "on": "est jouée"},
        "off",
    ),
    "chit_return": Setting(
        "6.18",
        "Un pion de dégât sans effet, ou à remettre aussitôt",
        {"after": "revient dans la tasse une fois l’attaque finie", "at_once": "revient avant le tirage suivant"},
        "after",
    ),
    "gun_damage": Setting(
        "6.16.9",
        "Un canon endommagé n’attaque plus",
        {"two_plus": "à portée 2 et au-delà (« portée +2 »)", "two_three": "à portée 2 ou 3 (glossaire)"},
        "two_plus",
    ),
    "cautious": Setting(
        "6.10.5",
        "« Ne peut pas être attaquée », pour l’avance prudente, se juge",
        {"now": "avec vos unités où elles sont", "after_move": "avec vos unités où elles peuvent aller"},
        "now",
    ),
    "stress_floor": Setting(
        "7.5",
        "Le Cool qui dépasse le stress d’un commandant",
        {"zero": "s’arrête à 0", "below": "laisse un stress négatif, d’avance pour la suite"},
        "zero",
    ),
}

#: Subjects under which the questions are listed.
THEMES = (
    "Vue et mouvement",
    "Vos attaques",
    "L’ennemi",
    "Équipages et campagne",
)

GAME = Game(
    "sherman_leader",
    modules=("board", "problems", "los", "commander", "attack", "enemy", "odds", "damage", "orders", "move"),
    omittable=OMITTABLE,
    settings=SETTINGS,
    themes=THEMES,
)
