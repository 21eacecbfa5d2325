"""Against the real pandas."""

import pytest

pytestmark = pytest.mark.slow
pd = pytest.importorskip("pandas")

import citewell.adapters.pandas  # noqa: F401  (registers the accessor)
from citewell.errors import UsageError
from citewell.export.columns import COLUMNS
from harbour import DOCUMENT, QUESTION, TEXT, WRITTEN, cut

PASSAGES = [{"text": text, "id": name, "source": "harbour", "start_index": start} for name, text, start in cut()]
CLAIMS = pd.DataFrame(
    {
        "claim": [
            "Two ferries were sold in March.",
            "Three ferries were sold in March.",
            None,
            "The café reopened on 2 May 2025.",
        ],
        "passage": [TEXT, DOCUMENT, TEXT, float("nan")],
        "passages": [PASSAGES, PASSAGES, PASSAGES, PASSAGES],
    },
    index=["a", "b", "c", "d"],
)


def test_claims_are_checked_row_by_row_and_the_result_has_the_frames_index():
    judged = CLAIMS.citewell.check("claim", evidence="passage")
    assert list(judged.index) == ["a", "b", "c", "d"]
    assert list(judged.label.astype(object)) == ["supported", "contradicted", pd.NA, pd.NA]
    assert list(judged.reasons[["c", "d"]]) == ["there is no claim", "there is no evidence to read"]
    assert judged.reasons["b"] == "says Three; the evidence says Two"
    assert TEXT[judged.chunk_start["a"] : judged.chunk_end["a"]] == judged.quote["a"]
    assert TEXT[judged.start["b"] : judged.end["b"]] == judged.quote["b"]
    assert judged.document_id["b"] == DOCUMENT.id
    frame = CLAIMS.assign(label=judged.label)
    assert frame.label["a"] == "supported"


def test_passages_lead_back_to_chunk_and_whole():
    judged = CLAIMS.citewell.check("claim", evidence="passages")
    row = judged.loc["d"]
    assert (row.chunk, row.document_id) == (2, "harbour")
    assert TEXT[row.start : row.end] == row.quote == PASSAGES[2]["text"][row.chunk_start : row.chunk_end]


def test_the_same_documents_may_serve_all_rows_and_repeated_indexes_do_no_harm():
    frame = CLAIMS.set_axis([7, 7, 7, 7])
    judged = frame.citewell.check(documents=[DOCUMENT])
    assert list(judged.index) == [7, 7, 7, 7]
    assert list(judged.label.astype(object)) == ["supported", "contradicted", pd.NA, "supported"]
    assert str(judged.score.dtype) == "Float64"


def test_answers_become_a_row_a_statement_and_citation_under_their_index():
    frame = pd.DataFrame({"answer": [WRITTEN, "", None], "passages": [PASSAGES] * 3}, index=["x", "y", "z"])
    citations = frame.citewell.attribute(evidence="passages")
    assert list(citations.index) == ["x", "x"]
    assert list(citations.label) == ["supported", "contradicted"]
    assert list(citations.chunk) == [1, 0]
    assert list(citations.columns) == [*COLUMNS, "chunk", "chunk_start", "chunk_end"]
    for row in citations.itertuples():
        assert PASSAGES[row.chunk]["text"][row.chunk_start : row.chunk_end] == row.quote
    whole = frame.citewell.attribute(documents=[DOCUMENT])
    assert all(TEXT[row.start : row.end] == row.quote for row in whole.itertuples())
    assert whole.chunk.isna().all()


def test_questions_are_answered_and_abstentions_have_no_rows():
    frame = pd.DataFrame({"question": [QUESTION, "Who is the captain of the airship?"]})
    answer = frame.citewell.ask(documents=[DOCUMENT])
    assert list(answer.index.unique()) == [0]
    assert answer.quote.str.contains("5.9 million", regex=False).all()
    none = frame[1:].citewell.ask(documents=[DOCUMENT])
    assert (len(none), list(none.columns)) == (0, list(answer.columns))


def test_wrong_columns_and_evidence_given_twice_or_not_at_all_are_refused():
    with pytest.raises(UsageError, match="no column 'text'; it has: claim, passage, passages"):
        CLAIMS.citewell.check("text", evidence="passage")
    for arguments in ({}, {"evidence": "passage", "documents": [DOCUMENT]}):
        with pytest.raises(UsageError, match="either a column"):
            CLAIMS.citewell.check(**arguments)
