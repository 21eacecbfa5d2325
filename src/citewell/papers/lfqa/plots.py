"""The study's plots as SVG that reads on light and dark ground: lines and text take the page's colour of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from citewell.report.curves import COLOURS, INK, figure
from citewell.report.intervals import Interval


def dots(
    name: str,
    rows: Sequence[str],
    panels: Sequence[tuple[str, Sequence[Interval | None]]],
    *,
    columns: int = 3,
    percent: bool = False,
    zero: bool = False,
) -> str:
    """Small panels side by side: a mean with its interval for each row; a row without one is empty.

    With `zero` all panels have one scale, and a line at 0.
    """
    columns = min(columns, len(panels))
    count = -(-len(panels) // columns)
    height = (0.9 + 0.27 * len(rows)) * count
    known = [value for _, values in panels for value in values if value is not None]
    scale = 100 if percent else 1
    edges = [0.0, *(scale * one.low for one in known), *(scale * one.high for one in known)]
    margin = 0.05 * (max(edges) - min(edges) or 1.0)
    limits = (min(edges) - margin, max(edges) + margin)
    width = 0.3 + 0.075 * max(map(len, rows), default=0) + 2.6 * columns
    with figure(name, width, height, count, columns) as (axes, out):
        places = np.arange(len(rows))[::-1]
        for number, axis in enumerate(axes):
            if number >= len(panels):
                axis.set_axis_off()
                continue
            title, values = panels[number]
            if zero:
                axis.axvline(0, color=INK, linewidth=0.8, alpha=0.6)
                axis.set_xlim(*limits)
            _points(axis, places, values, COLOURS[0], percent)
            axis.set_title(title)
            axis.set_yticks(places, rows if number % columns == 0 else [""] * len(rows))
            axis.tick_params(axis="y", length=0)
            axis.grid(axis="x", alpha=0.2, color=INK)
            axis.set_ylim(-0.6, len(rows) - 0.4)
    return out[0]


def _points(axis: Any, places: Any, values: Sequence[Interval | None], colour: str, percent: bool) -> None:
    scale = 100 if percent else 1
    found = [(place, value) for place, value in zip(places, values, strict=True) if value is not None]
    for place, value in found:
        axis.plot([scale * value.low, scale * value.high], [place, place], color=colour, linewidth=1.6, alpha=0.7)
    axis.plot(
        [scale * value.mean for _, value in found], [place for place, _ in found], "o", color=colour, markersize=5
    )


def grid(
    name: str,
    panels: Sequence[tuple[str, Sequence[str], Sequence[str], Sequence[Sequence[float | None]]]],
    *,
    percent: bool = True,
    labels: tuple[str, str] = ("", ""),
    written: bool = True,
    top: float | None = None,
    width: float = 4.2,
    cell: float = 0.3,
    columns: int = 2,
    stretch: bool = False,
) -> str:
    """Heat maps side by side: (title, row names, column names, values); None leaves a cell empty.

    Args:
        name: of the file.
        panels: what to draw.
        percent: values are fractions, written as percentages.
        labels: of the columns' and the rows' axes.
        written: whether each value stands in its cell.
        top: the value of the darkest colour, the largest one where None; the same in all panels.
        width: inches a panel.
        cell: inches a row.
        columns: how many panels stand side by side.
        stretch: whether each panel's colours run from its least to its largest value.
    """
    from matplotlib import colormaps

    every = [[value for row in values for value in row if value is not None] for _, _, _, values in panels]
    most = top if top is not None else max((value for known in every for value in known), default=1.0) or 1.0
    height = 1.0 + cell * max(len(rows) for _, rows, _, _ in panels) + (0.3 if labels[0] else 0)
    across = min(columns, len(panels))
    down = -(-len(panels) // across)
    colours = colormaps["cividis"]
    with figure(name, width * across, height * down, down, across) as (axes, out):
        for axis in axes[len(panels) :]:
            axis.set_axis_off()
        for axis, (title, rows, names, values), known in zip(axes, panels, every, strict=False):
            least, span = (min(known), max(known) - min(known) or 1.0) if stretch and known else (0.0, most)
            for y, row in enumerate(values):
                for x, value in enumerate(row):
                    if value is None:
                        continue
                    part = min((value - least) / span, 1.0)
                    axis.add_patch(_cell(x, y, colours(part)))
                    if written:
                        text = f"{100 * value:.0f}" if percent else f"{value:.2f}"
                        ink = "#111" if part > 0.5 else "#fff"
                        axis.text(x, y, text, ha="center", va="center", color=ink, fontsize=8.5)
            axis.set_xlim(-0.5, len(names) - 0.5)
            axis.set_ylim(len(rows) - 0.5, -0.5)
            axis.set_xticks(range(len(names)), names)
            axis.set_yticks(range(len(rows)), rows)
            axis.tick_params(length=0)
            for spine in axis.spines.values():
                spine.set_visible(False)
            axis.set_title(title)
            axis.set_xlabel(labels[0])
            axis.set_ylabel(labels[1])
    return out[0]


def _cell(x: float, y: float, colour: Any) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((x - 0.48, y - 0.48), 0.96, 0.96, facecolor=colour, edgecolor="none")


def lines(
    name: str,
    panels: Sequence[tuple[str, Sequence[tuple[str, Sequence[Interval | None]]]]],
    ticks: Sequence[str],
    labels: tuple[str, str],
) -> str:
    """Curves with intervals: each panel has (name, one value a tick) curves; fractions drawn as percentages."""
    known = [one for _, curves in panels for _, values in curves for one in values if one is not None]
    highest = max([1.0, *(100 * one.high for one in known)])
    with figure(name, 4.4 * len(panels), 3.1, 1, len(panels)) as (axes, out):
        for axis, (title, curves) in zip(axes, panels, strict=True):
            for number, (curve, values) in enumerate(curves):
                colour = COLOURS[number % len(COLOURS)]
                shift = (number - (len(curves) - 1) / 2) * 0.07
                found = [(x + shift, value) for x, value in enumerate(values) if value is not None]
                axis.plot(
                    [x for x, _ in found],
                    [100 * value.mean for _, value in found],
                    color=colour,
                    marker="os^D"[number % 4],
                    markersize=5,
                    label=curve,
                )
                for x, value in found:
                    axis.plot([x, x], [100 * value.low, 100 * value.high], color=colour, alpha=0.55)
            axis.set_title(title)
            axis.set_xticks(range(len(ticks)), ticks)
            axis.set_ylim(0, 1.05 * highest)
            axis.grid(axis="y", alpha=0.2, color=INK)
            axis.set_xlabel(labels[0])
            axis.set_ylabel(labels[1])
            axis.legend(fontsize=8.5)
    return out[0]


def stacked(
    name: str, rows: Sequence[str], parts: Sequence[tuple[str, Sequence[float]]], *, percent: bool = True
) -> str:
    """Horizontal bars of parts; the value stands in each part that is wide enough."""
    with figure(name, 7.6, 1.1 + 0.36 * len(rows)) as (axes, out):
        axis, scale = axes[0], 100 if percent else 1
        places = np.arange(len(rows))[::-1]
        left = np.zeros(len(rows))
        whole = scale * max((sum(row) for row in zip(*(values for _, values in parts), strict=True)), default=1.0)
        for (part, values), colour in zip(parts, ("#2b6fb0", "#e69f00", "#b5473c"), strict=False):
            widths = scale * np.asarray(values, dtype=float)
            axis.barh(places, widths, left=left, color=colour, height=0.72, label=part)
            for place, start, width in zip(places, left, widths, strict=True):
                if width > 0.035 * whole:
                    ink = "#111" if colour == "#e69f00" else "#fff"
                    axis.text(
                        start + width / 2, place, f"{width:.0f}", ha="center", va="center", color=ink, fontsize=8.5
                    )
            left = left + widths
        axis.set_yticks(places, rows)
        axis.tick_params(axis="y", length=0)
        axis.spines["left"].set_visible(False)
        if len(parts) > 1:
            axis.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=len(parts), fontsize=9)
        axis.set_xlabel("% of sentences" if percent else "sentences")
    return out[0]
