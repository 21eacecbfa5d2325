"""Kept results in a library's database, in a folder and on a server: who sees them, and with what they go."""

import pytest

from citewell import Document
from citewell.errors import LibraryError
from citewell.library.history import History, Record
from citewell.library.kept import Correction
from citewell.library.library import Library
from citewell.library.store import histories
from citewell.library.store.histories import new_id


@pytest.fixture(params=["folder", pytest.param("server", marks=pytest.mark.slow)])
def place(request, tmp_path):
    return str(tmp_path / "library") if request.param == "folder" else request.getfixturevalue("postgres").database()


def make_entry(entries, title="Did it freeze?"):
    result = {"text": "It\x00 froze \ud800 [1].", "score": 0.5}
    return Record("ask", title, {"question": title}, result, {"supported": 2}, ["It\x00 froze"], entries)


def correction(history, entry, label="contradicted"):
    cited = [{"document_id": entry.id, "start": 0, "end": 3, "quote": "The"}]
    when = history.entries()[0].created
    name = history.entries()[0].id
    text = ("It froze.", "supported", label, cited)
    return Correction(new_id(), name, "ann", when, 0, *text, moved=True, note="Fähre 100%")


def test_what_is_kept_comes_back_as_it_was(place):
    with Library(place, create=True) as library:
        library.add([Document.from_text("The harbour froze.", title="Harbour")])
        history = History(library)
        name = history.keep(make_entry(library.entries()))
        kept = history.entry(name)
    with Library(place) as again:
        assert History(again).entry(name) == kept
    assert kept.request == {"question": "Did it freeze?"}
    assert kept.result == {"text": "It\x00 froze \ud800 [1].", "score": 0.5}
    payload = kept.summary.to_dict()
    assert (payload["labels"], payload["documents"][0]["title"]) == ({"supported": 2}, "Harbour")


def test_entries_and_corrections_go_with_their_documents(place):
    with Library(place, create=True) as library:
        library.add([Document.from_text("The harbour froze."), Document.from_text("The mine was shut.")])
        harbour, mine = library.entries()
        history = History(library)
        history.keep(make_entry([mine]))
        history.correct(correction(history, harbour), [harbour])
        history.correct(correction(history, mine), [mine])
        assert [correction.note for correction in history.corrections()] == ["Fähre 100%"] * 2
        history.keep(make_entry([harbour, mine], "Both?"))
        library.remove([harbour.id])
        assert [correction.title for correction in history.entries()] == ["Did it freeze?"]
        assert [correction.citations[0]["document_id"] for correction in history.corrections()] == [mine.id]
        library.remove([mine.id])
        assert history.entries() == history.corrections() == []


def test_what_quotes_a_document_that_is_gone_is_not_kept(place):
    with Library(place, create=True) as library:
        library.add([Document.from_text("The harbour froze.")])
        entries, history = library.entries(), History(library)
        history.keep(make_entry([]))
        late = correction(history, entries[0])
        library.remove([entries[0].id])
        for keep in (lambda: history.keep(make_entry(entries)), lambda: history.correct(late, entries)):
            with pytest.raises(LibraryError, match="removed while"):
                keep()


def test_a_document_that_gets_another_label_takes_along_what_was_said_of_it(tmp_path):
    path = tmp_path / "harbour.txt"
    path.write_text("The harbour froze.")
    with Library(tmp_path / "library", create=True) as library:
        library.add([path])
        library.add([path], labels=["crew"])
    with Library(tmp_path / "library", labels=["crew", "mates"]) as crew:
        history = History(crew)
        history.keep(make_entry(crew.entries()))
        crew.add([path], labels=[])  # whoever reads the entry may still read the document
        assert len(history.entries()) == 1
        crew.add([path], labels=["office"])
        assert history.entries() == []


def test_a_caller_sees_the_rows_of_every_subset_of_their_labels():
    assert histories.visible(["b", "a"]) == ["[]", '["a"]', '["b"]', '["a", "b"]']
