"""Compares attributors on the same items of a task: figures, time, forward passes and peak memory."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from citewell import registry
from citewell.document import Document
from citewell.errors import UsageError, notes
from citewell.text import files
from citewell.types import Draft
from citewell_lab.bench.compare import compare, holm
from citewell_lab.bench.everything import slug
from citewell_lab.bench.run import Result, run
from citewell_lab.bench.tasks import task as find_task
from citewell_lab.report.table import Table
from citewell_lab.report.values import Value

_COSTS = "cost.json"  # in a run's folder, since a run that goes on does nothing that could be measured again
_LONGEST = 100  # characters of a folder's name
_WARM = Document.from_text("The river is long. The boat is old.")
_STATUS = Path("/proc/self/status")


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run took, all of its items together.

    Attributes:
        seconds: without loading the model, which is done before.
        passes: forward passes of a model.
        tokens: that were read in them.
        memory: the most bytes that the process held, model included; None where the system does not tell.
        gpu: the most bytes that were taken on the GPU; None without one.
        clock: the seconds of the run when this was measured, by which one that only read its records is told.
    """

    seconds: float
    passes: int
    tokens: int
    memory: int | None
    gpu: int | None
    clock: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        """The cost of a run that went on."""
        memory, gpu = (
            max(filter(None, pair), default=None) for pair in ((self.memory, other.memory), (self.gpu, other.gpu))
        )
        passes, tokens = self.passes + other.passes, self.tokens + other.tokens
        return Cost(self.seconds + other.seconds, passes, tokens, memory, gpu, other.clock)


class Ran(NamedTuple):
    """A method with its figures and its cost; without a cost where the run was made by another command."""

    spec: str
    result: Result
    cost: Cost | None


def side_by_side(
    task: str,
    data: str | Path,
    split: str,
    methods: Sequence[str],
    out: Path,
    *,
    limit: int | None = None,
    sample: int | None = None,
    seed: int | None = None,
    progress: bool = False,
) -> list[Ran]:
    """Run a task with each attributor, one after another; what lies in `out` goes on.

    Args:
        task: one that runs an attributor.
        data: the folder of the data sets.
        split: of the task.
        methods: specs of attributors.
        out: the folder of the runs' folders.
        limit: only the first so many items.
        sample: only so many items, drawn with the seed.
        seed: of the sample.
        progress: show a bar on stderr.

    Raises:
        UsageError: the task runs no attributor, or a method is named twice.
        InputError: the data is not there.
    """
    if "attributor" not in find_task(task).needs:
        raise UsageError(f"{task} runs no attributor")
    if len(set(methods)) < len(methods):
        raise UsageError("a method is named twice")
    ran = []
    for spec in methods:
        folder = out / _folder(f"{task}-{spec}")
        kept = folder / _COSTS
        registry.build("attributor", spec).attribute(Draft("The boat is old."), [_WARM], "sentence", 1)
        with _measured() as spent:
            options = {"limit": limit, "sample": sample, "seed": seed}
            result = run(task, data, split, method=spec, out=folder, progress=progress, **options)  # type: ignore[arg-type]
        known, now = _known(kept), replace(spent[0], clock=round(result.seconds, 3))
        if known is None or known.clock != now.clock:
            known = now if known is None else known + now
            files.write(kept, json.dumps(asdict(known)) + "\n")
        ran.append(Ran(spec, result, known))
    return ran


def _folder(name: str) -> str:
    """A folder's name; the end of a long one is its hash."""
    short = slug(name)
    return short if len(short) <= _LONGEST else f"{short[:_LONGEST]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def table(ran: Sequence[Ran]) -> Table:
    """One row a method; the first is what the others are compared with."""
    first = ran[0]
    task = find_task(first.result.task)
    names = [
        name for name in map(str, task.headline) if any(name in measured.result.scores.metrics for measured in ran)
    ]
    differences = {measured.spec: _difference(first, measured) for measured in ran}
    corrected = holm({spec: p for spec, (_, p) in differences.items() if p is not None})
    rows: list[tuple[Value, ...]] = []
    for measured in ran:
        items = max(1, measured.result.n + measured.result.failed)
        figures: list[Value] = [measured.result.scores.metrics.get(name) for name in names]
        counts = (measured.result.n, measured.result.failed)
        change = differences[measured.spec]
        holm_p = corrected.get(measured.spec)
        rows.append((measured.spec, *counts, *figures, *change, holm_p, *_per(measured.cost, items)))
    columns = (
        "method",
        "n",
        "failed",
        *names,
        "difference",
        "p",
        "p (Holm)",
        "seconds",
        "passes",
        "tokens",
        "memory",
        "gpu",
    )
    notes_ = (
        f"difference: mean over items of {task.main} to {first.spec}, with p by the paired bootstrap",
        "p (Holm): corrected for the number of methods",
        "seconds, passes and tokens an item, without loading the model; memory and gpu: GB at most, the model included",
    )
    plain = ("n", "failed", "p", "p (Holm)", "seconds", "passes", "tokens", "memory", "gpu")
    title = f"Attributors on {first.result.task}, {first.result.split} ({first.result.standing})"
    return Table(f"attributors-{first.result.task}", title, columns, tuple(rows), plain, notes_)


def _difference(first: Ran, other: Ran) -> tuple[float | None, float | None]:
    if other is first or first.result.out is None or other.result.out is None:
        return None, None
    paired = compare(first.result.out, other.result.out).paired
    return (None, None) if paired is None else (paired.difference, round(paired.p, 4))


def _per(cost: Cost | None, items: int) -> tuple[Value, ...]:
    if cost is None:
        return (None,) * 5
    memories = [None if size is None else round(size / 1e9, 3) for size in (cost.memory, cost.gpu)]
    return (round(cost.seconds / items, 4), round(cost.passes / items, 1), round(cost.tokens / items), *memories)


@contextmanager
def _measured() -> Iterator[list[Cost]]:
    """A list that holds the cost of what ran inside, when that is done."""
    spent: list[Cost] = []
    gpu = _gpu()
    _forget_peak()
    if gpu is not None:
        gpu.reset_peak_memory_stats()
    began = time.perf_counter()
    with notes.collect() as noted:
        yield spent
    seconds = time.perf_counter() - began
    taken = None if gpu is None else int(gpu.max_memory_allocated())
    spent.append(Cost(seconds, noted.counts["forward passes"], noted.counts["tokens"], _peak(), taken))


def _gpu() -> Any:
    torch = sys.modules.get("torch")
    return torch.cuda if torch is not None and torch.cuda.is_available() else None


def _forget_peak() -> None:
    """Let the kernel count the peak anew (Linux)."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _peak() -> int | None:
    """The most bytes that the process held since then; None where the system does not tell."""
    try:
        lines = _STATUS.read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    peak = next((line.split()[1] for line in lines if line.startswith("VmHWM:")), None)
    return None if peak is None else 1024 * int(peak)


def _known(path: Path) -> Cost | None:
    try:
        return Cost(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
