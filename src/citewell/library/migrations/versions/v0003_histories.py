"""What callers asked and were told, and what people corrected, in the place of answers that nobody kept."""

from __future__ import annotations

from alembic import op

from citewell.library.migrations.steps import step

revision, down_revision = "0003", "0002"


def upgrade() -> None:
    """Make room for both."""
    for table in ("answer_sources", "answers"):  # those of before, if they had any
        op.drop_table(table, if_exists=True)
    step(revision)
