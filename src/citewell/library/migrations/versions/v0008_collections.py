"""Collections of documents, and the fields of one's own of documents that could not be read."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """There are no collections yet; failures of before have no fields."""
    op.create_table(
        "collections",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("labels", sa.Text, nullable=False, index=True),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("members", sa.JSON, nullable=False),
        sa.Column("shared", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "collection_documents",
        sa.Column("collection", sa.String(32), sa.ForeignKey("collections.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("source", sa.Text, primary_key=True, index=True),
    )
    with op.batch_alter_table("failures") as table:
        table.add_column(sa.Column("data", sa.JSON, nullable=False, server_default="{}"))
