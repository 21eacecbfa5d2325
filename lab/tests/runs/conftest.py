import pytest


@pytest.fixture
def scripted_run(tmp_path, zoo, monkeypatch):
    """Runs a script of `runs/` over `tmp_path / "data"`; see `runs.harness`."""
    from runs.harness import Scripts

    return Scripts(tmp_path, tmp_path / "data", zoo, monkeypatch)
