"""The one grammar of links, written and read here alone.

``/`` is the home page; ``/?jeu=combat_commander&regle=10.3.3`` opens an index entry; a lesson takes ``scene``,
``exemple``, ``position`` and ``mode=projection``, ``vue=tout`` for all its scenes on one page, ``etape`` of the turn
that it replays, or ``seance``, the class that its teacher leads by it; a position without lesson opens the free board. ``/?classe=K7PM2Q`` joins a class; the sheet to print takes ``lecon``, the notebook of a lesson; a lesson kept in
the store takes ``lecon``, its code; a mini-scenario takes ``scenario``, and ``des``, the seed of its dice. « Article par article » takes ``regle``, the article opened, and ``vue``, the
family listed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Literal
from urllib.parse import SplitResult, parse_qs, quote, unquote, urlencode, urlsplit

from tutor.core.errors import PositionError, RequestError, brief
from tutor.core.position import MAX_LINK, Position
from tutor.core.registry import GAMES
from tutor.core.yamlio import read_yaml

RENDER = "/voila/render/"
#: What the addresses of cards begin with: rules and words that open over a page.
CARDS = "/regles/"
#: What every notebook of an address ends with.
_END = ".ipynb"
#: A position as :meth:`Position.to_link` writes it; the shortest has many more letters than this.
_COMPACT = re.compile(r"[A-Za-z0-9_-]{40,}={0,2}")
#: Pages of the house; a page that is about one game alone bears the name that its game gives it.
PageKind = Literal[
    "home",
    "lesson",
    "sandbox",
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
    "plan",
    "editor",
    "authored",
    "scenario",
]


@cache
def _house() -> Mapping[str, str]:
    words: dict[str, str] = read_yaml(Path(__file__).parent / "pages.yaml")
    return words


def addresses() -> Mapping[str, str]:
    """Kind of page -> the word of its address: the pages of the house, and those that are about one game alone.

    >>> addresses()["sandbox"]
    'bac-a-sable'
    """
    return {**{own.page: own.address for game_id in GAMES for own in GAMES.facts(game_id).pages}, **_house()}


@dataclass(frozen=True, slots=True)
class Link:
    """Where a link leads.

    Args:
        page: home, or another kind of page: of the house (``PageKind``), or of one game.
        game: game id.
        rule: index entry to open.
        word: what to search for.
        view: ``index`` shows every entry (home page), ``tout`` every scene (lesson).
        classroom: code of a class session, as typed.
        slug: notebook of the lesson, without ``.ipynb``, or code of a lesson kept in the store.
        example: live example of the lesson.
        scene: scene of the lesson.
        dice: seed of the dice of a mini-scenario, which ``slug`` names.
        stage: step of a replayed turn, and the decisions that lead there (``5-ab``).
        position: compact text of a position.
        projection: large type, answers hidden.
        leads: number of the session that follows the scenes of this lesson.
    """

    page: PageKind | str = "home"
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
    scene: str = ""
    dice: str = ""
    leads: str = ""

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
            "scenario": self.slug if self.page == "scenario" else "",
            "des": self.dice,
            "scene": self.scene,
            "exemple": self.example,
            "etape": self.stage,
            "position": self.position,
            "mode": "projection" if self.projection else "",
            "seance": self.leads,
        }
        text = urlencode({key: value for key, value in query.items() if value}, quote_via=quote)
        word = "" if self.page == "home" else self._word()
        path = f"{RENDER}{quote(word)}{_END}" if word else "/"
        return f"{path}?{text}" if text else path

    def _word(self) -> str:
        return f"{self.game}/{self.slug}" if self.page == "lesson" else addresses()[self.page]


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
    if path in ("", "/"):
        return query
    word = path.removeprefix(RENDER).removesuffix(_END)
    if path.endswith(_END):
        for page, its in addresses().items():
            if word == its:
                return replace(query, page=page)
    game, _, slug = word.partition("/")
    if path.startswith(RENDER) and path.endswith(_END) and "/" in word and "/" not in slug:
        return replace(query, page="lesson", game=game, slug=slug)
    raise RequestError(
        f"L’adresse « {brief(path, 80)} » n’est pas celle d’une page du cours.", remedy="Repartez de la page d’accueil."
    )


def read_query(query: str) -> Link:
    """What the query string of a page asks for; unknown keys are ignored, repeated ones keep the first.

    >>> read_query("?exemple=herzog&mode=projection")
    Link(page='home', game='', rule='', word='', slug='', example='herzog', position='', projection=True, view='',
    classroom='', stage='', scene='', dice='', leads='')
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
        slug=(given.get("lecon") or given.get("scenario", ""))[:64],
        dice=given.get("des", "")[:8],
        stage=given.get("etape", "")[:24],
        scene=given.get("scene", "")[:72],
        leads=given.get("seance", "")[:16],
    )


def position_of(text: str, game_id: str = "") -> Position:
    """The position of a link.

    Args:
        text: the ``position`` of a link.
        game_id: the game it must belong to, if any.

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


def card_address(game_id: str, *, rule: str = "", word: str = "") -> str:
    """Address of the card of a rule, or of a word of the glossary: a piece of HTML that the server gives by itself.

    Args:
        game_id: game.
        rule: id of a section.
        word: a word as it is written, when the card is of a word.

    >>> card_address("tcs", rule="3.2"), card_address("tcs", word="Gêne")
    ('/regles/tcs?regle=3.2', '/regles/tcs?mot=G%C3%AAne')
    """
    return f"{CARDS}{game_id}?{urlencode({'mot': word} if word else {'regle': rule}, quote_via=quote)}"


def picture_address(game_id: str, rule: str, solved: bool) -> str:
    """Address of the picture on the card of a rule: the board of its example, as it is asked or with its verdict.

    >>> picture_address("tcs", "3.2", solved=True)
    '/regles/tcs/verdict.svg?regle=3.2'
    """
    name = "verdict" if solved else "plateau"
    return f"{CARDS}{game_id}/{name}.svg?{urlencode({'regle': rule}, quote_via=quote)}"
