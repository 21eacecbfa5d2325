"""Against the real langchain-core, with its own fake models."""

import asyncio
import json

import pytest

pytestmark = pytest.mark.slow
pytest.importorskip("langchain_core")

from langchain_core.documents import Document as Piece
from langchain_core.language_models import FakeListChatModel, FakeListLLM
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableGenerator, RunnableLambda, RunnablePassthrough
from langchain_core.runnables.utils import AddableDict

import citewell
from citewell.adapters.langchain import (
    Cite,
    CitewellCallback,
    CitewellCompressor,
    CitewellEvaluator,
    CitewellLoader,
    CitewellRetriever,
    cite,
    documents,
    message,
)
from citewell.errors import UsageError
from harbour import DOCUMENT, QUESTION, TEXT, WRITTEN, cut, in_both

PIECES = [
    Piece(page_content=text, id=name, metadata={"source": "harbour.txt", "start_index": start})
    for name, text, start in cut()
]
TEXTS = [piece.page_content for piece in PIECES]
PROMPT = ChatPromptTemplate.from_template("{context}\n\n{question}")


def rag(retriever, model):
    def answered(arguments):
        return {**arguments, "answer": (PROMPT | model | StrOutputParser()).invoke(arguments)}

    return {"context": retriever, "question": RunnablePassthrough()} | RunnableLambda(answered)


def test_the_retriever_gives_paragraphs_with_their_exact_offsets():
    outcome = CitewellRetriever(documents=[DOCUMENT], k=2).invoke("revenue in 2025")
    assert len(outcome) == 2
    assert outcome[0].page_content.startswith("Revenue rose")
    for result in outcome:
        assert TEXT[result.metadata["start_index"] : result.metadata["end_index"]] == result.page_content
        assert result.metadata["document_id"] == DOCUMENT.id
    assert [result.id for result in outcome] == [f"{DOCUMENT.id}:{result.metadata['segment_id']}" for result in outcome]


def test_the_retriever_ranks_a_library_by_its_own_index(tmp_path):
    pytest.importorskip("alembic")
    (tmp_path / "harbour.txt").write_text(TEXT, encoding="utf-8")
    with citewell.Library(tmp_path / "reports", create=True) as library:
        library.add([tmp_path / "harbour.txt"])
        (result,) = CitewellRetriever(library=library, k=1).invoke("How much revenue?")
    assert TEXT[result.metadata["start_index"] : result.metadata["end_index"]] == result.page_content
    assert result.page_content.startswith("Revenue")
    assert result.metadata["source"].endswith("harbour.txt")


def test_a_retriever_of_nothing_or_of_two_things_is_refused():
    for arguments in ({}, {"documents": [DOCUMENT], "library": object()}):
        with pytest.raises(UsageError, match="either documents or a library"):
            CitewellRetriever(**arguments).invoke("revenue")


@pytest.mark.parametrize(
    "model", [FakeListLLM(responses=[WRITTEN]), FakeListChatModel(responses=[WRITTEN])], ids=["llm", "chat"]
)
def test_a_chain_gets_citations_that_are_ranges_of_its_chunks_and_of_the_whole(model):
    chain = rag(RunnableLambda(lambda _: PIECES), model) | Cite(sources={"harbour.txt": DOCUMENT})
    result = chain.invoke(QUESTION)
    assert [statement.label for statement in result["cited"].answer.statements] == ["supported", "contradicted"]
    assert len(result["citations"]) == 1  # what is contradicted carries none
    assert len(result["cited"].places) == 2
    assert all(in_both(place, TEXTS) for place in result["citations"])
    assert result["answer"] == WRITTEN
    json.dumps(result["citations"])


def test_the_chain_works_asynchronously_in_batches_and_as_a_stream():
    chain = rag(RunnableLambda(lambda _: PIECES), FakeListLLM(responses=[WRITTEN])) | Cite()
    expected = chain.invoke(QUESTION)["citations"]
    assert asyncio.run(chain.ainvoke(QUESTION))["citations"] == expected
    assert [item["citations"] for item in chain.batch([QUESTION, QUESTION])] == [expected] * 2
    assert list(chain.stream(QUESTION))[-1]["citations"] == expected


