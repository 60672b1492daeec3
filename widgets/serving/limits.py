"""How much one visitor may take, and what is kept for classes and teachers: numbers only, with their defaults."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What the house allows.

    Args:
        places: readers at once, in all.
        visitor_places: pages that one browser may have open.
        address_places: pages that one address may have open, classes and teachers not counted.
        visitor_openings: pages that one browser may open, a minute.
        address_openings: pages that one address may open, a minute.
        class_places: places kept for open classes at most, all together.
        teacher_places: places kept for teachers, on a server that has any.
        tickets: readers who may wait for their turn.
        unopened: seconds after which a page that never came to life gives its place back.
        prepared: seconds for which kernels that were prepared for a class wait for it; 0 prepares none.
    """

    places: int
    visitor_places: int = 8
    address_places: int = 40
    visitor_openings: int = 30
    address_openings: int = 240
    class_places: int = 30
    teacher_places: int = 2
    tickets: int = 120
    unopened: int = 20
    prepared: int = 600

    @classmethod
    def of(cls, places: int) -> Limits:
        """The limits of a house of so many places.

        >>> Limits.of(60).address_places, Limits.of(10).teacher_places, Limits.of(1).class_places
        (40, 1, 0)
        """
        return cls(
            places=places,
            address_places=max(1, 2 * places // 3),
            address_openings=max(60, 4 * places),
            class_places=places // 2,
            teacher_places=min(2, places // 10),
            tickets=2 * places,
        )
