"""Sequential rolls, 11 to 66: the red die gives tens, the white die units.

**Rule:** 1.6.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tutor.core.dice import PAIRS
from tutor.core.errors import RequestError

#: The 36 sequential rolls, each as likely as the others, in order.
D66: tuple[int, ...] = tuple(10 * red + white for red, white in PAIRS)
#: Probability of each.
EACH = Fraction(1, len(D66))


def sequential(value: Any) -> int:
    """A sequential roll given by a reader: 34, or the red die then the white one, [3, 4].

    Raises:
        RequestError: not such a roll.

    >>> sequential(34), sequential([3, 4])
    (34, 34)
    """
    if isinstance(value, (list, tuple)) and len(value) == 2 and all(type(v) is int for v in value):
        value = 10 * value[0] + value[1]
    if type(value) is int and value in D66:
        return value
    raise RequestError(
        f"« {value} » n’est pas un jet de 11 à 66.",
        remedy="Donnez le dé rouge puis le dé blanc, de 1 à 6 chacun : 34, ou [3, 4].",
    )
