"""The home page and « À propos »: a question to play, where to go on, the courses, the rule index, the glossary;
who made the games, and who did not.
"""

from __future__ import annotations

from html import escape
from importlib.metadata import PackageNotFoundError, version

import ipywidgets as ipw

from tutor import __version__
from tutor.core.phrases import NBSP, NNBSP, counted
from tutor.core.registry import GAMES, game
from tutor.course.lessons import article_files, readable
from tutor.course.links import Link, read_query
from tutor.course.opening import opening
from tutor.course.scenario import scenario_files
from tutor.course.search import folded
from widgets.board import errors
from widgets.board.errors import failure, guarded
from widgets.classroom.join import JoinPanel
from widgets.host.deferred import Later
from widgets.host.page import Page
from widgets.host.prose import box, html, show
from widgets.host.whereabouts import Place, last
from widgets.pages.covers import Covers, colours
from widgets.pages.home_play import HomePlay
from widgets.pages.index import RuleIndex
from widgets.pages.opening import opened
from widgets.pages.progress import LearnerPanel
from widgets.pages.standing import Step, hexes, length, next_step, steps


class HomePage:
    """A question to play, where to go on, the rulebooks, the course of one of them, its index and its words."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._bridge, self._progress = page.bridge, page.progress
        self._game_id, self._chosen = next(iter(GAMES)), False
        asking = next((one for one in GAMES if opening(one)), None)
        self.play = HomePlay(page, asking, self._onward) if asking else None
        self.title, self._resume, self._courses = html(""), html(""), html("")
        self._join = JoinPanel(page)
        self.index = RuleIndex(self._game_id)
        self._glossary = html(self._words())
        self._first, self._last = box(), box()  # where joining a class stands, once the address is known
        show(self._first, False)
        self._covers = Covers(page, self._way)
        side = box(self.title, self._resume, self._last, css="ldv-home-side")
        self._hero = box(*([self.play.widget] if self.play else []), side, css="ldv-home-hero")
        books = (html('<h2 id="livrets">Votre livret</h2>'), box(*self._covers.widgets, css="ldv-covers"))
        #: What is not shown to who looks for a rule.
        self._course = (self._hero, self._courses, *books, LearnerPanel(page).widget)
        self._rules = html(self._looking())
        self.widget = box(
            self._first,
            self.index.entry,
            *self._course,
            self._rules,
            *self.index.below,  # the books are turned above, with their lessons
            self._glossary,
            html(self._around()),
            self._bridge,
            self.page.course,
            css="ldv-part ldv-home",
        )
        self.page.course.game = self._game_id
        self._list()
        self._progress.on_change(self._known)
        self.page.course.on_query(self._asked)
        self.page.course.observe(guarded(lambda _: self._known()), "last")
        self.page.course.observe(guarded(lambda _: self._seat_join()), "ready")

    def _looking(self, first: bool = False) -> str:
        """What stands above the index; ``first``: it heads the page."""
        title = f"Chercher une règle{NBSP}: {escape(GAMES[self._game_id])}" if first else "Une règle, tout de suite"
        level = "h1" if first else "h2"
        return (
            f'<{level} id="regles">{title}</{level}><p>Un numéro ou un mot{NBSP}: '
            "l’index résume les règles, et mène à la leçon et à l’exemple.</p>"
        )

    def _around(self) -> str:
        """The other pages of the house, one line each."""
        pages = (
            (
                "articles",
                "Article par article",
                "Une règle à la fois, essayée sur un plateau.",
            ),
            ("compare", "Côte à côte", "La même situation dans deux livrets."),
            *((own.page, own.title, own.teaser) for game_id in GAMES for own in GAMES.facts(game_id).pages),
            ("editor", "Éditeur", "Faites vos positions et vos leçons, sans programmer."),
        )
        items = "".join(
            f'<li><a href="{escape(Link(kind).url, quote=True)}"><b>{title}</b><span '
            f'class="ldv-teaser">{said}</span></a></li>'
            for kind, title, said in pages
        )
        return f'<h2>Autour des leçons</h2><ul class="ldv-lessons ldv-around">{items}</ul>'

    # -- the rulebook that is open --------------------------------------------------------------------------------

    def turn(self, game_id: str) -> None:
        """Open another rulebook: its question, its lessons, its index, its words."""
        self._game_id = self.page.course.game = game_id
        if self.play:
            show(self.play.widget, self.play.turn(game_id))
        self._list()
        self.index.choose(game_id)
        self._glossary.value = self._words()

    def _known(self) -> None:
        """More is known of the reader: he comes back to the game that he read last, unless he asked for another."""
        place = last(self.page)
        answered = self.play is not None and self.play.tried
        if place and place.game in GAMES and place.game != self._game_id and not self._chosen and not answered:
            self.turn(place.game)
        else:
            self._list()

    @property
    def _place(self) -> Place | None:
        """Where the reader was last, in a game of the house."""
        place = last(self.page)
        return place if place and place.game in GAMES else None

    def _way(self, game_id: str) -> list[Step]:
        return steps(readable(game_id)[0], self._progress, self._place)

    def _list(self) -> None:
        game_id, place = self._game_id, self._place
        faults = "".join(failure(str(error)) for error in readable(game_id)[1])
        way = self._way(game_id)
        done = sum(step.state == "done" for step in way)
        here = self._going(way, place)
        self.title.value = self._headline()
        self._resume.value = self._go_on(way, place, here)
        self._covers.show(game_id)
        compare = escape(Link("compare", game_id).url, quote=True)
        known = escape(Link("placement", game_id).url, quote=True)
        every = f"{counted(len(way), 'leçon')}, {length(way)} en tout"
        count = f"Leçons terminées{NBSP}: {done} sur {len(way)}" if done else every
        head = (
            f'<h2 id="cours">{escape(GAMES[game_id])}</h2><p>{count}. Vous connaissez déjà ce livret{NBSP}? '
            f'<a href="{known}">Un court test</a> dit où commencer. '
            f'Un autre{NBSP}? <a href="{compare}">Comparez-les</a>.{self._one_by_one()}{self._skirmishes()}</p>'
        )
        current = here.lesson.id if here else ""
        self._courses.value = (
            f'<section class="ldv-course-map" style="{colours(game_id)}">{faults}{head}'
            f"{hexes(game_id, way, current)}</section>"
        )

    def _headline(self) -> str:
        if self._chosen:
            title = escape(GAMES[self._game_id])
            return f'<p class="ldv-eyebrow">Ligne de Vue</p><h1>{title}</h1>'
        return (
            "<h1>Vos règles, sur un plateau vivant.</h1><p>Devinez, regardez, changez tout. "
            "Chaque verdict dit où il se joue, et quelle règle parle.</p>"
        )

    @staticmethod
    def _going(way: list[Step], place: Place | None) -> Step | None:
        """The lesson to go on with: the one that was left in the middle, else the next that is not done."""
        left = next((step for step in way if place and step.lesson.id == place.lesson), None)
        if left and place and place.at < place.of:  # its end was not seen
            return left
        return next_step(way, place.lesson if place else "")

    def _go_on(self, way: list[Step], place: Place | None, here: Step | None) -> str:
        """« Continuer » at the scene where the reader was, or where to begin."""
        if here is None:
            return ""
        lesson = here.lesson
        back = place is not None and place.lesson == lesson.id
        begun = back or any(step.state != "ahead" for step in way)
        url = place.url if back and place else Link("lesson", self._game_id, slug=lesson.slug).url
        where = f"scène {place.at} sur {place.of}" if back and place else f"{lesson.minutes}{NBSP}minutes"
        if back and place and place.name and place.at > 1:
            where = f"{where}{NBSP}: {place.name}"
        label = "Vous en étiez là" if begun else "Pour commencer"
        due, waits = self._progress.due, ""
        if due:
            rules = "1 règle à revoir" if due == 1 else f"{due} règles à revoir"
            waits = f' <a href="{escape(Link("review").url, quote=True)}">{rules}</a>'
        elif not begun:
            waits = ' <a href="#progression">J’ai un code de reprise</a>'
        code = self._progress.code
        kept = f"<small>Code de reprise{NBSP}: {escape(code)}</small>" if code and begun else ""
        return (
            f'<section class="ldv-resume{" is-back" if begun else ""}" aria-label="{label}" style="{colours(self._game_id)}"><p class="ldv-eyebrow">'
            f'{label}</p><div><span class="ldv-resume-hex" style="--part:{round(100 * here.part)}%"><b>{lesson.number}'
            f"</b></span><p><b>{escape(lesson.title)}</b><small>{escape(GAMES[self._game_id])}, {escape(where)}</small>"
            f'{kept}</p></div><p class="ldv-actions"><a class="ldv-button" href="{escape(url, quote=True)}">'
            f"{'Continuer' if begun else 'Commencer'}</a>{waits}</p></section>"
        )

    def _onward(self, game_id: str) -> str:
        """Where to go once the question is answered: the lesson where the reader is; which one teaches the rule."""
        way = self._way(game_id)
        here, known = self._going(way, self._place), opening(game_id)
        if here is None:
            return ""
        url = escape(Link("lesson", game_id, slug=here.lesson.slug).url, quote=True)
        taught = next((step.lesson for step in way if known and step.lesson.id == known.play.lesson), None)
        said = ""
        if taught and taught.id != here.lesson.id:
            there = escape(Link("lesson", game_id, slug=taught.slug).url, quote=True)
            said = f'<span>Cette règle{NBSP}: <a href="{there}">leçon {taught.number}</a></span>'
        return (
            f'<p class="ldv-actions"><a class="ldv-button" href="{url}">Continuer par la leçon {here.lesson.number}'
            f"{NBSP}: {escape(here.lesson.title)}</a>{said}</p>"
        )

    def _skirmishes(self) -> str:
        """Where what was learnt is played."""
        if not scenario_files(self._game_id):
            return ""
        url = escape(Link("scenario", self._game_id).url, quote=True)
        return f' Envie de jouer{NNBSP}? <a href="{url}">Mini-scénarios</a>.'

    def _one_by_one(self) -> str:
        """Where the rules of this book are tried one by one."""
        if not article_files(self._game_id):
            return ""
        url = escape(Link("articles", self._game_id).url, quote=True)
        return f' Une règle précise{NBSP}? <a href="{url}">Article par article</a>.'

    def _words(self) -> str:
        items = "".join(
            f"<div><dt>{escape(entry['term'])}</dt><dd>{escape(entry['definition'])}</dd></div>"
            for entry in sorted(game(self._game_id).glossary, key=lambda entry: folded(str(entry["term"])))
        )
        return (
            f'<details id="glossaire"><summary>Les mots du jeu</summary><dl class="ldv-glossary">{items}</dl></details>'
        )

    def _asked(self) -> None:
        """What the link asks for: a rulebook, an entry of the index, a search, or all of it."""
        asked = read_query(self.page.course.query)
        if asked.game and asked.game not in GAMES:
            errors.report(f"Le jeu «{NBSP}{asked.game}{NBSP}» n’est pas dans la maison. Voici ceux qui y sont.")
        if asked.game in GAMES:
            self._chosen = True
            self.turn(asked.game)
        if asked.classroom:
            self._invited(asked.classroom)
        if asked.rule:
            self.index.open(asked.rule)
        if asked.word:
            self.index.field.value = asked.word
        searching = asked.view == "index" or bool(asked.word)
        for part in self._course:
            show(part, not searching)
        self._rules.value = self._looking(searching)
        if asked.view == "index":
            self.index.show_all()
        elif searching:
            self.index.offer_all()

    def _seat_join(self) -> None:
        """Joining a class stands beside the question, unless the address asks for it: a field loses what is typed when
        it moves, so it is not shown before that is known.
        """
        if not self._first.children:
            self._last.children = (self._join.widget,)

    def _invited(self, code: str) -> None:
        """A link to a class: joining comes first, its code is typed."""
        self._last.children = ()
        self._first.children = (self._join.widget,)
        show(self._first, True)
        self._join.ask(code)


def home() -> ipw.Widget:
    """The home page, made like a lesson once the page is sent."""
    later = Later()
    place = later.place(lambda: opened(lambda page: HomePage(page).widget))
    later.fill_soon()
    return place


def about() -> ipw.Widget:
    """« À propos »: publishers, licences, browsers, how to report an error."""
    rows = "".join(
        f"<tr><td>{escape(title)}</td><td>{escape(GAMES.facts(game_id).publisher)}</td>"
        f"<td>{counted(len(readable(game_id)[0]), 'leçon')}</td></tr>"
        for game_id, title in GAMES.items()
    )
    packages = "".join(
        f"<li>{name} {_version(name)}</li>"
        for name in ("voila", "ipywidgets", "ipycanvas", "anywidget", "pydantic", "sqlalchemy", "fsrs", "segno")
    )
    text = f"""
