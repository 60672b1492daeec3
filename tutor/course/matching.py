"""Partial comparison of plain data: what a case expects, what a choice means, what an exercise must keep."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from math import isfinite
from typing import Any

from tutor.core.errors import RequestError
from tutor.core.result import Result
from tutor.core.trace import Step, plain

_RATIO = re.compile(r"-?\d+(/[1-9]\d*)?\Z")


def view(result: Result[Any]) -> dict[str, Any]:
    """What patterns are compared with: outcome, value, refusals (rule ids), reasons (their step codes) and missing, as plain
    data.
    """
    return {
        "outcome": result.outcome,
        "value": plain(result.value),
        "refusals": sorted({step.rule for step in result.refusals}),
        "reasons": sorted({step.code for step in result.refusals}),
        "missing": result.missing,
    }


def exact(value: Any) -> Fraction | None:
    """The exact number a plain value is, or None.

    >>> exact("435/1296"), exact(3), exact("woods"), exact(True)
    (Fraction(145, 432), Fraction(3, 1), None, None)
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, Fraction)):
        return Fraction(value)
    if isinstance(value, float):
        return Fraction(str(value)) if isfinite(value) else None
    return Fraction(value) if isinstance(value, str) and _RATIO.match(value) else None


def differences(expected: Any, actual: Any, path: str = "") -> list[str]:
    """Where actual data is not what was expected, as French lines.

    Args:
        expected: a pattern: mappings match partially, also a list of which they give places, lists whole, numbers and
            fractions exactly.
        actual: plain data.
        path: where we are, dotted.

    Returns:
        One line for each difference; empty when everything matches.

    >>> differences({"fp": 11, "odds": "1/2"}, {"fp": 11, "odds": "2/4", "more": 1})
    []
    >>> differences({"fp": 11}, {"fp": 10}, "value")
    ['value.fp : attendu 11, obtenu 10']
    >>> differences({"points": {"1": 60}}, {"points": [40, 60]})
    []
    """
    if isinstance(expected, Mapping):
        if isinstance(actual, list) and expected and all(str(key).isdigit() for key in expected):
            actual = {str(at): item for at, item in enumerate(actual)}
        if not isinstance(actual, Mapping):
            return [f"{path or 'racine'} : attendu un bloc de clés, obtenu {_shown(actual)}"]
        lines: list[str] = []
        for key, item in expected.items():
            place = f"{path}.{key}" if path else str(key)
            if str(key) in actual:
                lines += differences(item, actual[str(key)], place)
            else:
                lines.append(f"{place} : attendu {_shown(item)}, absent (clés : {', '.join(actual) or 'aucune'})")
        return lines
    if isinstance(expected, list):
        if not isinstance(actual, list) or len(expected) != len(actual):
            return [f"{path or 'racine'} : attendu {_shown(expected)}, obtenu {_shown(actual)}"]
        return [
            line
            for i, item in enumerate(expected)
            for line in differences(item, actual[i], f"{path}.{i}" if path else str(i))
        ]
    one, other = exact(expected), exact(actual)
    same = (
        one == other
        if one is not None and other is not None
        else expected == actual and isinstance(expected, bool) == isinstance(actual, bool)
    )
    return [] if same else [f"{path or 'racine'} : attendu {_shown(expected)}, obtenu {_shown(actual)}"]


def matches(expected: Any, actual: Any) -> bool:
    """Whether actual data fits a pattern.

    >>> matches({"value": {"visible": False}}, {"outcome": "computed", "value": {"visible": False, "hindrance": 0}})
    True
    """
    return not differences(expected, actual)


def pick(data: Any, path: str) -> Any:
    """What stands at a dotted path of plain data.

    Args:
        data: plain data, as ``view`` gives.
        path: ``value.fp``, ``value.hits.0``.

    Raises:
        RequestError: nothing stands there.

    >>> pick({"value": {"fp": 11}}, "value.fp")
    11
    """
    here = data
    for part in path.split("."):
        if isinstance(here, Mapping) and part in here:
            here = here[part]
        elif isinstance(here, list) and part.isdigit() and int(part) < len(here):
            here = here[int(part)]
        else:
            names = ", ".join(map(str, here)) if isinstance(here, Mapping) else "aucune"
            raise RequestError(f"Le résultat n’a pas de « {path} ».", remedy=f"Clés à cet endroit : {names}.")
    return here


def _shown(value: Any) -> str:
    names = {None: "rien", True: "vrai", False: "faux"}
    if isinstance(value, bool) or value is None:
        return names[value]
    text = str(value)
    return text if len(text) <= 160 else text[:157] + "…"


def deciding(result: Result[Any], because: str | None = None) -> Sequence[Step]:
    """The steps that answer a question: every reason of a refusal, else one step of the trace.

    Args:
        result: of the question.
        because: rule id or code of the step, the last such one, perhaps of a place or a piece (``los.on@02.09``), or
            that alone (``@canon``); None: the last of the trace.

    >>> from tutor import ask, load_position
    >>> answer = ask(load_position("combat_commander", "livret-ldv"), "los", start="M9", end="N6")
    >>> [step.rule for step in deciding(answer)], [step.rule for step in deciding(answer, "10.1.1")]
    (['10.3'], ['10.1.1'])
    """
    if result.refusals:
        return result.refusals
    name, _, there = (because or "").partition("@")
    named = [step for step in result.trace.walk() if name in (step.rule, step.code, "")] if because else []
    named = [step for step in named if not there or any(place.ref == there for place in step.where)]
    return named[-1:] or result.trace.children[-1:]


def values_within(when: Any) -> Iterator[Any]:
    """The values that a pattern stands for.

    >>> list(values_within({"outcome": "computed", "value": {"visible": True, "hindrance": 2}}))
    ['computed', True, 2]
    """
    if isinstance(when, Mapping | list):
        for value in when.values() if isinstance(when, Mapping) else when:
            yield from values_within(value)
    else:
        yield when


def without_numbers(when: Mapping[str, Any], kept: Collection[Fraction]) -> dict[str, Any]:
    """What a pattern stands for, but for its numbers other than those kept.

    >>> without_numbers({"value": {"visible": True, "hindrance": 2}}, ())
    {'value': {'visible': True}}
    """
    left: dict[str, Any] = {}
    for key, value in when.items():
        if isinstance(value, Mapping):
            if within := without_numbers(value, kept):
                left[key] = within
        elif exact(value) is None or exact(value) in kept:
            left[key] = value
    return left
