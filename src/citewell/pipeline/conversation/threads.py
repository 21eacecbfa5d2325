"""Threads on disk: one file per thread with its turns, read and written as a whole."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from citewell.errors import InputError, UsageError, of_files
from citewell.pipeline.conversation.frames import Turn
from citewell.text import files, safe

FOLDER = "CITEWELL_THREADS"  # the variable that names another folder
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_FORMAT = "citewell.thread.1"
KEPT = 50  # turns of a thread


class Thread(NamedTuple):
    """The turns of a thread, and the ids of the documents that it is about, where those were kept."""

    turns: tuple[Turn, ...] = ()
    documents: tuple[str, ...] = ()


def folder() -> Path:
    """Where threads lie: `CITEWELL_THREADS`, else the user's folder for data of programs."""
    if chosen := os.environ.get(FOLDER):
        return Path(chosen)
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "citewell" / "threads"


def place(name: str, within: Path | None = None) -> Path:
    """The file of a thread, in the user's folder or in another one.

    Raises UsageError: the name is none that a file can have everywhere.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"a thread's name has letters, digits, '.', '_' and '-', at most 64, not {name[:80]!r}")
    return (within or folder()) / f"{name}.json"


def load(name: str, within: Path | None = None) -> Thread:
    """A thread; an empty one where it is new.

    Raises UsageError: the name is none; InputError: the file holds no thread.
    """
    path = place(name, within)
    try:
        data = safe.loads(path.read_text(encoding="utf-8"))
        written = {_FORMAT: data["turns"]}[data["format"]]
        turns = [Turn(str(each["question"]), *(str(each.get(key, "")) for key in Turn._fields[1:])) for each in written]
        return Thread(tuple(turns), tuple(map(str, data.get("documents", ()))))
    except FileNotFoundError:
        return Thread()
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path} holds no thread: {error}") from error


def save(name: str, turns: tuple[Turn, ...], within: Path | None = None, documents: Iterable[str] = ()) -> None:
    """Write a thread's turns, the oldest left out where there are many.

    Raises UsageError: the name is none; InputError: it cannot be written.
    """
    path = place(name, within)
    with of_files(f"{path.parent} cannot be made"):
        path.parent.mkdir(parents=True, exist_ok=True)
    data = {"format": _FORMAT, "turns": [turn._asdict() for turn in turns[-KEPT:]], "documents": [*documents]}
    files.write(path, safe.dumps(data))
