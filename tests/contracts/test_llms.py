"""What every language model keeps to: the services over real HTTP, local models with real weights."""

from __future__ import annotations

import pytest

from citewell import registry
from citewell.errors import MissingExtraError
from citewell.testing import contracts
from citewell.testing.contracts.llms import REQUEST
from contracts.specs import costs, every
from openai_server import KEY, serving

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


@pytest.fixture(
    params=[pytest.param(name, marks=costs({**SPECS, **MORE}.get(name))) for name in [*every("llm"), *MORE]]
)
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


@pytest.mark.parametrize("scenario", contracts.scenarios("llm"), ids=contracts.name)
def test_it_keeps_to_the_contract(llm, scenario):
    scenario(llm)


def test_our_clients_count_tokens_and_stream_in_pieces(llm):
    pieces = []
    reply = llm.complete(REQUEST, pieces.append)
    assert len(pieces) > 1
    assert reply.input_tokens > 0
    assert 0 < reply.output_tokens <= REQUEST.max_tokens


def test_no_key_shows_in_what_it_prints(llm):
    assert KEY not in repr(llm)
