"""The table of docs/surfaces.md over real HTTP with the official clients: what each label looks like to a reader."""

import base64

import pytest

import openai_server

openai = pytest.importorskip("openai")
anthropic = pytest.importorskip("anthropic")
pytestmark = pytest.mark.slow

TEXT = "Revenue rose to $5.9bn in 2022. Two ferries were sold in March. The harbour froze in January 2021."
TRUE, QUOTED = "Revenue was $5.9bn in 2022 [1].", "The harbour froze in January 2021 [3]."
FALSE = "Revenue rose to $6.5bn in 2022 [1]."
INVENTED = "The captain of the airship resigned yesterday [2]."
PARTLY = "Two ferries were sold in March to a Norwegian shipyard [2]."
FOREIGN = "フェリーは昨年に三隻売られました。"
FILLER = "Hello!"
DECLINED = "The document does not say who the captain is."


def ask_service(client, way, policy, *, stream=False):
    """The text that a reader sees, the words that carry a citation, and our own field."""
    more = {"extra_body": {"citewell": {"on_unsupported": policy}}, "model": "m"}
    question = "Tell me about revenue and the harbour."
    data = "data:text/plain;base64," + base64.b64encode(TEXT.encode()).decode()
    if way == "chat":
        parts = [{"type": "file", "file": {"filename": "a.txt", "file_data": data}}, {"type": "text", "text": question}]
        messages = [{"role": "user", "content": parts}]
        if stream:
            with client.chat.completions.stream(messages=messages, **more) as events:
                events.until_done()
                reply = events.get_final_completion()
            message = reply.choices[0].message
            notes = [
                annotation["url_citation"] if isinstance(annotation, dict) else annotation.url_citation
                for annotation in message.annotations or ()
            ]
            spans = [
                (annotation["start_index"], annotation["end_index"])
                if isinstance(annotation, dict)
                else (annotation.start_index, annotation.end_index)
                for annotation in notes
            ]
            return message.content, [message.content[start:end] for start, end in spans], None
        reply = client.chat.completions.create(messages=messages, **more)
        message = reply.choices[0].message
        spans = [
            (annotation.url_citation.start_index, annotation.url_citation.end_index)
            for annotation in message.annotations
        ]
        return message.content, [message.content[start:end] for start, end in spans], reply.citewell
    if way == "responses":
        parts = [
            {"type": "input_file", "filename": "a.txt", "file_data": data},
            {"type": "input_text", "text": question},
        ]
        reply = client.responses.create(input=[{"role": "user", "content": parts}], **more)
        part = reply.output[0].content[0]
        return (
            part.text,
            [part.text[annotation.start_index : annotation.end_index] for annotation in part.annotations],
            reply.citewell,
        )
    source = {"type": "text", "media_type": "text/plain", "data": TEXT}
    parts = [{"type": "document", "source": source, "citations": {"enabled": True}}, {"type": "text", "text": question}]
    reply = client.messages.create(max_tokens=500, messages=[{"role": "user", "content": parts}], **more)
    text = "".join(block.text for block in reply.content)
    return text, [block.text.strip() for block in reply.content if block.citations], reply.citewell


@pytest.fixture
def replying(online, monkeypatch):
    """Clients of a service whose model writes what the test says."""
    monkeypatch.setenv("OPENAI_API_KEY", openai_server.KEY)
    with openai_server.serving("openai") as server:
        address = online(llm=f"openai(model=m, base_url={server.url})")
        with (
            openai.OpenAI(base_url=f"{address}/v1", api_key="0123456789abcdef", max_retries=0) as result,
            anthropic.Anthropic(base_url=address, api_key="0123456789abcdef", max_retries=0) as other,
        ):

            def work(reply, way, policy="mark", **how):
                replies = reply if isinstance(reply, list) else [reply]
                server.replies = [openai_server.Reply(text) for text in replies]
                return ask_service(other if way == "messages" else result, way, policy, **how)

            yield work


def test_the_table_holds_for_every_protocol(replying):
    reply = f"{FILLER} {TRUE} {FALSE} {INVENTED} {PARTLY} {QUOTED} {FOREIGN}"
    for way in ("chat", "responses", "messages"):
        text, cited, ours = replying(reply, way)
        labels = {statement["text"]: statement["label"] for statement in ours["statements"]}
        good = [words for words, label in labels.items() if label in ("supported", "quoted")]
        assert good
        assert labels["Revenue rose to $6.5bn in 2022."] == "contradicted"
        assert labels["The captain of the airship resigned yesterday."] == "not_supported"
        assert labels["Two ferries were sold in March to a Norwegian shipyard."] == "partially_supported"
        assert labels[FILLER] == "no_claim"
        assert labels[FOREIGN] == "unverified"
        assert f"{FOREIGN} (? not verified: " in text
        assert "Norwegian shipyard. (◐ partially supported" in text
        assert f"{FILLER} (" not in text
        assert all(any(words in whole for whole in good) for words in cited), (way, cited)
        assert "Revenue rose to $6.5bn in 2022. (⊗ contradicted: " in text
        assert "The captain of the airship resigned yesterday. (✗ not supported" in text
        assert "[1]" not in text
        refuted = next(statement for statement in ours["statements"] if statement["label"] == "contradicted")
        assert ours["citations"][refuted["citations"][0]]["quote"] == "Revenue rose to $5.9bn in 2022."


def test_what_is_not_supported_is_dropped_or_refused_and_said(replying):
    for way in ("chat", "responses", "messages"):
        text, cited, ours = replying(f"{TRUE} {FALSE}", way, "drop")
        assert "6.5" not in text
        assert text.endswith("(1 statement that the documents do not support was removed.)")
        assert cited
        assert ours["removed"][0]["label"] == "contradicted"
        text, cited, ours = replying(f"{TRUE} {FALSE}", way, "refuse")
        assert not cited
        assert ours["abstention"]["reason"] == "unsupported"
        assert "not supported by the documents" in text


def test_a_stream_sends_the_same_as_the_whole(replying):
    long = f"{TRUE} {FALSE} {INVENTED} {QUOTED}"
    for policy in ("mark", "drop"):
        whole = replying(long, "chat", policy)
        assert replying(long, "chat", policy, stream=True)[:2] == whole[:2]


def test_the_model_mends_what_is_wrong_once(replying):
    text, cited, ours = replying([FALSE, TRUE], "chat", "rewrite")
    assert text == "Revenue was $5.9bn in 2022."
    assert cited
    assert (ours["usage"]["input_tokens"], ours["usage"]["output_tokens"]) == (22, 14)  # both replies
    text, cited, ours = replying([FALSE, INVENTED], "chat", "rewrite")
    assert not cited
    assert "(⊗ contradicted" in text


def test_a_stream_of_what_the_model_mended_sends_the_mended_text_alone(replying):
    text, cited, _ = replying([FALSE, TRUE], "chat", "rewrite", stream=True)
    assert text == "Revenue was $5.9bn in 2022."
    assert cited


def test_an_abstention_carries_nothing(replying):
    for way in ("chat", "responses", "messages"):
        _, cited, ours = replying(DECLINED, way)
        assert (cited, ours["abstained"]) == ([], True)
