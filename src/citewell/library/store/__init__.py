"""The database of a library: tables, connections, and reading and writing within one transaction."""

from citewell.errors import MissingExtraError

try:
    import alembic  # noqa: F401
    import sqlalchemy  # noqa: F401
except ImportError as error:
    raise MissingExtraError("a library", error.name or "sqlalchemy", "library") from error
