"""A short word with hyphens is never cut at the end of a line: the kernel, in what it writes, and the page, in what a button
says, know it by one pattern.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from widgets.board.words import HYPHENED, whole

SCRIPT = Path(__file__).resolve().parents[2] / "widgets" / "host" / "static" / "course.js"


def test_the_page_keeps_whole_the_words_that_the_kernel_keeps_whole() -> None:
    written = re.search(r"^const HYPHENED = /(.+)/u;$", SCRIPT.read_text(encoding="utf-8"), re.MULTILINE)
    assert written
    assert written[1].replace(r"[\p{L}\p{N}_]", r"\w").replace(r"\p{L}\p{N}_", r"\w") == HYPHENED.pattern


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("La Garde voit-elle D2 ?", ["voit-elle"]),
        ("Un demi-hex, là-bas : ce 4-6-7.", ["demi-hex", "là-bas", "4-6-7"]),
        ("L’après-midi, s’est-elle tue ?", ["L’après-midi", "s’est-elle"]),
        ("Un blindé-incompréhensible.", []),
        ("−1, -3, 5-, C2/D2", []),
    ],
)
def test_a_short_word_with_hyphens_is_kept_whole(text: str, kept: list[str]) -> None:
    assert re.findall(r'<span class="ldv-whole">(.*?)</span>', whole(text)) == kept
