"""The analyses of runs as tables and plots, each plot with its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any, NamedTuple

from citewell_lab.papers.lab.position import BINS
from citewell_lab.papers.lab.tables import tables as paper_tables
from citewell_lab.report import plots
from citewell_lab.report.plots import Panel, Plot, Point, Series
from citewell_lab.report.table import Table
from citewell_lab.report.values import Interval, Value

KINDS = ("gold", "predicted")
STARS = "* p < 0.05, ** p < 0.01, *** p < 0.001"
_FIFTHS = tuple(f"{100 * n // BINS}–{100 * (n + 1) // BINS}%" for n in range(BINS))
_SHORT = 46
Figures = Mapping[str, Any]


class Part(NamedTuple):
    """One run's figures of one analysis: what the run is called beside others of its task, and its folder."""

    task: str
    name: str
    run: str
    figures: Figures

    @property
    def label(self) -> str:
        """The run in a table over tasks."""
        return f"{self.task}: {self.name}"


def names(runs: Sequence[Figures]) -> list[str]:
    """What each run is called beside others of its task: its method, with its folder where methods are equal."""
    methods = [str(run["method"]) for run in runs]
    long = [
        method if methods.count(method) == 1 else f"{method} ({Path(run['run']).name})"
        for run, method in zip(runs, methods, strict=True)
    ]
    return [name if len(name) <= _SHORT else name[: _SHORT - 1] + "…" for name in long]


def _parts(analysis: Figures, *keys: str) -> list[Part]:
    """The figures that stand in runs under some keys, where there are any, task by task."""
    parts = []
    for task in dict.fromkeys(run["task"] for run in analysis["runs"]):
        runs = [run for run in analysis["runs"] if run["task"] == task]
        for name, run in zip(names(runs), runs, strict=True):
            figures = reduce(getitem, keys, run)
            if figures:
                parts.append(Part(task, name, run["run"], figures))
    return parts


def tables(analysis: Figures) -> list[Table]:
    """The tables that have rows."""
    makers = (
        _distribution_table, _position_tables, _length_table, _selective_table, _risk_table, _overlap_table,
    )  # fmt: skip
    return [*paper_tables(analysis), *(table for make in makers for table in make(analysis) if table.rows)]


