"""The models that a request may name: our own reader, and those of the service's language model."""

from __future__ import annotations

import re
from typing import Any

from citewell import registry
from citewell.serve.compatible.questions import DEFAULT_MODEL
from citewell.serve.faults import Fault

_REMOTE = ("openai", "anthropic")  # a name reaches a service that knows it or not, and no file of this machine
_NAME = re.compile(r"[\w.:@/+-]+")
_BEGAN = 1_767_225_600  # 2026-01-01: clients want a date


def listed(llm: str | None) -> list[str]:
    """The names of the models, citewell first; a local model is called by the name of its back end."""
    if llm is None:
        return [DEFAULT_MODEL]
    spec = registry.parse(llm)
    model = dict(spec.params).get("model")
    return [DEFAULT_MODEL, str(model) if spec.name in _REMOTE and model else spec.name]


def spec(llm: str | None, model: str) -> str | None:
    """The spec of the language model with this name, None for the extractive reader.

    Raises Fault: there is no model of this name.
    """
    if model == DEFAULT_MODEL:
        return None
    if llm is not None:
        parsed = registry.parse(llm)
        if model in listed(llm):
            return llm
        if parsed.name in _REMOTE and _NAME.fullmatch(model):
            return str(parsed._replace(params=tuple({**dict(parsed.params), "model": model}.items())))
    raise unknown(model)


def unknown(model: str) -> Fault:
    """The fault for an unknown model."""
    return Fault(404, "NotFoundError", f"there is no model {model[:64]!r} here", "model")


def openai(name: str) -> dict[str, Any]:
    """A model in OpenAI's format."""
    return {"id": name, "object": "model", "created": _BEGAN, "owned_by": DEFAULT_MODEL}


def anthropic(name: str) -> dict[str, Any]:
    """A model in Anthropic's format."""
    named = {"id": name, "type": "model", "display_name": name}
    return {**named, "created_at": "2026-01-01T00:00:00Z", "lifecycle": "active"}


def openai_list(names: list[str]) -> dict[str, Any]:
    """Models in OpenAI's format."""
    return {"object": "list", "data": [openai(name) for name in names]}


def anthropic_list(names: list[str]) -> dict[str, Any]:
    """Models in Anthropic's format, as one page."""
    data = [anthropic(name) for name in names]
    return {"data": data, "has_more": False, "first_id": names[0], "last_id": names[-1]}
