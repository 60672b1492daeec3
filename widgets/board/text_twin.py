"""The text twin of a board: for screen readers, for tests, and for whoever prefers to read."""

from __future__ import annotations

from collections.abc import Container, Iterable
from html import escape
from itertools import chain

from tutor.core.errors import TutorError
from tutor.core.kit import SIDES
from tutor.core.position import Piece, Position
from tutor.core.registry import Game, game
from tutor.core.typography import typography
from widgets.board.paint.labels import METRES

_PRINTED = (("fp", "PF"), ("range", "portée"), ("move", "mouvement"), ("morale", "moral"), ("command", "commandement"))


def _term(rules: Game | None, table: str, row: str) -> str:
    if rules is not None and table in rules.tables and row in rules.tables[table].rows:
        return rules.tables[table].term(row)
    return row


def _word(rules: Game | None, word: str) -> str:
    """A word of the board in French: of the manner of the game's counters, of its states, of its phrases."""
    if rules is None:
        return word
    own = rules.counters.words.get(word) if rules.counters else None
    states = rules.tables.get("statuses")
    return own or (states.term(word) if states and states.has(word) else rules.phrases.term(word))


def _way(rules: Game | None, way: str) -> str:
    term = _term(rules, "ways", way)
    return _word(rules, way) if term == way else term.lower()


def _game(position: Position) -> Game | None:
    try:
        return game(position.game)
    except TutorError:
        return None


def keys_text(position: Position) -> str:
    """How a board is used from a keyboard, for whoever hears it."""
    the = position.board.words.the
    return typography(
        f"Flèches : déplacer le curseur ; Entrée : choisir {the} ; Échap : annuler ; Tab : quitter le plateau."
    )


def piece_text(position: Position, piece: Piece, values: bool = True) -> str:
    """A piece in a few words: « Grein (Chef, Axe, démoralisé) ».

    >>> p = Position.parse("schema: 1\\ngame: combat_commander\\nid: v\\ngrid: {columns: [A, C], rows: [1, 3]}\\n"
    ...     "pieces: [{id: grein, kind: leader, side: axis, at: B2, name: Grein, status: [broken]}]")
    >>> piece_text(p, p.pieces[0])
    'Grein (Chef, Axe, démoralisé)'
    """
    from widgets.board.counters.face import face

    rules = _game(position)
    words = [_word(rules, piece.kind), SIDES.get(piece.side) or _word(rules, piece.side)]
    shown = face(position, piece)
    if values:
        own_names = rules.counters.words if rules and rules.counters else {}
        printed = [
            f"{own_names.get(key, name)}\u00a0{value}"
            for key, name in _PRINTED
            if (value := getattr(shown, key)) is not None
        ]
        known = {key for key, _ in _PRINTED}
        own = ((key, _word(rules, key), value) for key, value in piece.front.items() if key not in known)
        printed += [f"{name}\u00a0{value}" for key, name, value in own if name != key]
        words += [", ".join(printed).replace("-", "−")] if printed else []
    agreeing = rules.counters.agreeing.get(piece.kind, {}) if rules and rules.counters else {}
    words += [agreeing.get(s) or _word(rules, s) for s in piece.status]
    if piece.activated and rules and "activations" in rules.tables:
        words.append(f"activation\u00a0: {_term(rules, 'activations', piece.activated)}")
    if piece.carrier:
        bond = "commande" if piece.kind == "commander" else "porté par"
        words.append(f"{bond} {position.names.get(piece.carrier, piece.carrier)}")
    return f"{piece.name or piece.id} ({', '.join(words)})"


def hex_text(position: Position, cell: str, values: bool = False) -> str:
    """A hex in one sentence: terrain, level, ways, markers, pieces.

    >>> from tutor.core.registry import load_position
    >>> hex_text(load_position("combat_commander", "livret-ldv"), "K6").replace("\\u00a0", " ")
    'K6 : Bois, niveau 1 ; Borbe (Chef, Axe).'
    """
    rules = _game(position)
    bare = "open" if rules is None or "open" in rules.tables["terrain"].rows else "clear"
    words = [_term(rules, "terrain", position.terrain_of.get(cell, bare)).replace("clear", "Terrain dégagé")]
    level = position.level_of.get(cell, 0)
    if level:
        words.append(f"{level}\u00a0m" if level > METRES else f"niveau\u00a0{level}".replace("-", "−"))
    words += [_way(rules, way) for way, cells in position.ways.items() if cell in cells]
    for kind, cells in position.markers.items():
        value = cells.get(cell)
        if value in (None, False):
            continue
        name = (
            _term(rules, "fortifications", str(value))
            if kind == "fortification"
            else _term(rules, "markers", kind).lower()
        )
        said = _word(rules, value) if isinstance(value, str) else value
        if value is True or kind == "fortification":
            words.append(name)
        else:  # « fumigène, seconde face »; « fumigènes 4 »
            words.append(f"{name}, {said}" if said != value else f"{name}\u00a0{value}")
    groups = [", ".join(words)]
    groups += [piece_text(position, piece, values) for piece in position.pieces_at(cell)]
    return f"{cell}\u00a0: " + "\u00a0; ".join(groups) + "."


def twin_html(position: Position, sentences: Iterable[str] = ()) -> str:
    """The whole board as text, folded: what lies in each hex that is not bare, sides, then the result's sentences."""
    rules = _game(position)
    telling = [
        cell
        for cell in position.grid.cells
        if cell in position.terrain_of
        or position.level_of.get(cell)
        or position.pieces_at(cell)
        or any(cell in cells for cells in chain[Container[str]](position.ways.values(), position.markers.values()))
    ]
    items = "".join(f"<li>{escape(hex_text(position, cell, True))}</li>" for cell in telling)
    sides = "".join(
        f"<li>{escape(side)}\u00a0: {escape(_term(rules, 'sides', kind).lower())}.</li>"
        for side, kind in sorted(position.sides_of.items())
    )
    said = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    cells, words = position.grid.cells, position.board.words
    bare = len(cells) - len(telling)
    return (
        f'<details class="ldv-twin"><summary>Le plateau en texte</summary>'
        f"<p>{words.names.capitalize()} {cells[0]} à {cells[-1]}. {bare} {words.name if bare < 2 else words.names} en terrain dégagé, "
        "niveau 0, sans pion"
        + (f"\u202f; les autres\u00a0:</p><ul>{items}</ul>" if items else ".</p>")
        + (f"<p>{words.sides.capitalize()}\u00a0:</p><ul>{sides}</ul>" if sides else "")
        + (f"<p>Résultat\u00a0:</p><ul>{said}</ul>" if said else "")
        + "</details>"
    )
