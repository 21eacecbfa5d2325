"""A question that many documents of a library answer alike is not answered from one of them."""

import json

import pytest

from citewell import Document, Library
from citewell.audit.recheck import again
from citewell.cli import main

TOWNS = ("Almere", "Brugge", "Celle", "Dreux", "Evora", "Fulda", "Gouda", "Halle")
VAGUE, NAMING = "When was the council meeting opened?", "When was the council meeting of Celle opened?"


def minutes(town: str, number: int) -> Document:
    return Document.from_text(
        f"The council meeting was opened at {number + 6} o'clock in the town hall.\n\n"
        f"The harbour of {town} was dredged.",
        f"Minutes of {town}",
    )


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    place = tmp_path_factory.mktemp("doubt") / "minutes.lib"
    with Library(place, create=True) as library:
        library.add([minutes(town, number) for number, town in enumerate(TOWNS)])
        yield library


def test_where_many_documents_could_be_meant_the_library_withholds_and_names_some(library):
    answer = library.ask(VAGUE)
    assert answer.abstention.reason == "low_confidence"
    assert "at least 6 documents could be meant, the likeliest with 7%" in answer.abstention.message
    assert answer.abstention.score is None
    assert answer.abstention.message.count("Minutes of ") == 3


def test_a_question_that_names_its_document_is_answered_from_it(library):
    answer = library.ask(NAMING)
    assert "8 o'clock" in answer.text
    assert {citation.document_id for citation in answer.citations} == {minutes("Celle", 2).id}


def test_a_question_that_one_document_answers_best_is_answered(library):
    answer = library.ask("Where was the harbour of Gouda dredged?", where="title ~ Minutes")
    assert not answer.abstained
    assert {citation.document_id for citation in answer.citations} == {minutes("Gouda", 6).id}


def test_five_documents_can_all_be_read_so_that_none_is_doubted(library):
    few = " or ".join(f"title ~ {town}" for town in TOWNS[:5])
    assert not library.ask(VAGUE, where=few).abstained


def test_what_was_withheld_is_the_same_when_it_is_made_again(library):
    answer = library.ask(VAGUE)
    assert again(answer, [minutes(town, number) for number, town in enumerate(TOWNS)]) == answer


def test_the_command_line_and_a_batch_withhold_too(library, tmp_path, capsys):
    place = str(library.database)
    assert main(["ask", "--library", place, "--json", VAGUE]) == 0
    assert "could be meant" in json.loads(capsys.readouterr().out)["abstention"]["message"]
    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(json.dumps({"id": str(n), "question": q}) + "\n" for n, q in enumerate((VAGUE, NAMING))))
    main(["batch", "ask", "--in", str(rows), "--out", str(tmp_path / "out"), "--library", place, "--quiet"])
    lines = [json.loads(line) for line in (tmp_path / "out" / "results.jsonl").read_text().splitlines()]
    assert {line["id"]: line["result"]["abstained"] for line in lines} == {"0": True, "1": False}
