"""Counters of Combat Commander: the plain ones, whose values stand where this game prints them; their words."""

from __future__ import annotations

from tutor.core.faces import CounterStyle

LEGEND = (
    "Ligne de vue\u00a0: trait plein ✓ dégagée\u00a0; tirets ≈ gênée\u00a0; pointillé au-delà de ✕ bloquée.",
    "Pions\u00a0: coin coupé, Axe\u00a0; coins ronds, Alliés. En bas\u00a0: PF, portée, mouvement "
    "(encadrés quand le livret les encadre)\u00a0; en haut à droite\u00a0: moral\u00a0; dans l’hexagone noir\u00a0: "
    "commandement. "
    "Pion penché et hachuré\u00a0: démoralisé. Coin S\u00a0: en Suppression.",
)
#: Words of the board in text.
WORDS = {
    "broken": "démoralisée",
    "suppressed": "en Suppression",
    "veteran": "vétéran",
    "white_band": "à bande blanche",
}
#: A Chef, a Peloton, a mortier and a canon are masculine.
AGREEING = {kind: {"broken": "démoralisé"} for kind in ("leader", "squad", "mortar", "gun")}

STYLE = CounterStyle(legend=LEGEND, words=WORDS, agreeing=AGREEING)
