"""The one grammar of links, written and read here alone.

``/`` is the home page; ``/?jeu=combat_commander&regle=10.3.3`` opens an index entry; a lesson takes ``exemple``,
``position`` and ``mode=projection``, or ``etape`` of the turn that it replays; a position without lesson opens the free board. ``/?classe=K7PM2Q`` joins a class;
the sheet to print takes ``lecon``, the notebook of a lesson; a lesson kept in the store takes ``lecon``, its code.
« Article par article » takes ``regle``, the article opened, and ``vue``, the family listed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import SplitResult, parse_qs, quote, unquote, urlencode, urlsplit

from tutor.core.errors import PositionError, RequestError
from tutor.core.position import MAX_LINK, Position

RENDER = "/voila/render/"
HOME = "accueil.ipynb"
#: A position as :meth:`Position.to_link` writes it; the shortest has many more letters than this.
_COMPACT = re.compile(r"[A-Za-z0-9_-]{40,}={0,2}")
PageKind = Literal[
    "home",
    "lesson",
    "sandbox",
    "terrains",
    "aid",
    "articles",
    "about",
    "compare",
    "quick",
    "review",
    "data",
    "placement",
    "teacher",
    "class",
    "sheet",
    "editor",
    "authored",
]
_SIMPLE: Mapping[PageKind, str] = {
    "home": HOME,
    "sandbox": "bac-a-sable.ipynb",
    "terrains": "combat-commander-terrains.ipynb",
    "aid": "aide-de-jeu.ipynb",
    "articles": "articles.ipynb",
    "about": "a-propos.ipynb",
    "compare": "cote-a-cote.ipynb",
    "quick": "a-table.ipynb",
    "review": "reviser.ipynb",
    "data": "vos-donnees.ipynb",
    "placement": "je-connais-deja.ipynb",
    "teacher": "enseignant.ipynb",
    "class": "classe.ipynb",
    "sheet": "fiche.ipynb",
    "editor": "editeur.ipynb",
    "authored": "lecon.ipynb",
}


@dataclass(frozen=True, slots=True)
class Link:
    """Where a link leads.

    Args:
        page: home, or another kind of page.
        game: game id; rule: index entry to open; word: what to search for; view: ``index`` shows every entry (home page).
        classroom: code of a class session, as typed.
        slug: notebook of the lesson, without ``.ipynb``, or code of a lesson kept in the store; example: live example of the lesson.
        stage: step of a replayed turn, and the decisions that lead there (``5-ab``).
        position: compact text of a position; projection: large type, answers hidden.
    """

    page: PageKind = "home"
    game: str = ""
    rule: str = ""
    word: str = ""
    slug: str = ""
    example: str = ""
    position: str = ""
    projection: bool = False
    view: str = ""
    classroom: str = ""
    stage: str = ""

    @property
    def url(self) -> str:
        """The address on this server.

        >>> Link(game="combat_commander", rule="10.3.3").url
        '/?jeu=combat_commander&regle=10.3.3'
        >>> Link("lesson", "combat_commander", slug="03-ldv-terrain-plat", example="herzog").url
        '/voila/render/combat_commander/03-ldv-terrain-plat.ipynb?exemple=herzog'
        >>> Link("authored", slug="K7PM2QX9").url
        '/voila/render/lecon.ipynb?lecon=K7PM2QX9'
        """
        query = {
            "jeu": self.game if self.page != "lesson" else "",
            "regle": self.rule,
            "mot": self.word,
            "vue": self.view,
            "classe": self.classroom,
            "lecon": self.slug if self.page in ("sheet", "authored") else "",
            "exemple": self.example,
            "etape": self.stage,
            "position": self.position,
            "mode": "projection" if self.projection else "",
        }
        text = urlencode({key: value for key, value in query.items() if value}, quote_via=quote)
        if self.page == "home":
            path = "/"
        else:
            path = RENDER + (quote(f"{self.game}/{self.slug}.ipynb") if self.page == "lesson" else _SIMPLE[self.page])
        return f"{path}?{text}" if text else path


def split(text: str) -> SplitResult:
    """The parts of an address that somebody typed.

    Raises:
        RequestError: it is none.

    >>> split("/?jeu=tcs").query
    'jeu=tcs'
    """
    try:
        return urlsplit(text)
    except ValueError:
        raise RequestError("Cette adresse est mal écrite.", remedy="Recopiez-la en entier.") from None


def read_url(url: str) -> Link:
    """Where an address leads, the inverse of ``Link.url``.

    Raises:
        RequestError: no page of ours.

    >>> read_url("/?jeu=combat_commander&regle=10.3.3").rule
    '10.3.3'
    """
    parts = split(url)
    query = read_query(parts.query)
    path = unquote(parts.path)
    if path in ("", "/", RENDER + HOME):
        return query
    name = path.removeprefix(RENDER)
    for page, file in _SIMPLE.items():
        if name == file:
            return replace(query, page=page)
    game, _, file = name.partition("/")
    if path.startswith(RENDER) and file.endswith(".ipynb") and "/" not in file:
        return replace(query, page="lesson", game=game, slug=file.removesuffix(".ipynb"))
    raise RequestError(
        f"L’adresse « {path[:80]} » n’est pas celle d’une page du cours.", remedy="Repartez de la page d’accueil."
    )


def read_query(query: str) -> Link:
    """What the query string of a page asks for; unknown keys are ignored, repeated ones keep the first.

    >>> read_query("?exemple=herzog&mode=projection")
    Link(page='home', game='', rule='', word='', slug='', example='herzog', position='', projection=True, view='', classroom='', stage='')
    """
    given = {
        key: values[0].strip()
        for key, values in parse_qs(query.lstrip("?")[: 4 * MAX_LINK], max_num_fields=None).items()
    }
    return Link(
        game=given.get("jeu", "")[:64],
        rule=given.get("regle", "")[:64],
        word=given.get("mot", "")[:80],
        example=given.get("exemple", "")[:64],
        position=given.get("position", ""),
        projection=given.get("mode") == "projection",
        view=given.get("vue", "")[:16],
        classroom=given.get("classe", "")[:16],
        slug=given.get("lecon", "")[:64],
        stage=given.get("etape", "")[:24],
    )


def position_of(text: str, game_id: str = "") -> Position:
    """The position of a link.

    Args:
        text: the ``position`` of a link; game_id: the game it must belong to, if any.

    Raises:
        PositionError: too long, damaged, impossible to read, or of another game.
    """
    position = Position.from_link(text)
    if game_id and position.game != game_id:
        raise PositionError(
            f"Cette position est du jeu « {position.game} ».", remedy="Ouvrez-la dans le bac à sable de ce jeu."
        )
    return position


def position_in(text: str) -> str:
    """The compact position that a pasted text is, or whose link it is; "" when it is neither.

    Args:
        text: what somebody pasted.

    >>> position_in("http://x/y?position=eJyrVkrLz1eyAgA"), position_in("schema: ["), position_in("une position")
    ('eJyrVkrLz1eyAgA', '', '')
    """
    text = text.strip()
    if not text or not text.isprintable() or " " in text:
        return ""
    return read_query(split(text).query).position if "position=" in text else text if _COMPACT.fullmatch(text) else ""


def position_text(position: Position) -> str:
    """The compact text of a position for a link.

    Raises:
        PositionError: longer than a link may be.
    """
    text = position.to_link()
    if len(text) > MAX_LINK:
        raise PositionError(
            f"Cette position est trop grande pour un lien ({len(text)} caractères, {MAX_LINK} au plus).",
            remedy="Enregistrez-la dans un fichier.",
        )
    return text


def rule_link(game_id: str, rule: str) -> str:
    """Address of the index entry of a rule."""
    return Link(game=game_id, rule=rule).url
