"""Packages a run's judge as citewell-judge: installs its folder and writes the model card to the README."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from string import Template

from citewell.errors import UsageError
from citewell.models import small_judge
from citewell.models.onnx import folder
from citewell.text import files
from citewell.text.data import read_text
from citewell_lab.bench.tasks import task
from citewell_lab.train.checker.sets import SETS
from citewell_lab.train.judge.data import LEFT_OUT, OTHERS, PEOPLE, QUESTION_SETS, WRITTEN

FIGURES = "figures.json"  # beside the graph: what `citewell train judge --measure` wrote
_LICENCES = {
    "covidqa": "Apache-2.0", "nq_open_oracle": "CC BY-SA 3.0", "policyqa": "MIT", "squad2": "CC BY-SA 4.0",
    "tatqa": "CC BY 4.0", "aitqa": "CDLA-Sharing-1.0", "evidence_inference": "MIT",
    "fever": "pages alone, CC BY-SA 3.0",
}  # fmt: skip


def package(model: Path, target: Path) -> Path:
    """Put a judge into the folder of its package; where its model lies then.

    Args:
        model: the folder that `citewell train judge` made.
        target: the folder of the package, `packages/citewell-judge` of the repository.

    Raises:
        UsageError: one of them is not what it should be.
        BackendError: the judge's settings are damaged.
    """
    home = target / "src" / small_judge.PACKAGE
    if not (home / "__init__.py").is_file() or not (target / "pyproject.toml").is_file():
        raise UsageError(
            f"{target} is not the folder of a package {small_judge.PACKAGE}: the repository has packages/citewell-judge"
        )
    text = card(model)
    place = home / "model"
    with tempfile.TemporaryDirectory(dir=home, prefix=".model-") as scratch:
        copied = Path(scratch) / "model"
        copied.mkdir()
        for file in sorted(model.iterdir()):
            if file.is_file():
                shutil.copyfile(file, copied / file.name)
        if place.exists():
            place.rename(Path(scratch) / "before")
        copied.rename(place)
    files.write(target / "README.md", text)
    return place


def card(model: Path) -> str:
    """The model card: data and licences, how it was made, what was measured, limits.

    Raises:
        UsageError: the folder holds no judge.
        BackendError: its settings are damaged.
    """
    settings = small_judge.find(str(model)).settings
    measured = folder.read(model, FIGURES)
    names = dict.fromkeys((*PEOPLE, *WRITTEN, *QUESTION_SETS, *OTHERS, "fever"))
    size = sum(file.stat().st_size for file in model.iterdir()) / 1e6
    progress = settings["learnt"]
    return Template(read_text(__package__, "card.md")).substitute(
        size=f"{size:.0f}",
        bits=settings["bits"],
        sets=", ".join(f"{name} ({_licence(name)})" for name in names),
        left_out=", ".join(LEFT_OUT),
        evidence=settings["evidence_tokens"],
        figures="None: nothing was measured with it." if measured is None else f"`{json.dumps(measured)}`",
        **{name: f"{progress[name]:,}" for name in ("steps", "tokens", "claims")},
    )


def _licence(name: str) -> str:
    if name in _LICENCES:
        return _LICENCES[name]
    return SETS[name].permits() if name in SETS else task(name).data.published.licence
