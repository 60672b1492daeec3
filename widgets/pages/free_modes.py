"""The modes of the free board: what a click does, and the line that says so."""

#: Label -> mode.
MODES = {
    "Regarder": "sight",
    "Changer": "change",
    "Tirer": "fire",
    "Terrain": "terrain",
    "Côtés": "sides",
    "Routes": "ways",
    "Pions": "pieces",
}
#: Mode -> what to do, of a game's words.
HELP = {
    "sight": "Cliquez {w.two} : la ligne va d’un bout à l’autre. "
    "Cliquez un bout pour le prendre, puis {w.one} pour le poser.",
    "change": "Touchez ce qui doit changer, ou glissez un pion.",
    "fire": "Cliquez vos tireurs, puis {w.target}. Cliquez un tireur une seconde fois pour le retirer.",
    "single": "Cliquez votre tireur, puis le pion visé.",
    "terrain": "Choisissez un terrain, un niveau ou un marqueur, puis cliquez {w.some}.",
    "sides": "Choisissez un mur, une haie… puis cliquez près d’{w.side}.",
    "ways": "Cliquez {w.two} qui se touchent : la route va de l’un à l’autre. Recommencez pour l’enlever.",
    "pieces": "Choisissez un pion, puis cliquez {w.the} où le poser. "
    "Les pions se déplacent en les glissant, à tout moment.",
}