def draw(analysis: Figures) -> list[Plot]:
    """Every plot for which there are figures.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    makers = (
        _distribution_plot, _position_plots, _length_plot, _selective_plot, _classes_plot, _risk_plot, _systems_plot,
    )  # fmt: skip
    return [plot for make in makers for plot in make(analysis)]


def _r(figures: Figures | None) -> str:
    """A coefficient with its stars, its p-value and how many pairs it is of."""
    if figures is None:
        return "–"
    p = f"{figures['p']:.3f}" if figures["p"] >= 0.001 else f"{figures['p']:.0e}"
    return f"{figures['r']:+.2f}{figures['stars']} (p {p}, n {figures['n']})"


def _distribution_table(analysis: Figures) -> Iterator[Table]:
    rows = [
        (part.label, kind, part.figures[f"n_{kind}"], *part.figures[kind], part.figures["p"])
        for part in _parts(analysis, "distribution")
        for kind in KINDS
    ]
    columns = ("", "evidence", "n", "1st fifth", "2nd", "3rd", "4th", "5th", "p (differ)")
    title = "Where the evidence stands (% of segments)"
    yield Table("distribution", title, columns, tuple(rows), plain=("p (differ)",), source="LAB, figure 3 top")


def _position_tables(analysis: Figures) -> Iterator[Table]:
    sources = {
        "response_by_gold": ("Response quality by the position of gold evidence", "LAB, figure 3 bottom, table 5"),
        "evidence_by_gold": ("Evidence quality by the position of gold evidence", "LAB, figure 5"),
        "evidence_by_predicted": ("Evidence quality by the position of predicted evidence", "LAB, figure 6"),
    }
    columns = ("", "n", "1st fifth", "2nd", "3rd", "4th", "5th", "quality", "rank r of tenths", "rank r of items")
    for key, (title, source) in sources.items():
        rows: list[tuple[Value, ...]] = []
        for part in _parts(analysis, "position", key):
            figures = part.figures
            means = [fifth["mean"] for fifth in figures["bins"]]
            r = _r(figures["parts_r"]), _r(figures["items_r"])
            rows.append((part.label, figures["n"], *means, figures["measure"], *r))
        yield Table(key, title, columns, tuple(rows), source=source, notes=(STARS,))


def _length_table(analysis: Figures) -> Iterator[Table]:
    rows = [
        (part.label, of, _r(part.figures["pearson"]), _r(part.figures["spearman"]))
        for of in ("response", "evidence")
        for part in _parts(analysis, "length", of)
    ]
    columns = ("", "quality", "Pearson's r", "Spearman's r")
    title = "Quality by the document's length in words"
    yield Table("length", title, columns, tuple(rows), source="LAB, tables 7 and 8", notes=(STARS,))


def _selective_table(analysis: Figures) -> Iterator[Table]:
    rows = [
        (part.label, score, part.figures["n"], area["auc"], area["random_auc"], area["advantage"], area["p"])
        for part in _parts(analysis, "selective")
        for score, area in part.figures["scores"].items()
    ]
    columns = ("", "score", "n", "area", "random order", "difference", "p")
    notes = tuple(dict.fromkeys(note for run in analysis["runs"] for note in run["notes"]))
    title = "Selective prediction by attributability"
    yield Table("selective", title, columns, tuple(rows), plain=("p",), source="LAB, table 4", notes=notes)


def _risk_table(analysis: Figures) -> Iterator[Table]:
    keys = ("n", "left_out", "aurc", "random", "best", "excess", "p")
    rows = [(part.label, *(part.figures[key] for key in keys)) for part in _parts(analysis, "risk")]
    columns = ("", "n", "left out", "AURC", "random order", "best order", "excess", "p")
    notes = ("excess: 0 the best order of these answers, 1 no better than a random one; left out: withheld answers",)
    title = "Risk and coverage by the system's confidence"
    yield Table("risk", title, columns, tuple(rows), plain=("excess", "p"), notes=notes)


def _overlap_table(analysis: Figures) -> Iterator[Table]:
    called = {part.run: part for part in _parts(analysis)}
    rows = [
        (called[pair["first"]].label, called[pair["second"]].name, pair["n"], Interval(**pair["f1"]),
         pair["identical"], pair["disjoint"], pair["chance"], pair["p"])
        for pair in analysis["overlap"]
    ]  # fmt: skip
    columns = ("", "and", "n", "F1 (95% interval)", "identical", "disjoint", "by chance", "p")
    title = "Overlap of two runs' evidence (%)"
    yield Table("overlap", title, columns, tuple(rows), plain=("p",), source="LAB, appendix A.3")


def _line(points: Sequence[Sequence[float]]) -> list[Point]:
    return [(100 * x, 100 * y, 0.0, 0.0) for x, y in points]


def _ranges(points: Sequence[tuple[float, Figures]]) -> list[Point]:
    """Means with their intervals, those that are known."""
    return [
        (float(x), 100 * figures["mean"], 100 * figures["low"], 100 * figures["high"])
        for x, figures in points
        if figures["mean"] is not None
    ]


def _by_task(series: Sequence[tuple[str, Series]]) -> list[Panel]:
    """A panel for each title, with its curves in their order."""
    grouped: dict[str, list[Series]] = {}
    for title, curve in series:
        grouped.setdefault(title, []).append(curve)
    return [Panel(title, curves) for title, curves in grouped.items()]


def _percentages(name: str, panels: Sequence[Panel], labels: tuple[str, str], **options: Any) -> str:
    return plots.curves(name, panels, labels, limits=(0, 102), **options) if panels else ""


def _plot(name: str, title: str, caption: str, svg: str, columns: str, rows: Sequence[tuple[Value, ...]]) -> list[Plot]:
    """A plot with its numbers, where there are any."""
    return [Plot(name, title, caption, svg, Table(name, title, tuple(columns.split()), tuple(rows)))] if rows else []


def _distribution_plot(analysis: Figures) -> list[Plot]:
    parts = _parts(analysis, "distribution")
    if not parts:
        return []
    panels = [
        Panel(
            f"{part.task}\n{part.name}",
            [Series(kind, [(x, 100 * y, 0.0, 0.0) for x, y in enumerate(part.figures[kind])]) for kind in KINDS],
        )
        for part in parts
    ]
    rows = [
        (part.task, part.run, kind, fifth, share)
        for part in parts
        for kind in KINDS
        for fifth, share in zip(_FIFTHS, part.figures[kind], strict=True)
    ]
    caption = "Shares of all evidence segments that stand in each fifth of their document."
    svg = plots.bars("evidence-position", panels, _FIFTHS, ("position in the document", "% of the evidence"))
    columns = "task run evidence position share"
    return _plot("evidence-position", "Where the evidence stands", caption, svg, columns, rows)


def _position_plots(analysis: Figures) -> Iterator[Plot]:
    for of, by in (("response", "gold"), ("evidence", "gold"), ("evidence", "predicted")):
        name, title = f"{of}-by-{by}-position", f"Quality of the {of} by the position of the {by} evidence"
        parts = _parts(analysis, "position", f"{of}_by_{by}")
        series = [(part.task, Series(part.name, _ranges(list(enumerate(part.figures["bins"]))))) for part in parts]
        labels = (f"position of the {by} evidence", f"{of} quality (%)")
        svg = _percentages(name, _by_task(series), labels, ticks=_FIFTHS)
        rows = [
            (part.task, part.run, fifth, figures["n"], figures["mean"], figures.get("low"), figures.get("high"))
            for part in parts
            for fifth, figures in zip(_FIFTHS, part.figures["bins"], strict=True)
        ]
        caption = "Means over the items of each fifth, with bootstrap 95% intervals."
        yield from _plot(name, title, caption, svg, "task run position n mean low high", rows)


def _length_plot(analysis: Figures) -> list[Plot]:
    quarters = [
        (of, part, part.figures["quarters"])
        for of in ("response", "evidence")
        for part in _parts(analysis, "length", of)
    ]
    series = [
        (f"{part.task}: {of}", Series(part.name, _ranges([(quarter["words"][1] / 1000, quarter) for quarter in four])))
        for of, part, four in quarters
    ]
    svg = _percentages("length", _by_task(series), ("words of the document (thousands)", "quality (%)"))
    rows = [
        (part.task, part.run, of, *quarter["words"], *(quarter[key] for key in ("n", "mean", "low", "high")))
        for of, part, four in quarters
        for quarter in four
    ]
    caption = "A point is a quarter of the items, at its median length, with 95% intervals."
    columns = "task run quality from_words median_words to_words n mean low high"
    return _plot("length", "Quality by the length of the document", caption, svg, columns, rows)


def _selective_plot(analysis: Figures) -> list[Plot]:
    scored = [
        (part, score, areas)
        for part in _parts(analysis, "selective")
        for score, areas in part.figures["scores"].items()
    ]
    panels = [
        Panel(
            f"{part.task}: {score}\n{part.name}",
            [
                Series("by attributability", _line(areas["curve"])),
                Series("random order", _line(areas["random_curve"]), dashed=True),
            ],
        )
        for part, score, areas in scored
    ]
    svg = _percentages("selective", panels, ("coverage (%)", "quality (%)"))
    rows = [
        (part.task, part.run, score, order, x, y)
        for part, score, areas in scored
        for order, key in (("attributability", "curve"), ("random", "random_curve"))
        for x, y in areas[key]
    ]
    caption = "Quality of the responses kept, those first whose evidence supports them best."
    columns = "task run score order coverage value"
    return _plot("selective", "Selective prediction by attributability", caption, svg, columns, rows)


def _classes_plot(analysis: Figures) -> list[Plot]:
    parts = [part for part in _parts(analysis, "selective") if part.figures["classes"]]
    panels = [
        Panel(f"{part.task}\n{part.name}", [Series(name, _line(c)) for name, c in part.figures["classes"].items()])
        for part in parts
    ]
    svg = _percentages("classes-by-coverage", panels, ("coverage (%)", "% of gold classes"))
    rows = [
        (part.task, part.run, name, x, y)
        for part in parts
        for name, points in part.figures["classes"].items()
        for x, y in points
    ]
    caption = "Gold classes among the responses kept, ordered by attributability."
    columns = "task run class coverage share"
    return _plot("classes-by-coverage", "Gold classes by coverage", caption, svg, columns, rows)


def _risk_plot(analysis: Figures) -> list[Plot]:
    parts = _parts(analysis, "risk")
    panels = _by_task([(part.task, Series(part.name, _line(part.figures["curve"]))) for part in parts])
    svg = _percentages("risk-coverage", panels, ("coverage (%)", "risk (%)"))
    rows = [(part.task, part.run, x, y) for part in parts for x, y in part.figures["curve"]]
    caption = "How wrong the answers given are, the most confident first."
    return _plot("risk-coverage", "Risk by coverage", caption, svg, "task run coverage risk", rows)


def _systems_plot(analysis: Figures) -> list[Plot]:
    known = [
        (task, whose, figures["systems"])
        for whose, key in (("our runs", "systems"), ("paper's rows", "systems_paper"))
        for task, figures in analysis[key].items()
        if figures["systems"] and task in analysis["systems"]
    ]
    panels = _by_task([
        (task, Series(whose, [(100 * y, 100 * x, 0.0, 0.0) for x, y in systems.values()]))
        for task, whose, systems in known
    ])  # fmt: skip
    labels = ("evidence quality (%)", "response quality (%)")
    svg = plots.curves("systems", panels, labels, joined=False) if panels else ""
    rows = [(task, whose, name, *pair) for task, whose, systems in known for name, pair in systems.items()]
    caption = "A point is a system; the paper's are citation and reduced citation of five models (Table 3)."
    columns = "task whose system response evidence"
    return _plot("systems", "Response and evidence quality of systems", caption, svg, columns, rows)
