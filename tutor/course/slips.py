"""The likeliest mistakes of who types a number, chooses hexes or puts things in order, recognised in the trace."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tutor.core.phrases import NBSP, listing
from tutor.core.registry import game
from tutor.core.result import Result
from tutor.core.trace import Step
from tutor.course.answers import Number, shown
from tutor.course.chosen import of_hexes
from tutor.course.evidence import Evidence, among
from tutor.course.exercises import Task
from tutor.course.figures import says
from tutor.course.headlines import answering_exercise
from tutor.course.making import Making, making
from tutor.course.matching import exact, pick, view
from tutor.course.misread import given_in, misread
from tutor.course.prose import rule_ids
from tutor.course.ranking import ranked
from tutor.course.sought import Sought, answering, cited, named, to_read

#: Units that are counted along a way, where one may count the start too.
_COUNTED = ("hex", "case")
#: What the operands of a step call a distance in hexes.
_SPANS = ("distance", "away")
#: Most values that a reader adds where only the greatest counts.
_MOST_ADDED = 3
#: How many times too often a term counts -> what was done with it.
_TIMES = {-1: "laissé de côté", -2: "ajouté au lieu de retrancher", 1: "compté deux fois"}
#: What is said of a number that leads to the one asked for.
_ON_THE_WAY = "Ce nombre n’est qu’une étape du calcul"


@dataclass(frozen=True, slots=True)
class Slip:
    """A mistake that is recognised, as prose that never says the answer.

    Args:
        cause: which it is; "" for none.
        advice: what to do now, which has no sense once the answer is known; "" where the cause says what to read.
    """

    cause: str
    advice: str = ""

    @property
    def said(self) -> str:
        """The mistake, then what to do."""
        return f"{self.cause} {self.advice}".strip()


def slip(task: Task, given: Any) -> Slip:
    """Which of the likeliest mistakes a wrong answer is.

    Args:
        task: the exercise on screen.
        given: what ``Task.read`` made of the answer.
    """
    solution = task.solution()
    if isinstance(given, Number) and isinstance(solution, Fraction):
        return _of_typed(task, given.value, solution)
    if isinstance(given, frozenset) and isinstance(solution, frozenset):
        return Slip(of_hexes(task, given, solution))
    if isinstance(given, tuple) and isinstance(solution, tuple):
        label = next(one for one, right in zip(given, solution, strict=True) if one != right)
        return Slip(f"À mettre plus bas{NBSP}: {ranked(task, [label])[0].sentence()}")  # all above it are right
    return Slip("")


# -- a number ------------------------------------------------------------------------------------------------------


def slip_of_number(sought: Sought, given: Fraction) -> Slip:
    """Which of the likeliest mistakes a wrong number is.

    Args:
        sought: the right one, and where it comes from.
        given: the wrong one.
    """
    return _advised(sought, _sure(sought, given) or _near(sought, given))


def _of_typed(task: Task, given: Fraction, solution: Fraction) -> Slip:
    """The mistake of who typed a number: what the trace says of it, what of the position it overlooks, or how near it is."""
    answer, result = task.exercise.answer, task.result()
    because = answering_exercise(task, result)
    sought = Sought(result, task.position, solution, answer.from_ or "value", answer.unit or "", because)
    if said := _sure(sought, given):
        return _advised(sought, said)
    beside = misread(task, given) or ("" if abs(given - solution) == 1 else given_in(task, given))
    if beside:
        return Slip(beside, f"Voyez {named(game(task.game_id), task.exercise.rules[0])}.")
    return _advised(sought, _near(sought, given))


def _advised(sought: Sought, cause: str) -> Slip:
    """A cause with what to do: to go on from a step of the way, or to read the rule that answers where it cites none."""
    if cause.startswith(_ON_THE_WAY):
        return Slip(cause, "Continuez.")
    return Slip(cause, to_read(sought) if cause and not rule_ids(cause) else "")


def _is_chance(sought: Sought) -> bool:
    """Whether odds are asked for, which are neither added up nor missed by one."""
    return (sought.number.denominator > 1 and abs(sought.number) < 1) or sought.unit == "%"


def _sure(sought: Sought, given: Fraction) -> str:
    """Which mistake a number is, as the trace says it."""
    right, unit = sought.number, sought.unit
    if _is_chance(sought):
        return _of_one_step(sought, given) or _of_the_contrary(sought, given) or _of_more_odds(sought, given)
    for sentence in (
        _of_another_field(sought, given),
        _added(sought, given - right),
        "" if unit.startswith(_COUNTED) else _left_out(sought, right - given),
        _of_one_step(sought, given),
        _of_a_sum(sought, given - right),
        "Le nombre y est, mais pas son signe." if given and given == -right else "",
        _of_terms(sought, given - right),
    ):
        if sentence:
            return sentence
    return ""


def _near(sought: Sought, given: Fraction) -> str:
    """Which mistake a number is, as near as it is to the right one."""
    right, unit = sought.number, sought.unit
    if _is_chance(sought):
        return ""
    thrown = any(one.source == "dice" for step in answering(sought) for one in step.operands.values())
    if given == right + 1 and unit.startswith(_COUNTED) and not thrown and not _is_read_beside_a_distance(sought):
        departure = sought.position.board.words.the
        counted = f"Vous avez peut-être compté {departure} de départ, mais on compte à partir du premier pas"
        return f"{counted}."
    if right and given in (2 * right, right / 2) and abs(given - right) != 1:  # as likely one miscounted
        return f"C’est {'le double' if given == 2 * right else 'la moitié'} de ce qu’il faut."
    return "Vous y êtes à un près." if abs(given - right) == 1 else ""


def _of_the_contrary(sought: Sought, given: Fraction) -> str:
    """The odds that what is asked about does not happen."""
    if 0 < sought.number < 1 and given == 1 - sought.number != sought.number and sought.unit in ("", "%"):
        return "C’est la chance que cela n’arrive pas."
    return ""


def _of_more_odds(sought: Sought, given: Fraction) -> str:
    """The odds asked for, with those of something else that their step says."""
    for step in answering(sought):
        others = [exact(one.value) or 0 for one in step.operands.values()]
        if exact(step.value) == sought.number and any(0 < one == given - sought.number for one in others):
            return "Vous avez peut-être compté aussi la chance d’autre chose."
    return ""


def _steps(result: Result[Any]) -> Iterator[tuple[Step, Fraction]]:
    """Steps that bring a number, but for those that only say what is declared."""
    for step in result.trace.walk():
        number = exact(step.value)
        if step.code and step is not result.trace and number is not None and step.kind in ("table", "compute"):
            yield step, number


def _of_another_field(sought: Sought, given: Fraction) -> str:
    """The value of the other side, or of another field of the answer."""
    above, _, name = sought.path.rpartition(".")
    beside = pick(view(sought.result), above) if above and sought.result.computed else None
    groups = {step.code.partition(".")[0] for step in answering(sought)}
    worked = [step for step, one in _led(sought) if one == given and step.kind == "compute"]
    if not isinstance(beside, Mapping) or any(step.code.partition(".")[0] in groups for step in worked):
        return ""
    for key, value in beside.items():
        terms = sought.rulebook
        label = sought.position.names.get(key) or terms.words.fields.get(key) or terms.phrases.term(key)
        if key != name and exact(value) == given and given and label != key:
            return f"C’est une autre valeur, «{NBSP}{label}{NBSP}», pas celle qui est demandée."
    return ""


def _is_read_beside_a_distance(sought: Sought) -> bool:
    """Whether the answer gives a distance too, and the number asked for is another, how far something reaches."""
    above, _, name = sought.path.rpartition(".")
    beside = pick(view(sought.result), above) if above and sought.result.computed else None
    return isinstance(beside, Mapping) and "distance" in beside and name != "distance"


def _added(sought: Sought, over: Fraction) -> str:
    """Values of one kind that were added, where only the greatest counts."""
    kinds: dict[str, list[tuple[Step, Fraction]]] = defaultdict(list)
    for step, number in _led(sought):
        kinds[step.code].append((step, number))
    summed = set(_making(sought).terms)
    said = {number for steps in kinds.values() if len(steps) == 1 for _, number in steps}
    terms, above = _terms(sought), {id(step): one for one in sought.result.trace.walk() for step in one.children}
    for steps in kinds.values():
        apart = len({id(above[id(step)]) for step, _ in steps}) > 1  # each of something else
        apart = apart or any((step.unit or "").startswith(_COUNTED) for step, _ in steps)  # how far each is
        if apart or any(among(step, terms) for step, _ in steps):  # or they are all added
            continue
        values = [number for _, number in steps if number]
        if len(values) > 1 and summed.issuperset(values):
            continue
        most = max(values, key=abs, default=Fraction(0))
        alike = min(values, default=0) > 0 or max(values, default=0) < 0  # of two signs, all count
        once = over == sum(values) - most and most in said and sum(values) not in said
        once = once and abs(sought.number) >= abs(most)  # the greatest is in it
        if alike and once and 1 < len(values) <= _MOST_ADDED:
            rules = dict.fromkeys(step.rule for step, _ in steps if step.rule)
            listed = listing([shown(value) for value in values])
            cited = ", ".join(f"[[{rule}]]" for rule in rules)
            return f"Vous avez peut-être additionné {listed}{NBSP}: seule la plus forte valeur compte ({cited})."
    return ""


def _terms(sought: Sought) -> Sequence[Step]:
    """The steps whose sentence gives their number with a sign, and a number that one alone is read from."""
    templates = sought.rulebook.phrases.templates
    signed = [step for step in sought.result.trace.walk() if "{value:+}" in templates.get(step.code, "")]
    return [*signed, *(step.children[0] for step in signed if len(step.children) == 1)]


def _left_out(sought: Sought, missing: Fraction) -> str:
    """A term that was not added; the sentence of such a step gives its value with a sign."""
    if any(step.kind == "table" and exact(step.value) == sought.number for step in answering(sought)):
        return ""  # it is read, and not added up
    if _on_dice(sought):
        return ""
    templates = sought.rulebook.phrases.templates
    units = {step.unit for step, number in _steps(sought.result) if number == sought.number}
    at_hand = Evidence(sought.result, sought.position, answering(sought), ())
    terms = [step for step, number in _led(sought) if number and "{value:+}" in templates.get(step.code, "")]
    terms = [step for step in terms if (not units or step.unit in units) and not among(step, at_hand.asides)]
    changes = {id(step): _change(sought, at_hand, step, terms) for step in terms}
    taken_off = -1 in changes.values() and 1 not in changes.values()
    for step in terms:
        lacking = (exact(step.value) or Fraction(0)) * (-1 if taken_off else 1)
        if lacking == missing and changes[id(step)] != 0 and (said := cited(sought.position, step, sought.number)):
            return f"Vous avez peut-être laissé de côté cette étape{NBSP}: {said}."
    return ""


def _of_a_sum(sought: Sought, over: Fraction) -> str:
    """A value of one kind, of those that make up the number, that was not counted, or was twice."""
    if _is_greatest(sought):
        return ""
    kinds: dict[str, list[Step]] = defaultdict(list)
    for step, number in _led(sought):
        factor = "×" in sought.rulebook.phrases.templates.get(step.code, "")  # which is no term
        if number and not factor and not (step.unit or "").startswith(_COUNTED):
            kinds[step.code].append(step)
    for steps in kinds.values():
        values = [exact(step.value) or Fraction(0) for step in steps]
        if len(steps) < 2 or sum(values) != sought.number or abs(over) not in values:
            continue
        if values.count(abs(over)) > 1:
            said = f"une valeur de {shown(abs(over), sought.unit)}"
        else:
            said = cited(sought.position, steps[values.index(abs(over))], sought.number)
            said = f"cette étape{NBSP}: {said}" if said else ""
        if said:
            return f"Vous avez peut-être {'laissé de côté' if over < 0 else 'compté deux fois'} {said}."
    return ""


def _is_greatest(sought: Sought) -> bool:
    """Whether the number asked for is the greatest of those that a step lists, and not their sum."""
    listed = (one.value for step, number in _led(sought) if number == sought.number for one in step.operands.values())
    several = ([exact(value) or Fraction(0) for value in one] for one in listed if isinstance(one, list | tuple))
    return any(len(values) > 1 and max(values) == sought.number != sum(values) for values in several)


def _making(sought: Sought) -> Making:
    """What the number asked for is made of."""
    return making(answering(sought), _before(sought), sought.number, sought.rulebook.phrases.templates)


def _of_terms(sought: Sought, over: Fraction) -> str:
    """What is added up of the number: a term that was left out, added where it is taken off, or counted twice, or two
    that were left out; or the sum of two, of which the difference is asked for.
    """
    made = _making(sought)
    if len(made.parted) == 2 and abs(sought.number + over) == sum(made.parted):
        return f"Vous avez peut-être additionné {listing([shown(one) for one in made.parted])}."
    dice = [one.value for mark in answering(sought) for one in mark.operands.values() if one.source == "dice"]
    for thrown in (list(map(exact, one)) for one in dice if isinstance(one, list | tuple) and len(one) > 1):
        if sum(filter(None, thrown)) == sought.number + over and set(thrown) <= set(made.terms):
            return f"Ce sont les dés seuls, {listing([shown(one) for one in thrown])}."
    terms = [term for term in made.terms if abs(term) != abs(sought.number) or term < 0]
    for times, words in _TIMES.items():
        term = next((term for term in terms if over == times * term and (term < 0 or times != -2)), None)
        said = _term(sought, made, term) if term else ""
        if said:
            return f"Vous avez peut-être {words} {said}."
        if term and times == -1 and made.listed and abs(term) not in (1, abs(sought.number)):
            return f"Vous avez peut-être {words} une valeur de {shown(abs(term), sought.unit)}."
        if term and times == -2:
            return "Vous avez peut-être ajouté ce qui se retranche."
    pairs = [(one, other) for at, one in enumerate(terms) for other in terms[at + 1 :] if over == -one - other]
    both = [_term(sought, made, term) for term in pairs[0]] if len(pairs) == 1 and len(terms) > 2 else [""]
    if all(both):
        return f"Vous avez peut-être laissé de côté {' et '.join(both)}."
    said = _of_others(sought, made, over)
    return f"Vous avez peut-être pris la valeur d’un autre{NBSP}: {said}." if said else ""


def _of_others(sought: Sought, made: Making, over: Fraction) -> str:
    """The sentence of a step that says of something else what one of the terms is; "" for none, or several."""
    children = [one for one in sought.result.trace.children if one.kind == "rule"]
    direct = [(one, exact(one.value)) for one in children if [step.code for step in children].count(one.code) == 2]
    own = [(one.code, one.unit, term) for one, term in direct if term in made.terms and among(one, made.steps or ())]
    valued = [(one, number) for one, number in direct if number is not None and not among(one, made.steps or ())]
    others = [one for one, number in valued if (one.code, one.unit, number - over) in own]
    sentences = {cited(sought.position, step, sought.number) for step in others}
    return sentences.pop() if len(sentences) == 1 else ""


def _term(sought: Sought, made: Making, term: Fraction) -> str:
    """What brings a term, as a step says it; "" where that is not sure."""
    templates = sought.rulebook.phrases.templates
    steps = [one for one in made.steps or () if not made.signed or "{value:+}" in templates.get(one.code, "")]
    bringing = [step for step in steps if exact(step.value) == term]
    bringing = bringing or [step for step in steps if exact(step.value) == -term]
    within = [one for step in bringing for one in list(step.walk())[1:]]
    alone = [step for step in bringing if not among(step, within) and not among(step, answering(sought))]
    alone = [step for step in alone if not any(step is not one and _reads_it(one, step) for one in alone)]
    sentences = {cited(sought.position, step, sought.number) for step in alone}
    said = sentences.pop() if len(sentences) == 1 else ""
    return f"cette étape{NBSP}: {said}" if said and says(said, frozenset({term}), [abs(term)]) else ""


def _reads_it(step: Step, row: Step) -> bool:
    """Whether a row is only what another step reads."""
    return row.kind == "table" and any(one is row for one in step.walk())


def _on_dice(sought: Sought) -> bool:
    """Whether the number asked for is counted on dice, to which nothing is added."""
    dice = (step for step in sought.result.trace.walk() if step.kind == "dice")
    return any(exact(step.value) == sought.number for step in dice)


def _change(sought: Sought, at_hand: Evidence, term: Step, terms: Sequence[Step]) -> int | None:
    """What a term does to the right number, as the engine answers without its rule, or that of what it is a part of: 1
    where it is added, -1 where it is taken off, 0 where that changes something else; None where it does not say.
    """
    above = [one for one in sought.result.trace.walk() if among(term, list(one.walk()))]
    tried = [
        one for one in reversed(above) if one.rule in sought.result.consulted and one.rule in at_hand.book.omittable
    ]
    if not sought.path or not tried:
        return None
    other = at_hand.others.get(tried[0].rule or "")
    without = exact(pick(view(other), sought.path)) if other and other.computed else None
    if without == sought.number:
        return 0
    beside = above[-2].children if len(above) > 1 else []
    total = sum(
        (exact(one.value) or Fraction(0) for one in terms if one.rule == term.rule and among(one, beside)), Fraction(0)
    )
    return {sought.number - total: 1, sought.number + total: -1}.get(without) if without is not None and total else None


def _led(sought: Sought) -> Iterator[tuple[Step, Fraction]]:
    """The steps with a number of those that lead to the one asked for."""
    led = {id(step) for step in _before(sought)}
    return ((step, number) for step, number in _steps(sought.result) if id(step) in led)


def _before(sought: Sought) -> Sequence[Step]:
    """The steps up to the one that answers, named or the last that brings the number asked for, with what it is made
    of: what comes after is no part of it.
    """
    walked = list(sought.result.trace.walk())[1:]
    bringing = [at for at, step in enumerate(walked) if exact(step.value) == sought.number]
    there = [at for at in bringing if any(walked[at] is step for step in answering(sought))]
    last = max(there or bringing, default=len(walked) - 1)
    led = {id(step) for step in (*walked[: last + 1], *(walked[last].walk() if walked else ()))}
    return [step for step in walked if id(step) in led]


def _of_one_step(sought: Sought, given: Fraction) -> str:
    """A number of one step, such as a printed value, where the answer comes after it; else of something else, but of no
    other total, nor of another piece.
    """
    rules, led, other = {step.rule for step in answering(sought)}, _before(sought), ""
    on_dice, made = _on_dice(sought), _making(sought)
    at_hand = Evidence(sought.result, sought.position, answering(sought), ())
    alike = {step.code.split("_")[0] for step in answering(sought)}  # what they say of one, others say of another
    for step, unit in _with_units(sought.result.trace):
        if among(step, at_hand.asides) or at_hand.of_another(step):
            continue
        within = step.operands if step.rule in rules else {}  # elsewhere they count something else
        apart = () if sought.unit.startswith(_COUNTED) else _SPANS  # hexes are no metres
        brought = [exact(step.value), *(exact(one.value) for name, one in within.items() if name not in apart)]
        if not given or step.kind == "input" or given not in brought:
            continue
        said = cited(sought.position, step, sought.number)
        if not says(said, frozenset({given})):
            continue  # « Leader 9-1 » says no −1
        odds = given.denominator > 1 and sought.number.denominator > 1 and step.code.split("_")[0] in alike
        counted = unit.startswith(_COUNTED) and not sought.unit.startswith(_COUNTED)
        leads = made.leads(step, given, at_hand.is_signed(step))
        if among(step, led) and leads and not odds and not counted and not on_dice:
            return f"{_ON_THE_WAY}{NBSP}: {said}."
        if among(step, led) or step.kind != "table":
            other = other or f"Ce nombre dit autre chose{NBSP}: {said}."
    return other


def _with_units(step: Step, unit: str = "") -> Iterator[tuple[Step, str]]:
    """All below a step, each with its unit, or that of what it is read for."""
    for one in step.children:
        yield one, one.unit or unit
        yield from _with_units(one, one.unit or unit)
