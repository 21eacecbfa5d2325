"""What is tried with an input, by name: every format that is read, saved values, responses, result files, replies, specs.

Each target has samples to start from and does with an input what a user would; it returns what must hold, or raises.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, get_args

import formats
import pdfs
from citewell import Answer, Document, ask, attribute, registry
from citewell.audit import results, wire_write
from citewell.audit.scores import audit
from citewell.audit.verify import load, verify
from citewell.errors import CitewellError
from citewell.export import html, markdown, terminal
from citewell.llm.scripted import Scripted
from citewell.readers import read
from citewell.readers.sniff import Format, sniff
from citewell.text import safe
from citewell.text.claims import makes_claim
from citewell.text.replies import parsing
from fuzz import serving
from response_formats import FORMATS
from test_audit import MAKERS, REPORT

ROOT = Path(__file__).parent.parent.parent
STORY = [
    formats.heading("Annual report"),
    formats.paragraph("Revenue rose by 5% to $5.9 million in 2022. Costs fell; see note 3."),
    formats.table(["Item", "2022", "2021"], ["Revenue", "5.9", "5.6"], ["Costs (net)", "(3.1)", "—"]),
    formats.bullets("First item.", "Second item."),
    formats.code("x = 1"),
    formats.heading("Outlook", 2),
    formats.paragraph("Sales will grow."),
]


class Target(NamedTuple):
    """Samples to start from, and what is done with an input made of them."""

    samples: tuple[bytes, ...]
    attempt: Callable[[bytes], None]


def check_document(document: Document) -> None:
    """What is true of every document that was read: it is saved and comes back, and what it cites stands there."""
    text = document.text
    assert len(text) < 1 << 24
    for segment in document.segments("sentence"):
        assert 0 <= segment.start < segment.end <= len(text)
    document.segments("section")
    document.tables()
    again = Document.from_dict(safe.loads(safe.dumps(document.to_dict())))
    assert again.text == text
    assert again.blocks == document.blocks
    sentences = document.segments("sentence")[:3]
    answer = attribute(document, " ".join(text[at.start : at.end] for at in sentences)[:2000])
    for citation in answer.citations:
        assert text[citation.start : citation.end] == citation.quote
    saved = load(safe.dumps(answer.to_dict()))
    assert saved.to_dict() == answer.to_dict()
    assert not verify(saved, [document]).mismatches
    check_answer(answer, [document])


def check_answer(answer: Answer, documents: list[Document]) -> None:
    """Every form in which an answer is shown is made, and none has what controls a terminal."""
    for text in (
        terminal.render(answer, documents),
        markdown.render(answer, documents),
        html.render(answer, documents),
    ):
        assert not {"\x1b", "\x9b", "\u202e", "\x00"} & set(text)
        text.encode()


def reading(name: str) -> Callable[[bytes], None]:
    def attempt(data: bytes) -> None:
        check_document(read(data, name=name))

    return attempt


def saved_document(data: bytes) -> None:
    check_document(read(data, name="saved.json"))


def saved_answer(data: bytes) -> None:
    answer = load(data.decode("utf-8", "replace"))
    safe.dumps(verify(answer, [REPORT]).to_dict())
    check_answer(answer, [REPORT])


def response(data: bytes) -> None:
    """A response of another system, or plain text, is audited and shown."""
    try:
        payload = safe.loads(data.decode("utf-8", "replace"))
    except ValueError:
        payload = data.decode("utf-8", "replace")
    audited = audit(payload, [REPORT])
    safe.dumps(audited.to_dict())
    assert all(REPORT.text[citation.start : citation.end] == citation.quote for citation in audited.fixed.citations)
    safe.dumps(wire_write.write(audited.fixed, audited.form, audited.payloads, audited.data))


def result_file(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.json"
        path.write_bytes(data)
        results.load(path)


def reply(data: bytes) -> None:
    """A model's reply is read with and without marks, whole and as it arrives, and answered with."""
    text = data.decode("utf-8", "replace")
    for known in (0, 5):
        parsed = parsing.parse(text, known, REPORT.text)
        for start, end in parsed.statements:
            assert 0 <= start < end <= len(parsed.text)
            makes_claim(parsed.text[start:end])
        assert all(1 <= number <= known for cite in parsed.cites for number in cite.numbers)
        parsing.settled(text[: len(text) // 2], known, REPORT.text)
    answer = ask(REPORT, "Where was the Aurora built?", llm=Scripted(reply=text or "x"))
    assert all(REPORT.text[citation.start : citation.end] == citation.quote for citation in answer.citations)
    check_answer(answer, [REPORT])


def spec(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    safe.redact_spec(text)
    safe.clean(text)
    registry.parse(text)


def _written(make: Callable[[], Any]) -> bytes:
    """A response as it comes: JSON, or the text of a stream."""
    value = make()
    return (value if isinstance(value, str) else json.dumps(value)).encode()


def _results() -> tuple[bytes, ...]:
    passages = [{"doc_id": "a", "text": REPORT.text}]
    return tuple(
        json.dumps(value).encode()
        for value in (
            {"results": [{"query_id": "1", "query": "q", "response": "Fares rose.", "retrieved_context": passages}]},
            [{"user_input": "q", "response": "Fares rose.", "retrieved_contexts": [REPORT.text], "reference": "r"}],
            {"data": [{"question": "q", "output": "Fares rose [1].", "docs": [{"title": "t", "text": REPORT.text}]}]},
        )
    )


def _samples() -> dict[str, list[tuple[str, bytes]]]:
    """Files of every format that is read, by the format that they are taken for."""
    files = [(name, write(STORY, "The title")) for name, write in formats.WRITERS.items()]
    files += [
        (
            "report.pdf",
            pdfs.make_pdf([pdfs.heading("Results"), pdfs.prose(120), pdfs.table(["Revenue", "5.9"])], columns=2),
        ),
        ("report.docx", (ROOT / "examples" / "annual-report.docx").read_bytes()),
        ("letter.eml", formats.eml(STORY, "The title")),
        ("data.csv", b'Item,2022,2021\n"Revenue, net",5.9,5.6\nCosts,3.1,"3\n"\n'),
        ("data.json", b'{"items": [{"name": "Revenue", "2022": 5.9}, {"name": "Costs", "2022": 3.1}]}'),
        ("feed.xml", b"<?xml version='1.0'?><feed><entry><title>News</title><p>Revenue rose.</p></entry></feed>"),
        ("saved.json", safe.dumps(read(formats.html(STORY), name="a.html").to_dict()).encode()),
    ]
    by_format: dict[str, list[tuple[str, bytes]]] = {}
    for name, data in files:
        by_format.setdefault(sniff(data, name), []).append((name, data))
    return by_format


@cache
def targets() -> dict[str, Target]:
    """Every target by its name; a new format joins by its sample in `formats.WRITERS`."""
    by_format = _samples()
    # Pictures are decoded by a library that recognises text, seconds each.
    assert set(get_args(Format)) - {"picture"} <= set(by_format), (
        "a format that is read has no sample: add it to formats.WRITERS"
    )
    reads = {
        f"read {kind}": Target(tuple(data for _, data in files), reading(files[0][0]))
        for kind, files in by_format.items()
    }
    texts = [
        MAKERS["plain"](),
        "<think>Hm.</think> Fares rose [1][2]. (3)\n\nSources:\n[1] a",
        '{"answer": "Fares rose.", "citations": [1]}',
    ]
    saved = safe.dumps(attribute(REPORT, REPORT.text[:200]).to_dict()).encode()
    return reads | {
        "saved answer": Target((saved,), saved_answer),
        "response": Target(tuple(map(_written, (*MAKERS.values(), *FORMATS))), response),
        "result file": Target(_results(), result_file),
        "reply": Target(tuple(text.encode() for text in texts), reply),
        "request": Target(serving.SAMPLES, serving.request),
        "spec": Target((b"bm25(k1=1.2)", b"entailment(checker=docnli, decompose=llm, delta=0.3)"), spec),
    }


def refused(error: BaseException) -> bool:
    """Whether an input was refused as it should be: with one of our errors, whose text is one plain line."""
    return isinstance(error, CitewellError) and "\n" not in str(error)


def read_as(name: str, data: bytes) -> Any:
    """None where the input was used, else the error that refuses it; anything else is raised."""
    try:
        targets()[name].attempt(data)
    except CitewellError as error:
        if not refused(error):
            raise
        return error
    return None
