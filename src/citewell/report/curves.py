"""Plots as SVG that reads on light and dark ground: lines and text take the page's colour of text."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from citewell.errors import MissingExtraError

INK = "#010203"  # stands for the page's text colour while matplotlib draws
# Okabe and Ito's colours, which the colour-blind tell apart, without black and yellow: they read on both grounds.
COLOURS = ("#2b83c6", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
MARKS = "os^Dvp"
_THEME = "<style>svg{color:#222}@media(prefers-color-scheme:dark){svg{color:#ddd}}</style>"
Point = tuple[float, float, float, float]  # x, y, and y's interval


class Series(NamedTuple):
    """A curve: its name, (x, y, low, high) points in drawn units, whether it is a baseline and so dashed."""

    name: str
    points: Sequence[Point]
    dashed: bool = False


class Panel(NamedTuple):
    """One set of axes with its curves."""

    title: str
    series: Sequence[Series]


@contextmanager
def figure(
    name: str, width: float, height: float, rows: int = 1, columns: int = 1
) -> Iterator[tuple[list[Any], list[str]]]:
    """Axes to draw on, row by row; when the block ends, the SVG is added to the list.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    try:
        import matplotlib as mpl
    except ModuleNotFoundError as error:
        raise MissingExtraError("plots", "matplotlib", "bench") from error
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    settings = {
        "svg.fonttype": "none",
        "svg.hashsalt": name,  # ids differ from plot to plot on one page, and do not from run to run
        "font.family": "sans-serif",
        "font.size": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), INK),
        "axes.titlesize": 10.5,
        "legend.frameon": False,
        "legend.fontsize": 8.5,
    }
    out: list[str] = []
    with mpl.rc_context(settings):
        drawn = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasSVG(drawn)
        yield list(drawn.subplots(rows, columns, squeeze=False).flat), out
        stream = io.StringIO()
        drawn.savefig(stream, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = stream.getvalue()
    text = text[text.index("<svg") :].replace(INK, "currentColor")
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    # The SVG is as wide as the page lets it; its ratio comes from the view box.
    text = re.sub(r'(<svg[^>]*?) (?:height|width)="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'(<svg[^>]*?) (?:height|width)="[^"]*"', r"\1", text, count=1)
    head, _, rest = text.partition(">")
    out.append(f'{head} role="img" style="max-width:{width * 96:.0f}px;width:100%">{_THEME}{rest}')


def curves(
    name: str,
    panels: Sequence[Panel],
    labels: tuple[str, str],
    *,
    ticks: Sequence[str] = (),
    limits: tuple[float, float] | None = None,
    joined: bool = True,
    across: int = 3,
) -> str:
    """Curves in panels side by side, with intervals where low and high differ; one legend below each panel.

    Args:
        name: of the file; also keeps the SVG's ids apart.
        panels: what to draw.
        labels: of the x and y axes.
        ticks: names of x = 0, 1, ...; numbers where there are none.
        limits: of the y axis; by the values where None.
        joined: lines between the points, else points alone.
        across: the most panels in a row.
    """
    columns = min(across, len(panels))
    rows = -(-len(panels) // columns)
    legends = max(len(panel.series) for panel in panels)
    with figure(name, 4.1 * columns + 0.4, (2.9 + 0.2 * legends) * rows, rows, columns) as (axes, out):
        for axis in axes[len(panels) :]:
            axis.set_axis_off()
        for axis, panel in zip(axes, panels, strict=False):
            for number, series in enumerate(panel.series):
                _curve(axis, series, number, len(panel.series), joined=joined, spread=bool(ticks))
            axis.set_title(panel.title, wrap=True)
            axis.set_xlabel(labels[0])
            axis.set_ylabel(labels[1])
            axis.grid(axis="y", alpha=0.2, color=INK)
            if ticks:
                axis.set_xticks(range(len(ticks)), ticks)
            if limits:
                axis.set_ylim(*limits)
            if any(series.name for series in panel.series):
                axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.22), ncols=1)
    return out[0]


def _curve(axis: Any, series: Series, number: int, count: int, *, joined: bool, spread: bool) -> None:
    colour = INK if series.dashed else COLOURS[number % len(COLOURS)]
    shift = (number - (count - 1) / 2) * 0.06 if spread else 0.0
    x = [one[0] + shift for one in series.points]
    few = len(x) <= 8 or not joined
    axis.plot(
        x,
        [one[1] for one in series.points],
        color=colour,
        linestyle=("--" if series.dashed else "-") if joined else "none",
        marker=MARKS[number % len(MARKS)] if few else None,
        markersize=5,
        linewidth=1.5,
        label=series.name or None,
    )
    for place, (_, _, low, high) in zip(x, series.points, strict=True):
        if high > low:
            axis.plot([place, place], [low, high], color=colour, alpha=0.5, linewidth=1.4)


def bars(name: str, panels: Sequence[Panel], ticks: Sequence[str], labels: tuple[str, str], *, across: int = 3) -> str:
    """Groups of bars, a group for each tick."""
    columns = min(across, len(panels))
    rows = -(-len(panels) // columns)
    with figure(name, 4.1 * columns + 0.4, 3.2 * rows, rows, columns) as (axes, out):
        for axis in axes[len(panels) :]:
            axis.set_axis_off()
        for axis, panel in zip(axes, panels, strict=False):
            width = 0.8 / len(panel.series)
            for number, series in enumerate(panel.series):
                places = [one[0] + (number - (len(panel.series) - 1) / 2) * width for one in series.points]
                heights = [one[1] for one in series.points]
                axis.bar(places, heights, width, color=COLOURS[number % len(COLOURS)], label=series.name)
            axis.set_title(panel.title, wrap=True)
            axis.set_xticks(range(len(ticks)), ticks)
            axis.tick_params(axis="x", length=0)
            axis.set_xlabel(labels[0])
            axis.set_ylabel(labels[1])
            axis.grid(axis="y", alpha=0.2, color=INK)
            axis.set_axisbelow(True)
            axis.legend()
    return out[0]


def scatter(name: str, panels: Sequence[Panel], labels: tuple[str, str], *, across: int = 3) -> str:
    """Points alone, each series in its colour."""
    return curves(name, panels, labels, joined=False, across=across)
