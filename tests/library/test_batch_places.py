"""Rows and results wherever they lie: packed files, tables, folders, and an object store of this machine."""

import gzip
import json
import os

import pytest

import s3_server
from citewell.cli import main
from citewell.errors import InputError, MissingExtraError, UsageError
from citewell.library import addresses
from citewell.library.batch import table
from citewell.library.batch.api import batch
from citewell.library.batch.rows import look, shards

HARBOUR = {"text": "The harbour was built in 1901. It froze in January 1963.", "title": "Harbour"}
ROWS = [
    {"id": "built", "documents": [HARBOUR], "question": "When was the harbour built?"},
    {"id": "froze", "documents": [HARBOUR], "question": "When did the harbour freeze?"},
    {"id": "chair", "documents": [HARBOUR], "question": "Who chairs the board of the mill?"},
]


def lines(rows):
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def rows_of(place):
    return [(row.id, dict(row.data), row.wrong) for shard in shards(place, 2) for row in shard.rows]


def packed(data, kind):
    if kind == ".gz":
        return gzip.compress(data)
    if kind == ".zst":
        return pytest.importorskip("pyarrow").compress(data, codec="zstd", asbytes=True)
    return data


@pytest.mark.parametrize("kind", ["", ".gz", ".zst"])
def test_packed_lines_are_the_same_rows(tmp_path, kind):
    (tmp_path / f"rows.jsonl{kind}").write_bytes(packed(b"\xef\xbb\xbf" + lines(ROWS), kind))
    assert [data for _, data, _ in rows_of(tmp_path / f"rows.jsonl{kind}")] == ROWS


@pytest.mark.parametrize("kind", [".gz", ".zst"])
def test_a_file_that_is_cut_short_or_not_packed_is_named(tmp_path, kind):
    path = tmp_path / f"rows.jsonl{kind}"
    for data in (packed(lines(ROWS * 50), kind)[:-9], lines(ROWS)):
        path.write_bytes(data)
        with pytest.raises(InputError, match=rf"rows\.jsonl{kind} cannot be read"):
            look(path)


def test_a_table_of_text_is_rows_and_its_faults_are_told(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text('id,documents,question\n007,a.md,"When, and\nwhere?"\n8,b.md,\n9,c.md,x,y\n', encoding="utf-8-sig")
    assert rows_of(path) == [
        ("007", {"id": "007", "documents": "a.md", "question": "When, and\nwhere?"}, ""),
        ("8", {"id": "8", "documents": "b.md"}, ""),
        ("9", {"id": "9", "documents": "c.md", "question": "x"}, "more cells than the first line has"),
    ]
    (tmp_path / "rows.tsv").write_text("id\tquestion\n1\ta, b\n")
    assert rows_of(tmp_path / "rows.tsv") == [("1", {"id": "1", "question": "a, b"}, "")]
    for data, wrong in ((b"id\n\xff\n", "cannot be read"), (b'id\n"a"b\n', "no table that can be read")):
        path.write_bytes(data)
        with pytest.raises(InputError, match=wrong):
            look(path)


def test_a_folder_is_the_rows_of_its_files_by_name(tmp_path):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    folder = tmp_path / "rows"
    (folder / "day=2").mkdir(parents=True)
    parquet.write_table(pa.table({"id": [1, 2], "claims": [["a"], ["b", "c"]]}), folder / "a.parquet")
    (folder / "b.jsonl.gz").write_bytes(gzip.compress(b'{"id": 3}\n'))
    (folder / "day=2" / "c.csv").write_text("id\n4\n")
    (folder / "_SUCCESS").write_text("")
    (folder / "readme.txt").write_text("no rows")
    assert [number for number, _, _ in rows_of(folder)] == [1, 2, 3, "4"]
    assert rows_of(folder)[1][1] == {"id": 2, "claims": ["b", "c"]}
    before = look(folder)
    assert before.rows == 4
    (folder / "b.jsonl.gz").rename(folder / "z.jsonl.gz")
    assert look(folder).sha256 != before.sha256  # other rows stand first
    (folder / "z.jsonl.gz").write_bytes(gzip.compress(b'{"id": 1}\n'))
    with pytest.raises(InputError, match="rows 1 and 4 have the same id 1"):
        look(folder)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="has no file of rows"):
        look(tmp_path / "empty")


