import sys

import pytest

import citewell
from citewell.errors import MissingExtraError
from citewell.export.columns import COLUMNS, rows, to_arrow, to_pandas

DOCUMENT = citewell.Document.from_text(
    "Two ferries were sold.\n\nRevenue rose to $5.9bn in 2022.", "Report", source="r.txt"
)
ANSWER = citewell.attribute(DOCUMENT, "Two ferries were sold. Whales sing in Peru.")


def test_there_is_a_row_for_each_citation_and_one_for_a_statement_without():
    first, second = rows(ANSWER)
    citation = ANSWER.citations[0]
    assert list(first) == list(second) == list(COLUMNS)
    assert first == {
        "statement": 0, "statement_text": "Two ferries were sold.", "statement_start": 0, "statement_end": 22,
        "label": "supported", "statement_score": ANSWER.statements[0].score, "citation": 0,
        "document_id": DOCUMENT.id, "document_title": "Report", "source": "r.txt", "segment_id": citation.segment_id,
        "granularity": "sentence", "quote": "Two ferries were sold.", "start": 0, "end": 22,
        "answer_start": 0, "answer_end": 21, "page": None, "rects": [], "score": citation.score, "method": "lexical",
    }  # fmt: skip
    assert (second["statement"], second["statement_text"], second["label"]) == (
        1,
        "Whales sing in Peru.",
        "not_supported",
    )
    assert [second[name] for name in list(COLUMNS)[6:]] == [None] * 15


def test_the_columns_are_those_that_the_docs_promise():
    """Renaming or moving one breaks the tables that people have saved."""
    assert list(COLUMNS) == [
        "statement", "statement_text", "statement_start", "statement_end", "label", "statement_score", "citation",
        "document_id", "document_title", "source", "segment_id", "granularity", "quote", "start", "end",
        "answer_start", "answer_end", "page", "rects", "score", "method",
    ]  # fmt: skip


def test_citations_of_verdicts_are_numbered_through():
    verdicts = citewell.check(DOCUMENT, ["Two ferries were sold.", "Revenue rose to $5.9bn in 2022."])
    result = list(rows(verdicts))
    assert [row["statement"] for row in result] == [0, 1]
    assert [row["citation"] for row in result] == [0, 1]
    assert result[1]["quote"] == "Revenue rose to $5.9bn in 2022."


def test_a_frame_keeps_whole_numbers_whole_beside_nulls():
    pytest.importorskip("pandas")
    frame = ANSWER.to_pandas()
    assert list(frame.columns) == list(COLUMNS)
    assert [str(kind) for kind in frame.dtypes[["start", "score", "quote", "rects"]]] == [
        "Int64",
        "Float64",
        "string",
        "object",
    ]
    assert frame["start"].tolist()[0] == 0
    assert frame["start"].isna().tolist() == [False, True]
    for of_nothing in (citewell.Answer(""), []):
        empty = to_pandas(of_nothing)
        assert (len(empty), list(empty.columns), str(empty["start"].dtype)) == (0, list(COLUMNS), "Int64")


def test_an_arrow_table_has_the_same_rows_with_types():
    pa = pytest.importorskip("pyarrow")
    table = ANSWER.to_arrow()
    assert table.to_pylist() == list(rows(ANSWER))
    assert table.schema.field("rects").type == pa.list_(pa.list_(pa.float64()))
    assert to_arrow(citewell.Answer("")).schema == table.schema


@pytest.mark.parametrize(
    ("package", "extra", "call"), [("pandas", "pandas", "to_pandas"), ("pyarrow", "parquet", "to_arrow")]
)
def test_what_is_not_installed_is_named(monkeypatch, package, extra, call):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"needs the package '{package}': pip install 'citewell\[{extra}\]'"):
        getattr(ANSWER, call)()
