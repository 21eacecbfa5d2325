"""Tokens from a file, each with scopes and labels, compared in constant time.

A line of the file is a token and what it may do: `TOKEN [name=NAME] [role=reader|member|admin] [scopes=read,write]
[workspace=NAME] [labels=a,b] [libraries=a,b]`. Lines that begin with # are remarks. `read` asks and looks, `write`
puts documents in and takes them out, `metrics` sees figures of the service; the first two where neither a role nor
scopes are given. Documents that come with a token belong to its name and carry its labels, and only who has all the
labels of a document sees it. It may use all libraries of the service, or those that are named.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from pathlib import Path

from citewell.errors import UsageError, of_files
from citewell.serve.owners import ROLES, SCOPES, Caller, is_workspace, workspace_label

_USUAL = ROLES["member"]
_FIELDS = ("name", "role", "scopes", "workspace", "labels", "libraries")
_SHORTEST = 16
_MOST_LABELS = 10  # kept results are looked up by every subset of a caller's labels


class Tokens:
    """The hashed tokens of a file."""

    def __init__(self, callers: Mapping[bytes, Caller]) -> None:
        self._callers = dict(callers)

    def caller(self, token: str) -> Caller | None:
        """The caller with this token, found in constant time, or None."""
        digest, match = _hash(token), None
        for known, caller in self._callers.items():
            if hmac.compare_digest(known, digest):
                match = caller
        return match


def read(path: Path) -> Tokens:
    """Read a token file. Raises UsageError: it cannot be read, has no token, or a line is wrong."""
    with of_files(f"the tokens in {path} cannot be read", UsageError, (OSError, UnicodeDecodeError)):
        lines = path.read_text(encoding="utf-8").splitlines()
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
    fields_by_name = dict(field.partition("=")[::2] for field in fields)
    if unknown := fields_by_name.keys() - set(_FIELDS):
        known = ", ".join(f"{name}=" for name in _FIELDS)
        raise UsageError(f"{where}: a token has {known}, not {', '.join(sorted(unknown))}")
    role = fields_by_name.get("role")
    if role is not None and role not in ROLES:
        raise UsageError(f"{where}: a role is {', '.join(ROLES)}, not {role}")
    usual = ROLES[role] if role else _USUAL
    scopes = frozenset(fields_by_name["scopes"].split(",")) if "scopes" in fields_by_name else usual
    if not scopes or not scopes <= SCOPES:
        raise UsageError(f"{where}: scopes are read, write and metrics")
    labels = checked_labels(fields_by_name.get("labels", "").split(","), where)
    carried = (*labels, *workspace_label(fields_by_name.get("workspace", "")))
    named = fields_by_name.get("libraries")
    libraries = None if named is None else frozenset(filter(None, named.split(",")))
    # A line may move in the file: a token without a name is known by the beginning of its hash.
    name = fields_by_name.get("name") or f"token-{_hash(token).hex()[:12]}"
    return token, Caller(name, scopes, carried, libraries, admin=role == "admin")


def checked_labels(labels: Iterable[str], where: str) -> tuple[str, ...]:
    """Distinct labels. Raises UsageError: there are too many, or one is that of a workspace."""
    distinct = tuple(sorted(set(filter(None, labels))))
    if len(distinct) > _MOST_LABELS:
        raise UsageError(f"{where}: a token has at most {_MOST_LABELS} labels")
    if any(map(is_workspace, distinct)):
        raise UsageError(f"{where}: a label does not begin with workspace:, which is a field of its own")
    return distinct


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
