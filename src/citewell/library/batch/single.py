"""`citewell.batch.row`: one row of a batch as a plain function, for tools that distribute rows to functions.

A loop, `ray.data`'s and Dask's `map`, Spark's `rdd.map` and `multiprocessing` all work:

work = functools.partial(citewell.batch.row, "ask", library="reports.lib")
results = [work(row) for row in rows]
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from citewell.errors import UsageError
from citewell.errors.arguments import listed
from citewell.library.batch.job import KINDS, Job, Kind, Worker
from citewell.library.batch.rows import Row
from citewell.text import safe
from citewell.text.memo import Recent

_MOST = 4  # jobs that a thread has its documents and its library open for


class _Workers(threading.local):
    """Those of this thread, by their jobs: documents are read once, a library is opened once."""

    def __init__(self) -> None:
        self.by_job = Recent[bytes, Worker](_MOST)


_workers = _Workers()


def row(
    kind: Kind,
    row: Mapping[str, Any],
    *,
    library: str | None = None,
    labels: Iterable[str] = (),
    where: str | None = None,
    retrieval: Literal["lexical", "dense", "hybrid"] = "lexical",
    scan: bool = False,
    **settings: Any,
) -> dict[str, Any]:
    """Ask, attribute, check or audit one row, with the same result as in a batch.

    Args:
        kind: "ask", "attribute", "check" or "audit".
        row: as in `citewell.batch`.
        library: see `citewell.batch`; it is opened once per thread and process.
        labels: the caller's labels.
        where: a condition on the library's documents.
        retrieval: how to rank them.
        scan: by meaning, compare all paragraphs.
        settings: as of `citewell.batch`; specs, not objects, so that they can be sent to other processes.

    Returns:
        {"id", "result"}, or {"id", "error": {"type", "message"}} where the row has no result; `id` is None where the
        row has none.

    Raises:
        UsageError: the kind is unknown, or a setting is not a spec.
        CitewellError: a setting is wrong for every row.
    """
    if kind not in KINDS:
        raise UsageError(f"a batch is one of {', '.join(KINDS)}, not {kind!r}")
    if not isinstance(row, Mapping):
        raise UsageError(f"a row is a mapping, not a {type(row).__name__}")
    job = Job(kind, library, tuple(sorted(listed("labels", labels))), where, retrieval, scan, settings)
    data = {"id": None} | {name: value for name, value in row.items() if value is not None}
    ((line, _),) = _worker(job).lines([Row(0, data)])
    result: dict[str, Any] = safe.loads(line.decode())
    return result


def _worker(job: Job) -> Worker:
    try:
        key = pickle.dumps(job)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise UsageError(f"a setting cannot be given to another process ({error}): give a spec") from error

    def begun() -> Worker:
        job.refuse(elsewhere=False)
        return job.worker()

    return _workers.by_job.get(key, begun)
