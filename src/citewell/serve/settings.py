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
    """An OpenID Connect provider for logins.

    Attributes:
        issuer: its address, as it calls itself.
        client: the id of this service there.
        secret: that of this service, None for a public client.
        claim: what of the provider's words is the name of a user: an address that it has confirmed, or another claim.
        address: by which people reach this service, None where requests say it.
    """

    issuer: str
    client: str
    secret: str | None = None
    claim: str = "email"
    address: str | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of one service.

    Attributes:
        library: the folder or address of the library that holds the documents.
        libraries: several of them, each with its name, in its place; the first one is used where a request names none.
        spool: a folder for uploads while they are read.
        llm: the spec of the language model that answers, None for none.
        token_file: who may use the service; see `tokens`. None lets everybody who reaches the address.
        host: the address that is listened on; requests must name it, or this machine.
        allowed: other names under which the service is reached.
        workers: processes that work.
        waiting: requests that may wait for a worker; the next one is told to come back.
        seconds: that one request may take in its worker, reading a document included.
        upload: bytes of an uploaded file.
        uploads: files that are received and read at once.
        body: bytes of a body of JSON.
        messages: the same where documents come in it, in base64.
        memory: bytes of all bodies of JSON that are held at once.
        receiving: bodies that are received at once, of one caller half as many.
        spooled: bytes of bodies on disk at once, of one caller half as many.
        patience: seconds after which a body that stands still, or comes slower than `rate`, is refused.
        rate: bytes a second that a body comes with at least.
        receive: seconds in which a whole body comes.
        documents: that one caller may keep.
        results: that one caller may keep, and corrections.
        state: a folder for what is not in the library: jobs; in the library's folder where None.
        jobs: that one caller may keep.
        rows: of a job.
        batch: processes that work on a job.
        offered: local models and promises that requests may name.
        files: where files of documents lie (`s3://BUCKET/PREFIX`); in the libraries themselves where None.
        users: the library that keeps the users, None where there are none.
        oidc: by whom people log in, None where tokens alone are taken.
        listeners: who hear events at once; of one caller an eighth of them.
        stopping: seconds that work has to end after the service is told to stop.
    """

    library: str
    spool: Path
    llm: str | None = None
    token_file: Path | None = None
    host: str = "127.0.0.1"
    allowed: tuple[str, ...] = ()
    workers: int = max(2, min(4, os.cpu_count() or 1))
    waiting: int = 64
    seconds: float = 300.0
    upload: int = 256 * _MEGABYTE
    uploads: int = 16
    body: int = 16 * _MEGABYTE
    messages: int = 48 * _MEGABYTE
    memory: int = 512 * _MEGABYTE
    receiving: int = 64
    spooled: int = 4096 * _MEGABYTE
    patience: float = 20.0
    rate: float = 8192.0
    receive: float = 1800.0
    documents: int = 10_000
    results: int = 10_000
    state: Path | None = None
    jobs: int = 100
    rows: int = 100_000
    batch: int = 1
    listeners: int = 256
    stopping: float = 30.0
    libraries: tuple[tuple[str, str], ...] = ()
    offered: Offered = NOTHING
    files: str | None = None
    users: Library | None = None
    oidc: Oidc | None = None

    @property
    def places(self) -> dict[str, str]:
        """The libraries by name."""
        return dict(self.libraries) or {"library": self.library}
