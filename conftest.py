"""What every test lives in: a temporary home, a clean environment, no network but loopback; costly things left out of a quick run."""

import os
import re
import shutil

import pytest
from hypothesis import is_hypothesis_test, settings

os.environ["HF_HUB_OFFLINE"] = "1"  # the hub's library reads it when it is imported, and would try for minutes

# What `--quick` leaves out.
COSTLY = ("models", "slow", "browser", "ocr")
MARKED_WHOLE = re.compile(r"^pytestmark = (.+)$", re.MULTILINE)

# A busy machine is no fault of the code, so no example has a deadline; CI draws the same examples for the same code.
settings.register_profile("full", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("quick", deadline=None, max_examples=5)


def pytest_addoption(parser):
    parser.addoption("--quick", action="store_true", help=f"leave out the tests marked {', '.join(COSTLY)}")


def pytest_configure(config):
    settings.load_profile("quick" if config.getoption("quick") else "ci" if os.environ.get("CI") else "full")


def pytest_ignore_collect(collection_path, config):
    """A file that is marked as a whole by what is left out is not even imported: that alone can take seconds."""
    if collection_path.suffix != ".py":
        return None
    chosen = config.getoption("markexpr")
    left_out = set(COSTLY if config.getoption("quick") else ())
    left_out |= set() if "or" in chosen.split() else set(re.findall(r"\bnot (\w+)", chosen))
    whole = MARKED_WHOLE.search(collection_path.read_text(encoding="utf-8")) if left_out else None
    return bool(whole and left_out.intersection(re.findall(r"pytest\.mark\.(\w+)", whole[1]))) or None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    for item in items:
        if "zoo" in item.fixturenames:
            item.add_marker(pytest.mark.models)
        if "data" in item.keywords and not os.environ.get("CITEWELL_DATA"):
            item.add_marker(pytest.mark.skip(reason="needs the public data sets: set CITEWELL_DATA"))
        if "browser" in item.keywords and not shutil.which("chromium"):
            item.add_marker(pytest.mark.skip(reason="needs Debian's chromium"))
        if "ocr" in item.keywords and not shutil.which("tesseract"):
            item.add_marker(pytest.mark.skip(reason="needs Debian's tesseract-ocr"))
    if config.getoption("quick"):
        costly = {item for item in items if any(item.get_closest_marker(cost) for cost in COSTLY)}
        config.hook.pytest_deselected(items=list(costly))
        items[:] = [item for item in items if item not in costly]
        for item in items:
            hold_to_few_examples(item)


def hold_to_few_examples(item):
    """A property that asks for more examples than a profile draws would ask for them in a quick run too."""
    test = getattr(item, "obj", None)
    if is_hypothesis_test(test) and (own := getattr(test, "_hypothesis_internal_use_settings", None)):
        most = settings.get_profile("quick").max_examples
        test._hypothesis_internal_use_settings = settings(own, max_examples=min(own.max_examples, most))


@pytest.fixture(autouse=True)
def _own_world(request, tmp_path_factory, monkeypatch):
    """No test reads the user's settings or keys, and none reaches a model hub."""
    for name in list(os.environ):
        if name.startswith(("CITEWELL_DEBUG", "OPENAI", "ANTHROPIC", "AZURE", "NO_COLOR", "FORCE_COLOR")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    if request.config.getoption("quick"):
        monkeypatch.setattr(os, "fsync", lambda _: None)  # the disk is slow, and no test pulls the plug
    # A name of its own; the folder is made by who needs it, which few of the tests do.
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / f"cache-{id(request.node)}"))


@pytest.fixture(scope="session")
def zoo(tmp_path_factory):
    """Tiny models by name; asking for them skips the test where torch is not installed."""
    from tiny_models import Zoo

    return Zoo(tmp_path_factory.mktemp("models"))
