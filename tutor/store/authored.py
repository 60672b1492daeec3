"""Positions and lessons that readers write: data in the store, changed only with their owner's code."""

from __future__ import annotations

import hmac
from typing import Any

from sqlalchemy import delete, insert, select, update

from tutor.store import checks, codes
from tutor.store.errors import Forbidden, Refused
from tutor.store.operations import Call, operation
from tutor.store.schema import authored
from tutor.store.who import Result

KINDS = ("position", "lesson")
LONGEST_BODY = 200_000
#: What one owner may keep.
MOST_OWNED = 500
SHORTEST_OWNER = 16


def _owner(call: Call) -> str:
    """Hash of the owner: his secret, else the teacher who asks.

    Raises:
        Refused: when the secret is too short to be one.
    """
    given = call.args.get("owner")
    if given is None and call.who.teacher is not None:
        return codes.digest("teacher-owner", str(call.who.teacher))
    secret = given.replace("-", "").strip() if isinstance(given, str) else ""
    if not SHORTEST_OWNER <= len(secret) <= codes.LONGEST_TOKEN:
        raise Refused("Le code de l’auteur n’a pas la bonne forme.", remedy="Recopiez-le en entier.")
    return codes.digest("owner", secret)


def _row(call: Call) -> Any:
    code = codes.typed(call.args.get("code"), codes.LINK_LENGTH)
    row = call.db.execute(select(authored).where(authored.c.code == code)).first()
    if row is None:
        raise Refused("Ce code ne correspond à rien de gardé.", remedy="Vérifiez chaque caractère.")
    return row


def _own(call: Call) -> Any:
    row = _row(call)
    if not hmac.compare_digest(row.owner_hash, _owner(call)):
        raise Forbidden("Seul son auteur peut changer cela.", remedy="Enregistrez-en une copie.")
    return row


@operation("authored.save", "write", "anyone")
def save(call: Call) -> Result:
    """Keep: `kind`, `game`, `title`, `body`, `owner`; `code` and `version` to change what is kept."""
    args = call.args
    values = {
        "title": checks.text(args, "title"),
        "game": checks.text(args, "game", 40),
        "body": checks.text(args, "body", LONGEST_BODY),
        "changed": call.now,
    }
    if args.get("code") is not None:
        row = _own(call)
        version = checks.whole(args, "version", default=row.version)
        if version != row.version:
            raise Refused("Cela a été changé ailleurs entre-temps.", remedy="Rechargez, ou enregistrez une copie.")
        call.db.execute(update(authored).where(authored.c.code == row.code).values(version=version + 1, **values))
        return {"code": row.code, "version": version + 1}
    kind = checks.text(args, "kind", 20)
    if kind not in KINDS:
        raise Refused("La demande n’est pas valable : « kind » est inconnu.")
    owner = _owner(call)
    mine = call.db.execute(select(authored.c.code).where(authored.c.owner_hash == owner)).all()
    if len(mine) >= MOST_OWNED:
        raise Refused(f"Vous gardez déjà {MOST_OWNED} positions et leçons.", remedy="Effacez-en d’abord.")
    code = codes.make(codes.LINK_LENGTH)
    row = {"code": code, "owner_hash": owner, "kind": kind, "version": 1, "created": call.now, **values}
    call.db.execute(insert(authored).values(**row))
    return {"code": code, "version": 1}


@operation("authored.get", "read", "anyone")
def get(call: Call) -> Result:
    """What is kept under a code: `code`."""
    row = _row(call)
    return {name: getattr(row, name) for name in ("code", "kind", "game", "title", "body", "version", "changed")}


@operation("authored.list", "read", "anyone")
def listed(call: Call) -> Result:
    """What one owner keeps, newest first: `owner`, `kind`."""
    columns = [authored.c[name] for name in ("code", "kind", "game", "title", "version", "changed")]
    asked = select(*columns).where(authored.c.owner_hash == _owner(call)).order_by(authored.c.changed.desc())
    if call.args.get("kind") is not None:
        asked = asked.where(authored.c.kind == checks.text(call.args, "kind", 20))
    return {"items": [dict(row._mapping) for row in call.db.execute(asked)]}


@operation("authored.drop", "write", "anyone")
def drop(call: Call) -> Result:
    """Erase: `code`, `owner`."""
    row = _own(call)
    call.db.execute(delete(authored).where(authored.c.code == row.code))
    return {"dropped": row.code}
