"""Starts the service's processes: as forks of a process with everything loaded, where that is safe."""

from __future__ import annotations

import multiprocessing
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerContext, SpawnContext

_LOADED = ["citewell.serve.work"]


def context() -> ForkServerContext | SpawnContext:
    """By which they are started. A fork costs a moment and little memory, a new interpreter a second of a processor."""
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    forks = multiprocessing.get_context("forkserver")
    forks.set_forkserver_preload(_LOADED)
    return forks


def begin() -> None:
    """Let the process that is forked load while this one does.

    Each process enters the folder of this one. Where it may not (`sudo -u` in somebody else's home) or the folder is
    gone, all work in the root.
    """
    try:
        os.chdir(Path.cwd())
    except OSError:
        os.chdir(os.sep)
    if context().get_start_method() == "forkserver":
        from multiprocessing import forkserver

        forkserver.ensure_running()