<h1>À propos</h1>
<p>Ligne de Vue {__version__} enseigne des règles de jeux tactiques.
Ce n’est pas un jeu, et il ne remplace ni les boîtes ni les livrets{NBSP}: ayez-les à portée de main.</p>
<h2>Les jeux et leurs éditeurs</h2>
<table><thead><tr><th>Jeu</th><th>Éditeur</th><th>Ici</th></tr></thead><tbody>{rows}</tbody></table>
<p>Ces titres appartiennent à leurs éditeurs. Ligne de Vue n’est affilié à aucun d’eux, et aucun ne l’a approuvé.
Les règles d’un jeu sont des faits{NNBSP}; les phrases, les plateaux et les pions que vous voyez ici sont les nôtres.
Rien n’est recopié des livrets, ni texte ni image.</p>
<h2>D’où viennent les nombres</h2>
<p>Chaque nombre dit sa source{NBSP}: <span class="ldv-badge" data-provenance="livret">livret</span>,
<span class="ldv-badge">aide de jeu publiée</span>, <span class="ldv-badge" data-provenance="déduit">déduit</span>
d’exemples imprimés,
<span class="ldv-badge" data-provenance="interprétation">interprétation</span> d’un point que le texte laisse ouvert,
ou <span class="ldv-badge" data-provenance="fictif">fictif</span> pour nos propres plateaux.
Ce que le livret n’imprime pas reste inconnu{NBSP}: la page le dit, elle n’invente rien.</p>
<h2>Licences</h2>
<p>Le code et les textes de Ligne de Vue sont sous licence MIT.
La police Atkinson Hyperlegible, du Braille Institute, est sous licence SIL Open Font 1.1.
Ligne de Vue s’appuie notamment sur{NBSP}:</p>
<ul>{packages}</ul>
<h2>Navigateurs</h2>
<p>Ligne de Vue est essayé à chaque version avec Chromium, sur grand écran et à la largeur d’un téléphone.
Il est écrit pour les versions récentes de Firefox, Chrome, Edge et Safari.
Il lui faut JavaScript{NNBSP}; il ne demande rien à un autre serveur que le sien.
Ce qui est gardé de vous, et combien de temps, est dit dans
<a href="{escape(Link("data").url, quote=True)}">Vos données</a>.</p>
<h2>Signaler une erreur</h2>
<p>Le bouton prépare un texte à copier{NBSP}: la règle, le lien de la position et la version.
Faites-le depuis la page où l’erreur se voit.</p>
<p><button type="button" class="ldv-button" data-ldv-report>Signaler une erreur</button></p>
"""
    return opened(lambda page: box(html(f'<div class="ldv-prose">{text}</div>'), *page.unseen))


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
