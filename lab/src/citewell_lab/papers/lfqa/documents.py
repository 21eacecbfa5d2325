"""Document sets: sizes, human judgments of sufficiency, random and retrieved sets from any corpus (A.1, A.2).

Sources: Chen et al. 2023, section 3 and Tables 4 and 11.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from citewell import registry
from citewell.document import Document
from citewell.errors import InputError, UsageError
from citewell.types import Segment
from citewell_lab.bench.datasets import files
from citewell_lab.bench.items import Broken
from citewell_lab.bench.tasks.salad import documents_of
from citewell_lab.papers.lfqa.data import Question, Study

WORDS, TOP = 100, 4  # of the paper's segments, and how many of them make a set
_WORD = re.compile(r"\S+")


class Size(NamedTuple):
    """The means of one document set over the questions that have it."""

    documents_of: str
    questions: int
    documents: float
    sentences: float
    words: float


class Sufficient(NamedTuple):
    """How many of the sets that people judged hold enough to answer their question."""

    documents_of: str
    judged: int
    sufficient: int
    share: float


def sizes(study: Study) -> list[Size]:
    """One row a document set, in order of appearance; words are parted by white space."""
    rows = []
    for name in study.sets:
        present_sets = [question.documents[name] for question in study.questions if name in question.documents]
        sentences = [sum(len(document.segments("sentence")) for document in documents) for documents in present_sets]
        lengths = [sum(len(_WORD.findall(document.text)) for document in documents) for documents in present_sets]
        count = len(present_sets)
        rows.append(
            Size(name, count, sum(map(len, present_sets)) / count, sum(sentences) / count, sum(lengths) / count)
        )
    return rows


def sufficient(study: Study) -> list[Sufficient]:
    """One row a document set that was judged."""
    rows = []
    for name in study.sets:
        flags = [question.sufficient[name] for question in study.questions if name in question.sufficient]
        if flags:
            rows.append(Sufficient(name, len(flags), sum(flags), sum(flags) / len(flags)))
    return rows


def at_random(study: Study, source: str, name: str = "random", *, seed: int = 0) -> Study:
    """The study with one more document set: that of another question, drawn anew for each.

    Raises:
        UsageError: fewer than two questions have the set to draw from.
    """
    having = [question for question in study.questions if question.documents.get(source)]
    if len(having) < 2:
        raise UsageError(f"random sets are drawn from {source!r} of other questions; {len(having)} have it")
    questions = []
    for question in study.questions:
        generator = random.Random(f"{seed}:{question.id}:{source}")  # noqa: S311  (not for secrets)
        other = generator.choice([question_of_set for question_of_set in having if question_of_set.id != question.id])
        questions.append(_with(question, name, other.documents[source]))
    return replace(study, questions=tuple(questions))


def retrieved(
    study: Study,
    corpus: Sequence[Document],
    name: str,
    *,
    retriever: str = "bm25",
    words: int = WORDS,
    top: int = TOP,
) -> Study:
    """The study with one more document set: the best segments of a corpus for each question.

    Raises:
        UsageError: the corpus has no words.
        SpecError, BackendError: of the retriever.
    """
    segments = [(document, segment) for document in corpus for segment in segmented(document, words)]
    if not segments:
        raise UsageError("the corpus has no words")
    built = registry.build("retriever", retriever)
    texts = [segment for _, segment in segments]
    questions = []
    for question in study.questions:
        hits = built.rank(question.text, texts)[:top]
        chosen = [segments[hit.position] for hit in hits]
        passages = tuple(Document.from_text(segment.text, title=document.title) for document, segment in chosen)
        questions.append(_with(question, name, passages) if passages else question)
    return replace(study, questions=tuple(questions))


def segmented(document: Document, words: int = WORDS) -> list[Segment]:
    """A document in runs of so many words; the last one may be shorter."""
    word_matches = list(_WORD.finditer(document.text))
    result = []
    for first in range(0, len(word_matches), words):
        start, end = word_matches[first].start(), word_matches[min(first + words, len(word_matches)) - 1].end()
        result.append(Segment(f"w{first}", "paragraph", start, end, document.text[start:end]))
    return result


def _with(question: Question, name: str, documents: tuple[Document, ...]) -> Question:
    return question._replace(documents={**question.documents, name: documents})


def corpus(path: Path) -> list[Document]:
    """The documents of a corpus: lines of `text` and perhaps `title`, a file of any format that is read, or a folder.

    Raises:
        InputError: nothing lies there, or a file cannot be read.
    """
    from citewell.readers import read

    if path.is_dir():
        inside = [file for file in sorted(path.rglob("*")) if file.is_file() and not file.name.startswith(".")]
        documents = [document for file in inside for document in corpus(file)]
        if not documents:
            raise InputError(f"{path} holds no documents")
        return documents
    if path.suffix != ".jsonl":
        return [read(path)]
    rows = [row for _, row in files.parsed(path)]
    broken = next((row for row in rows if isinstance(row, Broken) or not isinstance(row.get("text"), str)), None)
    if broken is not None:
        raise InputError(f"{path}: {broken.reason if isinstance(broken, Broken) else 'a line without text'}")
    return list(documents_of(row for row in rows if isinstance(row, Mapping)))


def lines(study: Study, names: Iterable[str]) -> str:
    """Document sets as JSON lines that `papers lfqa` reads beside the study's own."""
    rows = (
        {
            "id": question.id,
            "question": question.text,
            "documents": {
                name: [{"title": document.title, "text": document.text} for document in question.documents[name]]
                for name in names
                if name in question.documents
            },
        }
        for question in study.questions
    )
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
