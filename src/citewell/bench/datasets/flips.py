"""Claims that people found supported in other data sets, each followed by the same with one fact changed.

Every data set that lies in the folder and has a split of that name gives up to `CLAIMS` claims over the evidence that
people marked (the whole documents where they marked none), in turn, those first in which rare kinds of change can be
made. A claim gives up to `CHANGES` changes, of the kinds that are rarest so far, and none of a kind that is far more
common than the others. Hashes decide which claims, changes and words: the same files give the same items. Opposites
are taken from the half that nothing is trained on.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from citewell.bench.datasets import files
from citewell.bench.flips import KINDS, Change, Pool, flips
from citewell.bench.items import ClaimItem, EvidenceItem, Item
from citewell.document import Document
from citewell.errors import InputError

SOURCES = ("fever", "wice", "scifact", "contract-nli", "attributionbench", "salad")
CLAIMS, CHANGES, REPEATS = 200, 3, 3  # of a set, of a claim, of one claim over other evidence
LOOKED_AT = 3  # times as many claims as are given, so that the rare kinds are not left to chance
ORIGINAL = "original"
_POOLED = 40  # segments of evidence whose names are put in the place of others


class Supported(NamedTuple):
    """A claim that people found supported."""

    id: str
    claim: str
    documents: tuple[Document, ...]


def find(data: Path, split: str) -> list[Path]:
    """The files of every data set that has the split.

    Raises:
        InputError: none has.
    """
    from citewell.bench.datasets import DATASETS

    found: list[Path] = []
    for name in SOURCES:
        if (data / DATASETS[name].folder).is_dir():
            try:
                found += DATASETS[name].files(data, split)
            except InputError:
                continue
    found += [path for name, (pattern, _) in _ROWS.items() for path in _split_files(data / name, pattern, split)]
    if not found:
        raise InputError(f"{data} has no {split!r} split of any data set with supported claims: {', '.join(SOURCES)}")
    return found


def _split_files(root: Path, pattern: str, split: str) -> list[Path]:
    try:
        return files.find(root, split, (pattern,))
    except InputError:
        return []


def load(paths: Sequence[Path]) -> Iterator[Item]:
    """A claim and its changes, set by set in turn."""
    of: dict[str, list[Path]] = {}
    for path in paths:
        name = next((parent.name for parent in path.parents if parent.name in _folders()), "")
        of.setdefault(name, []).append(path)
    kinds: Counter[str] = Counter()
    turns = [_claims(name, listed) for name, listed in of.items() if name]
    for turn in itertools.zip_longest(*turns):
        for claim in turn:
            if claim is not None:
                yield from claim(kinds)


def _folders() -> Mapping[str, str]:
    from citewell.bench.datasets import DATASETS

    return {DATASETS[name].folder: name for name in SOURCES} | {name: name for name in _ROWS}


def _claims(folder: str, paths: Sequence[Path]) -> Iterator[Callable[[Counter[str]], Iterator[Item]]]:
    """The claims of one set that something can be changed in, each as a function that gives its items."""
    name = _folders()[folder]
    found = sorted(_supported(name, paths), key=lambda one: blake2b(one.id.encode(), digest_size=8).digest())
    pool = Pool.of(text for one in found[: 4 * CLAIMS] for text in (one.claim, *_sentences(one)[:_POOLED]))
    times: Counter[str] = Counter()
    changeable: list[tuple[Supported, tuple[Change, ...]]] = []
    for one in found:
        times[one.claim] += 1
        if times[one.claim] <= REPEATS and (made := flips(one.claim, _sentences(one), pool, half="held")):
            changeable.append((one, made))
        if len(changeable) == LOOKED_AT * CLAIMS:
            break
    often = Counter(change.kind for _, made in changeable for change in made)
    changeable.sort(key=lambda pair: min(often[change.kind] for change in pair[1]))  # the rare kinds first
    for one, made in changeable[:CLAIMS]:
        yield partial(_items, f"{name}:{one.id}", one, made)


def _items(key: str, one: Supported, made: Sequence[Change], kinds: Counter[str]) -> Iterator[Item]:
    """A claim and its changes; `kinds` counts what all claims so far have given."""
    often = 10 + 2 * kinds.total() / len(KINDS)  # what nearly every claim allows must not stand for the whole
    rare = [change for change in made if kinds[change.kind] <= often]
    if rare:
        yield ClaimItem(key, one.claim, one.documents, supported=True, group=ORIGINAL)
    for change in sorted(rare, key=lambda change: (kinds[change.kind], KINDS.index(change.kind)))[:CHANGES]:
        kinds[change.kind] += 1
        yield ClaimItem(f"{key}:{change.kind}", change.text, one.documents, supported=False, group=change.kind)


def _sentences(one: Supported) -> list[str]:
    return [segment.text for document in one.documents for segment in document.segments("sentence")]


def _supported(name: str, paths: Sequence[Path]) -> Iterator[Supported]:
    from citewell.bench.datasets import DATASETS

    if name in _ROWS:
        yield from (one for path in paths for one in _plain(path, _ROWS[name][1]))
        return
    for item in DATASETS[name].items(paths):
        if isinstance(item, ClaimItem) and item.supported and item.group != "LFQA":  # that part is SALAD
            yield Supported(item.id, item.claim, item.documents)
        elif isinstance(item, EvidenceItem) and (claim := _entailed(item)):
            yield Supported(item.id, claim, (_marked(item),))


def _entailed(item: EvidenceItem) -> str | None:
    """The claim, where every annotator found it supported; the first statement is the claim itself."""
    label = next(iter(item.statements))
    return item.statements[label] if all(one.label == label for one in item.annotations) else None


def _marked(item: EvidenceItem) -> Document:
    """The segments that people marked, after the first one of the document, which says what it is about."""
    marked = next((one for annotation in item.annotations for one in annotation.sets if one), None)
    if marked is None:
        return item.document
    first = next((n for n, (start, end) in enumerate(item.segments) if item.document.text[start:end].strip()), 0)
    texts = (item.document.text[slice(*item.segments[number])].strip() for number in sorted({first, *marked}))
    return Document.from_passages([text for text in texts if text])


def _plain(path: Path, make: Callable[[dict[str, Any]], tuple[str, Sequence[str]] | None]) -> Iterator[Supported]:
    for number, row in files.parsed(path):
        read = make(row) if isinstance(row, dict) else None
        if read and any(text.strip() for text in read[1]):
            documents = (Document.from_passages([text for text in read[1] if text.strip()]),)
            yield Supported(f"{files.stem(path)}:{number}", read[0], documents)


def _fm2(row: dict[str, Any]) -> tuple[str, Sequence[str]] | None:
    if row.get("label") != "SUPPORTS":
        return None
    title = str(row.get("wikipedia_page", "")).replace("_", " ")
    return row["text"], [title, *(one["text"] for one in row["gold_evidence"])]


def _factcheckbench(row: dict[str, Any]) -> tuple[str, Sequence[str]] | None:
    return (row["claim"], [row["evidence"]]) if row.get("stance") == "completely-support" else None


# Sets that no other task reads: where their rows lie, and the claim and evidence of a supported one.
_ROWS: Mapping[str, tuple[str, Callable[[dict[str, Any]], tuple[str, Sequence[str]] | None]]] = {
    "fm2": ("{split}.jsonl", _fm2),
    "factcheckbench": ("claim_evidence_stance.jsonl", _factcheckbench),
}
