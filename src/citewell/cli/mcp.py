"""`citewell mcp`: tools for a model, over the Model Context Protocol."""

from __future__ import annotations

import os
import signal
import tempfile
from contextlib import ExitStack
from functools import partial
from types import FrameType

import click

from citewell.cli.options import needs, options


@click.command()
@options("mcp", "library http llm label")
def mcp(*, place: str | None, port: int | None, llm: str | None, labels: tuple[str, ...]) -> None:
    """Give a model tools: read, documents, ask, attribute, check, open_page.

    The program that runs the model starts this command and communicates over standard input and output. With --http the
    server is at http://127.0.0.1:PORT/mcp, for programs on this machine; read then takes bytes instead of a path.

    \b
    citewell mcp
    citewell mcp --library reports.lib --http 8000
    """  # noqa: D301  (click keeps the lines after this character as they are)
    needs("citewell mcp", "mcp", "mcp", "sqlalchemy", "alembic")
    from citewell.library.library import Library
    from citewell.serve import mcp as served

    with ExitStack() as stack:
        stack.callback(signal.signal, signal.SIGTERM, signal.signal(signal.SIGTERM, partial(_stopped, stack)))
        if place is None:
            place = stack.enter_context(tempfile.TemporaryDirectory(prefix="citewell-"))
        library = stack.enter_context(Library(place, labels=labels, create=True))
        if port is None:
            served.serve_stdio(library, llm=llm)
        else:
            served.serve_http(library, port, llm=llm, ready=lambda address: click.echo(address, err=True))


def _stopped(stack: ExitStack, _number: int, _frame: FrameType | None) -> None:
    """End at once, without what would wait for a line of standard input; a temporary library goes."""
    stack.close()
    os._exit(0)
