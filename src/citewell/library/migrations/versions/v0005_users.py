"""Users of a service on the library, and kept results that their owner shares."""

from __future__ import annotations

from citewell.library.migrations.steps import step

revision, down_revision = "0005", "0004"


def upgrade() -> None:
    """Results of before are shared with nobody: they stay with who kept them."""
    step(revision)
