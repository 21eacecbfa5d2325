"""Converts a conversation to a model's input text, by its chat template if it has one, otherwise as plain text.

Generation and fine-tuning both render by this module, so that a model is asked what it was trained on. What stands in
a message is text: control tokens in it (a document may hold some) become text of the same length.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from citewell.models.loading import Kind
from citewell.protocols import Message
from citewell.text import untrusted

_BREAK = "\n\n"


class Rendered(NamedTuple):
    """A prompt, and whether the tokenizer still has to add its special tokens."""

    text: str
    special: bool


def rendered(tokenizer: Any, kind: Kind, messages: Sequence[Message]) -> Rendered:
    """The prompt that asks for the next reply.

    Args:
        tokenizer: the model's.
        kind: `causal` or `seq2seq`; encoder-decoders never get a chat template.
        messages: system, user and assistant turns.
    """
    if kind == "causal" and getattr(tokenizer, "chat_template", None):
        return Rendered(_template(tokenizer, messages, asking=True), special=False)
    text = _BREAK.join(_neutral(tokenizer, message.content) for message in messages)
    return Rendered(text + _BREAK if kind == "causal" else text, special=True)


def ending(tokenizer: Any, kind: Kind, messages: Sequence[Message], reply: str) -> str:
    """What the model writes after its reply: the template's end of a turn, or the tokenizer's end of a text."""
    end = str(tokenizer.eos_token or "")
    if kind != "causal" or not getattr(tokenizer, "chat_template", None):
        return end
    prompt = _template(tokenizer, messages, asking=True)
    whole = _template(tokenizer, [*messages, Message("assistant", reply)], asking=False)
    reply = _neutral(tokenizer, reply)
    if whole.startswith(prompt + reply):
        return whole[len(prompt) + len(reply) :].rstrip() or end
    return end  # the template rewrites replies, or shows them otherwise than it asks for them


def _neutral(tokenizer: Any, content: str) -> str:
    """Content in which nothing is read as a control token: only the template opens and ends turns."""
    return untrusted.neutral(content, getattr(tokenizer, "all_special_tokens", ()))


def _template(tokenizer: Any, messages: Sequence[Message], *, asking: bool) -> str:
    from jinja2.exceptions import TemplateError

    def render(turns: Sequence[Message]) -> str:
        plain = [message._asdict() | {"content": _neutral(tokenizer, message.content)} for message in turns]
        text: str = tokenizer.apply_chat_template(plain, tokenize=False, add_generation_prompt=asking)
        return text

    try:
        return render(messages)
    except TemplateError:
        # Some templates know no system turn: its text goes before the user's.
        if len(messages) < 2 or messages[0].role != "system":
            raise
        first, second, *rest = messages
        return render([second._replace(content=first.content + _BREAK + second.content), *rest])
