"""The course's prose as HTML: rule numbers become links to the index, words of the glossary explain themselves."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape

import ipywidgets as ipw

from tutor.core.errors import TutorError
from tutor.core.registry import game
from tutor.core.typography import NBSP
from tutor.course.links import card_address, rule_link
from tutor.course.models import RuleText
from tutor.course.prose import Explainer, Token, given_and_asked, rule_ids, rule_number, tokens
from widgets.board import layouts
from widgets.board.errors import guarded
from widgets.board.layouts import show as show  # what is hidden here is hidden there
from widgets.board.words import whole
from widgets.host.deferred import served

#: Before words of a position that its game does not know.
UNREAD = "Ces mots de la position ne veulent rien dire pour les règles\u00a0:"
_REASON = "Pour un joueur, cela veut dire\u00a0:"
#: Most reasons under a rule of a lesson; the index has them all.
_MOST_REASONS = 2
#: The space before the number of a rule.
_NUMBERED = re.compile(r" (?=\(?\[\[)")


def rule_chip(game_id: str, rule: str) -> str:
    """A rule number, linked to its entry where there is a page to open; its title and summary on hover.

    >>> 'ldv-rule' in rule_chip("combat_commander", "10.2")
    True
    """
    try:
        section = game(game_id).section(rule)
        title = escape(f"{section.title} — {section.summary}", quote=True)
    except TutorError:
        title = ""
    number = escape(rule_number(rule))
    if not served():
        return f'<span class="ldv-rule" title="{title}">{number}</span>'
    url = escape(rule_link(game_id, rule), quote=True)
    return f'<a class="ldv-rule" href="{url}" target="_blank" rel="noopener" title="{title}">{number}</a>'


def reason(game_id: str, *rules: str) -> str:
    """What rules mean for who plays, as HTML; "" of those that have no reason written.

    >>> reason("combat_commander", "INTRO")
    ''
    """
    sections = game(game_id).sections
    said = dict.fromkeys(sections[rule].reason for rule in rules if rule in sections and sections[rule].reason)
    return "".join(f'<p class="ldv-reason"><strong>{_REASON}</strong> {escape(text)}</p>' for text in said)


def meant(game_id: str, blocks: Iterable[RuleText]) -> Mapping[tuple[str, ...], Sequence[str]]:
    """Sentences of each text -> the first rules it cites of which something is said for who plays; none under two texts.

    Args:
        game_id: game; blocks: texts, in their order.

    >>> twice = RuleText(kind="rule", sentences=["Il est démoralisé [[O20.3.4]].", "À la fin, on défausse [[5.4]]."])
    >>> once = RuleText(kind="rule", sentences=["L’unité est démoralisée [[O20.3.4]]."])
    >>> list(meant("combat_commander", [once, twice]).values())
    [['O20.3.4'], ['5.4']]
    """
    sections = game(game_id).sections
    above: set[str] = set()
    under: dict[tuple[str, ...], Sequence[str]] = {}
    for block in blocks:
        cited = dict.fromkeys(rule for text in block.sentences for rule in rule_ids(text))
        fresh = [rule for rule in cited if rule in sections and sections[rule].reason and rule not in above]
        under[tuple(block.sentences)] = fresh[:_MOST_REASONS]
        above.update(fresh[:_MOST_REASONS])
    return under


class Writer:
    """Writes prose as HTML for one page of one game.

    Args:
        game_id: game.
        words: glossary terms explained the first time they are met.
        blocks: of the lesson that is written: what a rule means for who plays stands once in it.
    """

    def __init__(self, game_id: str, words: Iterable[str] = (), blocks: Iterable[object] = ()) -> None:
        self.game_id = game_id
        self._words = words = tuple(words)
        self._meant = meant(game_id, [block for block in blocks if isinstance(block, RuleText)])
        self._explainer = Explainer(game(game_id).glossary if words else (), words)

    def fresh(self) -> Writer:
        """A writer of the same words that has explained none, for what is written anew."""
        return Writer(self.game_id, self._words)

    def meanings(self, block: RuleText) -> str:
        """What the first rules that a text cites mean for who plays, as HTML."""
        text = tuple(block.sentences)
        rules = self._meant[text] if text in self._meant else meant(self.game_id, [block])[text]
        return reason(self.game_id, *rules)

    def inline(self, text: str, explain: bool = True) -> str:
        """A prose text as inline HTML; no line begins with the number of a rule.

        >>> Writer("combat_commander").inline("Il bloque [[10.2]].").startswith("Il bloque\u00a0<")
        True
        """
        text = _NUMBERED.sub(NBSP, text)
        parts = self._explainer.tokens(text) if explain else tokens(text)
        return "".join(self._run(token) for token in parts)

    def question(self, text: str) -> str:
        """A question as a paragraph: what it gives, then what it asks.

        >>> Writer("asl_sk").question("Le Squad A est Pin. Combien de FP ?")
        '<p class="ldv-question"><span class="ldv-given">Le Squad A est Pin.</span> Combien de FP ?</p>'
        """
        given, asked = given_and_asked(text)
        lead = f'<span class="ldv-given">{self.inline(given)}</span> ' if given else ""
        return f'<p class="ldv-question">{lead}{self.inline(asked)}</p>'

    def _run(self, token: Token) -> str:
        if token.kind == "rule":
            return rule_chip(self.game_id, token.text)
        text = whole(escape(token.text, quote=False))
        if token.kind == "word":
            definition = escape(token.definition, quote=True)
            card = escape(card_address(self.game_id, word=token.text), quote=True)
            opens = f'role="button" aria-haspopup="dialog" data-ldv-card="{card}" ' if served() else ""
            return (
                f'<span class="ldv-term" tabindex="0" {opens}aria-description="{definition}" '
                f'data-definition="{definition}">{text}</span>'
            )
        return {"strong": f"<strong>{text}</strong>", "em": f"<em>{text}</em>"}.get(token.kind, text)

    def paragraphs(self, texts: Iterable[str], css: str = "ldv-prose") -> str:
        """Prose texts as paragraphs."""
        return f'<div class="{css}">' + "".join(f"<p>{self.inline(text)}</p>" for text in texts) + "</div>"


def booklet_words(game_id: str) -> list[str]:
    """Words of the booklet's own glossary, explained in every lesson of the game.

    >>> "Adjacent" in booklet_words("combat_commander")
    True
    """
    return [str(entry["term"]) for entry in game(game_id).glossary if entry.get("livret")]


def unknown_notice(words: Iterable[str]) -> str:
    """What is said beside a position that has words its game does not know, as HTML; "" without any.

    >>> unknown_notice([])
    ''
    """
    items = "".join(f"<li>{escape(word)}</li>" for word in words)
    return f'<div class="ldv-failure" role="status"><p>{UNREAD}</p><ul>{items}</ul></div>' if items else ""


def html(text: str, *classes: str) -> ipw.HTML:
    """An HTML widget with CSS classes."""
    made = layouts.text(text)
    for name in classes:
        made.add_class(name)
    return made


def box(*children: ipw.Widget, css: str = "", row: bool = False) -> ipw.Box:
    """A column (or a row) of widgets with CSS classes."""
    made = (layouts.row if row else layouts.column)(*(child for child in children if child is not None))
    for name in css.split():
        made.add_class(name)
    return made


def button(label: str, *, primary: bool = False, hint: str = "") -> ipw.Button:
    """A button with a French label."""
    return layouts.button(label, hint, "primary" if primary else "")


#: Seconds in which what was typed follows the key that ended it.
_AFTER_ENTER = 0.2


def entered(field: ipw.Text, action: Callable[[], object]) -> None:
    """Do something when Enter ends what is typed in a field that tells of it then, and not of each letter.

    A browser tells of the key first, of the text just after. A field that told of each letter would be read too early:
    on a slow network the letters wait for the kernel, a key or a button does not.
    """
    waiting: list[asyncio.TimerHandle] = []

    @guarded
    def act() -> None:
        while waiting:
            waiting.pop().cancel()
        action()

    def heard(_: object, content: dict[str, object], __: object) -> None:
        if content.get("event") == "submit" and not waiting:
            waiting.append(asyncio.get_running_loop().call_later(_AFTER_ENTER, act))

    field.on_msg(heard)
    field.observe(lambda _: act() if waiting else None, "value")


def steps_card(trace: ipw.Widget) -> ipw.Widget:
    """« Pourquoi ? », with the steps of a result."""
    return box(html('<h2 class="ldv-label">Pourquoi\u202f?</h2>'), trace, css="ldv-card ldv-why")


def history_buttons(
    undo: Callable[[], object],
    redo: Callable[[], object],
    reset: Callable[[], object],
    share: Callable[[], object],
) -> tuple[ipw.Button, ipw.Button, ipw.Button, ipw.Button]:
    """What stands under every board that is played with: « Défaire », « Refaire », « Réinitialiser », « Partager »."""
    back, forth, again = button("↶", hint="Défaire"), button("↷", hint="Refaire"), button("Réinitialiser")
    shared = button("Partager", hint="Lien, image, fichier de cette position")
    back.on_click(guarded(lambda _: undo()))
    forth.on_click(guarded(lambda _: redo()))
    again.on_click(guarded(lambda _: reset()))
    shared.on_click(guarded(lambda _: share()))
    return back, forth, again, shared


def rule_text(block: RuleText, writer: Writer) -> ipw.Widget:
    """The rule in a few sentences, and what the first of those it cites mean for who plays."""
    title = f"<h2>{escape(block.title, quote=False)}</h2>" if block.title else ""
    return html(
        f'<section class="ldv-rule-text ldv-prose">{title}{writer.paragraphs(block.sentences, "")}'
        f"{writer.meanings(block)}</section>"
    )
