"""The encoder that made the vectors of a library's paragraphs."""

from __future__ import annotations

from citewell.library.migrations.steps import step

revision, down_revision = "0002", "0001"


def upgrade() -> None:
    """Make room for it; a library has none until it is asked to."""
    step(revision)
