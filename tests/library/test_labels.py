"""What a caller may not see never shows: in hits, scores, answers, verdicts, lists, failures, errors, or a batch."""

import json
from itertools import count

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from citewell import Document
from citewell.cli import main
from citewell.errors import LibraryError, UsageError
from citewell.library.batch.job import Job, Worker
from citewell.library.batch.rows import Row
from citewell.library.library import Library

WORDS = "ferry harbour froze ticket 12 Ärger Fähre und der nicht the was burned January 2024".split()
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=2, max_size=8).map(" ".join), min_size=1, max_size=3)
LABELS = st.sets(st.sampled_from("ab"))
QUESTIONS = ("When did the harbour burn?", "Fähre und Ärger", "12 ticket", "the was")
NUMBERS = count()


def visible_to(library):
    """All that a caller is shown, with documents by their titles: their numbers tell how many came before."""
    hits = [
        [(entry.title, hit.ordinal, hit.start, hit.end, hit.score) for entry, hit in library.search(question, 9)]
        for question in QUESTIONS
    ]
    about = [[entry.title for entry in library.about([question])] for question in QUESTIONS]
    answers = [library.ask(QUESTIONS[0]), library.attribute("The ferry was 12. The harbour froze.")]
    settings = [{**answer.to_dict(), "usage": None} for answer in answers]
    verdicts = [verdict.to_dict() for verdict in library.check(["The ferry burned.", "Ärger und Fähre"])]
    return hits, about, settings, verdicts, [entry.title for entry in library.entries()]


@pytest.mark.rare
@examples(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(TEXTS, LABELS), min_size=2, max_size=6), LABELS)
def test_hidden_documents_change_nothing_that_is_shown(tmp_path, texts, carried):
    documents = [
        (Document.from_text("\n\n".join(text), title=f"Report {number}"), labels)
        for number, (text, labels) in enumerate(texts)
    ]
    visible = [(document, labels) for document, labels in documents if labels <= carried]
    results = []
    for given_documents in (documents, visible):
        place = tmp_path / str(next(NUMBERS))
        with Library(place, create=True) as library:
            for document, labels in given_documents:
                library.add([document], labels=labels)
        with Library(place, labels=carried) as library:
            if not visible:
                with pytest.raises(UsageError, match="has no document"):
                    library.ask(QUESTIONS[0])
                return
            results.append(visible_to(library))
    assert results[0] == results[1]


@pytest.fixture
def place(tmp_path):
    """A library with a document for all, one for the board, and a file of the board's that cannot be read."""
    (tmp_path / "open.md").write_text("# Open report\n\nThe harbour froze in January.\n")
    (tmp_path / "closed.md").write_text("# Closed report\n\nThe harbour froze in March. The merger is secret.\n")
    (tmp_path / "closed.pdf").write_bytes(b"%PDF-1.7 nothing")
    with Library(tmp_path / "lib", create=True) as library:
        library.add([tmp_path / "open.md"])
        library.add([tmp_path / "closed.md", tmp_path / "closed.pdf"], labels=["board"])
        (closed,) = {entry.id for entry in library.entries()} ^ {entry.id for entry in _all(tmp_path)}
    return tmp_path / "lib", closed


def _all(folder):
    with Library(folder / "lib", labels=["board"]) as library:
        return library.entries()


def test_a_hidden_document_is_not_there_by_any_name(place):
    where, closed = place
    with Library(where) as library:
        for name in (closed, "closed.md", str(where.parent / "closed.md")):
            with pytest.raises(LibraryError, match="has no document"):
                library.document(name)
            with pytest.raises(LibraryError, match="has no document"):
                library.remove([name])
    assert len(_all(where.parent)) == 2


def test_what_could_not_be_read_is_told_to_those_who_might_have_seen_it(place, capsys):
    where, _ = place
    with Library(where) as library, Library(where, labels=["board"]) as theirs:
        assert library.failures() == []
        assert [failure.type for failure in theirs.failures()] == ["CorruptDocumentError"]
        library.refresh()
        assert library.failures() == []
    assert main(["library", "list", "--library", str(where)]) == 0
    assert "closed" not in capsys.readouterr().out


def test_a_file_that_can_be_read_in_the_end_has_the_labels_that_it_was_added_with(place):
    where, _ = place
    (where.parent / "closed.pdf").write_text("A merger, after all.")
    with Library(where) as library:
        assert library.refresh().added == 1
        assert [entry.title for entry in library.entries()] == ["Open report"]
    assert len(_all(where.parent)) == 3


def test_rows_of_a_batch_see_what_its_caller_sees(place):
    where, closed = place
    question = [
        {"question": "When did the harbour freeze?"},
        {"question": "Is the merger secret?", "documents": [closed]},
    ]
    for labels, months, kinds in (((), {"January"}, 1), (("board",), {"January", "March"}, 2)):
        worker = Worker(Job("ask", str(where), labels))
        payloads = [json.loads(line) for line, _ in worker.lines([Row(n, row) for n, row in enumerate(question)])]
        assert len(payloads[0]["result"]["documents"]) == kinds
        assert any(month in json.dumps(payloads[0]["result"]) for month in months)
        assert ("error" in payloads[1]) is (kinds == 1)
    assert "March" not in json.dumps(json.loads(Worker(Job("ask", str(where))).lines([Row(0, question[0])])[0][0]))


def test_one_text_is_no_set_of_labels(tmp_path):
    with pytest.raises(UsageError, match=r"labels are several texts: \['finance'\]"):
        Library(tmp_path / "a", labels="finance", create=True)
    with (
        Library(tmp_path / "b", create=True) as library,
        pytest.raises(UsageError, match="labels are several texts"),
    ):
        library.add([Document.from_text("One.")], labels="finance")
