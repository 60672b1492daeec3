"""Reading the arguments of a request: each helper gives a value that is safe to keep, or refuses."""

from __future__ import annotations

import json
import math
import unicodedata
from typing import Any

from tutor.store.errors import Refused
from tutor.store.who import Args

#: A name of ours: lesson, exercise, rule, game.
LONGEST_NAME = 120
#: Whole numbers that both databases hold.
HIGHEST = 2**31 - 1
MISSING: Any = object()


def _bad(name: str, why: str) -> Refused:
    return Refused(f"La demande n’est pas valable : « {name} » {why}.")


def text(args: Args, name: str, most: int = LONGEST_NAME, default: Any = MISSING) -> str:
    """A text without control characters, of `most` characters at most.

    Args:
        args: arguments of the request.
        name: which one.
        most: characters.
        default: taken when it is absent; without it the text must be there and not empty.

    Raises:
        Refused: when it is none.

    >>> text({"lesson": "tir"}, "lesson"), text({}, "variant", default="")
    ('tir', '')
    """
    value = args.get(name)
    if value is None and default is not MISSING:
        return str(default)
    if not isinstance(value, str) or (not value and default is MISSING):
        raise _bad(name, "manque")
    if len(value) > most:
        raise _bad(name, f"a plus de {most} caractères")
    if any(unicodedata.category(char) in ("Cc", "Cs") and char not in "\n\t\r" for char in value):
        raise _bad(name, "contient un caractère interdit")
    return value


def whole(args: Args, name: str, low: int = 1, high: int = HIGHEST, default: Any = MISSING) -> int:
    """A whole number between two bounds.

    >>> whole({"session": 3}, "session"), whole({}, "limit", default=50)
    (3, 50)
    """
    value = args.get(name)
    if value is None and default is not MISSING:
        return int(default)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise _bad(name, f"n’est pas un nombre entier de {low} à {high}")
    return value


def flag(args: Args, name: str) -> bool:
    """True or false.

    >>> flag({"ok": False}, "ok")
    False
    """
    value = args.get(name)
    if not isinstance(value, bool):
        raise _bad(name, "n’est ni vrai ni faux")
    return value


def seconds(args: Args, name: str = "seconds") -> float | None:
    """A duration in seconds, at most a day; None when it is not given.

    >>> seconds({"seconds": 2}), seconds({}), seconds({"seconds": 10**400})
    (2.0, None, 86400.0)
    """
    value = args.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise _bad(name, "n’est pas une durée")
    return float(min(value, 86_400))


def names(args: Args, name: str, most: int = 40) -> list[str]:
    """A list of different names, in the order given.

    >>> names({"missed": ["O20.3", "O20.3"]}, "missed"), names({}, "missed")
    (['O20.3'], [])
    """
    value = args.get(name)
    if value is None:
        return []
    if not isinstance(value, list | tuple) or len(value) > most:
        raise _bad(name, f"n’est pas une liste de {most} noms au plus")
    return list(dict.fromkeys(text({"nom": entry}, "nom", 80) for entry in value))


def data(args: Args, name: str, most: int = 4_000, default: Any = MISSING) -> str:
    """Any value that JSON has, as JSON text of `most` characters at most.

    >>> data({"answer": {"hex": "K7"}}, "answer")
    '{"hex": "K7"}'
    """
    if name not in args and default is not MISSING:
        return json.dumps(default)
    try:
        written = json.dumps(args.get(name), ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise _bad(name, "n’est pas une donnée") from error
    if len(written) > most:
        raise _bad(name, f"prend plus de {most} caractères")
    if "\\u0000" in written or any(unicodedata.category(char) == "Cs" for char in written):
        raise _bad(name, "contient un caractère interdit")
    return written


def nickname(args: Args, name: str = "nickname") -> str:
    """A nickname: trimmed, without invisible characters, 24 characters at most. It is *not* escaped: who shows it does.

    Raises:
        Refused: when nothing is left of it.

    >>> nickname({"nickname": "  Ana \\u202e  B. "})
    'Ana B.'
    """
    value = args.get(name)
    raw = unicodedata.normalize("NFC", value[:400]) if isinstance(value, str) else ""
    seen = "".join(char if unicodedata.category(char)[0] != "C" else " " for char in raw)
    short = " ".join(seen.split())[:24].strip()
    if not short:
        raise Refused("Il faut un pseudonyme.", remedy="Écrivez un prénom ou un surnom de 24 lettres au plus.")
    return short
