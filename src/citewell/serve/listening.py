"""A socket to listen on, its address, and a server for this machine only."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import uvicorn

from citewell.errors import UsageError

_WAITING = 2048  # connections that may wait to be accepted


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 takes a free one. Raises UsageError: the address is not available for listening."""
    try:
        kind, _, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listening = socket.socket(kind, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(place)
    except (OSError, UnicodeError) as error:
        raise UsageError(
            f"{host}:{port} is not available for listening: {getattr(error, 'strerror', error)}"
        ) from error
    listening.listen(_WAITING)
    return listening


def address(listening: socket.socket) -> str:
    """The URL of a socket that listens."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve_alone(app: Any, port: int, path: str, ready: Callable[[str], None]) -> None:
    """Serve an application on this machine alone until it is stopped; `ready` is told the URL of `path`.

    Raises UsageError: the port is taken.
    """
    with listen("127.0.0.1", port) as listening:
        ready(address(listening) + path)
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=5)
        uvicorn.Server(config).run(sockets=[listening])
