"""Learners, their progress and attempts, short links."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the first tables."""
    op.create_table(
        "receipts",
        sa.Column("uuid", sa.String(36), nullable=False),
        sa.Column("owner", sa.String(40), nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("uuid", name="pk_receipts"),
    )
    op.create_index("ix_receipts_at", "receipts", ["at"])
    op.create_table(
        "learners",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("code_hash", sa.String(64), nullable=False),
        sa.Column("made", sa.String(36), nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_learners"),
        sa.UniqueConstraint("code_hash", name="uq_learners_code_hash"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "progress",
        sa.Column("learner_id", sa.Integer, nullable=False),
        sa.Column("lesson", sa.String(120), nullable=False),
        sa.Column("opened", sa.Double, nullable=False),
        sa.Column("finished", sa.Double),
        sa.PrimaryKeyConstraint("learner_id", "lesson", name="pk_progress"),
        sa.ForeignKeyConstraint(["learner_id"], ["learners.id"], name="fk_progress_learner_id", ondelete="CASCADE"),
    )
    op.create_table(
        "attempts",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("learner_id", sa.Integer, nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("lesson", sa.String(120), nullable=False),
        sa.Column("exercise", sa.String(120), nullable=False),
        sa.Column("ok", sa.Boolean, nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("missed", sa.Text, nullable=False),
        sa.Column("seconds", sa.Double),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_attempts"),
        sa.ForeignKeyConstraint(["learner_id"], ["learners.id"], name="fk_attempts_learner_id", ondelete="CASCADE"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_attempts_learner_id_at", "attempts", ["learner_id", "at"])
    op.create_table(
        "links",
        sa.Column("code", sa.String(12), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("used", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("code", name="pk_links"),
    )
    op.create_index("ix_links_used", "links", ["used"])
