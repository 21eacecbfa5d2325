"""The losses of a run as one small SVG, where matplotlib is installed; without it there is no plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_INK = "#767676"  # reads on light and dark ground


def losses(path: Path, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Draw the training loss of every step and the development loss; whether it was drawn."""
    if find_spec("matplotlib") is None:
        return False
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    settings = {
        "svg.fonttype": "none",
        "svg.hashsalt": "losses",
        "legend.frameon": False,
        "axes.spines.top": False,
        "axes.spines.right": False,
        **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), _INK),
    }
    with mpl.rc_context(settings):
        figure = Figure(figsize=(6, 3), layout="constrained", facecolor="none")
        FigureCanvasSVG(figure)
        axes = figure.subplots()
        axes.set_facecolor("none")
        trained = [(row["step"], row["loss"]) for row in rows if "loss" in row]
        scored = [(row["step"], row["dev_loss"]) for row in rows if "dev_loss" in row]
        axes.plot(*zip(*trained, strict=True), color="#2b83c6", linewidth=1, label="training")
        if scored:
            axes.plot(*zip(*scored, strict=True), "o-", color="#d55e00", markersize=4, label="development")
        axes.set(xlabel="step", ylabel="loss per token")
        axes.legend()
        figure.savefig(path, format="svg", metadata={"Date": None}, facecolor="none")
    return True
