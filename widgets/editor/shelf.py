"""The shelf: what this browser's owner keeps on the server, positions or lessons,
under a code that needs no account.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any

from tutor.core.errors import ContentError
from tutor.core.phrases import NBSP
from tutor.core.typography import typography
from widgets.board.errors import guarded, report
from widgets.editor.forms import line
from widgets.host.discard import discard
from widgets.host.page import Page
from widgets.host.prose import box, button, html, show

if TYPE_CHECKING:
    from widgets.host.channel import Reply


class Shelf:
    """Keep, list, open, drop.

    Args:
        page: what its widgets share.
        kind: position or lesson.
        memory: what the browser remembers (``owner``).

    Show ``outcome`` (what came of it) and ``owner_form``.
    """

    def __init__(self, page: Page, kind: str, memory: Any) -> None:
        self.page = page
        self._kind, self._memory = kind, memory
        self._listeners: list[Callable[[list[dict[str, Any]]], object]] = []
        self._items: list[dict[str, Any]] = []
        self._versions: dict[str, int] = {}
        self.code = ""
        self._asked = False
        self.said, self._since = html(""), html("")
        self._kept_body = self._body = ""
        self.outcome = box(self.said, self._since)
        self._owner = html("")
        self._field = line(
            description="Reprendre un code d’auteur", placeholder="K7PM-2QX9-…"
        )  # fmt: skip
        take = button("Reprendre")
        take.on_click(guarded(lambda _: self._take(self._field.value)))
        self._form = box(self._field, take, row=True, css="ldv-pair")
        show(self._form, False)
        more = button("Code d’auteur", hint="Pour continuer sur un autre appareil")
        more.on_click(guarded(lambda _: self._unfold()))
        self.owner_form = box(more, self._owner, self._form, css="ldv-fields")
        show(self._owner, False)
        self._owner_changed = guarded(lambda _: self.refresh())
        memory.observe(self._owner_changed, "owner")

    def close(self) -> None:
        """Leave the page, shown or not."""
        self._memory.unobserve(self._owner_changed, "owner")
        discard(self.page, self.outcome, self.owner_form)

    def on_list(self, listener: Callable[[list[dict[str, Any]]], object]) -> None:
        """Call with what is kept, each time it is known anew."""
        self._listeners.append(listener)

    # -- the owner ------------------------------------------------------------------------------------------------

    def _unfold(self) -> None:
        for part in (self._owner, self._form):
            show(part, part.layout.display == "none")
        code = self._memory.owner
        text = (
            f'Ce que vous gardez est sous ce code{NBSP}: <strong class="ldv-code">{escape(code)}</strong>. '
            "Notez-le pour "
            "continuer ailleurs."
            if code
            else "Un code d’auteur sera fait quand vous garderez quelque chose."
        )
        self._owner.value = f"<p>{text}</p>"

    def _take(self, code: str) -> None:
        if len(code.strip()) < 16:
            raise ContentError("Ce code est trop court.", remedy="Il a seize lettres et chiffres.")
        self._memory.owner = code.strip().upper()
        self.refresh()

    # -- the server -----------------------------------------------------------------------------------------------

    def save(self, game_id: str, title: str, body: str, new: bool, address: Callable[[str], str]) -> None:
        """Keep a text.

        Args:
            game_id: its game.
            title: its name.
            body: the text.
            new: as another one.
            address: of a code.
        """
        from widgets.host.channel import make_code

        if not self._memory.owner:
            self._memory.owner = make_code()
        args: dict[str, Any] = {
            "kind": self._kind,
            "game": game_id,
            "title": title[:120],
            "body": body,
            "owner": self._memory.owner,
        }
        if self.code and not new:
            args |= {"code": self.code, "version": self._versions.get(self.code, 1)}
        self._kept_body, self._body = "", body
        self.compare("")
        self._say("On garde…")
        self.page.channel.write(
            "authored.save", args, guarded(lambda reply: self._saved(reply, address)), guarded(self._waits)
        )

    def _waits(self, why: str) -> None:
        """A request has to wait for the server."""
        self._say(typography(f"{escape(why)} Votre travail reste ici ; ce sera fait dès qu’elle répondra."))

    def _saved(self, reply: Reply, address: Callable[[str], str]) -> None:
        if not reply.ok:
            self._say(escape(reply.message))
            return
        report("")  # what kept it from being kept before
        self._kept_body = self._body
        self.code = str(reply.result["code"])
        self._versions[self.code] = int(reply.result["version"])
        self._address(address(self.code), "")
        self.page.channel.write(
            "link.make",
            {"kind": self._kind, "target": address(self.code)},
            guarded(lambda made: made.ok and self._address(address(self.code), f"/l/{made.result['code']}")),
        )
        self.refresh(again=True)

    def compare(self, body: str) -> None:
        """Say whether what is on the bench is still what was kept; "" where there is nothing to compare."""
        changed = bool(self._kept_body and body and body != self._kept_body)
        text = "Modifié depuis. Gardez encore, et ce lien montrera la suite."
        self._since.value = f'<p role="status">{text}</p>' if changed else ""

    def _address(self, url: str, short: str) -> None:
        from widgets.host.address import only_here, public_address, qr_svg

        text = f'Gardé sous le code <strong class="ldv-code">{escape(self.code)}</strong>. '
        text += f'<a href="{escape(url)}" target="_blank" rel="noopener">Voir comme un lecteur</a>'
        if short:
            whole = public_address(self.page.course.origin).rstrip("/") + short
            alone = "<br>Cette adresse n’ouvre que sur cet ordinateur." if only_here(whole) else ""
            text += (
                f'<br>Lien court{NBSP}: <a class="ldv-code" href="{escape(short)}" target="_blank" '
                f'rel="noopener">{escape(whole)}</a>'
            )
            text += f'{alone}<span class="ldv-kept-qr">{qr_svg(whole)}</span>'
        self._say(text)

    def get(self, code: str, then: Callable[[Reply], object]) -> None:
        """Read what is kept under a code."""
        if not code:
            raise ContentError("Rien n’est choisi.", remedy="Choisissez dans la liste.")

        def answered(reply: Reply) -> None:
            if not reply.ok:
                self._say(escape(reply.message))
                return
            self._kept_body = ""
            self.compare("")
            if any(one["code"] == code for one in self._items):
                self.code, self._versions[code] = code, int(reply.result["version"])
            then(reply)

        self.page.channel.request("authored.get", {"code": code}, guarded(answered), guarded(self._waits))

    def drop(self, code: str) -> None:
        """Erase what is kept under a code."""
        if not code:
            raise ContentError("Rien n’est choisi.", remedy="Choisissez dans la liste.")

        def dropped(reply: Reply) -> None:
            self._say("Supprimé." if reply.ok else escape(reply.message))
            if reply.ok and self.code == code:
                self.code = ""
            self.refresh(again=True)

        args = {"code": code, "owner": self._memory.owner}
        self.page.channel.write("authored.drop", args, guarded(dropped), guarded(self._waits))

    def refresh(self, *, again: bool = False) -> None:
        """Ask what is kept, once, or again."""
        if not self._memory.owner or (self._asked and not again) or not self.page.course.ready:
            return
        self._asked = True
        self.page.channel.request(
            "authored.list", {"owner": self._memory.owner, "kind": self._kind}, guarded(self._listed), lambda why: None
        )

    def _listed(self, reply: Reply) -> None:
        if not reply.ok:
            self._asked = False
            return
        self._items = list(reply.result["items"])
        for listener in self._listeners:
            listener(self._items)

    def _say(self, text: str) -> None:
        self.said.value = f'<p role="status">{text}</p>' if text else ""