@pytest.mark.parametrize(
    "address", ["ftp://host/rows.jsonl", "https://host/rows.jsonl", "memory://rows.jsonl", "s4://x"]
)
def test_an_unknown_address_is_refused_and_makes_no_folder(tmp_path, monkeypatch, capsys, address):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.jsonl").write_bytes(lines(ROWS))
    for source, out in ((address, "out"), ("rows.jsonl", address)):
        assert main(["batch", "ask", "--in", source, "--out", out]) == 2
        kind = address.partition(":")[0]
        assert f"rows and results are paths, s3://, gs:// or hf://, not {kind}://" in capsys.readouterr().err
    assert not [path for path in tmp_path.iterdir() if ":" in path.name]


@pytest.mark.parametrize(
    ("kind", "package", "extra"),
    [("s3", "s3fs", "s3"), ("gs", "gcsfs", "remote"), ("hf", "huggingface_hub", "remote")],
)
def test_an_address_without_its_package_is_one_sentence(monkeypatch, kind, package, extra):
    monkeypatch.setattr(addresses, "find_spec", lambda name: None if name == package else True)
    with pytest.raises(MissingExtraError) as error:
        batch("ask", f"{kind}://bucket/rows.jsonl", "out")
    assert str(error.value) == f"an address of {kind}:// needs the package {package!r}: pip install 'citewell[{extra}]'"


def test_results_of_every_verb_have_the_same_typed_columns(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = {
        "ask": {"question": "When was the harbour built?"},
        "attribute": {"answer": "The harbour was built in 1901."},
        "check": {"claims": ["The harbour was built in 1901.", "The harbour was built in 1950."]},
        "audit": {"response": "It froze in January 1963 [1]."},
    }
    schemas = set()
    for kind, fields in rows.items():
        done = batch(kind, [{"id": 1, "documents": HARBOUR, **fields}, {"id": 2}], tmp_path / kind)
        written = parquet.read_table(table.write(tmp_path / kind / "results.jsonl"))
        assert len(done) == 2
        schemas.add(str(written.schema))
        first, second = written.to_pylist()
        assert second["error"] == "UsageError"
        assert second["statements"] is None
        assert first["statements"]
        for statement in first["statements"]:
            for citation in statement["citations"]:
                assert HARBOUR["text"][citation["start"] : citation["end"]] == citation["quote"]
                assert citation["title"] == "Harbour"
        assert any(statement["citations"] for statement in first["statements"])
    (columns,) = schemas
    assert "statements: list<element: struct<text: string" in columns


@pytest.fixture
def bucket(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with s3_server.bucket(monkeypatch) as started:
        yield started.store


@pytest.mark.slow
@pytest.mark.filterwarnings(*s3_server.WARNINGS)
def test_an_object_store_gives_and_takes_what_a_folder_does(bucket, tmp_path, capsys):
    local = batch("ask", ROWS, tmp_path / "local")
    bucket.pipe_file("bucket/in/rows.jsonl.gz", gzip.compress(lines(ROWS[:2])))
    bucket.pipe_file("bucket/in/zzz.jsonl", lines(ROWS[2:]))
    bucket.pipe_file("bucket/in/_SUCCESS", b"")
    command = ["batch", "ask", "--in", "s3://bucket/in", "--out", "s3://bucket/out", "--json", "--quiet"]
    assert main([*command, "--format", "parquet"]) == 0
    assert json.loads(capsys.readouterr().out)["out"] == "s3://bucket/out/results.parquet"
    assert bucket.cat_file("bucket/out/results.jsonl") == (tmp_path / "local" / "results.jsonl").read_bytes()
    assert bucket.exists("bucket/out/results.parquet")
    done = batch("ask", "s3://bucket/in", "s3://bucket/out", shard=32)
    assert [(row.id, row.result.text) for row in done] == [(row.id, row.result.text) for row in local]
    assert done.summary.out == "s3://bucket/out/results.jsonl"
    assert done.summary.done_before == 3
    # Another machine sees that the batch is complete, and that it is another one.
    os.environ["XDG_CACHE_HOME"] = str(tmp_path / "elsewhere")
    assert batch("ask", "s3://bucket/in", "s3://bucket/out", shard=32).summary.done_before == 3
    with pytest.raises(UsageError, match="contains another batch"):
        batch("attribute", "s3://bucket/in", "s3://bucket/out", shard=32)
    for wrong in ("s3://bucket/nothing.jsonl", "s3://nobucket/rows.jsonl"):
        with pytest.raises(InputError, match="cannot be read"):
            batch("ask", wrong, tmp_path / "never")
    assert not list(tmp_path.glob("never/*.jsonl"))
