"""An annotation project: a folder with the protocol, the items, and an append-only journal of labels.

PROJECT/project.json     protocol and items, written once
PROJECT/labels.jsonl     one line a label, synced before it is acknowledged; the last one of an annotator counts
"""

from __future__ import annotations

import json
import os
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from citewell.errors import InputError, UsageError
from citewell.text import files
from citewell_lab.annotation.protocol import Item, Protocol, item
from citewell_lab.bench.metrics.agreement import alpha, cohen

FORMAT = 1
ADJUDICATOR = "adjudicator"
LONGEST_NAME, LONGEST_NOTE = 60, 2000


@dataclass(frozen=True, slots=True)
class Annotation:
    """What one annotator says of one item: `evidence` are positions of segments."""

    annotator: str
    item: str
    label: str
    evidence: tuple[int, ...] = ()
    note: str = ""


def create(folder: Path, protocol: Protocol, items: Sequence[Item]) -> None:
    """Write a new project.

    Raises:
        UsageError: there is one already.
        InputError: it cannot be written.
    """
    if (folder / "project.json").exists():
        raise UsageError(f"{folder} holds a project already: its labels belong to its items")
    content = {"format": FORMAT, "protocol": asdict(protocol), "items": [asdict(entry) for entry in items]}
    files.write_all(folder, {"project.json": json.dumps(content, ensure_ascii=False, indent=1) + "\n"})


