"""Citation Verifiability, reformulated as question, document, answer: what in the document supports each sentence.

Rows of `verifiability_judgments_{split}.jsonl[.gz]` (Liu et al. 2023): `query`, `response`, `statement`, `source_url`,
`source_text`, `source_supports_statement`, `source_localized_evidence` (a sentence a line). As section 2 of Sancheti
et al. 2024 describes: the pages that fully support a sentence of any answer to a question are joined into one document;
the sentences that are fully supported are attributed to the document's sentences that hold their evidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from citewell.document import Document
from citewell.types import Span
from citewell_lab.bench.datasets import files
from citewell_lab.bench.datasets.dataset import LINES, Dataset
from citewell_lab.bench.datasets.locate import Words
from citewell_lab.bench.items import Broken, Item, RankItem
from citewell_lab.bench.kinds.ranked import Ranked

FULL = "complete_support"
_NEEDED = set(
    "query response statement source_url source_text source_supports_statement source_localized_evidence".split()
)


def _load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item an answer that has a sentence to score or to leave out; all of a split's rows are held to group them."""
    for path in paths:
        by_query: dict[str, list[dict[str, Any]]] = {}
        for number, row in files.parsed(path):
            if isinstance(row, Broken):
                yield row
            elif _NEEDED - row.keys():
                yield Broken(f"{files.stem(path)}:{number}", f"the row lacks {', '.join(sorted(_NEEDED - row.keys()))}")
            elif row["source_supports_statement"] == FULL and (row["source_text"] or "").strip():
                by_query.setdefault(row["query"], []).append(row)
        for number, (query, responses) in enumerate(by_query.items()):
            pages = {row["source_url"]: row["source_text"] for row in reversed(responses)}
            document = Document.from_text("\n\n".join(pages[url] for url in reversed(pages)))
            words = Words(document.text)
            answers: dict[str, list[dict[str, Any]]] = {}
            for row in responses:
                answers.setdefault(row["response"], []).append(row)
            for order, (response, judged) in enumerate(answers.items()):
                key = f"{files.stem(path)}:{number}:{order}"
                item_or_broken = files.attempt(key, _item, query, response, judged, (document, words))
                if item_or_broken is not None:
                    yield item_or_broken


def _item(key: str, query: str, response: str, judged: list[dict[str, Any]], read: tuple[Document, Words]) -> RankItem:
    document, words = read
    evidence: dict[str, list[str]] = {}
    for row in judged:
        lines = (row["source_localized_evidence"] or "").splitlines()
        evidence.setdefault(row["statement"], []).extend(line for line in lines if line.strip())
    if not all(statement in response for statement in evidence):
        response = " ".join(evidence)
    segments = tuple(Span(segment.start, segment.end) for segment in document.segments("sentence"))
    targets, gold, verbatim, unmatched = [], [], 0, 0
    for statement, lines in evidence.items():
        if words.find(statement):
            verbatim += 1
            continue
        gold_numbers = frozenset().union(*(words.segments(line, segments) for line in lines)) if lines else frozenset()
        if not gold_numbers:
            unmatched += 1
            continue
        start = response.index(statement)
        targets.append(Span(start, start + len(statement)))
        gold.append(gold_numbers)
    order = sorted(range(len(targets)), key=targets.__getitem__)
    targets, gold = [targets[i] for i in order], [gold[i] for i in order]
    return RankItem(key, query, response, tuple(targets), tuple(gold), document, segments, "sentence", verbatim,
                    unmatched)  # fmt: skip


TASK = Ranked(
    name="verifiability",
    summary="which sentences of the pages support the sentences of an answer",
    tables=("adiosaa-3-verifiability", "adiosaa-6"),
    data=Dataset(
        "verifiability",
        (
            "verifiability_judgments_{split}.jsonl.gz",
            "verifiability_judgments_{split}.jsonl",
            "verifiability_judgments/verifiability_judgments_{split}.jsonl.gz",
            *LINES,
        ),
        _load,
    ),
)
