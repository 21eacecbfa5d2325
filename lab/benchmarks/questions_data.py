"""Questions with the places of their answers, from the public data sets, each with a citewell document to read."""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from citewell.document import Document
from citewell.types import Block, Span

POOL = 12  # passages of other questions that make up one document with the right passage, for the pooled sets


class Item(NamedTuple):
    """`gold` holds spans of the document's text, any of which is right; none for questions without an answer."""

    dataset: str
    group: str
    document: Document
    question: str
    gold: tuple[Span, ...]


class Builder:
    """A document from headings and paragraphs."""

    def __init__(self, title: str | None = None) -> None:
        self.parts, self.blocks, self.position, self.title = [], [], 0, title

    def add(self, text: str, kind: str = "paragraph", level: int = 0) -> int:
        """Add a block and return where it starts; empty text adds nothing."""
        text = text.strip()
        start = self.position
        if text:
            self.blocks.append(Block(start, start + len(text), kind, level))
            self.parts.append(text)
            self.position += len(text) + 2
        return start

    def document(self) -> Document:
        return Document("\n\n".join(self.parts), title=self.title, blocks=tuple(self.blocks))


def squad2(data: Path) -> Iterator[Item]:
    for article in json.loads((data / "squad2/dev_part.json").read_text())["data"]:
        builder = Builder(article["title"])
        rows = []
        for paragraph in article["paragraphs"]:
            context = paragraph["context"]
            start = builder.add(context) - (len(context) - len(context.lstrip()))
            for qa in paragraph["qas"]:
                gold = tuple(
                    {Span(start + a["answer_start"], start + a["answer_start"] + len(a["text"])) for a in qa["answers"]}
                )
                rows.append((qa["question"].strip(), () if qa["is_impossible"] else gold))
        document = builder.document()
        for question, gold in rows:
            yield Item("squad2", article["title"], document, question, gold)


def squad2_passages(data: Path) -> Iterator[Item]:
    """The same, each question with its own passage alone, as the data set is published."""
    for article in json.loads((data / "squad2/dev_part.json").read_text())["data"]:
        for paragraph in article["paragraphs"]:
            document = Document.from_text(paragraph["context"], article["title"].replace("_", " "))
            for qa in paragraph["qas"]:
                spans = {Span(a["answer_start"], a["answer_start"] + len(a["text"])) for a in qa["answers"]}
                gold = () if qa["is_impossible"] else tuple(spans)
                yield Item("squad2_passages", article["title"], document, qa["question"].strip(), gold)


def covidqa(data: Path) -> Iterator[Item]:
    for entry in json.loads((data / "covidqa/200423_covidQA.json").read_text())["data"]:
        paragraph = entry["paragraphs"][0]
        text = paragraph["context"]
        document = Document.from_text(text)
        for qa in paragraph["qas"]:
            gold = []
            for answer in qa["answers"]:
                wanted = answer["text"].strip()
                places = [match.start() for match in re.finditer(re.escape(wanted), text)] if wanted else []
                if places:
                    start = min(places, key=lambda place: abs(place - answer["answer_start"]))
                    gold.append(Span(start, start + len(wanted)))
            if gold:
                yield Item("covidqa", str(paragraph["document_id"]), document, qa["question"], tuple(gold))


def policyqa(data: Path) -> Iterator[Item]:
    for entry in json.loads((data / "policyqa/dev.json").read_text())["data"]:
        for paragraph in entry["paragraphs"]:
            if len(paragraph["context"].split()) < 40:
                continue  # a single sentence is no choice
            document = Document.from_text(paragraph["context"])
            for qa in paragraph["qas"]:
                gold = tuple(Span(a["answer_start"], a["answer_start"] + len(a["text"])) for a in qa["answers"])
                yield Item("policyqa", entry["title"], document, qa["question"], gold)


def _clap(data: Path) -> list[tuple[str, str, list[str], set[str]]]:
    rows = []
    for name in ("dev_answerable", "dev_unanswerable"):
        for line in (data / f"clapnq/{name}.jsonl").read_text().splitlines():
            entry = json.loads(line)
            passage = entry["passages"][0]
            chosen = {s for output in entry["output"] for s in output.get("selected_sentences") or () if s.strip()}
            chosen = chosen if name == "dev_answerable" else set()
            rows.append((entry["input"], passage["title"], passage["sentences"], chosen))
    return rows


def clapnq(data: Path) -> Iterator[Item]:
    for question, title, sentences, chosen in _clap(data):
        yield _passage("clapnq", question, title, sentences, chosen)


def _passage(dataset: str, question: str, title: str, sentences: list[str], chosen: set[str]) -> Item:
    parts, gold, position = [], [], 0
    for sentence in (s.strip() for s in sentences):
        if sentence:
            if sentence in {c.strip() for c in chosen}:
                gold.append(Span(position, position + len(sentence)))
            parts.append(sentence)
            position += len(sentence) + 1
    document = Document(" ".join(parts), title=title)
    return Item(dataset, title, document, question, tuple(gold))


