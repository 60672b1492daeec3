"""What the reader may choose in an example: hexes clicked on the board or picked in a list, pieces, numbers, options."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

import ipywidgets as ipw

from tutor.core.phrases import NBSP
from tutor.core.position import Position
from tutor.course.arguments import value_at, with_value
from tutor.course.models import Pick
from tutor.course.options import choice_value
from widgets import plain
from widgets.errors import guarded
from widgets.lesson_text import box, html

Changed = Callable[[dict[str, Any]], None]


#: What tells two dice apart: their order, or their colours where a die of six faces is read by colour.
_DICE = {False: ("premier", "second"), True: ("blanc", "rouge")}


def dice_names(pick: Pick) -> tuple[str, ...]:
    """The names of two dice: those that the pick gives, else their colours or their order."""
    return tuple(pick.options.values()) if pick.options else _DICE[pick.max is None]


class Picks:
    """The controls for the arguments of a question.

    Args:
        picks: what may be chosen; position: for hexes and pieces; arguments: the values now; changed: told of new values;
            later: does what can wait until the board is painted.
    """

    def __init__(
        self,
        picks: Sequence[Pick],
        position: Position,
        arguments: Mapping[str, Any],
        changed: Changed,
        later: Callable[[Callable[[], object]], object] = lambda work: work(),
    ) -> None:
        self._picks, self._position, self._changed, self._later = list(picks), position, changed, later
        self._values = dict(arguments)
        self._controls: dict[str, Any] = {}
        self._silent = False
        self._turn = 0
        self._clickable = [pick for pick in self._picks if pick.kind in ("hex", "hexes", "piece", "pieces")]
        made = [self._control(pick) for pick in self._picks]
        self._told = html("")
        self.widget = box(self._told, *made, row=True, css="ldv-toolbar ldv-picks")
        self._tell()

    # -- controls -------------------------------------------------------------------------------------------------

    def _control(self, pick: Pick) -> ipw.Widget:
        value = value_at(self._values, pick.argument)
        if pick.kind in ("pieces", "options"):
            boxes = {
                key: ipw.Checkbox(value=key in (value or ()), description=label, indent=False, layout=plain.plain())
                for key, label in self._options(pick)
            }
            for made in boxes.values():
                made.observe(guarded(lambda _, p=pick: self._set(p, self._checked(p))), "value")
            self._controls[pick.argument] = boxes
            return box(
                html(f'<span class="ldv-label">{escape(pick.label, quote=False)}</span>'),
                box(*boxes.values(), row=True),
                css="ldv-checks",
            )
        if pick.kind == "dice":
            dice = [
                ipw.BoundedIntText(
                    value=int(v), min=1, max=pick.max or 6, description=f"{pick.label}, {name}", layout=plain.plain()
                )
                for v, name in zip(value or (1, 1), dice_names(pick), strict=True)
            ]
            for made in dice:
                made.observe(
                    guarded(lambda _, p=pick: self._set(p, [die.value for die in self._controls[p.argument]])), "value"
                )
            self._controls[pick.argument] = dice
            return box(*dice, row=True, css="ldv-dice")
        if pick.kind == "number":
            control: ipw.Widget = ipw.BoundedIntText(
                value=int(value or 0),
                min=pick.min or 0,
                max=pick.max if pick.max is not None else 99,
                description=pick.label,
                layout=plain.plain(),
            )
        elif pick.kind == "hexes":
            control = ipw.Text(
                value=", ".join(value or ()), description=pick.label, continuous_update=False, layout=plain.plain()
            )
        else:
            options = [(label, key) for key, label in self._options(pick)]
            keys = [key for _, key in options]
            control = ipw.Dropdown(
                options=options,
                value=value if value in keys else keys[0],
                description=pick.label,
                layout=plain.plain(),
                style=plain.narrow(),
            )
        control.observe(guarded(lambda change, p=pick: self._set(p, self._parsed(p, change["new"]))), "value")
        self._controls[pick.argument] = control
        return control

    def _options(self, pick: Pick) -> list[tuple[Any, str]]:
        if pick.kind == "hex":
            return [(cell, cell) for cell in pick.among or self._position.grid.cells]
        if pick.kind in ("piece", "pieces"):
            return [(i, self._piece_label(i)) for i in self._candidates(pick)]
        return [(choice_value(key), label) for key, label in (pick.options or {}).items()]

    def _candidates(self, pick: Pick) -> list[str]:
        if pick.among:
            return [i for i in pick.among if i in self._position.by_id]
        return [p.id for p in self._position.pieces if pick.side in (None, p.side)]

    def _piece_label(self, piece: str) -> str:
        hex_ = self._position.hex_of(piece)
        return self._position.names[piece] + (f" ({hex_})" if hex_ else "")

    def _checked(self, pick: Pick) -> list[str]:
        return [key for key, made in self._controls[pick.argument].items() if made.value]

    def _parsed(self, pick: Pick, value: Any) -> Any:
        if pick.kind != "hexes":
            return value
        return [
            self._position.grid.check(name.strip().upper())
            for name in str(value).replace(";", ",").split(",")
            if name.strip()
        ]

    # -- values ---------------------------------------------------------------------------------------------------

    def _set(self, pick: Pick, value: Any) -> None:
        if self._silent or value_at(self._values, pick.argument) == value:
            return
        self._values = with_value(self._values, pick.argument, value)
        self._changed(dict(self._values))

    def take(self, arguments: Mapping[str, Any]) -> None:
        """Show these values in the controls, without telling anybody."""
        self._values = dict(arguments)
        self._later(self._write)

    def _write(self) -> None:
        self._silent = True
        try:
            for pick in self._picks:
                value, control = value_at(self._values, pick.argument), self._controls[pick.argument]
                if isinstance(control, dict):
                    for key, made in control.items():
                        made.value = key in (value or ())
                elif pick.kind == "dice":
                    for die, face in zip(control, value or (), strict=False):
                        die.value = face
                elif pick.kind == "hexes":
                    control.value = ", ".join(value or ())
                elif value is not None and (pick.kind == "number" or value in [key for _, key in control.options]):
                    control.value = value
        finally:
            self._silent = False

    def place(self, position: Position) -> None:
        """Take another position: where pieces are is shown in their labels."""
        self._position = position
        for pick in self._picks:
            control = self._controls[pick.argument]
            if pick.kind == "pieces":
                for key, made in control.items():
                    if key in position.by_id:
                        made.description = self._piece_label(key)

    # -- clicks ---------------------------------------------------------------------------------------------------

    def click(self, hex_: str, piece: str | None) -> None:
        """What a click on the board chooses: each in its turn; pieces in the hex for pieces."""
        if not self._clickable:
            return
        pick = self._clickable[self._turn % len(self._clickable)]
        if pick.kind == "hex":
            if pick.among and hex_ not in pick.among:
                return
            value: Any = hex_
            self._turn += 1
        elif pick.kind == "hexes":
            value = list(value_at(self._values, pick.argument) or ())
            value.remove(hex_) if hex_ in value else value.append(hex_)
        else:
            here = [i for i in self._candidates(pick) if self._position.hex_of(i) == hex_]
            here = [piece] if piece in here else here
            if not here:
                self._turn += len(self._clickable) > 1
                if len(self._clickable) > 1 and self._clickable[self._turn % len(self._clickable)].kind == "hex":
                    self.click(hex_, piece)
                return
            if pick.kind == "piece":
                value = here[0]
                self._turn += 1
            else:
                chosen = list(value_at(self._values, pick.argument) or ())
                value = (
                    [i for i in chosen if i not in here]
                    if all(i in chosen for i in here)
                    else [*chosen, *(i for i in here if i not in chosen)]
                )
        arguments = with_value(self._values, pick.argument, value)
        self.take(arguments)
        self._later(self._tell)
        self._changed(arguments)

    def followed(self, start: str, end: str) -> dict[str, Any]:
        """The arguments when what stood in a hex went to another: hexes chosen follow it."""
        return {
            name: end if value == start and any(p.argument == name and p.kind == "hex" for p in self._picks) else value
            for name, value in self._values.items()
        }

    def _tell(self) -> None:
        if not self._clickable:
            self._told.value = ""
            return
        pick = self._clickable[self._turn % len(self._clickable)]
        label = escape(pick.label, quote=False)
        self._told.value = f"<small>Un clic sur le plateau choisit «{NBSP}{label}{NBSP}».</small>"
