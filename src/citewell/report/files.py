"""A report's files, written together."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from citewell.errors import InputError


def write(folder: Path, contents: Mapping[str, str]) -> list[Path]:
    """Write texts by their names below a folder, which is made; the paths that were written.

    Raises:
        InputError: a file cannot be written.
    """
    paths = [folder / name for name in contents]
    try:
        for path, text in zip(paths, contents.values(), strict=True):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"the report cannot be written to {folder}: {error.strerror or error}") from error
    return paths


def write_one(path: Path, text: str) -> None:
    """Write a text to a file in a folder that is there.

    Raises:
        InputError: it cannot be written.
    """
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all, whenever the program is ended; the folder is there.

    Raises:
        InputError: it cannot be written.
    """
    temporary = path.with_name(path.name + ".tmp")
    try:
        with temporary.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error
