"""The game object of Combat Commander: Europe: its modules, the rules that may be left out, the open readings."""

from __future__ import annotations

from tutor.core.registry import Game, Setting

#: Rules a computation can leave out, and what then holds. Wrong answers are diagnosed with these.
OMITTABLE = {
    "10.1": "Les obstacles et les gênes des hexs de l’observateur et de la cible comptent aussi.",
    "10.2.1": "Un incendie n’arrête pas la LDV.",
    "10.3": "Aucune gêne ne compte.",
    "10.3.3": "Les gênes s’additionnent.",
    "10.3.4": "Un fumigène se traite comme une gêne imprimée : ni le long d’un côté, ni dans les hexs des deux bouts.",
    "T86": "Un fossé ne cache personne.",
    "T88.2": "La hauteur ne change pas la PF.",
    "T88.3.2": "Une ligne de crête de même niveau ou plus haute n’arrête pas la LDV.",
    "T88.3.3": "Une colline plus haute que les deux bouts n’arrête pas la LDV.",
    "T88.4": "Un obstacle plus bas bloque comme s’il était à la hauteur des deux bouts.",
    "T88.4.1": "Un obstacle plus bas ne crée pas d’angle mort.",
    "T88.5": "Une gêne plus basse compte aussi.",
    "T93": "La route ne dégage pas la LDV et ne change ni la couverture ni le mouvement.",
    "3.1.2": "La portée ne limite pas le tir.",
    "3.1.4": "La couverture ne s’ajoute pas au Moral.",
    "3.2.1": "Une unité démoralisée garde les valeurs de sa face normale.",
    "3.2.4": "Une unité démoralisée touchée de nouveau reste démoralisée.",
    "3.3.1.1": "Un Chef peut aussi activer un autre Chef.",
    "3.3.1.2": "Le commandement n’ajoute rien aux unités du même hex.",
    "3.3.1.3": "Le commandement s’ajoute aussi aux Armes à bande blanche et à celles que porte un Chef.",
    "10.3.1": "La gêne ne change pas le jet de Ciblage, mais la PF du tir qui suit.",
    "10.3.2": "La gêne ne réduit pas la PF d’un tir.",
    "10.3.2.1": "Un tir dont la PF tombe à 0 ou moins peut se faire.",
    "13.2": "La Suppression ne change aucune valeur.",
    "A30": "Le Tir Croisé vaut aussi contre une cible immobile.",
    "A33.3": "Une même dépense de PM permet plusieurs tirs.",
    "A34": "Les Grenades se jouent à toute distance.",
    "E44.1": "Vétéran ne change aucune valeur.",
    "E52": "On ne se déploie pas avant d’éliminer l’excédent.",
    "F105.2": "Deux tranchées voisines ne changent ni le coût ni le Tir d’Op.",
    "F106.1": "Les Barbelés ne changent aucune valeur.",
    "F106.2": "Les Barbelés n’arrêtent pas le mouvement.",
    "O20.2.3": "Les deux dés du Ciblage s’additionnent.",
    "O20.3.1": "Les hexs d’un groupe n’ont pas besoin de se toucher.",
    "O20.3.1.1": "Une Arme à bande blanche peut se joindre à un groupe.",
    "O20.3.1.2": "Toutes les PF du groupe s’additionnent.",
    "O20.3.2": "Seule la gêne du pion de base compte.",
    "O20.3.4": "Une égalité met aussi en Suppression une unité en mouvement.",
    "T78.3": "Les couvertures s’additionnent.",
    "T88.1": "Monter ne coûte rien de plus.",
    "T92": "La voie ferrée ne change pas le coût du mouvement.",
    "T96": "Le chemin ne change pas le coût du mouvement.",
    "T99": "Les bois n’ajoutent rien au Total d’Attaque d’un mortier.",
}

SETTINGS = {
    "vertex_contact": Setting(
        "10.1",
        "Une LDV qui ne touche qu’un sommet d’un hex enfumé ou en feu, ou le bout d’un mur",
        {"counts": "compte comme un contact", "ignored": "passe à côté"},
        "counts",
    ),
    "cover_vertex": Setting(
        "T97",
        "Un tir qui entre dans l’hex par le bout d’un mur ou d’une haie",
        {"counts": "compte comme le traverser", "ignored": "ne le traverse pas"},
        "counts",
    ),
    "cover_group": Setting(
        "T97",
        "Un groupe de tir dont une partie seulement traverse le mur ou la haie",
        {"all": "ne donne pas la couverture : il faut que tous traversent", "any": "donne la couverture"},
        "all",
    ),
}

GAME = Game(
    "combat_commander",
    "Combat Commander : Europe",
    modules=(
        "board",
        "los",
        "command",
        "cover",
        "values",
        "stacking",
        "actions",
        "fire",
        "attack",
        "targeting",
        "odds",
        "op_fire",
        "move",
        "recover",
        "rout",
        "retreat",
    ),
    omittable=OMITTABLE,
    settings=SETTINGS,
)
