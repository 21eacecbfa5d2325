"""OpenAI Agents SDK: documents as tools, and a guardrail that stops unsupported answers.

Agent(name="Analyst", tools=tools("report.pdf"), output_guardrails=[guardrail("report.pdf")])
"""

from __future__ import annotations

import asyncio
from typing import Any

from citewell.adapters.agents import document_tools, unsupported
from citewell.errors import needing
from citewell.pipeline import attribute
from citewell.pipeline.sources import opened

with needing("citewell.adapters.openai_agents", "openai-agents", "openai-agents"):
    from agents import FunctionTool, GuardrailFunctionOutput, OutputGuardrail, function_tool


def tools(documents: Any, k: int = 5, **settings: Any) -> list[FunctionTool]:
    """Search, answer and verify over documents as tools of an agent; see `citewell.adapters.agents.document_tools`."""
    return [function_tool(tool) for tool in document_tools(documents, k, **settings)]


def guardrail(documents: Any, **settings: Any) -> OutputGuardrail[Any]:
    """A guardrail that trips where the final output claims something that the documents do not support.

    `output_info` of its result has the answer in its JSON form, and each unsupported statement under `unsupported`.

    Args:
        documents: what `citewell.ask` takes.
        settings: those of `citewell.attribute`.
    """
    sources = opened(documents)

    async def supported(_context: Any, _agent: Any, output: Any) -> GuardrailFunctionOutput:
        answer = await asyncio.to_thread(attribute, sources, str(output), **settings)
        faults = unsupported(answer)
        info = {"answer": answer.to_dict(), "unsupported": faults}
        return GuardrailFunctionOutput(output_info=info, tripwire_triggered=bool(faults))

    return OutputGuardrail(guardrail_function=supported, name="citewell")