def nq_pooled(data: Path) -> Iterator[Item]:
    """Gold passages of Natural Questions, each among those of other questions, under their titles."""
    rows = [json.loads(line) for line in (data / "nq_open_oracle/oracle.jsonl").read_text().splitlines()]
    for begin in range(0, len(rows), POOL):
        builder, items = Builder(), []
        texts: set[str] = set()
        for row in rows[begin : begin + POOL]:
            passage = row["ctxs"][0]
            text = passage["text"].strip()
            if text in texts:
                continue
            texts.add(text)
            builder.add(passage["title"], "heading", 1)
            start = builder.add(text)
            gold = tuple(
                Span(start + match.start(), start + match.end())
                for answer in row["answers"]
                for match in re.finditer(re.escape(answer), text, re.IGNORECASE)
                if answer.strip()
            )
            if gold:
                items.append((row["question"], gold))
        document = builder.document()
        for question, gold in items:
            yield Item("nq_pooled", str(begin), document, question, gold)


def qasper(data: Path) -> Iterator[Item]:
    for item, _ in [*_derived(data), *_original(data)]:
        yield item


def _derived(data: Path) -> Iterator[tuple[Item, list[str]]]:
    """Questions with gold paragraphs alone, each with the phrases that answer it."""
    for line in (data / "qasper/derived_dev_papers.jsonl").read_text().splitlines():
        paper = json.loads(line)
        document = Document.from_text("\n\n".join(paper["full_text"].split("\n")))
        for qa in paper["qas"]:
            gold = _find(document.text, qa["evidence"])
            if gold:
                yield Item("qasper", paper["article_id"], document, qa["question"], gold), qa["extractive_spans"]


def _original(data: Path) -> Iterator[tuple[Item, list[str]]]:
    """Questions as they were published, those without an answer too."""
    text = (data / "qasper/original_sample.json").read_text()
    position, decoder = 0, json.JSONDecoder()
    while text[position:].strip(" \r\n\t,"):
        position += len(text[position:]) - len(text[position:].lstrip(" \r\n\t,"))
        paper, position = decoder.raw_decode(text, position)
        builder = Builder(paper["title"])
        builder.add(paper["title"], "heading", 1)
        builder.add(paper["abstract"])
        full = paper["full_text"]
        for name, paragraphs in zip(full["section_name"], full["paragraphs"], strict=True):
            builder.add((name or "").split(" ::: ")[-1], "heading", 2 + (name or "").count(" ::: "))
            for paragraph in paragraphs:
                builder.add(paragraph)
        document = builder.document()
        for question, answers in zip(paper["qas"]["question"], paper["qas"]["answers"], strict=True):
            annotators = answers["answer"]
            if all(answer["unanswerable"] for answer in annotators):
                yield Item("qasper", paper["id"], document, question, ()), []
                continue
            gold = _find(document.text, [e for answer in annotators for e in answer["evidence"]])
            if gold:
                phrases = [phrase for answer in annotators for phrase in answer["extractive_spans"]]
                yield Item("qasper", paper["id"], document, question, gold), phrases


def qasper_phrases(data: Path) -> Iterator[Item]:
    """The questions of QASPER that are answered by phrases of the paper."""
    for item, phrases in [*_derived(data), *_original(data)]:
        if phrases:
            yield item._replace(dataset="qasper_phrases", gold=_find(item.document.text, phrases))


def tatqa_text(data: Path) -> Iterator[Item]:
    """Questions over annual reports that a phrase of their paragraphs answers."""
    for report in json.loads((data / "tatqa/dev.json").read_text()):
        builder = Builder()
        for paragraph in sorted(report["paragraphs"], key=lambda paragraph: paragraph["order"]):
            builder.add(paragraph["text"])
        document = builder.document()
        for qa in report["questions"]:
            if (
                qa["answer_from"] == "text"
                and qa["answer_type"] == "span"
                and (gold := _find(document.text, qa["answer"]))
            ):
                yield Item("tatqa_text", report["table"]["uid"], document, qa["question"], gold)


def _find(text: str, quotes: list[str]) -> tuple[Span, ...]:
    spans = set()
    for quote in quotes:
        for part in quote.split("\n"):
            start = text.find(part.strip()) if part.strip() else -1
            if start >= 0:
                spans.add(Span(start, start + len(part.strip())))
    return tuple(sorted(spans))


SETS = {
    "squad2": squad2,
    "squad2_passages": squad2_passages,
    "covidqa": covidqa,
    "qasper": qasper,
    "clapnq": clapnq,
    "nq_pooled": nq_pooled,
    "policyqa": policyqa,
}


SHORT = {
    "squad2_passages": squad2_passages,
    "nq_pooled": nq_pooled,
    "covidqa": covidqa,
    "policyqa": policyqa,
    "qasper_phrases": qasper_phrases,
    "tatqa_text": tatqa_text,
}


def foreign(items: list[Item], every: int) -> Iterator[Item]:
    """Questions asked of a document of another group of the same data set, one in `every`: without an answer."""
    groups: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        groups[item.dataset].append(item)
    for dataset, members in groups.items():
        for number, item in enumerate(members):
            if number % every:
                continue
            other = members[(number * 7919 + len(members) // 2) % len(members)]
            if other.group != item.group:
                yield Item(f"{dataset}_foreign", other.group, other.document, item.question, ())


def fold(item: Item, folds: int) -> int:
    """All questions about one document are in the same fold."""
    return int(hashlib.md5(item.group.encode(), usedforsecurity=False).hexdigest(), 16) % folds
