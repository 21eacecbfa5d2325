"""The plots of a study: rows of figures to SVG, each plot named after its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from citewell_lab.papers.lfqa.position import BINS, GROUPS, HEAT
from citewell_lab.report import plots
from citewell_lab.report.plots import Heat, Panel, Plot, Point, Series
from citewell_lab.report.table import Table
from citewell_lab.report.values import Interval

_PARTS = [f"{100 * part // BINS}–{100 * (part + 1) // BINS}%" for part in range(BINS)]
FEW = 200  # pairs of sentence and evidence; a correlation of fewer stands in the table alone
Rows = Sequence[Any]


Drawn = tuple[str, str]  # an SVG, and what it shows in words


def draw(tables: Mapping[str, Rows], paper: Mapping[str, Any] | None = None) -> dict[str, Plot]:
    """Every plot for which there are rows, by the name of its rows; `paper` holds the paper's figures, where they fit.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    makers = {
        "surface": _surface,
        "similarity": lambda rows: _similarity(rows, tables.get("similarity_bounds", ())),
        "support": lambda rows: _support(rows, (paper or {}).get("shares")),
        "order_heat": _heat,
        "order": _order,
        "unsupported_by_position": _by_position,
        "last_sentence": _last,
        "supportedness": lambda rows: _supportedness(rows, (paper or {}).get("supportedness")),
        "patterns": _patterns,
        "errors": _errors,
    }
    plots = {}
    for name, make in makers.items():
        rows = tables.get(name)
        if rows and (name != "order" or any(row.r is not None for row in rows)):
            svg, caption = make(rows)
            plots[name] = Plot(name, "", caption, svg, numbers(name, rows))
    return plots


def flat(row: Any) -> dict[str, Any]:
    """A row's fields; an interval becomes three, a list of lists a field for each value."""
    result: dict[str, Any] = {}
    for name, value in row._asdict().items():
        if isinstance(value, Interval):
            result |= {name: value.mean, f"{name}_low": value.low, f"{name}_high": value.high}
        elif name == "cells":
            result |= {f"answer{y}_documents{x}": cell for y, cells in enumerate(value) for x, cell in enumerate(cells)}
        elif name == "average":
            result |= {f"all_documents{x}": cell for x, cell in enumerate(value)}
        else:
            result[name] = value
    return result


def numbers(name: str, rows: Rows) -> Table:
    """Every figure of the rows, in a column of its own."""
    fields = [flat(row) for row in rows]
    columns = tuple(dict.fromkeys(column for row in fields for column in row))
    return Table(name, "", columns, tuple(tuple(row.get(column) for column in columns) for row in fields))


def _surface(rows: Rows) -> Drawn:
    panels: list[tuple[str, list[Interval | None]]] = [
        ("sentences", [row.sentences for row in rows]),
        ("words and marks", [row.words for row in rows]),
        ("self-BLEU, up to 4-grams", [row.self_bleu for row in rows]),
        ("self-BLEU, single words", [row.self_bleu_1 for row in rows]),
        ("RankGen", [row.rankgen for row in rows]),
        ("perplexity", [row.perplexity for row in rows]),
    ]
    panels = [(title, values) for title, values in panels if any(value is not None for value in values)]
    svg = plots.dots("surface", [row.setting for row in rows], panels, across=2 if len(panels) in (2, 4) else 3)
    return svg, "Mean of each measure by setting, with 95% intervals."


def _similarity(rows: Rows, bounds: Rows) -> Drawn:
    panels = []
    for model, measure in dict.fromkeys((row.model, row.measure) for row in rows):
        mine = [row for row in rows if (row.model, row.measure) == (model, measure)]
        names = list(dict.fromkeys(name for row in mine for name in (row.first, row.second)))
        values = {(row.first, row.second): row.value.mean for row in mine}
        cells = [[values.get((a, b), values.get((b, a))) for b in names] for a in names]
        known = [
            f"{bound.bound} bound {bound.value.mean:.2f}"
            for bound in bounds
            if (bound.model, bound.measure) == (model, measure)
        ]
        title = f"{model}: {measure}" + (f"\n({', '.join(known)})" if known else "")
        panels.append(Heat(title, names, [name.replace(" ", "\n") for name in names], cells))
    svg = plots.heat("similarity", panels, share=False, cell=0.4, stretch=True)
    return svg, "Likeness of answers to the same question under two document sets, with the bounds of the paper."


def _support(rows: Rows, paper: Mapping[str, Mapping[str, float]] | None) -> Drawn:
    settings = list(dict.fromkeys(row.setting for row in rows))
    sets = list(dict.fromkeys(row.against for row in rows))
    ours = {(row.setting, row.against): row.supported.mean for row in rows}
    panels = [Heat("this run", settings, sets, [[ours.get((setting, name)) for name in sets] for setting in settings])]
    if paper:
        theirs = [[paper.get(setting, {}).get(name) for name in sets] for setting in settings]
        panels.append(Heat("paper (T5, all 271 questions)", settings, sets, theirs))
    svg = plots.heat("support", panels, labels=("judged against", ""))
    return svg, "Percentage of sentences that each document set supports, by setting (rows)."


