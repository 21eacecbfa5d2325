"""The settings with which a service is started, and its limits."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from citewell.library.library import Library
from citewell.serve.offered import NOTHING, Offered

_MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Oidc:
    """An OpenID Connect provider for logins."""

    issuer: str  # its address, as it calls itself
    client: str  # the id of this service there
    secret: str | None = None  # that of this service, None for a public client
    # What of the provider's words is the name of a user: an address that it has confirmed, or another claim
    claim: str = "email"
    address: str | None = None  # by which people reach this service, None where requests say it


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of one service."""

    library: str  # the folder or address of the library that holds the documents
    spool: Path  # a folder for uploads while they are read
    llm: str | None = None  # the spec of the language model that answers, None for none
    token_file: Path | None = None  # who may use the service, see `tokens`; None lets everybody who reaches the address
    host: str = "127.0.0.1"  # the address that is listened on; requests must name it, or this machine
    allowed: tuple[str, ...] = ()  # other names under which the service is reached
    workers: int = max(2, min(4, os.cpu_count() or 1))  # processes that work
    waiting: int = 64  # requests that may wait for a worker; the next one is told to come back
    seconds: float = 300.0  # that one request may take in its worker, reading a document included
    upload: int = 256 * _MEGABYTE  # bytes of an uploaded file
    uploads: int = 16  # files that are received and read at once
    body: int = 16 * _MEGABYTE  # bytes of a body of JSON
    messages: int = 48 * _MEGABYTE  # the same where documents come in it, in base64
    memory: int = 512 * _MEGABYTE  # bytes of all bodies of JSON that are held at once
    receiving: int = 64  # bodies that are received at once, of one caller half as many
    spooled: int = 4096 * _MEGABYTE  # bytes of bodies on disk at once, of one caller half as many
    patience: float = 20.0  # seconds after which a body that stands still, or comes slower than `rate`, is refused
    rate: float = 8192.0  # bytes a second that a body comes with at least
    receive: float = 1800.0  # seconds in which a whole body comes
    documents: int = 10_000  # that one caller may keep
    results: int = 10_000  # that one caller may keep, and corrections
    state: Path | None = None  # a folder for what is not in the library: jobs; in the library's folder where None
    jobs: int = 100  # that one caller may keep
    rows: int = 100_000  # of a job
    batch: int = 1  # processes that work on a job
    listeners: int = 256  # who hear events at once; of one caller an eighth of them
    stopping: float = 30.0  # seconds that work has to end after the service is told to stop
    # Several of them, each with its name, in its place; the first one is used where a request names none
    libraries: tuple[tuple[str, str], ...] = ()
    offered: Offered = NOTHING  # local models and promises that requests may name
    # Where files of documents lie (`s3://BUCKET/PREFIX`); in the libraries themselves where None
    files: str | None = None
    users: Library | None = None  # the library that keeps the users, None where there are none
    oidc: Oidc | None = None  # by whom people log in, None where tokens alone are taken

    @property
    def places(self) -> dict[str, str]:
        """The libraries by name."""
        return dict(self.libraries) or {"library": self.library}
