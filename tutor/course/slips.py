"""The likeliest mistakes of who types a number, chooses hexes or puts things in order, recognised in the trace."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from tutor.core.phrases import NBSP, listing
from tutor.core.registry import game
from tutor.core.result import Result
from tutor.core.trace import Step
from tutor.core.typography import NNBSP
from tutor.course.answers import Number, shown
from tutor.course.evidence import Evidence, among
from tutor.course.exercises import Task
from tutor.course.figures import in_order, numbers, places, says
from tutor.course.headlines import answering_exercise, only_allowed
from tutor.course.making import Making, making
from tutor.course.matching import deciding, exact, pick, view
from tutor.course.misread import given_in, misread
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
#: Most hexes that a step names as the reason of one of them; with more, it gives the whole answer.
_MOST_NAMED = 2


def slip(task: Task, given: Any) -> str:
    """Which of the likeliest mistakes a wrong answer is, as prose that never says the answer; "" for none.

    Args:
        task: the exercise on screen.
        given: what ``Task.read`` made of the answer.
    """
    solution = task.solution()
    if isinstance(given, Number) and isinstance(solution, Fraction):
        answer = task.exercise.answer
        result, path = task.result(), answer.from_ or "value"
        because = answering_exercise(task, result)
        sought = Sought(result, task.position, solution, path, answer.unit or "", because)
        number, next_to = given.value, abs(given.value - solution) == 1
        if said := _sure(sought, number):
            return said
        beside = misread(task, number) or ("" if next_to else given_in(task, number))
        return (
            f"{beside} Voyez {named(game(task.game_id), task.exercise.rules[0])}." if beside else _near(sought, number)
        )
    if isinstance(given, frozenset) and isinstance(solution, frozenset):
        return _of_hexes(task, given, solution)
    if isinstance(given, tuple) and isinstance(solution, tuple):
        label = next(one for one, right in zip(given, solution, strict=True) if one != right)
        return f"À mettre plus bas{NBSP}: {ranked(task, [label])[0].sentence()}"  # all above it are right
    return ""


# -- a number ------------------------------------------------------------------------------------------------------


def slip_of_number(sought: Sought, given: Fraction) -> str:
    """Which of the likeliest mistakes a wrong number is, as prose that never says the right one; "" for none.

    Args:
        sought: the right one, and where it comes from.
        given: the wrong one.
    """
    return _sure(sought, given) or _near(sought, given)


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
        f"Le nombre y est, mais pas son signe{to_read(sought)}." if given and given == -right else "",
        _of_terms(sought, given - right),
    ):
        if sentence:
            return sentence
    return ""


def _near(sought: Sought, given: Fraction) -> str:
    """Which mistake a number is, as near as it is to the right one."""
    right, unit, again = sought.number, sought.unit, to_read(sought)
    if _is_chance(sought):
        return ""
    thrown = any(one.source == "dice" for step in answering(sought) for one in step.operands.values())
    if given == right + 1 and unit.startswith(_COUNTED) and not thrown and not _is_read_beside_a_distance(sought):
        departure = sought.position.board.words.the
        counted = f"Vous avez peut-être compté {departure} de départ, mais on compte à partir du premier pas"
        return f"{counted}{again}."
    if right and given in (2 * right, right / 2) and abs(given - right) != 1:  # as likely one miscounted
        return f"C’est {'le double' if given == 2 * right else 'la moitié'} de ce qu’il faut{again}."
    return f"Vous y êtes à un près{again}." if abs(given - right) == 1 else ""


def _of_the_contrary(sought: Sought, given: Fraction) -> str:
    """The odds that what is asked about does not happen."""
    if 0 < sought.number < 1 and given == 1 - sought.number != sought.number and sought.unit in ("", "%"):
        return f"C’est la chance que cela n’arrive pas{to_read(sought)}."
    return ""


def _of_more_odds(sought: Sought, given: Fraction) -> str:
    """The odds asked for, with those of something else that their step says."""
    for step in answering(sought):
        others = [exact(one.value) or 0 for one in step.operands.values()]
        if exact(step.value) == sought.number and any(0 < one == given - sought.number for one in others):
            return f"Vous avez peut-être compté aussi la chance d’autre chose{to_read(sought)}."
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
            return f"C’est une autre valeur, «{NBSP}{label}{NBSP}», pas celle qui est demandée{to_read(sought)}."
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
            said = f"une valeur de {shown(abs(over), sought.unit)}{to_read(sought)}"
        else:
            said = cited(sought.position, steps[values.index(abs(over))], sought.number)
            said = f"cette étape{NBSP}: {said}" if said else ""
        if said:
            return f"Vous avez peut-être {'laissé de côté' if over < 0 else 'compté deux fois'} {said}."
    return ""


def _making(sought: Sought) -> Making:
    """What the number asked for is made of."""
    return making(answering(sought), _before(sought), sought.number, sought.rulebook.phrases.templates)


def _of_terms(sought: Sought, over: Fraction) -> str:
    """What is added up of the number: a term that was left out, added where it is taken off, or counted twice, or two
    that were left out; or the sum of two, of which the difference is asked for.
    """
    made, again = _making(sought), to_read(sought)
    if len(made.parted) == 2 and abs(sought.number + over) == sum(made.parted):
        return f"Vous avez peut-être additionné {listing([shown(one) for one in made.parted])}{again}."
    dice = [one.value for mark in answering(sought) for one in mark.operands.values() if one.source == "dice"]
    for thrown in (list(map(exact, one)) for one in dice if isinstance(one, list | tuple) and len(one) > 1):
        if sum(filter(None, thrown)) == sought.number + over and set(thrown) <= set(made.terms):
            return f"Ce sont les dés seuls, {listing([shown(one) for one in thrown])}{again}."
    terms = [term for term in made.terms if abs(term) != abs(sought.number) or term < 0]
    for times, words in _TIMES.items():
        term = next((term for term in terms if over == times * term and (term < 0 or times != -2)), None)
        said = _term(sought, made, term) if term else ""
        if said:
            return f"Vous avez peut-être {words} {said}."
        if term and times == -1 and made.listed and abs(term) not in (1, abs(sought.number)):
            return f"Vous avez peut-être {words} une valeur de {shown(abs(term), sought.unit)}{again}."
        if term and times == -2:
            return f"Vous avez peut-être ajouté ce qui se retranche{again}."
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
    return f"cette étape{NBSP}: {said}" if said and says(said, frozenset({term})) else ""


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
        if not said or not says(said, frozenset({given})) or (given < 0 and given not in numbers(said, words=True)):
            continue  # « Leader 9-1 » says no −1
        odds = given.denominator > 1 and sought.number.denominator > 1 and step.code.split("_")[0] in alike
        counted = unit.startswith(_COUNTED) and not sought.unit.startswith(_COUNTED)
        leads = made.leads(step, given, at_hand.is_signed(step))
        if among(step, led) and leads and not odds and not counted and not on_dice:
            return f"Ce nombre n’est qu’une étape du calcul{NBSP}: {said}. Continuez."
        if among(step, led) or step.kind != "table":
            other = other or f"Ce nombre dit autre chose{NBSP}: {said}."
    return other


def _with_units(step: Step, unit: str = "") -> Iterator[tuple[Step, str]]:
    """All below a step, each with its unit, or that of what it is read for."""
    for one in step.children:
        yield one, one.unit or unit
        yield from _with_units(one, one.unit or unit)


# -- hexes and orders ----------------------------------------------------------------------------------------------


def tally(given: frozenset[str], solution: frozenset[str], feminine: bool = False, pointed: str = "") -> str:
    """How many of the hexes chosen are right and too many, and how many were missed, as a sentence.

    Args:
        given, solution: those chosen, and the right ones.
        feminine: they are squares, « des cases ».
        pointed: one that is too many, of which nothing else is said; "" for none.

    >>> tally(frozenset({"B2", "B3"}), frozenset({"B2", "C4"}))
    '1 juste, 1 de trop, 1 oublié.'
    >>> tally(frozenset({"B3"}), frozenset({"C4"}))
    'Aucun juste, 1 de trop, 1 oublié.'
    >>> tally(frozenset({"B3"}), frozenset({"C4"}), feminine=True)
    'Aucune juste, 1 de trop, 1 oubliée.'
    >>> tally(frozenset({"B3"}), frozenset(), pointed="B3"), tally(frozenset({"B3", "C3"}), frozenset(), pointed="B3")
    ('Aucun juste, 1 de trop (B3).', 'Aucun juste, 2 de trop (dont B3).')
    """
    right, extra, missed = len(given & solution), len(given - solution), len(solution - given)
    counts = (
        (right, f"juste{'s' if right > 1 else ''}"),
        (extra, f"de trop ({'dont ' if extra > 1 else ''}{pointed})" if pointed else "de trop"),
        (missed, f"oublié{'e' if feminine else ''}{'s' if missed > 1 else ''}"),
    )
    none = "Aucune" if feminine else "Aucun"
    return ", ".join(f"{number or none} {word}" for number, word in counts if number or word == "juste") + "."


def _of_hexes(task: Task, given: frozenset[str], solution: frozenset[str]) -> str:
    """How many are right, too many and missing, and why one of them is."""
    pointed, why = _of_extra(task, given, solution) if given - solution else ("", _of_missed(task, given, solution))
    counted = tally(given, solution, task.position.board.words.feminine, pointed)
    return " ".join(filter(None, (counted, why)))


def _of_extra(task: Task, given: frozenset[str], solution: frozenset[str]) -> tuple[str, str]:
    """A hex that is too many, where nothing is said of it; and why some are: that they are not offered, what the engine
    says of one, else what all that are right have.
    """
    extra = in_order(given - solution)
    offered = [place for place in extra if not task.spots or place in task.spots]
    if not offered:
        those = "celles" if task.position.board.words.feminine else "ceux"
        return "", f"{listing(extra)} {'ne sont' if len(extra) > 1 else 'n’est'} pas de {those} que l’on propose."
    reasons = {place: _of_place(task, place, solution - given) for place in offered}
    place = next((place for place, reason in reasons.items() if reason), offered[0])
    if not reasons[place]:
        return place, _what_all_have(task)
    return "", f"{_headed(place, reasons[place])}. {task.filled(task.exercise.answer.criterion or '')}".strip()


def _headed(place: str, reason: str) -> str:
    """The reason of a hex after its name, but where it begins with it."""
    return reason if reason.startswith(f"«{NBSP}{place}{NBSP}:") else f"{place}{NBSP}: {reason}"


def _of_missed(task: Task, given: frozenset[str], solution: frozenset[str]) -> str:
    """Why a hex is missing: what the engine says of one, where that names no other, else what all have; of the only one
    that is missing it would name the answer.
    """
    missed = in_order(solution - given)
    if len(missed) == 1:
        return _what_all_have(task)
    reasons = {place: _of_place(task, place, solution - given - {place}, solution) for place in missed}
    place = next((place for place, reason in reasons.items() if reason), "")
    return f"{_headed(place, reasons[place])}." if place else task.filled(task.exercise.answer.criterion or "")


def _what_all_have(task: Task) -> str:
    """What makes a hex right, as the exercise says it, or the rule that it is there for."""
    said = task.filled(task.exercise.answer.criterion or "")
    return said or f"Voyez {named(game(task.game_id), task.exercise.rules[0])}."


def _of_place(task: Task, place: str, hidden: Collection[str], right: Collection[str] = ()) -> str:
    """What the engine says of one hex, asked about alone, or by the last step that names it.

    Args:
        task: the exercise on screen; place: the hex.
        hidden: hexes that are not to be named, unless the question does.
        right: hexes, if any, of which a step says why they are right: one that names another too says why that is not.
    """
    there = task.about(place)
    if there is not task and _is_allowed(task, there):
        return f"rien ne s’y oppose ([[{task.exercise.rules[0]}]])"
    if there is not task:
        every = (cited(there.position, step) for step in deciding(there.result(), task.exercise.because))
        return f"{NNBSP}; ".join(filter(None, every))
    unsaid = frozenset(hidden) - places(task.question)
    for step in reversed(_own_steps(task)):
        if step.kind != "input" and any(place == one.ref for one in step.where):
            said = cited(task.position, step)
            named = places(said.rpartition(" ([[")[0])  # but for its rule
            title, whole = f":{NBSP}»" in said, len(named) > _MOST_NAMED
            of_another = bool(right) and not named <= {*right, *places(task.question)}
            if place in named and not (title or whole or of_another or named & unsaid):
                return said
    return ""


def _is_allowed(task: Task, there: Task) -> bool:
    """Whether an exercise asks only where something is allowed, and it is there: what it comes to says nothing of why."""
    return only_allowed(task) and there.result(trace=False).computed


def _own_steps(task: Task) -> Sequence[Step]:
    """The steps of an answer but for those of another question asked on the way, such as a sight."""
    trace, rulebook = task.result().trace, game(task.game_id)
    asides = set(rulebook.rules) - {task.exercise.ask}
    direct = {id(step) for step in trace.children}
    walked = list(trace.walk())[1:]
    return [step for step in walked if id(step) in direct or step.code.partition(".")[0] not in asides]
