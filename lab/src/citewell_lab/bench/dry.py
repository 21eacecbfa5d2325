"""Dry run: one complete prompt, and the maximum tokens and cost of the whole run, without any request."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from citewell import registry
from citewell.errors import UsageError
from citewell.generators.prompted.generator import Prompted
from citewell.llm import tokens
from citewell.llm.costs import cost
from citewell.protocols import Request
from citewell_lab.bench.answering import Answering
from citewell_lab.bench.choice import choose
from citewell_lab.bench.items import EvidenceItem, PageItem, QuestionItem
from citewell_lab.bench.tasks import task as find_task


def dry(
    name: str, data: str | Path, split: str, *, limit: int | None = None, sample: int | None = None, **options: Any
) -> str:
    """A text with the first prompt and the estimate.

    Raises:
        UsageError: the run would ask no language model.
        InputError: the data is not there.
    """
    task = find_task(name)
    chosen = choose(task, **options)
    if chosen.llm is None:
        raise UsageError("a dry run shows what a language model would be asked: give --llm SPEC")
    system = chosen.build(task).backends.answer()
    source = task.data
    seed = options.get("seed") or 0
    items = source.picked(source.files(Path(data), split), split, limit=limit, sample=sample, seed=seed)
    first, count, prompt_tokens, exact, most = None, 0, 0, True, 0
    for item in items:
        if not isinstance(item, QuestionItem | PageItem | EvidenceItem):
            continue
        request = _request(system, item)
        first = first or request
        for message in request.messages:
            size, is_exact = tokens.count(system.meter, message.content)
            prompt_tokens, exact = prompt_tokens + size, exact and is_exact
        count, most = count + 1, most + request.max_tokens
    if first is None:
        raise UsageError(f"the split has no items for {name}")
    spec = registry.parse(chosen.llm) if isinstance(chosen.llm, str) else registry.Spec("")
    price = cost(spec.name, str(dict(spec.params).get("model", "")), prompt_tokens, most)
    lines = [f"--- {message.role}\n{message.content}" for message in first.messages]
    how = "by the model's own tokenizer" if exact else "estimated"
    lines += [
        "---",
        f"requests: {count}",
        f"input tokens: {prompt_tokens:,} ({how})",
        f"output tokens at most: {most:,}",
        f"cost at most: {'unknown: the price of the model is not known' if price is None else f'${price:.4f}'}",
    ]
    return "\n".join(lines)


def _request(system: Answering, item: QuestionItem | PageItem | EvidenceItem) -> Request:
    """The request that the item's prompt makes, after the document was reduced."""
    pipeline = system.with_context(item.context if isinstance(item, EvidenceItem) else "")
    generator = cast("Prompted", pipeline.generator)
    question = item.prompt_text if isinstance(item, QuestionItem) else item.question
    return generator.request(question, [item.document], generator.passages(question, [item.document]))[0]
