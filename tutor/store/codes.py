"""Secrets and short codes: how they are made, read as typed, and hashed."""

from __future__ import annotations

import hashlib
import re
import secrets

from tutor.store.errors import Refused

#: No 0 O 1 I L U: nothing that is misread on a projector or on paper, no word by accident.
ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
RESUME_LENGTH = 16
SESSION_LENGTH = 6
LINK_LENGTH = 8
KEY_LENGTH = 24
SHORTEST_TOKEN, LONGEST_TOKEN = 20, 128


def make(length: int) -> str:
    """A random code of `length` characters; 16 of them hold 78 bits.

    >>> len(make(6)), set(make(200)) <= set(ALPHABET)
    (6, True)
    """
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def typed(text: object, length: int) -> str:
    """A code as somebody typed it: spaces, hyphens and case do not count.

    Args:
        text: what was typed.
        length: characters that the code has.

    Raises:
        Refused: when it cannot be a code.

    >>> typed(" k7pm-2qx9-abcd-efgh ", 16)
    'K7PM2QX9ABCDEFGH'
    """
    code = re.sub(r"[\s\u00a0\u202f-]", "", text).upper() if isinstance(text, str) and len(text) < 200 else ""
    if len(code) != length or not set(code) <= set(ALPHABET):
        raise Refused("Ce code n’a pas la bonne forme.", remedy="Recopiez-le en entier.")
    return code


def grouped(code: str) -> str:
    """A code as it is shown, by fours.

    >>> grouped("K7PM2QX9ABCDEFGH")
    'K7PM-2QX9-ABCD-EFGH'
    """
    return "-".join(code[at : at + 4] for at in range(0, len(code), 4))


def token(text: object) -> str:
    """A secret made by a page or a kernel, checked.

    Raises:
        Refused: when it is too short to be a secret, or too long.
    """
    if not isinstance(text, str) or not SHORTEST_TOKEN <= len(text) <= LONGEST_TOKEN:
        raise Refused("Ce jeton n’a pas la bonne forme.", remedy="Rechargez la page.")
    return text


def digest(kind: str, secret: str) -> str:
    """What is stored of a secret. Every secret is random and long, so that one round is enough.

    Args:
        kind: what it is for ("learner", "teacher"…): one secret never opens another door.
        secret: the secret itself.

    >>> digest("learner", "A") == digest("teacher", "A")
    False
    """
    return hashlib.sha256(f"ldv:{kind}:{secret}".encode()).hexdigest()
