"""Runs a script of `runs/` to its end with tiny models, and holds what it prints against the paper's table.

    def test_table_3(scripted_run):                         # the fixture of lab/tests/runs/conftest.py
        ran = scripted_run("lab-table-3.sh", llm, SPLIT="dev")     # llm is the script's third argument
        ran.holds("lab-3-wice", {"citation | scripted(...)": ("GPT-3.5, citation", ...)}, without=(...))
        assert ran.requests >= {"google/t5_xxl_true_nli_mixture"}

`holds` fails where the table is not printed, where a row or a figure of the paper or a column is missing, where a row
of ours is missing, is there beyond what was named or lacks a figure, and where a row of the paper has no row of ours
and is not named in `without`. `asked` are the published models that a script asked for: tiny ones stood in for them.
The commands of a script run in this process, so that torch is loaded once.
"""

import contextlib
import io
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from citewell.cli import main
from citewell.models import loading
from citewell.retrievers import cache
from citewell_lab.papers.published import published

FOLDER = Path(__file__).parents[3] / "runs"
NOTHING = "–"
# Which tiny model stands in for a published one.
STANDINS = {
    "sentence-transformers/gtr-t5-large": "sentence_encoder",
    "sentence-transformers/all-mpnet-base-v2": "sentence_encoder",
    "sentence-transformers/all-MiniLM-L6-v2": "sentence_encoder",
    "facebook/contriever-msmarco": "encoder",
    "nthakur/dragon-plus-query-encoder": "encoder",
    "nthakur/dragon-plus-context-encoder": "passage_encoder",
    "castorini/monot5-base-msmarco": "t5",
    "google/t5_xxl_true_nli_mixture": "t5",
    "osunlp/attrscore-flan-t5-xxl": "t5",
    "lytang/MiniCheck-Flan-T5-Large": "t5",
    "ynie/roberta-large-snli_mnli_fever_anli_R1_R2_R3-nli": "nli",
    "tals/albert-xlarge-vitaminc-mnli": "nli",
    "MoritzLaurer/DeBERTa-v3-base-mnli-fever-docnli-ling-2c": "docnli",
    "gpt2": "gpt2",
}
_CLIENT = """
import json, socket, sys
with socket.socket(socket.AF_UNIX) as line:
    line.connect({address!r})
    line.sendall(json.dumps(sys.argv[1:]).encode() + b"\\n")
    said = json.loads(line.makefile(encoding="utf-8").readline())
sys.stdout.write(said["out"])
sys.stderr.write(said["err"])
sys.exit(said["code"])
"""


class Command(NamedTuple):
    """A command of the script as it ran."""

    args: list
    code: int
    out: str
    err: str


class Printed(NamedTuple):
    """A table in Markdown, read back: whose each row is, the row's name, its cells by their columns' names."""

    title: str
    columns: tuple
    rows: tuple

    def named(self, whose):
        """The rows of the paper, or ours, by their names."""
        return {name: cells for owner, name, cells in self.rows if owner == whose}


def tables(text):
    """All Markdown tables of a text, each with the heading above it."""
    read, title, block = [], "", []
    for line in [*text.split("\n"), ""]:
        if line.startswith("|"):
            block.append([cell.strip().replace("\\|", "|").replace("\\*", "*") for cell in _cells(line)])
            continue
        if block:
            columns, _, *rows = block
            read.append(Printed(title, tuple(columns), tuple(_row(columns, row) for row in rows)))
            block = []
        if line.startswith("#"):
            title = line.lstrip("# ")
    return read


def _cells(line):
    return line.replace("\\|", "\0").strip().strip("|").replace("\0", "\\|").split(" | ")


def _row(columns, cells):
    name = cells[0]
    ours = name.startswith("**") and name.endswith("**")
    return "ours" if ours else "paper", name.strip("*") if ours else name, dict(zip(columns, cells, strict=True))


