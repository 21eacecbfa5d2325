"""Damage in a library is never ranked or answered from: it is named, and repaired from what is kept."""

from pathlib import Path

import numpy as np
import pytest
import sqlalchemy as sa

from citewell.errors import LibraryError, UsageError
from citewell.library.batch.api import batch
from citewell.library.library import Library
from citewell.library.search import arrays
from citewell.library.store import tables
from citewell.library.where import parse


@pytest.fixture
def place(tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    for number in range(6):
        (folder / f"ferry{number}.txt").write_text(f"Ferry {number} sailed to island {number}.\n\nIts crew was paid.")
    with Library(tmp_path / "library", create=True) as library:
        library.add([folder])
    return tmp_path / "library"


def segment_file(place):
    (path,) = (place / "segments").iterdir()
    return path


@pytest.mark.rare
def test_every_flipped_byte_of_the_index_is_told(place):
    path = segment_file(place)
    whole = path.read_bytes()
    with Library(place) as library:
        expected = [(entry.source, hit.score) for entry, hit in library.search("Which ferry sailed to island 3?", 5)]
    refused = 0
    for at in range(0, len(whole), 37):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        try:
            with Library(place) as library:
                hits = library.search("Which ferry sailed to island 3?", 5)
            assert [(entry.source, hit.score) for entry, hit in hits] == expected  # a byte that no search reads
        except LibraryError:
            refused += 1
        with Library(place) as library:
            assert {damage.part for damage in library.verify()} == {"index"}
    assert refused


def test_only_the_blocks_that_are_read_are_checked(tmp_path):
    rows = np.arange(400_000, dtype=np.int32)
    name = arrays.keep(tmp_path, arrays.pack({"rows": rows}))
    path = tmp_path / f"{name}{arrays.SUFFIX}"
    data = bytearray(path.read_bytes())
    data[-1] ^= 255
    path.write_bytes(data)
    mapped = arrays.opened(path)
    assert mapped.part("rows", slice(10, 20)).tolist() == list(range(10, 20))
    assert mapped.part("rows", np.array([3, 65_536])).tolist() == [3, 65_536]
    with pytest.raises(LibraryError, match="damaged"):
        mapped.part("rows", np.array([3, 399_999]))
    with pytest.raises(LibraryError, match="damaged"):
        mapped["rows"]


def damage_document(place, source):
    with Library(place) as library:
        (entry,) = [entry for entry in library.entries() if entry.source.endswith(source)]
        with library.database.writing() as connection:
            kept = tables.contents.c
            chosen = (kept.content == entry.content) & (kept.kind != "file")
            data = bytearray(connection.scalar(sa.select(kept.data).where(chosen)))
            data[len(data) // 2] ^= 255
            connection.execute(sa.update(tables.contents).where(chosen).values(data=bytes(data)))
    return entry


def test_a_damaged_document_is_named_and_read_again_from_its_kept_file(place):
    entry = damage_document(place, "ferry2.txt")
    with Library(place) as library:
        with pytest.raises(LibraryError, match=r"ferry2\.txt.*damaged.*library repair"):
            library.document(entry.id)
        assert [(damage.entry.id, damage.part) for damage in library.verify()] == [(entry.id, "document")]
        repaired = library.repair()
        assert [Path(source).name for source in repaired.read_again] == ["ferry2.txt"]
        assert (repaired.indexed, repaired.lost) == (6, ())
        assert library.verify() == []
        assert library.document(entry.id).text.startswith("Ferry 2")


def test_a_document_of_which_nothing_whole_is_left_is_lost_and_the_others_are_found(place):
    entry = damage_document(place, "ferry2.txt")
    with Library(place) as library:
        with library.database.writing() as connection:
            connection.execute(sa.delete(tables.contents).where(tables.contents.c.kind == "file"))
        Path(entry.source).unlink()
        segment_file(place).write_bytes(b"nothing")
        repaired = library.repair()
        assert [damage.entry.id for damage in repaired.lost] == [entry.id]
        assert repaired.indexed == 5
        assert library.search("Ferry 4 island 4", 1)[0][0].source.endswith("ferry4.txt")
        assert library.remove([entry.id]) == 1
        assert library.verify() == []


def test_a_condition_on_a_field_that_no_document_has_is_refused_with_the_nearest(place):
    with Library(place) as library:
        with pytest.raises(UsageError, match="do you mean language"):
            library.search("ferry", 3, where="langage = en")
        assert library.entries("language = en")
    assert parse("a = 1 and not (b ~ x)").fields == {"a", "b"}


def rows(count):
    return [{"id": number, "question": f"Which ferry sailed to island {number}?"} for number in range(count)]


def test_a_batch_does_not_go_on_over_a_changed_library(place, tmp_path):
    result, out = rows(6), tmp_path / "out"
    ended = []

    def change(done, _):
        if done >= 2 and not ended:
            ended.append(done)
            with Library(place) as library:
                library.remove([library.entries()[0].id])

    with pytest.raises(UsageError, match="generation .*--follow"):
        batch("ask", result, out, library=str(place), shard=1, progress=change)
    with pytest.raises(UsageError, match="generation .*--follow"):
        batch("ask", result, out, library=str(place), shard=1)
    done = batch("ask", result, out, library=str(place), shard=1, follow=True)
    assert len(done) == 6


def test_two_rows_with_one_id_are_refused(place, tmp_path):
    with pytest.raises(Exception, match="rows 1 and 3 have the same id 'a'"):
        batch("ask", [{"id": "a", "question": "x"}, {"id": "b", "question": "y"}, {"id": "a", "question": "z"}],
              tmp_path / "out", library=str(place))  # fmt: skip
