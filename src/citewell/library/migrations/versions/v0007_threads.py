"""The thread that a kept result is a turn of, by which a conversation is read again."""

from __future__ import annotations

from citewell.library.migrations.steps import step

revision, down_revision = "0007", "0006"


def upgrade() -> None:
    """Results of before stand alone."""
    step(revision)
