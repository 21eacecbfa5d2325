"""The labels of what could not be read: who may not see a document is not told its name either."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Failures of before have none: they are told to everyone, as they were."""
    with op.batch_alter_table("failures") as table:
        table.add_column(sa.Column("labels", sa.JSON, nullable=False, server_default="[]"))
