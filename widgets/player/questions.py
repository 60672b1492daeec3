"""What is asked about an example: the question that opens it and its « Et si… », each with its answer and its causes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from tutor.core.errors import TutorError
from tutor.core.position import Position
from tutor.core.registry import ask
from tutor.core.result import Result
from tutor.course.causes import Asked, mistake
from tutor.course.exercises import fitting
from tutor.course.headlines import answering, says_yes
from tutor.course.matching import view
from tutor.course.models import Choice, LiveExample, WhatIf
from tutor.course.models import Prediction as PredictionText
from widgets.host.prose import Writer
from widgets.player.predictions import Prediction, State, WhatIfs

if TYPE_CHECKING:
    from widgets.player.answered import Answered

#: A position and a declaration.
Case = tuple[Position, dict[str, Any]]


class Questions:
    """The questions of one example.

    Args:
        writer: of the page.
        example: its data.
        base: its position.
        opening: asked before the verdict shows.
        cases: « Et si… ».
        judge: computes what is told of a case, of a board that a reader has made what it is too.
        play: shows a case with its verdict; whether its proof is played; what is told of it, if that is computed.
        pose: shows a case without one; None: the board stays as the reader left it until he answers.
        leave: brings the example back as the reader had it.
        conclude: what is said of an answer, as prose, given the question, its result and its position.
        answered: what was answered on an earlier visit.
        say: has a screen reader say what is said of an answer.
    """

    def __init__(
        self,
        writer: Writer,
        example: LiveExample,
        base: Position,
        *,
        opening: PredictionText | None,
        cases: Sequence[WhatIf],
        judge: Callable[[Position, dict[str, Any]], Result[Any]],
        play: Callable[[Case, bool, Result[Any] | None], object],
        pose: Callable[[Case], object] | None,
        leave: Callable[[], None],
        conclude: Callable[[PredictionText, Result[Any], Position], str],
        answered: Answered | None,
        say: Callable[[str], object],
    ) -> None:
        self._writer, self._example, self._base = writer, example, base
        self._opening, self.cases, self._answered, self._say = opening, cases, answered, say
        self._judge, self._play, self._pose, self._leave, self._conclude = judge, play, pose, leave, conclude
        self._asked, self._shown = opening, True
        self._seen: set[str] = set()
        #: A board as the reader's last setting made it, until it is told; the one that he was asked about.
        self._doubted: Case | None = None
        self._again: Case | None = None
        self.prediction: Prediction | None = None
        if opening:
            self.prediction = Prediction(
                writer,
                opening.text,
                opening.choices,
                partial(self.diagnose, opening),
                lambda: self._commit(opening),
                partial(self._keep, example.id),
                say,
            )

    @property
    def start(self) -> Case:
        """The example as it is written."""
        return self._base, dict(self._example.with_)

    @property
    def case_ids(self) -> list[str]:
        """Ids of its « Et si… » within the lesson."""
        return [f"{self._example.id}-si-{at}" for at in range(1, len(self.cases) + 1)]

    @cached_property
    def what_ifs(self) -> WhatIfs:
        """Its « Et si… »; there are some."""
        return WhatIfs(
            self._writer,
            self.cases,
            self.diagnose,
            self._commit,
            self._leave,
            self._pose_of if self._pose else None,
            lambda at: self._pressed(self.case_ids[at]),
            lambda at, state, presses: self._keep(self.case_ids[at], state, presses),
            self._say,
        )

    def begin(self, recall: bool, shown: bool) -> None:
        """Ask the opening question.

        Args:
            recall: answered, if it was on an earlier visit.
            shown: it is on screen, which it is not beside a rule.
        """
        self._asked, self._shown = self._opening, shown
        if self.prediction and self._opening and recall:
            self._seen.add(self._opening.text)
            self.prediction.recall(self._pressed(self._example.id))
            if not self.prediction.done:
                self._seen.discard(self._opening.text)

    def fit(self, now: Case) -> None:
        """What was said of an answer goes when the board shows something else.

        Args:
            now: what it shows.
        """
        shown = self._opening if now == self.start else None
        if shown is None and self._asked is not None and now == self._case(self._asked):
            shown = self._asked
        again = now == self._again
        if self.prediction:
            self.prediction.fit(shown is self._opening, again)
        if "what_ifs" in vars(self):
            self.what_ifs.fit(shown if isinstance(shown, WhatIf) else None, again)

    def doubt(self, changed: Case) -> None:
        """What the reader is to expect something of before it is told: what a setting has made of the board."""
        self._doubted = changed

    def asks_again(self, now: Case) -> bool:
        """Whether a reader who has changed the board says what he expects of it before it is told; he is asked then.

        Args:
            now: what the board shows.
        """
        asked = self._asked
        if self._pose is None or asked is None or now != self._doubted or now in (self.start, self._case(asked)):
            return False
        answered = self._on_screen
        if answered is None or not answered.done:
            return False
        try:
            result = self._judge(*now)
        except TutorError:
            return False
        if result.outcome == "unknown":
            return False
        question = self._opening or asked  # « Et si… » supposes a board that is there no more
        text, yes = "", None
        if self._opening:
            text, yes = self._opening.text, says_yes(fitting(self._opening.choices, view(result)) or "")
        answered.pose_again(text, yes, partial(self._reveal, question, result, now))
        self._again = now
        return True

    def replied(self, now: Case) -> bool:
        """Whether the reply on screen says what is told of what the board shows.

        Args:
            now: that.
        """
        if self._pose is None and now == self.start:  # a long page shows all that it asked
            return self.prediction is not None and self.prediction.done
        answered = self._on_screen
        if answered is None or not answered.done or self._asked is None:
            return False
        return now == self._case(self._asked) or (now == self._again and now != self._doubted)

    @property
    def _on_screen(self) -> Prediction | None:
        """The question that is asked now, where it is on screen."""
        if isinstance(self._asked, WhatIf):
            return self.what_ifs.on_screen
        return self.prediction if self._shown else None

    def _reveal(self, asked: PredictionText, result: Result[Any], now: Case) -> str:
        """Show what is told of a changed board; what to say of it."""
        self._doubted = None
        self._play(now, True, result)
        return self._conclude(asked, result, now[0])

    @property
    def choices(self) -> Sequence[Choice]:
        """What might be answered to the question last asked."""
        return self._asked.choices if self._asked else ()

    def because(self, result: Result[Any], position: Position) -> str | None:
        """Code of the step that answers the question last asked; None: the last step does."""
        asked = self._asked
        steps = answering(result, position, asked.because, asked.choices) if asked else ()
        return steps[-1].code if steps else None

    def state(self, question: str) -> State:
        """How far the reader was with a question that is not shown yet."""
        return self._answered.state(question) if self._answered else "asked"

    def missed(self, question: str) -> bool:
        """Whether a question was missed once at least, on an earlier visit or on this one."""
        return self._answered is not None and self._answered.missed(question)

    def _pressed(self, question: str) -> Sequence[int]:
        return self._answered.presses(question) if self._answered else ()

    def _keep(self, question: str, state: State, presses: Sequence[int]) -> None:
        if self._answered:
            self._answered.keep(question, state, presses)

    def diagnose(self, asked: PredictionText, label: str) -> str:
        """Which mistake a choice is, on the example as it is written or as « Et si… » changes it; "" of the right one."""
        position, given = self._case(asked)
        result = ask(position, self._example.ask, **given)
        first = ask(self._base, self._example.ask, **self._example.with_) if isinstance(asked, WhatIf) else None
        rules = self._example.rules
        return mistake(Asked(result, position, asked.choices, asked.because, first, rules), label)

    def _commit(self, asked: PredictionText) -> tuple[str | None, str]:
        """A question is answered: judge it where it was asked, then show; its proof plays once.

        What is said is worked out before: else the proof would play for a while before the reader knows whether he is right.
        """
        self._asked, case = asked, self._case(asked)
        position, given = case
        result = ask(position, self._example.ask, **given)
        said = self._conclude(asked, result, position)
        self._play(case, asked.text not in self._seen, result)
        self._seen.add(asked.text)
        return fitting(asked.choices, view(result)), said

    def _pose_of(self, case: WhatIf) -> None:
        """Show what « Et si… » asks about, and no verdict."""
        self._asked = case
        if self._pose:
            self._pose(self._case(case))

    def _case(self, asked: PredictionText) -> Case:
        """Position and declaration of which a question asks: « Et si… » changes those of the example."""
        if not isinstance(asked, WhatIf):
            return self.start
        return self._base.change(asked.changes), {**self._example.with_, **asked.with_}
