"""What reading tells of a document, as fields to choose and to sort by."""

import json

import pytest

from citewell import Document
from citewell.cli import main
from citewell.library.library import Library

REPORT = """ANNUAL REPORT

Fiscal year ended June 30, 2023

March 4, 2024

Our business is the sale of boats. We sold forty boats in the year.
"""
PAPER = """# On the ageing of hulls

by Ada Lind and Tom Berg

## Abstract

We study forty hulls over nine years. In this paper we show that hulls of larch last longest.

## References
"""


@pytest.fixture
def place(tmp_path):
    with Library(tmp_path / "lib", create=True) as library:
        library.add([Document.from_text(REPORT, "Norrey Boats Inc. — 10-K")], data={"region": "north"})
        library.add([Document.from_text(PAPER, "On the ageing of hulls")])
        library.add([Document.from_text("The mill was built of stone. " * 9, "A mill of which the name is so long that no line of a terminal holds it")])  # fmt: skip
    return str(tmp_path / "lib")


@pytest.mark.parametrize(
    ("where", "titles"),
    [
        ("company ~ norrey", ["Norrey Boats Inc. — 10-K"]),
        ("author ~ lind", ["On the ageing of hulls"]),
        ("kind = 'annual report'", ["Norrey Boats Inc. — 10-K"]),
        ("kind = paper and language = en", ["On the ageing of hulls"]),
        ("period ~ 2023", ["Norrey Boats Inc. — 10-K"]),
        ("date >= 2024-01-01 and date < 2025", ["Norrey Boats Inc. — 10-K"]),
        ("year = 2023", ["Norrey Boats Inc. — 10-K"]),
    ],
)
def test_documents_are_chosen_by_what_their_first_pages_tell(place, where, titles):
    with Library(place) as library:
        assert [entry.title for entry in library.entries(where)] == titles


def test_a_field_of_ones_own_goes_before_what_was_read(tmp_path):
    with Library(tmp_path / "lib", create=True) as library:
        library.add(
            [Document.from_text(REPORT, "Norrey Boats Inc. — 10-K")], data={"company": "Sudd", "kind": "filing"}
        )
        assert [len(library.entries(where)) for where in ("company = sudd", "kind = filing", "company ~ norrey")] == [
            1,
            1,
            0,
        ]


def test_a_list_is_short_and_sorted(place, capsys):
    assert main(["library", "list", "--library", place, "--sort", "title", "--reverse"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) < 140
    assert [line.split()[1] for line in lines[1:]] == ["On", "Norrey", "A"]
    assert "no line of a terminal" not in "".join(lines)
    assert main(["library", "list", "--library", place, "--long", "--sort", "year"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "Norrey" in lines[1]  # the one with a year; the others as they came
    assert "no line of a terminal holds it" in lines[3]
    assert main(["library", "list", "--library", place, "--json", "--sort", "company"]) == 0
    documents = json.loads(capsys.readouterr().out)["documents"]
    assert [document["details"].get("author") for document in documents] == [
        "Ada Lind and Tom Berg",
        "Norrey Boats Inc.",
        None,
    ]


def test_an_older_library_has_no_details_until_documents_are_read_again(place):
    with Library(place) as library:
        with library.database.writing() as connection:
            connection.exec_driver_sql("UPDATE documents SET details = '{}'")
        assert library.entries("kind = paper") == []
