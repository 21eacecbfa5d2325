"""Reading in a separate process with limits on memory and time, so that a hostile file only ends that process.

read("report.pdf", isolated=True)

The process is a fresh interpreter. A fork of this one would have its memory (keys too) and its locks, which other
threads may hold at that moment; `multiprocessing`'s spawn would run the caller's main module again. Its environment has
no keys, it writes no files, and what it says is JSON and arrays of numbers, checked like a saved document.
"""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from citewell import errors
from citewell.document import Document
from citewell.errors import CitewellError, CorruptDocumentError
from citewell.readers.budget import Budget, refusal
from citewell.text import safe

if TYPE_CHECKING:
    from citewell.readers.pdf.boxes import Floats

_KEPT = "PATH SYSTEMROOT TMPDIR LANG LC_ALL LC_CTYPE TESSDATA_PREFIX LD_LIBRARY_PATH DYLD_LIBRARY_PATH".split()
_SET = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
WORKER = "citewell.readers.worker"  # run as a process, never imported here
OUT_OF_MEMORY = 77  # the exit code of a process that could not have more
PAGES = "pages {} {}\n"  # what it says on standard error of its way
_PAGES = re.compile(r"pages (\d{1,9}) ([1-9]\d{0,8})")
_STEPS = 50  # of a file's way that are told at most
_LINGER = 1.0  # seconds that are waited for the last of what a process says


def read_isolated(
    data: bytes, name: str | None, budget: Budget, ocr: str, progress: Callable[[int, int], None] | None = None
) -> Document:
    """The document that `read` returns for these bytes, read in a separate process.

    `progress` is called in another thread. Raises DocumentError: as `read` does; a process that crashes is a
    `CorruptDocumentError`, one that takes too much time or memory a `TooLargeDocumentError`.
    """
    payload, rest = _run_job({"name": name, "ocr": ocr}, data, budget, name or "the input", progress)
    document = Document.from_dict(payload["document"])
    if not rest:
        return document
    from citewell.readers.pdf.locate import PdfLocator
    from citewell.readers.pdf.text import Runs

    arrays = io.BytesIO(rest)
    runs = Runs(*_array(arrays))
    read = {int(number): _array(arrays) for number in payload["read"]}
    locator = PdfLocator(data, runs, partial(_page_boxes, budget), read)
    return replace(document, locator=locator)


def _page_boxes(budget: Budget, data: bytes, number: int) -> Floats:
    boxes: Floats = _array(io.BytesIO(_run_job({"page": number}, data, budget, f"page {number}")[1]))
    return boxes


def _run_job(
    job: dict[str, Any],
    data: bytes,
    budget: Budget,
    what: str,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[dict[str, Any], bytes]:
    """The output of a new process for these bytes: JSON, followed by an array."""
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    paths = os.pathsep.join(path for path in sys.path if path)
    try:
        with _heard(progress) as stderr:
            ended = subprocess.run(  # noqa: S603  (this interpreter, a module of ours)
                [sys.executable, "-P", "-m", WORKER],
                input=json.dumps({**job, "budget": asdict(budget)}).encode() + b"\n" + data,
                stdout=subprocess.PIPE,
                stderr=stderr,
                timeout=budget.seconds,
                env={**environment, **_SET, "PYTHONPATH": paths},
                check=False,
            )
    except subprocess.TimeoutExpired as error:
        raise refusal("seconds", budget.seconds, budget.seconds, what) from error
    if ended.returncode == OUT_OF_MEMORY:
        raise refusal("memory_bytes", budget.memory_bytes, budget.memory_bytes, what)
    if sys.platform != "win32" and ended.returncode == -signal.SIGXCPU:
        raise refusal("seconds", budget.seconds, budget.seconds, what)
    header, _, rest = ended.stdout.partition(b"\n")
    try:
        payload = {} if ended.returncode else safe.loads(header.decode("ascii"))
        refused = _error(payload["error"]) if "error" in payload else None
        if refused is None:
            return {"document": payload["document"], "read": payload.get("read", ())}, rest
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorruptDocumentError(
            f"{what} made its reader crash (exit code {ended.returncode}): it is damaged, or meant to harm"
        ) from error
    raise refused


@contextmanager
def _heard(progress: Callable[[int, int], None] | None) -> Iterator[int]:
    """Standard error of a process whose way is told; nothing else that it says there is for anybody."""
    if progress is None:
        yield subprocess.DEVNULL
        return
    ours, theirs = os.pipe()
    listener = threading.Thread(target=_hear, args=(ours, progress), daemon=True)
    listener.start()
    try:
        yield theirs
    finally:
        os.close(theirs)
        listener.join(_LINGER)  # what the process started may outlive it, and holds the pipe open


def _hear(place: int, progress: Callable[[int, int], None]) -> None:
    step = 0
    with open(place, encoding="ascii", errors="replace") as lines:
        for line in lines:
            if (pages := _PAGES.fullmatch(line.strip())) is None:
                continue
            done, total = map(int, pages.groups())
            if done <= total and done * _STEPS // total > step:  # so often and no more, whatever it says
                step = done * _STEPS // total
                progress(done, total)


def _error(fault: dict[str, Any]) -> CitewellError:
    """One of our errors, as the other process raised it."""
    kind = getattr(errors, fault["kind"])
    if not issubclass(kind, CitewellError):
        raise TypeError(f"{kind!r} is no error of ours")
    error: CitewellError = kind.__new__(kind, str(fault["message"]))
    vars(error).update(fault["fields"])
    return error


def _array(data: io.BytesIO) -> Any:
    import numpy as np

    try:
        return np.load(data, allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise CorruptDocumentError(f"the reader's process gave no places of the text: {error}") from error
