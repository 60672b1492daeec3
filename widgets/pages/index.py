"""The rule index: search by number or word, one entry with its lesson and live example, every entry by chapter."""

from __future__ import annotations

from html import escape

import ipywidgets as ipw

from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP
from tutor.core.registry import GAMES, Section, game
from tutor.course import lessons
from tutor.course.lessons import article_rules
from tutor.course.links import Link
from tutor.course.prose import rule_number
from tutor.course.search import search
from widgets.board import layouts
from widgets.board.errors import failure, guarded
from widgets.host.prose import box, html, reason, rule_chip, show

_MOST = 20
#: Entries shown of each other rulebook.
_ELSEWHERE = 3


class RuleIndex:
    """The index of a rulebook; the reader may turn to another one of the house.

    Args:
        game_id: the game shown first.

    ``widget`` shows it whole. A page that shows it in two places takes ``entry``, the one opened, and what stands
    ``below`` it: the ``field`` of the search, what it found, every chapter, at once or folded.
    """

    def __init__(self, game_id: str) -> None:
        self.game_id, self._game = game_id, game(game_id)
        self.entry = html("")
        self._book = ipw.Dropdown(
            options=[(title, one) for one, title in GAMES.items()], value=game_id, description="Livret"
        )
        self._book.observe(guarded(lambda change: self.choose(change["new"])), "value")
        show(self._book, len(GAMES) > 1)
        self.field = ipw.Text(placeholder="10.3, gêne, fumigène…", description="Chercher une règle")
        self.field.observe(guarded(lambda change: self.find(change["new"])), "value")
        self.field.add_class("ldv-search")
        self._results = html("")
        self._chapters, self._kept = html(""), html("")
        self._fold = ipw.Accordion([self._kept], titles=("Tout l’index",), selected_index=None, layout=layouts.plain())
        self._fold.add_class("ldv-fold")
        self._fold.observe(guarded(self._unfold), "selected_index")
        show(self._fold, False)
        self.below = (self.field, self._results, self._chapters, self._fold)
        self.widget = box(self.entry, self._book, *self.below, css="ldv-stack")

    def choose(self, game_id: str) -> None:
        """Turn to another rulebook.

        Args:
            game_id: a game of the house.
        """
        if game_id == self.game_id:
            return
        self.game_id, self._game = game_id, game(game_id)
        self._book.value = game_id
        self.entry.value = ""
        self.find(self.field.value)
        if self._chapters.value:
            self.show_all()
        self._fold.selected_index, self._kept.value = None, ""

    # -- one entry ------------------------------------------------------------------------------------------------

    def open(self, rule: str) -> None:
        """Show the entry of a rule; an unknown one says so and searches for it.

        Args:
            rule: id, as the reader or a link wrote it.
        """
        try:
            section = self._game.section(rule)
        except TutorError as error:
            self.entry.value = failure(f"{error.sentence} Cherchez-la ci-dessous.")
            self.field.value = rule
            return
        above = [self._game.sections[i] for i in self._above(section)]
        path = f" {NBSP}›{NBSP} ".join(f"{self._link(one)}" for one in above)
        below = [one for one in self._game.sections.values() if one.parent == section.id]
        parts = [
            f'<p class="ldv-path">{path}</p>' if path else "",
            f"<h2>{rule_chip(self.game_id, section.id)} {escape(section.title)}</h2>",
            f"<p>{escape(section.summary)}</p>",
            reason(self.game_id, section.id),
            f'<p class="ldv-links">{self._places(section)}</p>',
            self._row("Voir aussi", [self._game.sections[i] for i in section.see if i in self._game.sections]),
            self._row("Sous-règles", below),
        ]
        self.entry.value = f'<article class="ldv-entry" id="regle">{"".join(parts)}</article>'

    def _above(self, section: Section) -> list[str]:
        parents: list[str] = []
        parent = section.parent
        while parent and parent in self._game.sections and parent not in parents:
            parents.insert(0, parent)
            parent = self._game.sections[parent].parent
        return parents

    def _link(self, section: Section) -> str:
        url = escape(Link(game=self.game_id, rule=section.id).url, quote=True)
        return f'<a href="{url}">{escape(rule_number(section.id))} {escape(section.title)}</a>'

    def _row(self, title: str, sections: list[Section]) -> str:
        if not sections:
            return ""
        return f"<p><strong>{title}{NBSP}:</strong> " + ", ".join(self._link(one) for one in sections) + "</p>"

    def _places(self, section: Section) -> str:
        """Links to the lesson that teaches a rule, the example that shows it, its article."""
        from tutor.course.showing import showing  # the forms of articles weigh: not before an entry is opened

        taught, shown = lessons.teaching(self.game_id), showing(self.game_id)
        places = []
        lesson = taught.get(section.id)
        if lesson:
            url = escape(Link("lesson", self.game_id, slug=lesson.slug).url, quote=True)
            places.append(f'<a href="{url}">Leçon {lesson.number}{NBSP}: {escape(lesson.title)}</a>')
        if section.id in shown:
            _, example, link = shown[section.id]
            places.append(f'<a href="{escape(link.url, quote=True)}">Exemple vivant{NBSP}: {escape(example.title)}</a>')
        if section.id in article_rules(self.game_id):
            url = escape(Link("articles", self.game_id, rule=section.id).url, quote=True)
            places.append(f'<a href="{url}">Article {escape(rule_number(section.id))}, à essayer</a>')
        return "".join(places)

    # -- search ---------------------------------------------------------------------------------------------------

    def find(self, words: str) -> None:
        """List what a search finds."""
        if not words.strip():
            self._results.value = ""
            return
        sections = search(self.game_id, words, _MOST + 1)
        others = "".join(self._elsewhere(game_id, words) for game_id in GAMES if game_id != self.game_id)
        elsewhere = f'<h2>Dans les autres livrets</h2><ul class="ldv-found">{others}</ul>' if others else ""
        if not sections:
            here = f" dans {escape(self._game.title)}" if others else ""
            self._results.value = (
                f'<p role="status">Aucune règle pour «{NBSP}{escape(words.strip())}{NBSP}»{here}. '
                f"Essayez un numéro, ou un mot plus court.</p>{elsewhere}"
            )
            return
        more = f"<p><small>Il y en a d’autres{NBSP}: précisez.</small></p>" if len(sections) > _MOST else ""
        items = "".join(
            f"<li>{rule_chip(self.game_id, one.id)} <strong>{escape(one.title)}</strong><p>{escape(one.summary)}</p>"
            f'<p class="ldv-links">{self._places(one)}</p></li>'
            for one in sections[:_MOST]
        )
        self._results.value = f'<ul class="ldv-found">{items}</ul>{more}{elsewhere}'

    def _elsewhere(self, game_id: str, words: str) -> str:
        """What another rulebook of the house has to say, in a line."""
        sections = search(game_id, words, _ELSEWHERE)
        if not sections:
            return ""
        links = ", ".join(f"{rule_chip(game_id, one.id)} {escape(one.title)}" for one in sections)
        return f"<li><strong>{escape(GAMES[game_id])}</strong><p>{links}</p></li>"

    # -- everything -----------------------------------------------------------------------------------------------

    def show_all(self) -> None:
        """Show every entry, chapter by chapter."""
        self._chapters.value = (
            f'<section class="ldv-chapters" id="index"><h2>Tout l’index</h2>{self._every()}</section>'
        )

    def offer_all(self) -> None:
        """Offer every entry, folded: who looks for one is shown that one, and the rest is made when he opens it."""
        self._chapters.value = ""
        show(self._fold, True)

    def _unfold(self, change: dict[str, object]) -> None:
        if change["new"] is not None and not self._kept.value:
            self._kept.value = f'<section class="ldv-chapters" id="index">{self._every()}</section>'

    def _every(self) -> str:
        """Every entry, in the chapters of the rulebook."""
        chapters: dict[str, list[Section]] = {}
        for section in self._game.sections.values():
            root = (self._above(section) or [section.id])[0]
            chapters.setdefault(root, []).append(section)
        blocks = []
        for root, sections in chapters.items():
            items = "".join(f"<li>{rule_chip(self.game_id, one.id)} {escape(one.title)}</li>" for one in sections)
            title = f"{root}{NBSP}· {self._game.sections[root].title} ({len(sections)})"
            blocks.append(f"<details><summary>{escape(title)}</summary><ul>{items}</ul></details>")
        return "".join(blocks)
