"""Answers questions in a run; the only connection between the benchmark and the pipeline's approaches.

Whatever has `run(documents, question) -> Answer` can be measured; `build` makes it from an approach's name and a
model's spec. Every reply of a model is kept beside the run, so that nothing received is ever asked for again.
"""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

from citewell import registry
from citewell.document import Document
from citewell.errors import UsageError
from citewell.generators.prompted.generator import Prompted
from citewell.llm.replay import Replay
from citewell.pipeline import Pipeline
from citewell.pipeline.approaches import Retrieval, approach, settings
from citewell.protocols import Completion, Request
from citewell.types import Answer, Citation
from citewell_lab.bench import quoted

EXTRACTIVE = "extractive"


class Runs(Protocol):
    """What is measured: a pipeline, or anything that answers like one."""

    def run(self, documents: Sequence[Document], question: str) -> Answer:
        """Answer a question, or abstain."""
        ...


class Questions(Protocol):
    """What `build` asks of a task (`kinds.base.Task`)."""

    @property
    def name(self) -> str:
        """On the command line."""
        ...

    @property
    def reader(self) -> str:
        """What answers without a language model."""
        ...

    @property
    def prompt(self) -> str:
        """The name of the prompt with which a language model is asked."""
        ...

    @property
    def retrieval(self) -> Retrieval | None:
        """The retrievers and numbers that the paper chose."""
        ...

    @property
    def promptable(self) -> bool:
        """Whether an approach with a language model may take the place of what the task needs."""
        ...


class Query(NamedTuple):
    """A document, a question about it, and what a language model is told beside the question."""

    document: Document
    question: str
    context: str = ""


class Reply(NamedTuple):
    """An answer, how sure the system is of it, and what it would have said where it abstained, if it can tell.

    `ranked` is the evidence best first: all that the system weighed where it tells, else what it cited.
    """

    answer: Answer
    confidence: float
    withheld: Answer | None = None
    ranked: tuple[Citation, ...] = ()


@dataclass
class Meter:
    """A model that counts what it is asked: requests, tokens, and cost where the price is known; it draws by a seed."""

    llm: Any
    seed: int | None = None  # of what the model draws; as the request says, where None
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    unpriced: int = 0
    _lock: Any = field(default_factory=threading.Lock, repr=False)

    def __getattr__(self, name: str) -> Any:
        """All else is the model's own."""
        if name == "llm":  # not there yet while the object is being copied
            raise AttributeError(name)
        return getattr(self.llm, name)

    def complete(self, request: Request, on_text: Callable[[str], None] | None = None) -> Completion:
        """The model's reply, counted."""
        drawn = request if self.seed is None else replace(request, seed=self.seed)
        completion: Completion = self.llm.complete(drawn, on_text)
        with self._lock:
            self.requests += 1
            self.input_tokens += completion.input_tokens or 0
            self.output_tokens += completion.output_tokens or 0
            self.cost += completion.cost or 0.0
            self.unpriced += completion.cost is None
        return completion

    def usage(self) -> str:
        """The figures so far, for a progress bar."""
        money = f"${self.cost:.2f}" if self.requests > self.unpriced else "cost unknown"
        return f"{self.input_tokens + self.output_tokens:,} tokens, {money}"


@dataclass
class Answering:
    """A system that answers.

    Attributes:
        system: what answers.
        meter: counts the model's work, None without a model.
        settings: all that decides what a language model is asked and what becomes of its reply, the hash of the prompt
            among them, for the record of the run.
        post_hoc: the attributor that finds evidence for what a model said without citing, None where it cites.
        chooses: whether the system itself chooses the evidence that it cites; not so where all that was read is.
    """

    system: Runs
    meter: Meter | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    post_hoc: Any = None
    chooses: bool = True

    def ask(self, query: Query) -> Reply:
        """One answer."""
        document, question, context = query
        if not isinstance(self.system, Pipeline):
            answer = self.system.run([document], question)
            return Reply(answer, _confidence(answer), None, answer.citations)
        draft = self.with_context(context).draft([document], question)
        answer = self.system.ground([document], draft)
        withheld = self.system.ground([document], draft.withheld) if draft.withheld else None
        sure = _confidence(answer) if draft.confidence is None else draft.confidence
        return Reply(answer, sure, withheld, draft.candidates or answer.citations)

    def with_context(self, context: str) -> Pipeline:
        """The pipeline whose model is told the context of a question."""
        pipeline = cast("Pipeline", self.system)
        if not context or not isinstance(pipeline.generator, Prompted):
            return pipeline
        return replace(pipeline, generator=replace(pipeline.generator, context=context))

    def ask_all(self, queries: Sequence[Query]) -> Iterator[Reply | Exception]:
        """The replies in order, as they come; what one question raises stands in its place.

        Several are under way at a time where the model allows it.
        """

        def answer_one(question: Query) -> Reply | Exception:
            try:
                return self.ask(question)
            except Exception as error:  # noqa: BLE001  (one question must not end the rest; the run counts failures)
                return error

        size = min(int(getattr(self.meter, "concurrency", 1)) if self.meter else 1, len(queries))
        if size <= 1:
            yield from map(answer_one, queries)
            return
        with ThreadPoolExecutor(size, thread_name_prefix="citewell-bench") as pool:
            futures = [pool.submit(contextvars.copy_context().run, answer_one, question) for question in queries]
            try:
                for future in futures:
                    yield future.result()
            finally:
                pool.shutdown(wait=False, cancel_futures=True)


