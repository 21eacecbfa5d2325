"""What every test lives in: a temporary home, a clean environment, no network but loopback; slow things by request."""

import os

import pytest

os.environ["HF_HUB_OFFLINE"] = "1"  # the hub's library reads it when it is imported, and would try for minutes

OPTIONAL = {"slow": "--run-slow", "browser": "--run-browser"}


def pytest_addoption(parser):
    for marker, option in OPTIONAL.items():
        parser.addoption(option, action="store_true", help=f"run the tests marked {marker}")


def pytest_collection_modifyitems(config, items):
    for item in items:
        for marker, option in OPTIONAL.items():
            if marker in item.keywords and not config.getoption(option):
                item.add_marker(pytest.mark.skip(reason=f"needs {option}"))
        if "data" in item.keywords and not os.environ.get("CITEWELL_DATA"):
            item.add_marker(pytest.mark.skip(reason="needs the public data sets: set CITEWELL_DATA"))


@pytest.fixture(autouse=True)
def _own_world(tmp_path, monkeypatch):
    """No test reads the user's settings or keys, and none reaches a model hub."""
    for name in list(os.environ):
        if name.startswith(("CITEWELL_DEBUG", "OPENAI", "ANTHROPIC", "AZURE", "NO_COLOR", "FORCE_COLOR")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(scope="session")
def zoo(tmp_path_factory):
    """Tiny models by name; asking for them skips the test where torch is not installed."""
    from tiny_models import Zoo

    return Zoo(tmp_path_factory.mktemp("models"))
