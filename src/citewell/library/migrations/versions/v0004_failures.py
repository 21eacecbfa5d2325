"""The labels of what could not be read: who may not see a document is not told its name either."""

from __future__ import annotations

from citewell.library.migrations.steps import step

revision, down_revision = "0004", "0003"


def upgrade() -> None:
    """Failures of before have none: they are told to everyone, as they were."""
    step(revision)
