"""« Partager » : the link of what is on screen, a short one with its QR code, its picture, its file.

Made when first asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape
from typing import TYPE_CHECKING

from tutor.core.phrases import NBSP
from tutor.core.position import Position
from widgets.board.board import Board
from widgets.board.errors import guarded
from widgets.host.deferred import served
from widgets.host.prose import box, button, html

if TYPE_CHECKING:
    from widgets.host.channel import Reply
    from widgets.host.page import Page


#: What neither an address in an attribute nor the browsers' reading of ``data:`` lets stand; a drawing has a million of
#: them.
_CODED = {mark: f"%{ord(mark):02X}" for mark in '%"#&<> \t\n\r'}


def download(label: str, name: str, kind: str, text: str, css: str = "") -> str:
    """A link that saves a text as a file, without asking the server.

    >>> download("Le fichier", "carrefour.yaml", "text/yaml", "id: <x>")
    '<a download="carrefour.yaml" href="data:text/yaml;charset=utf-8,id:%20%3Cx%3E">Le fichier</a>'
    """
    for mark, coded in _CODED.items():
        text = text.replace(mark, coded)
    shown = f' class="{css}"' if css else ""
    href = f"data:{kind};charset=utf-8,{text}"
    return f'<a{shown} download="{escape(name, quote=True)}" href="{href}">{escape(label)}</a>'


class SharePanel:
    """What one may do with a situation.

    Args:
        page: what it stands on.
        board: where it is shown.
        link: its address without the server's, raises PositionError when it is too large.
    """

    def __init__(self, page: Page, board: Board, link: Callable[[], str]) -> None:
        self._page, self._board, self._link = page, board, link
        self._copy, self._short = button("Copier le lien"), button("Lien court et QR")
        self._image = button("Copier l’image")
        self._copy.on_click(guarded(lambda _: self._copied()))
        self._short.on_click(guarded(lambda _: self._shorten()))
        self._image.on_click(guarded(lambda _: page.bridge.send({"type": "copy_image", "board": board.id})))
        self._files, self._said = html(""), html("")
        self._target = ""  # what a short link is being made for
        buttons = [self._copy, *([self._short] if served() else []), self._image]
        self.widget = box(box(*buttons, row=True, css="ldv-toolbar"), self._files, self._said, css="ldv-card ldv-share")
        self.refresh()

    def refresh(self) -> None:
        """Write the files anew: the situation has changed."""
        position = self._board.position
        yaml = download("la position (YAML)", f"{position.id}.yaml", "text/yaml", _bare(position).dump())
        svg = download("le dessin (SVG)", f"{position.id}.svg", "image/svg+xml", self._board.svg())
        self._files.value = f"<p>Télécharger {yaml}, {svg}</p>"
        self._said.value = ""
        self._copy.description = "Copier le lien"

    def _copied(self) -> None:
        self._page.bridge.copy(self._address() + self._link())
        self._copy.description = "Lien copié"

    def _shorten(self) -> None:
        target = self._link()
        if target == self._target and self._said.value:  # pressed twice
            return
        self._target, self._said.value = target, '<p role="status">Un instant…</p>'
        args = {"kind": "position", "target": target}
        self._page.channel.write("link.make", args, guarded(partial(self._shortened, target)), guarded(self._waits))

    def _waits(self, why: str) -> None:
        self._said.value = f'<p role="status">{escape(why)} Le lien viendra dès qu’elle répondra.</p>'

    def _shortened(self, target: str, reply: Reply) -> None:
        if target != self._link():  # the situation has changed since
            return
        if not reply.ok:
            self._target = ""
            self._said.value = f'<p role="status">{escape(reply.message)}</p>'
            return
        from widgets.host.address import only_here, qr_svg

        address = f"{self._address()}/l/{reply.result['code']}"
        alone = "<p>Cette adresse n’ouvre que sur cet ordinateur.</p>" if only_here(address) else ""
        self._said.value = (
            f'<p role="status">Lien court{NBSP}: <a href="{escape(address, quote=True)}">{escape(address)}</a></p>'
            f"{alone}{qr_svg(address)}"
        )

    def _address(self) -> str:
        """Address of this server for those who receive the link, without its closing slash."""
        from widgets.host.address import public_address

        return public_address(self._page.course.origin).rstrip("/")


def _bare(position: Position) -> Position:
    return position.model_copy(update={"tweaks": []})
