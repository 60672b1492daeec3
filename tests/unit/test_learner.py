"""A reader's progress without a browser: what is told to the server, and what the browser may remember when."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.screen import named, seen, words
from widgets.host.channel import OFF, Channel, Reply
from widgets.host.learner import Attempt, Progress
from widgets.host.page import Page
from widgets.pages.progress import LearnerPanel

CODE = "K7PM-2QX9-ABCD-EFGH"


class Desk:
    """Stands for the channel: notes what is asked; replies come when the test says so."""

    available = True

    def __init__(self) -> None:
        self.said: list[tuple[str, dict[str, Any]]] = []
        self.thens: dict[str, Callable[[Reply], object]] = {}

    def on_status(self, _observer: Callable[[str, str], object]) -> None:
        self.said.append(("on_status", {}))

    def new_learner(self, then: Callable[[Reply], object]) -> str:
        self.thens["new"] = then
        return CODE

    def resume(self, code: str, then: Callable[[Reply], object], late: Any = None) -> None:
        self.said.append(("resume", {"code": code}))
        self.thens["resume"] = then

    def write(
        self, op: str, args: dict[str, Any], then: Callable[[Reply], object] | None = None, late: Any = None
    ) -> None:
        self.said.append((op, args))
        if then:
            self.thens[op] = then

    def request(
        self,
        op: str,
        args: dict[str, Any] | None = None,
        then: Callable[[Reply], object] | None = None,
        late: Any = None,
    ) -> None:
        self.write(op, args or {}, then)

    def forget(self, name: str) -> None:
        self.said.append(("forget", {"name": name}))

    @property
    def ops(self) -> list[str]:
        """What was asked, in order."""
        return [op for op, _ in self.said]


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def here(desk: Desk) -> Page:
    """A page whose way to the server is the desk's."""
    return Page(desk)  # type: ignore[arg-type]


def started(here: Page, desk: Desk) -> Progress:
    """The progress of a reader whose first answer is kept."""
    made = Progress(here)
    here.course.ready = True
    made.attempt(answer(True))
    desk.thens["new"](Reply(True))
    return made


def answer(right: bool, exercise: str = "un") -> Attempt:
    return Attempt("combat_commander", "cc-x", exercise, right, "3", ("10.3.3",), () if right else ("10.3.3",))


def remembered(here: Page) -> dict[str, Any]:
    """What the browser was asked to remember."""
    return dict(json.loads(here.bridge.to_store or "{}"))


def test_the_browser_remembers_a_code_once_the_server_knows_it(here: Page, desk: Desk) -> None:
    here.course.ready = True
    progress = Progress(here)
    progress.opened("cc-x")
    progress.attempt(answer(True))
    assert progress.code == CODE
    assert remembered(here) == {"done": {"cc-x": ["un"]}, "code": ""}
    desk.thens["new"](Reply(True))
    assert remembered(here)["code"] == CODE
    assert desk.ops == ["on_status", "lesson.open", "attempt.add"]


def test_a_lesson_is_finished_with_its_last_exercise_and_watched_once(here: Page, desk: Desk) -> None:
    here.course.ready = True
    progress = Progress(here)
    progress.attempt(answer(False), ["un", "deux"])
    progress.attempt(answer(True), ["un", "deux"])
    progress.attempt(answer(True, "deux"), ["un", "deux"])
    assert desk.ops == ["on_status", "attempt.add", "attempt.add", "attempt.add", "lesson.finish"]
    assert [args["missed"] for op, args in desk.said if op == "attempt.add"] == [["10.3.3"], [], []]


def test_nothing_is_read_before_the_page_is_whole(here: Page, desk: Desk) -> None:
    progress = Progress(here)
    here.bridge.stored = json.dumps({"done": {}, "code": CODE})
    assert desk.ops == []
    here.course.ready = True
    assert ("resume", {"code": CODE}) in desk.said
    desk.thens["resume"](Reply(True))
    assert progress.code == CODE
    assert desk.ops[-1] == "progress.get"


