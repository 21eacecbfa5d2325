"""Pydantic AI: an output validator that lets the model correct unsupported statements, and adds citations.

agent = Agent(model, tools=document_tools("report.pdf"))
agent.output_validator(validator("report.pdf"))
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from citewell.adapters.agents import describe, unsupported
from citewell.errors import needing
from citewell.pipeline import attribute
from citewell.pipeline.sources import opened

with needing("citewell.adapters.pydantic_ai", "pydantic-ai-slim", "pydantic-ai"):
    from pydantic_ai import ModelRetry


def validator(documents: Any, **settings: Any) -> Callable[[str], Awaitable[str]]:
    """A validator of text outputs: the text with marks, and the places that they point at, one a line.

    A statement without support sends the text back to the model with the reason, as often as the agent's retries allow.

    Args:
        documents: what `citewell.ask` takes.
        settings: those of `citewell.attribute`.
    """
    sources = opened(documents)

    async def supported(output: str) -> str:
        answer = await asyncio.to_thread(attribute, sources, output, **settings)
        if faults := unsupported(answer):
            raise ModelRetry("The documents do not support this. Mend or leave out: " + "; ".join(faults))
        return describe(answer, sources)

    return supported
