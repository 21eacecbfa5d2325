"""Answers by a language model that reads with tools.

Tools(llm="openai(model=gpt-4o-mini)").generate("By how much did revenue grow?", [document])
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

from citewell.document import Document
from citewell.generators.prompted import templates
from citewell.generators.prompted.generator import Prompted, joined
from citewell.generators.tools.outline import Outline
from citewell.generators.tools.toolbox import TOOLS, Toolbox
from citewell.llm import asking
from citewell.protocols import Completion, Message, Request, Step
from citewell.text.data import read_text
from citewell.types import Draft

_FULL = "Error: the budget of calls and tokens is used: answer from what was read."
_SUMMED = ("input_tokens", "output_tokens", "reasoning_tokens", "cost")


@dataclass(frozen=True, kw_only=True)
class Tools(Prompted):
    """Give a language model an outline and tools to search, open and compute, until it answers or its budget is used.

    What it read stands in the answer's `usage` under `trace`: each call with the numbers that it brought, or its error.

    Attributes:
        max_calls: the most calls of tools; those beyond bring nothing.
        max_input: the most tokens of the outline (a quarter) and of all that the tools bring (the rest).
        max_steps: the most requests to the model.
    """

    max_calls: int = 16
    max_steps: int = 12
    examples: int | str = 0
    name: ClassVar[str] = "tools"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.max_calls < 1 or self.max_steps < 2:
            raise ValueError("max_calls is at least 1 and max_steps at least 2")
        if self.cite != "marks":
            raise ValueError("cite is marks: the passages that tools bring are numbered")

    @cached_property
    def template(self) -> templates.Template:
        """The prompt, read when it is first needed."""
        if self.prompt == "question":
            return templates.parse("tools", read_text("citewell.generators.tools", "prompts/tools.txt"))
        return super().template

    def generate(
        self, question: str, documents: Sequence[Document], on_draft: Callable[[Draft], None] | None = None
    ) -> Draft:
        """Let the model read, and answer from what it read. Nothing is told early: until it answers it may read more.

        Raises:
            BackendError: the model failed.
            UsageError: the model's client calls no tools.
        """
        del on_draft
        outline = Outline(documents, self.max_input // 4)
        box = Toolbox(documents, outline, room=self.max_input * 3 // 4, each=self.max_input // 4)
        turns = [*self._turns(marks=True), Message("user", self.template.filled(outline.text, question, self.context))]
        limit = self.max_tokens or self.template.max_tokens
        request = Request(joined(turns), limit, self.temperature, self.stop, options=self.options, tools=TOOLS)
        completion, replies = self._read(request, box)
        if completion.calls:
            message = "the model went on calling tools when its budget was used"
            draft = self._abstained(question, completion, message)
        else:
            draft = self._draft(completion, question, documents, box.passages)
        prompt = {"name": self.template.name, "sha256": self.template.sha256}
        usage = {**asking.used(completion), **_sums(replies), "prompt": prompt, "passages": len(box.passages)}
        return replace(draft, usage={**draft.usage, **usage, "trace": box.trace})

    def revise(self, draft: Draft, documents: Sequence[Document], faults: Sequence[tuple[str, str]]) -> Draft:
        """Answer again from the passages nearest to the question, told what of the draft is not supported.

        Raises:
            BackendError: the model failed.
        """
        plain = Prompted(llm=self.llm, max_input=self.max_input, history=self.history, options=self.options)
        return plain.revise(draft, documents, faults)

    def _read(self, request: Request, box: Toolbox) -> tuple[Completion, list[Completion]]:
        """The reply that calls nothing, or the last one of the budget; and all replies."""
        steps, replies = list[Step](), list[Completion]()
        while True:
            may = box.room > 0 and len(box.trace) < self.max_calls and len(replies) < self.max_steps - 1
            completion = asking.complete(self.client, replace(request, steps=tuple(steps), may_call=may))
            replies.append(completion)
            if not completion.calls or not may or completion.finish == "refused":
                return completion, replies
            results = tuple(
                box.call(call) if box.room > 0 and len(box.trace) < self.max_calls else _FULL
                for call in completion.calls
            )
            steps.append(Step(completion.text, completion.calls, results))


def _sums(replies: Sequence[Completion]) -> dict[str, Any]:
    """What all replies used together, as far as it is known."""
    used = [asking.used(reply) for reply in replies]
    summed = {name: [figures[name] for figures in used if figures[name] is not None] for name in _SUMMED}
    return {name: sum(figures) if figures else None for name, figures in summed.items()} | {"replies": len(replies)}
