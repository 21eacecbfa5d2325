"""The tables of a library's database, the same in SQLite and PostgreSQL."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    DateTime,
    ForeignKey,
    Identity,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
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
    Column("data", JSON, nullable=False),
    Column("labels", JSON, nullable=False),
    Column("warnings", JSON, nullable=False),
    Column("added", DateTime(timezone=True), nullable=False),
    Column("size", Number, nullable=False),
    Column("segment", String(64), ForeignKey("segments.name"), nullable=False, index=True),
)

# The bytes that documents were read from ("file") and what a version of the readers made of them, by content.
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

# Answers that were kept, and the sources of the documents they were made from, with which they go.
answers = Table(
    "answers",
    metadata,
    Column("number", Number, Identity(always=False), primary_key=True),
    Column("at", DateTime(timezone=True), nullable=False, index=True),
    Column("question", Text),
    Column("answer", JSON, nullable=False),
    sqlite_autoincrement=True,
)
answer_sources = Table(
    "answer_sources",
    metadata,
    Column("answer", Number, ForeignKey("answers.number", ondelete="CASCADE"), primary_key=True),
    Column("source", Text, primary_key=True, index=True),
)
