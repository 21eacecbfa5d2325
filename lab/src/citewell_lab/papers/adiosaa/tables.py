"""ADiOSAA's smaller tables: statistics of the data (2), samples of units (4), accuracy on entailment (5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from citewell import registry
from citewell.document import Document
from citewell.errors import InputError
from citewell.protocols import Pair
from citewell_lab.bench.datasets import files
from citewell_lab.bench.items import Broken, Item, RankItem
from citewell_lab.bench.tasks import task as find_task
from citewell_lab.papers.published import figures
from citewell_lab.report.table import Report, Table
from citewell_lab.report.values import Value

_STATISTICS = ("questions", "source sentences", "attributions a sentence", "sentences an answer", "answers a question")
_TASKS = ("verifiability", "hagrid")
_SPLITS = ("train", "dev", "test")


def statistics(data: str | Path) -> Report:
    """Table 2: each split of Verifiability and HAGRID that lies in a folder, under the paper's row.

    Raises:
        InputError: neither lies there.
    """
    rows: list[tuple[Value, ...]] = []
    whose: list[str] = []
    for name, split in ((name, split) for name in _TASKS for split in _SPLITS):
        published = figures("adiosaa")["statistics"][name].get(split)
        if published is None:
            continue
        source = find_task(name).data
        try:
            paths = source.files(Path(data), split)
        except InputError:
            continue
        rows += [(f"{name} {split}", *published), (f"{name} {split}", *_statistics(source.items(paths, split)))]
        whose += ["paper", "ours"]
    if not rows:
        raise InputError(f"{data} holds no split of verifiability or hagrid")
    note = "sentences are those with evidence that are not copied whole from the document, as they are scored"
    title = "Verifiability and HAGRID: sizes and means"
    table = Table("adiosaa-2", title, ("", *_STATISTICS), tuple(rows), _STATISTICS, (note,), "Table 2", tuple(whose))
    return Report((table,), {"data": str(data)})


def _statistics(items: Iterable[Item | Broken]) -> tuple[Value, ...]:
    answers = [item for item in items if isinstance(item, RankItem)]
    questions: dict[str, list[RankItem]] = {}
    for item in answers:
        questions.setdefault(item.id.rpartition(":")[0], []).append(item)
    sentences = [gold for item in answers for gold in item.gold]
    lengths = [len(first_items[0].segments) for first_items in questions.values()]
    return (
        len(questions),
        _mean(lengths),
        _mean([len(gold) for gold in sentences]),
        _mean([len(item.targets) + item.verbatim for item in answers]),
        _mean([len(first_items) for first_items in questions.values()]),
    )


def _mean(values: Sequence[int]) -> float | None:
    return sum(values) / len(values) if values else None


def samples(decomposer: str) -> Report:
    """Table 4: the paper's four sentences, the units that it shows, and those of a decomposer.

    Raises:
        SpecError, BackendError: of the decomposer.
    """
    built = registry.build("decomposer", decomposer)
    rows: list[tuple[Value, ...]] = []
    whose: list[str] = []
    for number, sample in enumerate(figures("adiosaa")["decompositions"], 1):
        unit_texts = [unit.text for unit in built.decompose(sample["sentence"])]
        for name, units in (("paper", sample["units"]), ("ours", unit_texts)):
            rows += [(str(number), sample["kind"], unit) for unit in units]
            whose += [name] * len(units)
    notes = tuple(f"{n}: {sample['sentence']}" for n, sample in enumerate(figures("adiosaa")["decompositions"], 1))
    table = Table("adiosaa-4", f"Units by {decomposer}", ("sentence", "the paper's verdict", "unit"), tuple(rows),
                  notes=notes, source="Table 4", whose=tuple(whose))  # fmt: skip
    return Report((table,), {"decomposer": registry.canonical("decomposer", decomposer)})


def accuracy(checker: str, paths: Sequence[str | Path], limit: int | None = None) -> Report:
    """Table 5: the accuracy of a checker on entailment pairs, and the paper's row of its own.

    A pair is a line with `premise`, `hypothesis` and `label`; every label but `entailment` counts as none.

    Raises:
        InputError: a file has no such line.
        SpecError, BackendError: of the checker.
    """
    built = registry.build("checker", checker)
    published = figures("adiosaa")["docnli accuracy"]
    rows: list[tuple[Value, ...]] = [(f"DocNLI on {name}", value, None) for name, value in published.items()]
    whose = ["paper"] * len(rows)
    for path in map(Path, paths):
        pairs = [row for _, row in files.parsed(path) if isinstance(row, dict) and _pair(row)][:limit]
        if not pairs:
            raise InputError(f"{path} has no lines with premise, hypothesis and label")
        pairs_to_judge = [Pair(row["hypothesis"], (Document.from_text(row["premise"]),)) for row in pairs]
        right = sum(
            (verdict.label == "supported") == (row["label"] == "entailment")
            for verdict, row in zip(built.check(pairs_to_judge), pairs, strict=True)
        )
        rows.append((f"{checker} on {path.parent.name}/{path.name}", right / len(pairs), len(pairs)))
        whose.append("ours")
    table = Table("adiosaa-5", "Accuracy on entailment pairs", ("", "accuracy", "pairs"), tuple(rows),
                  source="Table 5, figures of Yin et al. 2021", whose=tuple(whose))  # fmt: skip
    return Report((table,), {"checker": registry.canonical("checker", checker), "limit": limit})


def _pair(row: dict[str, Any]) -> bool:
    return all(isinstance(row.get(key), str) and row[key].strip() for key in ("premise", "hypothesis", "label"))
