"""The items to browse: question, answer, gold and evidence of every run, and the documents with the evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from citewell.document import Document
from citewell.types import Span
from citewell_lab.bench import records
from citewell_lab.bench.items import ClaimItem, EvidenceItem, Item, PageItem, QuestionItem, RankItem, SpanItem
from citewell_lab.bench.records import AnswerRecord, ClaimRecord, Good, LabelRecord, PageRecord, RankRecord, SpanRecord
from citewell_lab.papers.lab.rows import Analysed

ITEMS = 150  # of a task
NEAR = 2  # segments shown on each side of evidence in a document that is cut
WHOLE = 60  # segments up to which a document is shown whole
_CLEAR = 0.5  # a figure below counts as wrong, a probability of support below as unsupported


class Shelved(NamedTuple):
    """A document of the page: blocks of text, each with its segment's number or None, and the segments to show."""

    title: str
    blocks: list[tuple[str, int | None]]
    wanted: set[int]


@dataclass
class Shelf:
    """The documents of the page, by number."""

    numbers: dict[str, int] = field(default_factory=dict)
    documents: list[Shelved] = field(default_factory=list)

    def put(self, key: str, title: str, blocks: Iterable[tuple[str, int | None]]) -> int:
        """The number of a document, which is kept once."""
        if key not in self.numbers:
            self.numbers[key] = len(self.documents)
            self.documents.append(Shelved(title, list(blocks), set()))
        return self.numbers[key]

    def to_list(self) -> list[dict[str, Any]]:
        """The documents as JSON: long ones cut to what stands near evidence, with a count for each cut."""
        return [
            {"title": document.title, "blocks": _cut(document.blocks, document.wanted)} for document in self.documents
        ]


def _cut(blocks: Sequence[tuple[str, int | None]], wanted: set[int]) -> list[list[Any]]:
    if len(blocks) <= WHOLE:
        return [list(block) for block in blocks]
    kept = {near for place, (_, number) in enumerate(blocks) if number in wanted
            for near in range(place - NEAR, place + NEAR + 1)} | set(range(NEAR))  # fmt: skip
    cut_blocks: list[list[Any]] = []
    skipped = 0
    for place, block in enumerate(blocks):
        if place in kept:
            if skipped:
                cut_blocks.append([skipped])
            cut_blocks.append(list(block))
            skipped = 0
        else:
            skipped += 1
    return [*cut_blocks, [skipped]] if skipped else cut_blocks


