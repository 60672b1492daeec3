"""The game object of ASL Starter Kit 3: its modules, the rules that may be left out, the open readings."""

from __future__ import annotations

from tutor.core.registry import Game, Setting

#: Rules a computation can leave out, and what then holds. Wrong answers are diagnosed with these.
OMITTABLE = {
    "1.1.1": "Le terrain de la cible ne donne aucun TEM.",
    "1.1.1-grain": "Le blé reste sur pied toute l’année.",
    "1.1.1-hills": "Une colline n’arrête pas la LOS et ne donne pas de Height Advantage.",
    "1.1.1-orchards": "Un verger gêne seulement, à tous les niveaux et en toute saison.",
    "1.1.1-orchard-road": "La route ne perce pas le verger.",
    "1.1.1-woods-road": "La route ne perce pas le bois et n’en retire pas le TEM.",
    "1.2.1": "Le leader directeur ne prête pas son DRM.",
    "1.2.5": "Un fumigène dans l’hex du tireur ou de la cible ne gêne pas.",
    "3.1.e": "Le Self Rally n’ajoute rien au jet.",
    "3.1.f": "Le jet de ralliement se compare au moral seul, sans DM, abri ni leader.",
    "3.2.1": "Le terrain des hexs du tireur et de la cible compte aussi.",
    "3.2.2-cower": "Un double sans leader ne change rien.",
    "3.2.2-leader": "Tout leader du groupe prête son DRM, le meilleur compte.",
    "3.2.2-longue-portee": "La FP reste entière jusqu’au double de la portée.",
    "3.2.2-pbf": "La FP n’est pas doublée contre un hex adjacent.",
    "3.2.3": "Une FP entre deux colonnes prend celle du dessus.",
    "3.2.3-MC": "Le # d’un #MC ne s’ajoute pas au jet.",
    "3.2.3-NMC": "Réussir tout juste un MC ne donne pas de Pin.",
    "3.2.3-PTC": "Un tireur Pin garde toute sa FP.",
    "3.3.1-double-time": "Un tireur CX ne subit pas de DRM.",
    "3.3.3-SFF": "Un second tir garde toute sa FP.",
    "3.3.3-drm": "Bouger ne change pas le DRM.",
    "3.3.5": "Les DRM ne réduisent pas la FP résiduelle.",
    "3.5": "L’AFPh ne réduit pas la FP.",
    "3.5-assault-fire": "L’Assault Fire n’ajoute rien.",
    "3.6-destination": "On déroute où l’on veut.",
    "3.6-interdiction": "Personne n’interdit une déroute.",
    "3.8-ambush": "L’Ambush ne change pas le DRM.",
    "3.8-smc": "Un leader ne dirige pas le CC.",
    "5.1": "L’ELR ne remplace aucune unité.",
    "5.4": "Un MMC inexpérimenté tire comme un MMC aguerri.",
    "7.4.1": "Les AFV et les épaves ne gênent pas la LOS.",
}

