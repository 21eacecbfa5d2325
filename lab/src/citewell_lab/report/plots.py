"""Plots as SVG for light and dark backgrounds: lines and text use the page's text colour."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from citewell.errors import MissingExtraError
from citewell_lab.report.page import escape
from citewell_lab.report.table import Table
from citewell_lab.report.values import Interval

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


class Heat(NamedTuple):
    """One heat map: the names of its rows and columns, and a value a cell, None where there is none."""

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Sequence[Sequence[float | None]]


class Plot(NamedTuple):
    """A plot: its file's name, its title, what it shows in words, the SVG and its numbers."""

    name: str
    title: str
    caption: str
    svg: str
    numbers: Table

    def html(self) -> str:
        """The plot on a page."""
        caption = escape(self.caption)
        heading = f"<h3>{escape(self.title)}</h3>" if self.title else ""
        return (
            f'<figure id="plot-{self.name}" role="img" aria-label="{caption}">{heading}'
            f"<figcaption>{caption}</figcaption>"
            f'<div class="wide plot">{self.svg}</div></figure>'
        )

    def files(self) -> dict[str, str]:
        """The plot and its numbers as texts by file name."""
        return {f"{self.name}.svg": self.svg + "\n", f"{self.name}.csv": self.numbers.csv()}


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
        raise MissingExtraError("plots", "matplotlib", "bench", "citewell-lab") from error
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


@contextmanager
def _panels(
    name: str,
    titles: Sequence[str],
    labels: tuple[str, str] = ("", ""),
    *,
    across: int,
    size: tuple[float, float],
    margin: float = 0.0,
    grid: str = "",
) -> Iterator[tuple[list[Any], list[str]]]:
    """Axes for panels side by side, `across` of them in a row, each of a size in inches."""
    columns = min(across, len(titles))
    rows = -(-len(titles) // columns)
    with figure(name, margin + size[0] * columns, size[1] * rows, rows, columns) as (axes, svg):
        for axis in axes[len(titles) :]:
            axis.set_axis_off()
        for axis, title in zip(axes, titles, strict=False):
            axis.set_title(title, wrap=True)
            axis.set_xlabel(labels[0])
            axis.set_ylabel(labels[1])
            if grid:
                axis.grid(axis=grid, alpha=0.2, color=INK)
                axis.set_axisbelow(True)
        yield axes[: len(titles)], svg


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
    size = (4.1, 2.9 + 0.2 * max(len(panel.series) for panel in panels))
    titles = [panel.title for panel in panels]
    with _panels(name, titles, labels, across=across, size=size, margin=0.4, grid="y") as (axes, svg):
        for axis, panel in zip(axes, panels, strict=True):
            for number, series in enumerate(panel.series):
                _curve(axis, series, number, len(panel.series), joined=joined, spread=bool(ticks))
            if ticks:
                axis.set_xticks(range(len(ticks)), ticks)
            if limits:
                axis.set_ylim(*limits)
            if any(series.name for series in panel.series):
                axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.22), ncols=1)
    return svg[0]


def _curve(axis: Any, series: Series, number: int, count: int, *, joined: bool, spread: bool) -> None:
    colour = INK if series.dashed else COLOURS[number % len(COLOURS)]
    shift = (number - (count - 1) / 2) * 0.06 if spread else 0.0
    x = [point[0] + shift for point in series.points]
    marked = len(x) <= 8 or not joined
    axis.plot(
        x,
        [point[1] for point in series.points],
        color=colour,
        linestyle=("--" if series.dashed else "-") if joined else "none",
        marker=MARKS[number % len(MARKS)] if marked else None,
        markersize=5,
        linewidth=1.5,
        label=series.name or None,
    )
    for place, (_, _, low, high) in zip(x, series.points, strict=True):
        if high > low:
            axis.plot([place, place], [low, high], color=colour, alpha=0.5, linewidth=1.4)


def bars(name: str, panels: Sequence[Panel], ticks: Sequence[str], labels: tuple[str, str], *, across: int = 3) -> str:
    """Groups of bars, a group for each tick."""
    titles = [panel.title for panel in panels]
    with _panels(name, titles, labels, across=across, size=(4.1, 3.2), margin=0.4, grid="y") as (axes, svg):
        for axis, panel in zip(axes, panels, strict=True):
            width = 0.8 / len(panel.series)
            for number, series in enumerate(panel.series):
                places = [point[0] + (number - (len(panel.series) - 1) / 2) * width for point in series.points]
                heights = [point[1] for point in series.points]
                axis.bar(places, heights, width, color=COLOURS[number % len(COLOURS)], label=series.name)
            axis.set_xticks(range(len(ticks)), ticks)
            axis.tick_params(axis="x", length=0)
            axis.legend()
    return svg[0]


