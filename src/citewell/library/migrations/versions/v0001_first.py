"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

# Written out, not taken from the library's tables: those go on changing, this step does not.
NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
WHEN = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "state",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("generation", NUMBER, nullable=False),
        sa.Column("next", NUMBER, nullable=False),
    )
    op.create_table(
        "segments",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("documents", sa.Integer, nullable=False),
        sa.Column("paragraphs", NUMBER, nullable=False),
        sa.Column("size", NUMBER, nullable=False),
        sa.Column("data", sa.LargeBinary),
    )
    op.create_table(
        "documents",
        sa.Column("number", NUMBER, primary_key=True, autoincrement=False),
        sa.Column("source", sa.Text, nullable=False, unique=True),
        sa.Column("id", sa.String(16), nullable=False, index=True),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("content", sa.String(64), nullable=False, index=True),
        sa.Column("reader", sa.String(32), nullable=False),
        sa.Column("title", sa.Text),
        sa.Column("pages", sa.Integer),
        sa.Column("characters", sa.Integer, nullable=False),
        sa.Column("year", sa.Integer),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
        sa.Column("labels", sa.JSON, nullable=False),
        sa.Column("warnings", sa.JSON, nullable=False),
        sa.Column("added", WHEN, nullable=False),
        sa.Column("size", NUMBER, nullable=False),
        sa.Column("segment", sa.String(64), sa.ForeignKey("segments.name"), nullable=False, index=True),
    )
    op.create_table(
        "contents",
        sa.Column("content", sa.String(64), primary_key=True),
        sa.Column("kind", sa.String(32), primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "failures",
        sa.Column("source", sa.Text, primary_key=True),
        sa.Column("content", sa.String(64)),
        sa.Column("type", sa.String(64), nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("at", WHEN, nullable=False),
    )
    op.create_table(
        "answers",
        sa.Column("number", NUMBER, sa.Identity(always=False), primary_key=True),
        sa.Column("at", WHEN, nullable=False, index=True),
        sa.Column("question", sa.Text),
        sa.Column("answer", sa.JSON, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "answer_sources",
        sa.Column("answer", NUMBER, sa.ForeignKey("answers.number", ondelete="CASCADE"), primary_key=True),
        sa.Column("source", sa.Text, primary_key=True, index=True),
    )
    op.execute("INSERT INTO state (id, generation, next) VALUES (1, 0, 1)")
