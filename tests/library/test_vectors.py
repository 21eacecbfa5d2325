"""Vectors in a library: kept with its paragraphs, gone with them, one encoder's alone, and mixed with words by hand."""

import hashlib
import json
import re
import sqlite3
import subprocess
import sys
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from alembic import command
from alembic.config import Config
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from citewell import Document
from citewell.cli import main
from citewell.errors import EncoderError, SpecError, UsageError
from citewell.library.library import Library
from citewell.library.search.mixed import Mix, mixed, quantized, similarities
from citewell.library.search.postings import Segment, merge, of_document
from citewell.library.search.rank import Ranking
from citewell.library.store.database import FILE, Database

SAME = {"vessel": "ship", "boat": "ship", "iced": "froze"}


@dataclass(frozen=True)
class Toy:
    """An encoder of 64 numbers, one for the hash of each word's meaning."""

    seed: int = 0
    batch: int = 64
    name: ClassVar[str] = "toy"

    def embed(self, texts, *, passages=False):
        rows = np.zeros((len(texts), 64), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"\w+", text.lower()):
                key = f"{SAME.get(word, word)}{self.seed}".encode()
                row[int(hashlib.md5(key, usedforsecurity=False).hexdigest(), 16) % 64] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


HARBOUR = Document.from_text("The harbour froze in January.", title="Harbour")
SHIP = Document.from_text("The ship sailed north.\n\nTickets were sold.", title="Ship")
VESSEL = Document.from_text("Some vessel sank.", title="Loss")


def opened(place, **more):
    return Library(place, create=True, encoder=Toy(), **more)


@pytest.fixture
def place(tmp_path):
    with opened(tmp_path / "library") as library:
        library.add([HARBOUR, SHIP, VESSEL])
    return tmp_path / "library"


def kept(library):
    """Each paragraph's vector by its document and place."""
    rows = {}
    for segment in library.snapshot().segments:
        owners = np.repeat(segment.numbers, np.diff(segment.ints("first")))
        for place, owner in enumerate(owners.tolist()):
            key = owner, int(segment.arrays["starts"][place])
            rows[key] = (segment.arrays["vectors"][place].tobytes(), float(segment.arrays["scales"][place]))
    return rows


def hits_of(library, question):
    return [(entry.title, hit.start) for entry, hit in library.search(question, 9)]


def test_a_row_is_whole_numbers_and_a_scale():
    rows, scales = quantized(np.array([[1.0, -0.5, 0.0], [0, 0, 0]], np.float32))
    assert rows.tolist() == [[127, -64, 0], [0, 0, 0]]  # half of 127 is rounded to the even number
    assert scales.tolist() == pytest.approx([1 / 127, 1])


def segment_of(matrix, *documents):
    begun, parts = 0, []
    for number, document in documents:
        arrays = of_document(number, document)
        count = len(arrays["starts"])
        parts.append(Segment({**arrays, **quantized(matrix[begun : begun + count]).arrays()}))
        begun += count
    return Segment(merge(parts, [np.ones(1, bool)] * len(parts)))


def test_words_and_meaning_are_mixed_by_hand():
    matrix = np.array([[1, 0], [0, 1], [0.5, 0.5]], np.float32)
    texts = ["Ferry ferry ferry.", "The ferry burned.", "The ferry sailed away from the islands."]
    segment = segment_of(matrix, *((n, Document.from_text(text)) for n, text in enumerate(texts)))
    ranking = Ranking([segment], [np.ones(3, bool)])
    scores, allowed = ranking.scores("ferry")
    query = quantized(np.array([[0, 1]], np.float32))
    assert similarities(segment, query).tolist() == pytest.approx([0, 1, 0.5])
    hits = mixed([segment], scores, allowed, Mix(query, 0.25, 9), 9)
    words = scores[0] / scores[0].max()
    expected = {n: 0.75 * float(words[n]) + 0.25 * near for n, near in enumerate([0, 1, 0.5])}
    assert {hit.document: hit.score for hit in hits} == pytest.approx(expected)
    assert [hit.document for hit in mixed([segment], scores, allowed, Mix(query, 1.0, 9), 9)] == [1, 2, 0]


