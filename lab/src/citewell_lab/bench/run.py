"""Runs a task: one JSON line per finished item; a killed run resumes and gives the same bytes.

A folder of a run holds `spec.json` (what it was), `items.jsonl` (a record an item) and `summary.json` (its figures).
Items are predicted in chunks that begin at fixed positions, so that a resumed run gives a back end the same batches.
An item that breaks a chunk is found by running the rest of it one by one; it becomes a counted failure.
"""

from __future__ import annotations

import itertools
import json
import os
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from citewell.errors import BackendError, InputError, UsageError
from citewell.library.batch.workers import ALONE, Crew
from citewell.text import files
from citewell_lab.bench import presets, quoted, records
from citewell_lab.bench import spec as specs
from citewell_lab.bench.choice import FAMILIES, choose
from citewell_lab.bench.datasets.dataset import Standing
from citewell_lab.bench.items import Item
from citewell_lab.bench.kinds.base import EVERY_ITEM, Backends, Scores
from citewell_lab.bench.predicting import Attempt, Chunk, Predicting, attempts, side_by_side
from citewell_lab.bench.records import Record
from citewell_lab.bench.spec import Spec
from citewell_lab.bench.tasks import task as find_task

CHUNK = 32  # items that a checker gets at once
HOPELESS = 3  # equal failures of the back end on the first items after which a run stops
REPLIES = "replies.jsonl"  # what a model said, in the run's folder


