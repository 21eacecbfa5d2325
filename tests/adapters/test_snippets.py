"""What docs/adapters.md shows runs, each snippet in a process of its own, with the frameworks that are installed."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.rare]

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^## ([^\n]+)\n\n```(python|yaml|js)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
SNIPPETS = {name: code for name, language, code in BLOCKS if language == "python"}
RECIPES = {name for name, language, _ in BLOCKS if language == "js"}  # run by tests/serve/test_generated.py
SETTINGS = {name: code for name, language, code in BLOCKS if language == "yaml"}
REPORT = "examples/annual-report.pdf"
PRINTS = {
    "LangChain": "1.75 million passengers",
    "LangGraph": "2 Northwater Ferries carried 1.75 million passengers in 2025",
    "LlamaIndex": "1.75 million passengers",
    "OpenAI Agents SDK": "True ['The ferries carried 3 million passengers in 2025. (contradicted",
    "Pydantic AI": "characters 124 to 240: ",
    "smolagents, CrewAI, any other agent": "page 2, characters 124 to 240: Northwater Ferries carried",
    "Haystack": "[(2, 124, 240)]",
    "DSPy": "1.75 million passengers",
    "Inspect": "0.0 not_supported: Default output from mockllm/model",
    "datasets": "1.75 million passengers",
    "pandas": "says €41.26 billion; Revenue (€ million), 2025 is 41.",
    "Jupyter": "&lt;mark",  # in the frame that the cell shows
    "ragas, RAGChecker, ALCE, TRUE": '"chunk_start": 0',
    "pytest": "[(2, 124, 240)]",
}
# How a snippet is run, where a plain process is not its place: as a cell of a notebook, as a file of tests.
RUN = {
    "Jupyter": "from IPython.core.interactiveshell import InteractiveShell\n"
    "cell = InteractiveShell.instance().run_cell({code!r})\ncell.raise_error()\nprint(cell.result.data)",
    "pytest": "import pathlib, pytest\npath = pathlib.Path.home() / 'test_summary.py'\npath.write_text({code!r})\n"
    "raise SystemExit(pytest.main(['-qs', '-c', '/dev/null', '--rootdir=.', str(path)]))",
}
# What stands before a snippet here: the width of a table, and no network for an estimate of tokens.
BEFORE = {
    "pandas": "import pandas; pandas.set_option('display.max_colwidth', None, 'display.width', None)\n",
    "Inspect": "import tiktoken\nclass Words:\n    def encode(self, text, **_): return text.split()\n"
    "tiktoken.get_encoding = lambda name: Words()\n",
}
# What adapters need beside citewell, by the first name of the import.
FRAMEWORKS = (
    "agents",
    "pydantic_ai",
    "smolagents",
    "langgraph",
    "langchain_core",
    "llama_index",
    "haystack",
    "dspy",
    "inspect_ai",
    "datasets",
    "pandas",
    "IPython",
)


def needed(code):
    named = re.findall(r"^(?:from|import) ([\w.]+)", code, re.MULTILINE)
    # `agents` of ours is plain functions, that of OpenAI is imported as `agents`.
    adapters = {"jupyter": "IPython", "openai_agents": "agents"} | {name: name for name in FRAMEWORKS}
    result = {adapters[part] for name in named if (part := name.removeprefix("citewell.adapters.")) in adapters}
    return result | {name.split(".")[0] for name in named} & set(FRAMEWORKS)


def test_every_stack_has_a_snippet_of_at_most_ten_lines_and_no_other_is_shown():
    assert SNIPPETS.keys() == PRINTS.keys()
    assert SETTINGS.keys() == {"pre-commit", "GitHub Actions"}
    assert {"Vercel AI SDK"} == RECIPES
    assert len(BLOCKS) == PAGE.count("\n```") / 2
    lines = {name: len([line for line in code.splitlines() if line.strip()]) for name, _, code in BLOCKS}
    assert {name for name, count in lines.items() if count > 10} == set()
    stacks = re.search(r"\n\| stack .*?\n\n", PAGE, re.DOTALL)[0].splitlines()[3:]
    named = {name.strip() for row in stacks if row for name in row.split("|")[1].split(",")}
    assert named == {name.strip() for heading in lines for name in heading.split(",")}


@pytest.mark.parametrize("name", PRINTS)
def test_a_snippet_runs_and_shows_where_the_evidence_is(name, tmp_path):
    for framework in needed(SNIPPETS[name]):
        if importlib.util.find_spec(framework) is None:
            pytest.skip(f"{framework} is not installed")
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(sys.path),
        "HOME": str(tmp_path),
        "INSPECT_LOG_DIR": str(tmp_path),
        "HAYSTACK_TELEMETRY_ENABLED": "False",
        "PYTHONIOENCODING": "utf-8",
    }
    code = RUN[name].format(code=SNIPPETS[name]) if name in RUN else SNIPPETS[name]
    command = [sys.executable, "-c", BEFORE.get(name, "") + code]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert PRINTS[name] in done.stdout


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("openai_agents", "openai-agents", "openai-agents"),
        ("pydantic_ai", "pydantic-ai-slim", "pydantic-ai"),
        ("langchain", "langchain-core", "langchain"),
        ("llama_index", "llama-index-core", "llama-index"),
        ("haystack", "haystack-ai", "haystack"),
        ("dspy", "dspy", "dspy"),
        ("inspect_ai", "inspect-ai", "inspect"),
        ("datasets", "datasets", "datasets"),
        ("pandas", "pandas", "pandas"),
        ("jupyter", "ipython", "jupyter"),
    ],
)
def test_a_missing_extra_is_one_sentence_with_the_line_that_installs_it(module, package, extra):
    hide = f"import sys; sys.modules |= dict.fromkeys({list(FRAMEWORKS)!r})\n"
    code = (
        f"{hide}try: import citewell.adapters.{module}\nexcept Exception as error: print(type(error).__name__, error)"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert (
        done.stdout
        == f"MissingExtraError citewell.adapters.{module} needs the package {package!r}: pip install 'citewell[{extra}]'\n"
    )


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A repository with the files that the page's settings name: a summary, one statement of which is wrong, and more."""
    (tmp_path / "docs" / "summaries" / "2025").mkdir(parents=True)
    shutil.copy(ROOT / REPORT, tmp_path / "docs" / "report.pdf")
    good, bad = (f"The ferries carried {count} million passengers in 2025.\n" for count in ("1.75", "1.95"))
    for name in ("summary.md", "summaries/2025/harbour.md"):
        (tmp_path / "docs" / name).write_text(good + "\n" + bad)
    (tmp_path / "docs" / "notes.md").write_text(bad)  # which the settings do not name
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    return tmp_path


