"""A leaderboard: a folder of submissions, their figures by the gold labels, and a page.

    BOARD/submissions/SHA256.json    the submissions, each named by its hash
    BOARD/board.json                 their figures, made from the submissions and the data alone
    BOARD/index.html                 the page, made from board.json

Figures are never taken from anybody: `add` scores the predictions from gold, `check` does it again for all that are
there and compares. The first submission of a task and split decides which data they are of.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from citewell import registry
from citewell.errors import InputError, UsageError
from citewell.protocols import Checker
from citewell.text import files
from citewell_lab.bench import spec as specs
from citewell_lab.bench.board import submission as submissions
from citewell_lab.bench.board.submission import Submission
from citewell_lab.bench.items import Broken
from citewell_lab.bench.metrics.declared import Metric, is_share
from citewell_lab.bench.predicted import Predicted
from citewell_lab.bench.tasks import task as find_task
from citewell_lab.report.page import page
from citewell_lab.report.table import Table

FORMAT = 2
JUDGE = "lexical"  # judges attributability on every board, so that its figures can be compared


def scored(submission: Submission, data: Path) -> dict[str, Any]:
    """The entry of a submission: its figures from gold.

    Raises:
        InputError: the data is not there, or a prediction is none of what it may be.
        UsageError: the submission is not of this data, of other segments, or not of all items.
    """
    task = find_task(submission.task)
    if task.data.derived:
        raise UsageError(f"the items of {task.name} are made from other data sets: there is no board of it")
    paths = task.data.files(data, submission.split)
    checksums = task.data.checksums(data, paths)
    if checksums != submission.checksums:
        differing = sorted({*checksums.items()} ^ {*submission.checksums.items()})
        raise UsageError(f"{submission.name} read other data: {differing[0][0]} differs from what lies in {data}")
    versions = submission.system["text"]
    if versions != specs.text():
        raise UsageError(
            f"{submission.name} is of other versions of reader and segmenter ({_listed(versions)}; here "
            f"{_listed(specs.text())}): its positions are of other segments"
        )
    items = {item.id: item for item in task.data.items(paths, submission.split) if not isinstance(item, Broken)}
    predictions = {str(row["id"]): row for row in submission.predictions}
    if len(predictions) != len(submission.predictions):
        ids = [str(row["id"]) for row in submission.predictions]
        raise UsageError(
            f"{submission.name} has two predictions for the item {next(i for i in ids if ids.count(i) > 1)}"
        )
    if predictions.keys() != items.keys():
        missing, unknown = len(items.keys() - predictions.keys()), len(predictions.keys() - items.keys())
        raise UsageError(
            f"{submission.name} is not of the whole split: {missing} of {len(items)} items lack a prediction, "
            f"{unknown} predictions are of no item"
        )
    checker: Checker = registry.build("checker", JUDGE)
    rows = []
    for key, item in items.items():
        values = {name: value for name, value in predictions[key].items() if name != "id"}
        if foreign := sorted(values.keys() - set(task.predicted)):
            raise InputError(f"{key}: {foreign[0]} is nothing that a system predicts in {task.name}")
        rows.append(task.rescored(item, Predicted(key, values), checker))
    scores = task.score(rows)
    return {
        "name": submission.name,
        "task": task.name,
        "split": submission.split,
        "n": len(rows),
        "abstained": scores.abstained,
        "metrics": scores.metrics,
        "judge": JUDGE,
        "standing": task.data.standing(submission.split, len(rows), checksums)._asdict(),
        "checksums": checksums,
        "system": submission.system,
        "submission": submission.sha256,
    }


def _listed(versions: Any) -> str:
    return ", ".join(f"{name} {version}" for name, version in versions.items()) if isinstance(versions, dict) else "?"


def load(folder: Path) -> dict[str, Any]:
    """The figures of a leaderboard; none where there is no file.

    Raises:
        InputError: the folder holds another file of that name.
    """
    path = folder / "board.json"
    if not path.exists():
        return {"format": FORMAT, "entries": []}
    try:
        payload = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path} is not a leaderboard: {error}") from error
    if not isinstance(payload, dict) or payload.get("format") != FORMAT or not isinstance(payload.get("entries"), list):
        raise InputError(f"{path} is not a leaderboard of format {FORMAT}")
    return payload


def add(submission: Submission, folder: Path, data: Path) -> dict[str, Any]:
    """Score a submission and add it; one of the same name, task and split is replaced. Returns the entry.

    Raises:
        InputError: a prediction is none of what it may be, the data is not there, or the folder is no leaderboard.
        UsageError: the submission is not of all items, or of other data than the board's.
    """
    entry = scored(submission, data)
    try:
        (folder / "submissions").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"the leaderboard cannot be made: {error}") from error
    with files.locked(folder):  # what another process adds meanwhile would be lost
        kept = []
        for other in load(folder)["entries"]:
            same = (other["task"], other["split"]) == (entry["task"], entry["split"])
            if same and other["checksums"] != entry["checksums"]:
                raise UsageError(f"{submission.name} read other data than the entry {other['name']!r}")
            if not same or other["name"] != entry["name"]:
                kept.append(other)
        submissions.write(submission, _file(folder, entry))
        _write(folder, [*kept, entry])
    return entry


def check(folder: Path, data: Path) -> list[str]:
    """What is wrong with a leaderboard: its figures are made again from its submissions and the data."""
    faults = []
    entries = load(folder)["entries"]
    for entry in entries:
        path = _file(folder, entry)
        try:
            submission = submissions.read(path)
            if submission.sha256 != entry["submission"]:
                faults.append(f"{entry['name']}: its submission is not the one that was added")
                continue
            again = scored(submission, data)
        except (InputError, UsageError) as error:
            faults.append(f"{entry['name']}: {error}")
            continue
        differs = [key for key in again if _plain(again[key]) != entry.get(key)]
        if differs:
            faults.append(f"{entry['name']}: the entry differs from its submission in {', '.join(differs)}")
    known = {entry["submission"] for entry in entries}
    strange = [path.name for path in sorted((folder / "submissions").glob("*.json")) if path.stem not in known]
    return faults + [f"submissions/{name} has no entry" for name in strange]


def _file(folder: Path, entry: Mapping[str, Any]) -> Path:
    return folder / "submissions" / f"{entry['submission']}.json"


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def _write(folder: Path, entries: list[dict[str, Any]]) -> None:
    entries.sort(key=lambda entry: (entry["task"], entry["split"], entry["name"]))
    content = {"format": FORMAT, "entries": _plain(entries)}
    files.write(folder / "board.json", json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True) + "\n")
    files.write(folder / "index.html", _page(content))
    known = {entry["submission"] for entry in entries}
    for path in (folder / "submissions").glob("*.json"):
        if path.stem not in known:
            path.unlink()


def tables(board: Mapping[str, Any]) -> list[Table]:
    """A table for each task and split, the best by its first metric at the top."""
    entries, listed = board["entries"], []
    for task, split in dict.fromkeys((entry["task"], entry["split"]) for entry in entries):
        rows = [entry for entry in entries if (entry["task"], entry["split"]) == (task, split)]
        names = list(dict.fromkeys(name for entry in rows for name in entry["metrics"]))
        rows.sort(key=lambda entry: _order(find_task(task).metric(names[0]), entry["metrics"]) if names else 0.0)
        cells = [(entry["name"], entry["n"], entry["abstained"], *map(entry["metrics"].get, names)) for entry in rows]
        note = f"data: {rows[0]['standing']['state']} ({rows[0]['standing']['why']})"
        plain = tuple(name for name in names if not is_share(name))
        listed.append(Table(task, f"{task}, {split}", ("", "n", "abst.", *names), tuple(cells), plain, (note,)))
    return listed


def _page(board: Mapping[str, Any]) -> str:
    """A static page without scripts, which opens from `file://`."""
    note = (
        "Figures are percentages, computed from gold out of the predictions in submissions/. "
        f"Attributability is judged by the checker {JUDGE}. `citewell bench leaderboard check` computes them again."
    )
    sections = "".join(table.section() for table in tables(board))
    return page("Leaderboard", f"<p>{note}</p>{sections or '<p>No entries.</p>'}")


def _order(metric: Metric, metrics: Mapping[str, float]) -> float:
    """What puts the best entry first."""
    value = metrics.get(str(metric), float("inf") if metric.lower_is_better else 0.0)
    return value if metric.lower_is_better else -value
