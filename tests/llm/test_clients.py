"""What people have at hand as `llm=`: functions of every kind, clients, models of frameworks; and short reprs."""

import asyncio

import pytest

import citewell
import openai_server
from citewell.errors import SpecError, UsageError
from citewell.llm.costs import cost
from citewell.registry import build

TRUE = "Revenue rose to $5.9bn in 2022."
DOCUMENT = citewell.Document.from_text(f"{TRUE} Two ferries were sold in March.")
QUESTION = "What was revenue in 2022?"


async def awaited(prompt):
    await asyncio.sleep(0)
    return f"{TRUE} [1]"


async def streamed_later(prompt):
    for piece in (TRUE[:10], TRUE[10:], " [1]"):
        yield piece


def streamed(prompt):
    yield from (TRUE[:10], TRUE[10:], " [1]")


@pytest.mark.parametrize("function", [awaited, streamed, streamed_later, lambda _: iter([TRUE, " [1]"])])
def test_any_kind_of_function_answers(function):
    answer = citewell.ask(DOCUMENT, QUESTION, llm=function)
    assert (answer.text, answer.statements[0].label) == (TRUE, "supported")


def test_a_function_answers_inside_a_running_loop():
    async def main():
        return citewell.ask(DOCUMENT, QUESTION, llm=awaited)

    assert asyncio.run(main()).text == TRUE


def test_a_function_that_yields_no_text_is_told():
    with pytest.raises(citewell.BackendError, match="yields a int, not a text"):
        citewell.ask(DOCUMENT, QUESTION, llm=lambda _: iter([1]))


@pytest.mark.parametrize("kind", ["OpenAI", "AsyncOpenAI"])
def test_a_client_of_openai_answers(kind):
    openai = pytest.importorskip("openai")
    with openai_server.serving("openai", f"{TRUE} [1]") as server:
        client = getattr(openai, kind)(api_key=openai_server.KEY, base_url=server.url)
        answer = citewell.ask(DOCUMENT, QUESTION, llm=(client, "gpt-x"))
        assert (answer.text, server.requests[0][2]["model"]) == (TRUE, "gpt-x")


def test_a_client_of_anthropic_answers():
    anthropic = pytest.importorskip("anthropic")
    with openai_server.serving("anthropic", f"{TRUE} [1]") as server:
        client = anthropic.Anthropic(api_key=openai_server.KEY, base_url=server.url)
        assert citewell.ask(DOCUMENT, QUESTION, llm=(client, "claude-x")).text == TRUE


def test_a_client_without_a_model_is_told_how(monkeypatch):
    openai = pytest.importorskip("openai")
    monkeypatch.delenv("OPENAI_MODEL", raising=False)
    with openai_server.serving("openai") as server:
        client = openai.OpenAI(api_key=openai_server.KEY, base_url=server.url, max_retries=0)
        with pytest.raises(SpecError, match=r"give \(client, 'model name'\), or set OPENAI_MODEL"):
            citewell.ask(DOCUMENT, QUESTION, llm=client)
        monkeypatch.setenv("OPENAI_MODEL", "gpt-y")
        assert build("llm", client).model == "gpt-y"


def test_models_of_langchain_answer():
    models = pytest.importorskip("langchain_core.language_models")
    for model in (models.FakeListChatModel(responses=[f"{TRUE} [1]"]), models.FakeListLLM(responses=[f"{TRUE} [1]"])):
        assert citewell.ask(DOCUMENT, QUESTION, llm=model).text == TRUE


def test_models_of_llama_index_answer():
    mock = pytest.importorskip("llama_index.core.llms.mock")
    answer = citewell.ask(DOCUMENT, QUESTION, llm=mock.MockLLM())
    assert QUESTION in answer.text  # it says the prompt again


def test_texts_and_chunks_are_documents_as_they_are():
    answer = citewell.attribute([TRUE, "Two ferries were sold in March 2021, said the board."], TRUE)
    assert answer.cited(0)[0].quote == TRUE
    assert answer.cited(answer.statements[0]) == answer.cited(0)
    assert [chunk.id for chunk in citewell.Document.from_chunks([TRUE, "Costs fell."]).chunks] == ["0", "1"]
    with pytest.raises(citewell.DocumentError, match="there is no file"):
        citewell.attribute(["my own annual report 2022.pdf"], TRUE)


def test_a_table_of_prices_is_held_to_its_form(tmp_path):
    table = tmp_path / "prices.json"
    for wrong in ("[]", "{}", '{"gpt-x": {"input": 1, "output": 2}}', '{"openai": {"gpt-x": {"input": "1"}}}', "no"):
        table.write_text(wrong)
        with pytest.raises(UsageError, match="prices"):
            cost("openai", "gpt-x", 1_000_000, 0, str(table))
        table.unlink()
        table = tmp_path / f"{len(wrong)}-prices.json"
    table.write_text('{"openai": {"gpt-x": {"input": 1.5, "output": 2}}}')
    assert cost("openai", "gpt-x", 1_000_000, 0, str(table)) == 1.5


def test_reprs_are_short():
    document = citewell.Document.from_text("A ferry sank in the harbour. " * 5000)
    answer = citewell.attribute(document, "A ferry sank in the harbour. " * 50)
    audit = citewell.audit("A ferry sank in May [1]. " * 50 + "\n\nSources:\n[1] harbour.txt", document)
    for value in (document, answer, audit):
        assert repr(value).count("\n") < 10
        assert len(repr(value)) < 2000
