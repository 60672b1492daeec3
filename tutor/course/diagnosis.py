"""Why an answer is wrong: the omitted rules that give it, found by asking the engine again without them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tutor.core.effort import TooLarge, bounded
from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP
from tutor.core.registry import game
from tutor.course.answers import same, shown, within
from tutor.course.causes import forgotten, likeliest, smallest, to_read_again
from tutor.course.chosen import tally
from tutor.course.exercises import Task
from tutor.course.figures import pointed
from tutor.course.headlines import answering_exercise, headline_of, together
from tutor.course.matching import deciding
from tutor.course.prose import cited_once, judgement, rule_ids
from tutor.course.slips import Slip, slip


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an answer is worth.

    Args:
        right: whether it is the engine's.
        sentence: the mistake as French prose, rule ids marked ``[[…]]``; "" of a right answer.
        solution: the right answer as text.
        omissions: sets of rules whose omission gives the wrong answer, the smallest ones.
        rules: those to read again: forgotten, else those that the cause names, else the one that settles the question;
            none of a right answer.
        advice: how the sentence ends where it says what to do, which is over once the answer is known.
    """

    right: bool
    sentence: str
    solution: str
    omissions: tuple[tuple[str, ...], ...] = ()
    rules: tuple[str, ...] = ()
    advice: str = ""

    @property
    def cause(self) -> str:
        """The mistake alone."""
        return self.sentence.removesuffix(self.advice).rstrip()

    @property
    def said(self) -> str:
        """How an answer is judged, as prose: the word first, then the answer, or the mistake."""
        return f"**Juste**{NBSP}: {self.solution}." if self.right else f"{judgement(False)} {self.sentence}".strip()


def replied(task: Task, verdict: Verdict | None, doubtful: str = "", *, again: bool = False) -> str:
    """What is replied once an exercise is not tried again, as prose: the word first, what is right with its rule, which
    nothing beside it says again, then the mistake, if any.

    Args:
        task: the exercise on screen.
        verdict: what the answer is worth; None where none was given.
        doubtful: the hex that the steps shown speak of, where they speak of one of several; "" of none.
        again: it was missed before.

    >>> from tutor.course.lessons import exercises
    >>> asked = Task.of("combat_commander", exercises("combat_commander")["cc-04-visibles"])
    >>> replied(asked, None).replace(NBSP, " ")
    '**La réponse :** C4 et E2 : oui. D2, E1, F1 et F2 : non.'
    >>> asked = Task.of("tcs", exercises("tcs")["tcs-05-somme"])
    >>> replied(asked, None).replace(NBSP, " ")
    '**La réponse :** Valeur de tir (+4 +2 +2) : **8**. [[11.0]]'
    """
    whole = together(task) or _headed(task)
    right, mistake = (verdict.right, verdict.cause) if verdict else (False, "")
    mistake = "" if mistake == _to_read_again(task) else mistake  # the answer has that rule
    about = f"Voici, pas à pas, le cas de {doubtful}." if doubtful and verdict else ""
    said = filter(None, (judgement(right, again=again, shown=True), whole, mistake, about))
    return cited_once(" ".join(said))


def _headed(task: Task) -> str:
    """The sentence that answers an exercise, with its rule; the number that is asked for stands out in it, or comes
    before it where no figure of it is that number, as does what is answered instead of a number.
    """
    result, solution, answer = task.result(), task.solution(), task.exercise.answer
    number = solution if isinstance(solution, Fraction) else None
    parts = [
        (headline_of([step], task.position), f"[[{step.rule}]]")
        for step in deciding(result, answering_exercise(task, result))
    ]
    marked = [(number is not None and pointed(said, number)) or said for said, _ in parts]
    whole = " ".join(f"{said} {rule}" for said, (_, rule) in zip(marked, parts, strict=True))
    if not whole or (answer.kind == "number" and "**" not in whole):
        return f"{shown(solution, answer.unit, answer.refusable)}. {whole}".strip()
    return whole


def candidates(task: Task) -> list[str]:
    """Rules whose omission may explain a wrong answer: the exercise's own list, or those the engine consulted."""
    allowed = game(task.game_id).omittable
    own = task.exercise.omit
    if own is not None:
        return [rule for rule in own if rule in allowed]
    consulted = set(task.result(trace=False).consulted)
    for item in task.exercise.answer.items:
        consulted |= task.on(task.position.change(item.changes)).result(trace=False, **item.with_).consulted
    for cell in task.spots:
        consulted |= task.about(cell).result(trace=False).consulted
    return sorted(consulted & set(allowed))


def omissions(task: Task, given: Any) -> tuple[tuple[str, ...], ...]:
    """The smallest sets of omitted rules (one, else two) with which the engine gives this answer; none where looking
    for them takes more than a second.

    Args:
        task: the exercise on screen.
        given: what ``Task.read`` made of the answer.
    """
    try:
        with bounded():
            return smallest(candidates(task), lambda left_out: _gives(task, left_out, given))
    except TooLarge:
        return ()


def _gives(task: Task, left_out: tuple[str, ...], given: Any) -> bool:
    try:
        return same(given, task.solution(left_out), task.exercise.answer.unit)
    except TooLarge:
        raise
    except TutorError:
        return False


def judge(task: Task, given: Any) -> Verdict:
    """Judge an answer, and explain it when it is wrong.

    Args:
        task: the exercise on screen.
        given: typed text, label, hexes or order.

    Raises:
        AnswerError: the answer cannot be read (it does not count).
    """
    answer = task.exercise.answer
    read = task.read(given)
    solution = task.solution()
    text = shown(solution, answer.unit, answer.refusable)
    if same(read, solution, answer.unit):
        return Verdict(True, "", text, ())
    left_out = likeliest(omissions(task, read), task.exercise.rules)
    written = "" if len(left_out) == 1 and len(left_out[0]) == 1 else _written(task, given)
    if written or not left_out or len(left_out[0]) > 1:  # one rule that explains it alone is surer, two are less so
        likely = Slip(written) if written else slip(task, read)
        if likely.cause or not left_out:
            again = _to_read_again(task)
            rules = tuple(dict.fromkeys(rule_ids(likely.said) or rule_ids(again)))
            return Verdict(False, likely.said or again, text, (), rules, likely.advice)
    given_text = within(shown(read, answer.unit, answer.refusable))
    counted = tally(read, solution, task.position.board.words.feminine) if isinstance(read, frozenset) else ""
    sentence = f"{counted} {forgotten(game(task.game_id), left_out, given_text)}".strip()
    return Verdict(False, sentence, text, left_out, left_out[0])


def _to_read_again(task: Task) -> str:
    """The rule to read of who is wrong in a way that nothing explains."""
    result = task.result()
    return to_read_again(game(task.game_id), result, answering_exercise(task, result), task.exercise.rules)


def _written(task: Task, given: Any) -> str:
    """What the exercise says of a wrong choice."""
    choices = task.exercise.answer.choices
    return next((task.filled(one.because_not) for one in choices if one.label == given and one.because_not), "")
