"""Documents kept for other processes: read once, the same document again, bounded, and never in the way."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from citewell import readers
from citewell.errors import CorruptDocumentError
from citewell.readers import cache

LONG = ("The harbour froze in January. " * 20 + "\n\n") * 120
PAGE = "# Harbour\n\n" + LONG


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return cache.folder()


def test_what_was_read_is_not_read_again(place, monkeypatch):
    first = cache.read(PAGE.encode(), "a.md")
    monkeypatch.setattr(readers, "read", lambda *_, **__: pytest.fail("it was read"))
    second = cache.read(PAGE.encode(), "folder/b.md")
    assert (second.text, second.sha256, second.pages) == (first.text, first.sha256, first.pages)
    assert (first.source, second.source) == ("a.md", "folder/b.md")


def test_the_same_bytes_are_told_apart_by_the_ending_of_their_name(place):
    assert cache.read(PAGE.encode(), "a.md").title == "Harbour"
    assert cache.read(PAGE.encode(), "a.txt").text.startswith("# Harbour")
    assert len(list(place.iterdir())) == 2


def test_another_version_of_the_readers_has_a_folder_of_its_own(place, monkeypatch):
    cache.read(PAGE.encode(), "a.md")
    monkeypatch.setattr(readers, "VERSION", "another")
    assert cache.folder() != place
    assert not cache.folder().exists()


@pytest.mark.parametrize("left", [b"", b"PK\x03\x04 half"])
def test_a_damaged_entry_is_read_and_written_anew(place, left):
    first = cache.read(PAGE.encode(), "a.md")
    (path,) = place.iterdir()
    whole = path.read_bytes()
    path.write_bytes(left)
    assert cache.read(PAGE.encode(), "a.md").text == first.text
    assert path.read_bytes() == whole


def test_an_entry_that_is_cut_anywhere_is_read_anew(place):
    first = cache.read(PAGE.encode(), "a.md")
    (path,) = place.iterdir()
    whole = path.read_bytes()
    for length in range(0, len(whole), max(1, len(whole) // 40)):
        path.write_bytes(whole[:length])
        assert cache.read(PAGE.encode(), "a.md").text == first.text


def test_what_was_not_used_for_longest_goes_when_there_is_too_much(place, monkeypatch):
    texts = [PAGE + f"Number {number}." for number in range(4)]
    for number, text in enumerate(texts[:3]):
        cache.read(text.encode(), "a.md")
        newest = max(place.iterdir(), key=lambda path: path.stat().st_mtime_ns)
        os.utime(newest, (number, number))
    size = max(path.stat().st_size for path in place.iterdir())
    cache.read(texts[0].encode(), "a.md")  # used now
    monkeypatch.setattr(cache, "BOUND", size * 3)
    cache.read(texts[3].encode(), "a.md")
    kept = {path.name for path in place.iterdir()}
    monkeypatch.setattr(readers, "read", lambda *_, **__: pytest.fail("it was read"))
    assert len(kept) == 3
    for number in (0, 2, 3):
        cache.read(texts[number].encode(), "a.md")


def test_a_cache_that_cannot_be_written_is_none(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert cache.read(PAGE.encode(), "a.md").title == "Harbour"


def test_what_cannot_be_read_is_not_kept(place):
    with pytest.raises(CorruptDocumentError):
        cache.read(b"%PDF-1.7\n" + b"x" * 60_000, "a.pdf")
    assert not place.exists()


@pytest.mark.slow
def test_rectangles_are_found_in_a_document_that_was_kept(place):
    data = (Path(__file__).parents[2] / "examples" / "annual-report.pdf").read_bytes()
    first, second = cache.read(data, "a.pdf"), cache.read(data, "a.pdf")
    assert first.locate(100, 140) == second.locate(100, 140) != ()


@pytest.mark.slow
def test_processes_read_and_write_at_once(place):
    code = (
        "import sys\nfrom citewell.readers import cache\nsize = int(sys.argv[1])\n"
        f"page = {PAGE!r}\n"
        "cache.BOUND = 3000\n"  # entries come and go all the time
        "for number in range(60):\n"
        "    text = page + f'Number {number % 5}.'\n"
        "    assert cache.read(text.encode(), 'a.md').text.endswith(f'Number {number % 5}.')\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, "1"], env={**os.environ}) for _ in range(3)]
    assert [process.wait() for process in running] == [0, 0, 0]
    assert not [path for path in place.iterdir() if path.suffix != ".npz"]
