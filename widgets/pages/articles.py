"""« Article par article »: find a section, read when it is played and what it does, try it on a board.

Every way through the page is a link within it (``data-ldv-within``): its address can be shared, and « back » goes back.
One example lives at a time; the one before is closed, so that a long visit weighs no more than a short one.
"""

from __future__ import annotations

from html import escape
from typing import Any

import ipywidgets as ipw

from tutor.core.phrases import NBSP
from tutor.core.position import Position
from tutor.core.registry import GAMES, game
from tutor.core.result import Result
from tutor.course.articles import Article, Card, card, families, neighbours
from tutor.course.effect import effect
from tutor.course.headlines import answering
from tutor.course.lessons import article_files, article_rules, teaching
from tutor.course.links import Link, read_query
from tutor.course.models import LiveExample
from tutor.course.models import Prediction as PredictionText
from tutor.course.prose import rule_number
from tutor.course.search import search
from widgets.board import errors
from widgets.board.errors import guarded
from widgets.board.memory import give_back_later
from widgets.host.discard import discard
from widgets.host.page import Page
from widgets.host.prose import Writer, box, button, html, reason, rule_chip, show
from widgets.pages.opening import opened
from widgets.player.example import ExamplePlayer
from widgets.player.linked import take_asked

_SEE, _BACK = "Voir l’effet", "Revenir avant"
#: Sections that a search lists at most.
_MOST = 40


def within(link: Link, inner: str, *, css: str = "", current: bool = False, name: str = "") -> str:
    """A link to another place of the page.

    Args:
        link: where it leads.
        inner: HTML.
        css: classes.
        current: it is the place shown.
        name: id of the link.

    >>> within(Link("articles", "combat_commander", rule="A32"), "A32")
    '<a data-ldv-within tabindex="0" href="/voila/render/articles.ipynb?jeu=combat_commander&amp;regle=A32">A32</a>'
    """
    named = f' id="{escape(name, quote=True)}"' if name else ""
    marked = ' aria-current="true"' if current else ""
    classes = f' class="{css}"' if css else ""
    return f'<a data-ldv-within tabindex="0"{named}{classes}{marked} href="{escape(link.url, quote=True)}">{inner}</a>'


def titled(game_id: str, rule: str) -> str:
    """Title of a section as HTML, with its chapter when another article bears the same.

    >>> titled("combat_commander", "O22.1")
    'Activation <small>·\xa0Recover (Récupération)</small>'
    """
    sections = game(game_id).sections
    title, parent = sections[rule].title, sections[rule].parent
    alone = sum(sections[one].title == title for one in article_rules(game_id)) < 2
    chapter = f" <small>·{NBSP}{escape(sections[parent].title)}</small>" if parent and not alone else ""
    return escape(title) + chapter


def books() -> dict[str, str]:
    """Games that have articles, with their titles."""
    return {game_id: title for game_id, title in GAMES.items() if article_files(game_id)}


class ArticleList:
    """The sections of a game that have an article: a family at a time, or what a search finds in all of them.

    Args:
        game_id: the game.
    """

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self._families = families(game_id)
        self.family = self._families[0]
        self._tabs, self._list = html(""), html("")
        self._field = ipw.Text(placeholder="grenades, fumigène, A39…", description="Chercher un article")
        self._field.add_class("ldv-search")
        self._field.observe(guarded(lambda _: self.write()), "value")
        self.widget = box(self._tabs, self._field, self._list, css="ldv-stack")

    def turn(self, slug: str) -> None:
        """Show a family, or the one shown before when there is no such family.

        Args:
            slug: of the family.
        """
        self.family = next((one for one in self._families if one.slug == slug), self.family)
        self._field.value = ""
        self.write()

    def write(self) -> None:
        """Write the list anew."""
        words = self._field.value.strip()
        tabs = "".join(
            within(
                Link("articles", self.game_id, view=one.slug),
                f"{escape(one.title)} <small>{len(one.articles)}</small>",
                current=one is self.family and not words,
            )
            for one in self._families
        )
        self._tabs.value = f'<nav class="ldv-families" aria-label="Familles d’articles">{tabs}</nav>'
        cards = self._search(words) if words else [Card(self.family, one) for one in self.family.articles]
        heading = f"<p>{escape(self.family.teaser)}</p>" if not words else ""
        if words:
            count = f"{len(cards)} article{'s' * (len(cards) > 1)}" if cards else "Aucun article"
            heading = f'<p role="status">{count} pour «{NBSP}{escape(words)}{NBSP}».</p>'
        self._list.value = (
            f'{heading}<ul class="ldv-lessons ldv-articles">{"".join(self._item(one) for one in cards)}</ul>'
        )

    def _search(self, words: str) -> list[Card]:
        cards = {one.rule: one for one in (Card(f, article) for f in self._families for article in f.articles)}
        rules = [section.id for section in search(self.game_id, words, len(game(self.game_id).sections))]
        return [cards[rule] for rule in rules if rule in cards][:_MOST]

    def _item(self, one: Card) -> str:
        section = game(self.game_id).sections[one.rule]
        inner = (
            f'<span class="ldv-number">{escape(rule_number(one.rule))}</span><b>{titled(self.game_id, one.rule)}</b>'
            f'<span class="ldv-teaser">{escape(section.summary)}</span>'
        )
        return f"<li>{within(Link('articles', self.game_id, rule=one.rule), inner, name=f'lien-{one.rule}')}</li>"


