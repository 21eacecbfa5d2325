"""The first tables."""

from __future__ import annotations

from alembic import op

from citewell.library.migrations.steps import step

revision, down_revision = "0001", None


def upgrade() -> None:
    """Make them."""
    step(revision)
    op.execute("INSERT INTO state (id, generation, next) VALUES (1, 0, 1)")
