"""The process that `isolated` starts for one file: applies the budget, reads, and returns the result."""

from __future__ import annotations

import io
import json
import os
import select
import sys
import threading
from contextlib import suppress
from typing import Any

from citewell.errors import CitewellError
from citewell.readers import read
from citewell.readers.budget import Budget
from citewell.readers.isolated import OUT_OF_MEMORY, PAGES


def main() -> int:
    """Do one job: the job and its budget on the first line of standard input, the bytes of the file behind it."""
    job = json.loads(sys.stdin.buffer.readline())
    budget = Budget(**job["budget"])
    _limit(budget)
    threading.Thread(target=_end_with_listener, daemon=True).start()
    try:
        payload, rest = _done(job, sys.stdin.buffer.read(), budget)
    except CitewellError as error:
        payload, rest = {"error": {"kind": type(error).__name__, "message": str(error), "fields": vars(error)}}, b""
    except MemoryError:
        return OUT_OF_MEMORY
    sys.stdout.buffer.write(json.dumps(payload).encode("ascii") + b"\n" + rest)
    sys.stdout.buffer.flush()
    return 0


def _limit(budget: Budget) -> None:
    """Hold this process to a budget; where there is no `resource` (Windows) only to its time, by whoever waits."""
    with suppress(ImportError):
        import resource

        for limit, most in (
            (resource.RLIMIT_AS, budget.memory_bytes),
            (resource.RLIMIT_CPU, budget.seconds),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
        ):
            with suppress(ValueError, OSError):  # a lower limit holds already, or the system knows none
                resource.setrlimit(limit, (most, most))


def _end_with_listener() -> None:
    """End this process when nobody is left to read what it says: whoever asked was killed."""
    if hasattr(select, "poll"):
        listener = select.poll()
        listener.register(sys.stdout.fileno(), 0)  # no event is asked for: errors and hang-ups are always told
        listener.poll()
        os._exit(1)


def _done(job: dict[str, Any], data: bytes, budget: Budget) -> tuple[dict[str, Any], bytes]:
    if "page" in job:
        from citewell.readers.pdf.locate import page_boxes

        return {"document": None}, _saved(page_boxes(data, job["page"]))
    document = read(data, name=job["name"], budget=budget, ocr=job["ocr"], progress=_report)
    runs, boxes = getattr(document.locator, "runs", None), getattr(document.locator, "read", {})
    arrays = b"" if runs is None else b"".join(map(_saved, (runs, *boxes.values())))
    return {"document": document.to_dict(), "read": list(boxes)}, arrays


def _report(done: int, total: int) -> None:
    sys.stderr.write(PAGES.format(done, total))
    sys.stderr.flush()


def _saved(array: Any) -> bytes:
    import numpy as np

    buffer = io.BytesIO()
    np.save(buffer, np.array(array), allow_pickle=False)
    return buffer.getvalue()


if __name__ == "__main__":
    raise SystemExit(main())
