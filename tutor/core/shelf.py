"""The games there are: a game is a folder that holds a ``game.yaml``; nothing else need know of it.

They stand in the places of ``tutor.games``: the house's own folder, and those that ``LDV_GAMES`` names.
Only what every page needs of each game is read here; the rest waits for the page that asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from tutor.core.errors import ContentError
from tutor.core.yamlio import read_yaml

FACTS = "game.yaml"
#: Where a game stands that does not say it: after those that do.
LAST = 1_000


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the house that is about this game alone, as the home page announces it.

    Args:
        page: kind of page, as links name it.
        address: the word of its address, with which its notebook begins: ``aide``, ``mon_jeu/aide``.
        title: French.
        teaser: one line.
    """

    page: str
    address: str
    title: str
    teaser: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What the ``game.yaml`` of a game says.

    Args:
        folder: all that the game is made of.
        title: its name, in full.
        short: the name that holds on a button; "" when the title does.
        publisher: who publishes the booklet; "" when nobody does.
        place: its place among the games, from 1.
        pages: pages about it alone.
    """

    folder: Path
    title: str
    short: str = ""
    publisher: str = ""
    place: int = LAST
    pages: tuple[Page, ...] = ()


class Shelf(Mapping[str, str]):
    """Game id -> title, in order; always what the places of ``tutor.games`` hold, without importing any game."""

    def __getitem__(self, game_id: str) -> str:
        return self.facts(game_id).title

    def __iter__(self) -> Iterator[str]:
        return iter(self._read()[0])

    def __len__(self) -> int:
        return len(self._read()[0])

    def facts(self, game_id: str) -> Facts:
        """What a game says of itself.

        Raises:
            KeyError: there is none of this id.
        """
        return self._read()[0][game_id]

    def of_page(self, page: str) -> str:
        """The game that a page of the house is about.

        Raises:
            ContentError: no game says that it is about it.
        """
        for game_id in self:
            if page in [own.page for own in self.facts(game_id).pages]:
                return game_id
        raise ContentError(f"Aucun jeu n’a de page « {page} ».", remedy=f"Elle se dit dans son {FACTS}.")

    @property
    def faults(self) -> tuple[str, ...]:
        """French sentences on folders that are named, or look like games, and are none."""
        return self._read()[1]

    def _read(self) -> tuple[Mapping[str, Facts], tuple[str, ...]]:
        return _read(tuple(import_module("tutor.games").__path__))


@lru_cache(maxsize=4)
def _read(places: tuple[str, ...]) -> tuple[Mapping[str, Facts], tuple[str, ...]]:
    """The games of these places, and what is wrong there; of two games of one id, the first is kept."""
    games: dict[str, Facts] = {}
    faults: list[str] = []
    for place in map(Path, dict.fromkeys(places)):
        if not place.is_dir():
            faults.append(f"LDV_GAMES nomme « {place} », qui n’est pas un dossier.")
            continue
        for path in sorted(place.glob(f"*/{FACTS}")):
            try:
                if path.parent.name in games:
                    raise ContentError(f"Un autre jeu se nomme déjà « {path.parent.name} ».", path=str(path))
                games[path.parent.name] = facts(path)
            except ContentError as error:
                faults.append(str(error))
    return dict(sorted(games.items(), key=lambda one: (one[1].place, one[0]))), tuple(faults)


def facts(path: Path) -> Facts:
    """What a ``game.yaml`` says, checked.

    Raises:
        ContentError: it cannot be read, or says something else than it should.
    """
    data = read_yaml(path)
    if not path.parent.name.isidentifier():
        raise ContentError(
            f"« {path.parent.name} » ne peut pas être l’identifiant d’un jeu.",
            path=str(path),
            remedy="Il y faut des lettres sans accent, des chiffres et des « _ ».",
        )
    known: dict[str, type] = {"title": str, "short": str, "publisher": str, "place": int, "pages": list}
    given: dict[str, Any] = data if isinstance(data, dict) else {}
    strange = [str(key) for key, value in given.items() if key not in known or type(value) is not known[key]]
    names = {field.name for field in fields(Page)}
    pages = given.get("pages", []) if "pages" not in strange else []
    if any(not isinstance(one, dict) or set(one) != names for one in pages):
        strange.append("pages")
    if strange or not str(given.get("title", "")).strip():
        raise ContentError(
            f"La fiche du jeu est mal écrite ({', '.join(strange) or 'title manque'}).",
            path=str(path),
            remedy=f"Elle donne title, et peut donner {', '.join(list(known)[1:])}.",
        )
    return Facts(path.parent, **{**given, "pages": tuple(Page(**one) for one in pages)})
