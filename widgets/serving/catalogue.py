"""What there is to read: the notebooks found at start, their order, what stands before and after each."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tutor.core.shelf import Shelf

HOME = "accueil.ipynb"
ABOUT = "a-propos.ipynb"
SANDBOX = "bac-a-sable.ipynb"
#: What a notebook of a lesson calls, as its file has it.
LESSON = re.compile(r'lesson\(\\"(\w+)\\", \\"([\w-]+)\\"\)')
#: What the notebooks of the home page and of the free board call.
OPENS = re.compile(r'"(home|sandbox)\(\)"')
NUMBERED = re.compile(r"(\d+)-[^/]+\.ipynb\Z")


@dataclass(frozen=True)
class Page:
    """One notebook as the template needs it.

    Args:
        path: Path below the notebooks' directory, with `/`.
        title: Title shown to the reader.
        url: Address on this server.
        game: Name of its game, "" outside a course.
        course: Title of its course, "" outside a course.
        number: Its place in the course, from 1; 0 outside a course.
        minutes: How long it takes; 0 when it does not say.
        lesson: Id of the lesson that it plays, "" when it plays none of its game.
        opens: What it opens outside a course: "home", "sandbox"; "" when anything else.
    """

    path: str
    title: str
    url: str
    game: str = ""
    course: str = ""
    number: int = 0
    minutes: int = 0
    lesson: str = ""
    opens: str = ""


def url_of(path: str) -> str:
    """Address of a notebook.

    >>> url_of("accueil.ipynb"), url_of("combat_commander/03-ligne-de-vue.ipynb")
    ('/', '/voila/render/combat_commander/03-ligne-de-vue.ipynb')
    """
    return "/" if path == HOME else f"/voila/render/{quote(path)}"


def metadata_of(file: Path) -> dict[str, Any]:
    """Metadata of a notebook; empty when it cannot be read (its page will say why)."""
    try:
        metadata = json.loads(file.read_text(encoding="utf-8")).get("metadata", {})
    except (OSError, ValueError, AttributeError):
        return {}
    return metadata if isinstance(metadata, dict) else {}


def lesson_of(file: Path, game: str) -> str:
    """Id of the lesson of a game that a notebook plays; "" when it plays none, or cannot be read."""
    try:
        calls = LESSON.findall(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    return next((str(lesson) for its, lesson in calls if its == game), "")


def opens_of(file: Path) -> str:
    """What a notebook outside a course opens: "home", "sandbox"; "" when it is anything else, or cannot be read."""
    try:
        call = OPENS.search(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    return call[1] if call else ""


def plain_title(name: str) -> str:
    """A title made of a file or directory name.

    >>> plain_title("03-ligne-de-vue"), plain_title("combat_commander")
    ('Ligne de vue', 'Combat Commander')
    """
    bare = re.sub(r"\A\d+-", "", name)
    if "_" in bare:
        return bare.replace("_", " ").title()
    return (bare.replace("-", " ")[:1].upper() + bare.replace("-", " ")[1:]) if bare else name


def notebooks_of_games() -> dict[str, Path]:
    """Game id -> the folder in which a game may bring its notebooks: ``notebooks`` in its own."""
    games = Shelf()
    return {game_id: games.facts(game_id).folder / "notebooks" for game_id in games}


class Catalogue:
    """The notebooks of a directory, and of games that bring their own, read once.

    Args:
        root: Directory of the notebooks.
        games: Game id -> the folder of its own notebooks, which need not be there; where the directory has a notebook
            of the same path, that one is served.
    """

    def __init__(self, root: Path, games: Mapping[str, Path] | None = None) -> None:
        self.root = root
        self.pages: dict[str, Page] = {}
        self.courses: dict[str, list[Page]] = {}
        self._files: dict[str, Path] = {}
        for file in sorted(root.rglob("*.ipynb")):
            path = file.relative_to(root)
            if not any(part.startswith(".") for part in path.parts):
                self._add(file, path)
        for game_id, folder in (games or {}).items():
            for file in sorted(folder.glob("*.ipynb")):
                if (path := Path(game_id, file.name)).as_posix() not in self.pages:
                    self._add(file, path)

    def _add(self, file: Path, path: Path) -> None:
        metadata = metadata_of(file)
        own = metadata.get("ldv")
        own = own if isinstance(own, dict) else {}
        title = str(metadata.get("title") or plain_title(path.stem))
        game = path.parent.as_posix() if len(path.parts) > 1 and NUMBERED.fullmatch(path.name) else ""
        lessons = self.courses.setdefault(game, []) if game else []
        page = Page(
            path=path.as_posix(),
            title=title,
            url=url_of(path.as_posix()),
            game=game,
            course=str(own.get("course") or plain_title(path.parent.name)) if game else "",
            number=len(lessons) + 1 if game else 0,
            minutes=own["minutes"] if isinstance(own.get("minutes"), int) else 0,
            lesson=lesson_of(file, game) if game else "",
            opens="" if game else opens_of(file),
        )
        if game:
            lessons.append(page)
        self.pages[page.path] = page
        self._files[page.path] = file

    def __contains__(self, path: str) -> bool:
        return path in self.pages

    def file(self, path: str) -> Path | None:
        """The notebook at a path; None when there is none, or none any more."""
        file = self._files.get(path)
        return file if file is not None and file.is_file() else None

    @property
    def lessons(self) -> list[Page]:
        """Every lesson, course after course."""
        return [page for lessons in self.courses.values() for page in lessons]

    def after(self, path: str) -> str:
        """Path of the lesson that follows, "" when none does; after the home page, the first lesson."""
        if path == HOME:
            return self.lessons[0].path if self.lessons else ""
        page = self.pages.get(path)
        if page is None or not page.game:
            return ""
        lessons = self.courses[page.game]
        return lessons[page.number].path if page.number < len(lessons) else ""

    def navigation(self, path: str) -> dict[str, Any]:
        """What the template shows around a notebook: itself, before, after, how many, the course's pages.

        Args:
            path: Path below the notebooks' directory, with `/`.
        """
        page = self.pages.get(path) or Page(path, plain_title(Path(path).stem), url_of(path))
        lessons = self.courses.get(page.game, [])
        before = lessons[page.number - 2] if page.number > 1 else None
        after = lessons[page.number] if 0 < page.number < len(lessons) else None
        first = next((game for game in Shelf() if game in self.courses), next(iter(self.courses), ""))
        return {
            "page": asdict(page),
            "home": path == HOME,
            "of": len(lessons),
            "previous": asdict(before) if before else None,
            "next": asdict(after) if after else None,
            "game": page.game or first,
            "about": ABOUT in self.pages,
        }
