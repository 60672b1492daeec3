"""« Réviser » : the rules the reader got wrong come back, spaced in time, each in an exercise on a fresh position."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from html import escape
from typing import TYPE_CHECKING, Any

import ipywidgets as ipw

from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP
from tutor.core.registry import GAMES
from tutor.course.lessons import exercises
from tutor.course.models import Exercise
from widgets.board.errors import guarded
from widgets.host.discard import swap
from widgets.host.page import Page
from widgets.host.prose import Writer, box, html
from widgets.pages.opening import opened
from widgets.player.exercise import ExercisePlayer

if TYPE_CHECKING:
    from widgets.host.channel import Reply

#: Rules at a sitting: ten minutes.
SITTING = 8
_MONTHS = [
    "janvier",
    "février",
    "mars",
    "avril",
    "mai",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
]


def training(game_id: str, rule: str, but: str = "") -> Exercise | None:
    """An exercise that trains a rule: one that names it, else one whose diagnosis may find it forgotten, else the one
    whose mistake named it; None without any.

    Args:
        game_id: game.
        rule: id.
        but: exercise of the last time, taken again only when there is no other.
    """
    try:
        known = exercises(game_id)
    except TutorError:
        return None
    every = known.values()
    naming = [e for e in every if rule in e.rules] or [e for e in every if rule in (e.omit or ())]
    naming = naming or [e for e in every if e.id == but]
    others = [e for e in naming if e.id != but and e.vary] or [e for e in naming if e.id != but] or naming
    return random.choice(others) if others else None


def day(instant: float) -> str:
    """A day in French.

    >>> day(1795348800.0)
    '22 novembre'
    """
    date = datetime.fromtimestamp(instant, UTC)
    return f"{date.day} {_MONTHS[date.month - 1]}"


class ReviewPage:
    """The reviews that wait, one rulebook after another."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._said, self._place = html("<p>Un instant…</p>"), box()
        self.player: ExercisePlayer | None = None
        self._shown = False
        self.widget = box(self._said, self._place, *self.page.unseen, css="ldv-part")
        self._progress = self.page.progress
        self._progress.on_change(self._ask)
        self._ask()

    def _ask(self) -> None:
        if self._shown or not self.page.course.ready:
            return
        if not self._progress.code:
            self._said.value = (
                f"<p>Rien à réviser pour l’instant. Faites quelques exercices{NBSP}: les règles qui vous échappent "
                'reviendront ici, sur d’autres positions.</p><p><a class="ldv-button" href="/">Choisir une '
                "leçon</a></p>"
            )
            return
        self._shown = True
        self._progress.reviews(SITTING, guarded(self._answered), guarded(self._waits))

    def _waits(self, why: str) -> None:
        self._said.value = f'<p role="status">{escape(why)} Vos révisions viendront dès qu’elle répondra.</p>'

    def _answered(self, reply: Reply) -> None:
        if not reply.ok:
            self._shown = False
            self._said.value = f'<p role="status">{escape(reply.message)}</p>'
            return
        chosen = self._chosen(reply.result["cards"])
        if not chosen:
            self._said.value = self._nothing(reply.result.get("next"))
            return
        game_id, by_rule = chosen
        names = ", ".join(f"[[{rule}]]" for rule in by_rule)
        writer = Writer(game_id)
        rules = "Une règle à revoir" if len(by_rule) == 1 else f"{len(by_rule)} règles à revoir"
        self._said.value = f"<p>{rules}, dans {escape(GAMES[game_id])}{NBSP}: {writer.inline(names)}</p>"
        if self.player is not None:
            self.player.stage.close()
        self.player = ExercisePlayer(
            self.page,
            game_id,
            "",
            list(by_rule.values()),
            writer,
            fresh=random.randrange(1, 10_000),
            trained={exercise.id: (rule,) for rule, exercise in by_rule.items()},
        )
        swap(self.page, self._place, self.player.widget)

    def _chosen(self, cards: list[dict[str, Any]]) -> tuple[str, dict[str, Exercise]] | None:
        """The rulebook of the card that waits longest, and an exercise for each of its rules."""
        by_game: dict[str, dict[str, Exercise]] = {}
        for card in cards:
            exercise = (
                training(card["game"], card["rule"], card.get("exercise") or "") if card["game"] in GAMES else None
            )
            if exercise and exercise.id not in {e.id for e in by_game.get(card["game"], {}).values()}:
                by_game.setdefault(card["game"], {})[card["rule"]] = exercise
        return next(iter(by_game.items()), None)

    def _nothing(self, next_one: float | None) -> str:
        when = f" La prochaine vous attend le {day(next_one)}." if next_one else ""
        return f'<p>Rien à réviser aujourd’hui.{when}</p><p><a class="ldv-button" href="/">Continuer une leçon</a></p>'


def review() -> ipw.Widget:
    """The page."""
    return opened(lambda page: ReviewPage(page).widget)


def data() -> ipw.Widget:
    """« Vos données » : what is kept, how long, and erasing it."""
    from widgets.pages.progress import LearnerPanel

    text = f"""
<p>Aucun compte, aucune adresse de courriel, aucun nom.
Ligne de Vue garde ce qui suit, sur le serveur qui vous montre cette page, et nulle part ailleurs.</p>
<h2>Ce que le serveur garde</h2>
<ul>
<li>Les leçons ouvertes et terminées, vos réponses aux exercices,
les règles qui vous ont échappé et le jour où les revoir.</li>
<li>Une empreinte de votre code de reprise.
Le code lui-même n’est que chez vous{NBSP}: perdu, il ne se retrouve pas.</li>
<li>Dans une séance de classe{NBSP}: le surnom que vous avez choisi, vos réponses,
et la page où vous êtes tant que vous y êtes.</li>
<li>Les positions et les leçons que vous enregistrez, et les liens courts que vous demandez.</li>
</ul>
<h2>Combien de temps</h2>
<ul>
<li>Votre progression{NBSP}: douze mois après votre dernière visite.</li>
<li>Une séance de classe{NBSP}: quatre-vingt-dix jours, sauf si la personne qui enseigne l’efface avant.</li>
</ul>
<h2>Ce que votre navigateur garde</h2>
<p>Le code de reprise, les exercices réussis, la scène où vous en étiez et l’apparence choisie. Rien n’est envoyé à un autre serveur.</p>
"""
    page = Page()
    return box(html(f'<div class="ldv-prose">{text}</div>'), LearnerPanel(page).widget, *page.unseen, css="ldv-part")
