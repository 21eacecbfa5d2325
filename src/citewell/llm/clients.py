"""Clients of other libraries as language models: OpenAI's and Anthropic's, models of LangChain and LlamaIndex.

ask(document, question, llm=OpenAI())   # the model of OPENAI_MODEL, or the only one of a server
ask(document, question, llm=(Anthropic(), "claude-sonnet-4-5"))   # a client, and the name of its model
ask(document, question, llm=ChatOllama(model="llama3.2"))   # any chat model of LangChain, any LLM of LlamaIndex
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from citewell.errors import CitewellError, MissingExtraError, ReplyError, SpecError
from citewell.llm.function import Function
from citewell.llm.prompts import inlined
from citewell.protocols import LLM, Completion, Request

_MODELS = {"openai": "OPENAI_MODEL", "anthropic": "ANTHROPIC_MODEL"}
LIBRARIES = (*_MODELS, "langchain_core", "llama_index")


def model(value: Any) -> LLM:
    """A language model of what somebody has: a function, a client, or a client and the name of its model.

    Raises SpecError: it is none, or it does not say which model is meant; MissingExtraError: the package of a client is
    not installed with us.
    """
    client, name = value if isinstance(value, tuple) and len(value) == 2 else (value, None)
    library = _library(client)
    if library in _MODELS:
        return _official(client, library, name)
    if library == "langchain_core" and hasattr(client, "invoke"):
        return Chat(client, _langchain, _name(client))
    if library == "llama_index" and hasattr(client, "chat"):
        return Chat(client, _llama_index, _name(client))
    if callable(client) and name is None and not isinstance(client, type):
        return Function(client)
    raise SpecError(f"a {type(client).__name__} is no language model: give a spec, a function, or (client, model name)")


def _library(value: Any) -> str | None:
    """The library that a class of the value comes from."""
    if isinstance(value, type):
        return None
    homes = [home.__module__.split(".")[0] for home in type(value).__mro__]
    return next((home for home in homes if home in LIBRARIES), None)


def _name(client: Any) -> str:
    names = (getattr(client, field, None) for field in ("model_name", "model"))
    return next((str(name) for name in names if isinstance(name, str)), type(client).__name__)


def _official(client: Any, library: str, name: str | None) -> LLM:
    """Our own client of a service, which sends by the one that is given: key, address and transport are its own."""
    if library == "openai":
        from citewell.llm.openai import OpenAI as Ours
    else:
        from citewell.llm.anthropic import Anthropic as Ours  # type: ignore[assignment]
    name = name or os.environ.get(_MODELS[library]) or _only(client)
    if name is None:
        raise SpecError(
            f"an {type(client).__name__} client names no model: give (client, 'model name'), or set {_MODELS[library]}"
        )
    if type(client).__name__.startswith("Async"):
        module = __import__(library)
        plain = getattr(module, type(client).__name__.removeprefix("Async"))
        client = plain(api_key=client.api_key, base_url=client.base_url)
    client_made = Ours(model=name, base_url=str(client.base_url).rstrip("/"))
    client_made.use(client)
    return client_made


def _only(client: Any) -> str | None:
    """The only model of a server, as local ones have; None where there are several or it does not say."""
    try:
        names = [model.id for model in client.models.list()]
    except Exception:  # noqa: BLE001  (whatever the server says: then a name has to be given)
        return None
    return names[0] if len(names) == 1 else None


@dataclass(frozen=True)
class Chat:
    """A chat model of a framework.

    Attributes:
        client: the framework's object.
        send: asks it: from role and text of each message to the text, and tokens read and written where it tells them.
        name: the model's.
    """

    client: Any
    send: Callable[[Any, list[tuple[str, str]]], tuple[Any, int | None, int | None]]
    name: str

    def complete(self, request: Request, on_text: Callable[[str], None] | None = None) -> Completion:
        """The reply, all of it at once. Raises ReplyError: the model failed, or returned no text."""
        turns = [(message.role, message.content) for message in inlined(request)]
        try:
            text, read, written = self.send(self.client, turns)
        except (CitewellError, MissingExtraError):
            raise
        except Exception as error:
            raise ReplyError(f"the model {self.name} failed: {type(error).__name__}: {error}") from error
        if not isinstance(text, str):
            raise ReplyError(f"the model {self.name} returns a {type(text).__name__}, not a text")
        if on_text:
            on_text(text)
        return Completion(text, self.name, input_tokens=read, output_tokens=written)


def _langchain(client: Any, turns: list[tuple[str, str]]) -> tuple[Any, int | None, int | None]:
    reply = client.invoke(turns)
    if isinstance(reply, str):
        return reply, None, None
    used = getattr(reply, "usage_metadata", None) or {}
    content = reply.content
    if isinstance(content, list):
        content = "".join(part if isinstance(part, str) else part.get("text", "") for part in content)
    return content, used.get("input_tokens"), used.get("output_tokens")


def _llama_index(client: Any, turns: list[tuple[str, str]]) -> tuple[Any, int | None, int | None]:
    from llama_index.core.llms import ChatMessage

    reply = client.chat([ChatMessage(role=role, content=content) for role, content in turns])
    return reply.message.content, None, None
