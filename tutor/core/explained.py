"""Every fault that pydantic finds in a file or a link, as one French sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

_MESSAGES = {
    "missing": "cette clé manque",
    "extra_forbidden": "clé inconnue",
    "string_pattern_mismatch": "nom mal formé",
    "int_type": "un nombre entier est attendu",
    "string_type": "un texte est attendu",
    "bool_type": "vrai ou faux est attendu",
    "list_type": "une liste est attendue",
    "tuple_type": "une liste est attendue",
    "dict_type": "un bloc de clés est attendu",
    "literal_error": "valeur hors de la liste permise",
    "too_long": "trop long",
    "too_short": "trop court",
    "string_too_long": "texte trop long",
    "greater_than_equal": "nombre trop petit",
    "less_than_equal": "nombre trop grand",
}


def _fault(fault: Mapping[str, Any]) -> str:
    """What is wrong at one place: what a check of ours says, else what pydantic found and the value it was given."""
    if fault["type"] == "value_error":
        return str(fault["ctx"]["error"])
    given = "" if fault["type"] == "missing" or isinstance(fault["input"], (dict, list)) else str(fault["input"])[:40]
    return _MESSAGES.get(fault["type"], "valeur non valable") + (f" (« {given} »)" if given else "")


def explain(error: ValidationError) -> str:
    """Every fault of a pydantic check as one French sentence.

    Args:
        error: what the check raised.
    """
    seen: dict[str, str] = {}
    for fault in error.errors(include_url=False):
        place = ".".join(
            str(part)[:40]
            for part in fault["loc"]
            if not (isinstance(part, str) and part.startswith(("function", "bool", "int", "str", "list[", "dict[")))
        )
        seen.setdefault(place, f"{place} : {_fault(fault)}" if place else _fault(fault))
    faults = list(seen.values())
    said = " ; ".join(faults[:8]) + (f" ; et {len(faults) - 8} autres" if len(faults) > 8 else "") + "."
    return "".join(char if char.isprintable() or char.isspace() else "�" for char in said)  # it can be sent, and read
