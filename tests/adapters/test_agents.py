"""Tools, the guardrail and the validator in the frameworks' own loops, with models that follow a script."""

import asyncio
import json

import pytest

pytestmark = pytest.mark.slow

from citewell.adapters.agents import document_tools, unsupported
from citewell.pipeline import attribute
from harbour import DOCUMENT, QUESTION, TEXT, WRITTEN
from openai_server import KEY, Reply, serving

RIGHT = "Revenue rose to $5.9 million in 2025."
CALL = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "search_documents", "arguments": '{"query": "revenue"}'},
}


def offsets(line):
    """The place that a line of a tool's reply names, and the quote behind it."""
    place, _, quote = line.partition(": ")
    numbers = place.partition("characters ")[2].split(" to ")
    return TEXT[int(numbers[0]) : int(numbers[1])], quote


def test_tools_name_exact_places():
    search, answer, verify = document_tools(DOCUMENT, k=2)
    lines = search("revenue in 2025").splitlines()
    assert len(lines) == 2
    assert all(text == quote for text, quote in map(offsets, lines))
    assert search("xylophone") == "No passage has these words."
    marked, *places = answer(QUESTION).splitlines()
    assert marked.startswith(RIGHT + " [1]")
    assert all(text == quote for text, quote in map(offsets, places))
    assert answer("Who is the chair?").startswith("No answer")
    assert "⊗ contradicted: says Three" in verify(WRITTEN)


def test_unsupported_statements_are_named_with_their_reason():
    faults = unsupported(attribute(DOCUMENT, f"Here is what I found. {WRITTEN}"))
    assert faults == ["Three ferries were sold in March. (contradicted: says Three; the evidence says Two)"]


def test_a_guardrail_stops_what_the_documents_do_not_support():
    agents = pytest.importorskip("agents")
    from openai import AsyncOpenAI

    from citewell.adapters.openai_agents import guardrail, tools

    agents.set_tracing_disabled(disabled=True)

    async def run(url):
        async with AsyncOpenAI(api_key=KEY, base_url=url, max_retries=0) as client:
            agent = agents.Agent(
                name="Analyst",
                model=agents.OpenAIChatCompletionsModel("gpt-5-mini", client),
                tools=tools(DOCUMENT),
                output_guardrails=[guardrail(DOCUMENT)],
            )
            return (await agents.Runner.run(agent, QUESTION)).output_guardrail_results[0].output

    with serving("openai") as server:
        call = {"role": "assistant", "content": None, "tool_calls": [CALL]}
        server.replies = [
            Reply(body={"id": "1", "object": "chat.completion", "created": 1, "model": "gpt-5-mini",
                        "choices": [{"index": 0, "finish_reason": "tool_calls", "message": call}]}),
            Reply(RIGHT),
        ]  # fmt: skip
        output = asyncio.run(run(server.url))
        assert (output.tripwire_triggered, output.output_info["unsupported"]) == (False, [])
        assert output.output_info["answer"]["statements"][0]["label"] == "supported"
        sent = server.requests[1][2]["messages"][-1]
        assert sent["role"] == "tool"
        assert "Revenue rose to $5.9 million" in sent["content"]
        server.replies = [Reply(WRITTEN)]
        with pytest.raises(agents.OutputGuardrailTripwireTriggered):
            asyncio.run(run(server.url))


def test_a_validator_sends_a_false_statement_back_and_adds_places():
    pydantic_ai = pytest.importorskip("pydantic_ai")
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    from citewell.adapters.pydantic_ai import validator

    conversations = []

    def reply(messages, _):
        conversations.append(messages)
        match len(conversations):
            case 1:
                return ModelResponse([ToolCallPart("search_documents", {"query": "revenue"})])
            case 2:
                return ModelResponse([TextPart(WRITTEN)])
        return ModelResponse([TextPart(RIGHT)])

    agent = pydantic_ai.Agent(FunctionModel(reply), tools=document_tools(DOCUMENT))
    agent.output_validator(validator(DOCUMENT))
    marked, place = agent.run_sync(QUESTION).output.splitlines()
    assert marked == f"{RIGHT} [1]"
    assert offsets(place) == (RIGHT, RIGHT)
    retry = conversations[2][-1].parts[0].content
    assert "Three ferries were sold in March. (contradicted" in retry
    assert "Revenue rose" not in retry


def test_tools_are_those_of_smolagents():
    smolagents = pytest.importorskip("smolagents")
    search, *_ = map(smolagents.tool, document_tools(DOCUMENT))
    assert search.name == "search_documents"
    assert search.inputs["query"]["type"] == "string"
    assert RIGHT in search("revenue in 2025")


def test_tools_are_those_of_langchain():
    tools = pytest.importorskip("langchain_core.tools")
    search, answer, verify = map(tools.tool, document_tools(DOCUMENT))
    assert set(search.args) == {"query"}
    assert answer.invoke({"question": QUESTION}).startswith(RIGHT)
    assert "contradicted" in verify.invoke({"answer": WRITTEN})


def test_a_graph_cites_the_reply_of_its_model():
    graphs = pytest.importorskip("langgraph.graph")
    from langchain_core.messages import AIMessage, HumanMessage

    from citewell.adapters.langchain import Cite, CitewellRetriever

    class State(graphs.MessagesState):
        context: list
        citations: list

    retriever = CitewellRetriever(documents=DOCUMENT)
    graph = graphs.StateGraph(State)
    graph.add_node("retrieve", lambda state: {"context": retriever.invoke(state["messages"][-1].content)})
    graph.add_node("write", lambda _: {"messages": [AIMessage(WRITTEN, id="reply")]})
    graph.add_node("cite", Cite(sources=[DOCUMENT]))
    graph.set_entry_point("retrieve")
    graph.add_edge("retrieve", "write")
    graph.add_edge("write", "cite")
    state = graph.compile().invoke({"messages": [HumanMessage(QUESTION)]})
    assert len(state["messages"]) == 2
    assert state["messages"][-1].id == "reply"
    assert "(⊗ contradicted" in state["messages"][-1].text
    assert [TEXT[place["start"] : place["end"]] for place in state["citations"]] == [
        place["quote"] for place in state["citations"]
    ]
    assert json.dumps(state["citations"])
