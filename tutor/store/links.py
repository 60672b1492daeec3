"""Short links: a code of eight characters for an address of this site."""

from __future__ import annotations

import hashlib

from sqlalchemy import insert, select, update

from tutor.store import checks, codes
from tutor.store.errors import Refused
from tutor.store.operations import Call, operation
from tutor.store.schema import links
from tutor.store.who import Result

LONGEST_TARGET = 8_000
#: A link that is used is noted once in this many seconds; after a year without use it goes.
USE = 86_400.0


def _code(kind: str, target: str, turn: int) -> str:
    """A code drawn from what it stands for: the same address has one code, however often it is shared."""
    number = int.from_bytes(hashlib.sha256(f"{turn}:{kind}:{target}".encode()).digest())
    digits = []
    for _ in range(codes.LINK_LENGTH):
        number, digit = divmod(number, len(codes.ALPHABET))
        digits.append(codes.ALPHABET[digit])
    return "".join(digits)


def local(target: str) -> str:
    """An address of this site, path first.

    Raises:
        Refused: when it leads elsewhere.

    >>> local("/voila/render/accueil.ipynb?position=x")
    '/voila/render/accueil.ipynb?position=x'
    """
    if not target.startswith("/") or target.startswith(("//", "/\\")) or any(char in target for char in "\r\n\t\\"):
        raise Refused("Un lien court mène à une page de ce site.")
    return target


@operation("link.make", "write", "anyone")
def make(call: Call) -> Result:
    """A short code: `kind`, `target` (an address of this site)."""
    kind = checks.text(call.args, "kind", 20)
    target = local(checks.text(call.args, "target", LONGEST_TARGET))
    for turn in range(8):
        code = _code(kind, target, turn)
        known = call.db.execute(select(links.c.kind, links.c.target).where(links.c.code == code)).first()
        if known is None:
            row = {"code": code, "kind": kind, "target": target, "created": call.now, "used": call.now}
            call.db.execute(insert(links).values(**row))
        elif tuple(known) != (kind, target):
            continue  # two addresses with one code: the next draw
        return {"code": code}
    raise Refused("Ce lien n’a pas pu être raccourci.")


@operation("link.get", "read", "anyone")
def get(call: Call) -> Result:
    """What a short code stands for: `code`."""
    code = codes.typed(call.args.get("code"), codes.LINK_LENGTH)
    row = call.db.execute(select(links.c.kind, links.c.target).where(links.c.code == code)).first()
    if row is None:
        raise Refused("Ce lien est inconnu.", remedy="Il a peut-être expiré.")
    return {"kind": row.kind, "target": row.target}


@operation("link.used", "write", "anyone", receipt=False)
def used(call: Call) -> Result:
    """Note that a link serves: `code`."""
    code = codes.typed(call.args.get("code"), codes.LINK_LENGTH)
    old = links.c.used < call.now - USE
    call.db.execute(update(links).where(links.c.code == code, old).values(used=call.now))
    return {}