def _heat(rows: Rows) -> Drawn:
    sources = [row.source for row in rows]
    source = "people" if "people" in sources else sources[0]
    wanted = [row for row in rows if row.source == source and row.group in GROUPS]
    wanted = wanted or [row for row in rows if row.source == source]
    names = [f"{100 * part // HEAT}%" for part in range(HEAT)]
    panels = [
        Heat(
            f"{row.group}, {row.documents}\n(n = {row.pairs} pairs)",
            [*names, "all"],
            names,
            [[value if any(cells) else None for value in cells] for cells in (*row.cells, row.average)],
        )
        for row in wanted
    ]
    top = max(0.2, min(0.5, max(value for row in wanted for cells in row.cells for value in cells)))
    labels = ("where in the documents", "where in the answer")
    svg = plots.heat("order_heat", panels, labels=labels, top=top)
    caption = "Of the evidence of each tenth of the answer (rows), the percentage in each tenth of the documents."
    return svg, f"{caption} Source: {source}."


def _order(rows: Rows) -> Drawn:
    known = [row for row in rows if row.r is not None]
    rows = [row for row in known if row.pairs >= FEW] or known
    names = list(dict.fromkeys((row.group, row.source) for row in rows))
    correlations = {(row.group, row.source, row.documents): row.r for row in rows}
    panels = [
        (f"documents {which}", [correlations.get((*name, which)) for name in names])
        for which in ("as given", "shuffled")
    ]
    svg = plots.dots("order", [f"{group} ({source})" for group, source in names], panels, zero=True)
    fewer = f" Fewer than {FEW} pairs: in the table alone." if len(rows) < len(known) else ""
    caption = "Pearson's r between the place of a sentence in its answer and of its evidence in the documents."
    return svg, caption + fewer


def _by_position(rows: Rows) -> Drawn:
    groups = [name for name in GROUPS if any(row.group == name for row in rows)]
    panels = []
    for group in groups or list(dict.fromkeys(row.group for row in rows))[:2]:
        mine = [row for row in rows if row.group == group]
        curves = [
            Series(source, [_percentages(row.part, row.unsupported) for row in mine if row.source == source])
            for source in dict.fromkeys(row.source for row in mine)
        ]
        panels.append(Panel(group, curves))
    highest = max([1.0, *(point[3] for panel in panels for curve in panel.series for point in curve.points)])
    labels = ("where in the answer", "% unsupported")
    svg = plots.curves("unsupported_by_position", panels, labels, ticks=_PARTS, limits=(0, 1.05 * highest))
    return svg, "Percentage of unsupported sentences by place in the answer, with 95% intervals over questions."


def _percentages(part: int, value: Interval) -> Point:
    return float(part), 100 * value.mean, 100 * value.low, 100 * value.high


def _last(rows: Rows) -> Drawn:
    sources = list(dict.fromkeys(row.source for row in rows))
    groups = list(dict.fromkeys(row.group for row in rows))
    differences = {(row.source, row.group): row.difference for row in rows}
    panels = [(source, [differences.get((source, group)) for group in groups]) for source in sources]
    svg = plots.dots("last_sentence", groups, panels, share=True, zero=True)
    return svg, "Unsupported share of the last sentence less that of the others, in percentage points."


def _supportedness(rows: Rows, paper: Mapping[str, Sequence[float]] | None) -> Drawn:
    names, shares = [], []
    for row in rows:
        names.append(f"{row.setting}, n = {row.sentences}")
        shares.append((row.supported.mean, row.partially.mean, row.not_supported.mean))
        if paper and row.setting in paper:
            count, *values = paper[row.setting]
            names.append(f"paper, n = {count}")
            shares.append((values[0], values[1], values[2]))
    parts = [(name, [share[place] for share in shares]) for place, name in enumerate(("supported", "partially", "not"))]
    return plots.stacked("supportedness", names, parts), "Majority labels by setting."


def _patterns(rows: Rows) -> Drawn:
    svg = plots.stacked("patterns", [row.pattern for row in rows], [("sentences", [row.share for row in rows])])
    return svg, "Patterns of labels, in whatever order: S supported, P partially, N not."


def _errors(rows: Rows) -> Drawn:
    names = [f"{row.setting}: {row.category}" for row in rows]
    svg = plots.stacked("errors", names, [("sentences", [row.sentences for row in rows])], share=False)
    return svg, "How often each category of error was given; a sentence may have several."