@dataclass
class Ran:
    """A script that ran to its end.

    Attributes:
        out: what it printed; `folder` is where its runs lie.
        commands: its commands in order.
        requests: the published models that it asked for.
    """

    out: str
    folder: Path
    commands: list
    requests: set

    @property
    def tables(self):
        """The tables that it printed."""
        return tables(self.out)

    def table(self, title):
        """The table whose title begins so."""
        named = [table for table in self.tables if table.title.startswith(title)]
        assert len(named) == 1, f"{len(named)} tables {title!r} among {[table.title for table in self.tables]}"
        return named[0]

    def holds(self, key, rows, *, columns=None, without=(), cells=None):
        """Hold the printed table against the published one.

        `key` is the published table's id, or the table itself; `rows` names each row of ours and the rows of the paper
        that it is the counterpart of; `without` are rows of the paper that the script does not make. `columns` are
        those of the paper that ours must have a figure in, all of them without it; `cells` gives the text of a row of
        the paper where its figures are not printed as percentages.
        """
        paper = next(table for table in published() if table["id"] == key) if isinstance(key, str) else key
        printed = self.table(paper["title"])
        missing = [column for column in paper["columns"] if column not in printed.columns]
        assert not missing, f"{key}: no column {missing} in {printed.columns}"
        theirs, ours = printed.named("paper"), printed.named("ours")
        for row in paper["rows"]:
            assert row["name"] in theirs, f"{key}: no row {row['name']!r} of the paper"
            result = [theirs[row["name"]][column] for column in paper["columns"]]
            wanted = cells(row) if cells else list(map(_percentage, row["values"]))
            assert result == wanted, f"{key}, {row['name']}: {result}, published {wanted}"
        assert sorted(ours) == sorted(rows), f"{key}: our rows are {sorted(ours)}, wanted {sorted(rows)}"
        for name, figures in ours.items():
            wanted = paper["columns"] if columns is None else columns
            empty = [column for column in wanted if figures[column] in (NOTHING, "")]
            assert not empty, f"{key}, {name}: no figure in {empty}"
        beside = {name for names in rows.values() for name in names} | set(without)
        assert beside == {row["name"] for row in paper["rows"]}, f"{key}: rows without a counterpart or unknown"


def _percentage(value):
    return NOTHING if value is None else f"{100 * value:.1f}"


class Scripts:
    """Runs scripts in a folder of its own; made by the fixture `scripted_run`."""

    def __init__(self, folder, data, zoo, monkeypatch):
        self.folder, self.data, self.zoo, self.monkeypatch = folder, data, zoo, monkeypatch

    def __call__(self, name, *more, out="out", data=None, **environment):
        """Run `sh runs/NAME DATA OUT MORE...`; its tables are printed as Markdown.

        Fails where the script or one of its commands does.
        """
        values = set()
        cache.clear()  # embeddings of an earlier script would leave its models unasked

        def tiny(model):
            if model in STANDINS:
                values.add(model)
                return getattr(self.zoo, STANDINS[model])
            assert Path(model).exists(), f"{name} asked for the model {model!r}, which nothing stands in for"
            return model

        def noted(key, load_now, kept=loading.kept):  # what is kept from an earlier command is asked for too
            values.update({key[1]} & set(STANDINS))
            return kept(key, load_now)

        self.monkeypatch.setattr(loading, "local_path", tiny)
        self.monkeypatch.setattr(loading, "kept", noted)
        place = self.folder / out
        command = ["sh", str(FOLDER / name), str(data or self.data), str(place), *map(str, more)]
        printed, commands = _run(command, {"FORM": "--markdown", **environment})
        return Ran(printed, place, commands, values)


def _run(command, environment):
    shell, folder = shutil.which("sh"), tempfile.mkdtemp(prefix="cw")  # the path of a socket is short
    assert shell, "no sh"
    commands = []
    try:
        address, client, program = (str(Path(folder) / name) for name in ("line", "client.py", "citewell"))
        Path(client).write_text(_CLIENT.format(address=address), encoding="utf-8")
        Path(program).write_text(f'#!/bin/sh\nexec "{sys.executable}" -IS "{client}" "$@"\n', encoding="utf-8")
        Path(program).chmod(0o755)
        environment = {**os.environ, **environment, "PATH": f"{folder}:{os.environ['PATH']}", "PYTHONUTF8": "1"}
        with socket.socket(socket.AF_UNIX) as line, tempfile.TemporaryFile("w+", encoding="utf-8") as out, \
                tempfile.TemporaryFile("w+", encoding="utf-8") as err:  # fmt: skip
            line.bind(address)
            line.listen()
            line.settimeout(0.05)
            process = subprocess.Popen([shell, *command[1:]], stdout=out, stderr=err, env=environment)
            with process:
                while process.poll() is None:
                    with contextlib.suppress(TimeoutError):
                        commands.append(_answer(line))
            printed, complaints = (file.seek(0) or file.read() for file in (out, err))
    finally:
        shutil.rmtree(folder)
    broken = [command for command in commands if command.code]
    assert not broken, f"{broken[0].args} ended with {broken[0].code}: {broken[0].err}"
    assert process.returncode == 0, f"{command[1]} ended with {process.returncode}: {complaints}"
    return printed, commands


def _answer(line):
    connection, _ = line.accept()
    with connection, connection.makefile("rw", encoding="utf-8") as talk:
        args = json.loads(talk.readline())
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(args)
        talk.write(json.dumps({"code": code, "out": out.getvalue(), "err": err.getvalue()}) + "\n")
    return Command(args, code, out.getvalue(), err.getvalue())