def dots(
    name: str,
    rows: Sequence[str],
    panels: Sequence[tuple[str, Sequence[Interval | None]]],
    *,
    across: int = 3,
    share: bool = False,
    zero: bool = False,
) -> str:
    """Panels side by side: a mean with its interval for each row; a row without one is empty.

    With `zero` all panels have one scale, and a line at 0; with `share` fractions are drawn as percentages.
    """
    scale = 100 if share else 1
    every = [value for _, values in panels for value in values if value is not None]
    edges = [0.0, *(scale * value.low for value in every), *(scale * value.high for value in every)]
    room = 0.05 * (max(edges) - min(edges) or 1.0)
    margin = 0.3 + 0.075 * max(map(len, rows), default=0)
    size = (2.6, 0.9 + 0.27 * len(rows))
    titles = [title for title, _ in panels]
    with _panels(name, titles, across=across, size=size, margin=margin, grid="x") as (axes, svg):
        for number, (axis, (_, values)) in enumerate(zip(axes, panels, strict=True)):
            if zero:
                axis.axvline(0, color=INK, linewidth=0.8, alpha=0.6)
                axis.set_xlim(min(edges) - room, max(edges) + room)
            for place, value in enumerate(values):
                if value is not None:
                    ends = [scale * value.low, scale * value.high]
                    axis.plot(ends, [place, place], color=COLOURS[0], linewidth=1.6, alpha=0.7)
                    axis.plot([scale * value.mean], [place], "o", color=COLOURS[0], markersize=5)
            axis.set_yticks(range(len(rows)), rows if number % min(across, len(panels)) == 0 else [""] * len(rows))
            axis.tick_params(axis="y", length=0)
            axis.set_ylim(len(rows) - 0.4, -0.6)
    return svg[0]


def heat(
    name: str,
    panels: Sequence[Heat],
    *,
    share: bool = True,
    labels: tuple[str, str] = ("", ""),
    top: float | None = None,
    cell: float = 0.3,
    stretch: bool = False,
) -> str:
    """Heat maps two by two, the value in each cell.

    Args:
        name: of the file.
        panels: what to draw.
        share: values are fractions, written as percentages.
        labels: of the columns' and the rows' axes.
        top: the value of the darkest colour, the largest one where None; the same in all panels.
        cell: inches a row.
        stretch: whether each panel's colours run from its least to its largest value.
    """
    every = [[value for row in panel.cells for value in row if value is not None] for panel in panels]
    most = top if top is not None else max((value for known in every for value in known), default=1.0) or 1.0
    size = (4.2, 1.0 + cell * max(len(panel.rows) for panel in panels) + (0.3 if labels[0] else 0))
    with _panels(name, [panel.title for panel in panels], labels, across=2, size=size) as (axes, svg):
        for axis, panel, known in zip(axes, panels, every, strict=True):
            least, span = (min(known), max(known) - min(known) or 1.0) if stretch and known else (0.0, most)
            for y, row in enumerate(panel.cells):
                for x, value in enumerate(row):
                    if value is not None:
                        written = f"{100 * value:.0f}" if share else f"{value:.2f}"
                        _square(axis, x, y, min((value - least) / span, 1.0), written)
            axis.set_xlim(-0.5, len(panel.columns) - 0.5)
            axis.set_ylim(len(panel.rows) - 0.5, -0.5)
            axis.set_xticks(range(len(panel.columns)), panel.columns)
            axis.set_yticks(range(len(panel.rows)), panel.rows)
            axis.tick_params(length=0)
            for spine in axis.spines.values():
                spine.set_visible(False)
    return svg[0]


def _square(axis: Any, x: float, y: float, part: float, written: str) -> None:
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    colour = colormaps["cividis"](part)
    axis.add_patch(Rectangle((x - 0.48, y - 0.48), 0.96, 0.96, facecolor=colour, edgecolor="none"))
    axis.text(x, y, written, ha="center", va="center", color="#111" if part > 0.5 else "#fff", fontsize=8.5)


def stacked(name: str, rows: Sequence[str], parts: Sequence[tuple[str, Sequence[float]]], *, share: bool = True) -> str:
    """Horizontal bars of parts; the value stands in each part that is wide enough."""
    scale = 100 if share else 1
    whole = scale * max((sum(row) for row in zip(*(values for _, values in parts), strict=True)), default=1.0)
    label = "% of sentences" if share else "sentences"
    with _panels(name, [""], (label, ""), across=1, size=(7.6, 1.1 + 0.36 * len(rows))) as ((axis,), svg):
        left = [0.0] * len(rows)
        for (part, values), colour in zip(parts, ("#2b6fb0", "#e69f00", "#b5473c"), strict=False):
            widths = [scale * float(value) for value in values]
            axis.barh(range(len(rows)), widths, left=left, color=colour, height=0.72, label=part)
            ink = "#111" if colour == "#e69f00" else "#fff"
            for place, (start, width) in enumerate(zip(left, widths, strict=True)):
                if width > 0.035 * whole:
                    middle = start + width / 2
                    axis.text(middle, place, f"{width:.0f}", ha="center", va="center", color=ink, fontsize=8.5)
            left = [start + width for start, width in zip(left, widths, strict=True)]
        axis.set_yticks(range(len(rows)), rows)
        axis.invert_yaxis()
        axis.tick_params(axis="y", length=0)
        axis.spines["left"].set_visible(False)
        if len(parts) > 1:
            axis.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=len(parts), fontsize=9)
    return svg[0]