@dataclass(slots=True)
class Project:
    """A project that is open; labels go to its journal first. Safe for threads, for one process at a time."""

    folder: Path
    protocol: Protocol
    items: Mapping[str, Item]
    by_annotator: dict[str, dict[str, Annotation]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def save(self, annotation: Annotation) -> None:
        """Keep a label; it replaces the annotator's earlier one of the item.

        Raises:
            InputError: item, label, evidence or name are not the project's, or the journal cannot be written.
            UsageError: the item has all its annotators, or nothing to adjudicate.
        """
        self._check(annotation)
        line = json.dumps(asdict(annotation), ensure_ascii=False) + "\n"
        with self._lock:
            self._check_turn(annotation)
            _append(self.folder / "labels.jsonl", line)
            self.by_annotator.setdefault(annotation.annotator, {})[annotation.item] = annotation

    def _check(self, annotation: Annotation) -> None:
        entry = self.items.get(annotation.item)
        if entry is None:
            raise InputError(f"the project has no item {annotation.item[:60]!r}")
        if annotation.label not in self.protocol.labels:
            raise InputError(f"labels are {', '.join(self.protocol.labels)}; not {annotation.label[:60]!r}")
        if len(set(annotation.evidence)) != len(annotation.evidence) or any(
            not 0 <= position < len(entry.segments) for position in annotation.evidence
        ):
            raise InputError(f"{annotation.item}: evidence names each segment from 0 to {len(entry.segments) - 1} once")
        name = annotation.annotator
        if not name.strip() or name != name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
            raise InputError(f"an annotator's name has 1 to {LONGEST_NAME} characters")
        if len(annotation.note) > LONGEST_NOTE:
            raise InputError(f"a note has at most {LONGEST_NOTE} characters")

    def _check_turn(self, annotation: Annotation) -> None:
        labels = self.labels(annotation.item)
        if annotation.annotator == ADJUDICATOR:
            if len(labels) < self.protocol.annotators:
                raise UsageError(
                    f"{annotation.item} lacks labels: it is adjudicated once all annotators have labelled it"
                )
        elif annotation.annotator not in labels and len(labels) >= self.protocol.annotators:
            raise UsageError(f"{annotation.item} has the labels of all its {self.protocol.annotators} annotators")

    def labels(self, key: str) -> dict[str, Annotation]:
        """What the annotators say of an item, by their names; without the adjudicator."""
        return {name: rows[key] for name, rows in self.by_annotator.items() if name != ADJUDICATOR and key in rows}

    def next(self, annotator: str) -> Item | None:
        """The first item that waits for a label of this annotator."""
        if annotator == ADJUDICATOR:
            return next((self.items[key] for key in self.disputed()), None)
        rows = self.by_annotator.get(annotator, {})
        return next(
            (
                entry
                for key, entry in self.items.items()
                if key not in rows and len(self.labels(key)) < self.protocol.annotators
            ),
            None,
        )

    def decided(self, key: str) -> str | None:
        """The label that counts: the adjudicator's, else the one that the annotators agree on; None without one."""
        adjudicated = self.by_annotator.get(ADJUDICATOR, {}).get(key)
        if adjudicated is not None:
            return adjudicated.label
        labels = self.labels(key)
        if len(labels) < self.protocol.annotators:
            return None
        label, votes = Counter(annotation.label for annotation in labels.values()).most_common(1)[0]
        enough = 2 * votes > len(labels) if self.protocol.majority else votes == len(labels)
        return label if enough else None

    def disputed(self) -> list[str]:
        """Items that all annotators have labelled, without a label that counts."""
        return [
            key for key in self.items if len(self.labels(key)) >= self.protocol.annotators and self.decided(key) is None
        ]

    def agreement(self) -> dict[str, Any]:
        """Alpha over items with two labels or more, Cohen's kappa of each two annotators, counts; None where undefined.

        Raises:
            MissingExtraError: nltk is not installed.
        """
        units = [[entry.label for entry in self.labels(key).values()] for key in self.items]
        names = sorted(self.by_annotator.keys() - {ADJUDICATOR})
        pairs = []
        for first, second in combinations(names, 2):
            both = sorted(self.by_annotator[first].keys() & self.by_annotator[second].keys())
            columns = [[self.by_annotator[name][key].label for key in both] for name in (first, second)]
            same = sum(a == b for a, b in zip(*columns, strict=True))
            pairs.append({"annotators": [first, second], "items": len(both), "same": same, "kappa": cohen(*columns)})
        return {
            "items": len(self.items),
            "labelled_twice": sum(len(labels) > 1 for labels in units),
            "decided": sum(self.decided(key) is not None for key in self.items),
            "disputed": len(self.disputed()),
            "alpha": alpha(units),
            "alpha_steps": alpha(units, self.protocol.labels) if self.protocol.ordered else None,
            "pairs": pairs,
        }


def _append(path: Path, line: str) -> None:
    """Add a line and sync it, or leave the file as it was."""
    try:
        with path.open("ab", buffering=0) as journal:
            size = journal.seek(0, os.SEEK_END)
            try:
                data = line.encode()
                while data:
                    data = data[journal.write(data) :]
                os.fsync(journal.fileno())
            except OSError:
                journal.truncate(size)  # a part of a line would spoil the next one
                raise
    except (OSError, UnicodeEncodeError) as error:
        raise InputError(f"{path} cannot be written: {error}") from error


def load(folder: Path) -> Project:
    """Open a project. A line that a kill cut off was never acknowledged, and is taken away.

    Raises:
        InputError: the folder is no project, or its journal is damaged elsewhere than at its end.
    """
    path = folder / "project.json"
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        fields = content["protocol"]
        protocol = Protocol(**{**fields, "labels": tuple(fields["labels"])})
        entries = [item(row, f"{path.name}, item {number}") for number, row in enumerate(content["items"])]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{folder} is no annotation project: {error}") from error
    if content.get("format") != FORMAT:
        raise InputError(f"{folder} is no annotation project of format {FORMAT}")
    project = Project(folder, protocol, {entry.id: entry for entry in entries})
    journal = folder / "labels.jsonl"
    kept = journal.read_bytes() if journal.exists() else b""
    whole = kept[: kept.rfind(b"\n") + 1]
    for number, line in enumerate(whole.splitlines()):
        try:
            annotation = annotation_of(json.loads(line))
            project._check(annotation)  # noqa: SLF001  (its own class)
        except (ValueError, InputError) as error:
            raise InputError(f"{journal}, line {number + 1}: {error}") from error
        project.by_annotator.setdefault(annotation.annotator, {})[annotation.item] = annotation
    if whole != kept:
        files.write(journal, whole)
    return project


def annotation_of(row: Any) -> Annotation:
    """A label from its JSON object.

    Raises:
        InputError: it is none.
    """
    fields = row if isinstance(row, dict) else {}
    texts = [fields.get("annotator"), fields.get("item"), fields.get("label"), fields.get("note", "")]
    evidence = fields.get("evidence", [])
    if not all(isinstance(text, str) for text in texts) or not isinstance(evidence, list):
        raise InputError("a label has annotator, item and label as texts, and evidence as a list")
    if any(type(position) is not int for position in evidence):
        raise InputError("evidence are positions of segments")
    annotator, key, label, note = map(str, texts)
    return Annotation(annotator, key, label, tuple(evidence), note)
