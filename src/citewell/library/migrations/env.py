"""Runs the migrations on the library's connection, inside the library's own transaction."""

from __future__ import annotations

from alembic import context

from citewell.library.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite changes a table by making it anew
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
