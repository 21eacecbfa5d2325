"""Against the real haystack-ai."""

import dataclasses
import json
import os
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
pytest.importorskip("haystack")

from haystack import Document, Pipeline
from haystack.components.preprocessors import DocumentSplitter
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.dataclasses import ByteStream, ChatMessage
from haystack.document_stores.in_memory import InMemoryDocumentStore

import citewell
from citewell.adapters.haystack import CitewellCiter, CitewellConverter, CitewellEvaluator, CitewellReader
from citewell.errors import UsageError
from harbour import DOCUMENT, QUESTION, TEXT, WRITTEN, cut, in_both

REPORT = Path(__file__).parents[2] / "examples" / "annual-report.pdf"
DOCUMENTS = [
    Document(id=name, content=text, meta={"source_id": "harbour", "split_idx_start": start})
    for name, text, start in cut()
]
TEXTS = [document.content for document in DOCUMENTS]


@pytest.mark.parametrize("reply", [WRITTEN, ChatMessage.from_assistant(WRITTEN)], ids=["text", "chat"])
def test_replies_become_answers_whose_citations_are_ranges_of_documents_and_of_the_whole(reply):
    (answer,) = CitewellCiter().run(query=QUESTION, replies=[reply], documents=DOCUMENTS)["answers"]
    citewell = answer.meta["citewell"]
    assert (answer.data, answer.documents) == (citewell["marked"], DOCUMENTS)
    assert [statement["label"] for statement in citewell["statements"]] == ["supported", "contradicted"]
    assert (
        citewell["marked"]
        == "Revenue rose to $5.9 million in 2025. [2] Three ferries were sold in March. (⊗ contradicted: says Three; the evidence says Two)"
    )
    assert all(in_both(place, TEXTS) for place in citewell["citations"])
    assert type(answer).from_dict(json.loads(json.dumps(answer.to_dict()))).meta["citewell"] == citewell


def test_our_audit_reads_the_marked_answer():
    (answer,) = CitewellCiter().run(query=QUESTION, replies=[WRITTEN], documents=DOCUMENTS)["answers"]
    marked = dataclasses.replace(answer, data=answer.meta["citewell"]["marked"])
    audited = citewell.audit({"answers": [marked.to_dict()]}, [DOCUMENT])
    assert (audited.form, [citation.located.exists for citation in audited.citations]) == ("haystack", [True])


def test_a_file_goes_through_a_pipeline_and_comes_back_as_ranges_of_the_file():
    store = InMemoryDocumentStore()
    store.write_documents(CitewellConverter().run(sources=[REPORT])["documents"])
    pipeline = Pipeline()
    pipeline.add_component("retriever", InMemoryBM25Retriever(store, top_k=5))
    pipeline.add_component("reader", CitewellReader())
    pipeline.connect("retriever.documents", "reader.documents")
    question = "How many passengers did the ferries carry in 2025?"
    reader = pipeline.run({"retriever": {"query": question}, "reader": {"query": question}})["reader"]
    whole = citewell.read(REPORT)
    assert reader["answers"]
    for answer in reader["answers"]:
        place = answer.meta["citewell"]
        assert whole.text[place["start"] : place["end"]] == place["quote"] == answer.data
        span = answer.document_offset
        assert answer.document.content[span.start : span.end] == answer.data
        assert place["page"] == whole.page_at(place["start"])
    assert "1.75 million" in reader["answer"].data


def test_a_reader_abstains_and_refuses_documents_without_text():
    result = CitewellReader().run(query="Who is the captain of the airship?", documents=DOCUMENTS)
    assert result["answers"] == []
    assert result["answer"].meta["citewell"]["abstained"]
    with pytest.raises(UsageError, match="documents with text"):
        CitewellReader().run(query=QUESTION, documents=[Document(blob=ByteStream(b"x"))])


def test_what_haystacks_splitter_cuts_leads_back_to_the_whole():
    splitter = DocumentSplitter(split_by="word", split_length=14, split_overlap=3)
    cutting = splitter.run(documents=[Document(id="harbour", content=TEXT)])["documents"]
    assert len(cutting) > 2
    (answer,) = CitewellCiter().run(query=QUESTION, replies=[WRITTEN], documents=cutting)["answers"]
    places = answer.meta["citewell"]["citations"]
    assert places
    assert all(in_both(place, [result.content for result in cutting]) for place in places)


def test_documents_without_text_keep_their_number_and_nothing_is_supported_by_none():
    documents = [Document(blob=ByteStream(b"x")), *DOCUMENTS]
    (answer,) = CitewellCiter().run(query=QUESTION, replies=["The café reopened on 2 May 2025."], documents=documents)[
        "answers"
    ]
    assert answer.meta["citewell"]["citations"][0]["chunk"] == 3
    (answer,) = CitewellCiter().run(query=QUESTION, replies=[WRITTEN], documents=[])["answers"]
    assert answer.meta["citewell"]["support"] == 0


def test_components_are_saved_and_loaded_with_their_settings(monkeypatch):
    monkeypatch.setenv("HAYSTACK_DESERIALIZATION_ALLOWLIST", "citewell.adapters.haystack")
    pipeline = Pipeline()
    for name, component in (
        ("citer", CitewellCiter(settings={"k": 1})),
        ("converter", CitewellConverter("sentence")),
        ("reader", CitewellReader()),
        ("evaluator", CitewellEvaluator()),
    ):
        pipeline.add_component(name, component)
    again = Pipeline.loads(pipeline.dumps())
    assert again.get_component("citer").settings == {"k": 1}
    assert again.get_component("converter").granularity == "sentence"


def test_the_converter_reads_bytes_by_their_name():
    stream = ByteStream(b"<h1>Harbour</h1><p>It froze.</p>", meta={"file_name": "harbour.html"})
    documents = CitewellConverter().run(sources=[stream])["documents"]
    assert documents[-1].content == "It froze."
    assert documents[-1].meta["source"] == "harbour.html"


def test_the_evaluator_gives_shares_and_leaves_out_what_claims_nothing():
    result = CitewellEvaluator().run(predicted_answers=[WRITTEN, "Thank you!"], contexts=[TEXTS, TEXTS])
    assert (result["score"], result["individual_scores"]) == (0.5, [0.5, None])
    assert CitewellEvaluator().run(predicted_answers=[], contexts=[])["score"] is None
    with pytest.raises(UsageError, match="as many as each other"):
        CitewellEvaluator().run(predicted_answers=["a"], contexts=[])
