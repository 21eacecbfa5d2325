"""Listening: the socket, the server on it, the line that says so, and an end that lets work finish."""

from __future__ import annotations

import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import uvicorn

from citewell.errors import UsageError
from citewell.library.library import Library
from citewell.library.store.database import is_address
from citewell.serve.app import Service
from citewell.serve.libraries import FIRST
from citewell.serve.settings import Settings


class _Server(uvicorn.Server):  # type: ignore[misc]  # the library's class is untyped here
    def __init__(self, config: uvicorn.Config, address: str) -> None:
        super().__init__(config)
        self._address = address

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop when told to, and go on behind the server: the one of uvicorn would end this process at once then."""
        before = {name: signal.signal(name, self.handle_exit) for name in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for name, handler in before.items():
                signal.signal(name, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            sys.stdout.write(f"citewell serves {self._address}\n")
            sys.stdout.flush()


def run(settings: Settings, port: int) -> None:
    """Serve until told to stop (SIGINT, SIGTERM). An empty `library` is a new one, gone at the end.

    Raises:
        UsageError: the address cannot be listened on, or needs tokens.
        LibraryError: the library cannot be used.
    """
    if settings.token_file is None and not _loopback(settings.host):
        raise UsageError(f"{settings.host} can be reached from elsewhere: say who may ask with --token-file FILE")
    listening = _listening(settings.host, port)
    folder = Path(tempfile.mkdtemp(prefix="citewell-serve-"))
    try:
        spool = folder / "uploads"
        spool.mkdir()
        places = dict(settings.libraries) or {FIRST: settings.library or str(folder / "library")}
        for place in places.values():
            Library(place, create=True).close()  # makes its tables before the workers open it
        first = next(iter(places.values()))
        state = settings.state or (folder if is_address(first) else Path(first)) / "service"
        service = Service(replace(settings, libraries=tuple(places.items()), spool=spool, state=state))
        options: dict[str, Any] = {"log_config": None, "access_log": False, "server_header": False, "ws": "none"}
        config = uvicorn.Config(service.app, timeout_graceful_shutdown=int(settings.stopping), **options)
        _Server(config, _address(listening)).run([listening])
    finally:
        listening.close()
        shutil.rmtree(folder, ignore_errors=True)


def _listening(host: str, port: int) -> socket.socket:
    try:
        kind, _, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listening = socket.socket(kind, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(place)
    except (OSError, UnicodeError) as error:
        raise UsageError(f"{host}:{port} cannot be listened on: {getattr(error, 'strerror', error)}") from error
    listening.listen(2048)
    return listening


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _loopback(host: str) -> bool:
    import ipaddress

    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
