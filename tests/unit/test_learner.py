"""A reader's progress without a browser: what is told to the server, and what the browser may remember when."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from widgets.bridge import bridge
from widgets.channel import OFF, Channel, Reply
from widgets.course_page import course_page
from widgets.learner import Attempt, Progress
from widgets.learner_panel import LearnerPanel

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

    def resume(self, code: str, then: Callable[[Reply], object]) -> None:
        self.said.append(("resume", {"code": code}))
        self.thens["resume"] = then

    def write(self, op: str, args: dict[str, Any], then: Callable[[Reply], object] | None = None) -> None:
        self.said.append((op, args))
        if then:
            self.thens[op] = then

    def request(
        self, op: str, args: dict[str, Any] | None = None, then: Callable[[Reply], object] | None = None
    ) -> None:
        self.write(op, args or {}, then)

    def forget(self, name: str) -> None:
        self.said.append(("forget", {"name": name}))

    @property
    def ops(self) -> list[str]:
        """What was asked, in order."""
        return [op for op, _ in self.said]


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    made = Desk()
    monkeypatch.setattr("widgets.channel.channel", lambda: made)
    return made


def started(desk: Desk) -> Progress:
    """The progress of a reader whose first answer is kept."""
    made = Progress()
    course_page().ready = True
    made.attempt(answer(True))
    desk.thens["new"](Reply(True))
    return made


def answer(right: bool, exercise: str = "un") -> Attempt:
    return Attempt("combat_commander", "cc-x", exercise, right, "3", ("10.3.3",), () if right else ("10.3.3",))


def remembered() -> dict[str, Any]:
    """What the browser was asked to remember."""
    return dict(json.loads(bridge().to_store or "{}"))


def test_the_browser_remembers_a_code_once_the_server_knows_it(desk: Desk) -> None:
    course_page().ready = True
    progress = Progress()
    progress.opened("cc-x")
    progress.attempt(answer(True))
    assert progress.code == CODE
    assert remembered() == {"done": {"cc-x": ["un"]}, "code": ""}
    desk.thens["new"](Reply(True))
    assert remembered()["code"] == CODE
    assert desk.ops == ["on_status", "lesson.open", "attempt.add"]


def test_a_lesson_is_finished_with_its_last_exercise_and_watched_once(desk: Desk) -> None:
    course_page().ready = True
    progress = Progress()
    progress.attempt(answer(False), ["un", "deux"])
    progress.attempt(answer(True), ["un", "deux"])
    progress.attempt(answer(True, "deux"), ["un", "deux"])
    assert desk.ops == ["on_status", "attempt.add", "attempt.add", "attempt.add", "lesson.finish"]
    assert [args["missed"] for op, args in desk.said if op == "attempt.add"] == [["10.3.3"], [], []]


def test_nothing_is_read_before_the_page_is_whole(desk: Desk) -> None:
    progress = Progress()
    bridge().stored = json.dumps({"done": {}, "code": CODE})
    assert desk.ops == []
    course_page().ready = True
    assert ("resume", {"code": CODE}) in desk.said
    desk.thens["resume"](Reply(True))
    assert progress.code == CODE
    assert desk.ops[-1] == "progress.get"


def test_a_code_the_server_does_not_know_is_forgotten(desk: Desk) -> None:
    progress = Progress()
    bridge().stored = json.dumps({"done": {"cc-x": ["un"]}, "code": CODE})
    course_page().ready = True
    desk.thens["resume"](Reply(False, error="forbidden"))
    assert progress.code == ""
    assert remembered() == {"done": {"cc-x": ["un"]}, "code": ""}


def test_erasing_waits_for_the_server(desk: Desk) -> None:
    progress, said = started(desk), []
    progress.erase(said.append)
    assert progress.done
    desk.thens["learner.erase"](Reply(False, error="away", message="Plus tard."))
    assert (progress.code, said[-1].message) == (CODE, "Plus tard.")
    desk.thens["learner.erase"](Reply(True))
    assert (progress.code, progress.done, bridge().to_store) == ("", {}, "{}")
    assert desk.ops[-1] == "forget"


def test_without_a_server_all_goes_on_and_a_code_is_refused_in_french(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("widgets.channel.channel", lambda: Channel("", ""))
    progress, said = Progress(), []
    progress.attempt(answer(True))
    assert (progress.code, progress.done) == ("", {"cc-x": ["un"]})
    progress.take_up(CODE, said.append)
    assert said == [OFF]


def test_an_answer_before_the_page_is_whole_waits_for_the_code_of_the_browser(desk: Desk) -> None:
    progress = Progress()
    bridge().stored = json.dumps({"done": {"cc-y": ["trois"]}, "code": CODE})
    progress.attempt(answer(True))
    assert (desk.ops, remembered()) == (["on_status"], {})
    course_page().ready = True
    assert progress.code == CODE
    assert [op for op in desk.ops if op != "on_status"] == ["resume", "attempt.add"]
    assert remembered()["done"] == {"cc-y": ["trois"], "cc-x": ["un"]}


def test_what_another_tab_erased_does_not_come_back(desk: Desk) -> None:
    progress = started(desk)
    bridge().stored = "{}"
    assert (progress.code, progress.done) == ("", {})
    assert desk.ops[-1] == "forget"
    progress.attempt(answer(True, "deux"))
    desk.thens["new"](Reply(True))
    assert remembered()["done"] == {"cc-x": ["deux"]}


def test_an_answer_under_a_code_that_another_tab_erased_begins_anew(desk: Desk) -> None:
    progress = started(desk)
    progress.attempt(answer(False, "deux"))
    desk.thens["attempt.add"](Reply(False, error="forbidden", message="Ces données ont été effacées."))
    assert (progress.code, bridge().to_store) == ("", "{}")


def test_a_code_that_another_tab_was_given_is_taken_up(desk: Desk) -> None:
    progress = Progress()
    course_page().ready = True
    bridge().stored = json.dumps({"done": {"cc-y": ["trois"]}, "code": CODE})
    progress.attempt(answer(True))
    assert desk.ops.count("resume") == 1
    assert progress.code == CODE
    assert remembered() == {"done": {"cc-y": ["trois"], "cc-x": ["un"]}, "code": CODE}


def test_erasing_without_a_code_says_so(desk: Desk) -> None:
    progress, panel = Progress(), LearnerPanel()
    panel._progress = progress
    progress.done = {"cc-x": ["un"]}
    panel._erase.click()
    panel._sure.click()
    assert progress.done == {}
    assert "Tout est effacé" in panel._answer.value
    assert panel._sure.layout.display == "none"
    panel._sure.click()
    assert "Tout est effacé" in panel._answer.value
