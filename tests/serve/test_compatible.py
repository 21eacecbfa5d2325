"""The endpoints of OpenAI's and Anthropic's shapes, asked by their own clients, which hold every reply to its types."""

import base64
import threading
from contextlib import contextmanager
from urllib.parse import parse_qs, urlsplit

import pytest

import openai_server
from citewell.serve import replies
from citewell.serve.compatible import messages
from citewell.serve.compatible.parts import Source
from citewell.serve.faults import inside
from citewell.types import Answer, Citation, Rect

openai = pytest.importorskip("openai")
anthropic = pytest.importorskip("anthropic")

# Characters outside of the basic plane stand before what is cited, so that other units than code points would show.
TEXT = "🚢🌊 The harbour froze in January 2021. Revenue rose to $5.9bn in 2022 😀.\n\nTwo ferries were sold."
QUESTION = "What was revenue in 2022?"
TOKEN = "0123456789abcdef"  # noqa: S105
pytestmark = pytest.mark.slow


def encoded(text=TEXT):
    return base64.b64encode(text.encode()).decode()


def chat_file(data=None, **more):
    return {"type": "file", "file": {"filename": "harbour.txt", "file_data": data or encoded(), **more}}


def turns(*parts, question=QUESTION):
    return [{"role": "user", "content": [*parts, {"type": "text", "text": question}]}]


def inputs(*parts, question=QUESTION):
    return [{"role": "user", "content": [*parts, {"type": "input_text", "text": question}]}]


def document(source=None, **more):
    source = source or {"type": "text", "media_type": "text/plain", "data": TEXT}
    return {"type": "document", "source": source, "citations": {"enabled": True}, **more}


@contextmanager
def clients(address, key=TOKEN, **more):
    settings = {"api_key": key, "_strict_response_validation": True, **more}
    with (
        openai.OpenAI(base_url=f"{address}/v1", **settings) as result,
        anthropic.Anthropic(base_url=address, **settings) as other,
    ):
        yield result, other


@pytest.fixture
def both(online):
    with clients(online()) as result:
        yield result


def test_a_chat_is_answered_with_its_evidence_in_annotations(both):
    reply = both[0].chat.completions.create(model="citewell", messages=turns(chat_file()))
    message = reply.choices[0].message
    answer = Answer.from_dict(reply.citewell)
    assert (message.content, message.refusal, reply.choices[0].finish_reason) == (answer.text, None, "stop")
    note = message.annotations[0].url_citation
    assert message.content[note.start_index : note.end_index] == answer.statements[0].text
    place = {name: values[0] for name, values in parse_qs(urlsplit(note.url).fragment).items()}
    cited = answer.citations[0]
    assert place == {"document": cited.document_id, "start": str(cited.start), "end": str(cited.end)}
    assert cited.quote == TEXT[cited.start : cited.end] == "Revenue rose to $5.9bn in 2022 😀."
    assert reply.usage.total_tokens == 0  # no language model was asked


def test_a_file_comes_as_a_data_url_bare_or_by_the_id_of_one_that_is_kept(both):
    client, _ = both
    for arguments in ("data:text/plain;base64," + encoded(), encoded(), "data:;base64," + encoded()):
        reply = client.chat.completions.create(model="citewell", messages=turns(chat_file(arguments)))
        name = reply.citewell["documents"][0]["id"]
    by_name = turns({"type": "file", "file": {"file_id": name}})
    assert "5.9bn" in client.chat.completions.create(model="citewell", messages=by_name).choices[0].message.content
    part = {"type": "input_file", "file_id": name}
    assert "5.9bn" in client.responses.create(model="citewell", input=inputs(part)).output_text


