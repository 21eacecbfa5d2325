"""Connections to a library's database, SQLite in its folder or PostgreSQL: transactions, one writer, migrations."""

from __future__ import annotations

import shutil
import sqlite3
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, NoSuchModuleError, OperationalError, SQLAlchemyError

from citewell.errors import (
    InUseError,
    LibraryError,
    MissingExtraError,
    SchemaVersionError,
    StoreUnreachableError,
    UnreachableError,
)
from citewell.library.store import objects
from citewell.text import files, safe

T = TypeVar("T")
FILE = "library.db"
_WAIT = 30  # seconds for which a transaction waits for another one
_WAIT_FOR_READERS = 2
_QUEUE = 600  # seconds for which a writer waits for another one on a server
_RESTART = 30.0  # seconds in which a server may come back
_AGAIN = 0.2
_MIGRATING, _WRITING = 0x63697465, 0x63697466  # keys of PostgreSQL's advisory locks
_FORBIDDEN = ("readonly", "read-only", "permission denied", "must be owner")
_FULL = ("disk is full", "no space left", "disk full", "could not extend file")


def is_address(place: str) -> bool:
    """Whether a library's place is the address of a server, not a folder."""
    return "://" in place


class Database:
    """The database of one library. `folder` holds its file, or what was fetched from a server.

    New files of documents are moved to `files` where that is an address; see `objects`. Raises UnreachableError: the
    server does not answer, or refuses; SchemaVersionError: a newer citewell made the tables; MissingExtraError: the
    driver of the server is not installed.
    """

    def __init__(self, place: str, folder: Path, files: str | None = None) -> None:
        self.place, self.folder, self._files = place, folder, files
        self.sqlite = not is_address(place)
        self.engine = _sqlite(folder / FILE) if self.sqlite else _server(place)
        self._lock: tuple[int, sa.Connection] | None = None  # by which this thread is the one that changes the library

    def __str__(self) -> str:
        return safe.scrub(self.place)

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """One state of the database, whatever others write meanwhile."""
        with self._errors(), self.engine.connect() as connection:
            if self.sqlite:
                connection.exec_driver_sql("BEGIN")
            else:
                connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            try:
                yield connection
            finally:
                connection.rollback()

    @contextmanager
    def writing(self, *, forget: bool = False) -> Iterator[sa.Connection]:
        """One change, there as a whole when the block ends without an error.

        Args:
            forget: leave nothing of what was taken out in SQLite's log either.
        """
        with self._errors(), self.engine.connect() as connection:
            if self.sqlite:
                # A transaction that first reads and then writes would fail at once when another one wrote between.
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            elif self._lock is not None and self._lock[0] == threading.get_ident():
                # A server that was restarted has forgotten who is alone: this change would go beside another's.
                connection.exec_driver_sql("SELECT 1")
                self._lock[1].exec_driver_sql("SELECT 1")
                self._lock[1].commit()
            try:
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()
            if forget and self.sqlite:
                # Who still reads an older state keeps the log until their next change; they are waited for a moment.
                connection.exec_driver_sql(f"PRAGMA busy_timeout = {1000 * _WAIT_FOR_READERS}")
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
                connection.exec_driver_sql(f"PRAGMA busy_timeout = {1000 * _WAIT}")

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Be the one that changes the library, from reading files to publishing; on a server writers queue.

        Raises InUseError: another process is, on a server for too long.
        """
        with files.locked(self.folder) if self.sqlite else nullcontext():
            if self.sqlite:
                yield
                self._settle()
                return
            with self._errors(), self.engine.connect() as connection:
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{_QUEUE}s'")
                try:
                    connection.execute(sa.select(sa.func.pg_advisory_lock(_WRITING)))
                except OperationalError as error:
                    if "lock timeout" not in str(error.orig):
                        raise
                    raise InUseError(f"{self} has been in use by other writers for {_QUEUE} s: try again") from error
                connection.commit()
                self._lock = threading.get_ident(), connection
                try:
                    yield
                    self._settle()
                finally:
                    self._lock = None
                    if not connection.invalidated:
                        connection.execute(sa.select(sa.func.pg_advisory_unlock(_WRITING)))
                        connection.commit()

    def settle(self) -> None:
        """Do what is left to be done in the store of files, as every change does at its end.

        Raises InUseError: another process changes the library.
        """
        with self.alone():
            pass

    def _settle(self) -> None:
        with suppress(StoreUnreachableError):  # the next one who is alone does the rest
            objects.settle(self, self._files)

    def again(self, work: Callable[[], T]) -> T:
        """What some work gives; where the server goes away meanwhile, it is done once more when that is back.

        Raises UnreachableError: the server does not come back.
        """
        until = time.monotonic() + _RESTART
        while True:
            try:
                return work()
            except UnreachableError as error:
                if self.sqlite or isinstance(error, StoreUnreachableError) or time.monotonic() > until:
                    raise
                time.sleep(_AGAIN)

    def migrate(self) -> str:
        """Bring the tables to this version; several processes may try at once. The version.

        Raises SchemaVersionError: a newer citewell made them, or an older one and they may not be changed from here.
        """
        from alembic import command
        from alembic.config import Config
        from alembic.runtime.migration import MigrationContext
        from alembic.script import ScriptDirectory

        config = Config()
        config.set_main_option("script_location", "citewell.library:migrations")
        config.set_main_option("path_separator", "os")
        scripts = ScriptDirectory.from_config(config)
        newest = str(scripts.get_current_head())
        with self.reading() as connection:
            version = MigrationContext.configure(connection).get_current_revision()
        if version == newest:
            return newest
        if version is not None and version not in {script.revision for script in scripts.walk_revisions()}:
            raise SchemaVersionError(
                f"{self} was written by a newer citewell (tables {version}, this one knows {newest}): "
                "pip install --upgrade citewell"
            )
        with self._allowed(version, newest), self.writing() as connection:
            if not self.sqlite:
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_MIGRATING)))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
        return newest

    @contextmanager
    def _allowed(self, version: str | None, newest: str) -> Iterator[None]:
        """That tables may not be changed from here as an error that says who should."""
        try:
            yield
        except LibraryError as error:
            text = str(error.__cause__).lower()
            if not any(sign in text for sign in _FORBIDDEN):
                raise
            if version is None:
                raise LibraryError(f"{self} has no tables yet, and none may be made with this access") from error
            raise SchemaVersionError(
                f"{self} was written by an older citewell (tables {version}, this one needs {newest}) and may not be "
                f"changed with this access: someone who may runs citewell library migrate --library {self}"
            ) from error

    def close(self) -> None:
        """Let go of its connections."""
        self.engine.dispose()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """A database's own errors as ours."""
        try:
            yield
        except OperationalError as error:
            line = str(error.orig or error).strip().splitlines()[0]
            if any(sign in line.lower() for sign in _FULL):
                raise LibraryError(f"{self} is full: {line}") from error
            if "locked" in line:
                raise InUseError(f"{self} is being written to for more than {_WAIT} seconds: try again") from error
            if self.sqlite and "readonly" in line and not shutil.disk_usage(self.folder).free:
                raise LibraryError(f"{self} is full: no space left on its disk") from error
            if self.sqlite:
                raise LibraryError(f"{self} cannot be used: {line}") from error
            raise UnreachableError(f"{self}: {safe.scrub(line)}") from error
        except DBAPIError as error:
            line = str(error.orig or error).strip().splitlines()[0]
            raise LibraryError(f"{self} is damaged, or no library: {safe.scrub(line)}") from error
        except SQLAlchemyError as error:
            raise LibraryError(f"{self}: {safe.scrub(str(error))}") from error


