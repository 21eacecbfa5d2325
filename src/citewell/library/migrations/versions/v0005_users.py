"""Users of a service on the library, and kept results that their owner shares."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Results of before are shared with nobody: they stay with who kept them."""
    with op.batch_alter_table("histories") as table:
        table.add_column(sa.Column("shared", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "users",
        sa.Column("workspace", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("hash", sa.String(64), nullable=False, unique=True),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("labels", sa.JSON, nullable=False),
        sa.Column("libraries", sa.JSON),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True)),
    )
