"""FinanceBench: questions over annual and quarterly reports as PDF, with their pages. Islam et al. 2023.

Rows: `question`, `doc_name` (a file of `pdfs/`), `evidence` (`evidence_page_num` counts from 0, `evidence_text`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from citewell.document import Document
from citewell.readers import read
from citewell_lab.bench.datasets import files
from citewell_lab.bench.datasets.dataset import Dataset
from citewell_lab.bench.items import Item, PageItem
from citewell_lab.bench.kinds.pages import Pages


def load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item a question, in the order of the rows; one whose report does not lie there is a counted failure."""
    for path in paths:
        root = next((folder for folder in (path.parent, path.parent.parent) if (folder / "pdfs").is_dir()), path.parent)

        @lru_cache(maxsize=4)
        def report(name: str, folder: Path = root / "pdfs") -> Document:
            return read(folder / f"{name}.pdf")

        def item(key: str, row: Mapping[str, Any], report: Any = report) -> PageItem:
            evidence = [place for place in row["evidence"] if place.get("doc_name", row["doc_name"]) == row["doc_name"]]
            if not evidence:
                raise ValueError("the evidence is not in the report")
            return PageItem(
                row.get("financebench_id", key),
                row["question"],
                report(row["doc_name"]),
                str(row["answer"]),
                frozenset(place["evidence_page_num"] + 1 for place in evidence),
                tuple(place["evidence_text"] for place in evidence),
                row.get("question_type", ""),
            )

        yield from files.rows([path], item)


TASK = Pages(
    name="financebench",
    summary="on which pages of a report does the evidence for an answer stand",
    data=Dataset(
        "financebench",
        ("questions.jsonl", "*open_source*.jsonl", "data/*open_source*.jsonl", "*.jsonl"),
        load,
        companions=("pdfs/*.pdf",),
        splits=False,
    ),
)