def test_the_settings_of_pre_commit_find_the_statement_that_is_wrong(project):
    yaml = pytest.importorskip("yaml")
    (repository,) = yaml.safe_load(SETTINGS["pre-commit"])["repos"]
    (hook,) = repository["hooks"]
    entry = {result["id"]: result for result in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}[
        hook["id"]
    ]["entry"]
    changed = sorted(path.as_posix() for path in Path("docs").rglob("*.md"))
    files = [path for path in changed if re.search(hook["files"], path)]
    assert files == ["docs/summary.md"]
    done = subprocess.run([*entry.split(), *hook["args"], *files], capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    assert done.stdout.startswith(
        "docs/summary.md:3:1: contradicted: The ferries carried 1.95 million passengers in 2025."
    )


def test_the_settings_of_github_find_the_statement_that_is_wrong(project, monkeypatch):
    yaml = pytest.importorskip("yaml")
    (used,) = yaml.safe_load(SETTINGS["GitHub Actions"])
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    step = action["runs"]["steps"][-1]
    inputs = {name: str(about.get("default", "")) for name, about in action["inputs"].items()} | used["with"]
    assert inputs.keys() == action["inputs"].keys()
    for variable, value in step["env"].items():
        monkeypatch.setenv(variable, inputs[value.removeprefix("${{ inputs.").removesuffix(" }}")])
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    done = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    (finding,) = [line for line in done.stdout.splitlines() if line.startswith("::error")]
    assert finding.startswith(
        "::error file=docs/summaries/2025/harbour.md,line=3,col=1,title=citewell%3A contradicted::"
    )
