"""What reading a document tells of it: author, period, date, kind."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Documents of before have none until they are read again."""
    with op.batch_alter_table("documents") as table:
        table.add_column(sa.Column("details", sa.JSON, nullable=False, server_default="{}"))
