"""« Garder » : the position kept on the server under this browser's code, as a file, as a text, as a picture."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tutor.core.errors import PositionError
from tutor.core.registry import GAMES
from tutor.course.links import Link
from tutor.course.teacher_lessons import Sheet
from widgets.board import layouts
from widgets.board.errors import guarded
from widgets.editor.draft import UNTITLED, Draft, Workbench
from widgets.editor.forms import area, drop, line
from widgets.editor.shelf import Shelf
from widgets.host.page import Page
from widgets.host.prose import box, button, html
from widgets.host.uploads import read_file

if TYPE_CHECKING:
    from widgets.host.channel import Reply


def slug(text: str) -> str:
    """An id made of a title.

    >>> slug("Le bois d’à côté")
    'le-bois-d-a-cote'
    """
    plain_text = unicodedata.normalize("NFKD", text.replace("’", " ")).encode("ascii", "ignore").decode().lower()
    bare = re.sub(r"[^a-z0-9]+", "-", plain_text)
    return bare.strip("-")[:60] or "position"


class KeepPanel:
    """Title, keeping, opening, files.

    Args:
        page: what its widgets share.
        bench: what is kept.
        memory: what the browser remembers.

    ``opens``: what shows a draft that was opened, of any game.
    """

    def __init__(self, page: Page, bench: Workbench, memory: Any) -> None:
        self.page = page
        self._bench = bench
        self.opens: Callable[[Draft], object] = bench.restart
        self._shelf = Shelf(page, "position", memory)
        self._title = line(description="Titre", placeholder="Pour la retrouver")
        self._title.observe(guarded(lambda c: self._rename(c["new"])), "value")
        self._note = area(description="Situation", rows=3)
        self._note.placeholder = "Deux phrases, que le lecteur voit au-dessus du plateau"
        self._note.observe(guarded(lambda c: self._describe(c["new"])), "value")
        keep, other = button("Garder", primary=True), button("Garder comme nouvelle")
        keep.on_click(guarded(lambda _: self._save(False)))
        other.on_click(guarded(lambda _: self._save(True)))
        self._known = drop(options=[("—", "")], description="Gardées")
        load, gone = button("Ouvrir"), button("Supprimer")
        load.on_click(guarded(lambda _: self.load(self._known.value)))
        gone.on_click(guarded(lambda _: self._shelf.drop(self._known.value)))
        self._shelf.on_list(self._listed)
        start = drop(
            options=[
                ("Une position du cours…", ""),
                *((bench.game.position(n).title or n, n) for n in bench.game.positions()),
            ],
            description="Partir de",
            value="",
        )
        start.observe(guarded(lambda c: c["new"] and bench.restart(Draft(bench.game.position(c["new"])))), "value")
        self._files = html("")
        self._text = area(placeholder="Une position en YAML", rows=8)
        write, read = button("Écrire le texte"), button("Charger ce texte")
        self._upload = layouts.file_button("Ouvrir un fichier")
        write.on_click(guarded(lambda _: self._write()))
        read.on_click(guarded(lambda _: self.read(self._text.value)))
        self._upload.observe(guarded(lambda c: self._uploaded(c["new"])), "value")
        self.form = box(
            box(
                html('<h2 class="ldv-label">Garder</h2>'),
                self._title,
                self._note,
                box(keep, other, row=True, css="ldv-toolbar"),
                self._shelf.outcome,
                css="ldv-card ldv-fields",
            ),
            box(
                html('<h2 class="ldv-label">Ouvrir</h2>'),
                self._known,
                box(load, gone, row=True, css="ldv-toolbar"),
                start,
                self._shelf.owner_form,
                css="ldv-card ldv-fields",
            ),
            box(
                html('<h2 class="ldv-label">Fichiers</h2>'),
                self._files,
                box(self._upload, write, read, row=True, css="ldv-toolbar"),
                self._text,
                css="ldv-card ldv-fields",
            ),
            css="ldv-fields",
        )

    # -- names ----------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Leave the page."""
        self._shelf.close()

    def _rename(self, title: str) -> None:
        title = title.strip()
        if title != self._named():
            self._bench.edit(title=title, id=slug(title))

    def _named(self) -> str:
        """The title that the author has given."""
        title = self._bench.position.title
        return "" if title == UNTITLED else title

    def _describe(self, note: str) -> None:
        note = note.strip()
        if note != (self._bench.position.note or ""):
            data = {**self._bench.position.data(), "note": note or None}
            self._bench.edit(note=data["note"])

    # -- the server -----------------------------------------------------------------------------------------------

    def _save(self, new: bool) -> None:
        position = self._bench.position
        if not self._named():
            raise PositionError("Cette position n’a pas de titre.", remedy="Écrivez-en un, puis gardez-la.")
        text = Sheet.of(position, self._bench.asked).dump()
        self._shelf.save(position.game, position.title, text, new, lambda code: Link("authored", slug=code).url)

    def load(self, code: str) -> None:
        """Open a position that is kept."""
        self._shelf.get(code, self._loaded)

    def _loaded(self, reply: Reply) -> None:
        if reply.result["kind"] != "position":
            raise PositionError("Ce code est celui d’une leçon.", remedy="Ouvrez-la à l’étape Leçon.")
        sheet = Sheet.parse(reply.result["body"])
        self.opens(Draft(sheet.board, sheet.asked))

    def _listed(self, items: list[dict[str, Any]]) -> None:
        self._known.options = [
            ("—", ""),
            *((f"{one['title']} ({GAMES.get(one['game'], one['game'])})", one["code"]) for one in items),
        ]

    # -- files ----------------------------------------------------------------------------------------------------

    def _write(self) -> None:
        self._text.value = Sheet.of(self._bench.position, self._bench.asked).dump()

    def read(self, text: str) -> None:
        """Edit what a text says.

        Raises:
            TutorError: it is no position, with what to do.
        """
        sheet = Sheet.parse(text)
        self.opens(Draft(sheet.board, sheet.asked))

    def _uploaded(self, files: Any) -> None:
        if files:
            text = read_file(files)
            self._upload.value = ()
            self.read(text)

    def refresh(self) -> None:
        """Show the names and files of the position as it stands."""
        from widgets.board.svg import board_svg
        from widgets.host.share import download

        position = self._bench.position
        self._title.value, self._note.value = self._named(), position.note or ""
        sheet = Sheet.of(position, self._bench.asked).dump()
        picture = board_svg(position, ground="inline")
        self._files.value = (
            '<p class="ldv-toolbar">'
            + download("Position (YAML)", f"{position.id}.yaml", "text/yaml", sheet, "ldv-button")
            + download("Image (SVG)", f"{position.id}.svg", "image/svg+xml", picture, "ldv-button")
            + "</p>"
        )
        self._shelf.refresh()
        self._shelf.compare(sheet)
