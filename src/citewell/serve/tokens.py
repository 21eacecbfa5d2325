"""Who may use the service: tokens from a file, each with scopes and labels, compared in constant time.

A line of the file is a token, and what it may do: `TOKEN [name=NAME] [scopes=read,write] [labels=a,b] [libraries=a,b]`.
Lines that begin with # are remarks. `read` asks and looks, `write` puts documents in and takes them out, `metrics` sees
figures of the service; the first two where none is given. Documents that come with a token carry its labels, and only
who has all the labels of a document sees it. It may use all libraries of the service, or those that are named.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from citewell.errors import UsageError

SCOPES = frozenset({"read", "write", "metrics"})
_USUAL = SCOPES - {"metrics"}
_SHORTEST = 16
_MOST_LABELS = 10  # kept results are looked up by every subset of a caller's labels


class Caller(NamedTuple):
    """Who asks: a name for the log, what they may do, the labels that they carry, and their libraries, None for all."""

    name: str = "local"
    scopes: frozenset[str] = SCOPES
    labels: tuple[str, ...] = ()
    libraries: frozenset[str] | None = None


class Tokens:
    """The tokens of a file, kept as hashes."""

    def __init__(self, callers: Mapping[bytes, Caller]) -> None:
        self._callers = dict(callers)

    def caller(self, token: str) -> Caller | None:
        """Whose token it is; it takes as long whichever it is, and if it is none."""
        given, match = _hash(token), None
        for known, caller in self._callers.items():
            if hmac.compare_digest(known, given):
                match = caller
        return match


def read(path: Path) -> Tokens:
    """The tokens of a file.

    Raises:
        UsageError: it cannot be read, has no token, or a line is wrong.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the tokens in {path} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    callers = dict[bytes, Caller]()
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            token, caller = _line(line, f"line {number} of {path}")
            callers[_hash(token)] = caller
    if not callers:
        raise UsageError(f"{path} has no token: write at least one, each on a line of its own")
    return Tokens(callers)


def _line(line: str, where: str) -> tuple[str, Caller]:
    token, *fields = line.split()
    if len(token) < _SHORTEST:
        raise UsageError(f"{where}: a token has at least {_SHORTEST} characters")
    told = dict(field.partition("=")[::2] for field in fields)
    if unknown := told.keys() - {"name", "scopes", "labels", "libraries"}:
        raise UsageError(
            f"{where}: a token has name=, scopes=, labels= and libraries=, not {', '.join(sorted(unknown))}"
        )
    scopes = frozenset(told["scopes"].split(",")) if "scopes" in told else _USUAL
    if not scopes or not scopes <= SCOPES:
        raise UsageError(f"{where}: scopes are read, write and metrics")
    labels = tuple(sorted(filter(None, told.get("labels", "").split(","))))
    if len(set(labels)) > _MOST_LABELS:
        raise UsageError(f"{where}: a token has at most {_MOST_LABELS} labels")
    libraries = frozenset(filter(None, told["libraries"].split(","))) if "libraries" in told else None
    return token, Caller(told.get("name", where.partition(" of ")[0]), scopes, labels, libraries)


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
