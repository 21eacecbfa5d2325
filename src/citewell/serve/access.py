"""Access by token: the users of the first library, and the lines of a file that can be reloaded."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Protocol

from citewell.errors import CitewellError
from citewell.serve import faults, tokens
from citewell.serve.owners import Caller
from citewell.serve.users import Users


class _Known(Protocol):
    """Something that maps tokens to callers."""

    def caller(self, token: str) -> Caller | None:
        """The caller with this token, or None."""


class Access:
    """The accepted tokens and their callers. Raises UsageError: the file is wrong."""

    def __init__(self, file: Path | None, users: Users | None, login: _Known | None = None) -> None:
        self._file, self._users, self._login = file, users, login
        self._tokens = tokens.read(file) if file else None

    def reload(self) -> None:
        """Read the token file again; if it is invalid, the old tokens stay. Raises UsageError: the file is wrong."""
        if self._file is not None:
            self._tokens = tokens.read(self._file)

    async def caller(self, token: str) -> Caller | None:
        """The caller with this token, or None. Raises Fault: the library cannot be asked."""
        known = self._tokens.caller(token) if self._tokens else None
        if known is None and self._users is not None:
            try:
                return await asyncio.to_thread(self._kept, self._users, token)
            except CitewellError as error:
                raise faults.of(error) from error
        return known

    def _kept(self, users: Users, token: str) -> Caller | None:
        return users.caller(token) or (self._login.caller(token) if self._login else None)
