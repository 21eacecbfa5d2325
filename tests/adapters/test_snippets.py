"""What docs/adapters.md shows runs, each snippet in a process of its own, with the frameworks that are installed."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8")
SNIPPETS = dict(re.findall(r"^## ([^\n]+)\n\n```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
PRINTS = {
    "LangChain": "1.75 million passengers",
    "LlamaIndex": "1.75 million passengers",
    "Haystack": "[(2, 124, 240)]",
    "DSPy": "1.75 million passengers",
    "Inspect": "0.0 not_supported: Default output from mockllm/model",
    "datasets": "1.75 million passengers",
    "pandas": "says €41.26 billion; Revenue (€ million), 2025 is 41.",
    "Jupyter": "",
    "ragas, RAGChecker, ALCE, TRUE": '"chunk_start": 0',
}
# What stands before a snippet here: the width of a table, and no network for an estimate of tokens.
BEFORE = {
    "pandas": "import pandas; pandas.set_option('display.max_colwidth', None, 'display.width', None)\n",
    "Inspect": "import tiktoken\nclass Words:\n    def encode(self, text, **_): return text.split()\n"
    "tiktoken.get_encoding = lambda name: Words()\n",
}
# What adapters need beside citewell, by the first name of the import.
FRAMEWORKS = ("langchain_core", "llama_index", "haystack", "dspy", "inspect_ai", "datasets", "pandas", "IPython")


def needed(code):
    named = re.findall(r"^(?:from|import) ([\w.]+)", code, re.MULTILINE)
    adapters = {"jupyter": "IPython"} | {name: name for name in FRAMEWORKS}
    own = {adapters[part] for name in named if (part := name.removeprefix("citewell.adapters.")) in adapters}
    return own | {name.split(".")[0] for name in named} & set(FRAMEWORKS)


def test_every_stack_has_a_snippet_of_at_most_ten_lines():
    assert SNIPPETS.keys() == PRINTS.keys()
    longest = {name: len([line for line in code.splitlines() if line.strip()]) for name, code in SNIPPETS.items()}
    assert {name for name, lines in longest.items() if lines > 10} == set()


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
    command = [sys.executable, "-c", BEFORE.get(name, "") + SNIPPETS[name]]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert PRINTS[name] in done.stdout


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
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
