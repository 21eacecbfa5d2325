"""HAGRID, reformulated: the labelled passages are the document, attributable sentences point at passages.

Rows (Kamalloo et al. 2023): `query`, `quotes` (`idx`, `text`), `answers` with `sentences` (`text` with marks `[n]`,
`attributable`). As section 2 of Sancheti et al. 2024 describes, the answers are taken as given; the sentences that
people found attributable are attributed to the passages that their marks name. Marks may count from 0 or from 1
whatever `idx` does: a row's own marks say which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from citewell.types import Span
from citewell_lab.bench.datasets import files
from citewell_lab.bench.datasets.dataset import LINES, Dataset
from citewell_lab.bench.datasets.locate import Words
from citewell_lab.bench.items import Item, RankItem
from citewell_lab.bench.kinds.ranked import Ranked

_MARK = re.compile(r"\s*\[(\d+(?:\s*[,;]\s*\d+)*)\]")


def _load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item an answer that has an attributable sentence with a mark."""
    return files.several(paths, _items)


def _items(key: str, row: dict[str, Any]) -> Iterator[Item | None]:
    for order, answer in enumerate(row.get("answers") or ()):
        yield files.attempt(f"{key}:{order}", _item, row, answer)


def _marks(text: str) -> list[int]:
    return [int(n) for match in _MARK.finditer(text) for n in re.findall(r"\d+", match[1])]


def _positions(row: dict[str, Any]) -> dict[int, int]:
    """The position of the passage that each mark means.

    A mark that is no passage's `idx` but would be one if marks counted from the other end of 0 and 1 tells the base; a
    row whose marks are all some `idx` is taken at its word.
    """
    indices = [int(quote["idx"]) for quote in row["quotes"]]
    texts = (sentence["text"] for answer in row["answers"] for sentence in answer.get("sentences") or ())
    marks = {n for text in texts for n in _marks(text)}
    places = {index: place for place, index in enumerate(indices)}
    shift = min(indices, default=1)  # 0 or 1, if the passages are numbered at all
    if shift == 0 and len(indices) in marks:
        places = {index + 1: place for index, place in places.items()}
    elif shift == 1 and 0 in marks:
        places = {index - 1: place for index, place in places.items()}
    if shift in (0, 1) and {0, len(indices)} <= marks:
        raise ValueError(f"marks 0 and {len(indices)} for {len(indices)} passages: they have no common base")
    return places


def _item(key: str, row: dict[str, Any], answer: dict[str, Any]) -> RankItem | None:
    texts = [quote["text"] for quote in row["quotes"]]
    position = _positions(row)
    document, starts = files.passages(texts)
    words = Words(document.text)
    text, targets, gold, verbatim = "", [], [], 0
    for sentence in answer.get("sentences") or ():
        marked = _marks(sentence["text"])
        plain = _MARK.sub("", sentence["text"]).strip()
        start = len(text) + bool(text)
        text = f"{text} {plain}" if text else plain
        gold_places = frozenset(position[n] for n in marked if n in position)
        if sentence.get("attributable") != 1 or not gold_places:
            continue
        if words.find(plain):
            verbatim += 1
            continue
        targets.append(Span(start, start + len(plain)))
        gold.append(gold_places)
    if not targets and not verbatim:
        return None
    segments = files.spans(texts, starts)
    return RankItem(key, row["query"], text, tuple(targets), tuple(gold), document, segments, "paragraph", verbatim)


TASK = Ranked(
    name="hagrid",
    summary="which passages support the sentences of an answer",
    tables=("adiosaa-3-hagrid",),
    data=Dataset("hagrid", (*LINES, "hagrid-v1.0-en/{split}.jsonl"), _load),
)
