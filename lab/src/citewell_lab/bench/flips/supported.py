"""Claims that people labelled as supported, with their evidence, from other tasks' data and two more sets.

FM2 (claims of a game about Wikipedia pages; Eisenschlos et al. 2021) and FactCheckBench (claims of language models over
pages of the web; Wang et al. 2023) are read here alone, because no task measures them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from citewell.document import Document
from citewell.errors import InputError
from citewell_lab.bench.datasets import files
from citewell_lab.bench.items import Broken, ClaimItem, EvidenceItem
from citewell_lab.bench.tasks import task

TASKS = ("fever", "wice", "scifact", "contract-nli", "attributionbench", "salad")


class Supported(NamedTuple):
    """A claim that people found supported by these documents."""

    id: str
    claim: str
    documents: tuple[Document, ...]

    def sentences(self) -> list[str]:
        """The sentences of its evidence."""
        return [segment.text for document in self.documents for segment in document.segments("sentence")]


def gather(data: Path, split: str) -> list[Path]:
    """The files of every data set in the folder that has supported claims in that split.

    Raises:
        InputError: none has.
    """
    paths: list[Path] = []
    for source in (task(name).data for name in TASKS):
        if (data / source.folder).is_dir():
            with contextlib.suppress(InputError):  # it has no such split
                paths += source.files(data, split)
    for folder, (pattern, _) in _ROWS.items():
        with contextlib.suppress(InputError):
            paths += files.find(data / folder, split, (pattern,))
    if not paths:
        raise InputError(f"{data} has no {split!r} split of any data set with supported claims: {', '.join(TASKS)}")
    return paths


def companions() -> tuple[str, ...]:
    """Globs of the files that the tasks' readers read beside those of `gather`, below the data folder."""
    sources = [task(name).data for name in TASKS]
    return tuple(f"{source.folder}/{pattern}" for source in sources for pattern in source.companions)


def by_set(paths: Sequence[Path]) -> Mapping[str, list[Path]]:
    """What `gather` gave, by the name of the set that each file belongs to."""
    names = {task(name).data.folder: name for name in TASKS} | {name: name for name in _ROWS}
    sets: dict[str, list[Path]] = {}
    for path in paths:
        folder = next(parent.name for parent in path.parents if parent.name in names)
        sets.setdefault(names[folder], []).append(path)
    return sets


def claims(name: str, paths: Sequence[Path]) -> Iterator[Supported]:
    """The supported claims of a set, in the order of its files; rows that cannot be read are left out."""
    if name in _ROWS:
        for path in paths:
            yield from _read(path, _ROWS[name][1])
        return
    for item in task(name).data.items(paths, "all"):
        if isinstance(item, ClaimItem) and item.supported and item.group != "LFQA":  # that part is SALAD
            yield Supported(item.id, item.claim, item.documents)
        elif isinstance(item, EvidenceItem) and (claim := _undisputed(item)):
            yield Supported(item.id, claim, (_marked(item),))


def _undisputed(item: EvidenceItem) -> str | None:
    """The claim, where every annotator found it supported; the first statement is the claim itself."""
    label = next(iter(item.statements))
    return item.statements[label] if all(each.label == label for each in item.annotations) else None


def _marked(item: EvidenceItem) -> Document:
    """The segments that people marked, after the first one of the document, which says what it is about."""
    marked = next((places for annotation in item.annotations for places in annotation.sets if places), None)
    if marked is None:
        return item.document
    first = next((n for n, (start, end) in enumerate(item.segments) if item.document.text[start:end].strip()), 0)
    texts = (item.document.text[slice(*item.segments[number])].strip() for number in sorted({first, *marked}))
    return Document.from_passages([text for text in texts if text])


Row = dict[str, Any]
Claim = tuple[str, Sequence[str]]


def _read(path: Path, supported: Callable[[Row], Claim | None]) -> Iterator[Supported]:
    for number, row in files.parsed(path):
        read = None if isinstance(row, Broken) else supported(row)
        if read and any(text.strip() for text in read[1]):
            documents = (Document.from_passages([text for text in read[1] if text.strip()]),)
            yield Supported(f"{files.stem(path)}:{number}", read[0], documents)


def _fm2(row: Row) -> Claim | None:
    if row.get("label") != "SUPPORTS":
        return None
    title = str(row.get("wikipedia_page", "")).replace("_", " ")
    return row["text"], [title, *(sentence["text"] for sentence in row["gold_evidence"])]


def _factcheckbench(row: Row) -> Claim | None:
    return (row["claim"], [row["evidence"]]) if row.get("stance") == "completely-support" else None


# Sets that no task reads, by their folder: the glob of a split, and the claim and evidence of a supported row.
_ROWS: Mapping[str, tuple[str, Callable[[Row], Claim | None]]] = {
    "fm2": ("{split}.jsonl", _fm2),
    "factcheckbench": ("claim_evidence_stance.jsonl", _factcheckbench),
}