def test_files_of_either_client_are_our_documents(both):
    result, other = both
    ours = result.files.create(file=("harbour.txt", TEXT.encode()), purpose="user_data")
    theirs = other.files.upload(file=("canal.txt", b"The canal froze in 1996.", "text/plain"))
    assert (ours.filename, ours.bytes, ours.status) == ("harbour.txt", len(TEXT.encode()), "processed")
    assert (theirs.filename, theirs.mime_type, theirs.size_bytes) == ("canal.txt", "text/plain", 24)
    assert [file.id for file in result.files.list()] == [file.id for file in other.files.list()] == [ours.id, theirs.id]
    assert result.files.retrieve(theirs.id).filename == "canal.txt"
    outcome = turns(document({"type": "file", "file_id": theirs.id}), question="When did the canal freeze?")
    place = other.messages.create(model="citewell", max_tokens=9, messages=outcome).content[0].citations[0]
    assert (place.type, place.file_id, place.cited_text) == ("char_location", theirs.id, "The canal froze in 1996.")
    assert result.files.content(ours.id).read() == TEXT.encode()
    assert other.files.download(theirs.id).read() == b"The canal froze in 1996."
    assert result.files.delete(ours.id).deleted
    assert other.files.delete(theirs.id).type == "file_deleted"
    with pytest.raises(openai.NotFoundError):
        result.files.retrieve(ours.id)


def test_a_chat_that_is_streamed_ends_as_the_whole_one(both):
    client, _ = both
    settings = {"model": "citewell", "messages": turns(chat_file())}
    whole = client.chat.completions.create(**settings).choices[0].message
    chunks = list(client.chat.completions.create(**settings, stream=True, stream_options={"include_usage": True}))
    assert chunks[0].choices[0].delta.role == "assistant"
    assert [chunk.choices[0].finish_reason for chunk in chunks[:-1]][-2:] == [None, "stop"]
    assert sum(hasattr(chunk.choices[0].delta, "annotations") for chunk in chunks[:-1]) == 1
    assert (chunks[-1].choices, chunks[-1].usage.total_tokens) == ([], 0)
    assert chunks[-2].citewell["text"] == whole.content
    with client.chat.completions.stream(**settings) as stream:
        stream.until_done()
        final = stream.get_final_completion().choices[0].message
    assert (final.content, final.annotations) == (whole.content, whole.annotations)


def test_a_response_has_flat_annotations_and_its_stream_the_documented_order(both):
    client, _ = both
    part = {"type": "input_file", "filename": "harbour.txt", "file_data": encoded()}
    whole = client.responses.create(model="citewell", input=inputs(part))
    text = whole.output[0].content[0]
    note = text.annotations[0]
    assert (note.type, text.text[note.start_index : note.end_index]) == ("url_citation", whole.output_text)
    assert (whole.status, whole.usage.total_tokens, whole.citewell["text"]) == ("completed", 0, whole.output_text)
    with client.responses.stream(model="citewell", input=inputs(part)) as stream:
        events = list(stream)
        final = stream.get_final_response()
    assert [event.sequence_number for event in events] == list(range(len(events)))
    names = [event.type.removeprefix("response.") for event in events]
    assert [name for n, name in enumerate(names) if names.index(name) == n] == [
        "created", "in_progress", "output_item.added", "content_part.added", "output_text.delta",
        "output_text.annotation.added", "output_text.done", "content_part.done", "output_item.done", "completed",
    ]  # fmt: skip
    assert (final.output_text, final.output[0].content[0].annotations) == (whole.output_text, text.annotations)
    assert client.responses.create(model="citewell", input=QUESTION).output_text == whole.output_text  # it is kept


def test_a_text_is_cited_by_its_characters(both):
    _, client = both
    settings = {"model": "citewell", "max_tokens": 100, "messages": turns(document(title="Harbour"))}
    reply = client.messages.create(**settings)
    block = reply.content[0]
    place = block.citations[0]
    assert (place.type, place.document_index, place.document_title) == ("char_location", 0, "Harbour")
    assert TEXT[place.start_char_index : place.end_char_index] == place.cited_text == block.text
    assert (reply.stop_reason, reply.citewell["text"]) == ("end_turn", block.text)
    with client.messages.stream(**settings) as stream:
        names = [event.type for event in stream]
        final = stream.get_final_message()
    assert names[:2] == ["message_start", "content_block_start"]
    assert names[-2:] == ["message_delta", "message_stop"]
    assert [part.model_dump(exclude={"parsed_output"}) for part in final.content] == [block.model_dump()]


