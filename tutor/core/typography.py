"""French typography, set where texts are read, so that who writes them uses ordinary spaces."""

from __future__ import annotations

import re
from typing import Any

NBSP, NNBSP, MINUS = "\u00a0", "\u202f", "\u2212"

_SPACED = (
    (re.compile(r"(?<=\S) (?=[:»])"), NBSP),
    (re.compile(r"(?<=\S) (?=[;!?])"), NNBSP),
    (re.compile(r"«[ \u00a0\u202f]?"), "«" + NBSP),
    (re.compile(r"(?<=[\d}]) (?=(?:%|PF|PM|PV|FP|MF|hexs?\b|m\b))"), NBSP),
    (re.compile(r"(?<=\bn°) (?=[\d{])"), NBSP),
    (re.compile(r"(?<=\bDRM) (?=[\d{−+-])"), NBSP),
    (re.compile(r"(?<=\w)'(?=\w)"), "’"),
    (re.compile(r"\.\.\."), "…"),
)


#: What any of them may change; most texts are read again once set, and need nothing. Each way begins with one character:
#: others are not looked at.
_WANTING = re.compile(
    r" (?:[:»;!?%]|(?<=[\d}] )(?:PF|PM|PV|FP|MF|hex|m\b)|(?<=DRM )[\d{−+-]|(?<=n° )[\d{−+-])|«(?!\u00a0)|'|\.\.\."
)


def typography(text: str) -> str:
    """French typography: no-break spaces before double signs and units, inside guillemets; true apostrophes.

    >>> typography("L'hex « K6 » bloque : pourquoi ?") == "L’hex «\u00a0K6\u00a0» bloque\u00a0: pourquoi\u202f?"
    True
    >>> typography("L'ordre n° 5 : 4 FP") == "L’ordre n°\u00a05\u00a0: 4\u00a0FP"
    True
    """
    if _WANTING.search(text) is None:
        return text
    for pattern, replacement in _SPACED:
        text = pattern.sub(replacement, text)
    return text


def typeset(data: Any) -> Any:
    """Plain data with every text set; keys are left.

    >>> typeset({"title": ["L'hex", 2]})
    {'title': ['L’hex', 2]}
    """
    if isinstance(data, str):
        return typography(data)
    if isinstance(data, dict):
        return {key: typeset(value) for key, value in data.items()}
    return [typeset(value) for value in data] if isinstance(data, list) else data
