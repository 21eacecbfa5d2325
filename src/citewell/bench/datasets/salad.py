"""SALAD: are the sentences of long answers supported by the documents? Source: Chen et al. 2023, sections 5 and 7.

`annotations/annotations-SETTING.json` holds three labels a sentence, `docs/docs-{webgpt,human}.json` the documents.
The majority label counts, sentences without one are left out; partially supported is unsupported. Answers written
without documents are judged against the WebGPT documents, as the paper does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from citewell.bench.datasets import files
from citewell.bench.items import Broken, ClaimItem, Item
from citewell.document import Document

# In the order of the paper's Table 7; the document set that each is judged against.
SETTINGS = {
    "webgpt": "webgpt",
    "gpt3_wdoc": "webgpt",
    "gpt3_whudoc": "human",
    "alpaca_wdoc": "webgpt",
    "gpt3": "webgpt",
    "alpaca": "webgpt",
}
_END = "</s>"  # the end-of-sequence mark that one model left at the end of its answers


def load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item a sentence with a majority label, setting by setting in the order of the paper's table."""
    by_setting = {files.stem(path).removeprefix("annotations-"): path for path in paths}
    documents: dict[str, dict[Any, tuple[Document, ...]]] = {}
    for setting, which in SETTINGS.items():
        path = by_setting.get(setting)
        if path is None:
            continue
        if which not in documents:
            documents[which] = _documents(path.parent.parent / "docs" / f"docs-{which}.json")
        for answer in files.whole(path):
            for number, row in enumerate(answer["annotations"]):
                key = f"{setting}:{answer['question_id']}:{number}"
                labels = tuple(row["labels"])
                label, votes = Counter(labels).most_common(1)[0]
                if votes * 2 <= len(labels):
                    continue
                found = documents[which].get(answer["question_id"])
                if not found:
                    yield Broken(key, f"no {which} documents for question {answer['question_id']}", setting)
                    continue
                claim = row["answer"].replace(_END, "").strip()
                yield ClaimItem(key, claim, found, label == "supported", labels, setting)


def _documents(path: Path) -> dict[Any, tuple[Document, ...]]:
    """The documents of each question, made once, so that what is derived from them is shared by its sentences."""
    rows = files.whole(path)
    return {
        row["question_id"]: tuple(
            Document.from_text(one["text"], title=one.get("title")) for one in row["docs"] if one["text"].strip()
        )
        for row in rows
    }
