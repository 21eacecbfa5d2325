"""Statistics of LAB's data sets in a folder. Source: LAB, table 1.

Words are those between white space. Documents are counted once each, however many items are about them; a response's
words are those of each annotator's answer, a label counts as one; evidence segments are a mean over the annotations
that name any, of several sets the first; rows of their own count the largest set and all sets together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from citewell.errors import InputError
from citewell.text import segments
from citewell_lab.bench.items import Broken, EvidenceItem, Item, QuestionItem
from citewell_lab.bench.tasks import task
from citewell_lab.papers.published import figures
from citewell_lab.report.table import Table
from citewell_lab.report.values import Value

SPLITS = ("train", "dev", "test")


@dataclass(slots=True)
class _Counts:
    """What was seen of a data set."""

    counts: dict[str, int] = field(default_factory=dict)
    words: dict[str, int] = field(default_factory=dict)  # of each document
    statements: list[int] = field(default_factory=list)
    response: list[int] = field(default_factory=list)
    evidence: list[int] = field(default_factory=list)
    largest: list[int] = field(default_factory=list)  # of alternative sets
    union: list[int] = field(default_factory=list)

    def add(self, item: Item) -> None:
        """Take an item in."""
        if isinstance(item, QuestionItem | EvidenceItem) and item.document.id not in self.words:
            self.words[item.document.id] = len(item.document.text.split())
        if isinstance(item, QuestionItem):
            answers = [reference for reference in item.references if not reference.unanswerable]
            self.response += [len(answer.text.split()) for answer in answers]
            self.statements += [1 if item.question else len(segments.statements(answer.text)) for answer in answers]
            if item.question:  # a summary's evidence is simulated
                self.evidence += [len(answer.evidence) for answer in answers if answer.evidence]
        elif isinstance(item, EvidenceItem):
            self.response += [1] * len(item.annotations)
            self.statements += [1] * len(item.annotations)
            self.evidence += [
                len(annotation.sets[0]) for annotation in item.annotations if annotation.sets and annotation.sets[0]
            ]
            if item.alternatives:
                named = [annotation.sets for annotation in item.annotations if any(annotation.sets)]
                self.largest += [max(map(len, sets)) for sets in named]
                self.union += [len(frozenset[int]().union(*sets)) for sets in named]

    def readings(self, name: str) -> Iterator[tuple[Value, ...]]:
        """Rows of the evidence alone, counted by other readings of alternative sets."""
        blank = (None,) * (len(SPLITS) + 3)
        for reading, sizes in (("largest set", self.largest), ("all sets", self.union)):
            if sizes:
                yield (f"{name}, {reading}", *blank, fmean(sizes))

    def row(self, name: str) -> tuple[Value, ...]:
        """The row of the table."""
        means = (list(self.words.values()), self.statements, self.response, self.evidence)
        return (name, *(self.counts.get(split) for split in SPLITS), *(fmean(part) if part else None for part in means))


def table(data: Path, splits: Sequence[str] = SPLITS, progress: Callable[[int], object] | None = None) -> Table:
    """The paper's rows, and a row of ours for each data set that lies in the folder.

    Raises:
        InputError: `data` is not a folder.
    """
    if not data.is_dir():
        raise InputError(f"{data} is not a folder")
    paper = figures("lab")["data"]
    rows: list[tuple[Value, ...]] = []
    whose: list[str] = []
    absent, done = list[str](), 0
    for row in paper["rows"]:
        rows.append((row["name"], *(float(v) if isinstance(v, float) else v for v in row["values"])))
        whose.append("paper")
        counts = _read(row["name"], data, splits)
        done += sum(counts.counts.values())
        if progress:
            progress(done)
        if counts.counts:
            counted = [counts.row(row["name"]), *counts.readings(row["name"])]
            rows += counted
            whose += ["ours"] * len(counted)
        else:
            absent.append(row["name"])
    notes = ("ours: the splits that lie there; an item that cannot be read is not counted",
             "the paper counts QASPER's questions before those with tables and figures were left out",
             *([f"not there: {', '.join(absent)}"] if absent else []))  # fmt: skip
    columns = ("", *paper["columns"])
    title = f"{paper['title']} ({paper['table']})"
    return Table(paper["id"], title, columns, tuple(rows), columns, notes, paper["paper"], tuple(whose))


def _read(name: str, data: Path, splits: Sequence[str]) -> _Counts:
    source, counts = task(name).data, _Counts()
    for split in splits:
        try:
            paths = source.files(data, split)
        except InputError:
            continue
        for item in source.items(paths, split):
            if not isinstance(item, Broken):
                counts.counts[split] = counts.counts.get(split, 0) + 1
                counts.add(item)
    return counts
