"""Answers by a language model: every question without documents and with each document set, sampled (appendix A.3)."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from citewell.document import Document
from citewell.errors import BackendError
from citewell.llm.asking import complete_each
from citewell.llm.prompts import Prompt, chosen
from citewell.protocols import LLM, Completion, Request
from citewell_lab.bench import quoted
from citewell_lab.papers.lfqa.data import SHUFFLED, Question, Response, Setting, Study

SAMPLES = 3


class Decoding(NamedTuple):
    """How answers are drawn. The paper took a temperature of 0.7 and 512 tokens for GPT-3.5, 0.9 and 1,024 for Alpaca.

    Attributes:
        samples: answers a question and document set; each has its own seed.
        alone, documents: files of prompts of one's own with the gaps `{question}`, and `{documents}` for the second;
            `paper` for the words of the paper's.
    """

    samples: int = SAMPLES
    temperature: float = 0.7
    max_tokens: int = 512
    alone: str | None = None
    documents: str | None = None

    @property
    def prompts(self) -> tuple[Prompt, Prompt]:
        """What is asked without documents and with them.

        Raises:
            UsageError: a file cannot be read, or lacks a gap.
        """
        return _prompt("alone", self.alone), _prompt("documents", self.documents)

    @property
    def record(self) -> dict[str, Any]:
        """What tells answers apart that were drawn otherwise."""
        prompts = [prompt.sha256 for prompt in self.prompts]
        return {"temperature": self.temperature, "max_tokens": self.max_tokens, "prompts": prompts}


def _prompt(name: str, path: str | None) -> Prompt:
    return quoted.study_prompt(name) if path == quoted.PAPER else chosen("citewell_lab.papers.lfqa", name, path)


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


def request(question: str, documents: Sequence[Document], decoding: Decoding, seed: int) -> Request:
    """What the model is asked: the documents one after another, what to do, the question."""
    alone, beside = decoding.prompts
    passages = "\n\n".join(
        "\n".join([f"Document {number}: {document.title}" if document.title else f"Document {number}:", document.text])
        for number, document in enumerate(documents, 1)
    )
    request_text = (
        beside.request(question=question, documents=passages) if documents else alone.request(question=question)
    )
    return replace(request_text, max_tokens=decoding.max_tokens, temperature=decoding.temperature, seed=seed)


def write(
    study: Study,
    llm: LLM,
    model: str,
    decoding: Decoding = Decoding(),  # noqa: B008  (immutable)
    *,
    kept: Path | None = None,
    on_done: Callable[[int], None] | None = None,
) -> Written:
    """The study with answers of one more model.

    Args:
        study: questions with document sets.
        llm: writes the answers.
        model: how the settings call it.
        decoding: how the answers are drawn.
        kept: a file of JSON lines to which each question is added when it is done; what it holds of the same model and
            decoding is not asked again.
        on_done: told the number of questions that became done.

    Raises:
        BackendError: the model failed in a way that ends everything (no such model, a wrong key).
        UsageError: a prompt cannot be read or lacks a gap.
    """
    done = _kept(kept, model, decoding)
    failed: list[str] = []
    questions = []
    for question in study.questions:
        if not done.get(question.id, {}).keys() >= {None, *question.documents}:
            samples = _ask(question, llm, decoding, failed)
            done[question.id] = samples
            if kept is not None:
                row = {
                    "id": question.id,
                    "question": question.text,
                    "decoding": decoding.record,
                    "answers": [
                        {"model": model, "evidence": name, "samples": texts} for name, texts in samples.items()
                    ],
                }
                with kept.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
        new = tuple(Response(Setting(model, name), tuple(texts)) for name, texts in done[question.id].items() if texts)
        questions.append(question._replace(responses=question.responses + new))
        if on_done:
            on_done(1)
    return Written(Study(tuple(questions), study.layout, study.warnings), tuple(failed))


def _ask(question: Question, llm: LLM, decoding: Decoding, failed: list[str]) -> dict[str | None, list[str]]:
    names: list[str | None] = [None, *question.documents]
    requests = [
        request(question.text, question.documents[name] if name else (), decoding, seed)
        for name in names
        for seed in range(decoding.samples)
    ]
    replies = complete_each(llm, requests, keep=(BackendError,))
    if replies and all(isinstance(reply, BackendError) for reply in replies):
        raise next(reply for reply in replies if isinstance(reply, BackendError))
    samples: dict[str | None, list[str]] = {name: [] for name in names}
    for place, reply in enumerate(replies):
        name = names[place // decoding.samples]
        where = f"question {question.id}, {name or 'no documents'}, sample {place % decoding.samples}"
        if not isinstance(reply, Completion):
            failed.append(f"{where}: {reply}")
        elif not reply.text.strip():
            failed.append(f"{where}: an empty answer")
        else:
            samples[name].append(reply.text.strip())
    return samples


def _kept(path: Path | None, model: str, decoding: Decoding) -> dict[str, dict[str | None, list[str]]]:
    """Questions that an earlier run wrote whole; a line that a kill cut short is asked again."""
    result: dict[str, dict[str | None, list[str]]] = {}
    if path is None or not path.is_file():
        return result
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            row: Mapping[str, Any] = json.loads(line)
        except ValueError:
            continue
        if row.get("decoding") != decoding.record:
            continue
        samples = {answer["evidence"]: answer["samples"] for answer in row["answers"] if answer["model"] == model}
        if samples and all(len(texts) >= decoding.samples for texts in samples.values()):
            result[row["id"]] = samples
    return result
