"""`citewell train package`: the card, the wheel, and `mini` without a folder where the package is installed."""

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from citewell import cli
from citewell.errors import InputError, UsageError
from citewell.models import mini
from citewell_lab.train.mini.package import FIGURES, card, package

SKELETON = Path(__file__).parents[3] / "packages" / "citewell-mini"
TEXT = "The mill was built in 1870 by Ann Reed. It burned down in 1912 and was never built again."


@pytest.fixture
def home(tmp_path):
    """The package's folder as the repository has it, without weights."""
    place = tmp_path / "citewell-mini"
    shutil.copytree(SKELETON, place, ignore=shutil.ignore_patterns("model", "build", "*.egg-info", "__pycache__"))
    return place


def folder_of(tmp_path, heads=("claim",), figures=None, **settings):
    """What stands for a model wherever none is run."""
    place = tmp_path / "model"
    place.mkdir()
    (place / "model_int8.onnx").write_bytes(b"graph")
    (place / mini.SETTINGS).write_text(json.dumps({"heads": heads, **settings}), encoding="utf-8")
    if figures is not None:
        (place / FIGURES).write_text(json.dumps(figures), encoding="utf-8")
    return place


def built(home, out):
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation",
               "--wheel-dir", str(out), str(home)]  # fmt: skip
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(zoo, tmp_path_factory):
    """The wheel of a tiny model, built and unpacked as an installer does."""
    scratch = tmp_path_factory.mktemp("package")
    home = scratch / "citewell-mini"
    shutil.copytree(SKELETON, home, ignore=shutil.ignore_patterns("model", "build", "*.egg-info", "__pycache__"))
    assert cli.main(["train", "package", zoo.mini, "--out", str(home)]) == 0
    done = built(home, scratch / "dist")
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = (scratch / "dist").iterdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(scratch / "site")
    return scratch / "site"


@pytest.fixture
def installed(site, monkeypatch):
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.delitem(sys.modules, mini.PACKAGE, raising=False)
    yield site
    sys.modules.pop(mini.PACKAGE, None)


@pytest.mark.slow
def test_the_installed_package_is_what_mini_takes_without_a_folder(installed, zoo, tmp_path, capsys):
    report = tmp_path / "report.txt"
    report.write_text(TEXT, encoding="utf-8")
    for command in (
        ["check", str(report), "The mill was built in 1870.", "--checker", "mini"],
        ["attribute", str(report), "The mill burned down in 1912.", "--method", "retrieval(retriever=mini)"],
        ["ask", str(report), "Who built the mill?", "--approach", "extractive(reader=mini)"],
    ):
        assert cli.main([*command, "--json"]) == 0
        by_name = capsys.readouterr().out
        named = command[-1].replace("mini", f"mini(model={zoo.mini})")
        assert cli.main([*command[:-1], named, "--json"]) == 0
        by_folder = json.loads(capsys.readouterr().out)
        assert scores(json.loads(by_name)) == scores(by_folder) != []


def scores(value):
    """All scores and confidences of a JSON object, in their order."""
    if isinstance(value, list):
        return [score for part in value for score in scores(part)]
    if not isinstance(value, dict):
        return []
    values = [value[key] for key in ("score", "confidence") if key in value]
    return values + [score for part in value.values() for score in scores(part)]


@pytest.mark.slow
def test_the_wheel_has_the_weights_the_licence_and_the_card(site):
    model = site / mini.PACKAGE / "model"
    assert {"model_int8.onnx", "tokenizer.json", "config.json", "mini.json"} <= {file.name for file in model.iterdir()}
    (info,) = site.glob("citewell_mini-*.dist-info")
    assert "## Data and licences" in (info / "METADATA").read_text(encoding="utf-8")
    assert (info / "licenses" / "LICENSE").read_text(encoding="utf-8").lstrip().startswith("Apache License")


