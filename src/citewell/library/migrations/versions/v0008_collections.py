"""Collections of documents, and the fields of one's own of documents that could not be read."""

from __future__ import annotations

from citewell.library.migrations.steps import step

revision, down_revision = "0008", "0007"


def upgrade() -> None:
    """There are no collections yet; failures of before have no fields."""
    step(revision)
