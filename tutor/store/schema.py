"""The tables of the store, as the newest migration leaves them.

Instants are seconds since 1970 (UTC). Secrets are stored hashed only. JSON is text, written by us.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
metadata = MetaData(naming_convention=NAMES)


def _belongs(table: str) -> ForeignKey:
    """A reference that goes with what it refers to."""
    return ForeignKey(f"{table}.id", ondelete="CASCADE")


#: Writes already done: a request that is sent again gets the same answer and changes nothing.
receipts = Table(
    "receipts",
    metadata,
    Column("uuid", String(36), primary_key=True),
    Column("owner", String(40), nullable=False),
    Column("result", Text, nullable=False),
    Column("at", Double, nullable=False, index=True),
)

learners = Table(
    "learners",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("code_hash", String(64), nullable=False, unique=True),
    Column("made", String(36), nullable=False),
    Column("created", Double, nullable=False),
    Column("seen", Double, nullable=False, index=True),
    sqlite_autoincrement=True,
)

progress = Table(
    "progress",
    metadata,
    Column("learner_id", _belongs("learners"), primary_key=True),
    Column("lesson", String(120), primary_key=True),
    Column("opened", Double, nullable=False),
    Column("finished", Double),
    Column("place", Text, nullable=False, server_default="null"),
    Column("changed", Double, nullable=False),
)

attempts = Table(
    "attempts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("learner_id", _belongs("learners"), nullable=False),
    Column("game", String(40), nullable=False),
    Column("lesson", String(120), nullable=False),
    Column("exercise", String(120), nullable=False),
    Column("variant", String(200), nullable=False, server_default=""),
    Column("ok", Boolean, nullable=False),
    Column("answer", Text, nullable=False),
    Column("missed", Text, nullable=False),
    Column("seconds", Double),
    Column("at", Double, nullable=False),
    Index("ix_attempts_learner_id_at", "learner_id", "at"),
    sqlite_autoincrement=True,
)

mistakes = Table(
    "mistakes",
    metadata,
    Column("learner_id", _belongs("learners"), primary_key=True),
    Column("game", String(40), primary_key=True),
    Column("rule", String(80), primary_key=True),
    Column("count", Integer, nullable=False),
    Column("last", Double, nullable=False),
)

cards = Table(
    "cards",
    metadata,
    Column("learner_id", _belongs("learners"), primary_key=True),
    Column("game", String(40), primary_key=True),
    Column("rule", String(80), primary_key=True),
    Column("state", Text, nullable=False),
    Column("due", Double, nullable=False),
    Column("lapses", Integer, nullable=False),
    Column("reviews", Integer, nullable=False),
    Column("exercise", String(120), nullable=False, server_default=""),
    Column("last", Double, nullable=False),
)

links = Table(
    "links",
    metadata,
    Column("code", String(12), primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("target", Text, nullable=False),
    Column("created", Double, nullable=False),
    Column("used", Double, nullable=False, index=True),
)

authored = Table(
    "authored",
    metadata,
    Column("code", String(12), primary_key=True),
    Column("owner_hash", String(64), nullable=False, index=True),
    Column("kind", String(20), nullable=False),
    Column("game", String(40), nullable=False),
    Column("title", String(120), nullable=False),
    Column("body", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("created", Double, nullable=False),
    Column("changed", Double, nullable=False, index=True),
)

teachers = Table(
    "teachers",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(80), nullable=False),
    Column("key_hash", String(64), nullable=False, unique=True),
    Column("created", Double, nullable=False),
    Column("revoked", Double),
    sqlite_autoincrement=True,
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("code", String(6), nullable=False, unique=True),
    Column("teacher_id", _belongs("teachers"), nullable=False, index=True),
    Column("title", String(120), nullable=False),
    Column("state", Text, nullable=False),
    Column("created", Double, nullable=False),
    Column("closed", Double),
    Column("expires", Double, nullable=False, index=True),
    sqlite_autoincrement=True,
)

participants = Table(
    "participants",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("session_id", _belongs("sessions"), nullable=False),
    Column("nickname", String(40), nullable=False),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("joined", Double, nullable=False),
    UniqueConstraint("session_id", "nickname"),
    sqlite_autoincrement=True,
)

pushes = Table(
    "pushes",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("session_id", _belongs("sessions"), nullable=False, index=True),
    Column("kind", String(20), nullable=False),
    Column("body", Text, nullable=False),
    Column("at", Double, nullable=False),
    sqlite_autoincrement=True,
)

answers = Table(
    "answers",
    metadata,
    Column("push_id", _belongs("pushes"), primary_key=True),
    Column("participant_id", _belongs("participants"), primary_key=True, index=True),
    Column("answer", Text, nullable=False),
    Column("ok", Boolean),
    Column("missed", Text, nullable=False),
    Column("seconds", Double),
    Column("tries", Integer, nullable=False),
    Column("at", Double, nullable=False),
)
