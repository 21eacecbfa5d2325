"""Files that a model names or sends to the MCP server, read one by one."""

from __future__ import annotations

import binascii
import hashlib
import os
from base64 import b64decode
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import PurePath, PureWindowsPath

from citewell import readers
from citewell.errors import DocumentError, UsageError
from citewell.export.view import one_line
from citewell.library import reading
from citewell.library.reading import File, Read
from citewell.text import safe


def each(
    sources: Sequence[str | File], known: Collection[str], failed: list[str], tell: Callable[[int, int], None]
) -> Iterator[Read | str]:
    """Read files one by one, each in its own process, which may crash."""
    for done, source in enumerate(sources, start=1):
        try:
            file = reading.load(source) if isinstance(source, str) else source
            if isinstance(source, str) and file.content in known:  # it may be called something else
                yield source
            else:
                yield Read(file, readers.read(file.data, name=file.source, isolated=True))
        except DocumentError as error:
            name = source if isinstance(source, str) else source.source
            failed.append(f"{PurePath(name).name}: {type(error).__name__}: {error}")
        tell(done, len(sources))


def file(name: str, text: str | None, base64: str | None) -> File:
    """The file in a request; only the last part of its name counts.

    Raises UsageError: it holds none, or two, or the bytes are not in base64.
    """
    if (text is None) == (base64 is None):
        raise UsageError("give text or base64, one of them")
    try:
        data = (text or "").encode("utf-8", "replace") if base64 is None else b64decode(base64, validate=True)
    except (binascii.Error, ValueError) as error:
        raise UsageError(f"the bytes of {name!r} are not in base64") from error
    last = PureWindowsPath(one_line(safe.clean(name))).name  # takes both kinds of slashes
    if not last or len(os.fsencode(last)) > 255:
        raise UsageError("name is that of a file, such as report.pdf")
    return File(last, data, hashlib.sha256(data).hexdigest())
