"""The text of a file that a reader opens."""

from __future__ import annotations

from typing import Any

from tutor.core.encoding import NotText, decoded
from tutor.core.errors import PositionError
from tutor.core.phrases import NBSP
from widgets.board.bridge import LARGEST


def read_file(files: Any) -> str:
    """The text of the file that the reader opened.

    Args:
        files: value of the button.

    Raises:
        PositionError: too large (the page itself refuses such a file before it is sent), or no text.

    >>> read_file(({"content": b"schema: 1"},))
    'schema: 1'
    """
    content = bytes(files[0]["content"])
    if len(content) > LARGEST:
        raise PositionError("Ce fichier est trop grand.", remedy=f"{LARGEST // 1000}{NBSP}ko au plus.")
    try:
        return decoded(content)
    except NotText as error:
        raise PositionError("Ce fichier n’est pas un texte en UTF-8.", remedy=error.remedy) from None
