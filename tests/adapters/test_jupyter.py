"""Against the real IPython."""

import atexit
import sys

import pytest

pytestmark = pytest.mark.slow
pytest.importorskip("IPython")

from IPython.core.interactiveshell import InteractiveShell

import citewell
from citewell.adapters.chunks import Chunk, Chunks
from citewell.adapters.jupyter import show
from citewell.errors import UsageError
from harbour import DOCUMENT, WRITTEN, cut


@pytest.fixture
def shell(tmp_path, monkeypatch):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    # The shell puts a module of its own in its place, from which no worker of another test can be started.
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    shell = InteractiveShell()
    shell.display_formatter.active_types = ["text/plain", "text/html"]
    yield shell
    shell.atexit_operations()
    atexit.unregister(shell.atexit_operations)


def html(shell, value):
    return shell.display_formatter.format(value)[0].get("text/html")


def test_results_are_pages_once_the_extension_is_loaded_and_no_more_when_it_is_unloaded(shell):
    verdicts = citewell.check(DOCUMENT, ["Two ferries were sold in March."])
    cited = Chunks([Chunk(text) for _, text, _ in cut()]).attribute(WRITTEN)
    audited = citewell.audit(WRITTEN, [DOCUMENT])
    assert html(shell, verdicts) is None
    shell.run_line_magic("load_ext", "citewell.adapters.jupyter")
    for value in (verdicts, verdicts[0], cited, audited, citewell.attribute(DOCUMENT, WRITTEN)):
        assert html(shell, value).startswith('<iframe sandbox="allow-scripts"')
    assert html(shell, [1, 2]) is None
    assert html(shell, []) is None
    shell.run_line_magic("unload_ext", "citewell.adapters.jupyter")
    assert html(shell, verdicts) is None


def test_show_puts_the_document_beside_a_result():
    answer = citewell.attribute(DOCUMENT, WRITTEN)
    assert "paid no dividend" not in answer._repr_html_()
    assert "paid no dividend" in show(answer, DOCUMENT).data
    assert "paid no dividend" in show(citewell.check(DOCUMENT, ["Two ferries were sold."]), DOCUMENT).data
    with pytest.raises(UsageError, match="a str is no result"):
        show("text")
