"""Clients that generators make of the interface's description: they compile, and ten calls of each are answered.

Beside them the recipe for the Vercel AI SDK, as docs/adapters.md has it.

`make clients` installs the generators in a folder and runs this, as `.ci/run` does; without the folder it is left out.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = os.environ.get("CITEWELL_CLIENT_TOOLS", "")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not TOOLS, reason="generators of clients are not here: `make clients` installs and runs them"),
]
# What generators do not know: pictures and lines of JSON.
UNKNOWN = ("png", "jsonl", "/v1/jobs")
PYTHON = """
import sys
from made.client import Client
from made.api.ask import post_ask
from made.api.check import post_check
from made.api.corrections import post_corrections
from made.api.documents import delete_documents_id, get_documents, get_documents_id_find, post_documents
from made.api.history import get_history, get_history_id
from made.api.settings import get_settings
from made.models import Ask, Check, Correct, PostDocumentsJsonBody

client = Client(base_url=sys.argv[1], raise_on_unexpected_status=True)
added = post_documents.sync(client=client, body=PostDocumentsJsonBody(text="Fare income was $12 million in 2019."))
answer = post_ask.sync(client=client, body=Ask(documents=[added.id], question="What was fare income in 2019?", keep=True))
assert "12 million" in answer.text and answer.statements[0].citations[0] == 0, answer
quote = answer.citations[0]
verdicts = post_check.sync(client=client, body=Check(documents=[added.id], claims=["Fare income was $13 million in 2019."]))
assert verdicts.verdicts[0].label == "contradicted", verdicts
matches = get_documents_id_find.sync(client=client, id=added.id, q="fare INCOME")
assert (matches.count, matches.matches[0].start) == (1, 0)
assert [row.id for row in get_documents.sync(client=client, limit=1).documents] == [added.id]
entry = get_history.sync(client=client).entries[0]
assert get_history_id.sync(client=client, id=entry.id).kind == "ask"
post_corrections.sync(client=client, body=Correct(history=entry.id, statement=0, note="So it is."))
assert get_settings.sync(client=client).version
assert delete_documents_id.sync_detailed(client=client, id=added.id).status_code == 204
"""
TYPESCRIPT = """
import createClient from "openapi-fetch";
import type { paths } from "./made";

const client = createClient<paths>({ baseUrl: process.argv[2] });
const sure = <T,>(value: T | undefined): T => {
  if (value === undefined) throw new Error("no reply");
  return value;
};
const text = "Fare income was $12 million in 2019.";
const added = sure((await client.POST("/v1/documents", { body: { text } })).data);
const documents = [added.id];
const answer = sure((await client.POST("/v1/ask", { body: { documents, question: "What was fare income in 2019?", keep: true } })).data);
if (typeof answer === "string") throw new Error("a stream");
if (!answer.text.includes("12 million") || answer.statements[0].citations?.[0] !== 0) throw new Error(answer.text);
const checked = sure((await client.POST("/v1/check", { body: { documents, claims: ["Fare income was $13 million in 2019."] } })).data);
if (checked.verdicts[0].label !== "contradicted") throw new Error(String(checked.verdicts[0].label));
const found = sure((await client.GET("/v1/documents/{id}/find", { params: { path: { id: added.id }, query: { q: "fare INCOME" } } })).data);
if (found.count !== 1 || found.matches[0].start !== 0) throw new Error(String(found.count));
const listed = sure((await client.GET("/v1/documents", { params: { query: { limit: 1 } } })).data);
if (listed.documents[0].id !== added.id || listed.next !== null) throw new Error("list");
const entry = sure((await client.GET("/v1/history")).data).entries[0];
const kept = sure((await client.GET("/v1/history/{id}", { params: { path: { id: entry.id } } })).data);
if (kept.kind !== "ask") throw new Error(kept.kind);
const corrected = await client.POST("/v1/corrections", { body: { history: entry.id, statement: 0, note: "So it is." } });
if (corrected.response.status !== 201) throw new Error("correction");
if (!sure((await client.GET("/v1/settings")).data).version) throw new Error("settings");
const removed = await client.DELETE("/v1/documents/{id}", { params: { path: { id: added.id } } });
if (removed.response.status !== 204) throw new Error("removed");
"""


def run(*words, **more):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def described(client, tmp_path):
    path = tmp_path / "openapi.json"
    path.write_text(json.dumps(client.get("/openapi.json").json()), encoding="utf-8")
    return path


def test_a_generated_python_client_makes_ten_calls(described, online, tmp_path):
    generator = Path(TOOLS).absolute() / "python" / "bin" / "openapi-python-client"
    words = ["generate", "--path", described, "--output-path", tmp_path / "made", "--meta", "none"]
    output = run(generator, *words)
    left = [part.split("\n")[0] for part in output.split("WARNING parsing ")[1:]]
    assert [part for part in left if not any(name in part for name in UNKNOWN)] == []
    assert "Unable" not in output
    run(sys.executable, "-c", PYTHON, online(), env={**os.environ, "PYTHONPATH": str(tmp_path)})


def test_a_generated_typescript_client_compiles_and_makes_ten_calls(described, online, tmp_path):
    modules = Path(TOOLS).absolute() / "node_modules"
    (tmp_path / "node_modules").symlink_to(modules)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "calls.ts").write_text(TYPESCRIPT)
    run(
        modules / ".bin" / "openapi-typescript",
        described,
        "--default-non-nullable",
        "false",
        "-o",
        tmp_path / "made.d.ts",
        cwd=tmp_path,
    )
    options = ["--strict", "--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler"]
    run(modules / ".bin" / "tsc", *options, "--skipLibCheck", "--types", "node", tmp_path / "calls.ts", cwd=tmp_path)
    run("node", tmp_path / "calls.js", online(), cwd=tmp_path)


def test_the_recipe_for_the_vercel_sdk_shows_the_answer_and_its_sources(online, tmp_path):
    page = (ROOT / "docs" / "adapters.md").read_text("utf-8")
    recipe = page.partition("## Vercel AI SDK")[2].partition("```js\n")[2].partition("```")[0]
    imports = (
        'import { readFile } from "node:fs/promises";\n'
        'import { createOpenAI } from "@ai-sdk/openai";\n'
        'import { streamText } from "ai";\n'
    )
    (tmp_path / "node_modules").symlink_to(Path(TOOLS).absolute() / "node_modules")
    (tmp_path / "report.pdf").write_bytes((ROOT / "examples" / "annual-report.pdf").read_bytes())
    (tmp_path / "ask.mjs").write_text(imports + recipe.replace("http://127.0.0.1:8710", online()))
    output = run("node", tmp_path / "ask.mjs", cwd=tmp_path)
    assert "2024: 38.4" in output
    assert "Northwater Ferries: Annual report 2025, page 2: http://127.0.0.1:" in output
