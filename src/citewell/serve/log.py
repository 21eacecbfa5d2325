"""The log: one line of JSON per event on standard error, without any text of a document."""

from __future__ import annotations

import datetime as dt
import hashlib
import logging
import sys
import traceback
from typing import Any, Literal

from citewell.text import safe

Level = Literal["info", "warning", "error"]


def line(level: Level, error: BaseException | None = None, **fields: Any) -> None:
    """Write a line with time, level and fields, and the traceback of an error."""
    now = dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds")
    values: dict[str, Any] = {"time": now, "level": level, **fields}
    if error is not None:
        values["error"] = safe.scrub("".join(traceback.format_exception(error)))
    sys.stderr.write(safe.dumps(values) + "\n")


def user(name: str | None) -> str | None:
    """A stable pseudonym for a caller."""
    return None if name is None else hashlib.sha256(name.encode()).hexdigest()[:12]


class _Handler(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        level: Level = "error" if record.levelno >= logging.ERROR else "warning"
        error = record.exc_info[1] if record.exc_info else None
        line(level, error, logger=record.name, message=safe.scrub(record.getMessage()))


def adopt() -> None:
    """Write warnings and errors of the server and of other libraries as lines of this log."""
    logging.basicConfig(handlers=[_Handler()], level=logging.WARNING, force=True)
    logging.captureWarnings(capture=True)
    logging.getLogger("citewell").propagate = False  # remarks on documents, which stand in the results
