"""« Leçon » : an ordered list of parts made into a lesson, kept as data, downloaded as a notebook, tried at once."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any

import ipywidgets as ipw

from tutor.core.errors import ContentError, TutorError
from tutor.core.phrases import NBSP
from tutor.course.links import Link
from tutor.course.models import FEWEST_MINUTES, MOST_MINUTES
from tutor.course.prose import rule_ids
from tutor.course.teacher_lessons import AuthoredLesson, Sheet, unknown_rules
from widgets.board import errors, layouts
from widgets.board.errors import guarded
from widgets.editor.draft import UNTITLED, Workbench
from widgets.editor.forms import Form, area, drop, line, whole
from widgets.editor.keep import slug
from widgets.editor.shelf import Shelf
from widgets.editor.teacher_lesson import Part, PartKind, Plan, kept_lesson, notebook
from widgets.host.discard import swap
from widgets.host.page import Page
from widgets.host.prose import box, button, html, show
from widgets.host.uploads import read_file

if TYPE_CHECKING:
    from widgets.host.channel import Reply

_NAMES: dict[PartKind, str] = {
    "situation": "Situation",
    "question": "Question d’ouverture",
    "example": "Exemple",
    "rule": "Règle",
    "exercise": "Exercice",
    "remember": "À retenir",
}
_HELP: dict[PartKind, str] = {
    "situation": "Deux phrases{n}: ce qu’un joueur rencontre à la table.",
    "question": "Laissez vide pour poser celle de l’exemple qui suit. Sinon, la question sur la première ligne{n}; "
    "d’autres mots pour les choix, un par ligne dessous.",
    "example": "Une position et sa question. Le texte est facultatif.",
    "rule": "Trois ou quatre phrases courtes, une par ligne. Un numéro de règle s’écrit [[10.2]].",
    "exercise": "La question de cette position devient un exercice{n}; les règles donnent la réponse.",
    "remember": "Trois lignes à retenir, une par ligne.",
}
_HERE = "Celle du plateau"
#: What is said of other minutes than a lesson may count.
_BOUNDS = (
    f"Une leçon compte de {FEWEST_MINUTES} à {MOST_MINUTES}{NBSP}minutes{NBSP}: le nombre le plus proche est retenu."
)
#: Where the buttons that move a part stand in its row.
_UP, _DOWN = 2, 3


class LessonPanel:
    """The lesson being made.

    Args:
        page: what its widgets share.
        bench: where positions come from.
        memory: what the browser remembers.
        plan: the lesson as it was left.
    """

    def __init__(self, page: Page, bench: Workbench, memory: Any, plan: Plan | None = None) -> None:
        self.page = page
        self._bench, self._memory, self.plan = bench, memory, plan or Plan()
        self._at: int | None = None
        self._row_controls, self._part_controls = Form(), Form()
        self._shelf, self._sheets = Shelf(page, "lesson", memory), Shelf(page, "position", memory)
        self._kept: list[dict[str, Any]] = []
        self._made: AuthoredLesson | None = None
        self._title = line("Titre de la leçon")
        self._teaser = line("En une phrase")
        self._minutes = whole("Minutes", value=self.plan.minutes)
        self._minutes.observe(guarded(lambda c: self._take_minutes(c["new"])), "value")
        self._bounds = html(f'<p class="ldv-note" role="status">{_BOUNDS}</p>')
        show(self._bounds, False)
        for made, name in ((self._title, "title"), (self._teaser, "teaser")):
            made.observe(guarded(lambda c, n=name: self.take(replace(self.plan, **{n: c["new"]}))), "value")
        self._rows = box(css="ldv-parts")
        adders = []
        for kind, label in _NAMES.items():
            add = button(f"+ {label}")
            add.on_click(guarded(lambda _, k=kind: self._add(k)))
            adders.append(add)
        self._form = box(css="ldv-card ldv-fields ldv-part-form")
        self._state = html("")
        self._files = html("")
        keep, other, trial = (
            button("Garder la leçon", primary=True),
            button("Garder comme nouvelle"),
            button("Essayer la leçon"),
        )
        keep.on_click(guarded(lambda _: self._save(False)))
        other.on_click(guarded(lambda _: self._save(True)))
        trial.on_click(guarded(lambda _: self._try()))
        self._stage = box()
        made = box(
            box(self._title, self._teaser, self._minutes, self._bounds, css="ldv-card ldv-fields"),
            box(*adders, row=True, css="ldv-toolbar"),  # above what they add: none moves under who presses two at once
            self._rows,
            self._form,  # below the part that was added last, or beside the list
            self._state,
            box(keep, other, trial, row=True, css="ldv-toolbar"),
            self._shelf.outcome,
            self._files,
            self._open_form(),
            css="ldv-lesson ldv-editor ldv-making",
        )
        self.widget = box(made, self._stage)
        self._shelf.on_list(self._listed)
        self._sheets.on_list(self._sheets_listed)
        self._show()

    def close(self) -> None:
        """Leave the page."""
        self._shelf.close()
        self._sheets.close()

    def _open_form(self) -> ipw.Widget:
        self._known = drop("Gardées", options=[("—", "")])
        load, gone = button("Ouvrir"), button("Supprimer")
        load.on_click(guarded(lambda _: self._shelf.get(self._known.value, self._loaded)))
        gone.on_click(guarded(lambda _: self._shelf.drop(self._known.value)))
        upload = layouts.file_button("Ouvrir un fichier")
        upload.observe(guarded(lambda c: self._uploaded(upload, c["new"])), "value")
        return box(
            html('<h2 class="ldv-label">Ouvrir une leçon</h2>'),
            self._known,
            box(load, gone, upload, row=True, css="ldv-toolbar"),
            css="ldv-card ldv-fields ldv-opening",
        )

    # -- parts ----------------------------------------------------------------------------------------------------

    def _add(self, kind: PartKind) -> None:
        part = Part(kind)
        if kind in ("example", "exercise"):
            part = replace(part, sheet=self._sheet(), title=_own(self._bench.position.title))
        at = len(self.plan.parts)
        self.take(replace(self.plan, parts=(*self.plan.parts, part)))
        self._choose(at)

    def _sheet(self) -> Sheet:
        return Sheet.of(self._bench.position, self._bench.asked)

    def take(self, plan: Plan) -> None:
        """Go on with another plan; what changed is shown, and kept by the browser."""
        if plan != self.plan:
            errors.report("")  # what was wrong before this change
            self.plan = plan
            self._memory.lesson = plan.dump(self._bench.game.id) if plan.title or plan.parts else ""
            self._show()

    def _take_minutes(self, asked: int) -> None:
        kept = max(FEWEST_MINUTES, min(MOST_MINUTES, asked))
        self._minutes.value = kept  # heard before what follows
        self.take(replace(self.plan, minutes=kept))
        show(self._bounds, kept != asked)

    def _choose(self, index: int | None) -> None:
        """Open a part; what is still told by the controls of another is told of that one."""
        self._at, self._part_controls = index, Form()
        self._show()
        self._show_form()
        if index is not None:
            self._form.children[1].focus()

    def _move(self, index: int, by: int) -> None:
        if not 0 <= index + by < len(self.plan.parts):
            return
        self._at = {index: index + by, index + by: index}.get(self._at, self._at)
        self.take(self.plan.move(index, by))
        self._show_form()
        self._rows.children[index + by].children[_UP if by < 0 else _DOWN].focus()

    def _drop(self, index: int) -> None:
        self.take(self.plan.put(index, None))
        at = self._at
        self._choose(None if at in (None, index) else at - (index < at))

    def _edit(self, at: int, **changes: Any) -> None:
        self.take(self.plan.put(at, replace(self.plan.parts[at], **changes)))

    # -- what is shown --------------------------------------------------------------------------------------------

    def _show(self) -> None:
        self._title.value, self._teaser.value = self.plan.title, self.plan.teaser
        self._minutes.value = self.plan.minutes
        self._rows.children = tuple(self._row(i, part) for i, part in enumerate(self.plan.parts)) or (
            html('<p class="ldv-empty">Aucune partie encore. Ajoutez une situation, un exemple, une règle…</p>'),
        )
        try:
            self._made = self.plan.build(self._bench.game.id, slug(self.plan.title))
            said, faults = "✓ Cette leçon peut se jouer.", 0
        except TutorError as error:
            self._made, said, faults = None, escape(error.sentence), 1
        self._state.value = f'<div class="ldv-problems" data-faults="{faults}" role="status">{said}</div>'
        self._show_files()

    def _show_files(self) -> None:
        self._shelf.compare(self._made.dump() if self._made else "")
        if self._made is None:
            self._files.value = ""
            return
        from widgets.host.share import download

        name, kind = slug(self.plan.title), "application/x-ipynb+json"
        self._files.value = (
            '<p class="ldv-toolbar">'
            + download("Leçon (YAML)", f"{name}.yaml", "text/yaml", self._made.dump(), "ldv-button")
            + download("Cahier (.ipynb)", f"{name}.ipynb", kind, notebook(self._made), "ldv-button")
            + "</p>"
        )

    def _row(self, index: int, part: Part) -> ipw.Widget:
        lines = part.lines()
        bare = "celle de l’exemple qui suit" if part.kind == "question" else "vide"
        summary = part.title or (part.sheet.board.title if part.sheet else "") or (lines[0] if lines else bare)
        now = ' aria-current="true"' if index == self._at else ""
        label = f"<span{now}><strong>{index + 1}. {_NAMES[part.kind]}</strong> {escape(summary[:80])}</span>"
        acts = {"Modifier": partial(self._choose, index), "▲": partial(self._move, index, -1)}
        acts |= {"▼": partial(self._move, index, 1), "✕": partial(self._drop, index)}
        form, hints = self._row_controls, {"▲": "Monter", "▼": "Descendre", "✕": "Retirer"}
        buttons = [
            form.button((index, text), text, act, f"{hints.get(text, text)} la partie {index + 1}")
            for text, act in acts.items()
        ]
        return form.box(index, form.html(index, label, "ldv-grow"), *buttons, row=True, css="ldv-part-row")

    def _show_form(self) -> None:
        at, form = self._at, self._part_controls
        show(self._form, at is not None)
        if at is None:
            self._form.children = ()
            return
        part = self.plan.parts[at]
        head = (
            f'<h2 class="ldv-label">Partie {at + 1}{NBSP}: {_NAMES[part.kind].lower()}</h2>'
            f'<p class="ldv-empty">{escape(_HELP[part.kind].format(n=NBSP))}</p>'
        )
        made: list[ipw.Widget] = [form.html("head", head)]
        if part.kind in ("rule", "example", "exercise"):
            made.append(
                form.keep(
                    "title",
                    line,
                    lambda title: self._edit(at, title=title.strip()),
                    description="Titre",
                    value=part.title,
                )
            )
        if part.kind in ("example", "exercise"):
            made += self._source(at, part)
        if part.kind != "exercise":
            text = form.keep("text", area, partial(self._written, at), description="Texte", value=part.text, rows=6)
            made.append(text)
            if part.kind in ("rule", "remember", "situation", "example"):
                made.append(self._rule_finder(text))
        self._form.children = tuple(made)

    def _source(self, at: int, part: Part) -> list[ipw.Widget]:
        sheet = part.sheet
        asked = sheet.asked if sheet else None
        title = sheet.board.title or "sans titre" if sheet else "aucune"
        text = (
            f"Position{NBSP}: <strong>{escape(title)}</strong>. Question{NBSP}: "
            f"{escape((asked.question if asked else None) or 'aucune')}"
        )
        form, kept = self._part_controls, ((one["title"], one["code"]) for one in self._kept)
        choose = form.keep("source", drop, description="Prendre", options=[(_HERE, ""), *kept])
        take = form.button("source", "Prendre cette position", lambda: self._take_sheet(at, choose.value))
        return [form.html("source", f"<p>{text}</p>"), form.box("source", choose, take, row=True, css="ldv-pair")]

    def _take_sheet(self, at: int, code: str | None) -> None:
        if not code:
            self._taken(at, self._sheet())
        else:
            self._sheets.get(code, lambda reply: self._taken(at, Sheet.parse(reply.result["body"])))

    def _taken(self, at: int, sheet: Sheet) -> None:
        if sheet.board.game != self._bench.game.id:
            raise ContentError("Cette position est d’un autre jeu.", remedy="Une leçon parle d’un seul jeu.")
        part = self.plan.parts[at]
        title = part.title if part.title not in ("", UNTITLED) else _own(sheet.board.title)
        self._edit(at, sheet=sheet, title=title)
        self._show_form()

    def _written(self, at: int, text: str) -> None:
        self._edit(at, text=text)
        if faults := unknown_rules(self._bench.game.id, rule_ids(text)):
            raise ContentError(faults[0], remedy="Choisissez le numéro dans la liste.")

    def _rule_finder(self, text: ipw.Textarea) -> ipw.Widget:
        form, sections = self._part_controls, self._bench.game.sections
        numbered = [(f"{one.id} {one.title}"[:80], one.id) for one in sections.values()]
        rules = form.keep("rule", drop, description="Citer une règle", options=[("—", ""), *numbered])

        def insert() -> None:
            if rules.value:
                text.value = f"{text.value.rstrip()} [[{rules.value}]]".strip()

        return form.box("rule", rules, form.button("rule", "Insérer", insert), row=True, css="ldv-pair")

    # -- keeping --------------------------------------------------------------------------------------------------

    def _ready(self) -> AuthoredLesson:
        self._show()
        if self._made is None:
            return self.plan.build(self._bench.game.id, slug(self.plan.title))  # raises, and says why
        return self._made

    def _save(self, new: bool) -> None:
        made = self._ready()
        self._shelf.save(made.game, self.plan.title, made.dump(), new, lambda code: Link("authored", slug=code).url)

    def _try(self) -> None:
        made = kept_lesson(self.page, self._ready()).widget
        swap(self.page, self._stage, html('<div id="essai-de-la-lecon"></div>'), made)
        self.page.course.scroll = ""
        self.page.course.scroll = "essai-de-la-lecon"

    def _loaded(self, reply: Reply) -> None:
        self.open(reply.result["body"])

    def open(self, text: str) -> None:
        """Change the lesson of a text.

        Raises:
            TutorError: it is no lesson, or one of another game.
        """
        kept = AuthoredLesson.parse(text)
        if kept.game != self._bench.game.id:
            raise ContentError("Cette leçon est d’un autre jeu.", remedy="Choisissez ce jeu en haut de la page.")
        self.take(Plan.of(kept))
        self._choose(None)

    def resume(self, plan: Plan) -> None:
        """Go on with a lesson that was being made."""
        self.take(plan)
        self._choose(None)

    def _uploaded(self, upload: Any, files: Any) -> None:
        if files:
            text = read_file(files)
            upload.value = ()
            self.open(text)

    def _listed(self, items: list[dict[str, Any]]) -> None:
        own = [one for one in items if one["game"] == self._bench.game.id]
        self._known.options = [("—", ""), *((one["title"], one["code"]) for one in own)]

    def _sheets_listed(self, items: list[dict[str, Any]]) -> None:
        self._kept = [one for one in items if one["game"] == self._bench.game.id]
        if self._at is not None:
            self._show_form()

    def refresh(self) -> None:
        """Ask what is kept, when the step is opened."""
        self._shelf.refresh(again=True)
        self._sheets.refresh(again=True)
        self._show()
        self._show_form()


def _own(title: str | None) -> str:
    """The title that an author gave to a board; "" of one that he did not name."""
    return title if title and title != UNTITLED else ""
