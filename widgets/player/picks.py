"""What the reader may choose in an example: hexes clicked on the board or picked in a list, pieces, numbers,
options.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

import ipywidgets as ipw

from tutor.core.phrases import NBSP
from tutor.core.position import Position
from tutor.course.arguments import value_at, with_value
from tutor.course.models import Pick
from tutor.course.options import argument_now, choice_value, declared, picked
from widgets.board import layouts
from widgets.board.errors import guarded
from widgets.board.follow import ends_after
from widgets.host.prose import box, html

Changed = Callable[[dict[str, Any]], None]


#: What tells two dice apart: their order, or their colours where a die of six faces is read by colour.
_DICE = {False: ("premier", "second"), True: ("blanc", "rouge")}

#: What stands where nothing is declared and the content has no word of its own for it.
_UNTHROWN, _UNSAID = "pas jetés", "(aucun)"


def dice_names(pick: Pick) -> tuple[str, ...]:
    """The names of two dice: those that the pick gives, else their colours or their order."""
    return tuple(pick.options.values()) if pick.options else _DICE[pick.max is None]


class Picks:
    """The controls for the arguments of a question.

    Args:
        picks: what may be chosen.
        position: for hexes and pieces.
        arguments: the values now.
        changed: told of new values.
        later: does what can wait until the board is painted.
        question: whose arguments they are.
    """

    def __init__(
        self,
        picks: Sequence[Pick],
        position: Position,
        arguments: Mapping[str, Any],
        changed: Changed,
        later: Callable[[Callable[[], object]], object] = lambda work: work(),
        question: str = "",
    ) -> None:
        self._question, self._position, self._values = question, position, dict(arguments)
        self._changed, self._later = changed, later
        self._picks = [self._sayable(pick) for pick in picks]
        self._controls: dict[str, Any] = {}
        self._unsaid: dict[str, ipw.Checkbox] = {}
        self._silent = False
        self._open = {pick.argument for pick in self._picks if self._now(pick) is None}
        self._turn = 0
        self._clickable = [pick for pick in self._picks if pick.kind in ("hex", "hexes", "piece", "pieces")]
        made = [self._control(pick) for pick in self._picks]
        self._hint = html("")
        self.widget = box(self._hint, *made, row=True, css="ldv-toolbar ldv-picks")
        self._say_turn()

    # -- controls -------------------------------------------------------------------------------------------------

    def _sayable(self, pick: Pick) -> Pick:
        """A pick that can say that nothing is declared, when nothing is and its author gave no word for it."""
        if pick.none or self._now(pick) is not None or pick.kind in ("hexes", "pieces", "options"):
            return pick
        return pick.model_copy(update={"none": _UNTHROWN if pick.kind == "dice" else _UNSAID})

    def _control(self, pick: Pick) -> ipw.Widget:
        if pick.kind in ("pieces", "options"):
            return self._checks(pick)
        if pick.kind == "dice":
            return self._dice(pick)
        if pick.kind == "hexes":
            written = self._written(pick)
            return self._keep(
                pick, ipw.Text(written, description=pick.label, continuous_update=False, layout=layouts.plain())
            )
        if pick.kind == "number" and not pick.none:
            low, high = pick.min or 0, pick.max if pick.max is not None else 99
            return self._keep(pick, layouts.number(pick.label, int(self._now(pick) or 0), low, high))
        options = [*([(pick.none, "")] if pick.none else []), *((label, key) for key, label in self._options(pick))]
        value = self._listed(pick, [key for _, key in options])
        style = {"style": layouts.narrow(), "layout": layouts.plain()}
        return self._keep(pick, ipw.Dropdown(options=options, value=value, description=pick.label, **style))

    def _keep(self, pick: Pick, control: ipw.Widget) -> ipw.Widget:
        """The one control of an argument."""
        control.observe(guarded(lambda change: self._set(pick, self._parsed(pick, change["new"]))), "value")
        self._controls[pick.argument] = control
        return control

    def _checks(self, pick: Pick) -> ipw.Widget:
        boxes = {
            key: ipw.Checkbox(
                value=key in (self._now(pick) or ()), description=label, indent=False, layout=layouts.plain()
            )
            for key, label in self._options(pick)
        }
        for made in boxes.values():
            made.observe(guarded(lambda _: self._set(pick, self._checked(pick))), "value")
        self._controls[pick.argument] = boxes
        label = html(f'<span class="ldv-label">{escape(pick.label, quote=False)}</span>')
        return box(label, box(*boxes.values(), row=True), css="ldv-checks")

    def _dice(self, pick: Pick) -> ipw.Widget:
        """Two dice; where they need not be thrown, a box to tick, shown when they are not, or were not at first."""
        value, faces = self._now(pick), pick.max or 6
        dice = [
            layouts.number(f"{pick.label}, {name}", int(v), 1, faces)
            for v, name in zip(value or (1, 1), dice_names(pick), strict=True)
        ]  # fmt: skip
        for made in dice:
            made.observe(guarded(lambda _: self._set(pick, [die.value for die in dice])), "value")
        self._controls[pick.argument] = dice
        if not pick.none:
            return box(*dice, row=True, css="ldv-dice")
        unsaid = ipw.Checkbox(value=value is None, description=pick.none, indent=False, layout=layouts.plain())
        unsaid.observe(
            guarded(lambda change: self._set(pick, None if change["new"] else [die.value for die in dice])), "value"
        )
        self._unsaid[pick.argument] = unsaid
        layouts.show(unsaid, value is None)
        return box(*dice, unsaid, row=True, css="ldv-dice")

    def _now(self, pick: Pick) -> Any:
        return argument_now(self._position, self._question, self._values, pick.argument)

    def _written(self, pick: Pick) -> str:
        return ", ".join(self._now(pick) or ())

    def _listed(self, pick: Pick, keys: Sequence[Any]) -> Any:
        """The entry of a list that stands for what holds; None shows that none does."""
        value = self._now(pick)
        value = "" if value is None else value
        return value if value in keys else None

    def _options(self, pick: Pick) -> list[tuple[Any, str]]:
        if pick.kind == "hex":
            return [(cell, cell) for cell in pick.among or self._position.grid.cells]
        if pick.kind in ("piece", "pieces"):
            return [(i, self._piece_label(i)) for i in self._candidates(pick)]
        if pick.kind == "number":
            return [(n, str(n)) for n in picked(pick, self._position) if n is not None]
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
            return None if value == "" else value
        return [
            self._position.grid.check(name.strip().upper())
            for name in str(value).replace(";", ",").split(",")
            if name.strip()
        ]

    # -- values ---------------------------------------------------------------------------------------------------

    def _set(self, pick: Pick, value: Any) -> None:
        if self._silent or self._now(pick) == value:
            return
        self._values = declared(self._values, pick.argument, value)
        self._changed(dict(self._values))

    def take(self, arguments: Mapping[str, Any]) -> None:
        """Show these values in the controls, without telling anybody."""
        self._values = dict(arguments)
        self._later(self._write)

    def _write(self) -> None:
        self._silent = True
        try:
            for pick in self._picks:
                self._show(pick, self._controls[pick.argument])
        finally:
            self._silent = False

    def _show(self, pick: Pick, control: Any) -> None:
        value = self._now(pick)
        if isinstance(control, dict):
            for key, made in control.items():
                made.value = key in (value or ())
        elif pick.kind == "dice":
            for die, face in zip(control, value or (), strict=False):
                die.value = face
            if unsaid := self._unsaid.get(pick.argument):
                unsaid.value = value is None
                layouts.show(unsaid, value is None or pick.argument in self._open)
        elif pick.kind == "hexes":
            control.value = self._written(pick)
        elif isinstance(control, ipw.Dropdown):
            control.value = self._listed(pick, [key for _, key in control.options])
        elif value is not None:
            control.value = value

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

    def choosing(self, hex_: str) -> Callable[[], None] | None:
        """What a click on a hex where no piece stands does; None when it does nothing."""
        takes = (pick.kind in ("hex", "hexes") and (not pick.among or hex_ in pick.among) for pick in self._clickable)
        return (lambda: self.click(hex_, None)) if any(takes) else None

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
        self._later(self._say_turn)
        self._changed(arguments)

    def followed(self, before: Position, after: Position) -> dict[str, Any]:
        """The arguments when pieces have moved: a hex chosen goes with what stood there, where none of it has stayed."""
        chosen = [p.argument for p in self._picks if p.kind == "hex" and isinstance(self._values.get(p.argument), str)]
        ends = ends_after([self._values[name] for name in chosen], before, after)
        return {**self._values, **dict(zip(chosen, ends, strict=True))}

    def _say_turn(self) -> None:
        if not self._clickable:
            self._hint.value = ""
            return
        pick = self._clickable[self._turn % len(self._clickable)]
        label = escape(pick.label, quote=False)
        self._hint.value = f"<small>Un clic sur le plateau choisit «{NBSP}{label}{NBSP}».</small>"
