"""A teacher and his learners, without browsers: a session is opened, joined, led through the widgets of the pages."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.browser.harness import Server
from tests.load.reader import Reader, States, has
from tutor.course.links import Link


def code_of(states: States) -> str:
    """The code of the session that a teacher's page shows; "" before."""
    shown = (re.search(r'ldv-bigcode">([0-9A-Z]{6})<', str(state.get("value", ""))) for state in states.values())
    return next((match[1] for match in shown if match), "")


async def open_session(server: Server, key: str, expected: int) -> tuple[Reader, str]:
    """A teacher who has opened a session; its code."""
    teacher = Reader(server, Link("teacher").url)
    await teacher.arrive(has("ButtonModel", description="Entrer"))
    await teacher.write(teacher.widget("PasswordModel"), value=key)
    await teacher.click(teacher.widget("ButtonModel", description="Entrer"))
    await teacher.until(has("ButtonModel", description="Ouvrir une séance"))
    await teacher.write(teacher.widget("BoundedIntTextModel", description="Élèves attendus"), value=expected)
    await teacher.click(teacher.widget("ButtonModel", description="Ouvrir une séance"))
    await teacher.until(lambda states: bool(code_of(states)))
    return teacher, code_of(teacher.states)


async def join(server: Server, code: str, number: int) -> Reader:
    """A learner who has joined, on the page of the class."""
    learner = Reader(server, Link("class").url)
    await learner.arrive(has("ButtonModel", description="Rejoindre"))
    await learner.write(learner.widget("TextModel", description="Code de la séance"), value=code)
    await learner.write(learner.widget("TextModel", description="Votre pseudonyme"), value=f"Élève {number}")
    await learner.click(learner.widget("ButtonModel", description="Rejoindre"))
    await learner.until(shows("Votre enseignant prépare la suite"))
    return learner


def shows(text: str) -> Callable[[States], bool]:
    """Whether a text is on the page."""
    return lambda states: any(text in str(state.get("value", "")) for state in states.values())
