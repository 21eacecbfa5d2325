"""The verbs: each is one call of a pipeline, with its settings as keywords."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from citewell import registry
from citewell.errors import UsageError
from citewell.errors.arguments import hold
from citewell.pipeline import approaches
from citewell.pipeline.flow import Pipeline
from citewell.pipeline.promise import Promise, least
from citewell.pipeline.sources import Documents
from citewell.pipeline.streaming import Tell
from citewell.pipeline.unsupported import Policy
from citewell.types import Abstention, Answer, Granularity, Span, Verdict

if TYPE_CHECKING:
    from citewell.protocols import LLM, Attributor, Checker, Generator


_OF_MODELS = frozenset(("prompt", "vocabulary", "history", "temperature", "stop", "options"))


class Stages(TypedDict, total=False):
    """Further fields of `Pipeline`, documented there; `abstain` may also be a promise or the file of one."""

    generator: str | Generator
    attributor: str | Attributor
    minimal: bool
    verify: bool
    uncited: str
    declining: str
    on_unsupported: Policy


class AskStages(Stages, total=False):
    """The fields that `ask` accepts in addition to its own parameters."""

    checker: str | Checker | Callable[[str, str], bool | float | str]
    granularity: Granularity
    k: int | None


class AttributeStages(Stages, total=False):
    """The fields that `attribute` accepts in addition to its own parameters."""

    checker: str | Checker | Callable[[str, str], bool | float | str]
    abstain: float | str | Path | Promise | None
    timeout: float | None


class CheckStages(Stages, total=False):
    """The fields that `check` accepts in addition to its own parameters."""

    granularity: Granularity
    k: int | None
    abstain: float | str | Path | Promise | None
    timeout: float | None


def ask(
    documents: Documents,
    question: str,
    *,
    llm: str | LLM | Callable[[str], str] | None = None,
    approach: str | None = None,
    prompt: str = "question",
    abstain: float | str | Path | Promise | None = None,
    max_tokens: int | None = None,
    vocabulary: str | None = None,
    timeout: float | None = None,
    history: Sequence[tuple[str, str]] = (),
    tell: Tell | None = None,
    doubt: Abstention | None = None,
    **stages: Unpack[AskStages],
) -> Answer:
    """Answer a question about one or more documents, with evidence for every statement, or abstain.

    Args:
        documents: results of `read`, or paths of files to read.
        question: the question in natural language.
        llm: the spec of a language model, a client, or a function from the prompt to the reply; by default the
            extractive reader answers.
        approach: how to answer, with parameters as in "citation(reduce=top(k=3))"; the default is "extractive" without
            a language model and "citation" with one.
        prompt: the name of a built-in prompt, or the path of your own.
        abstain: the minimum score of an answer, 0 to 1, or a promise, or the file of one (`citewell calibrate`).
        max_tokens: the maximum number of tokens in a language model's reply; None uses the prompt's setting.
        vocabulary: the path of a file that maps your own expressions to those of reports; for `extractive`.
        timeout: maximum seconds for the whole call; see `Pipeline`.
        history: role (system, user, assistant) and text of the earlier turns, for a language model.
        tell: called with each statement as soon as it is final, while a language model is still writing.
        doubt: the abstention to return if it is already known that no answer can be given (`Library.doubt`).
        stages: further fields of `Pipeline`.

    Raises:
        UsageError: the question is empty, or a setting is unknown.
        SpecError: a back end is unknown.
        VocabularyError: the vocabulary cannot be read.
        BackendError: a model failed.
    """
    more: dict[str, Any] = {"abstain": abstain, "timeout": timeout, "prompt": prompt, "vocabulary": vocabulary}
    more |= {"history": tuple(history)} if history else {}
    pipeline = answering(llm=llm, approach=approach, max_tokens=max_tokens, **more, **stages)
    return pipeline.run(documents, question, tell, doubt)


def attribute(
    documents: Documents,
    answer: str,
    question: str | None = None,
    method: str | Attributor = "lexical",
    granularity: Granularity = "sentence",
    k: int | None = None,
    *,
    spans: Iterable[Span] = (),
    **stages: Unpack[AttributeStages],
) -> Answer:
    """Find the evidence for an existing answer.

    Args:
        documents: results of `read`, or paths of files, one or more.
        answer: the text; its statements are its sentences and list items.
        question: the question that it answers, if known.
        method: the spec of an attributor.
        granularity: of the evidence: "sentence", "paragraph", or exact words: "window" (copied spans and their sources)
            or "token" (the same by the method's own tokens, if it has any).
        k: the maximum number of citations per statement.
        spans: offsets of the answer to attribute instead of its statements.
        stages: further fields of `Pipeline`, such as `timeout`.

    Raises:
        UsageError: the answer is empty, or a setting is out of range.
        SpecError: the method is unknown.
    """
    pipeline = assembled(**{"attributor": method, "granularity": granularity, "k": k, **stages})
    return pipeline.attribute(documents, answer, question, spans)


def check(
    documents: Documents,
    claims: str | Iterable[str],
    checker: str | Checker | Callable[[str, str], bool | float | str] = "lexical",
    **stages: Unpack[CheckStages],
) -> list[Verdict]:
    """Judge whether documents support claims. Returns one verdict per claim, in order, with its evidence.

    A function as `checker` receives a claim and its evidence, and returns yes or no, a probability, or a label.

    Raises:
        UsageError: a claim is empty.
        SpecError: the checker is unknown.
    """
    return assembled(checker=checker, **stages).check(documents, claims)


def answering(
    *, llm: Any = None, approach: str | None = None, max_tokens: int | None = None, **settings: Any
) -> Pipeline:
    """The pipeline that `ask` runs, with its settings.

    Raises:
        UsageError: a setting is unknown, or out of range.
        SpecError: a back end is unknown.
        VocabularyError: the vocabulary cannot be read.
    """
    hold(int | None, max_tokens=max_tokens)
    chosen: dict[str, Any] = {} if max_tokens is None else {"max_tokens": max_tokens}
    chosen |= {name: settings.pop(name) for name in _OF_MODELS & settings.keys()}
    return assembled(**{**approaches.chosen(llm, approach, **chosen), **settings})


def assembled(**stages: Any) -> Pipeline:
    """A pipeline with these fields; `abstain` may also be a promise or the file of one.

    Raises:
        UsageError: a field does not exist or is out of range, or the promise was made for other stages.
        InputError: the file does not exist, or contains no promise.
    """
    known = Pipeline.__dataclass_fields__
    if unknown := sorted(stages.keys() - known.keys()):
        raise UsageError(f"a pipeline has no {', '.join(unknown)}; it has: {', '.join(known)}")
    promised = stages.pop("abstain", None)
    bare = Pipeline(**stages)
    if promised is None:
        return bare
    return replace(bare, abstain=least(promised, registry.name(bare.generator), registry.name(bare.checker)))