def _confidence(answer: Answer) -> float:
    """The weakest statement's score, for a system that has no confidence of its own."""
    if answer.abstention is not None:
        return float(answer.abstention.score or 0.0)
    return min((statement.score or 0.0 for statement in answer.statements), default=0.0)


def build(
    task: Questions,
    spec: Any,
    *,
    llm: Any = None,
    retriever: str | None = None,
    seed: int | None = None,
    store: Path | None = None,
) -> Answering:
    """The system that a run measures.

    `spec` is an approach with parameters of its generator, as in `citation(examples=1)`, or anything with `run`;
    `retriever` stands in for the one that the paper chose; the model's replies are kept in `store`.

    Raises:
        UsageError: no such approach, or it lacks its model.
    """
    if not isinstance(spec, str):
        return Answering(spec)
    name = registry.parse(spec).name
    how = approach(name)
    if how.cite is None:
        if llm is not None or retriever is not None:
            raise UsageError(f"the approach {name} uses neither --llm nor --retriever")
        if task.reader == EXTRACTIVE:
            return Answering(Pipeline(**settings(spec)))
        if spec != name:
            raise UsageError(f"without a language model {task.reader} answers {task.name}: {spec} would be ignored")
        return Answering(Pipeline(generator=task.reader))
    if llm is None:
        raise UsageError(f"the approach {name} needs a language model: --llm SPEC")
    client = registry.build("llm", llm) if store is None else Replay(path=str(store), llm=llm)
    meter = Meter(client, seed)
    words, spec = quoted.asked(spec, task.prompt, cite=how.cite == "marks")
    fields = settings(spec, meter, prompt=task.prompt, retrieval=task.retrieval)
    generator = fields["generator"]
    if words:
        generator = fields["generator"] = replace(generator, prompt=words)
    if retriever is not None:
        fields["generator"] = replace(generator, reduce=_with_retriever(generator.reduce, retriever))
        if "attributor" in fields:
            fields["attributor"] = _with_retriever(fields["attributor"], retriever)
    if task.retrieval and how.cite == "marks":
        fields["uncited"] = "leave"  # LAB: what a model that cites does not cite has no evidence
    if task.promptable:
        fields["declining"] = "never"  # "not mentioned" is a label there
    pipeline = Pipeline(**fields)
    return Answering(
        pipeline,
        meter=meter,
        settings={"approach": name, **_settings(pipeline)},
        post_hoc=fields.get("attributor") if how.cite == "none" else None,
        chooses=how.cite == "marks",
    )


def _settings(pipeline: Pipeline) -> dict[str, Any]:
    """Everything that decides a run's prompts and evidence, defaults included."""
    generator = cast("Prompted", pipeline.generator)
    template = generator.template
    request_settings = {name: getattr(generator, name) for name in ("cite", "instruct", "max_input", "temperature")}
    kept = {name: getattr(pipeline, name) for name in ("granularity", "declining", "verify", "uncited")}
    return {
        "prompt": template.name,
        "sha256": template.sha256,
        "prompt_text": template.text,
        "examples": len(generator.demonstrations),
        "shown": [example._asdict() for example in generator.demonstrations],
        **request_settings,
        "max_tokens": generator.max_tokens or template.max_tokens,
        "reduce": registry.name(generator.reduce),
        "attributor": None if pipeline.uncited == "leave" else registry.name(pipeline.attributor),
        **kept,
    }


def _with_retriever(spec: str, retriever: str) -> str:
    """A stage's spec with another retriever; self-similarity stays what it is, over the other retriever."""
    parsed = registry.parse(spec)
    if "retriever" not in dict(parsed.params):
        return spec
    old = registry.parse(str(dict(parsed.params)["retriever"]))
    new = retriever
    if old.name == "self-similarity" and registry.parse(retriever).name != "self-similarity":
        new = str(registry.Spec(old.name, (("retriever", retriever),)))
    return str(
        registry.Spec(parsed.name, tuple((key, new if key == "retriever" else value) for key, value in parsed.params))
    )
