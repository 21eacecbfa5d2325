"""The base install alone: whatever needs an extra says so in one sentence, before it does anything."""

from __future__ import annotations

import subprocess
import sys

import pytest

# What the extras install. None of it can be imported in the process that runs the command.
EXTRAS = (
    "accelerate alembic anthropic bitsandbytes diff_match_patch fastapi fsspec httpx2 jinja2 matplotlib mcp nltk onnx onnxruntime "
    "onnxscript openai opentelemetry peft PIL psycopg pyarrow ray rouge_score scipy sentence_transformers sklearn "
    "sqlalchemy tokenizers torch transformers uvicorn python_multipart"
).split()
ALONE = (
    "import sys; sys.modules.update(dict.fromkeys({!r})); from citewell.cli import main; sys.exit(main(sys.argv[1:]))"
)
pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("command", "extra"),
    [
        ("ask report.txt x --library lib", None),
        ("ask --library lib x", "library"),
        ("library list --library lib", "library"),
        ("library add report.txt --library lib", "library"),
        ("batch ask --in rows.jsonl --out out --library lib", "library"),
        ("batch ask --in rows.parquet --out out", "parquet"),
        ("batch ask --in s3://bucket/rows.jsonl --out out", "s3"),
        ("batch ask --in rows.jsonl --out out --ray local", "cluster"),
        ("serve", "serve"),
        ("mcp", "mcp"),
        ("export-onnx model --out folder", "export"),
        ("calibrate lexical --task salad --data . --risk 0.1", "citewell-lab[bench]"),
        ("check report.txt x --checker nli(model=m)", "local"),
        ("attribute report.txt x --method retrieval(retriever=dense)", "dense"),
        ("ask report.txt x --llm openai(model=m)", "llm"),
        ("ask report.txt x --llm anthropic(model=m)", "llm"),
    ],
)
def test_a_command_without_its_extra_names_it_in_one_sentence(tmp_path, command, extra):
    (tmp_path / "report.txt").write_text("The harbour froze in January.")
    (tmp_path / "rows.jsonl").write_text(
        '{"id": "1", "documents": ["report.txt"], "question": "When did it freeze?"}\n'
    )
    (tmp_path / "rows.parquet").write_bytes(b"PAR1")
    (tmp_path / "lib").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", ALONE.format(EXTRAS), *command.split()],
        capture_output=True, text=True, check=False, cwd=tmp_path, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    text = done.stderr.strip()
    assert (done.returncode, text.count("\n")) == (2, 0), text
    if extra:
        wanted = extra if extra.endswith("]") else f"citewell[{extra}]"
        assert text.endswith(f"pip install '{wanted}'"), text
