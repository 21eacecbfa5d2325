"""A client whose address is changed keeps its chat: system prompt, history, sampling, unknown models, usage."""

import base64

import pytest

import openai_server

openai = pytest.importorskip("openai")
anthropic = pytest.importorskip("anthropic")
pytestmark = pytest.mark.slow

TEXT = "Revenue rose to $5.9bn in 2022. Revenue was $4.1bn in 2021."
REPLY = "Revenue was $4.1bn in 2021 [1]."
SYSTEM = "Answer like a pirate."
TURNS = [
    {"role": "user", "content": "What was revenue in 2022?"},
    {"role": "assistant", "content": "It was $5.9bn [1]."},
    {"role": "user", "content": "And the year before?"},
]
DATA = "data:text/plain;base64," + base64.b64encode(TEXT.encode()).decode()
FILE = {"type": "file", "file": {"filename": "a.txt", "file_data": DATA}}


@pytest.fixture
def service(online, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", openai_server.KEY)
    with openai_server.serving("openai", REPLY) as server:
        address = online(llm=f"openai(model=m, base_url={server.url})")
        key = "0123456789abcdef"
        with (
            openai.OpenAI(base_url=f"{address}/v1", api_key=key, max_retries=0) as client,
            anthropic.Anthropic(base_url=address, api_key=key, max_retries=0) as other,
        ):
            yield client, other, server


def read_by_the_model(server):
    """The messages of the last request: those before the document, and the last one."""
    body = server.requests[-1][2]
    return body["messages"], body


def test_system_prompt_and_history_reach_the_model(service):
    client, other, server = service
    first = {"role": "user", "content": [FILE, {"type": "text", "text": TURNS[0]["content"]}]}
    tool = {"role": "tool", "tool_call_id": "t", "content": "The tool says hello."}
    client.chat.completions.create(
        model="m", messages=[{"role": "system", "content": SYSTEM}, first, TURNS[1], tool, TURNS[2]],
        temperature=0.7, stop=["END"],
    )  # fmt: skip
    messages, body = read_by_the_model(server)
    assert (messages[0], body["temperature"], body["stop"]) == ({"role": "system", "content": SYSTEM}, 0.7, ["END"])
    contents = [message["content"] for message in messages]
    assert any("It was $5.9bn." in text for text in contents)
    assert "The tool says hello." in "\n".join(contents)
    assert contents[-1].endswith("Question: And the year before?")
    assert TEXT.split(". ")[1] in contents[-1]

    document = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": TEXT}}
    other.messages.create(
        model="m", max_tokens=99, system=SYSTEM, stop_sequences=["END"],
        messages=[{"role": "user", "content": [document, {"type": "text", "text": "What was revenue in 2022?"}]}, *TURNS[1:]],
    )  # fmt: skip
    messages, body = read_by_the_model(server)
    assert (messages[0]["content"], body["stop"]) == (SYSTEM, ["END"])
    assert messages[-1]["content"].endswith("Question: And the year before?")

    part = {"type": "input_file", "filename": "a.txt", "file_data": DATA}
    replies = [
        {"role": "user", "content": [part, {"type": "input_text", "text": "What was revenue in 2022?"}]},
        *TURNS[1:],
    ]
    client.responses.create(model="m", instructions=SYSTEM, input=replies)
    messages, _ = read_by_the_model(server)
    assert messages[0]["content"] == SYSTEM
    assert any("It was $5.9bn." in message["content"] for message in messages)


def test_what_is_not_done_is_refused_in_a_sentence(service):
    client, _, _ = service
    messages = [{"role": "user", "content": [FILE, {"type": "text", "text": "What was revenue in 2022?"}]}]
    with pytest.raises(openai.BadRequestError, match="n is 1 here"):
        client.chat.completions.create(model="m", messages=messages, n=2)
    with pytest.raises(openai.BadRequestError, match="replies are plain text here"):
        client.chat.completions.create(model="m", messages=messages, response_format={"type": "json_object"})
    assert client.chat.completions.create(model="m", messages=messages, n=1, response_format={"type": "text"}).choices


def test_options_of_sampling_reach_the_model_by_their_names(service):
    client, other, server = service
    messages = [{"role": "user", "content": [FILE, {"type": "text", "text": "What was revenue in 2022?"}]}]
    client.chat.completions.create(
        model="m", messages=messages, top_p=0.5, seed=7, presence_penalty=0.1, user="u", tools=[], logprobs=False
    )
    body = server.requests[-1][2]
    assert (body["top_p"], body["seed"], body["presence_penalty"]) == (0.5, 7, 0.1)
    assert not {"user", "tools", "logprobs"} & body.keys()
    part = [
        {"type": "input_file", "filename": "a.txt", "file_data": DATA},
        {"type": "input_text", "text": "What was revenue in 2022?"},
    ]
    client.responses.create(
        model="m",
        input=[{"role": "user", "content": part}],
        top_p=0.25,
        reasoning={"effort": "low"},
        metadata={"a": "b"},
    )
    body = server.requests[-1][2]
    assert (body["top_p"], body["reasoning_effort"]) == (0.25, "low")
    document = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": TEXT}}
    parts = [document, {"type": "text", "text": "What was revenue in 2022?"}]
    more = {"model": "m", "max_tokens": 99, "messages": [{"role": "user", "content": parts}]}
    other.messages.create(**more, extra_body={"top_p": 0.75}, thinking={"type": "disabled"})
    assert server.requests[-1][2]["top_p"] == 0.75
    with pytest.raises(anthropic.BadRequestError, match="takes no top_k"):
        other.messages.create(**more, extra_body={"top_k": 5})  # the service behind is of the other protocol


TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ({"tools": [TOOL]}, "tools are not called here"),
        ({"tool_choice": "required"}, "tools are not called here"),
        ({"functions": [TOOL["function"]]}, "tools are not called here"),
        ({"logprobs": True}, "probabilities of tokens are not in a reply"),
        ({"logit_bias": {"5": 1}}, "'logit_bias' is no option of this service"),
        ({"web_search_options": {"user_location": None}}, "'web_search_options' is no option"),
        ({"modalities": ["audio"]}, "'modalities' is no option"),
        ({"tempratur": 1}, "'tempratur' is no option"),
    ],
)
def test_no_option_is_ignored(service, option, says):
    client, _, server = service
    messages = [{"role": "user", "content": [FILE, {"type": "text", "text": "What was revenue in 2022?"}]}]
    with pytest.raises(openai.BadRequestError, match=says):
        client.chat.completions.create(model="m", messages=messages, extra_body=option)
    with pytest.raises(openai.BadRequestError, match=says):  # and where no language model answers
        client.chat.completions.create(model="citewell", messages=messages, extra_body=option)
    assert not server.requests


def test_a_model_that_nobody_has_is_a_404_of_the_protocol(service):
    client, other, server = service
    server.replies = [openai_server.error(404, "The model `x` does not exist", code="model_not_found")]
    messages = [{"role": "user", "content": [FILE, {"type": "text", "text": "What was revenue in 2022?"}]}]
    with pytest.raises(openai.NotFoundError) as caught:
        client.chat.completions.create(model="x", messages=messages)
    assert (caught.value.code, caught.value.param) == ("model_not_found", "model")
    document = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": TEXT}}
    with pytest.raises(anthropic.NotFoundError):
        other.messages.create(
            model="x",
            max_tokens=9,
            messages=[{"role": "user", "content": [document, {"type": "text", "text": "Why?"}]}],
        )


def test_without_a_model_the_last_question_is_answered(service):
    client, _, _ = service
    first = {"role": "user", "content": [FILE, {"type": "text", "text": "Hello."}]}
    reply = client.chat.completions.create(
        model="citewell", messages=[{"role": "system", "content": SYSTEM}, first, TURNS[0]]
    )
    assert "5.9bn" in reply.choices[0].message.content