def test_blocks_and_search_results_are_cited_whole_and_counted_apart(both):
    _, client = both
    blocks = [
        {"type": "text", "text": text}
        for text in ("🚢 It froze in 2021.", "Revenue rose to $5.9bn in 2022.", "Two ferries.")
    ]
    result = {"type": "search_result", "source": "shelf 3", "title": "Sales", "content": [
        {"type": "text", "text": "Costs were known."}, {"type": "text", "text": "Profit was $1.1bn in 2022."}],
        "citations": {"enabled": True}}  # fmt: skip
    outcome = document({"type": "content", "content": blocks})
    other = document({"type": "text", "media_type": "text/plain", "data": "Ships are painted white."})
    settings = {"model": "citewell", "max_tokens": 100}
    place = client.messages.create(**settings, messages=turns(other, result, outcome)).content[0].citations[0]
    assert (place.type, place.document_index, place.cited_text) == ("content_block_location", 1, blocks[1]["text"])
    assert (place.start_block_index, place.end_block_index) == (1, 2)
    question = turns(other, outcome, result, question="What was profit in 2022?")
    place = client.messages.create(**settings, messages=question).content[0].citations[0]
    assert (place.type, place.search_result_index, place.source, place.title) == (
        "search_result_location",
        0,
        "shelf 3",
        "Sales",
    )
    assert (place.start_block_index, place.end_block_index, place.cited_text) == (1, 2, "Profit was $1.1bn in 2022.")


def test_pages_count_from_1_and_end_behind_the_last_one():
    rects = (Rect(3, 0, 700, 100, 710), Rect(4, 0, 10, 100, 20))
    cited = Citation("d", "p1.1", "sentence", "over two pages", 5, 19, 0, 4, page=3, rects=rects)
    place = messages._located(cited, {})
    assert (place["type"], place["start_page_number"], place["end_page_number"]) == ("page_location", 3, 5)


def test_evidence_over_two_blocks_names_both():
    source = Source("blocks", texts=("abc", "", "defg"))  # abc, two characters, nothing, two characters, defg
    cited = [Citation("d", "p1", "window", "", start, end, 0, 1) for start, end in ((0, 3), (1, 9), (7, 11), (2, 8))]
    spans = [
        (place["start_block_index"], place["end_block_index"])
        for place in (messages._blocks(source, result) for result in cited)
    ]
    assert spans == [(0, 1), (0, 3), (2, 3), (0, 3)]
    assert messages._blocks(source, cited[1])["cited_text"] == "abcdefg"


def test_what_cannot_be_answered_is_said_where_each_client_looks(both):
    result, other = both
    text = "Who is the king of France?"
    message = result.chat.completions.create(model="citewell", messages=turns(chat_file(), question=text))
    outcome = message.choices[0].message
    assert message.citewell["abstained"]
    assert outcome.content == outcome.refusal != ""
    with result.chat.completions.stream(model="citewell", messages=turns(chat_file(), question=text)) as stream:
        stream.until_done()
        final = stream.get_final_completion().choices[0].message
    assert (final.content, final.refusal) == (outcome.content, outcome.content)
    part = {"type": "input_file", "filename": "harbour.txt", "file_data": encoded()}
    with result.responses.stream(model="citewell", input=inputs(part, question=text)) as stream:
        stream.until_done()
        response = stream.get_final_response()
    assert [part.type for part in response.output[0].content] == ["output_text", "refusal"]
    assert response.output_text == outcome.content
    reply = other.messages.create(model="citewell", max_tokens=9, messages=turns(document(), question=text))
    assert (reply.content[0].text, reply.content[0].citations, reply.stop_reason) == (outcome.content, None, "end_turn")


