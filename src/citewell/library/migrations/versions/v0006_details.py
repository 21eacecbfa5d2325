"""What reading a document tells of it: author, period, date, kind."""

from __future__ import annotations

from citewell.library.migrations.steps import step

revision, down_revision = "0006", "0005"


def upgrade() -> None:
    """Documents of before have none until they are read again."""
    step(revision)
