"""The thread that a kept result is a turn of, by which a conversation is read again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Results of before stand alone."""
    with op.batch_alter_table("histories") as table:
        table.add_column(sa.Column("thread", sa.String(64)))
        table.create_index("ix_histories_thread", ["thread"])