def browse(read: Sequence[tuple[Analysed, Mapping[str, Item]]], limit: int = ITEMS) -> dict[str, Any]:
    """What the page's script shows: runs, items with each run's prediction, documents.

    Of a task at most `limit` items are shown, thinned out evenly; the items of the data may be absent.
    """
    shelf, entries = Shelf(), dict[tuple[str, str], dict[str, Any]]()
    left = 0
    for number, (analysed, items) in enumerate(read):
        judged = {row.id: row.attributability for row in analysed.rows if row.attributability is not None}
        kept = records.good(records.counted(analysed.folder)[1])
        step = max(1, -(-len(kept) // limit))
        left += len(kept) - len(kept[::step])
        for record in kept[::step]:
            for entry, prediction in _entries(record, items.get(record["id"]), shelf):
                key = (analysed.result.task, entry["id"])
                entry_of_item = entries.setdefault(key, {"task": analysed.result.task, **entry, "runs": {}})
                support = judged.get(entry["id"])
                unsupported = support is not None and support < _CLEAR and not prediction["abstained"]
                entry_of_item["runs"][str(number)] = {**prediction, "unsupported": unsupported}
                if entry_of_item["doc"] is not None:
                    shelf.documents[entry_of_item["doc"]].wanted.update(
                        entry_of_item["gold_evidence"], prediction["evidence"]
                    )
    return {
        "runs": [
            {"task": analysed.result.task, "name": analysed.result.method, "folder": analysed.folder.name}
            for analysed, _ in read
        ],
        "items": list(entries.values()),
        "documents": shelf.to_list(),
        "left_out": left,
    }


Entry = tuple[dict[str, Any], dict[str, Any]]


def _entry(
    key: str, question: str, gold: str, gold_evidence: Iterable[int] = (), doc: int | None = None
) -> dict[str, Any]:
    return {"id": key, "question": question, "gold": gold, "gold_evidence": sorted(gold_evidence), "doc": doc}


def _prediction(
    answer: str, value: float | None, evidence: Iterable[int] = (), *, abstained: bool = False
) -> dict[str, Any]:
    return {
        "answer": answer,
        "value": value,
        "evidence": list(evidence),
        "abstained": abstained,
        "wrong": value is not None and value < _CLEAR,
    }


def _entries(record: Good, item: Item | None, shelf: Shelf) -> Iterable[Entry]:
    """What is shown of a record: one entry, or one a sentence or span."""
    if "ranked" in record:
        return _ranked(record, item if isinstance(item, RankItem) else None, shelf)
    if "token_gold" in record:
        return _spans(record, item if isinstance(item, SpanItem) else None, shelf)
    if "label" in record:
        return [_labelled(record, item, shelf)]
    return [_answered(record, item, shelf)]


def _labelled(record: ClaimRecord | LabelRecord, item: Item | None, shelf: Shelf) -> Entry:
    gold = ("supported" if record["gold"] else "unsupported") if "score" in record else record["gold"]
    cited = () if "score" in record else record.get("evidence", ())
    withheld = record["label"] in (None, "no_claim")
    answer = record["label"] or "(no label)"
    prediction = _prediction(answer, record["value"], cited, abstained=withheld)
    if isinstance(item, EvidenceItem):
        marked = {
            n
            for annotation in item.annotations
            if annotation.label == gold
            for numbers in annotation.sets
            for n in numbers
        }
        doc = shelf.put(item.document.id, item.document.title or "", blocks(item.document, item.segments))
        claim = next(iter(item.statements.values()), "")
        return _entry(record["id"], claim, gold, marked, doc), prediction
    if isinstance(item, ClaimItem):
        texts = [(annotation.title or "", annotation.text) for annotation in item.documents]
        key = "\0".join(annotation.id for annotation in item.documents)
        doc = shelf.put(key, f"{len(texts)} documents", ((text, None) for pair in texts for text in pair if text))
        return _entry(record["id"], item.claim, gold, (), doc), prediction
    return _entry(record["id"], record["id"], gold), prediction


def _answered(record: AnswerRecord | PageRecord, item: Item | None, shelf: Shelf) -> Entry:
    pages = [page - 1 for page in record["pages"][:5]] if "pages" in record else []
    gold = [record["reference"]] if "pages" in record else record.get("references", [])
    cited = pages if "pages" in record else record.get("evidence", [])
    prediction = _prediction(record["answer"], record["value"], cited, abstained=record["abstained"])
    if isinstance(item, QuestionItem):
        marked = {n for reference in item.references for n in reference.evidence or ()}
        doc = shelf.put(item.document.id, item.document.title or "", blocks(item.document, item.segments))
        gold = [reference.text for reference in item.references]
        return _entry(
            record["id"], item.question or "(summary)", " / ".join(dict.fromkeys(gold)), marked, doc
        ), prediction
    if isinstance(item, PageItem):
        places = [Span(page.start, page.end) for page in item.document.pages]
        doc = shelf.put(item.document.id, item.document.title or "", blocks(item.document, places))
        entry = _entry(record["id"], item.question, item.answer, (page - 1 for page in item.pages), doc)
        return entry, prediction
    return _entry(record["id"], record["id"], " / ".join(gold)), prediction


def _ranked(record: RankRecord, item: RankItem | None, shelf: Shelf) -> Iterable[Entry]:
    for number, (gold, ranked) in enumerate(zip(record["gold"], record["ranked"], strict=True)):
        key, value = f"{record['id']}#{number}", float(bool(set(ranked[:1]) & set(gold)))
        text, question, doc = "", record["id"], None
        if item is not None:
            text, question = item.text[slice(*item.targets[number])], item.question
            doc = shelf.put(item.document.id, item.document.title or "", blocks(item.document, item.segments))
        yield _entry(key, question, "", gold, doc), _prediction(text, value, ranked[:2], abstained=not ranked)


def _spans(record: SpanRecord, item: SpanItem | None, shelf: Shelf) -> Iterable[Entry]:
    for number, (gold, predicted) in enumerate(zip(record["gold"], record["predicted"], strict=True)):
        key, value = f"{record['id']}#{number}", float(gold == predicted)
        if item is None:
            yield _entry(key, record["id"], f"passage {gold}"), _prediction(f"passage {predicted}", value)
            continue
        doc = shelf.put(item.passages.id, "passages", blocks(item.passages, list(item.places.values())))
        places = {name: place for place, name in enumerate(item.numbers)}
        text = item.text[slice(*item.targets[number])]
        marked = [places[passage] for passage in (gold,) if passage in places]
        predicted_places = [places[passage] for passage in (predicted,) if passage in places]
        entry = _entry(key, item.question, f"passage {gold}", marked, doc)
        yield entry, _prediction(text, value, predicted_places, abstained=predicted is None)


def blocks(document: Document, segments: Sequence[Span]) -> Iterable[tuple[str, int | None]]:
    """A document's segments with their numbers, and what stands between them (headings) without one."""
    position = 0
    for number, (start, end) in enumerate(segments):
        between = document.text[position:start].strip()
        if between:
            yield between, None
        if document.text[start:end].strip():
            yield document.text[start:end].strip(), number
        position = max(position, end)
    if rest := document.text[position:].strip():
        yield rest, None
