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
    """The start method of processes. A fork is fast and shares memory; a new interpreter takes a second."""
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    forks = multiprocessing.get_context("forkserver")
    forks.set_forkserver_preload(_LOADED)
    return forks


def begin() -> None:
    """Start the fork server, which loads the package meanwhile.

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
