"""Backup and restore: one state of a library, whole, while others write to it; moves between a folder and a server."""

import threading

import pytest

from citewell import Document
from citewell.cli import main
from citewell.errors import LibraryError
from citewell.library import backup
from citewell.library.history import History, Record
from citewell.library.library import Library
from citewell.library.search import arrays

SHIPS = [Document.from_text(f"Ship {n} sailed to port {n % 7}.", title=f"Ship {n}") for n in range(60)]


def hits_of(library):
    return [(entry.title, hit.ordinal, hit.score) for entry, hit in library.search("ship port 3", 9)]


def test_a_backup_is_the_library_and_a_restore_brings_it_back(tmp_path, capsys):
    (tmp_path / "a.md").write_text("# Mill\n\nThe mill was built in 1871.\n")
    place, saved = str(tmp_path / "lib"), str(tmp_path / "saved")
    with Library(place, create=True) as library:
        library.add([*SHIPS[:5], tmp_path / "a.md"], data={"fleet": "north"}, labels=["crew"])
    with Library(place, labels=["crew"]) as library:
        entry = library.entries()[0]
        History(library).keep(Record("ask", "Where?", {"q": 1}, {"r": 2}, {}, ["where"], [entry]))
        wanted = [entry.to_dict() for entry in library.entries()], hits_of(library), History(library).size
    assert main(["library", "backup", saved, "--library", place]) == 0
    assert "6 documents" in capsys.readouterr().out
    with Library(place, labels=["crew"]) as library:
        library.remove([entry.id for entry in library.entries()])
    assert main(["library", "restore", saved, "--library", place]) == 2  # what is there is not overwritten
    assert "is there already" in capsys.readouterr().err
    again = str(tmp_path / "again")
    assert main(["library", "restore", saved, "--library", again, "--json"]) == 0
    for copy in (saved, again):
        with Library(copy, labels=["crew"]) as library:
            got = [entry.to_dict() for entry in library.entries()], hits_of(library), History(library).size
            assert got == wanted
            assert library.verify() == []
            assert library.file(library.entries()[-1]) == (tmp_path / "a.md").read_bytes()


@pytest.mark.rare
def test_backups_during_writes_are_states_that_the_library_had(tmp_path):
    place = tmp_path / "lib"
    states, ended = {}, threading.Event()
    with Library(place, create=True) as library:
        library.add(SHIPS[:2])
        states[library.generation()] = sorted(entry.title for entry in library.entries())

    def write():
        with Library(place) as library:
            for number in range(2, 40):  # merges segments again and again
                library.add([SHIPS[number]])
                if number % 5 == 0:
                    library.remove([SHIPS[number - 2].id])
        ended.set()

    writer = threading.Thread(target=write)
    writer.start()
    copies = 0
    with Library(place) as library:
        while not ended.is_set() or copies < 2:
            saved = tmp_path / f"saved{copies}"
            copied = backup.copy(library, str(saved))
            with Library(saved) as copy:
                titles = {entry.title for entry in copy.entries()}
                assert len(titles) == copied.documents
                assert copy.generation() == copied.generation
                newest = max(int(title.split()[1]) for title in titles)
                gone = {f"Ship {n - 2}" for n in range(5, newest + 1, 5)}
                every = {f"Ship {n}" for n in range(newest + 1)}
                assert every - gone <= titles <= every - gone | {f"Ship {newest - 2}"}
                assert copy.verify() == []
                assert {entry.title for entry, _ in copy.search("ship", 99)} == titles
            copies += 1
    writer.join()
    assert len(list(tmp_path.glob("saved*"))) == copies >= 2


def test_a_backup_that_fails_leaves_nothing_and_a_damaged_index_is_not_copied(tmp_path):
    with Library(tmp_path / "lib", create=True) as library:
        library.add(SHIPS[:3])
        (path,) = (tmp_path / "lib" / "segments").glob(f"*{arrays.SUFFIX}")
        data = bytearray(path.read_bytes())
        data[-3] ^= 1
        path.write_bytes(data)
        with pytest.raises(LibraryError, match="is damaged: citewell library repair"):
            backup.copy(library, str(tmp_path / "saved"))
        path.unlink()
        with pytest.raises(LibraryError, match="is gone: citewell library repair"):
            backup.copy(library, str(tmp_path / "saved"))
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["lib"]


@pytest.mark.slow
def test_a_library_moves_to_a_server_and_back(postgres, tmp_path):
    address = postgres.database()
    with Library(tmp_path / "lib", create=True) as library:
        library.add(SHIPS)
        wanted, entries = hits_of(library), [entry.to_dict() for entry in library.entries()]
        assert backup.copy(library, address).documents == len(SHIPS)
        with pytest.raises(LibraryError, match="has documents: restore into an empty database"):
            backup.copy(library, address)
    with Library(address) as server:
        assert (hits_of(server), [entry.to_dict() for entry in server.entries()]) == (wanted, entries)
        server.add([Document.from_text("The brewery of Ostvik stands by the sea.", "Breweries")])
        backup.copy(server, str(tmp_path / "saved"))
    with Library(tmp_path / "saved") as saved:
        assert len(saved.entries()) == len(SHIPS) + 1
        assert [entry.to_dict() for entry in saved.entries()][: len(SHIPS)] == entries
        assert saved.verify() == []