WORDS = st.lists(st.sampled_from("ferry ship vessel the burned 12 harbour".split()), min_size=1, max_size=6)
TEXTS = st.lists(WORDS.map(" ".join), min_size=1, max_size=4).map("\n\n".join)


@examples(max_examples=40)
@given(st.lists(TEXTS, min_size=1, max_size=6), st.data())
def test_scores_do_not_depend_on_how_vectors_lie_in_segments(texts, data):
    documents = [(number, Document.from_text(text)) for number, text in enumerate(texts)]
    matrices = [Toy().embed([part.text for part in document.segments("paragraph")]) for _, document in documents]
    whole = segment_of(np.concatenate(matrices), *documents)
    order = data.draw(st.permutations(range(len(documents))))
    cut = data.draw(st.integers(0, len(documents)))
    parts = [
        segment_of(np.concatenate([matrices[n] for n in some]), *(documents[n] for n in some))
        for some in (order[:cut], order[cut:])
        if some
    ]
    query = quantized(Toy().embed(["the vessel burned"]))
    mix = Mix(query, 0.5, data.draw(st.integers(1, 9)), scan=data.draw(st.booleans()))

    def hits(*segments):
        ranking = Ranking(segments, [np.ones(len(segment.numbers), bool) for segment in segments])
        return mixed(segments, *ranking.scores("vessel burned"), mix, 4)

    assert hits(*parts) == hits(whole)
    merged = merge(parts, [np.ones(len(part.numbers), bool) for part in parts])
    assert np.array_equal(merged["vectors"], whole.arrays["vectors"])
    assert np.array_equal(merged["scales"], whole.arrays["scales"])


def test_the_other_word_for_it_is_found_by_meaning(place):
    with opened(place, retrieval="hybrid", scan=True) as library:
        assert hits_of(library, "vessel")[:2] == [("Loss", 0), ("Ship", 0)]
    with opened(place, retrieval="dense") as library:
        assert hits_of(library, "vessel") == [("Loss", 0)]  # only what shares a word is compared
    with opened(place) as library:
        assert hits_of(library, "vessel") == [("Loss", 0)]


def test_vectors_stay_as_they_are_when_segments_become_one(tmp_path, monkeypatch):
    with opened(tmp_path) as library:
        monkeypatch.setattr("citewell.library.index.TIER", 99)
        for document in (HARBOUR, SHIP, VESSEL):
            library.add([document])
        before, many = kept(library), len(library.snapshot().segments)
        monkeypatch.setattr("citewell.library.index.TIER", 2)
        library.add([Document.from_text("One more.")])
        after = kept(library)
        assert len(library.snapshot().segments) < many
        assert before.items() <= after.items()


def test_of_a_removed_document_the_vector_is_gone_too(place):
    with opened(place) as library:
        gone = quantized(Toy().embed(["Loss\nSome vessel sank."])).rows.tobytes()
        files = list((place / "segments").iterdir())
        assert any(gone in path.read_bytes() for path in files)
        library.remove([VESSEL.id])
        assert not any(gone in path.read_bytes() for path in place.rglob("*") if path.is_file())
        assert len(kept(library)) == 3


def test_documents_that_came_without_an_encoder_get_their_vectors_at_the_next_refresh(tmp_path, place):
    with Library(tmp_path / "late", create=True) as library:
        library.add([HARBOUR, SHIP])
    with opened(tmp_path / "late", retrieval="hybrid") as library:
        with pytest.raises(EncoderError, match="has no vectors: citewell library refresh .* --encoder SPEC"):
            library.search("ship", 1)
        library.refresh()
        assert hits_of(library, "ship") == [("Ship", 0), ("Ship", 24)]
        with Library(tmp_path / "late") as other:
            other.add([VESSEL])
        with pytest.raises(EncoderError, match=r"1 document\(s\) of .* have no vectors yet.*--encoder 'toy'"):
            library.search("ship", 1)
        library.add([])
        with opened(place) as fresh:
            assert sorted(kept(library).values()) == sorted(kept(fresh).values())


