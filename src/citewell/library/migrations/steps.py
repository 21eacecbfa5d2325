"""What a migration does: make the tables and columns that came with its version."""

from __future__ import annotations

from alembic import op

from citewell.library.store.tables import DECLARED, column, since


def step(revision: str) -> None:
    """Make what came with a version; rows that are there get the default of a new column."""
    version = int(revision)
    for name, declared in DECLARED.items():
        columns, first = declared["columns"], declared.get("since", 1)
        if first == version:
            op.create_table(name, *(column(*each) for each in columns.items() if since(each[1]) <= version))
            for index, indexed in declared.get("indexes", {}).items():
                op.create_index(index, name, indexed)
        elif new := {key: words for key, words in columns.items() if since(words) == version}:
            with op.batch_alter_table(name) as table:
                for key, words in new.items():
                    table.add_column(column(key, words, indexed=False))
                    if " index" in words:
                        table.create_index(f"ix_{name}_{key}", [key])
