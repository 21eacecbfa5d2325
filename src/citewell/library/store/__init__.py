"""The database of a library: its tables, connections, and what is written and read in one transaction."""

from citewell.errors import MissingExtraError

try:
    import alembic  # noqa: F401
    import sqlalchemy  # noqa: F401
except ImportError as error:
    raise MissingExtraError("a library", error.name or "sqlalchemy", "library") from error
