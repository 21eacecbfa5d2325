"""The encoder that made the vectors of a library's paragraphs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make room for it; a library has none until it is asked to."""
    op.create_table(
        "encoder",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("dimensions", sa.Integer, nullable=False),
        sa.Column("probe", sa.LargeBinary, nullable=False),
    )