def _named(rule: str, title: str) -> str:
    """A section by its number, and by its title where there is room."""
    return f'<b>{escape(rule_number(rule))}</b> <span class="ldv-wide">{escape(title)}</span>'


class EffectPlayer(ExamplePlayer):
    """A live example that also shows what its verdict changes on the board:
    seen, not played, so that nothing is lost.
    """

    def _toolbar(self) -> ipw.Widget:
        self._answer: Result[Any] | None = None
        self._seen = False
        self._effect = button(_SEE, primary=True, hint="Le plateau après ce verdict")
        self._effect.on_click(guarded(lambda _: self._look()))
        show(self._effect, False)
        made = super()._toolbar()
        tools = made.children[0]
        tools.children = (self._effect, *tools.children)
        return made

    @property
    def position(self) -> Position:
        """The position that is asked about, even while its effect is on the board."""
        return self._history.now[0]

    def _result(self) -> Result[Any]:
        self._answer = super()._result()
        return self._answer

    def _refresh(self) -> None:
        self._answer, self._seen = None, False
        self.stage.place(self.position)
        super()._refresh()
        self._effect.description = _SEE
        show(self._effect, bool(self._changes()))

    def _concluded(self, asked: PredictionText, result: Result[Any], position: Position) -> str:
        """What the article's own rule did before what it comes to, unless that says it."""
        said = super()._concluded(asked, result, position)
        rule = self.example.rules[0]
        steps = [] if result.refusals else result.trace.children
        own = [step for step in steps if step.rule == rule and step.kind != "input"]
        if not own or any(step.rule == rule for step in answering(result, position, asked.because, asked.choices)):
            return said
        sentence = game(self.game_id).sentence(own[-1], position)
        return f"{sentence} [[{rule}]] {said}"

    def _changes(self) -> dict[str, Any]:
        return effect(self.position, self.example.ask, self.arguments, self._answer) if self._answer else {}

    def _look(self) -> None:
        self._seen = not self._seen
        self.stage.place(self.position.change(self._changes()) if self._seen else self.position)
        self._effect.description = _BACK if self._seen else _SEE
        self.stage.announce("L’effet est sur le plateau." if self._seen else "Le plateau est comme avant.")


class ArticleCard:
    """One section: its text, and one live example at a time.

    Args:
        page: what its widgets share.
        game_id: game.
        content: the article and its family.
    """

    def __init__(self, page: Page, game_id: str, content: Card) -> None:
        self.page = page
        self.game_id, self.content = game_id, content
        self._writer = Writer(game_id, [entry["term"] for entry in game(game_id).glossary])
        self._examples, self._place = html(""), box()
        self.player: EffectPlayer | None = None
        self.widget = box(
            html(self._way()),
            html(self._text(content.article)),
            self._examples,
            self._place,
            html(self._rule()),
            html(self._way(below=True)),
            css="ldv-stack ldv-article",
        )

    def _link(self, card: Card, example: str = "") -> Link:
        return Link("articles", self.game_id, rule=card.rule, example=example)

    def _way(self, below: bool = False) -> str:
        """Back to the list, the article before, the one after."""
        before, after = neighbours(self.game_id, self.content.rule)
        titles = game(self.game_id).sections

        def step(card: Card | None, form: str, words: str) -> str:
            if card is None:
                return '<span class="ldv-nowhere"></span>'
            inner = form.format(_named(card.rule, titles[card.rule].title) if below else escape(rule_number(card.rule)))
            return within(self._link(card), f'<span class="ldv-said-only">{words} </span>{inner}')

        back = within(
            Link("articles", self.game_id, view=self.content.family.slug), f"☰ {escape(self.content.family.title)}"
        )
        parts = (step(before, "◀ {}", "Article précédent"), back, step(after, "{} ▶", "Article suivant"))
        label = "Autres articles" + (", suite" if below else "")
        return f'<nav class="ldv-way" aria-label="{label}">{"".join(parts)}</nav>'

    def _text(self, article: Article) -> str:
        return (
            f'<article class="ldv-entry"><h2 id="article-{escape(article.rule)}" tabindex="-1">'
            f"{rule_chip(self.game_id, article.rule)} {titled(self.game_id, article.rule)}</h2>"
            f'<dl class="ldv-when"><div><dt>Quand</dt><dd>{self._writer.inline(article.when)}</dd></div></dl></article>'
        )

    def _rule(self) -> str:
        """What the article does, once the reader has played with it; its summary, folded;
        the lesson that teaches it.
        """
        rule = self.content.rule
        lesson = teaching(self.game_id).get(rule)
        taught = ""
        if lesson:
            url = escape(Link("lesson", self.game_id, slug=lesson.slug).url, quote=True)
            taught = f'<p class="ldv-links"><a href="{url}">Leçon {lesson.number}{NBSP}: {escape(lesson.title)}</a></p>'
        return (
            '<section class="ldv-remember"><h2>La règle en bref</h2>'
            f"<p>{self._writer.inline(self.content.article.effect)}</p>"
            f"{reason(self.game_id, rule)}<details><summary>Le résumé de "
            f"l’article</summary><p>{escape(game(self.game_id).section(rule).summary)}</p></details>"
            f"{taught}</section>"
        )

    def play(self, example_id: str = "") -> None:
        """Build an example, and close the one before.

        Args:
            example_id: id; the first when there is no such example.
        """
        every = self.content.article.examples
        example = next((one for one in every if one.id == example_id), every[0])
        if self.player and self.player.example.id == example.id:
            return
        self.close()
        self._examples.value = self._choice(example)
        self.player = EffectPlayer(
            self.page,
            self.game_id,
            example,
            self._writer,
            question=example.question,
            address=self._link(self.content),
        )
        self._place.children = (self.player.widget,)

    def _choice(self, now: LiveExample) -> str:
        every = self.content.article.examples
        if len(every) == 1:
            return f"<h3>{escape(now.title)}</h3>"
        links = "".join(
            within(self._link(self.content, one.id), escape(one.title), current=one is now) for one in every
        )
        return f'<nav class="ldv-families" aria-label="Exemples de cet article">{links}</nav>'

    def close(self) -> None:
        """Close the example that lives, with all that the browser and the kernel hold of it."""
        if self.player is None:
            return
        player, self.player, self._place.children = self.player, None, ()
        player.stage.close()
        discard(self.page, player.widget)
        give_back_later()


