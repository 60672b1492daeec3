"""Reviews, authored lessons and class sessions; mistakes by rule are counted from the attempts that are there."""

from __future__ import annotations

import json
from collections import defaultdict

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Complete the tables of learners, then make the others."""
    _learners()
    _reviews()
    _count_mistakes()
    _authored()
    _classes()
    _answers()


def _learners() -> None:
    with op.batch_alter_table("learners") as table:
        table.add_column(sa.Column("seen", sa.Double))
    # The last visit known: the last attempt or lesson, else the day the code was made.
    op.execute(
        "UPDATE learners SET seen = COALESCE((SELECT MAX(t.at) FROM (SELECT at, learner_id FROM attempts UNION ALL "
        "SELECT COALESCE(finished, opened), learner_id FROM progress) AS t WHERE t.learner_id = learners.id), created)"
    )
    # SQLite rebuilds the table for this: what belongs to its rows must not go with the old one.
    with op.batch_alter_table("learners") as table:
        table.alter_column("seen", existing_type=sa.Double(), nullable=False)
    op.create_index("ix_learners_seen", "learners", ["seen"])
    op.add_column("attempts", sa.Column("variant", sa.String(200), nullable=False, server_default=""))
    op.add_column("progress", sa.Column("place", sa.Text, nullable=False, server_default="null"))
    with op.batch_alter_table("progress") as table:
        table.add_column(sa.Column("changed", sa.Double))
    op.execute("UPDATE progress SET changed = COALESCE(finished, opened)")
    with op.batch_alter_table("progress") as table:
        table.alter_column("changed", existing_type=sa.Double(), nullable=False)


def _reviews() -> None:
    op.create_table(
        "mistakes",
        sa.Column("learner_id", sa.Integer, nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("rule", sa.String(80), nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("last", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("learner_id", "game", "rule", name="pk_mistakes"),
        sa.ForeignKeyConstraint(["learner_id"], ["learners.id"], name="fk_mistakes_learner_id", ondelete="CASCADE"),
    )
    op.create_table(
        "cards",
        sa.Column("learner_id", sa.Integer, nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("rule", sa.String(80), nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("due", sa.Double, nullable=False),
        sa.Column("lapses", sa.Integer, nullable=False),
        sa.Column("reviews", sa.Integer, nullable=False),
        sa.Column("exercise", sa.String(120), nullable=False, server_default=""),
        sa.Column("last", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("learner_id", "game", "rule", name="pk_cards"),
        sa.ForeignKeyConstraint(["learner_id"], ["learners.id"], name="fk_cards_learner_id", ondelete="CASCADE"),
    )


def _count_mistakes() -> None:
    db = op.get_bind()
    mistakes: dict[tuple[int, str, str], list[float]] = defaultdict(list)
    for learner, game, missed, at in db.execute(sa.text("SELECT learner_id, game, missed, at FROM attempts")):
        for rule in json.loads(missed):
            mistakes[learner, game, str(rule)[:80]].append(at)
    rows = [
        {"learner": learner, "game": game, "rule": rule, "count": len(times), "last": max(times)}
        for (learner, game, rule), times in mistakes.items()
    ]
    if rows:
        db.execute(sa.text("INSERT INTO mistakes VALUES (:learner, :game, :rule, :count, :last)"), rows)


def _authored() -> None:
    op.create_table(
        "authored",
        sa.Column("code", sa.String(12), nullable=False),
        sa.Column("owner_hash", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("title", sa.String(120), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("code", name="pk_authored"),
    )
    op.create_index("ix_authored_owner_hash", "authored", ["owner_hash"])
    op.create_index("ix_authored_changed", "authored", ["changed"])


def _classes() -> None:
    op.create_table(
        "teachers",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("key_hash", sa.String(64), nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("revoked", sa.Double),
        sa.PrimaryKeyConstraint("id", name="pk_teachers"),
        sa.UniqueConstraint("key_hash", name="uq_teachers_key_hash"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "sessions",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("code", sa.String(6), nullable=False),
        sa.Column("teacher_id", sa.Integer, nullable=False),
        sa.Column("title", sa.String(120), nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("closed", sa.Double),
        sa.Column("expires", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
        sa.UniqueConstraint("code", name="uq_sessions_code"),
        sa.ForeignKeyConstraint(["teacher_id"], ["teachers.id"], name="fk_sessions_teacher_id", ondelete="CASCADE"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_sessions_teacher_id", "sessions", ["teacher_id"])
    op.create_index("ix_sessions_expires", "sessions", ["expires"])
    op.create_table(
        "participants",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("session_id", sa.Integer, nullable=False),
        sa.Column("nickname", sa.String(40), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("joined", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_participants"),
        sa.UniqueConstraint("token_hash", name="uq_participants_token_hash"),
        sa.UniqueConstraint("session_id", "nickname", name="uq_participants_session_id_nickname"),
        sa.ForeignKeyConstraint(["session_id"], ["sessions.id"], name="fk_participants_session_id", ondelete="CASCADE"),
        sqlite_autoincrement=True,
    )


def _answers() -> None:
    op.create_table(
        "pushes",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("session_id", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_pushes"),
        sa.ForeignKeyConstraint(["session_id"], ["sessions.id"], name="fk_pushes_session_id", ondelete="CASCADE"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_pushes_session_id", "pushes", ["session_id"])
    op.create_table(
        "answers",
        sa.Column("push_id", sa.Integer, nullable=False),
        sa.Column("participant_id", sa.Integer, nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("ok", sa.Boolean),
        sa.Column("missed", sa.Text, nullable=False),
        sa.Column("seconds", sa.Double),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("push_id", "participant_id", name="pk_answers"),
        sa.ForeignKeyConstraint(["push_id"], ["pushes.id"], name="fk_answers_push_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["participant_id"], ["participants.id"], name="fk_answers_participant_id", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_answers_participant_id", "answers", ["participant_id"])
