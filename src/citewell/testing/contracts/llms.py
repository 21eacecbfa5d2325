"""The contract of language model clients: whole replies, streams that add up, no key in any output."""

from __future__ import annotations

from citewell.protocols import LLM, Attachment, Completion, Message, Request
from citewell.testing.contracts.scenarios import expect

REQUEST = Request((Message("system", "Be brief."), Message("user", "Revenue rose to 41 million?")), max_tokens=24)


def it_has_the_verb_and_a_name(llm: LLM) -> None:
    """It has `complete` and a name."""
    expect(isinstance(llm, LLM), "a model has `complete`")
    expect(getattr(llm, "name", ""), "a model has a name")


def a_reply_is_whole(llm: LLM) -> None:
    """Text, the model's name, how it ended, and figures that can be true."""
    reply = llm.complete(REQUEST)
    expect(isinstance(reply, Completion), "a reply is a Completion")
    expect(reply.text and reply.model, "it has a text and names its model")
    expect(reply.finish in ("stop", "length", "refused"), f"it ends by stop, length or refused, not {reply.finish!r}")
    expect(reply.input_tokens is None or reply.input_tokens > 0, "the request has tokens")
    expect(
        reply.output_tokens is None or 0 < reply.output_tokens <= REQUEST.max_tokens, "the reply keeps to max_tokens"
    )
    expect(reply.cost is None or reply.cost >= 0, "a cost is not negative")


def the_pieces_of_a_stream_are_the_reply(llm: LLM) -> None:
    """Each piece is new text; together they are the reply."""
    pieces: list[str] = []
    reply = llm.complete(REQUEST, pieces.append)
    expect("".join(pieces) == reply.text, "the pieces add up to the reply")
    expect(pieces and all(pieces), "no piece is empty")


def the_same_request_gets_the_same_text(llm: LLM) -> None:
    """Requests are greedy unless they say otherwise."""
    first, second = (llm.complete(REQUEST).text for _ in range(2))
    expect(first == second, "two calls agree")


def documents_are_taken(llm: LLM) -> None:
    """A request may bring documents, whether the model cites them itself or not."""
    attached = Request(REQUEST.messages, 8, documents=(Attachment("Log", ("Ships sank.", "東京 😀")),))
    expect(llm.complete(attached).text, "there is a reply")


SCENARIOS = (
    it_has_the_verb_and_a_name,
    a_reply_is_whole,
    the_pieces_of_a_stream_are_the_reply,
    the_same_request_gets_the_same_text,
    documents_are_taken,
)