@dataclass(frozen=True, slots=True)
class Result:
    """The figures of a run. `to_dict` is what `--json` prints; the rest is for people and reports.

    `settings` are all parameters of its back ends, those that the preset set among them; `seed` is of the sample and
    of what a model draws; `cut` counts the replies that the limit of tokens cut off, which are scored as they are.
    """

    task: str
    split: str
    method: str
    n: int
    failed: int
    scores: Scores
    seconds: float
    standing: Standing
    out: Path | None = None
    backends: Mapping[str, str] = field(default_factory=dict)
    failures: tuple[str, ...] = field(default=())
    preset: str | None = None
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    seed: int = 0
    cut: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: metrics are fractions."""
        return {
            "task": self.task,
            "split": self.split,
            "method": self.method,
            "n": self.n,
            "abstained": self.scores.abstained,
            "failed": self.failed,
            "metrics": self.scores.metrics,
            "by_group": self.scores.by_group,
            "seconds": round(self.seconds, 3),
        }


def run(
    name: str,
    data: str | Path,
    split: str,
    *,
    method: Any = None,
    checker: Any = None,
    approach: Any = None,
    llm: Any = None,
    retriever: str | None = None,
    judge: Any = None,
    limit: int | None = None,
    sample: int | None = None,
    out: str | Path | None = None,
    replies: Path | None = None,
    seed: int | None = None,
    preset: str | None = None,
    declining: str | None = None,
    crew: Crew = ALONE,
    progress: bool = False,
) -> Result:
    """Run a task, or go on with a run that stopped.

    Args:
        name: the task.
        data: the folder that holds the data sets' folders.
        split: `dev`, `test`, ..., or `all`.
        method: the attributor, a spec or an object; `lexical` where a task needs one.
        checker: the checker, likewise; `paper` is the one that the paper measures attributability with.
        approach: how questions are answered, a name or an object with `run`; `extractive` where a task asks them,
            `citation` where `llm` is given.
        llm: the language model of the approach. Its replies are kept in `out` and never asked for again.
        retriever: the approach's retriever instead of the paper's.
        judge: a checker that says whether a response does what was asked, where a task takes one.
        limit: only the first so many items.
        sample: only so many items, drawn with the seed; all where there are no more (LAB: 2,000, for GPT-4 100).
        out: the run's folder; a temporary one without it.
        replies: the file of the model's replies, where several runs share one; `replies.jsonl` in `out` otherwise.
        seed: of the sample, and of what the language model draws.
        preset: the settings of a paper by one word, as `lab`; what is given beside it has the last word.
        declining: how a reply that declines is told: `sentences`, `lab` (the paper's phrases anywhere) or `never`.
        crew: who predicts; more than one give the same records in the same order.
        progress: show a bar on stderr.

    Raises:
        UsageError: no such task, an argument that the task does not use, or `out` holds another run.
        InputError: the data is not there.
        InUseError: another process goes on with the run in `out`.
    """
    task = find_task(name)
    for option, value in (("--limit", limit), ("--sample", sample)):
        if value is not None and value < 1:
            raise UsageError(f"{option} is at least 1, not {value}")
    options = {"method": method, "checker": checker, "approach": approach, "llm": llm, "retriever": retriever,
               "judge": judge}  # fmt: skip
    how = {"preset": preset, "declining": declining}
    chosen = choose(task, **options, **how, seed=seed if llm is not None or sample is None else None)
    source = task.data
    paths = source.files(Path(data), split)
    with tempfile.TemporaryDirectory(prefix="citewell-bench-") as temporary, ExitStack() as resources:
        folder = Path(out) if out is not None else Path(temporary)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"the run's folder cannot be made: {error}") from error
        if out is not None:
            resources.enter_context(files.locked(folder))
        kept = replies or (None if out is None else folder / REPLIES)
        backends, parameters = chosen.build(task, kept)
        spec = Spec(
            task=name,
            split=split,
            limit=limit,
            seed=seed or 0,
            given={
                "data": str(data),
                **{key: str(value) for key, value in (options | how).items() if value is not None},
            },
            resolved=chosen.resolved(),
            parameters=parameters,
            checksums=source.checksums(Path(data), paths),
            versions=specs.versions(),
            git=specs.revision(),
            text=specs.text(),
            sample=sample,
        )
        specs.write(folder, spec)
        seconds = _seconds(folder)
        began = time.perf_counter()
        total = limit or sample
        if progress and backends.approach:  # answers take long: count first, so that the time left can be told
            total = sum(1 for _ in source.picked(paths, split, limit=limit, sample=sample, seed=seed or 0))
        items = source.picked(paths, split, sample=sample, seed=seed or 0)
        work, path = Predicting(name, chosen, kept), folder / "items.jsonl"
        written = _go_on(path, work, items, backends, crew, limit=limit, total=total, progress=progress)
        if written:
            seconds += time.perf_counter() - began
        result = replace(summarise(folder, seconds), out=None if out is None else folder)
        summary = {
            **result.to_dict(),
            "cut": result.cut,
            "standing": result.standing._asdict(),
            **_extras(result.scores),
            "sha256": records.digests(folder),
        }
        files.write(folder / "summary.json", json.dumps(summary, ensure_ascii=False, indent=1) + "\n")
        return result


def summarise(folder: Path, seconds: float | None = None) -> Result:
    """The figures of a run from its folder, without its data or its back ends.

    Raises:
        InputError: the folder is not a run.
    """
    spec, records_of_run = records.counted(folder)
    task = find_task(spec.task)
    good = records.good(records_of_run)
    scores = task.score(good)
    size = (
        len({record["id"].rpartition(":")[0] for record in records_of_run})
        if task.data.published.by_question
        else len(records_of_run)
    )
    limited = any(most is not None and len(records_of_run) >= most for most in (spec.limit, spec.sample))
    preset, backends = spec.given.get("preset"), dict(spec.resolved)
    if preset and "approach" in backends:
        backends["approach"] = presets.shortened(backends["approach"], preset)
    stand = task.data.standing(spec.split, size, spec.checksums, limited=limited)
    return Result(
        task=task.name,
        split=spec.split,
        method=called(backends, preset),
        n=len(good),
        failed=len(records_of_run) - len(good),
        scores=scores,
        seconds=_seconds(folder) if seconds is None else seconds,
        standing=stand,
        out=folder,
        backends=backends,
        failures=tuple(f"{record['id']}: {record['failed']}" for record in records.broken(records_of_run)),
        preset=preset,
        settings=spec.parameters,
        seed=spec.seed,
        cut=sum(bool(record.get("cut")) for record in good),
    )


def called(backends: Mapping[str, str], preset: str | None = None) -> str:
    """What a run's back ends are called together: the preset by its word, what it sets left out."""
    method = " | ".join(quoted.called(backends[family]) for family in FAMILIES if family in backends)
    return f"{preset}: {method}" if preset else method


def _extras(scores: Scores) -> dict[str, Any]:
    extras = {"unscored": scores.unscored, "baselines": scores.baselines, "notes": list(scores.notes)}
    return {**extras, **({"curves": scores.curves} if scores.curves else {})}


def _seconds(folder: Path) -> float:
    """What earlier calls took, as far as they finished."""
    try:
        return float(json.loads((folder / "summary.json").read_text(encoding="utf-8"))["seconds"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0.0


def _go_on(
    path: Path,
    work: Predicting,
    items: Iterable[Item],
    backends: Backends,
    crew: Crew,
    *,
    limit: int | None,
    total: int | None,
    progress: bool,
) -> int:
    """Append the records that are not there yet; return how many."""
    from tqdm import tqdm

    done = _done(path)
    bar = tqdm(total=total, initial=min(done, limit or done), desc=work.task, unit=" items", leave=False,
               disable=not progress)  # fmt: skip
    missing = (
        pending for pending in _chunks(itertools.islice(items, limit)) if pending.first + len(pending.items) > done
    )
    task, added, guard = find_task(work.task), 0, _Guard()
    attempted: Iterator[tuple[Chunk, Iterable[Attempt]]]
    if crew.alone:
        attempted = ((chunk, attempts(task, chunk.items, backends)) for chunk in missing)
    else:
        attempted = side_by_side(work, missing, crew)
    with path.open("ab") as file, bar:
        for chunk, results in attempted:
            for position, pending in enumerate(guard.records(chunk.items, results), start=chunk.first):
                if backends.approach and backends.approach.meter and crew.alone:
                    bar.set_postfix_str(backends.approach.meter.usage(), refresh=False)
                if position < done:
                    continue
                file.write(records.line(pending))
                file.flush()
                added += 1
                bar.update(1)
            os.fsync(file.fileno())
    if not done and not added:
        raise InputError(f"the split has no items for {work.task}")
    return added


def _chunks(items: Iterable[Item]) -> Iterator[Chunk]:
    iterator = iter(items)
    for number in itertools.count():
        chunk = list(itertools.islice(iterator, CHUNK))
        if not chunk:
            return
        yield Chunk(number, number * CHUNK, chunk)


@dataclass(slots=True)
class _Guard:
    """Stops a run whose back end fails on every item from the start: a model that is not there, a dead service."""

    worked: bool = False
    last: str = ""
    times: int = 0

    def records(self, items: Sequence[Item], attempts: Iterable[Attempt]) -> Iterator[Record]:
        """A record an item. Until one has worked, failures are held back, so that a run that is stopped begins anew."""
        waiting: list[Record] = []
        for item, attempt in zip(items, attempts, strict=True):
            record = attempt
            if isinstance(record, Exception):
                self._failed(record)
                record = records.failed(item, record)
            self.worked |= "failed" not in record
            waiting.append(record)
            if self.worked:
                yield from waiting
                waiting = []
        yield from waiting

    def _failed(self, error: Exception) -> None:
        """Take note of a failure; raise it where there is nothing to hope for."""
        if isinstance(error, EVERY_ITEM):
            raise error
        if self.worked or not isinstance(error, BackendError):
            return
        self.times = self.times + 1 if str(error) == self.last else 1
        self.last = str(error)
        if self.times >= HOPELESS:
            raise BackendError(f"the first {self.times} items all failed: {error}") from error


def _done(path: Path) -> int:
    """How many whole lines there are; what a kill left of the last one is cut off."""
    if not path.exists():
        return 0
    content = path.read_bytes()
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        with path.open("r+b") as file:
            file.truncate(whole)
    return content.count(b"\n", 0, whole)


__all__ = ["Result", "run", "summarise"]