@pytest.mark.slow
def test_a_package_without_weights_is_not_built_and_says_why(home, tmp_path):
    done = built(home, tmp_path / "dist")
    assert done.returncode != 0
    assert (
        "has no weights here (src/citewell_mini/model/model_int8.onnx): citewell train package"
        in done.stderr + done.stdout
    )


def test_a_head_that_was_not_trained_is_refused_with_the_package_too(home, tmp_path, monkeypatch, capsys):
    package(folder_of(tmp_path, ["relevance"]), home)
    monkeypatch.syspath_prepend(str(home / "src"))
    monkeypatch.delitem(sys.modules, mini.PACKAGE, raising=False)
    report = tmp_path / "report.txt"
    report.write_text(TEXT, encoding="utf-8")
    try:
        assert cli.main(["check", str(report), "It burned.", "--checker", "mini"]) == 2
    finally:
        sys.modules.pop(mini.PACKAGE, None)
    assert "was not trained for this: it knows relevance" in capsys.readouterr().err


def test_new_weights_replace_all_of_the_old(home, tmp_path):
    model = folder_of(tmp_path)
    (package(model, home) / "of_before.json").write_text("{}", encoding="utf-8")
    place = package(model, home)
    assert sorted(file.name for file in place.iterdir()) == ["mini.json", "model_int8.onnx"]
    assert [file.name for file in place.parent.iterdir() if file.name.startswith(".")] == []


def test_the_card_names_every_set_that_is_trained_on_with_its_licence(tmp_path):
    text = card(folder_of(tmp_path), ["claim", "reader", "relevance"])
    assert "fever (CC BY-SA 3.0)" in text
    assert "squad2 (CC BY-SA 4.0)" in text
    assert "policyqa (MIT)" in text
    assert "()" not in text
    assert "$" not in text


def test_the_card_s_figures_are_those_of_the_file_without_the_path_of_the_model(tmp_path):
    figures = [
        {
            "command": 'python measure.py --checker "mini(model=/home/me/model, alone=true)"',
            "systems": {
                "lexical": {"wice": {"n": 180, "auc": [0.789, 0.7, 0.85], "accuracy": 0.75}},
                "mini(model=/home/me/model)": {"wice": {"n": 180, "auc": [0.801, 0.71, 0.86]}},
            },
        },
        {"command": "citewell bench run squad2", "task": "squad2", "split": "dev", "n": 40, "metrics": {"f1": 0.6123, "ms": 12.5},
         "method": 'extractive(reader="mini(model=/home/me/model)")'},
    ]  # fmt: skip
    text = card(folder_of(tmp_path, figures=figures), ["claim"])
    assert "| wice, 180 | 78.9 (70.0 to 85.0) | 80.1 (71.0 to 86.0) |" in text
    assert "| AUC, with its 95% interval | lexical | mini |" in text
    assert "| accuracy at the best threshold across folds | lexical |" in text
    assert '`python measure.py --checker "mini(alone=true)"`' in text
    assert '| squad2, dev, 40 | extractive(reader="mini") |' in text
    assert "| f1 | 61.2 |" in text
    assert "| ms | 12.5 |" in text
    assert "/home/me" not in text


def test_a_card_without_figures_says_so_and_damaged_ones_are_refused(tmp_path):
    assert "None: the model has no `figures.json`, so nothing was measured with it." in card(
        folder_of(tmp_path), ["claim"]
    )
    (tmp_path / "other").mkdir()
    with pytest.raises(InputError, match="does not have the form that the benchmarks write"):
        card(folder_of(tmp_path / "other", figures={"auc": 1}), ["claim"])


def test_what_is_no_package_or_no_model_is_refused(home, tmp_path):
    with pytest.raises(UsageError, match="is not the folder of a package citewell_mini"):
        package(folder_of(tmp_path), tmp_path)
    (tmp_path / "model" / "model_int8.onnx").unlink()
    with pytest.raises(UsageError, match="has no model_int8.onnx: citewell train mini writes it"):
        package(tmp_path / "model", home)