def test_what_our_retriever_gives_leads_a_citation_back_to_the_document():
    chain = rag(CitewellRetriever(documents=[DOCUMENT], k=3), FakeListLLM(responses=[WRITTEN])) | Cite(
        sources=[DOCUMENT]
    )
    result = chain.invoke(QUESTION)
    assert {place["source"] for place in result["citations"]} == {DOCUMENT.id}
    assert all(in_both(place, [outcome.page_content for outcome in result["context"]]) for place in result["citations"])


def test_the_message_has_langchains_own_citations_which_our_audit_reads():
    cited = cite({"answer": WRITTEN, "context": PIECES})
    text = message(cited)
    assert text.text == f"{WRITTEN} (⊗ contradicted: says Three; the evidence says Two)"
    annotations = text.content_blocks[0]["annotations"]
    words = [WRITTEN[annotation["start_index"] : annotation["end_index"]] for annotation in annotations]
    assert words == ["Revenue rose to $5.9 million in 2025"]
    assert annotations[0]["cited_text"] == cited.places[0].quote
    assert annotations[0]["extras"]["citewell"]["start"] == cited.places[0].start
    audited = citewell.audit(json.loads(json.dumps(text.model_dump())), [DOCUMENT])
    assert audited.form == "langchain"
    assert [entry.located.citation.start for entry in audited.citations] == [place.start for place in cited.supporting]


def test_pages_that_loaders_count_from_0_are_counted_from_1():
    cited = cite({"answer": WRITTEN, "context": [Piece(page_content=TEXT, metadata={"source": "a.pdf", "page": 0})]})
    assert {(place.page, place.start) for place in cited.places} == {(1, None)}


def test_an_input_without_answer_or_documents_is_refused_by_name():
    with pytest.raises(UsageError, match="the input has no answer: none of the fields answer, result"):
        Cite().invoke({"context": PIECES})
    with pytest.raises(UsageError, match="the input has no documents: none of the fields passages"):
        Cite(context="passages").invoke({"answer": "a", "context": PIECES})
    with pytest.raises(UsageError, match="a text or a message, not int"):
        Cite().invoke({"answer": 3, "context": PIECES})


def test_the_callback_cites_a_chain_that_knows_nothing_of_it():
    chain = rag(CitewellRetriever(documents=[DOCUMENT], k=3), FakeListLLM(responses=[WRITTEN]))
    callback = CitewellCallback(sources=[DOCUMENT])
    chain.invoke(QUESTION, {"callbacks": [callback]})
    (cited,) = callback.results
    assert (cited.answer.text, cited.answer.question) == (WRITTEN, QUESTION)
    assert [TEXT[place.start : place.end] for place in cited.places] == [place.quote for place in cited.places]
    assert len(cited.places) == 2


def test_the_callback_keeps_runs_apart_and_forgets_those_that_fail_or_retrieve_nothing():
    callback = CitewellCallback()
    chain = rag(CitewellRetriever(documents=[DOCUMENT]), FakeListLLM(responses=[WRITTEN]))
    chain.batch([QUESTION, "Was a ferry sold?"], {"callbacks": [callback]})
    assert sorted(cited.answer.question for cited in callback.results) == ["Was a ferry sold?", QUESTION]

    def fail(_):
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        (chain | RunnableLambda(fail)).invoke(QUESTION, {"callbacks": [callback]})
    RunnableLambda(lambda text: text).invoke("Nothing was retrieved.", {"callbacks": [callback]})
    assert len(callback.results) == 2
    assert (callback._roots, callback._retrieved, callback._questions) == ({}, {}, {})


def test_the_evaluator_scores_what_langsmith_hands_it():
    from uuid import uuid4

    from langsmith.evaluation import run_evaluator
    from langsmith.schemas import Run

    outputs = {"answer": WRITTEN, "context": PIECES}
    evaluate = CitewellEvaluator()
    assert evaluate(outputs=outputs)["score"] == 0.5
    assert evaluate(outputs=outputs)["comment"].startswith("contradicted: Three ferries")
    assert evaluate(outputs={"answer": "Thank you!", "context": PIECES})["score"] is None
    run = Run(
        id=uuid4(),
        name="rag",
        run_type="chain",
        start_time="2025-01-01T00:00:00",
        inputs={"question": QUESTION},
        outputs=outputs,
        trace_id=uuid4(),
    )
    judged = run_evaluator(lambda run, example: evaluate(outputs=run.outputs, inputs=run.inputs)).evaluate_run(run)
    assert (judged.key, judged.score) == ("citewell_support", 0.5)