class ArticlesPage:
    """The page: a rulebook, its list, or one card."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._books = books()
        self.game_id = next(iter(self._books))
        self._book = ipw.Dropdown(
            options=[(title, one) for one, title in self._books.items()], value=self.game_id, description="Livret"
        )
        self._book.observe(guarded(lambda change: self._turn(change["new"])), "value")
        self.list = ArticleList(self.game_id)
        self.card: ArticleCard | None = None
        self._place = box()
        self.widget = box(self._book, self._place, *self.page.unseen, css="ldv-part")
        self.show_list()
        self.page.course.on_query(self._asked)

    def _turn(self, game_id: str) -> None:
        if game_id != self.game_id:
            left, self.game_id, self.list = self.list, game_id, ArticleList(game_id)
            self.show_list()
            discard(self.page, left.widget)

    def show_list(self, family: str = "") -> None:
        """Show the list, where the reader left it.

        Args:
            family: slug of the family to turn to; the last one when empty.
        """
        left = self.card.content.rule if self.card else ""
        self._leave()
        self.list.turn(family)
        self._place.children = (self.list.widget,)
        show(self._book, len(self._books) > 1)
        if left:
            self._go_to(f"lien-{left}")

    def open(self, rule: str, example: str = "") -> bool:
        """Open the card of a section.

        Args:
            rule: id of the section.
            example: id of one of its examples, else the first.

        Returns:
            False when it has none; the list is shown, and says so.
        """
        content = card(self.game_id, rule)
        if content is None:
            self.show_list()
            errors.report(f"La section « {rule} » n’a pas encore d’article. Voici ceux qui existent.")
            return False
        if self.card is None or self.card.content.rule != rule:
            self._leave()
            self.card = ArticleCard(self.page, self.game_id, content)
            self._place.children = (self.card.widget,)
            show(self._book, False)
            self._go_to(f"article-{rule}")
        self.card.play(example)
        return True

    def _leave(self) -> None:
        if self.card:
            self.card.close()
            shown, self.card = self.card.widget, None
            self._place.children = ()
            discard(self.page, shown)

    def _asked(self) -> None:
        """What the link asks for: a rulebook, an article and its example, a family."""
        asked = read_query(self.page.course.query)
        if asked.game in self._books:
            self._book.value = asked.game
        elif asked.game:
            errors.report("Ce livret n’a pas encore d’articles. Voici ceux qui en ont.")
        if not asked.rule:
            self.show_list(asked.view)
        elif self.open(asked.rule, asked.example) and self.card and self.card.player:
            take_asked(self.card.player, asked)

    def _go_to(self, name: str) -> None:
        """Bring an element of the page into view, and give it the keyboard."""
        self.page.course.scroll = ""
        self.page.course.scroll = name


def articles() -> ipw.Widget:
    """The page."""
    return opened(lambda page: ArticlesPage(page).widget)