def test_a_code_the_server_does_not_know_is_forgotten(here: Page, desk: Desk) -> None:
    progress = Progress(here)
    here.bridge.stored = json.dumps({"done": {"cc-x": ["un"]}, "code": CODE})
    here.course.ready = True
    desk.thens["resume"](Reply(False, error="forbidden"))
    assert progress.code == ""
    assert remembered(here) == {"done": {"cc-x": ["un"]}, "code": ""}


def test_erasing_waits_for_the_server(here: Page, desk: Desk) -> None:
    progress, said = started(here, desk), []
    progress.erase(said.append, print)
    assert progress.done
    desk.thens["learner.erase"](Reply(False, error="away", message="Plus tard."))
    assert (progress.code, said[-1].message) == (CODE, "Plus tard.")
    desk.thens["learner.erase"](Reply(True))
    assert (progress.code, progress.done, here.bridge.to_store) == ("", {}, "{}")
    assert desk.ops[-1] == "forget"


def test_without_a_server_all_goes_on_and_a_code_is_refused_in_french(
    desk: Desk,
) -> None:
    progress, said = Progress(Page(Channel("", ""))), []
    progress.attempt(answer(True))
    assert (progress.code, progress.done) == ("", {"cc-x": ["un"]})
    progress.take_up(CODE, said.append, print)
    assert said == [OFF]


def test_an_answer_before_the_page_is_whole_waits_for_the_code_of_the_browser(here: Page, desk: Desk) -> None:
    progress = Progress(here)
    here.bridge.stored = json.dumps({"done": {"cc-y": ["trois"]}, "code": CODE})
    progress.attempt(answer(True))
    assert (desk.ops, remembered(here)) == (["on_status"], {})
    here.course.ready = True
    assert progress.code == CODE
    assert [op for op in desk.ops if op != "on_status"] == ["resume", "attempt.add"]
    assert remembered(here)["done"] == {"cc-y": ["trois"], "cc-x": ["un"]}


def test_what_another_tab_erased_does_not_come_back(here: Page, desk: Desk) -> None:
    progress = started(here, desk)
    here.bridge.stored = "{}"
    assert (progress.code, progress.done) == ("", {})
    assert desk.ops[-1] == "forget"
    progress.attempt(answer(True, "deux"))
    desk.thens["new"](Reply(True))
    assert remembered(here)["done"] == {"cc-x": ["deux"]}


def test_an_answer_under_a_code_that_another_tab_erased_begins_anew(here: Page, desk: Desk) -> None:
    progress = started(here, desk)
    progress.attempt(answer(False, "deux"))
    desk.thens["attempt.add"](Reply(False, error="forbidden", message="Ces données ont été effacées."))
    assert (progress.code, here.bridge.to_store) == ("", "{}")


def test_a_code_that_another_tab_was_given_is_taken_up(here: Page, desk: Desk) -> None:
    progress = Progress(here)
    here.course.ready = True
    here.bridge.stored = json.dumps({"done": {"cc-y": ["trois"]}, "code": CODE})
    progress.attempt(answer(True))
    assert desk.ops.count("resume") == 1
    assert progress.code == CODE
    assert remembered(here) == {"done": {"cc-y": ["trois"], "cc-x": ["un"]}, "code": CODE}


def test_erasing_without_a_code_says_so(desk: Desk) -> None:
    page = Page()
    progress, panel = page.progress, LearnerPanel(page)
    progress.done = {"cc-x": ["un"]}
    named(panel.widget, "Effacer mes données").click()
    sure = named(panel.widget, "Oui, tout effacer")
    sure.click()
    assert progress.done == {}
    assert "Tout est effacé" in words(panel.widget)
    assert not seen(sure)
    sure.click()
    assert "Tout est effacé" in words(panel.widget)
