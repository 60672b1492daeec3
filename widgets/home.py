"""The home page and « À propos »: courses, lessons, the rule index, the glossary; who made the games, and who did not."""

from __future__ import annotations

from html import escape
from importlib.metadata import PackageNotFoundError, version

import ipywidgets as ipw

from tutor import __version__
from tutor.core.phrases import NBSP, NNBSP
from tutor.core.registry import GAMES, game
from tutor.course.lessons import article_files, readable
from tutor.course.links import Link, read_query
from tutor.course.models import Lesson
from tutor.course.search import folded
from widgets import errors
from widgets.bridge import bridge
from widgets.classroom_join import JoinPanel
from widgets.course_page import course_page
from widgets.errors import failure, guarded
from widgets.index import RuleIndex
from widgets.learner import progress
from widgets.learner_panel import LearnerPanel
from widgets.lesson_text import box, html, show

#: Who publishes each rulebook of the course.
PUBLISHERS = {
    "combat_commander": "GMT Games",
    "asl_sk": "Multi-Man Publishing",
    "tcs": "The Gamers et Multi-Man Publishing",
    "sherman_leader": "Dan Verssen Games (DVG)",
    "heroes_of_normandie": "Devil Pig Games",
}


class HomePage:
    """Courses, index, glossary of the games of the house."""

    def __init__(self) -> None:
        self._bridge, self._progress = bridge(), progress()
        self._game_id = next(iter(GAMES))
        self._books = ipw.ToggleButtons(options=[(title, one) for one, title in GAMES.items()], value=self._game_id)
        self._books.add_class("ldv-tabs")
        self._books.observe(guarded(lambda change: self._turn(change["new"])), "value")
        self._courses = html("")
        self._join = JoinPanel()
        self.index = RuleIndex(self._game_id)
        self._glossary = html(self._words())
        self._first, self._last = box(), box(self._join.widget)  # where joining a class stands
        show(self._first, False)
        self.widget = box(
            self._first,
            self.index.entry,
            html(self._hero()),
            html('<h2 id="livrets">Votre livret</h2>'),
            self._books,
            self._courses,
            html(self._around()),
            LearnerPanel().widget,
            self._last,
            html(
                f'<h2 id="regles">Une règle, tout de suite</h2><p>Un numéro ou un mot{NBSP}: l’index résume les règles, et mène à la leçon et à l’exemple.</p>'
            ),
            *self.index.below,  # the books are turned above, with their lessons
            self._glossary,
            self._bridge,
            course_page(),
            css="ldv-part ldv-home",
        )
        self._list()
        self._progress.on_change(self._list)
        course_page().on_query(self._asked)

    def _hero(self) -> str:
        first = next(iter(readable(self._game_id)[0]), None)
        go = ""
        if first:
            url = escape(Link("lesson", self._game_id, slug=first.slug).url, quote=True)
            go = f'<p class="ldv-actions"><a class="ldv-button" href="{url}">Commencer la première leçon</a> <a href="#livrets">Choisir un autre livret</a></p>'
        return (
            '<section class="ldv-hero"><h1>Ligne de Vue</h1>'
            "<p>Les règles de jeux tactiques, sur des plateaux vivants. Devinez, regardez, changez tout\u202f; chaque nombre dit de quelle règle il vient.</p>"
            f"{go}</section>"
        )

    def _around(self) -> str:
        """The other pages of the house, one line each."""
        pages = (
            (
                "articles",
                "Article par article",
                "Une règle à la fois, essayée sur un plateau.",
            ),
            ("quick", "À table", "Une question pendant la partie, en quelques touches."),
            ("compare", "Côte à côte", "La même situation dans deux livrets."),
            ("terrains", "Les terrains", "Combat Commander\u00a0: le tableau, et un plateau pour essayer."),
            ("aid", "Aide de jeu", "Combat Commander sur une feuille, à imprimer."),
            ("sandbox", "Plateau libre", "Posez ce que vous voulez, demandez ce que vous voulez."),
            ("editor", "Éditeur", "Faites vos positions et vos leçons, sans programmer."),
            ("teacher", "Enseigner", "Une séance en direct, sans compte, avec un code."),
        )
        items = "".join(
            f'<li><a href="{escape(Link(kind).url, quote=True)}"><b>{title}</b><span class="ldv-teaser">{said}</span></a></li>'
            for kind, title, said in pages
        )
        return f'<h2>Autour des leçons</h2><ul class="ldv-lessons ldv-around">{items}</ul>'

    def _turn(self, game_id: str) -> None:
        """Open another rulebook: its lessons, its index, its words."""
        self._game_id = game_id
        self._list()
        self.index.choose(game_id)
        self._glossary.value = self._words()

    def _list(self) -> None:
        found, broken = readable(self._game_id)
        faults = "".join(failure(str(error)) for error in broken)
        total = sum(one.minutes for one in found)
        compare = escape(Link("compare", self._game_id).url, quote=True)
        known = escape(Link("placement", self._game_id).url, quote=True)
        head = (
            f"<p>{len(found)} leçons, {total} minutes en tout. Aucun compte{NNBSP}; rien à installer. "
            f'Vous connaissez déjà celui-ci{NNBSP}? <a href="{known}">Un court test</a> dit où commencer. '
            f'Un autre{NNBSP}? <a href="{compare}">Comparez-les</a>.{self._one_by_one()}</p>'
        )
        cards = "".join(self._card(self._game_id, one) for one in found)
        self._courses.value = f'{faults}{head}<ol class="ldv-lessons">{cards}</ol>'

    def _one_by_one(self) -> str:
        """Where the rules of this book are tried one by one."""
        if not article_files(self._game_id):
            return ""
        url = escape(Link("articles", self._game_id).url, quote=True)
        return f' Une règle précise{NNBSP}? <a href="{url}">Article par article</a>.'

    def _card(self, game_id: str, one: Lesson) -> str:
        url = escape(Link("lesson", game_id, slug=one.slug).url, quote=True)
        ids = one.exercise_ids
        done = len(set(self._progress.done.get(one.id, ())) & set(ids))
        state = f" · {done} sur {len(ids)} exercices réussis" + (" ✓" if done == len(ids) else "") if done else ""
        if not done and any(kept["lesson"] == one.id and kept["finished"] for kept in self._progress.lessons):
            state = " · déjà connue ✓"
        return (
            f'<li><a href="{url}"><span class="ldv-number" aria-hidden="true">{one.number}</span><b>{escape(one.title)}</b>'
            f'<span class="ldv-teaser">{escape(one.teaser)}</span><small>{one.minutes}{NBSP}minutes{state}</small></a></li>'
        )

    def _words(self) -> str:
        items = "".join(
            f"<div><dt>{escape(entry['term'])}</dt><dd>{escape(entry['definition'])}</dd></div>"
            for entry in sorted(game(self._game_id).glossary, key=lambda entry: folded(str(entry["term"])))
        )
        return (
            f'<details id="glossaire"><summary>Les mots du jeu</summary><dl class="ldv-glossary">{items}</dl></details>'
        )

    def _asked(self) -> None:
        """What the link asks for: an entry of the index, a search, or all of it."""
        asked = read_query(course_page().query)
        if asked.game and asked.game not in GAMES:
            errors.report(f"Le jeu «{NBSP}{asked.game}{NBSP}» n’est pas dans la maison. Voici ceux qui y sont.")
        if asked.game in GAMES:
            self._books.value = asked.game
        if asked.classroom:
            self._invited(asked.classroom)
        if asked.rule:
            self.index.open(asked.rule)
        if asked.word:
            self.index.field.value = asked.word
        if asked.view == "index":
            self.index.show_all()
            course_page().scroll = "index"

    def _invited(self, code: str) -> None:
        """A link to a class: joining comes first, its code is typed."""
        self._last.children = ()
        self._first.children = (self._join.widget,)
        show(self._first, True)
        self._join.ask(code)


