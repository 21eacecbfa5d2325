"""Readers of other packages, by file suffix, for suffixes without a reader of ours.

An entry point of the group `citewell.readers`, named by the suffix without its dot, is a function
`read(data: bytes, *, source: str | None) -> Document`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

from citewell.document import Document
from citewell.errors import CitewellError, DocumentError, PlugInError
from citewell.registry.doors import doors, warn_once

GROUP = "citewell.readers"
OURS = frozenset(
    "pdf docx xlsx pptx odt epub eml mht mhtml html htm xhtml xml nxml jats md markdown mkd mdown txt csv tsv json "
    "jsonl ndjson png jpg jpeg gif tif tiff webp bmp".split()
)
"""Suffixes that we read: a plug-in cannot take them."""

Reader = Callable[[bytes], Document]


def plugged(name: str | None) -> Reader | None:
    """The reader of another package for a file of this name; None where there is none, or it cannot be loaded."""
    suffix = PurePath(name or "").suffix[1:].lower()
    if not suffix or suffix in OURS:
        return None
    door = doors(GROUP).get(suffix)
    if door is None:
        return None
    try:
        function = door.load()
    except PlugInError as error:
        warn_once(str(error))
        return None

    def read(data: bytes) -> Document:
        """The document. Raises DocumentError: the plug-in's, or what it raised otherwise; it names the package."""
        who = f"the reader {suffix!r} of the package {door.distribution}"
        try:
            document = function(data, source=name)
        except CitewellError:
            raise
        except Exception as error:
            reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            raise DocumentError(f"{name} cannot be read: {who} failed: {reason}") from error
        if not isinstance(document, Document):
            raise DocumentError(f"{name} cannot be read: {who} gave a {type(document).__name__}, not a Document")
        return document

    return read
