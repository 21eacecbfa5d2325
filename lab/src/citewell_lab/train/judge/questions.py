"""Questions over texts with the places of their answers, including unanswerable ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from citewell.errors import InputError
from citewell.types import Span
from citewell_lab.bench.datasets import files
from citewell_lab.train.checker.sets import lines


class Asked(NamedTuple):
    """A question over a whole text; `answer` is where it stands there, None where the text has none."""

    set: str
    group: str
    text: str
    question: str
    answer: Span | None


def _squad_form(name: str, path: Path) -> Iterator[Asked]:
    for article in files.whole(path)["data"]:
        for number, paragraph in enumerate(article["paragraphs"]):
            group = f"{name}:{article.get('title') or paragraph.get('document_id', number)}"
            text = paragraph["context"]
            for row in paragraph["qas"]:
                first = (row.get("answers") or [None])[0]
                if row.get("is_impossible") or first is None:
                    yield Asked(name, group, text, row["question"].strip(), None)
                elif answer := _placed(text, first["text"], first["answer_start"]):
                    yield Asked(name, group, text, row["question"].strip(), answer)


def _placed(text: str, answer: str, start: int) -> Span | None:
    """The answer's place without the white space around it: where it is said to be, else near by."""
    bare = answer.strip()
    start += len(answer) - len(answer.lstrip())
    if text[start : start + len(bare)] != bare:
        start = text.find(bare, max(0, start - 50), start + 50 + len(bare))  # offsets of another copy
    return Span(start, start + len(bare)) if bare and start >= 0 else None


def squad2(data: Path) -> Iterator[Asked]:
    """Wikipedia, with unanswerable questions that people wrote."""
    return _squad_form("squad2", data / "squad2/dev_part.json")


def policyqa(data: Path) -> Iterator[Asked]:
    """Privacy policies."""
    return _squad_form("policyqa", data / "policyqa/dev.json")


def covidqa(data: Path) -> Iterator[Asked]:
    """Scientific articles."""
    return _squad_form("covidqa", data / "covidqa/200423_covidQA.json")


def nq_open_oracle(data: Path) -> Iterator[Asked]:
    """What people asked a search engine, over the paragraph that answers."""
    for row in lines(data / "nq_open_oracle/oracle.jsonl"):
        passage = row["ctxs"][0]
        text = passage["text"]
        places = (re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", text) for answer in row["answers"] if answer.strip())
        match = next(filter(None, places), None)
        if match:
            group = f"nq:{passage['title']}"
            yield Asked("nq_open_oracle", group, text, _as_written(row["question"]), Span(*match.span()))


def groups_of_clapnq(data: Path) -> set[str]:
    """The groups of Natural Questions' pages that CLAPNQ asks about too."""
    result: set[str] = set()
    for name in ("dev_answerable", "dev_unanswerable"):
        try:
            rows = list(lines(data / f"clapnq/{name}.jsonl"))
        except (FileNotFoundError, InputError):
            continue
        result |= {f"nq:{passage['title']}" for row in rows for passage in row["passages"]}
    return result


def _as_written(question: str) -> str:
    """A question as people write it: some sets leave capitals and the mark out."""
    return question[:1].upper() + question[1:].rstrip(" ?") + "?"


READERS: Mapping[str, Callable[[Path], Iterator[Asked]]] = {
    "squad2": squad2, "policyqa": policyqa, "covidqa": covidqa,
    "nq_open_oracle": nq_open_oracle,
}  # fmt: skip


def load(data: Path, names: Iterable[str]) -> list[Asked]:
    """The questions of those sets that lie in the folder."""
    result: list[Asked] = []
    for name in names:
        try:
            result.extend(READERS[name](data))
        except (FileNotFoundError, InputError):
            continue
    return result
