"""Words of the pages, as HTML."""

from __future__ import annotations

import re

#: Short words with hyphens: « voit-elle », « demi-hex », the counter 4-6-7. ``course.js`` has the same; a test compares.
HYPHENED = re.compile(r"(?<!\w)([\w’]{1,12}(?:-\w{1,7}){1,3})(?!\w)")


def whole(text: str) -> str:
    """HTML in which a short word with hyphens is never cut at the end of a line.

    >>> whole("La Garde voit-elle D2 ?")
    'La Garde <span class="ldv-whole">voit-elle</span> D2 ?'
    """
    return HYPHENED.sub(r'<span class="ldv-whole">\g<0></span>', text)
