"""Assembles the report page: one self-contained HTML file."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from citewell.errors import MissingExtraError
from citewell.export.html_text import fill
from citewell.text import files
from citewell.text.data import read_text
from citewell_lab.bench.folders import folders
from citewell_lab.papers import reliability
from citewell_lab.papers.beside import standings
from citewell_lab.papers.lab import shown
from citewell_lab.papers.lab.analyze import analyze
from citewell_lab.papers.lab.rows import Analysed, load
from citewell_lab.papers.run_page.browse import ITEMS, browse
from citewell_lab.papers.run_page.overview import Cell, Overview, overview
from citewell_lab.report.page import escape, page
from citewell_lab.report.plots import Plot
from citewell_lab.report.values import percent


def build(
    paths: Sequence[str | Path],
    *,
    data: Path | None = None,
    checker: Any = "lexical",
    items: int = ITEMS,
    plots: Path | None = None,
    title: str = "Benchmark report",
) -> str:
    """The page of some runs.

    Without `data` documents are read where the runs read them. `checker` judges the evidence of runs that do not say
    how well it supports their responses; `plots` is a folder that also gets each plot as SVG and CSV.

    Raises:
        InputError: a folder holds no run, or the plots cannot be written.
        UsageError: `data` is not what the runs read.
    """
    read = [load(path, data, checker) for path in folders(paths)]
    results = [analysed.result for analysed, _ in read]
    means, reliabilities = overview(results), reliability.standings(results)
    slots = {
        "overview": _overview(means) if means.columns else "",
        "tables": "".join(
            table.table().section() for table in (*standings(results), *([reliabilities] if reliabilities else []))
        ),
        "analyses": _analyses([analysed for analysed, _ in read], plots),
    }
    items_json = _embedded(browse(read, items))
    after = (
        f'<script type="application/json" id="data">{items_json}</script><script>{_read_own("run_page.js")}</script>'
    )
    return page(title, fill(_read_own("run_page.html"), slots), style=_read_own("run_page.css"), after=after)


def _read_own(name: str) -> str:
    return read_text("citewell_lab.papers.run_page", name)


def _embedded(payload: Mapping[str, Any]) -> str:
    """JSON that no document's text can end early."""
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _analyses(read: Sequence[Analysed], plots: Path | None) -> str:
    """Plots and tables, and what could not be made."""
    try:
        analysis = analyze(read)
    except MissingExtraError as error:
        return _note(f"The analyses are left out: {error}")
    drawn: list[Plot] = []
    left_out = ""
    try:
        drawn = [*shown.draw(analysis), *reliability.plot([analysed.result for analysed in read])]
    except MissingExtraError as error:
        left_out = _note(f"The plots are left out: {error}")
    if plots is not None:
        files.write_all(plots, {name: text for plot in drawn for name, text in plot.files().items()})
    return "".join([*(plot.html() for plot in drawn), *(table.section() for table in shown.tables(analysis)), left_out])


def _note(text: str) -> str:
    return f"<p class=note>{escape(text)}</p>"


def _overview(summary: Overview) -> str:
    widths = [(task, len([*same])) for task, same in itertools.groupby(column.task for column in summary.columns)]
    top = "".join(f"<th scope=colgroup colspan={width}>{escape(task)}</th>" for task, width in widths)
    metrics = "".join(f"<th scope=col>{escape(column.metric)}</th>" for column in summary.columns)
    rows = []
    for line in summary.lines:
        ours = line.whose == "ours"
        cells = "".join(f"<td>{_cell(cell)}</td>" for cell in line.cells)
        rows.append(
            f"<tr class={'ours' if ours else 'paper'}><th scope=row>{escape(line.name)}</th>"
            f"<td class=word>{escape(line.whose if ours else f'paper: {line.whose}')}</td>{cells}</tr>"
        )
    return (
        f"<div class=wide><table class=overview><thead><tr><th></th><th></th>{top}</tr>"
        f"<tr><th></th><th scope=col class=word>whose</th>{metrics}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return "<span class=none>–</span>"
    value = percent(cell.value)
    value = f"<b>{value}</b>" if cell.best else value
    parts = []
    if cell.interval is not None:
        parts.append(f"{percent(cell.interval.low)}–{percent(cell.interval.high)}")
    if cell.n is not None:
        parts.append(f"n {cell.n}")
    parts += [
        f"{count} {what}"
        for count, what in ((cell.abstained, "abst."), (cell.failed, "failed"), (cell.cut, "cut"))
        if count
    ]
    return value + (f"<small>{escape(' · '.join(parts))}</small>" if parts else "")