def test_documents_of_earlier_turns_count_and_the_last_words_of_the_user_are_the_question(both):
    later = [{"role": "assistant", "content": "It rose."}, {"role": "user", "content": "When did the harbour freeze?"}]
    reply = both[0].chat.completions.create(model="citewell", messages=[*turns(chat_file()), *later])
    assert reply.citewell["question"] == "When did the harbour freeze?"
    assert "January 2021" in reply.choices[0].message.content


def test_links_are_written_into_the_text_where_they_are_wanted(both):
    settings = {"model": "citewell", "messages": turns(chat_file()), "extra_body": {"citewell": {"marks": True}}}
    message = both[0].chat.completions.create(**settings).choices[0].message
    notes = [annotation.url_citation for annotation in message.annotations]
    links = "".join(f" [{number}]({note.url})" for number, note in enumerate(notes, start=1))
    assert message.content == message.content[: notes[0].end_index] + links


def test_what_is_not_to_be_kept_is_not_and_no_link_leads_to_it(both):
    settings = {"model": "citewell", "messages": turns(chat_file()), "store": False}
    note = both[0].chat.completions.create(**settings).choices[0].message.annotations[0].url_citation
    assert note.url.startswith("citewell:")
    with pytest.raises(openai.BadRequestError, match="the library has no document"):
        both[0].chat.completions.create(model="citewell", messages=turns())


@pytest.mark.parametrize("spoken", ["openai", "anthropic"])
def test_what_no_request_may_do_is_told_in_the_shape_of_its_protocol(online, spoken):
    refused = {
        "it fetches": (chat_file("https://example.com/a.pdf"), document({"type": "url", "url": "http://10.0.0.1/"})),
        "not in base64": (chat_file("%%%"), document({"type": "base64", "media_type": "application/pdf", "data": "%"})),
        "not read here": ({"type": "input_audio", "input_audio": {}}, {"type": "container_upload", "file_id": "x"}),
        "it fetches a picture": ({"type": "image_url", "image_url": {"url": "http://x"}},
                                 {"type": "image", "source": {"type": "url", "url": "http://x"}}),
        "no such document": ({"type": "file", "file": {"file_id": "none"}}, document({"type": "file", "file_id": "none"})),
    }  # fmt: skip
    with clients(online()) as (result, other):
        for what, (ours, theirs) in refused.items():
            if spoken == "openai":
                with pytest.raises(openai.APIStatusError) as caught:
                    result.chat.completions.create(model="citewell", messages=turns(ours))
                assert set(caught.value.body) == {"message", "type", "param", "code"}
                kind = caught.value.body["type"]
            else:
                with pytest.raises(anthropic.APIStatusError) as caught:
                    other.messages.create(model="citewell", max_tokens=9, messages=turns(theirs))
                assert caught.value.body["request_id"] == caught.value.response.headers["request-id"]
                kind = caught.value.body["error"]["type"]
            wanted = (404, "not_found_error") if what == "no such document" else (400, "invalid_request_error")
            assert (caught.value.status_code, kind) == wanted


