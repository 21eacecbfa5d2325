"""Against the real llama-index-core, with its own mock models."""

import asyncio
import json
import re
from functools import partial

import pytest

pytestmark = pytest.mark.slow
pytest.importorskip("llama_index.core")

from llama_index.core import Document, SummaryIndex
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.response.schema import Response
from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata
from llama_index.core.node_parser import SentenceSplitter, TokenTextSplitter
from llama_index.core.query_engine import CustomQueryEngine, RetrieverQueryEngine
from llama_index.core.schema import NodeRelationship, NodeWithScore, QueryBundle, RelatedNodeInfo, TextNode

import citewell
from citewell.adapters.llama_index import (
    CitewellEvaluator,
    CitewellPostprocessor,
    CitewellQueryEngine,
    CitewellReader,
    CitewellRetriever,
    chunks,
    nodes,
)
from citewell.errors import UsageError
from harbour import DOCUMENT, QUESTION, TEXT, WRITTEN, cut, in_both

SOURCE = {NodeRelationship.SOURCE: RelatedNodeInfo(node_id="harbour")}
NODES = [
    TextNode(id_=name, text=text, start_char_idx=start, end_char_idx=start + len(text), relationships=SOURCE)
    for name, text, start in cut()
]
SCORED = [NodeWithScore(node=node, score=0.5) for node in NODES]
TEXTS = [node.text for node in NODES]
BUNDLE = QueryBundle(QUESTION)


class Written(CustomLLM):
    """A model that always writes the same."""

    @property
    def metadata(self):
        return LLMMetadata()

    def complete(self, prompt, formatted=False, **kwargs):
        return CompletionResponse(text=WRITTEN)

    def stream_complete(self, prompt, formatted=False, **kwargs):
        def parts():
            so_far = ""
            for word in WRITTEN.split(" "):
                so_far += (" " if so_far else "") + word
                yield CompletionResponse(text=so_far, delta=(" " if so_far != word else "") + word)

        return parts()


class FixedRetriever(BaseRetriever):
    def _retrieve(self, query_bundle):
        return SCORED


AGAINST = "(⊗ contradicted: says Three; the evidence says Two)"


def engine(**settings):
    return CitewellQueryEngine(
        RetrieverQueryEngine.from_args(FixedRetriever(), llm=Written(), **settings), sources={"harbour": DOCUMENT}
    )


@pytest.mark.parametrize("streaming", [False, True])
def test_an_engine_gets_citations_that_are_ranges_of_its_nodes_and_of_the_whole(streaming):
    response = engine(streaming=streaming).query(QUESTION)
    assert str(response) == "Revenue rose to $5.9 million in 2025. [2] Three ferries were sold in March. " + AGAINST
    citewell = response.metadata["citewell"]
    assert [statement["label"] for statement in citewell["statements"]] == ["supported", "contradicted"]
    assert len(citewell["citations"]) == 2
    assert all(in_both(place, TEXTS) for place in citewell["citations"])
    assert {place["source"] for place in citewell["citations"]} == {"harbour"}
    assert [statement.node.node_id for statement in response.source_nodes] == ["c0", "c1", "c2"]
    json.dumps(citewell)


@pytest.mark.parametrize("streaming", [False, True])
def test_an_engine_works_asynchronously(streaming):
    response = asyncio.run(engine(streaming=streaming).aquery(QUESTION))
    assert str(response) == str(engine().query(QUESTION))


def test_our_audit_reads_the_marks_of_the_response():
    response = engine().query(QUESTION)
    saved = {
        "response": str(response),
        "source_nodes": [json.loads(source_node.json()) for source_node in response.source_nodes],
    }
    audited = citewell.audit(saved, [DOCUMENT])
    assert audited.form == "llamaindex"
    assert [entry.exists for entry in (source_node.located for source_node in audited.citations)] == [True]


def test_without_a_model_the_engine_answers_from_the_retrievers_nodes_or_abstains():
    ours = CitewellQueryEngine(retriever=FixedRetriever())
    response = ours.query(QUESTION)
    assert "$5.9 million" in str(response)
    assert in_both(response.metadata["citewell"]["citations"][0], TEXTS)
    assert asyncio.run(ours.aquery("Who is the captain of the airship?")).metadata["citewell"]["abstained"]


def test_a_response_without_nodes_supports_nothing():
    class Bare(CustomQueryEngine):
        def custom_query(self, query_str):
            return Response(WRITTEN)

    response = CitewellQueryEngine(Bare()).query(QUESTION)
    assert str(response).count("(✗ not supported)") == 2
    assert [statement["label"] for statement in response.metadata["citewell"]["statements"]] == ["not_supported"] * 2


def test_an_engine_of_nothing_or_of_two_things_is_refused():
    for arguments in ({}, {"query_engine": object(), "retriever": FixedRetriever()}):
        with pytest.raises(UsageError, match="either a query engine or a retriever"):
            CitewellQueryEngine(**arguments)


def test_the_postprocessor_keeps_nodes_with_evidence_and_hides_its_ranges_from_the_model():
    kept = CitewellPostprocessor(k=1).postprocess_nodes(SCORED, query_str="When was the café reopened?")
    (node,) = [result.node for result in kept]
    assert node.node_id == "c2"
    assert in_both(node.metadata["citewell"][0], TEXTS)
    assert "citewell" not in node.get_content(metadata_mode="llm") + node.get_content(metadata_mode="embed")
    assert "citewell" not in NODES[2].metadata
    assert kept[0].score == node.metadata["citewell"][0]["score"]
    assert CitewellPostprocessor.model_validate(CitewellPostprocessor(k=3).model_dump()).k == 3


