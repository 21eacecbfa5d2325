"""What callers asked and were told, and what people corrected, in the place of answers that nobody kept."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

WHEN = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make room for both."""
    op.drop_table("answer_sources")
    op.drop_table("answers")
    op.create_table(
        "histories",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("labels", sa.Text, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("created", WHEN, nullable=False),
        sa.Column("documents", sa.JSON, nullable=False),
        sa.Column("counts", sa.JSON, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("request", sa.Text, nullable=False),
        sa.Column("result", sa.Text, nullable=False),
    )
    op.create_index("ix_histories_labels_id", "histories", ["labels", "id"])
    op.create_table(
        "history_sources",
        sa.Column("history", sa.String(32), sa.ForeignKey("histories.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("source", sa.Text, primary_key=True, index=True),
    )
    op.create_table(
        "corrections",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column(
            "history", sa.String(32), sa.ForeignKey("histories.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        sa.Column("labels", sa.Text, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("created", WHEN, nullable=False),
        sa.Column("statement", sa.Integer, nullable=False),
        sa.Column("claim", sa.Text, nullable=False),
        sa.Column("was", sa.String(32), nullable=False),
        sa.Column("label", sa.String(32)),
        sa.Column("citations", sa.JSON, nullable=False),
        sa.Column("moved", sa.Boolean, nullable=False),
        sa.Column("note", sa.Text),
    )
    op.create_index("ix_corrections_labels_id", "corrections", ["labels", "id"])
    op.create_table(
        "correction_sources",
        sa.Column("correction", sa.String(32), sa.ForeignKey("corrections.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("source", sa.Text, primary_key=True, index=True),
    )
