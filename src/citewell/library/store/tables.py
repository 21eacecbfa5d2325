"""The tables of a library's database, the same in SQLite and PostgreSQL."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    false,
)

# SQLite numbers rows by itself only in a column of exactly its own kind of integer.
Number = BigInteger().with_variant(Integer, "sqlite")

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# One row: how often what can be found has changed, and the number of the next document, which none had before.
state = Table(
    "state",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("generation", Number, nullable=False),
    Column("next", Number, nullable=False),
)

# What documents are known by and filtered by; arrays name them by their number.
documents = Table(
    "documents",
    metadata,
    Column("number", Number, primary_key=True, autoincrement=False),
    Column("source", Text, nullable=False, unique=True),
    Column("id", String(16), nullable=False, index=True),
    Column("sha256", String(64), nullable=False),
    Column("content", String(64), nullable=False, index=True),
    Column("reader", String(32), nullable=False),
    Column("title", Text),
    Column("pages", Integer),
    Column("characters", Integer, nullable=False),
    Column("year", Integer),
    Column("language", String(8), nullable=False),
    Column("details", JSON, nullable=False, server_default="{}"),  # author, period, date, kind, as they were read
    Column("data", JSON, nullable=False),
    Column("labels", JSON, nullable=False),
    Column("warnings", JSON, nullable=False),
    Column("added", DateTime(timezone=True), nullable=False),
    Column("size", Number, nullable=False),
    Column("segment", String(64), ForeignKey("segments.name"), nullable=False, index=True),
)

# The bytes that documents were read from and what a version of the readers made of them, by content. A file may be an
# object of a store instead: `data` is its address. One that has to be removed there is gone.
FILE, OBJECT, GONE = "file", "object", "gone"
contents = Table(
    "contents",
    metadata,
    Column("content", String(64), primary_key=True),
    Column("kind", String(32), primary_key=True),
    Column("data", LargeBinary, nullable=False),
)

# What could not be read, so that it is told again and tried again, never skipped in silence.
failures = Table(
    "failures",
    metadata,
    Column("source", Text, primary_key=True),
    Column("content", String(64)),
    Column("type", String(64), nullable=False),
    Column("message", Text, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("labels", JSON, nullable=False, server_default="[]"),
    Column("data", JSON, nullable=False, server_default="{}"),
)

# The arrays of terms, each of some documents; immutable, named by the hash of their bytes.
segments = Table(
    "segments",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("documents", Integer, nullable=False),
    Column("paragraphs", Number, nullable=False),
    Column("size", Number, nullable=False),
    Column("data", LargeBinary),  # on a server; beside SQLite they are files
)

# One row where the library has vectors: what made them, of what size, and its vector of a fixed sentence.
encoder = Table(
    "encoder",
    metadata,
    Column("name", Text, primary_key=True),
    Column("dimensions", Integer, nullable=False),
    Column("probe", LargeBinary, nullable=False),
)

# What callers asked and were told, for whoever carries all of `labels`; ids begin with the time and say no more.
histories = Table(
    "histories",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("labels", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("title", Text, nullable=False),
    Column("created", DateTime(timezone=True), nullable=False),
    Column("documents", JSON, nullable=False),
    Column("counts", JSON, nullable=False),
    Column("words", Text, nullable=False),
    Column("request", Text, nullable=False),
    Column("result", Text, nullable=False),
    Column("shared", Boolean, nullable=False, server_default=false()),  # with all who carry the labels
    Column("thread", String(64), index=True),
    Index("ix_histories_labels_id", "labels", "id"),
)
# The sources of the documents that were read for an entry, with which it goes.
history_sources = Table(
    "history_sources",
    metadata,
    Column("history", String(32), ForeignKey("histories.id", ondelete="CASCADE"), primary_key=True),
    Column("source", Text, primary_key=True, index=True),
)

# What a person says of a statement: its `label` where that is another one, its `citations` where they were `moved`.
corrections = Table(
    "corrections",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("history", String(32), ForeignKey("histories.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("labels", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("created", DateTime(timezone=True), nullable=False),
    Column("statement", Integer, nullable=False),
    Column("claim", Text, nullable=False),
    Column("was", String(32), nullable=False),
    Column("label", String(32)),
    Column("citations", JSON, nullable=False),
    Column("moved", Boolean, nullable=False),
    Column("note", Text),
    Index("ix_corrections_labels_id", "labels", "id"),
)
# The sources of the documents that a correction quotes, with which it goes.
correction_sources = Table(
    "correction_sources",
    metadata,
    Column("correction", String(32), ForeignKey("corrections.id", ondelete="CASCADE"), primary_key=True),
    Column("source", Text, primary_key=True, index=True),
)

# Named sets of documents, for their owner, those whom they name as members, and where shared all who carry `labels`.
collections = Table(
    "collections",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("labels", Text, nullable=False, index=True),
    Column("who", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("members", JSON, nullable=False),
    Column("shared", Boolean, nullable=False, server_default=false()),
    Column("created", DateTime(timezone=True), nullable=False),
)
# A document goes out of them when it is removed; one that is read again has the same source and stays.
collection_documents = Table(
    "collection_documents",
    metadata,
    Column("collection", String(32), ForeignKey("collections.id", ondelete="CASCADE"), primary_key=True),
    Column("source", Text, primary_key=True, index=True),
)

# Who may use a service on this library: a token's hash, never the token; a name is one user's in its workspace.
users = Table(
    "users",
    metadata,
    Column("workspace", String(64), primary_key=True),
    Column("name", String(64), primary_key=True),
    Column("hash", String(64), nullable=False, unique=True),
    Column("role", String(16), nullable=False),
    Column("labels", JSON, nullable=False),
    Column("libraries", JSON),  # null: all libraries of the service
    Column("created", DateTime(timezone=True), nullable=False),
    Column("until", DateTime(timezone=True)),
)


def zoned(when: dt.datetime) -> dt.datetime:
    """A time as a row holds it, in UTC where it has no zone: SQLite keeps none."""
    return when if when.tzinfo else when.replace(tzinfo=dt.UTC)