def home() -> ipw.Widget:
    """The home page."""
    return HomePage().widget


def about() -> ipw.Widget:
    """« À propos »: publishers, licences, browsers, how to report an error."""
    rows = "".join(
        f"<tr><td>{escape(title)}</td><td>{escape(PUBLISHERS[game_id])}</td>"
        f"<td>{len(readable(game_id)[0])} leçons</td></tr>"
        for game_id, title in GAMES.items()
    )
    packages = "".join(
        f"<li>{name} {_version(name)}</li>"
        for name in ("voila", "ipywidgets", "ipycanvas", "anywidget", "pydantic", "sqlalchemy", "fsrs", "segno")
    )
    text = f"""
<h1>À propos</h1>
<p>Ligne de Vue {__version__} enseigne des règles de jeux tactiques. Ce n’est pas un jeu, et il ne remplace ni les boîtes ni les livrets{NBSP}: ayez-les à portée de main.</p>
<h2>Les jeux et leurs éditeurs</h2>
<table><thead><tr><th>Jeu</th><th>Éditeur</th><th>Ici</th></tr></thead><tbody>{rows}</tbody></table>
<p>Ces titres appartiennent à leurs éditeurs. Ligne de Vue n’est affilié à aucun d’eux, et aucun ne l’a approuvé. Les règles d’un jeu sont des faits{NNBSP}; les phrases, les plateaux et les pions que vous voyez ici sont les nôtres. Rien n’est recopié des livrets, ni texte ni image.</p>
<h2>D’où viennent les nombres</h2>
<p>Chaque nombre dit sa source{NBSP}: <span class="ldv-badge" data-provenance="livret">livret</span>, <span class="ldv-badge">aide de jeu publiée</span>, <span class="ldv-badge" data-provenance="déduit">déduit</span> d’exemples imprimés, <span class="ldv-badge" data-provenance="interprétation">interprétation</span> d’un point que le texte laisse ouvert, ou <span class="ldv-badge" data-provenance="fictif">fictif</span> pour nos propres plateaux. Ce que le livret n’imprime pas reste inconnu{NBSP}: la page le dit, elle n’invente rien.</p>
<h2>Licences</h2>
<p>Le code et les textes de Ligne de Vue sont sous licence MIT. La police Atkinson Hyperlegible, du Braille Institute, est sous licence SIL Open Font 1.1. Ligne de Vue s’appuie notamment sur{NBSP}:</p>
<ul>{packages}</ul>
<h2>Navigateurs</h2>
<p>Ligne de Vue est essayé à chaque version avec Chromium, sur grand écran et à la largeur d’un téléphone. Il est écrit pour les versions récentes de Firefox, Chrome, Edge et Safari. Il lui faut JavaScript{NNBSP}; il ne demande rien à un autre serveur que le sien. Ce qui est gardé de vous, et combien de temps, est dit dans <a href="{escape(Link("data").url, quote=True)}">Vos données</a>.</p>
<h2>Signaler une erreur</h2>
<p>Le bouton prépare un texte à copier{NBSP}: la règle, le lien de la position et la version. Faites-le depuis la page où l’erreur se voit.</p>
<p><button type="button" class="ldv-button" data-ldv-report>Signaler une erreur</button></p>
"""
    return box(html(f'<div class="ldv-prose">{text}</div>'), bridge(), course_page())


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
