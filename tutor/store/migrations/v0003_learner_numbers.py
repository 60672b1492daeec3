"""A learner's number is never given again: on SQLite, 0002 rebuilt the table without what sees to that."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Rebuild SQLite's table of learners; PostgreSQL's has its sequence."""
    if op.get_bind().dialect.name == "sqlite":
        with op.batch_alter_table("learners", recreate="always", table_kwargs={"sqlite_autoincrement": True}):
            pass
