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
    "T93": "La route ne dégage pas la LDV et ne change pas la couverture.",
}

SETTINGS = {
    "vertex_contact": Setting(
        "10.1",
        "Une LDV qui ne touche qu’un sommet d’un hex enfumé ou en feu, ou le bout d’un mur",
        {"counts": "compte comme un contact", "ignored": "passe à côté"},
        "counts",
    ),
}

GAME = Game(
    "combat_commander",
    "Combat Commander : Europe",
    modules=("board", "los"),
    omittable=OMITTABLE,
    settings=SETTINGS,
)
