"""Runs the server: the socket, the line that announces it, and an end that lets work finish."""

from __future__ import annotations

import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn

from citewell.errors import BackendError, CitewellError, InUseError, UsageError
from citewell.library.library import Library
from citewell.library.store import objects
from citewell.library.store.database import is_address
from citewell.serve import log
from citewell.serve.app import Service
from citewell.serve.libraries import FIRST
from citewell.serve.listening import address, listen
from citewell.serve.settings import Settings
from citewell.serve.users import Users
from citewell.text import files

_PREFIX = "citewell-serve-"


class _Server(uvicorn.Server):  # type: ignore[misc]  # the library's class is untyped here
    def __init__(self, config: uvicorn.Config, address: str, service: Service) -> None:
        super().__init__(config)
        self._address, self._service = address, service

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on signals and return afterwards; uvicorn's own handler would then end this process."""
        before = {name: signal.signal(name, self.handle_exit) for name in (signal.SIGINT, signal.SIGTERM)}
        if hasattr(signal, "SIGHUP"):
            before[signal.SIGHUP] = signal.signal(signal.SIGHUP, lambda *_: _reloaded(self._service))
        try:
            yield
        finally:
            for name, handler in before.items():
                signal.signal(name, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop, and close event streams, which would never end by themselves."""
        self._service.hearing.closing = True
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            sys.stdout.write(f"citewell serves {self._address}\n")
            sys.stdout.flush()


def run(settings: Settings, port: int) -> None:
    """Serve until SIGINT or SIGTERM. Without a library, a temporary one is used.

    Raises UsageError: the address is not available for listening, or needs tokens; LibraryError: the library cannot be
    used; BackendError: its processes cannot begin.
    """
    log.adopt()
    listening = listen(settings.host, port)
    _sweep()
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
    with ExitStack() as ending:
        ending.callback(shutil.rmtree, folder, ignore_errors=True)
        ending.enter_context(files.locked(folder))
        ending.callback(listening.close)
        spool = folder / "uploads"
        spool.mkdir()
        places = dict(settings.libraries) or {FIRST: settings.library or str(folder / "library")}
        if settings.files is not None:
            objects.begin(settings.files)
        for place in places.values():
            library = Library(place, create=True, files=settings.files)  # makes its tables before the workers open it
            with library, suppress(InUseError):  # whoever changes it now does the same at the end
                library.database.settle()
        first = next(iter(places.values()))
        state = settings.state or (folder if is_address(first) else Path(first)) / "service"
        first_library = Library(first)
        users = first_library if Users(first_library).all() else None
        if users is None and settings.token_file is None and not _loopback(settings.host):
            raise UsageError(
                f"{settings.host} can be reached from elsewhere: say who may ask, with citewell serve users add NAME "
                "or --token-file FILE"
            )
        # Users who are made while it runs are let in where tokens are asked for; a service for this machine alone
        # that began without any goes on without.
        users = users or (first_library if settings.token_file or settings.oidc else None)
        known = replace(settings, libraries=tuple(places.items()), spool=spool, state=state, users=users)
        service = Service(known)
        options: dict[str, Any] = {"log_config": None, "access_log": False, "server_header": False, "ws": "none"}
        config = uvicorn.Config(service.app, timeout_graceful_shutdown=int(settings.stopping), **options)
        try:
            _Server(config, address(listening), service).run([listening])
        except SystemExit as stop:  # how uvicorn says that it could not start
            raise BackendError("the service did not start; its log says why") from stop


def _sweep() -> None:
    """Remove the folders of killed services, which nobody has locked."""
    for left in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(CitewellError, OSError):  # somebody works there; it is another user's and cannot be looked into
            if (left / files.LOCK).is_file():  # else one that began just now, or none of ours
                with files.locked(left):
                    pass
                shutil.rmtree(left, ignore_errors=True)


def _reloaded(service: Service) -> None:
    try:
        if service.access is not None:
            service.access.reload()
        log.line("info", message="the tokens were read again")
    except UsageError as error:
        log.line("error", message=f"the tokens stay as they were: {error}")


def _loopback(host: str) -> bool:
    import ipaddress

    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