def test_another_encoder_is_refused_and_a_rebuild_takes_it(place):
    other = Library(place, encoder=Toy(seed=1), retrieval="dense")
    for change in (lambda: other.add([HARBOUR]), other.refresh, lambda: other.search("ship", 1)):
        with pytest.raises(EncoderError, match=r"were made by toy, not toy\(seed=1\): .*--rebuild"):
            change()
    assert other.rebuild() == 3
    assert hits_of(other, "ship")[0] == ("Ship", 0)
    with opened(place) as library, pytest.raises(EncoderError, match=r"were made by toy\(seed=1\), not toy"):
        library.add([HARBOUR])


def test_other_weights_under_the_same_name_are_refused(place, monkeypatch):
    monkeypatch.setattr(Toy, "embed", lambda _, texts, **_more: np.eye(len(texts), 64, dtype=np.float32))
    with opened(place, retrieval="dense") as library, pytest.raises(EncoderError, match="other weights under the name"):
        library.search("ship", 1)


def test_how_fast_an_encoder_works_does_not_make_it_another(place):
    with Library(place, encoder=Toy(batch=3), retrieval="dense") as library:
        assert hits_of(library, "ship")


def test_what_a_caller_may_not_see_changes_no_hit_and_no_score(tmp_path):
    with opened(tmp_path / "both") as library:
        library.add([SHIP, HARBOUR])
        library.add([VESSEL], labels=["crew"])
    with Library(tmp_path / "both", create=True) as library:  # hidden, and without vectors: nothing of it is told
        library.add([Document.from_text("A secret boat.")], labels=["crew"])
    with opened(tmp_path / "alone") as library:
        library.add([SHIP, HARBOUR])
    for scan in (False, True):
        with (
            opened(tmp_path / "both", retrieval="hybrid", scan=scan) as both,
            opened(tmp_path / "alone", retrieval="hybrid", scan=scan) as alone,
        ):
            results = [
                [(entry.title, hit.start, hit.score) for entry, hit in library.search("vessel ship january", 9)]
                for library in (both, alone)
            ]
            assert results[0] == results[1] != []


def test_a_library_of_the_first_tables_opens_and_takes_vectors(tmp_path):
    first = Database(str(tmp_path / "first"), tmp_path / "first")
    (tmp_path / "first").mkdir()
    config = Config()
    config.set_main_option("script_location", "citewell.library:migrations")
    with first.writing() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    first.close()
    with Library(tmp_path / "lib", create=True) as library:
        library.add([SHIP])
    with sqlite3.connect(tmp_path / "first" / FILE) as connection:  # what a citewell of the first tables left
        connection.execute("ATTACH ? AS newest", [str(tmp_path / "lib" / FILE)])
        connection.execute("DELETE FROM state")
        for table in ("state", "segments", "documents", "contents"):
            columns = ", ".join(row[1] for row in connection.execute(f"PRAGMA main.table_info({table})"))
            connection.execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM newest.{table}")  # noqa: S608  (names of ours)
    connection.close()
    for file in (tmp_path / "lib").glob(f"{FILE}*"):
        file.unlink()
    (tmp_path / "first" / FILE).rename(tmp_path / "lib" / FILE)
    with opened(tmp_path / "lib", retrieval="hybrid") as library:
        library.refresh()
        assert hits_of(library, "ship") == [("Ship", 0), ("Ship", 24)]


def test_what_is_no_encoder_is_refused(tmp_path):
    with pytest.raises(SpecError, match="'bm25' makes no vectors"):
        Library(tmp_path, create=True, encoder="bm25")
    with pytest.raises(UsageError, match="retrieval is lexical, dense, hybrid, not 'nearest'"):
        Library(tmp_path, create=True, retrieval="nearest")
    with pytest.raises(UsageError, match="a scan compares by meaning"):
        Library(tmp_path, create=True, scan=True)


LEXICAL = """
import sys
from citewell import Document
from citewell.library.library import Library
with Library(sys.argv[1], create=True) as library:
    library.add([Document.from_text("The ship sailed.")])
    library.ask("Who sailed?")
print(*{name.split(".")[0] for name in sys.modules})
"""


