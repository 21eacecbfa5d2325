"""Answers by a language model: every question without documents and with each document set, sampled (appendix A.3)."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from citewell.document import Document
from citewell.errors import BackendError
from citewell.llm.asking import complete_each
from citewell.papers.lfqa.data import Question, Response, Setting, Study
from citewell.protocols import LLM, Completion, Message, Request

SAMPLES = 3
SHUFFLED = "-shuffled"
_ALONE = "Write a long answer to the question below.\n\nQuestion: {question}\nAnswer:"
_WITH = (
    "Documents:\n{documents}\n\nWrite a long answer to the question below. Use the information in the documents.\n\n"
    "Question: {question}\nAnswer:"
)


class Written(NamedTuple):
    """The study with the new answers, and what could not be written."""

    study: Study
    failed: tuple[str, ...]


def shuffled(study: Study, names: Sequence[str], *, seed: int = 0) -> Study:
    """The study with one more document set for each name: the same documents in another order, `NAME-shuffled`.

    A set of one document gets none: it has no other order.
    """
    questions = []
    for question in study.questions:
        more = {}
        for name in names:
            documents = question.documents.get(name, ())
            if len(documents) > 1:
                generator = random.Random(f"{seed}:{question.id}:{name}")  # noqa: S311  (not for secrets)
                order = list(range(len(documents)))
                while order == sorted(order):
                    generator.shuffle(order)
                more[name + SHUFFLED] = tuple(documents[place] for place in order)
        questions.append(question._replace(documents={**question.documents, **more}))
    return Study(tuple(questions), study.layout, study.warnings)


def prompt(question: str, documents: Sequence[Document] = ()) -> str:
    """What the model is asked, in our words: the documents one after another, then what to do, then the question."""
    if not documents:
        return _ALONE.format(question=question)
    shown = "\n\n".join(
        "\n".join([f"Document {number}: {one.title}" if one.title else f"Document {number}:", one.text])
        for number, one in enumerate(documents, 1)
    )
    return _WITH.format(question=question, documents=shown)


def write(
    study: Study,
    llm: LLM,
    model: str,
    *,
    samples: int = SAMPLES,
    temperature: float = 0.7,
    max_tokens: int = 512,
    kept: Path | None = None,
    on_done: Callable[[int], None] | None = None,
) -> Written:
    """The study with answers of one more model.

    Args:
        study: questions with document sets.
        llm: writes the answers.
        model: how the settings call it.
        samples: answers a question and document set; each has its own seed.
        temperature: of the sampling; the paper took 0.7 for GPT-3.5 and 0.9 for Alpaca.
        max_tokens: bounds an answer.
        kept: a file of JSON lines to which each question is added when it is done; what it holds is not asked again.
        on_done: told the number of questions that became done.

    Raises:
        BackendError: the model failed in a way that ends everything (no such model, a wrong key).
    """
    done = _kept(kept, model, samples)
    failed: list[str] = []
    questions = []
    for question in study.questions:
        if not done.get(question.id, {}).keys() >= {None, *question.documents}:
            found = _ask(question, llm, samples, temperature, max_tokens, failed)
            done[question.id] = found
            if kept is not None:
                row = {
                    "id": question.id,
                    "question": question.text,
                    "answers": [{"model": model, "evidence": name, "samples": texts} for name, texts in found.items()],
                }
                with kept.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
        new = tuple(Response(Setting(model, name), tuple(texts)) for name, texts in done[question.id].items() if texts)
        questions.append(question._replace(responses=question.responses + new))
        if on_done:
            on_done(1)
    return Written(Study(tuple(questions), study.layout, study.warnings), tuple(failed))


def _ask(
    question: Question, llm: LLM, samples: int, temperature: float, max_tokens: int, failed: list[str]
) -> dict[str | None, list[str]]:
    names: list[str | None] = [None, *question.documents]
    requests = [
        Request(
            (Message("user", prompt(question.text, question.documents[name] if name else ())),),
            max_tokens=max_tokens,
            temperature=temperature,
            seed=seed,
        )
        for name in names
        for seed in range(samples)
    ]
    replies = complete_each(llm, requests, keep=(BackendError,))
    if replies and all(isinstance(reply, BackendError) for reply in replies):
        raise next(reply for reply in replies if isinstance(reply, BackendError))
    found: dict[str | None, list[str]] = {name: [] for name in names}
    for place, reply in enumerate(replies):
        name = names[place // samples]
        where = f"question {question.id}, {name or 'no documents'}, sample {place % samples}"
        if not isinstance(reply, Completion):
            failed.append(f"{where}: {reply}")
        elif not reply.text.strip():
            failed.append(f"{where}: an empty answer")
        else:
            found[name].append(reply.text.strip())
    return found


def _kept(path: Path | None, model: str, samples: int) -> dict[str, dict[str | None, list[str]]]:
    """Questions that an earlier run wrote whole; a line that a kill cut short is asked again."""
    result: dict[str, dict[str | None, list[str]]] = {}
    if path is None or not path.is_file():
        return result
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            row: Mapping[str, Any] = json.loads(line)
        except ValueError:
            continue
        found = {one["evidence"]: one["samples"] for one in row["answers"] if one["model"] == model}
        if found and all(len(texts) >= samples for texts in found.values()):
            result[row["id"]] = found
    return result