class _Connection(sqlite3.Connection):
    """One that can be remembered without being kept."""


def _sqlite(path: Path) -> sa.Engine:
    unchanging: weakref.WeakSet[sqlite3.Connection] = weakref.WeakSet()

    def opened(address: str, *, uri: bool = False) -> sqlite3.Connection:
        connection = _Connection(address, timeout=_WAIT, isolation_level=None, check_same_thread=False, uri=uri)
        try:
            connection.execute("SELECT 1 FROM sqlite_master")
        except BaseException:
            connection.close()
            raise
        return connection

    def connected() -> sqlite3.Connection:
        try:
            return opened(str(path))
        except sqlite3.OperationalError:
            # A full disk has no room for the index of the log. Where there is no log, the file alone can be read.
            log = path.with_name(f"{path.name}-wal")
            if not path.is_file() or (log.is_file() and log.stat().st_size):
                raise
            connection = opened(f"{path.absolute().as_uri()}?immutable=1", uri=True)
            unchanging.add(connection)
            return connection

    engine = sa.create_engine("sqlite://", creator=connected, poolclass=sa.QueuePool)

    @sa.event.listens_for(engine, "checkin")
    def let_go(connection: Any, record: Any) -> None:
        if connection in unchanging:  # it would not see what is written when there is room again
            record.invalidate()

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")  # what is removed is overwritten
        try:
            connection.execute("PRAGMA journal_mode = WAL")  # readers go on while one writes
        except sqlite3.OperationalError:  # a folder that may only be read
            connection.execute("PRAGMA query_only = ON")

    return engine


def _server(place: str) -> sa.Engine:
    try:
        url = sa.make_url(place)
    except SQLAlchemyError as error:
        raise LibraryError(f"{safe.scrub(place)} is no address of a database") from error
    if url.drivername == "postgres":
        url = url.set(drivername="postgresql")
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    if url.drivername != "postgresql+psycopg":
        raise LibraryError(f"a library is in a folder or at postgresql://..., not {url.drivername}://")
    try:
        return sa.create_engine(url, pool_pre_ping=True)
    except NoSuchModuleError as error:
        raise LibraryError(f"{safe.scrub(place)} is no address of a database") from error
    except ImportError as error:
        raise MissingExtraError("a library on a server", "psycopg", "postgresql") from error
