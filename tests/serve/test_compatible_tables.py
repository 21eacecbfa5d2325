"""Answers from tables in other protocols' shapes: a cell is said with what it is of, and each note stands over its words."""

import base64
import io
import json

import pytest

from citewell.readers import ocr
from citewell.serve.compatible.written import Text
from citewell.types import Answer, CellPath, Citation, Partial, Statement, Value

REPORT = (
    "# 🚢 Ferries\n\nIn millions of dollars\n\n| | 2021 | 2022 |\n|---|---|---|\n| Net earnings | 5,905 | 6,315 |\n"
)
QUESTION = "What were net earnings in 2022?"
ANSWER = "Net earnings, 2022: 6,315 (in millions)"


def cell(quote, period, start, end, scale=1e6):
    named = CellPath(("Net earnings",), (period,), None, None, scale, period)
    return Citation("d", "p1", "cell", quote, start, end, start, end, cell=named)


def row(text, *cited, label="quoted", start=0):
    statement = Statement(text, start, start + len(text), label, 1.0, tuple(range(len(cited))))
    return Partial("", statement, cited)


def test_a_row_is_said_as_its_cells_and_each_note_stands_over_its_figure():
    whole = Citation("d", "p1", "sentence", "Net earnings | 5,905 | 6,315", 0, 28, 0, 28)
    text = Text()
    piece = text.partial(row(whole.quote, whole, cell("6,315", "2022", 23, 28), cell("5,905", "2021", 15, 20)), str)
    assert piece.text == f"{ANSWER}; Net earnings, 2021: 5,905 (in millions)"
    assert [piece.text[note.start : note.end] for note in piece.notes] == [piece.text, "6,315", "5,905"]
    assert text.answered == whole.quote  # what the answer says goes on from there


def test_a_written_sentence_stays_as_it_is_beside_the_cell_that_it_rests_on():
    text = "They came to 6,315 million."
    piece = Text().partial(row(text, cell("6,315", "2022", 0, 27), label="supported"), str)
    assert (piece.text, [(note.start, note.end) for note in piece.notes]) == (text, [(0, 27)])


def test_what_is_computed_from_cells_stands_behind_them():
    cited = (cell("6,315", "2022", 23, 28), cell("5,905", "2021", 15, 20))
    statement = row("Net earnings | 5,905 | 6,315", *cited).statement
    value = Value("410", "money", 410.0, "USD", 1e6, None, (0, 1), "change = 6,315 − 5,905")
    answer = Answer(statement.text, (statement,), cited, (), question=QUESTION, value=value)
    text = Text()
    assert [piece.text for piece in text.rest(answer, str)][1] == "\n\nchange = 6,315 − 5,905 = 410 (in millions)"


def ask_service(client, way, stream=False):
    data = base64.b64encode(REPORT.encode()).decode()
    words = {"type": "input_text" if way == "responses" else "text", "text": QUESTION}
    file = {"filename": "report.md", "file_data": data}
    part = {
        "chat/completions": {"type": "file", "file": file},
        "responses": {"type": "input_file", **file},
        "messages": {"type": "document", "title": "report.md",
                     "source": {"type": "base64", "media_type": "text/markdown", "data": data}},
    }[way]  # fmt: skip
    turns = [{"role": "user", "content": [part, words]}]
    most = "max_output_tokens" if way == "responses" else "max_tokens"
    body = {"model": "citewell", most: 99, "stream": stream}
    reply = client.post(f"/v1/{way}", json={**body, ("input" if way == "responses" else "messages"): turns})
    assert reply.status_code == 200, reply.text
    return reply


@pytest.mark.parametrize("way", ["chat/completions", "responses", "messages"])
def test_every_protocol_says_what_a_figure_is_of(client, way):
    payload = ask_service(client, way).json()
    assert payload["citewell"]["text"] == "Net earnings | 5,905 | 6,315"
    if way == "messages":
        assert [block["text"] for block in payload["content"]] == [ANSWER]
        assert {place["cited_text"] for place in payload["content"][0]["citations"]} == {
            "6,315",
            payload["citewell"]["text"],
        }
        return
    message = payload["choices"][0]["message"] if way.startswith("chat") else payload["output"][0]["content"][0]
    text = message.get("content") or message["text"]
    notes = [note.get("url_citation", note) for note in message["annotations"]]
    assert text == ANSWER
    assert [text[note["start_index"] : note["end_index"]] for note in notes] == [ANSWER, "6,315"]
    streamed = [json.loads(line[6:]) for line in ask_service(client, way, stream=True).text.splitlines() if "{" in line]
    deltas = [event["choices"][0]["delta"].get("content") or "" for event in streamed if event.get("choices")]
    deltas += [event["delta"] for event in streamed if event.get("type") == "response.output_text.delta"]
    assert "".join(deltas) == ANSWER


def test_a_picture_that_no_ocr_reads_is_refused_with_what_to_install(client, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")  # where no Tesseract is
    dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    url = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{dot}"}}
    inline = {"type": "input_image", "image_url": f"data:image/png;base64,{dot}"}
    source = {"type": "base64", "media_type": "image/png", "data": dot}
    for path, result in (
        ("chat/completions", {"messages": [{"role": "user", "content": [url, {"type": "text", "text": "What?"}]}]}),
        ("responses", {"input": [{"role": "user", "content": [inline, {"type": "input_text", "text": "What?"}]}]}),
        ("messages", {"max_tokens": 9, "messages": [
            {"role": "user", "content": [{"type": "image", "source": source}, {"type": "text", "text": "What?"}]}]}),
    ):  # fmt: skip
        reply = client.post(f"/v1/{path}", json={"model": "citewell", **result})
        assert reply.status_code == 400, reply.text
        assert ocr.INSTALL in reply.json()["error"]["message"]


@pytest.mark.ocr
def test_the_words_of_a_picture_are_evidence_with_their_page(client):
    from PIL import Image, ImageDraw, ImageFont

    image, buffer = Image.new("L", (1400, 200), 255), io.BytesIO()
    text = "The harbour of Skelby froze in January 2021."
    ImageDraw.Draw(image).text((40, 60), text, fill=0, font=ImageFont.load_default(48))
    image.save(buffer, "PNG")
    url = f"data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"
    question = [
        {"type": "image_url", "image_url": {"url": url}},
        {"type": "text", "text": "When did the harbour freeze?"},
    ]
    response = client.post(
        "/v1/chat/completions", json={"model": "citewell", "messages": [{"role": "user", "content": question}]}
    )
    message = response.json()["choices"][0]["message"]
    assert message["content"] == text
    assert message["annotations"][0]["url_citation"]["title"] == "document.png, page 1"
