"""Figures 3, 4, 5, 7, 8 and 9 of the paper from the tables of a study; 6 and 10 to 14 are examples and prompts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from citewell_lab.report import plots
from citewell_lab.report.plots import Panel, Plot, Point, Series
from citewell_lab.report.table import Table

_LAYER = re.compile(r"layer=(\d+)")
WIDTH = 44  # characters of a legend's line
FEW = 6  # layers of which the curves by threshold are drawn, first and last among them
Row = Mapping[str, Any]


def draw(tables: Sequence[Table]) -> list[Plot]:
    """Every figure for which the study has figures.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    known = {table.id: table for table in tables}
    drawn = (_FIGURES[name](known[name]) for name in _FIGURES if name in known and known[name].rows)
    return [plot for group in drawn for plot in group]


def _rows(table: Table) -> list[Row]:
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return [{**row, "method": _short(str(row["method"]))} for row in rows]


def _short(method: str) -> str:
    """A method's spec with its model's name instead of the path, cut to what a legend holds."""
    named = re.sub(r"model=[^,)]*/", "model=", method)
    return named if len(named) <= WIDTH else named[: WIDTH - 1] + "…"


def _curve(table: Table) -> list[Plot]:
    rows = _rows(table)
    series = [
        Series(method, [_point(row["token_recall"], row["token_precision"]) for row in rows if row["method"] == method])
        for method in dict.fromkeys(row["method"] for row in rows)
    ]
    labels = ("recall, %", "precision, %")
    svg = plots.curves("figure-3", [Panel("", [_percent(point) for point in series])], labels)
    caption = "Precision and recall of copied tokens at every threshold; each curve ends where all tokens are marked."
    return [Plot("figure-3", "Copied tokens: precision and recall (Figure 3)", caption, svg, table)]


def _layers(table: Table) -> list[Plot]:
    return [
        _by_layer("figure-4", table, "token_f1", "F1 of copied tokens, %", "Copied tokens: F1 by layer (Figure 4)"),
        _by_layer("figure-5", table, "span_accuracy", "span accuracy, %", "Sources: accuracy by layer (Figure 5)"),
    ]


def _repeated(table: Table) -> list[Plot]:
    plot = _by_layer("figure-9", table, "span_accuracy", "span accuracy, %",
                     "Spans that occur several times: accuracy by layer (Figure 9)", "random")  # fmt: skip
    return [plot]


def _by_layer(name: str, table: Table, column: str, label: str, title: str, chance: str = "") -> Plot:
    rows = [row for row in _rows(table) if row[column] is not None]
    last = max((_layer(row) or 0 for row in rows), default=0)
    series = []
    for method in dict.fromkeys(row["method"] for row in rows):
        mine = [row for row in rows if row["method"] == method]
        layers = [layer for row in mine if (layer := _layer(row)) is not None]
        values = [float(row[column]) for row in mine]
        flat = not layers  # a method without layers is a line across
        at = [0, last] if flat else layers
        points = [_point(x, y) for x, y in zip(at, values * 2 if flat else values, strict=True)]
        series.append(_percent(Series(method, points, dashed=flat), x=False))
    if chance and rows and rows[0][chance] is not None:
        luck = float(rows[0][chance])
        series.append(_percent(Series("a random choice", [_point(0, luck), _point(last, luck)], dashed=True), x=False))
    svg = plots.curves(name, [Panel("", series)], ("layer", label))
    caption = (
        "Each curve is a model's layers, 0 the embeddings; dashed lines have no layers. Chosen on the same answers."
    )
    return Plot(name, title, caption, svg, table)


def _thresholds(table: Table) -> list[Plot]:
    curves = []
    rows = _rows(table)
    for number, method in enumerate(dict.fromkeys(row["method"] for row in rows)):
        mine = [row for row in rows if row["method"] == method]
        mine = [row for row in mine if row["token_recall"]]  # where nothing is marked there is no precision
        layers = _spread(list(dict.fromkeys(str(row["layer"]) for row in mine)))
        panels = []
        for title, column in (("precision", "token_precision"), ("recall", "token_recall"), ("F1", "token_f1")):
            points = {
                layer: [_point(row["threshold"], row[column]) for row in mine if row["layer"] == layer]
                for layer in layers
            }
            panels.append(Panel(title, [_percent(Series(*pair), x=False) for pair in points.items()]))
        name = f"figure-7-{number + 1}"
        svg = plots.curves(name, panels, ("threshold", "%"))
        caption = f"Copied tokens by threshold and layer: {method}."
        curves.append(Plot(name, f"Copied tokens by threshold (Figure 7): {method}", caption, svg, table))
    return curves


def _spread(names: Sequence[str]) -> list[str]:
    """At most `FEW` of the names, evenly, the first and the last among them."""
    if len(names) <= FEW:
        return list(names)
    return [names[round(place * (len(names) - 1) / (FEW - 1))] for place in range(FEW)]


def _positions(table: Table) -> list[Plot]:
    rows = [row for row in _rows(table) if row["span_accuracy"] is not None]
    parts = sorted({str(row["from-to"]) for row in rows})
    panels = [
        Panel(f"place in the {where}", [
            _percent(Series(method, [
                _point(parts.index(row["from-to"]), row["span_accuracy"])
                for row in rows if row["method"] == method and row["position_in"] == where
            ]), x=False)
            for method in dict.fromkeys(row["method"] for row in rows)
        ])
        for where in ("answer", "document")
    ]  # fmt: skip
    svg = plots.curves("figure-8", panels, ("", "span accuracy, %"), ticks=parts)
    caption = "Span accuracy by where the span begins in the answer (the paper's figure), and where its source stands."
    return [Plot("figure-8", "Accuracy by position (Figure 8)", caption, svg, table)]


def _layer(row: Row) -> int | None:
    match = _LAYER.search(str(row["layer"]))
    return int(match[1]) if match else None


def _point(x: Any, y: Any) -> Point:
    return float(x), float(y), float(y), float(y)


def _percent(series: Series, *, x: bool = True) -> Series:
    points = [(100 * a if x else a, 100 * b, 100 * low, 100 * high) for a, b, low, high in series.points]
    return series._replace(points=points)


_FIGURES: dict[str, Callable[[Table], list[Plot]]] = {
    "curve": _curve,
    "layers": _layers,
    "thresholds": _thresholds,
    "positions": _positions,
    "repeated": _repeated,
}
