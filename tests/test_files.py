"""Files are written whole or not at all, and a folder has one process at a time."""

import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import citewell
from bench import benchdata
from citewell import Document
from citewell.errors import InputError, InUseError
from citewell.text import files
from citewell_lab.bench import spec
from citewell_lab.bench.run import run


def names(folder):
    return [path.name for path in folder.iterdir()]


SOURCE = Path(citewell.__file__).parent


def test_a_file_takes_the_place_of_the_old_one_and_leaves_nothing_beside_it(tmp_path):
    path = tmp_path / "r.html"
    path.write_text("old")
    path.chmod(0o640)
    files.write(path, "new")
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o640)
    assert names(tmp_path) == ["r.html"]


@pytest.mark.parametrize("where", ["write", "fsync", "replace"])
def test_a_failure_at_any_moment_leaves_the_old_file(tmp_path, monkeypatch, where):
    path = tmp_path / "r.html"
    path.write_text("old")

    def full(*_):
        raise OSError(28, "No space left on device")

    if where == "replace":
        monkeypatch.setattr(Path, "replace", full)
    elif where == "fsync":
        monkeypatch.setattr(os, "fsync", full)
    if where == "write":
        with pytest.raises(OSError, match="No space"), files.replacing(path) as file:
            full(file.write(b"half"))
    else:
        with pytest.raises(InputError, match=r"r\.html cannot be written: No space left on device"):
            files.write(path, "new" * 100_000)
    assert path.read_text() == "old"
    assert names(tmp_path) == ["r.html"]


def test_a_link_goes_on_naming_its_file(tmp_path):
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to("real.txt")
    files.write(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new"


def test_a_device_is_written_as_it_is():
    files.write("/dev/null", "gone")
    assert not Path("/dev/null").is_file()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
def test_a_full_device_is_told():
    with pytest.raises(InputError, match="/dev/full cannot be written"):
        files.write("/dev/full", "x" * 100_000)


@pytest.mark.parametrize("name", ["no/such/r.txt", "a\0b", "n" * 300])
def test_an_impossible_name_is_one_of_our_errors(tmp_path, name):
    with pytest.raises(InputError):
        files.write(f"{tmp_path}/{name}", "x")


def test_lone_surrogates_leave_the_file_untouched_and_documents_that_hold_them_are_saved(tmp_path):
    path = tmp_path / "d.json"
    path.write_text("old")
    with pytest.raises(InputError, match="cannot be written"):
        files.write(path, "a\ud800b")
    assert path.read_text() == "old"
    document = Document.from_text("Sales rose \x9b31m to 40 \u202emillion.")
    document.save(path)
    assert Document.load(path).text == document.text
    assert "\x9b" not in path.read_text()
    assert "\u202e" not in path.read_text()


def test_nothing_else_in_the_package_writes_files():
    """Replies and records are appended to, each a whole line; everything else goes through `files`."""
    appended = {"llm/replay.py", "library/batch/kept.py"}
    writers = {
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        for line in path.read_text().split("\n")
        if any(
            sign in line for sign in (".write_text(", ".write_bytes(", 'open("w', 'open("a', 'open("x', "os.O_CREAT")
        )
    }
    assert writers == {"text/files.py"} | appended


HOLD = "import sys; from citewell.text import files\nwith files.locked(sys.argv[1]):\n    print('held', flush=True); sys.stdin.read()"


@pytest.fixture
def holder(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def test_the_second_process_is_told_who_works_in_the_folder(tmp_path, holder):
    with (
        pytest.raises(InUseError, match=f"{tmp_path.name} is in use by process {holder.pid} on "),
        files.locked(tmp_path),
    ):
        pass
    holder.communicate()
    with files.locked(tmp_path):
        assert names(tmp_path) == [files.LOCK]
    assert names(tmp_path) == []


def test_what_a_kill_leaves_of_a_lock_is_no_hindrance(tmp_path, holder):
    holder.kill()
    holder.wait()
    assert names(tmp_path) == [files.LOCK]
    with files.locked(tmp_path):
        pass


def test_a_run_in_a_folder_in_use_is_refused_and_changes_nothing(tmp_path):
    benchdata.veri_gran(tmp_path)
    out = tmp_path / "r"
    out.mkdir()
    with files.locked(out), pytest.raises(InUseError, match="is in use by process"):
        run("verifiability-granular", tmp_path, "dev", out=out)
    assert names(out) == []


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "Expecting value"),
        ('{"task": "wice"', "Expecting"),
        ("[]", "it holds no object"),
        ("{}", "'task' is missing"),
        ('{"task": 1}', "'task' is 1"),
        ("[" * 100_000, "recursion"),
    ],
)
def test_a_damaged_spec_is_named(tmp_path, content, says):
    (tmp_path / "spec.json").write_text(content)
    with pytest.raises(InputError, match=rf"spec\.json is damaged \(.*{says}.*choose another folder"):
        spec.read(tmp_path)


@pytest.mark.parametrize("field", ["limit", "given", "resolved", "parameters", "checksums", "seed", "split", "sample"])
def test_a_spec_with_a_field_of_a_wrong_type_is_named(tmp_path, field):
    benchdata.veri_gran(tmp_path)
    out = tmp_path / "r"
    run("verifiability-granular", tmp_path, "dev", out=out)
    spec.write(out, spec.read(out))
    import json

    data = json.loads((out / "spec.json").read_text())
    (out / "spec.json").write_text(json.dumps({**data, field: [1.5]}))
    with pytest.raises(InputError, match=f"'{field}' is "):
        spec.read(out)


def test_no_secret_of_a_spec_reaches_the_record_of_a_run(tmp_path):
    benchdata.veri_gran(tmp_path)
    out = tmp_path / "r"
    run("verifiability-granular", tmp_path, "dev", out=out)
    document = spec.read(out)
    spec.write(tmp_path, replace(document, given={"llm": "openai(model=m, base_url=http://u:pw123@h/v1?token=pw123)"}))
    assert "pw123" not in (tmp_path / "spec.json").read_text()
    assert spec.read(tmp_path).given == {"llm": "openai(model=m, base_url=http://h/v1)"}