def test_the_postprocessor_takes_part_in_an_engine_and_needs_the_query():
    response = engine(node_postprocessors=[CitewellPostprocessor(k=2)]).query("Were ferries sold in March?")
    assert 1 <= len(response.source_nodes) <= 2
    assert response.metadata["citewell"]["citations"]
    assert CitewellPostprocessor().postprocess_nodes([], query_str="x") == []
    with pytest.raises(UsageError, match="needs the query"):
        CitewellPostprocessor().postprocess_nodes(SCORED)


def test_nodes_for_an_index_have_the_offsets_of_the_reader():
    result = nodes([DOCUMENT])
    assert [TEXT[node.start_char_idx : node.end_char_idx] for node in result] == [node.text for node in result]
    assert {node.ref_doc_id for node in result} == {DOCUMENT.id}
    index = SummaryIndex(result)
    response = CitewellQueryEngine(index.as_query_engine(llm=Written()), sources=[DOCUMENT]).query(QUESTION)
    for place in response.metadata["citewell"]["citations"]:
        assert TEXT[place["start"] : place["end"]] == place["quote"]


# Its own cutting into sentences wants data of nltk, which versions up to 0.14.12 fetch.
SENTENCES = re.compile(r"[^.]+\.?")


@pytest.mark.parametrize(
    "splitter", [partial(SentenceSplitter, chunking_tokenizer_fn=SENTENCES.findall), TokenTextSplitter]
)
def test_nodes_of_their_own_splitters_are_held_against_the_source(splitter):
    split = splitter(chunk_size=24, chunk_overlap=4).get_nodes_from_documents([Document(text=TEXT, id_="harbour")])
    assert len(split) > 2
    index = SummaryIndex(split)
    response = CitewellQueryEngine(index.as_query_engine(llm=Written()), sources={"harbour": DOCUMENT}).query(QUESTION)
    places = response.metadata["citewell"]["citations"]
    assert places
    for place in places:
        assert TEXT[place["start"] : place["end"]] == place["quote"]


def test_a_node_whose_text_another_postprocessor_replaced_is_cited_by_itself():
    sentence = TextNode(
        text="Revenue rose to $5.9 million in 2025.", start_char_idx=89, end_char_idx=126, relationships=SOURCE
    )
    (kept,) = chunks([NodeWithScore(node=sentence)]).chunks
    assert (kept.source, kept.start) == ("harbour", 89)
    sentence.set_content(TEXT[56:154])  # as MetadataReplacementPostProcessor puts the sentences around it
    (changed,) = chunks([NodeWithScore(node=sentence)]).chunks
    assert (changed.source, changed.start) == ("harbour", None)


def test_the_range_of_a_node_goes_before_one_that_its_document_came_with():
    node = TextNode(text="Revenue", start_char_idx=5, end_char_idx=12, metadata={"start_index": 900, "end_index": 907})
    assert chunks([NodeWithScore(node=node)]).chunks[0].start == 5
    bare = TextNode(text="Revenue", metadata={"start_index": 900})
    assert chunks([NodeWithScore(node=bare)]).chunks[0].start == 900


def test_sources_that_can_be_gone_through_once_serve_every_query():
    ours = CitewellQueryEngine(retriever=FixedRetriever(), sources=(item for item in [DOCUMENT]))
    assert ours._sources == {DOCUMENT.id: DOCUMENT}


def test_the_evaluator_scores_the_share_of_claims_that_the_contexts_support():
    judged = CitewellEvaluator().evaluate(QUESTION, WRITTEN, TEXTS)
    assert (judged.score, judged.passing) == (0.5, False)
    assert judged.feedback.startswith("contradicted: Three ferries")
    assert CitewellEvaluator(threshold=0.5).evaluate(QUESTION, WRITTEN, TEXTS).passing
    assert CitewellEvaluator().evaluate(QUESTION, "Thank you!", TEXTS).score is None
    assert CitewellEvaluator().evaluate(QUESTION, "The café reopened on 2 May 2025.", TEXTS[2]).score == 1.0
    response = Response(WRITTEN, source_nodes=SCORED)
    assert CitewellEvaluator().evaluate_response(QUESTION, response).score == 0.5
    with pytest.raises(UsageError, match="the response and its contexts"):
        CitewellEvaluator().evaluate(QUESTION, WRITTEN)


def test_a_reader_gives_whole_documents_with_our_offsets(tmp_path):
    path = tmp_path / "harbour.txt"
    path.write_text(TEXT, encoding="utf-8")
    (read,) = CitewellReader().load_data(path)
    document = citewell.read(path)
    assert (read.text, read.doc_id) == (document.text, document.id)
    assert read.metadata["source"].endswith("harbour.txt")


def test_a_retriever_gives_nodes_with_exact_offsets():
    scored = CitewellRetriever(documents=DOCUMENT, k=2).retrieve(QUESTION)
    assert len(scored) == 2
    assert scored[0].score > scored[1].score
    assert all(TEXT[match.node.start_char_idx : match.node.end_char_idx] == match.node.text for match in scored)
    response = CitewellQueryEngine(retriever=CitewellRetriever(documents=DOCUMENT), sources=[DOCUMENT]).query(QUESTION)
    assert response.metadata["citewell"]["citations"][0]["quote"] == "Revenue rose to $5.9 million in 2025."
    with pytest.raises(UsageError, match="either documents or a library"):
        CitewellRetriever()
