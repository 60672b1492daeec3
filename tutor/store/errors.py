"""What the store answers when it does not do what it was asked."""

from __future__ import annotations

from typing import Literal

from tutor.core.errors import TutorError

#: Why nothing can be kept now.
Reason = Literal["locked", "full", "readonly", "away"]
SENTENCES: dict[Reason, str] = {
    "locked": "La base de données est occupée.",
    "full": "Il n’y a plus de place sur le disque de la base de données.",
    "readonly": "Le dossier de données est en lecture seule : la progression n’est pas gardée.",
    "away": "La base de données ne répond pas.",
}


class Refused(TutorError):
    """A request that will never do: forged, too long, senseless. Sending it again changes nothing."""


class Forbidden(Refused):
    """A request for what belongs to somebody else, or without the secret that it needs."""


class Away(TutorError):
    """The database cannot answer now; the same request may do later.

    Args:
        reason: locked, full, readonly or away.

    >>> str(Away("full"))
    'Il n’y a plus de place sur le disque de la base de données.'
    """

    def __init__(self, reason: Reason) -> None:
        super().__init__(SENTENCES[reason])
        self.reason: Reason = reason
