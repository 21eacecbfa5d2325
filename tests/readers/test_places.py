"""Saved documents keep where their rectangles are, as long as the file that they were read from is there."""

import base64
import io
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import citewell
from citewell.document import Document
from citewell.errors import CorruptDocumentError

REPORT = Path(__file__).parents[2] / "examples" / "annual-report.pdf"


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("saved")
    shutil.copy(REPORT, folder / "report.pdf")
    document = citewell.read(folder / "report.pdf")
    document.save(folder / "report.json")
    return document, folder / "report.json"


def test_a_loaded_document_finds_the_rectangles_of_the_one_that_was_saved(saved):
    document, path = saved
    loaded = Document.load(path)
    assert loaded == document  # no warning came to it
    spans = [(segment.start, segment.end) for segment in document.segments()][::7]
    assert [loaded.locate(*span) for span in spans] == [document.locate(*span) for span in spans]
    assert all(loaded.locate(*span) for span in spans)


def test_the_file_is_sought_beside_what_was_saved_or_where_the_caller_says(saved, tmp_path):
    document, path = saved
    moved = tmp_path / "moved"
    moved.mkdir()
    data = json.loads(path.read_text()) | {"source": "gone/away.pdf"}
    (moved / "report.json").write_text(json.dumps(data))
    assert Document.load(moved / "report.json", file=REPORT).locate(0, 9) == document.locate(0, 9)
    shutil.copy(REPORT, moved / "away.pdf")
    assert Document.load(moved / "report.json").locate(0, 9) == document.locate(0, 9)


def test_a_file_that_is_gone_or_changed_is_a_warning_and_leaves_pages(saved, tmp_path):
    _, path = saved
    data = json.loads(path.read_text()) | {"source": str(tmp_path / "report.pdf")}
    alone = tmp_path / "alone.json"
    alone.write_text(json.dumps(data))
    (warning,) = Document.load(alone).warnings
    assert warning.startswith("the file that this document was read from is not there")
    content = bytearray(REPORT.read_bytes())
    content[-1] ^= 1
    (tmp_path / "report.pdf").write_bytes(content)
    loaded = Document.load(alone)
    assert "report.pdf is another file than the one that this document was read from" in loaded.warnings[0]
    assert loaded.locate(0, 9) == ()
    assert loaded.page_at(0) == 1
    answer = citewell.attribute(loaded, "Revenue was €41.26 million.")
    assert loaded.warnings[0] in answer.warnings
    (tmp_path / "report.pdf").write_bytes(b"short")
    assert "is another file" in Document.load(alone).warnings[0]
    assert "is not there" in Document.load(alone, file=tmp_path / "no.pdf").warnings[0]


def test_a_document_of_bytes_without_a_name_says_only_that_its_file_is_not_there(tmp_path):
    document = citewell.read(REPORT.read_bytes())
    document.save(tmp_path / "d.json")
    (warning,) = Document.load(tmp_path / "d.json").warnings
    assert warning.startswith("the file that this document was read from is not there: evidence has pages but no")
    assert warning.endswith("Document.load(path, file=...) says where it is")
    assert Document.load(tmp_path / "d.json", file=REPORT) == document


def changed(data, **arrays):
    with np.load(io.BytesIO(base64.b64decode(data["places"]["map"]))) as kept:
        packed = io.BytesIO()
        np.savez(packed, **{**kept, **arrays})
    return {**data, "places": {**data["places"], "map": base64.b64encode(packed.getvalue()).decode()}}


def lone_array():
    data = io.BytesIO()
    np.save(data, np.arange(3))
    return base64.b64encode(data.getvalue()).decode()


def of_a_later_zip(data):
    packed = bytearray(base64.b64decode(data["places"]["map"]))
    packed[packed.index(b"PK\x01\x02") + 6] = 255  # the version that is needed to read it
    return bytes(packed)


@pytest.mark.parametrize("break_it", [
    lambda data: {**data, "places": 3},
    lambda data: {**data, "places": {"size": -1}},
    lambda data: {**data, "places": {**data["places"], "map": "!"}},
    lambda data: {**data, "places": {**data["places"], "map": "AAAA"}},
    lambda data: {**data, "places": {**data["places"], "map": base64.b64encode(b"\x93NUMPY").decode()}},
    lambda data: {**data, "places": {**data["places"], "map": lone_array()}},
    lambda data: {**data, "places": {**data["places"], "map": base64.b64encode(of_a_later_zip(data)).decode()}},
    lambda data: changed(data, page=np.array([1], np.int32)),
    lambda data: changed(data, start=np.array(["x"])),
    lambda data: changed(data, page=np.full(99999, 10**6, np.int32)),
    lambda data: changed(data, page_1=np.zeros((3, 5))),
])  # fmt: skip
def test_a_damaged_map_is_a_damaged_document(saved, tmp_path, break_it):
    _, path = saved
    (tmp_path / "d.json").write_text(json.dumps(break_it(json.loads(path.read_text()))))
    with pytest.raises(CorruptDocumentError, match=r"d\.json is (not a saved|a damaged) document"):
        Document.load(tmp_path / "d.json", file=REPORT)


def test_a_map_of_pages_that_the_document_does_not_have_is_refused(saved, tmp_path):
    document, path = saved
    data = json.loads(path.read_text())
    pages = np.full(len(document.locator.runs.page), 99, np.int32)
    (tmp_path / "d.json").write_text(json.dumps(changed(data, page=pages)))
    with pytest.raises(CorruptDocumentError, match="of another text"):
        Document.load(tmp_path / "d.json", file=REPORT)


def test_reading_a_saved_document_opens_no_other_file(saved):
    """What a service is sent may name any path of its machine."""
    _, path = saved
    assert citewell.read(path.read_bytes(), name="saved.json").locator is None