def test_documents_for_an_index_have_their_offsets():
    result = documents([DOCUMENT], "sentence")
    assert [TEXT[result.metadata["start_index"] : result.metadata["end_index"]] for result in result] == [
        result.page_content for result in result
    ]
    assert len({result.id for result in result}) == len(result) == 6


class TestStandard:
    """LangChain's own suite for retrievers, where it is installed."""

    @pytest.fixture(autouse=True)
    def suite(self):
        tests = pytest.importorskip("langchain_tests.integration_tests")

        settings = {
            "retriever_constructor": CitewellRetriever,
            "retriever_constructor_params": {"documents": [DOCUMENT]},
            "retriever_query_example": "harbour ferries revenue 2025",
        }
        self.tests = type("Ours", (tests.RetrieversIntegrationTests,), settings)()
        self.retriever = CitewellRetriever(documents=[DOCUMENT])

    def test_k_of_the_constructor(self):
        self.tests.test_k_constructor_param()

    def test_k_of_a_call(self):
        self.tests.test_invoke_with_k_kwarg(self.retriever)

    def test_documents_come_back(self):
        self.tests.test_invoke_returns_documents(self.retriever)

    def test_documents_come_back_asynchronously(self):
        asyncio.run(self.tests.test_ainvoke_returns_documents(self.retriever))


def test_a_stream_brings_each_statement_when_it_is_judged():
    def pieces(given):
        list(given)
        yield AddableDict(context=PIECES, question=QUESTION)
        for number in range(0, len(WRITTEN), 7):
            yield AddableDict(answer=WRITTEN[number : number + 7])

    chain = RunnableGenerator(pieces) | Cite()
    streamed = list(chain.stream(QUESTION))
    marked = [piece["marked"] for piece in streamed if "marked" in piece]
    assert len(marked) == 2
    assert "".join(marked) == streamed[-1]["cited"].marked
    assert marked[0] == "Revenue rose to $5.9 million in 2025. [2]"
    assert "citations" not in streamed[0]


def test_a_state_of_messages_gets_its_reply_with_citations():
    messages = [
        HumanMessage(QUESTION), AIMessage("", tool_calls=[{"name": "search", "args": {}, "id": "t"}]),
        ToolMessage("found", artifact=PIECES, tool_call_id="t"), AIMessage(WRITTEN, id="reply"),
    ]  # fmt: skip
    update = Cite().invoke({"messages": messages})
    (reply,) = update["messages"]
    assert (reply.id, len(update["citations"])) == ("reply", 1)
    assert "(⊗ contradicted: " in reply.text
    assert len(reply.content_blocks[0]["annotations"]) == 1
    with pytest.raises(UsageError, match="no reply"):
        Cite().invoke({"messages": messages[:1]})


def test_files_are_loaded_and_documents_compressed_with_exact_offsets():
    loaded = CitewellLoader([DOCUMENT]).load()
    assert all(
        DOCUMENT.text[one.metadata["start_index"] : one.metadata["end_index"]] == one.page_content for one in loaded
    )
    kept = CitewellCompressor(k=1).compress_documents(PIECES, "Revenue in 2025")
    (place,) = kept[0].metadata["citewell"]
    assert kept[0].page_content[place["chunk_start"] : place["chunk_end"]] == place["quote"]
    assert "citewell" not in PIECES[0].metadata


INVENTED = "The captain of the airship resigned yesterday."


@pytest.mark.parametrize("context", [PIECES, []])
@pytest.mark.parametrize(
    ("policy", "says"), [("refuse", "No answer: "), ("drop", "No answer: "), ("mark", "(✗ not supported")]
)
def test_a_reply_that_nothing_supports_reads_as_the_policy_says(context, policy, says):
    usage = {"input_tokens": 5, "output_tokens": 3, "total_tokens": 8}
    written = AIMessage(INVENTED, id="r", usage_metadata=usage, response_metadata={"model_name": "m"}, name="desk")
    update = Cite(on_unsupported=policy).invoke({"messages": [HumanMessage(QUESTION), written], "context": context})
    (reply,) = update["messages"]
    assert says in reply.text
    assert (reply.text.startswith(INVENTED)) == (policy == "mark")
    assert (reply.id, reply.usage_metadata, reply.response_metadata, reply.name) == (
        "r",
        usage,
        {"model_name": "m"},
        "desk",
    )
    assert update["citations"] == []
    assert not any(block.get("annotations") for block in reply.content)