@pytest.mark.slow
def test_nothing_heavy_is_imported_without_an_encoder(tmp_path):
    run = subprocess.run([sys.executable, "-c", LEXICAL, str(tmp_path)], capture_output=True, text=True, check=True)
    assert {"torch", "transformers", "sentence_transformers"}.isdisjoint(run.stdout.split())


def test_a_library_is_given_an_encoder_and_asked_by_meaning_on_the_command_line(zoo, tmp_path, capsys):
    (tmp_path / "harbour.md").write_text("# Harbour\n\nThe harbour froze in January.\n")
    place, spec = str(tmp_path / "lib"), f"dense(model={zoo.sentence_encoder})"
    assert main(["library", "add", str(tmp_path / "harbour.md"), "--library", place, "--encoder", spec]) == 0
    for mode in (["dense"], ["hybrid", "--scan"]):
        assert main(["ask", "--library", place, "--retrieval", *mode, "When did the harbour freeze?"]) == 0
        assert "January" in capsys.readouterr().out
    rows, out = tmp_path / "rows.jsonl", tmp_path / "out"
    rows.write_text('{"question": "When did the harbour freeze?"}\n{"question": "Zzyzx?"}\n')
    batch = ["batch", "ask", "--in", str(rows), "--out", str(out), "--library", place]
    assert main([*batch, "--retrieval", "hybrid", "--scan"]) == 0
    first, second = [json.loads(line)["result"] for line in (out / "results.jsonl").read_text().splitlines()]
    assert "January" in first["citations"][0]["quote"]
    assert second["abstention"]
    assert main([*batch, "--retrieval", "dense"]) == 2
    assert "contains another batch (job differ)" in capsys.readouterr().err
    assert main(["batch", "ask", "--in", str(rows), "--out", str(out), "--scan"]) == 2
    assert main(["library", "refresh", "--library", place, "--encoder", f"dense(model={zoo.passage_encoder})"]) == 2
    assert "were made by dense(model=" in capsys.readouterr().err
    assert main(["ask", str(tmp_path / "harbour.md"), "--retrieval", "dense", "When?"]) == 2
    assert "of a --library are ranked" in capsys.readouterr().err


def test_a_model_gives_the_vectors_that_its_retriever_would(zoo, tmp_path):
    from citewell.retrievers.dense import Dense

    model = Dense(model=zoo.sentence_encoder)
    with Library(tmp_path, create=True, encoder=f"dense(model={zoo.sentence_encoder})") as library:
        library.add([VESSEL])
        (segment,) = library.snapshot().segments
        row = segment.arrays["vectors"][0] * segment.arrays["scales"][0]
    expected = model.embed(["Loss\nSome vessel sank."], passages=True)[0]
    assert np.abs(row - expected).max() <= np.abs(expected).max() / 254 + 1e-6


def test_vectors_that_were_made_before_a_kill_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr("citewell.library.writing._BATCH", 1)
    with Library(tmp_path / "lib", create=True) as library:
        library.add([HARBOUR, SHIP, VESSEL])
    runs, embed, documents = [[], []], Toy.embed, []

    def watched(self, texts, **more):
        if any(text.startswith(("Harbour\n", "Ship\n", "Loss\n")) for text in texts):  # no probe
            documents.append(texts)
            if len(documents) == 3:
                raise KeyboardInterrupt
            runs[len(documents) > 3].extend(texts)
        return embed(self, texts, **more)

    monkeypatch.setattr(Toy, "embed", watched)
    with opened(tmp_path / "lib", retrieval="hybrid") as library, pytest.raises(KeyboardInterrupt):
        library.refresh()
    with opened(tmp_path / "lib", retrieval="hybrid") as library:
        library.refresh()
        assert library.snapshot().unencoded == 0
    before, after = map(set, runs)
    assert len({text.split("\n")[0] for text in before}) == 2
    assert len({text.split("\n")[0] for text in after}) == 1
    assert not before & after