def test_a_token_is_taken_as_either_client_sends_it(online, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text(f"{TOKEN} scopes=read\n", encoding="utf-8")
    address = online(token_file=tokens)
    with clients(address) as (result, other):
        assert result.models.list().data[0].id == other.models.list().data[0].id == "citewell"
        note = (
            result.chat.completions.create(model="citewell", messages=turns(chat_file()))
            .choices[0]
            .message.annotations[0]
        )
        assert note.url_citation.url.startswith("citewell:")  # who may not write keeps nothing
        older = {"x-api-key": TOKEN, "anthropic-version": "2023-06-01"}
        assert other._client.get(f"{address}/v1/models", headers=older).json()["data"][0]["type"] == "model"
    with clients(address, "wrong" * 4) as (result, other):
        with pytest.raises(openai.AuthenticationError, match="this service wants a token"):
            result.models.list()
        with pytest.raises(anthropic.AuthenticationError, match="this service wants a token"):
            other.models.list()


def test_models_are_ours_and_that_of_the_language_model(online):
    with clients(online(llm="openai(model=gpt-x, base_url=http://127.0.0.1:9)")) as (result, other):
        assert [model.id for model in result.models.list()] == ["citewell", "gpt-x"]
        assert result.models.retrieve("gpt-x").owned_by == "citewell"
        assert [model.id for model in other.models.list()] == ["citewell", "gpt-x"]
        assert other.models.retrieve("gpt-x").type == "model"
        with pytest.raises(openai.NotFoundError, match="there is no model"):
            result.models.retrieve("gpt-y")
    with clients(online()) as (result, _), pytest.raises(openai.NotFoundError) as caught:
        result.chat.completions.create(model="gpt-4o", messages=turns(chat_file()))
    assert (caught.value.code, caught.value.param) == ("model_not_found", "model")


def test_other_models_are_asked_at_the_services_own_address(online, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", openai_server.KEY)
    with openai_server.serving("openai", "Revenue rose to $5.9bn in 2022 [1].") as server:
        with clients(online(llm=f"openai(model=gpt-x, base_url={server.url})")) as (result, other):
            reply = result.chat.completions.create(model="gpt-z", messages=turns(chat_file()), max_completion_tokens=77)
            for name in ("base_url", "api_key", "llm"):
                with pytest.raises(openai.BadRequestError, match="is no option of this service"):
                    result.chat.completions.create(
                        model="x", messages=turns(chat_file()), extra_body={name: "http://a"}
                    )
            assert reply.choices[0].message.content == "Revenue rose to $5.9bn in 2022."
            assert (reply.model, reply.usage.prompt_tokens, reply.usage.completion_tokens) == ("gpt-z", 11, 7)
            assert reply.choices[0].message.annotations[0].url_citation.start_index == 0
            message = other.messages.create(model="gpt-x", max_tokens=55, messages=turns(document()))
            assert message.content[0].citations[0].cited_text == "Revenue rose to $5.9bn in 2022 😀."
        contents = [content for _, _, content in server.requests]
        assert [content["model"] for content in contents] == ["gpt-z", "gpt-x"]
        assert [content.get("max_tokens", content.get("max_completion_tokens")) for content in contents] == [77, 55]


def test_a_name_reaches_no_model_of_this_machine(online):
    with clients(online(llm="transformers(model=some/model)")) as (result, _):
        assert [model.id for model in result.models.list()] == ["citewell", "transformers"]
        with pytest.raises(openai.NotFoundError):
            result.chat.completions.create(model="/etc/passwd", messages=turns(chat_file()))


STATEMENTS = "Revenue rose to $5.9bn in 2022 [1]. The harbour froze in January 2021 [1]. Two ferries were sold [2]."


@pytest.mark.parametrize("way", ["ask", "chat", "responses", "messages"])
def test_statements_arrive_while_the_language_model_still_writes(online, monkeypatch, way):
    monkeypatch.setenv("OPENAI_API_KEY", openai_server.KEY)
    result = threading.Event()  # the model goes on when the first statement has arrived
    with openai_server.serving("openai", openai_server.Reply(STATEMENTS * 3, gate=result)) as server:
        address = online(llm=f"openai(model=gpt-x, base_url={server.url})")
        with clients(address) as (outcome, other):
            texts = []
            if way == "ask":
                name = outcome._client.post(f"{address}/v1/documents", json={"text": TEXT}).json()["id"]
                settings = {"documents": [name], "question": QUESTION, "stream": True}
                with outcome._client.stream("POST", f"{address}/v1/ask", json=settings) as stream:
                    for line in stream.iter_lines():
                        texts += [line] if line == "event: statement" else []
                        if texts:
                            result.set()
            elif way == "chat":
                for chunk in outcome.chat.completions.create(model="gpt-x", messages=turns(chat_file()), stream=True):
                    texts += [chunk.choices[0].delta.content] if chunk.choices[0].delta.content else []
                    if texts:
                        result.set()
            elif way == "responses":
                part = {"type": "input_file", "filename": "harbour.txt", "file_data": encoded()}
                for event in outcome.responses.create(model="gpt-x", input=inputs(part), stream=True):
                    texts += [event.delta] if event.type == "response.output_text.delta" else []
                    if texts:
                        result.set()
            else:
                with other.messages.stream(model="gpt-x", max_tokens=99, messages=turns(document())) as stream:
                    for event in stream:
                        texts += [event.text] if event.type == "text" else []
                        if event.type == "citation":
                            result.set()
            assert result.is_set()
            assert len(texts) == 9


def test_a_stream_that_is_broken_off_raises_in_every_client(online, monkeypatch, here):
    settings = {
        "before": "",
        "statement": {
            "text": "It rose.",
            "start": 0,
            "end": 8,
            "label": "quoted",
            "score": 1.0,
            "citations": [],
            "reasons": [],
        },
        "citations": [],
    }

    async def run(self, job, tell=None):
        tell({"documents": [], "unkept": []})
        tell(settings)
        raise inside()

    monkeypatch.setattr(here, "run", run)
    with clients(online()) as (result, other):
        outcome = {"model": "citewell", "stream": True}
        chunks = []
        with pytest.raises(openai.APIError, match="an error inside the service"):
            chunks.extend(result.chat.completions.create(**outcome, messages=turns()))
        assert [chunk.choices[0].delta.content for chunk in chunks] == ["", "It rose."]
        with pytest.raises(openai.APIError, match="an error inside the service"):
            list(result.responses.create(**outcome, input=QUESTION))
        with pytest.raises(anthropic.APIStatusError, match="an error inside the service"):
            list(other.messages.create(**outcome, max_tokens=9, messages=turns()))


def test_signs_of_life_disturb_no_client(online, monkeypatch, here):
    import asyncio

    monkeypatch.setattr(replies, "_BEFORE", 0.01)
    monkeypatch.setattr(replies, "_BEAT", 0.01)
    run = here.run

    async def slowly(self, job, tell=lambda _: None):
        await asyncio.sleep(0.3)
        return await run(self, job, tell)

    monkeypatch.setattr(here, "run", slowly)
    with clients(online()) as (result, other):
        settings = {"model": "citewell", "messages": turns(chat_file())}
        text = "".join(
            chunk.choices[0].delta.content or "" for chunk in result.chat.completions.create(**settings, stream=True)
        )
        with other.messages.stream(model="citewell", max_tokens=9, messages=turns(document())) as stream:
            assert stream.get_final_text() == text
        with result.responses.stream(model="citewell", input=QUESTION) as stream:
            assert stream.get_final_response().output_text == text


def test_a_full_queue_is_told_before_a_stream_and_what_ends_the_same_way_is_not_tried_again(online, monkeypatch, here):
    from citewell.serve.faults import Fault, busy

    requests = []

    async def run(self, job, tell=None):
        requests.append(job)
        raise busy() if len(requests) <= 3 else Fault(504, "TimedOutError", "this took too long")

    monkeypatch.setattr(here, "run", run)
    with clients(online()) as (result, other):
        with pytest.raises(openai.RateLimitError):
            result.with_options(max_retries=2).chat.completions.create(model="citewell", messages=turns(), stream=True)
        assert len(requests) == 3  # it was tried again
        with pytest.raises(anthropic.APIStatusError) as caught:
            other.messages.create(model="citewell", max_tokens=9, messages=turns(), stream=True)
        assert (caught.value.status_code, len(requests)) == (504, 4)
