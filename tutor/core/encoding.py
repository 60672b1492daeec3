"""Texts of files and consoles that are not UTF-8: read or refused with advice, written as far as they can be.

>>> decoded(b"schema: 1")
'schema: 1'
"""

from __future__ import annotations

import codecs
from typing import Any

#: What stands for a character that a console cannot write.
_STAND_INS = {
    "\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u2011": "-", "\u2212": "-", "→": "->", "←": "<-", "↔": "<->",
    "≥": ">=", "≤": "<=", "≠": "!=", "×": "x", "’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"', "…": "...",
    "–": "-", "—": "-", "•": "-", "✓": "+", "✗": "x", "½": "1/2", "œ": "oe", "Œ": "OE",
}  # fmt: skip
#: Name of the way of dealing with what cannot be written, for ``open`` and ``reconfigure``.
STAND_IN = "ldv.stand_in"


class NotText(ValueError):
    """Bytes that are not a text in UTF-8.

    Args:
        remedy: French advice.
    """

    def __init__(self, remedy: str) -> None:
        super().__init__(remedy)
        self.remedy = remedy


def decoded(content: bytes) -> str:
    """The text of a file, whose mark of UTF-8 may stand first.

    Raises:
        NotText: it was saved in another way.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        kind = "en UTF-16" if wide else "dans un autre alphabet (« ANSI »)"
        raise NotText(
            f"Il semble écrit {kind}\u202f: enregistrez-le en UTF-8 (« Enregistrer sous », Encodage), puis rouvrez-le."
        ) from None


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    wanted = error.object[error.start : error.end]
    return "".join(_written(letter, error.encoding) for letter in wanted), error.end


def _written(letter: str, encoding: str) -> str:
    for text in (_STAND_INS.get(letter, ""), "?"):
        try:
            if text:
                text.encode(encoding)
                return text
        except UnicodeEncodeError:
            continue
    return ""


codecs.register_error(STAND_IN, _stand_in)


def never_fail(*streams: Any) -> None:
    """Let consoles write what they can: a character they lack is replaced by one that says the same.

    Args:
        streams: standard output and error; one that cannot be told is left as it is.
    """
    for stream in streams:
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=STAND_IN)


def is_unicode(stream: Any) -> bool:
    """Whether a console writes every character."""
    return (getattr(stream, "encoding", None) or "utf-8").lower().replace("-", "").startswith("utf")
