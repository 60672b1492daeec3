"""Themes of the editor's list of questions: what is asked most often, then each subject of the game. Data, no widget."""

from __future__ import annotations

from collections.abc import Mapping

#: The theme that the list begins with.
COMMON = "Les plus courantes"
ALL = "Toutes les questions"
#: Game -> theme -> questions, by their names in the engine. A test wants each question in one subject at least.
THEMES: Mapping[str, Mapping[str, str]] = {
    "combat_commander": {
        COMMON: "los distance cover fire attack fire_odds op_fire move values morale melee recover rout",
        "Vue et tir": "los distance cover fire fire_order attack fire_odds op_fire targeting targeting_odds sniper",
        "Mouvement": "move step_cost advance transfer exit activation stacking smoke_grenades",
        "Unités et Moral": "values morale recover recover_odds rout rout_odds retreat light_wounds deploy stacking commissar_odds",
        "Mêlée": "melees melee melee_odds no_quarter",
        "Ordres et Actions": "order action action_order activation discard fire_order demolitions",
        "Cartes, dés et Événements": "card_roll event trigger_odds deck_odds random_hex_odds reroll reveal sniper",
        "Armes": "transfer repair repair_odds targeting targeting_odds",
        "Artillerie et Fumigènes": "artillery_request artillery_denied spotting barrage barrage_odds impact impact_odds drift smoke_grenades smoke_marker",
        "Fortifications et Mines": "fortify dig_in demolitions hidden_unit mines mines_odds",
        "Temps et victoire": "tracks time_advance sudden_death_odds surrender objective_control objective_value unit_worth exit final_count",
    },
    "asl_sk": {
        COMMON: "los distance fire attack fire_odds walk cost morale_check rally rout close_combat values",
        "Vue et tir": "los distance fire firepower attack fire_odds ift ift_odds declarations values",
        "Mouvement et tir défensif": "walk cost defensive_fire residual residual_attack",
        "Moral et ralliement": "morale_check morale_odds pin_check rally dm_taken dm_removal",
        "Déroute": "rout rout_goals",
        "Corps à corps": "cc close_combat ambush",
        "Canons et armes": "to_hit to_kill location rof breakdown panzerfaust",
    },
    "tcs": {
        COMMON: "los distance seen_from spotting area_fire point_fire overwatch morale losses",
        "Vue et terrain": "los distance profile seen_from elevation spotting",
        "Tir de zone": "area_fire area_odds crossfire losses passenger_losses",
        "Tir sur point": "point_fire point_odds point_losses range_band at_rolls",
        "Overwatch et SYR": "overwatch triggers cycle syr",
        "Moral": "morale morale_odds morale_effect morale_reduction battalion_morale vehicle_morale recover",
    },
    "sherman_leader": {
        COMMON: "los distance move reach attack attack_odds enemy_order enemy_move enemy_attack targets",
        "Vue et mouvement": "los distance move reach transport",
        "Vos attaques": "attack attack_odds resolve series_odds damage damage_odds",
        "L’ennemi": "enemy_order enemy_move targets enemy_attack enemy_odds enemy_resolve battalion",
        "Équipages et campagne": "commander rest stress_after battalion",
    },
    "heroes_of_normandie": {
        COMMON: "los fire path control grenade suppression rally",
        "Vue et tir": "los smoke fade fire control suppression gear location alert",
        "Mouvement, ordres et cartes": "path rally battery special_orders ordnance cards alert campaign",
        "Bâtiments": "floors room_bonus breach grenade",
        "Explosions et avions": "blast demolisher destruction_odds plane_fire aim_at_plane speed battery",
    },
}


def themes(game_id: str) -> list[str]:
    """Themes of a game, the commonest questions first, all of them last.

    >>> themes("asl_sk")[0], themes("asl_sk")[-1]
    ('Les plus courantes', 'Toutes les questions')
    """
    return [*THEMES.get(game_id, {}), ALL]


def in_theme(game_id: str, theme: str, name: str) -> bool:
    """Whether a question belongs to a theme.

    >>> in_theme("asl_sk", "Déroute", "rout"), in_theme("asl_sk", "Déroute", "los"), in_theme("asl_sk", ALL, "los")
    (True, False, True)
    """
    return theme == ALL or name in THEMES[game_id][theme].split()
