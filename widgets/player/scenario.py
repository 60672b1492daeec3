"""A mini-scenario on a page: the board stays, a decision stands beside it, the dice roll, the other side answers."""

from __future__ import annotations

from html import escape

from tutor.core.phrases import NBSP
from tutor.core.play import Declaration
from tutor.core.registry import game
from tutor.core.result import Result
from tutor.course.lessons import lesson
from tutor.course.links import Link
from tutor.course.replay_words import changed, dice_html
from tutor.course.scenario import WAIT, Played, Scenario, Skirmish
from tutor.course.scenario_words import heading, judged, luck, points, refusal, title_of
from widgets.board.errors import guarded
from widgets.board.layers import layers_for
from widgets.board.panels.legend import LegendPanel
from widgets.host.discard import discard, swap
from widgets.host.page import Page
from widgets.host.prose import Writer, booklet_words, box, button, html, show
from widgets.player.stage import Stage, provenance

_HEX = "M8 1.5h12l6 10.5-6 10.5H8L2 12z"
_SHOWN = 3


class ScenarioPlayer:
    """A mini-scenario, played on one board.

    Args:
        page: what its widgets share.
        game_id: game.
        content: the scenario.
        seed: of its dice; "" for new ones.

    Show ``widget``.
    """

    def __init__(self, page: Page, game_id: str, content: Scenario, seed: str = "") -> None:
        self.page, self.game_id, self.content = page, game_id, content
        self.run = Skirmish.of(game_id, content, seed)
        self._writer = Writer(game_id, booklet_words(game_id))
        #: Number of orders played that the reader has looked at; the one after is on screen.
        self.seen = 0
        self._kind = content.orders[0]
        #: Id of the piece that the reader has chosen; "" of none yet.
        self.doer = ""
        self._places: tuple[str, ...] = ()
        self._refused: Result | None = None
        self._refusals = 0
        self.stage = Stage(page, self.run.start, label=content.title, pending="", alone=True)
        self.stage.board.let_drag(False)
        self.stage.on_hex(self.touch)
        self._path, self._head = html("", "ldv-stage-path"), html("", "ldv-stage-head")
        self._text, self._orders = html(""), box(css="ldv-scenario-picks")
        self._who, self._where = box(css="ldv-scenario-picks"), box(css="ldv-scenario-picks")
        self._dice, self._after, self._other = html("", "ldv-dice-shown"), html(""), html("")
        self._body = box(css="ldv-stage-body")
        self._undo, self._onward = button("Effacer", hint="Effacer ce qui est choisi"), button("", primary=True)
        self._undo.on_click(guarded(lambda _: self._erase()))
        self._onward.on_click(guarded(lambda _: self.advance()))
        self._onward.add_class("ldv-stage-onward")
        self._again, self._others = button("Rejouer", hint="Les mêmes dés"), button("Autres dés", primary=True)
        self._again.on_click(guarded(lambda _: self.start(self.run.seed)))
        self._others.on_click(guarded(lambda _: self.start("")))
        folds = box(
            LegendPanel(self.run.start, page.bridge).view,
            *self.stage.folds,
            *provenance(self.run.start),
            row=True,
            css="ldv-folds ldv-stage-folds",
        )
        self._foot = box(row=True, css="ldv-stage-foot")
        panel = box(
            self._path,
            box(self._head, self._body, folds, css="ldv-stage-scroll"),
            self._foot,
            css="ldv-stage-panel",
        )
        self.widget = box(box(self.stage.board_widget, css="ldv-stage-map"), panel, css="ldv-stage ldv-scenario")
        self._draw()

    # -- going about ----------------------------------------------------------------------------------------------

    def start(self, seed: str) -> None:
        """From the beginning, with the dice of a seed; new ones when "".

        Args:
            seed: letters and figures.
        """
        self.run, self.seen, self._refusals = Skirmish.of(self.game_id, self.content, seed), 0, 0
        self._clear()
        self._draw(attend=True)

    def close(self) -> None:
        """Leave the page for good, with what is not on screen now."""
        self.stage.close()
        now_and_then = (self._text, self._orders, self._who, self._where, self._dice, self._after, self._other)
        buttons = (self._undo, self._onward, self._again, self._others)
        discard(self.page, self.widget, *self.stage.widgets, *now_and_then, *buttons)

    @property
    def shown(self) -> Played | None:
        """The order on screen; None while the reader decides, or at the end."""
        return self.run.played[self.seen] if self.seen < len(self.run.played) else None

    def advance(self) -> None:
        """Go on: order what is chosen, see what comes of it, what the other side does, how it ended."""
        if self.shown is not None:
            self.seen += 1
            if self.shown is None and self.run.turn == "opponent":
                self.run = self.run.reply()
            self._clear()
        elif self.run.turn == "reader":
            self.order()
            return
        self._draw(attend=True)

    def order(self) -> None:
        """Declare what is chosen; the rules may refuse it, and say why."""
        if not self._ready:
            return
        declared = self._declared
        result = self.run.permitted(declared)
        if result is not None and not result.computed:
            self._refused = result
            self._refusals += 1
        else:
            self.run = self.run.decide(declared)
        self._draw(attend=self._refused is None)

    # -- choosing -------------------------------------------------------------------------------------------------

    @property
    def _declared(self) -> Declaration:
        return Declaration(self._kind, self.doer, self._places) if self._must else WAIT

    @property
    def _must(self) -> bool:
        """Whether there is anything to order."""
        return self.run.must

    @property
    def _order(self):  # type: ignore[no-untyped-def]
        return game(self.game_id).play[self._kind]

    @property
    def _doers(self) -> tuple[str, ...]:
        return self._order.doers(self.run.position, self.content.side)

    @property
    def _ready(self) -> bool:
        if not self._must:
            return True
        chosen = self.doer in self._doers
        return chosen and (bool(self._places) or not self._order.where)

    @property
    def _offered(self) -> tuple[str, ...]:
        """Cells that may be chosen now; those of an order that takes one stay, so that another may be taken."""
        if self.doer not in self._doers or not self._order.where:
            return ()
        return self._order.places(self.run.position, self.doer, self._places if self._order.several else ())

    def _clear(self) -> None:
        self.doer, self._places, self._refused = self._only, (), None

    @property
    def _only(self) -> str:
        """Who acts when it is the whole side; "" while a piece must be chosen."""
        doers = self._doers
        return doers[0] if doers and doers[0] not in self.run.start.by_id else ""

    def _erase(self) -> None:
        if self._places:
            self._places = self._places[:-1]
        else:
            self.doer = self._only
        self._refused = None
        self._draw()

    def choose_kind(self, kind: str) -> None:
        """Choose what is ordered."""
        self._kind = kind
        self._clear()
        self._draw()

    def choose_doer(self, piece: str) -> None:
        """Choose who does it."""
        self.doer, self._places, self._refused = piece, (), None
        self._draw()

    def choose_place(self, cell: str) -> None:
        """Choose where; another cell takes the place of the first, or follows it."""
        self._places = (*self._places, cell) if self._order.several else (cell,)
        self._refused = None
        self._draw()

    def touch(self, cell: str, piece: str | None) -> None:
        """A cell of the board: who does it, or where."""
        if self.shown is not None or self.run.turn != "reader" or not self._must:
            return
        known = self.run.position.by_id
        here = [name for name in self._doers if name in known and self.run.position.hex_of(name) == cell]
        if here:
            after = here.index(self.doer) + 1 if self.doer in here else 0
            self.choose_doer(here[after % len(here)])
        elif cell in self._offered:
            self.choose_place(cell)
        elif not self.doer:
            self.stage.announce("Choisissez d’abord qui agit.")
        elif self._order.where:
            self.stage.announce(f"{cell} ne se choisit pas ici.")

    # -- showing --------------------------------------------------------------------------------------------------

    def _draw(self, *, attend: bool = False) -> None:
        shown = self.shown
        over = shown is None and self.run.turn == "end"
        self._path.value = self._track()
        self._head.value = (
            f'<p class="ldv-stage-eyebrow" id="scenario-ici" tabindex="-1">{escape(heading(self.run, shown))}</p>'
            f"<span>{escape(points(self.run))}</span>"
        )
        with self.stage.board.hold():
            if shown is not None:
                self._show_played(shown)
            elif over:
                self._show_end()
            else:
                self._show_decision()
        (self._body.add_class if shown else self._body.remove_class)("is-answered")
        self.page.course.link = self.link.url
        if attend:
            self.page.course.scroll = ""
            self.page.course.scroll = "scenario-ici"

    @property
    def link(self) -> Link:
        """The address of this scenario with its dice."""
        return Link("scenario", self.game_id, slug=self.content.id, dice=self.run.seed)

    def _track(self) -> str:
        """A hex for each decision, filled as it was judged."""
        marks = {3: "done", 2: "done", 1: "half", 0: "half"}
        items = []
        for number in range(1, self.content.decisions + 1):
            done = self.run.decisions[number - 1] if number <= len(self.run.decisions) else None
            judgement = done.judged if done else None
            mark = marks[judgement.score] if judgement else "ahead"
            name = f"Décision {number}{NBSP}: " + (f"{judgement.score} sur 3" if judgement else "à venir")
            here = ' aria-current="step"' if number == max(1, self.run.number) and self.run.turn != "end" else ""
            label = str(judgement.score) if judgement else ""
            items.append(
                f'<li data-mark="{mark}"{here} title="{name}"><svg viewBox="0 0 28 24" width="28" height="24" '
                f'aria-hidden="true"><path d="{_HEX}"/></svg><b aria-hidden="true">{label}</b>'
                f'<span class="ldv-unseen">{name}</span></li>'
            )
        return f'<ol class="ldv-scenes ldv-scenario-track" aria-label="Décisions">{"".join(items)}</ol>'

    def _show_decision(self) -> None:
        stage, run, must = self.stage, self.run, self._must
        stage.place(run.position)
        stage.hide()
        chosen = [run.position.hex_of(self.doer)] if self.doer in run.position.by_id else []
        stage.mark(tuple(cell for cell in chosen if cell), self._offered if self.doer else ())
        stage.select(self._places)
        first = f'<p class="ldv-situation">{self._writer.inline(self.content.text)}</p>' if run.number == 1 else ""
        aim = f'<p class="ldv-scenario-aim"><b>But.</b> {self._writer.inline(self.content.aim)}</p>'
        asked = self.content.ask if self._must else "Plus aucun ordre n’est permis. Laissez passer ce tour."
        self._text.value = f'{first if not self.doer else ""}{aim}<p class="ldv-question">{escape(asked)}</p>'
        kinds = self.content.orders if self._must and len(self.content.orders) > 1 else ()
        picks = [
            self._pick(
                game(self.game_id).play[kind].label, kind == self._kind, lambda kind=kind: self.choose_kind(kind)
            )
            for kind in kinds
        ]
        swap(self.page, self._orders, *picks)
        doers = [name for name in self._doers if name in run.position.by_id] if must else []
        picks = [
            self._pick(self._named(name), name == self.doer, lambda name=name: self.choose_doer(name)) for name in doers
        ]
        swap(self.page, self._who, *picks)
        offered = self._offered
        where = [html(f'<p class="ldv-label">{escape(self._order.where)}</p>')] if offered else []
        picks = [
            self._pick(self._placed(cell), cell in self._places, lambda cell=cell: self.choose_place(cell))
            for cell in offered
        ]
        swap(self.page, self._where, *where, *picks)
        self._other.value = refusal(self._refused, run.position, self._writer.inline) if self._refused else ""
        if self._refused:
            stage.board.show("sight", *layers_for(self._refused, run.position, stage.board.shapes))
            stage.announce("Les règles refusent.")
        self._body.children = (self._text, self._orders, self._who, self._where, self._other)
        self._onward.description = self._said if self._ready else "Choisissez"
        self._onward.disabled = not self._ready
        show(self._undo, self.doer != self._only or bool(self._places))
        self._foot.children = (self._undo, self._onward)

    @property
    def _said(self) -> str:
        if not self._must:
            return "Attendre"
        return f"Ordonner{NBSP}: {self._order.label.lower()}"

    def _pick(self, label, chosen, act):  # type: ignore[no-untyped-def]
        made = button(label, primary=chosen)
        made.on_click(guarded(lambda _: act()))
        return made

    def _named(self, piece: str) -> str:
        position = self.run.position
        state = [game(self.game_id).phrases.term(status).lower() for status in position.piece(piece).status]
        where = position.hex_of(piece)
        return f"{position.names[piece]}, {where}" + (f" ({', '.join(state)})" if state else "")

    def _placed(self, cell: str) -> str:
        there = [p for p in self.run.position.pieces_at(cell) if p.carrier is None]
        if not there:
            return cell
        return f"{cell}, {', '.join(self._named(p.id).replace(f', {cell}', '') for p in there)}"

    def _show_played(self, shown: Played) -> None:
        stage = self.stage
        stage.place(shown.before)
        stage.hide()
        if shown.result:
            stage.reveal(shown.sequel or shown.result)
        stage.board.later(lambda: stage.place(shown.after))
        verdict, why = stage.side_widgets
        said = title_of(self.run, shown)
        if shown.judged:
            self._text.value = judged(self.run, shown, self._writer.inline)
        else:
            self._text.value = (
                f'<p class="ldv-question">{escape(said)}</p>'
                f'<p class="ldv-prose">{self._writer.inline(self.content.opponent.text)}</p>'
            )
        self._dice.value = dice_html(shown.given, self.run.start)
        lines = changed(shown.before, shown.after)
        lines = [line for line in lines if not line.startswith("Plus aucune unité")]
        items = "".join(f"<li>{escape(line)}</li>" for line in lines or ["Rien ne change sur le plateau."])
        self._after.value = f'<ul class="ldv-replay-changes">{items}</ul>{luck(shown)}'
        parts = [self._text, self._dice, self._after]
        self._body.children = (*parts, *([verdict, why] if shown.result else []))
        stage.announce(f"{said}. {' '.join(lines)}")
        last = self.seen == len(self.run.played) - 1
        if last and self.run.turn == "opponent":
            self._onward.description = "L’adversaire joue"
        else:
            self._onward.description = "Le bilan" if last and self.run.turn == "end" else "À vous"
        self._onward.disabled = False
        self._foot.children = (self._onward,)

    def _show_end(self) -> None:
        stage, run = self.stage, self.run
        stage.place(run.position)
        stage.hide()
        most = 3 * len(run.decisions)
        rows = "".join(
            f'<li data-score="{one.judged.score}"><b>{one.judged.score}</b> '
            f"<span>{escape(title_of(run, one))}{luck(one)}</span></li>"
            for one in run.decisions
            if one.judged
        )
        refused = (
            f"<p>{self._refusals} ordre{'s' * (self._refusals > 1)} refusé{'s' * (self._refusals > 1)} par les règles"
            f"{NBSP}: ils ne coûtent rien, et vous savez pourquoi.</p>"
            if self._refusals
            else ""
        )
        won = "But atteint." if run.won else "But manqué."
        self._text.value = (
            f'<section class="ldv-scenario-end"><h2>{won}</h2><p>{escape(points(run))}.</p>'
            f"<h3>Vos décisions{NBSP}: {run.score} sur {most}</h3>"
            f"<p>{escape(_closing(run))}</p><ol>{rows}</ol>{refused}"
            f'<p>Dés <b>{run.seed}</b>{NBSP}: <a href="{escape(self.link.url, quote=True)}">le lien de cette partie</a> '
            f"les rejoue. {self._back()}</p></section>"
        )
        self._body.children = (self._text,)
        self._foot.children = (self._again, self._others)

    def _back(self) -> str:
        one = lesson(self.game_id, self.content.after)
        url = escape(Link("lesson", self.game_id, slug=one.slug).url, quote=True)
        every = escape(Link("scenario", self.game_id).url, quote=True)
        return f'<a href="{url}">Leçon {one.number}</a> · <a href="{every}">Tous les scénarios</a>'


def _closing(run: Skirmish) -> str:
    """Result and decisions, apart."""
    good = 5 * run.score >= 4 * 3 * len(run.decisions)
    if run.won:
        return (
            "Bien décidé, et les dés ont suivi."
            if good
            else f"Les dés vous ont aidé{NBSP}: il y avait mieux à décider."
        )
    return (
        "Bien décidé, mauvais dés."
        if good
        else "Revoyez les décisions les moins bien notées, puis rejouez les mêmes dés."
    )
