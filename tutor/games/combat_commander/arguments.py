"""What is declared to the questions of Combat Commander: types that say what they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Required, TypedDict

from tutor.core.arguments import (
    Cell,
    Firers,
    Otherwise,
    PieceId,
    Pieces,
    Roll,
    Rolls,
    Sort,
    TargetCell,
    entries,
    records,
    rows,
    terms,
)

#: How a unit comes into a hex, or leaves one.
_PASSING = {"move": "Mouvement", "advance": "Progression", "retreat": "Retraite"}

ActionName = Annotated[str, rows("timings", prefix="play_"), "Lequel"]
Moment = Annotated[
    str,
    terms(
        {
            "fire_roll": "Jet de Tir",
            "defence_roll": "Jet de Défense",
            "own_move": "Mouvement de ses unités",
            "enemy_move": "Mouvement ennemi",
            "enemy_entered": "L’ennemi vient d’entrer",
            "enemy_retreated": "L’ennemi a retraité",
            "before_melee": "Avant une Mêlée",
            "after_melee": "Après une Mêlée",
            "enemy_pass": "L’ennemi passe",
            "event_discard": "Défausse d’un Événement",
            "time_advanced": "Avancement du Temps",
            "squad_breaks": "Un Peloton se démoralise",
        }
    ),
    "Moment",
]
AxisAction = Annotated[str, rows("timings"), "Axe"]
AlliesAction = Annotated[str, rows("timings"), "Alliés"]
BatteryChoice = Annotated[str, terms({"access": "Demander la batterie", "fire": "Tir d’efficacité"}), "Demande"]
Observer = Annotated[PieceId, "Observateur"]
ActionNames = Annotated[Sequence[str], rows("actions", having="fp"), "Actions"]
DefenceRolls = Annotated[Rolls, "Jets de défense"]
BasePiece = Annotated[PieceId, "Pièce de base"]
FireMode = Annotated[str, terms({"order": "Ordre de Tir", "op_fire": "Tir d’Op", "assault": "Assaut"}), "Sorte de tir"]
AlsoCell = Annotated[Cell, "Cible de plus"]
Concealment = Annotated[int, "Dissimulations jouées"]
LightWounds = Annotated[Pieces, "Blessures légères sur"]
SmokeFire = Annotated[bool, "Tir de Fumigènes"]
Nation = Annotated[str, rows("decks"), "Paquet"]
RollPurpose = Annotated[
    str,
    terms(
        {
            "fire_card": "Jet de Tir",
            "targeting_card": "Jet de Ciblage",
            "defence_card": "Jet de Défense",
            "rally_card": "Jet de Ralliement",
            "rout_card": "Jet de Déroute",
            "melee_card": "Jet de Mêlée",
            "mines_card": "Jet des Mines",
            "sudden_death_card": "Jet de Mort Soudaine",
        }
    ),
    "Jet",
]
Danger = Annotated[
    str,
    terms(
        {
            "nothing": "Rien",
            "fire": "Un tir",
            "mortar": "Un mortier",
            "radio": "Une radio",
            "flame": "Un lance-flammes",
            "mines": "Des mines",
        }
    ),
    "Contre",
]
CoverChoice = Annotated[
    str, terms({"terrain": "Terrain", "fortification": "Fortification", "side": "Bord"}), "Au choix"
]
DiceReading = Annotated[str, terms({"sum": "La somme", "product": "Le produit"}), "On lit"]
Quality = Annotated[str, terms({"green": "Recrue", "line": "Ligne", "elite": "Élite"}), "Qualité"]
SecondMarkers = Annotated[
    Sequence[str], terms({"suppressed": "Suppression", "veteran": "Vétéran"}), "Marqueurs pour la seconde Équipe"
]
SquadResult = Annotated[
    str, terms({"broken": "Démoralisation", "suppressed": "Suppression", "eliminated": "Élimination"}), "Résultat"
]
EventName = Annotated[str, rows("events", prefix="event_"), "Lequel"]
ArrivingUnit = Annotated[
    str, terms({"leader": "Chef", "team": "Équipe", "squad": "Peloton", "radio": "Radio"}), "Sorte d’unité"
]
LeavingWay = Annotated[str, terms(_PASSING), "Comment"]
FortificationKind = Annotated[str, rows("fortifications"), "Fortification"]
WoundCause = Annotated[
    str,
    terms(
        {
            "fire": "Tir", "mines": "Mines", "artillery": "Artillerie", "sniper": "Sniper", "ambush": "Embuscade",
            "event": "Événement", "melee": "Mêlée", "kia": "Tué en Action", "retreat": "Retraite",
            "stacking": "Empilement",
        }
    ),
    "Cause",
]  # fmt: skip
EntryWay = Annotated[str, terms(_PASSING), "Comment on entre"]
MeleeWinner = Annotated[str, terms({"axis": "Axe", "allies": "Alliés", "none": "Personne"}), "Vainqueur"]
OpFireCause = Annotated[str, terms({**_PASSING, "transfer": "Transfert"}), "Cause"]
OrderName = Annotated[
    str,
    terms(
        {
            "advance": "Progression",
            "artillery_denied": "Artillerie refusée",
            "artillery_request": "Demande d’artillerie",
            "command_confusion": "Problèmes de Commandement",
            "fire": "Tir",
            "move": "Mouvement",
            "recover": "Récupération",
            "rout": "Déroute",
        }
    ),
    "Ordre",
]
PlayedBetween = Annotated[
    Sequence[str],
    terms(
        {
            "order:rout": "Un autre Ordre, Déroute",
            "action:smoke_grenades": "Grenades Fumigènes",
            "action:assault_fire": "Tir d’Assaut",
            "event:dust": "Un Événement",
        },
        open=True,
    ),
    "Joué entre-temps",
]
Weapon = Annotated[PieceId, "Arme"]
FriendlyEdge = Annotated[str, terms({"top": "Haut", "bottom": "Bas", "left": "Gauche", "right": "Droite"}), "Bord ami"]
LossWay = Annotated[str, terms({"eliminated": "Éliminée", "exited": "Sortie du plateau"}), "Comment"]
ValueNames = Annotated[
    Sequence[str],
    terms({"fp": "PF", "range": "Portée", "move": "Mouvement", "morale": "Moral", "command": "Commandement"}),
    "Seulement",
]


class OpFireShot(TypedDict, total=False):
    """An Op Fire that meets units on their way."""

    at: Required[Annotated[Cell, "Hex où l’on vient d’entrer"]]
    firers: Required[Firers]
    roll: Annotated[Roll, "Jet de Tir"]
    defence: DefenceRolls
    actions: ActionNames
    base: BasePiece
    also: AlsoCell
    jammed: Annotated[bool, "Arme enrayée", Otherwise(False)]
    breaks: Annotated[Pieces, "Pièces qui cassent"]
    concealment: Annotated[Concealment, Otherwise(0)]
    wounds: LightWounds


class MinesRoll(TypedDict, total=False):
    """What is rolled when mines are met on the way."""

    at: Required[Annotated[Cell, "Hex miné"]]
    roll: Annotated[Roll, "Jet des Mines"]
    defence: DefenceRolls
    wounds: LightWounds


class NextFire(TypedDict, total=False):
    """A fire that follows another one."""

    firers: Required[Firers]
    target: Required[TargetCell]
    actions: ActionNames
    base: BasePiece
    mode: Annotated[FireMode, Otherwise("order")]
    also: AlsoCell
    concealment: Annotated[Concealment, Otherwise(0)]
    order: Annotated[Pieces, "Jets de défense, dans l’ordre"]


OpFireShots = Annotated[Sequence[OpFireShot], records("Tir d’Op"), "Tirs d’Op en chemin"]
MinesMet = Annotated[Sequence[MinesRoll], records("Jet de Mines"), "Mines en chemin"]
NextFires = Annotated[Sequence[NextFire], records("Tir"), "Tirs suivants"]
#: Pairs of dice, as numbers or as text: ``[6, 1]``, ``"6-1"``.
Discards = Annotated[Sequence[Sequence[int] | str], Sort("throws"), "Cartes défaussées"]
DuelDiscards = Annotated[Mapping[str, Sequence[Sequence[int]]], entries("duel", "throws"), "Cartes défaussées"]
WhereTo = Annotated[Mapping[str, str], entries("piece", "option"), "Qui fuit, et où"]
ThenOffered = Annotated[str | Sequence[str], Sort("offered"), "Puis au choix"]