SETTINGS = {
    "depiction": Setting(
        "3.2.1",
        "Un terrain ordinaire (bois, bâtiment, céréales, broussailles, colline) compte",
        {
            "drawn": "là où la LOS touche son dessin",
            "whole": "dans tout l’intérieur de l’hex ; le long d’un côté, s’il y en a des deux bords",
        },
        "drawn",
    ),
    "vertex_contact": Setting(
        "3.2.1",
        "Une LOS qui ne touche qu’un sommet d’un hex de verger ou de fumée",
        {"counts": "touche cet hex", "ignored": "passe à côté"},
        "counts",
    ),
    "shared_side": Setting(
        "3.2.1",
        "Deux hexs de gêne de part et d’autre d’une LOS qui longe leur côté commun",
        {
            "one": "comptent pour un seul",
            "both": "comptent chacun",
            "range": "comptent pour un seul, comme tous ceux à la même distance du tireur (jeu complet)",
        },
        "one",
    ),
    "crest": Setting(
        "3.2.1",
        "Entre deux niveaux, une LOS qui, après sa première Crest Line, descend encore",
        {"down": "passe : seule une remontée l’arrête", "never": "est bloquée : plus aucune Crest Line"},
        "down",
    ),
    "natural_twelve": Setting(
        "3.2.3-NMC",
        "Un 12 naturel à un MC : l’unité réduite",
        {"breaks": "est aussi Broken : 12 est un échec", "only_reduces": "ne subit que la Réduction"},
        "breaks",
    ),
    "residual": Setting(
        "3.3.5",
        "La moitié de la FP d’une attaque, quand aucun pion n’a cette valeur",
        {"counter": "est ramenée à la colonne au-dessous (1, 2, 4, 6, 8, 12)", "number": "est gardée telle quelle"},
        "counter",
    ),
    "charts": Setting(
        "3.2.3",
        "Les tables que la synthèse n’imprime pas (IFT, To Hit, To Kill, CC)",
        {"public": "table d’ASL complet, transcription publique", "reader": "votre fichier de tables"},
        "public",
    ),
    "group_hindrance": Setting(
        "3.2.2-fg",
        "Un FG dont les hexs subissent des gênes différentes",
        {"worst": "prend la plus forte", "best": "prend la plus faible"},
        "worst",
    ),
    "low_obstacle": Setting(
        "3.2.1",
        "Un bois ou un bâtiment dont le sol est plus bas que les deux bouts de la LOS",
        {"seen": "ne l’arrête pas", "blocks": "l’arrête comme un autre"},
        "seen",
    ),
    "smoke_cap": Setting(
        "1.2.5",
        "Le maximum de +3 pour la fumée",
        {"hex": "vaut pour chaque hex", "line": "vaut pour toute la LOS"},
        "hex",
    ),
    "afv_contact": Setting(
        "7.4.1",
        "Un AFV ou un Wreck dont la LOS longe l’hex sans y entrer",
        {"inside": "ne la gêne pas", "side": "la gêne aussi"},
        "inside",
    ),
    "wreck_cover": Setting(
        "7.4",
        "L’épave d’un AFV ennemi, dans l’hex d’une unité d’infanterie,",
        {
            "any": "l’abrite : une épave n’est plus à personne",
            "friend": "ne l’abrite pas : « ami » vaut aussi de l’épave",
        },
        "any",
    ),
    "smoke_levels": Setting(
        "1.2.5",
        "Une fumée sur le trait, plus basse que le plus haut des deux bouts",
        {"all": "gêne, comme sur un terrain plat", "below": "ne gêne pas : on voit par-dessus, comme une autre gêne"},
        "all",
    ),
    "grain_winter": Setting(
        "1.1.1-grain",
        "Hors saison, entrer dans des céréales",
        {"bare": "coûte 1\u00a0MF, comme le terrain dégagé", "grain": "coûte toujours 1,5\u00a0MF"},
        "bare",
    ),
    "mixed_cower": Setting(
        "3.2.2-cower",
        "Le Cowering de deux colonnes d’un groupe mixte",
        {"any": "se prend dès qu’un MMC est inexpérimenté", "all": "demande que tous ses MMC le soient"},
        "any",
    ),
    "cower_rof": Setting(
        "3.2.2-cower",
        "Après un Cowering, une MG que le dé coloré laisserait tirer encore",
        {"lost": "ne tire plus", "kept": "garde sa ROF : seul son porteur est marqué"},
        "lost",
    ),
    "random_ties": Setting(
        "3.2.3-KIA",
        "Au tirage au hasard, des dés égaux",
        {"all": "désignent toutes ces unités", "one": "se relancent : le nombre exact est tiré"},
        "all",
    ),
    "wounded_leader": Setting(
        "3.2.3-K",
        "« Sauf SMC Wounded » dispense du MC d’un K",
        {"any": "tout leader Wounded", "new": "le seul leader qui ne l’était pas avant ce tir"},
        "any",
    ),
    "leader_loss": Setting(
        "3.2.3-LLMC",
        "Plusieurs leaders perdus par la même attaque",
        {"each": "donnent chacun leur test", "best": "n’en donnent qu’un, pour le meilleur moral"},
        "each",
    ),
    "residual_smoke": Setting(
        "3.3.5",
        "La fumée de l’hex visé",
        {"inside": "ne réduit pas la FP résiduelle", "outside": "la réduit, comme une autre gêne"},
        "inside",
    ),
    "rout_stack": Setting(
        "3.6",
        "Un abri est plein, pour une déroute,",
        {"squads": "à trois équivalents-Squad", "mmc": "à trois MMC, Half-Squads compris"},
        "squads",
    ),
    "rout_open": Setting(
        "3.6",
        "Faute d’abri, finir une déroute à découvert, là où l’ennemi peut interdire",
        {"allowed": "est permis : « rester » vise qui n’a pas bougé", "refused": "est interdit"},
        "allowed",
    ),
    "pinned_cc": Setting(
        "3.8",
        "La FP d’un MMC Pin qui attaque en CC",
        {"half": "est divisée par deux (3.2.3-PTC)", "full": "reste entière, comme dans le jeu complet"},
        "half",
    ),
    "broken_cc": Setting(
        "3.8",
        "Le −2 contre des unités Broken, en CC,",
        {"all": "demande qu’elles le soient toutes", "any": "vaut dès que l’une d’elles l’est"},
        "all",
    ),
}

#: Subjects under which the questions are listed.
THEMES = (
    "Vue et tir",
    "Mouvement et tir défensif",
    "Moral et ralliement",
    "Déroute",
    "Combat rapproché",
    "Canons et armes",
)

GAME = Game(
    "asl_sk",
    modules=(
        "board",
        "problems",
        "los",
        "fire.firepower",
        "fire.fire",
        "morale",
        "fire.residual",
        "fire.attack",
        "fire.odds",
        "rally",
        "move",
        "rout",
        "values",
        "fire.weapons",
        "melee",
        "fire.to_hit",
    ),
    omittable=OMITTABLE,
    settings=SETTINGS,
    themes=THEMES,
)
