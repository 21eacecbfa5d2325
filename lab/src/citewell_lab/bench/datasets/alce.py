"""ALCE's files: a JSON list of questions, each with retrieved passages and the contents of a right answer.

Source: Gao et al. 2023 (`ALCE-data.tar`): `asqa_eval_gtr_top100.json`, `qampari_eval_gtr_top100.json`,
`eli5_eval_bm25_top100.json`. Rows: `question`, `docs` (`title`, `text`, best first), and `qa_pairs` with
`short_answers` (ASQA), `answers` (QAMPARI: the wordings of each) or `claims` (ELI5). The first five passages are read,
as in the paper's main setting, each under its title, as its evaluation shows them to the checker.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from citewell_lab.bench.datasets import files
from citewell_lab.bench.datasets.dataset import Dataset, Published, Split
from citewell_lab.bench.items import Item, QuestionItem, Reference

PASSAGES = 5


def dataset(name: str, size: int) -> Dataset:
    """One of the three sets; where several retrievers' files lie there, the paper's comes first."""
    retrievers = ("gtr_top100", "bm25_top100", "dpr_top100", "*")
    published = Published(
        f"ALCE: {name.upper()}",
        "https://huggingface.co/datasets/princeton-nlp/ALCE-data",
        "see the paper",
        {"all": Split(size)},
    )
    patterns = tuple(f"{name}_eval_{retriever}.json" for retriever in retrievers)
    return Dataset("alce", patterns, _load, published_as=published, splits=False)


def _load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item a question of the first file."""
    return files.listed(paths[0], _item)


def _item(key: str, row: Mapping[str, Any]) -> QuestionItem:
    texts = [f"Title: {doc['title']}\n{doc['text']}" for doc in row["docs"][:PASSAGES]]
    document, starts = files.passages(texts)
    answers = row.get("answers") or [pair["short_answers"] for pair in row.get("qa_pairs") or ()]
    references = (Reference(row["answer"]),) if isinstance(row.get("answer"), str) else ()
    return QuestionItem(
        str(row.get("sample_id", key)),
        row["question"],
        document,
        files.spans(texts, starts),
        references,
        wanted=tuple(tuple(wordings) for wordings in answers),
        claims=tuple(row.get("claims") or ()),
    )
