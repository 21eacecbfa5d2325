"""What every language model keeps to: the services over real HTTP, local models with real weights."""

from __future__ import annotations

import pytest

from citewell import registry
from citewell.errors import MissingExtraError
from citewell.protocols import LLM
from citewell.types import Attachment, Completion, Message, Request
from contracts.specs import every
from openai_server import KEY, serving

ASKED = Request((Message("system", "Be brief."), Message("user", "Revenue rose to 41 million?")), max_tokens=24)
SPECS = {
    "openai": "openai(model=tiny, base_url={openai})",
    "anthropic": "anthropic(model=tiny, base_url={anthropic})",
    "transformers": "transformers(model={zoo.llama})",
    "replay": 'replay(path={path}, llm=scripted(reply="It is so."))',
    "scripted": 'scripted(reply="It is so.")',
}
MORE = {
    "transformers of an encoder-decoder": "transformers(model={zoo.t5})",
    "transformers without a chat template": "transformers(model={zoo.gpt2})",
    "replay of a service": "replay(path={path}, llm=openai(model=tiny, base_url={openai}))",
}


@pytest.fixture(params=[*every("llm"), *MORE])
def llm(request, tmp_path, monkeypatch):
    assert request.param in SPECS or request.param in MORE, f"{request.param!r} has no entry in {__file__}"
    template = {**SPECS, **MORE}[request.param]
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, KEY)
    zoo = request.getfixturevalue("zoo") if "{zoo." in template else None
    with serving("openai", "It is so.") as openai, serving("anthropic", "It is so.") as anthropic:
        spec = template.format(zoo=zoo, openai=openai.url, anthropic=anthropic.url, path=tmp_path / "replies.jsonl")
        try:
            yield registry.build("llm", spec)
        except MissingExtraError as error:
            pytest.skip(str(error))


def test_it_is_a_model(llm):
    assert isinstance(llm, LLM)
    assert llm.name


def test_a_reply_is_whole(llm):
    made = llm.complete(ASKED)
    assert isinstance(made, Completion)
    assert made.text
    assert made.model
    assert made.finish in ("stop", "length", "refused")
    assert made.input_tokens > 0
    assert 0 < made.output_tokens <= 24
    assert made.cost is None or made.cost >= 0


def test_the_pieces_of_a_stream_are_the_reply(llm):
    pieces = []
    made = llm.complete(ASKED, pieces.append)
    assert "".join(pieces) == made.text
    assert all(pieces)
    assert len(pieces) > 1


def test_the_same_request_gets_the_same_text(llm):
    assert llm.complete(ASKED).text == llm.complete(ASKED).text


def test_documents_are_taken(llm):
    assert llm.complete(Request(ASKED.messages, 8, documents=(Attachment("Log", ("Ships sank.",)),))).text


def test_no_key_shows_in_what_it_prints(llm):
    assert KEY not in repr(llm)
