"""Remote addresses: s3://, gs:// and hf:// through fsspec."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from citewell.errors import CitewellError, InputError, MissingExtraError, UsageError

SCHEMES = {"s3": ("s3fs", "s3"), "gs": ("gcsfs", "remote"), "hf": ("huggingface_hub", "remote")}
"""What addresses may begin with, the package that reads them, and our extra that has it."""
_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/{1,2}")  # `Path` makes one slash of two
_FAULTS = (OSError, EOFError, zlib.error, ValueError)


def named(place: str | os.PathLike[str]) -> str:
    """A path as it is, an address with both of its slashes."""
    return _ADDRESS.sub(r"\1://", os.fspath(place), count=1)


def scheme(place: str | os.PathLike[str]) -> str | None:
    """What an address begins with, None for a path of this machine.

    Raises UsageError: no address that begins so can be read; MissingExtraError: the package that reads it is not
    installed.
    """
    match = _ADDRESS.match(os.fspath(place))
    if match is None:
        return None
    kind = match[1].lower()
    if kind not in SCHEMES:
        raise UsageError(f"{named(place)}: rows and results are paths, s3://, gs:// or hf://, not {kind}://")
    needed, extra = SCHEMES[kind]
    for package in ("fsspec", needed):
        if find_spec(package) is None:
            raise MissingExtraError(f"an address of {kind}://", package, extra)
    return kind


@contextmanager
def faults(place: str, verb: str) -> Iterator[None]:
    """Faults of a file or of a store as an error that names the place; `verb` is read or written.

    Raises InputError: something went wrong.
    """
    try:
        yield
    except CitewellError:
        raise
    except _FAULTS as error:
        message = getattr(error, "strerror", None) or " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"{place} cannot be {verb}: {message}") from error
    except Exception as error:
        if scheme(place) is None:
            raise
        # A store's client has errors of its own: no credentials, no bucket.
        message = " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"{place} cannot be {verb}: {message}") from error


def store(address: str, **settings: Any) -> tuple[Any, str]:
    """The file system of an address, with settings of its client, and the path in it."""
    import fsspec

    system, path = fsspec.core.url_to_fs(address, use_listings_cache=False, **settings)
    return system, path
