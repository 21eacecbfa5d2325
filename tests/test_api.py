"""The API as people try it first: paths, plain functions, results that save and show themselves."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import citewell
from citewell.errors import AnswerFormatError, BackendError, DocumentError, ReplyError, SpecError, UsageError
from citewell.pipeline import Pipeline
from citewell.registry import build

TEXT = "The harbour froze in January 2021. Revenue rose to $5.9bn in 2022.\n\nTwo ferries were sold."


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "report.txt"
    file.write_text(TEXT)
    return file


def test_chunks_may_be_mappings_with_data_of_ones_own():
    document = citewell.Document.from_chunks([{"id": "a", "text": "One fish.", "page": 3}, {"id": "b", "text": "Two."}])
    chunk = document.chunk_at(citewell.attribute(document, "One fish.").citations[0])
    assert (chunk.id, chunk.data) == ("a", {"page": 3})


def test_paths_are_read_by_every_verb(path):
    answer = citewell.ask(str(path), "What was revenue in 2022?")
    assert "5.9bn" in answer.text
    assert answer.citations == citewell.ask(path, "What was revenue in 2022?").citations
    document = citewell.read(path)
    assert citewell.attribute([path, document], "Two ferries were sold.").statements[0].label == "supported"
    assert citewell.check(path, "Two ferries were sold.")[0].label == "supported"
    assert citewell.audit("Two ferries were sold [2].", path).recall == 1.0
    assert citewell.verify(answer, path).ok
    assert citewell.verify(answer, [path]).ok


@pytest.mark.parametrize(("arguments", "error", "message"), [
    ("nothing.pdf", DocumentError, "nothing.pdf"), (3, UsageError, "a int is no document"),
    (b"x", UsageError, "a bytes is no document"), ([3], UsageError, "3 is not a Document"), ([], UsageError, "no document"),
])  # fmt: skip
def test_what_is_no_document_is_said(arguments, error, message):
    with pytest.raises(error, match=message):
        citewell.ask(arguments, "What?")


@pytest.mark.long
def test_the_package_that_audits_may_be_called_before_and_after_its_parts_are_imported():
    code = (
        "import citewell; d = citewell.Document.from_text('Two ferries were sold.')\n"
        "print(citewell.audit('Two ferries were sold [1].', d).recall)\n"
        "import citewell.audit.scores\n"
        "print(citewell.audit('Two ferries were sold [1].', d).recall)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split() == [
        "1.0",
        "1.0",
    ]


def test_a_function_is_a_language_model(path):
    prompts = []

    def model(prompt):
        prompts.append(prompt)
        return "Revenue was $5.9bn [1]."

    answer = citewell.ask(path, "What was revenue in 2022?", llm=model)
    assert answer.text == "Revenue was $5.9bn."
    assert answer.citations[0].quote == "Revenue rose to $5.9bn in 2022."
    assert "The harbour froze" in prompts[0]
    calls = []
    citewell.ask(path, "What was revenue in 2022?", llm=model, tell=calls.append)
    assert [part.statement.text for part in calls] == ["Revenue was $5.9bn."]


def test_a_language_model_that_fails_or_returns_no_text_is_named(path):
    def broken(prompt):
        raise ValueError("no luck")

    with pytest.raises(ReplyError, match="the function broken failed: ValueError: no luck"):
        citewell.ask(path, "What?", llm=broken)
    with pytest.raises(ReplyError, match="returns a int, not a text"):
        citewell.ask(path, "What?", llm=lambda prompt: 3)


@pytest.mark.parametrize(("message", "label", "score"), [
    (True, "supported", 1.0), (False, "not_supported", 0.0), (0.7, "supported", 0.7), (0.2, "not_supported", 0.2),
    ("partially_supported", "partially_supported", 0.5), ("contradicted", "contradicted", 0.0),
])  # fmt: skip
def test_a_function_is_a_checker(path, message, label, score):
    calls = []

    def judge(claim, evidence):
        calls.append((claim, evidence))
        return message

    (verdict,) = citewell.check(path, "Two ferries were sold.", checker=judge)
    assert (verdict.label, verdict.score, verdict.method) == (label, score, "judge")
    assert calls == [("Two ferries were sold.", "Two ferries were sold.")]


def test_a_checker_that_returns_something_else_is_named(path):
    for wrong in (None, 7, "perhaps"):
        with pytest.raises(BackendError, match="and not yes or no, a probability, or a label"):
            citewell.check(path, "Two ferries were sold.", checker=lambda claim, evidence, wrong=wrong: wrong)


def test_a_function_is_a_retriever(path):
    from citewell.attributors.retrieval import Retrieval

    def longest(query, texts):
        return [len(text) for text in texts]

    method = Retrieval(retriever=longest, k=1)
    answer = citewell.attribute(path, "Two ferries were sold.", method=method)
    assert answer.citations[0].quote == "The harbour froze in January 2021."
    for wrong, text in ((lambda query, texts: [1.0], "returned 1 scores for 3 texts"),
                        (lambda query, texts: ["a"] * len(texts), "no numbers")):  # fmt: skip
        with pytest.raises(BackendError, match=text):
            citewell.attribute(path, "Two ferries were sold.", method=Retrieval(retriever=wrong))


def test_what_is_no_back_end_is_said_when_it_is_given(path):
    with pytest.raises(
        SpecError, match="a int is no checker: give a spec, an object with the method check, or a function"
    ):
        citewell.check(path, "a", checker=3)
    with pytest.raises(
        SpecError, match="a function is no attributor: give a spec, an object with the method attribute$"
    ):
        citewell.attribute(path, "a", method=lambda: None)
    with pytest.raises(SpecError, match="the class Pipeline is no llm"):
        citewell.ask(path, "a", llm=Pipeline)


def test_an_encoder_without_a_ranking_is_a_retriever_for_who_embeds():
    class Encoder:
        def embed(self, texts, *, passages=False):
            return [[1.0] for _ in texts]

    encoder = Encoder()
    assert build("retriever", encoder) is encoder


def results(path):
    yield citewell.ask(path, "What was revenue in 2022?")
    yield citewell.ask(path, "Who owns the airline in Peru?")  # an abstention with its nearest places
    yield citewell.ask(path, "What was revenue?", llm=lambda prompt: "It was $5.9bn [1]. It froze in 1990 [1].")
    yield citewell.attribute(path, "Two ferries were sold.", granularity="window", spans=[(4, 11)])


def test_json_comes_back_as_the_same_value(path):
    for answer in results(path):
        assert citewell.Answer.from_json(answer.to_json()) == answer
        assert citewell.Answer.from_json(answer.to_json(indent=2)) == answer
    for verdict in citewell.check(path, ["Two ferries were sold.", "Three ferries were sold in 2021."]):
        assert citewell.Verdict.from_json(verdict.to_json()) == verdict
    for text in ("{", "[]", "{}", "null"):
        with pytest.raises(AnswerFormatError):
            citewell.Answer.from_json(text)
        with pytest.raises(AnswerFormatError):
            citewell.Verdict.from_json(text)


@pytest.mark.long
def test_a_result_is_saved_by_the_suffix_of_its_file(path, tmp_path):
    answer = citewell.ask(path, "What was revenue in 2022?")
    for name in ("a.json", "a.HTML", "a.md"):
        answer.save(tmp_path / name, path)
    assert citewell.Answer.from_json((tmp_path / "a.json").read_text()) == answer
    assert (tmp_path / "a.HTML").read_text() == answer.to_html(path)
    assert "The harbour froze" in answer.to_html(path)  # the document beside it
    assert "The harbour froze" not in answer.to_html()
    assert (tmp_path / "a.md").read_text() == answer.to_markdown() + "\n"
    with pytest.raises(UsageError, match="a result is saved as .*or .ris"):
        answer.save(tmp_path / "a.txt")


def test_a_notebook_shows_the_page_in_a_frame_that_it_cannot_leave():
    document = citewell.Document.from_text('Revenue rose to "5" <b>&</b> more in 2022.')
    html = citewell.ask(document, "What was revenue in 2022?")._repr_html_()
    assert html.startswith('<iframe sandbox="allow-scripts"')
    assert html.count('"') == 6  # of its three attributes: none of the page ends one
    assert "<b>" not in html


CHUNKS = [
    ("a-1", "# Harbour\n\nThe harbour froze in January 2021.", {"url": "https://x/a", "page": 3}),
    ("empty", ""),
    ("b-7", "Revenue rose to $5.9bn in 2022.\n\nTwo ferries were sold."),
]


def test_chunks_keep_their_ids_and_data_which_citations_lead_back_to():
    document = citewell.Document.from_chunks(CHUNKS, "Report")
    answer = citewell.attribute(document, "Two ferries were sold. The harbour froze in January 2021.")
    result = [document.chunk_at(citation) for citation in answer.citations]
    assert [chunk.id for chunk in result] == ["b-7", "a-1"]
    assert result[1].data == {"url": "https://x/a", "page": 3}
    assert all(
        document.text[chunk.start : chunk.end] == text
        for chunk, (_, text, *_) in zip(document.chunks, CHUNKS, strict=True)
    )


def test_chunks_are_saved_with_their_document_and_pickled(tmp_path):
    import pickle

    document = citewell.Document.from_chunks(CHUNKS)
    document.save(tmp_path / "document.json")
    assert citewell.Document.load(tmp_path / "document.json") == document
    assert pickle.loads(pickle.dumps(document)).chunks == document.chunks  # noqa: S301  (our own)
    assert hash(document) == hash(citewell.Document.from_chunks(CHUNKS))
    assert "chunks" not in citewell.Document.from_text("One.").to_dict()


def test_two_chunks_of_one_id_or_without_any_text_are_refused_and_between_chunks_is_none():
    with pytest.raises(UsageError, match="two chunks have the id 'a'"):
        citewell.Document.from_chunks([("a", "One."), ("a", "Two.")])
    with pytest.raises(citewell.DocumentError, match="has no text"):
        citewell.Document.from_chunks([("a", ""), ("b", " ")])
    for chunk in (
        {"id": "a"},
        {"text": "One."},
        ("a",),
        ("a", b"One."),
        ("a", "One.", 5),
        ("a", "One.", {}, {}),
    ):
        with pytest.raises(citewell.InputError, match="an id and a text"):
            citewell.Document.from_chunks([chunk])
    document = citewell.Document.from_chunks([("a", "One."), ("b", "Two.")])
    at = [chunk and chunk.id for chunk in map(document.chunk_at, range(len(document.text) + 1))]
    assert at == ["a"] * 4 + [None] * 2 + ["b"] * 4 + [None]
    assert citewell.Document.from_text("One.").chunk_at(0) is None


@given(st.text(st.characters(max_codepoint=0x1FFFF), max_size=30))
def test_offsets_in_other_units_are_those_of_the_encoded_text(text):
    document = citewell.Document.from_text("a" + text)
    whole = document.text.encode("utf-8", "surrogatepass"), document.text.encode("utf-16-le", "surrogatepass")
    for offset in range(len(document.text) + 1):
        assert (
            whole[0][: document.offset_in("utf-8", offset)].decode("utf-8", "surrogatepass") == document.text[:offset]
        )
        assert (
            whole[1][: 2 * document.offset_in("utf-16", offset)].decode("utf-16-le", "surrogatepass")
            == document.text[:offset]
        )
        line, column = document.line_column(offset)
        assert sum(len(part) + 1 for part in document.text.split("\n")[: line - 1]) + column - 1 == offset
