"""Putting the report page together: one HTML file that asks nobody for anything."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from citewell.bench.folders import folders
from citewell.errors import MissingExtraError
from citewell.papers import rendering
from citewell.papers.lab import figures, text
from citewell.papers.lab.analyze import analyze
from citewell.papers.lab.rows import Analysed, load
from citewell.papers.page.browse import ITEMS, browse
from citewell.papers.page.overview import Cell, Overview, overview
from citewell.papers.tables import tables


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

    Args:
        paths: runs, or folders of runs.
        data: the folder of the data sets, for documents and positions; where the runs read it, without it.
        checker: judges the evidence of runs that do not say how well it supports their responses.
        items: the most items of a run to browse.
        plots: a folder that also gets each plot as SVG and CSV.
        title: the page's.

    Raises:
        InputError: a folder holds no run, or the plots cannot be written.
        UsageError: `data` is not what the runs read.
    """
    read = [load(path, data, checker) for path in folders(paths)]
    parts, left_out = _analyses([one for one, _ in read], plots)
    results = [one.result for one, _ in read]
    shown = overview(results)
    bodies = {
        "title": html.escape(title),
        "overview": _overview(shown) if shown.columns else "",
        "tables": rendering.sections(tables(results)),
        "analyses": parts + "".join(f"<p class=note>{html.escape(one)}</p>" for one in left_out),
        "data": _embedded(browse(read, items)),
        "style": _resource("page.css"),
        "script": _resource("page.js"),
    }
    page = _resource("page.html")
    # In one pass, so that what a document says is never taken for a place to fill.
    pieces = page.split("{{")
    made = [pieces[0]]
    for piece in pieces[1:]:
        name, _, rest = piece.partition("}}")
        made += [bodies[name], rest]
    return "".join(made)


def _resource(name: str) -> str:
    return resources.files("citewell.papers.page").joinpath(name).read_text(encoding="utf-8")


def _embedded(found: Mapping[str, Any]) -> str:
    """JSON that no document's text can end early."""
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _analyses(read: Sequence[Analysed], plots: Path | None) -> tuple[str, list[str]]:
    """Tables and plots, and what could not be made."""
    left_out = []
    try:
        found = analyze(read)
        sheets = text.sheets(found)
    except MissingExtraError as error:
        return "", [f"The analyses are left out: {error}"]
    parts = []
    drawn: list[figures.Plot] = []
    try:
        drawn = figures.draw(found)
    except MissingExtraError as error:
        left_out.append(f"The plots are left out: {error}")
    if plots is not None:
        figures.save(drawn, plots)
    for plot in drawn:
        caption = html.escape(plot.caption)
        parts.append(f"<figure id={plot.name}><h3>{html.escape(plot.title)}</h3><figcaption>{caption}</figcaption>")
        parts.append(f'<div class="wide plot">{plot.svg}</div></figure>')
    for sheet in sheets:
        head = "".join(f"<th scope=col>{html.escape(cell)}</th>" for cell in sheet.header)
        rows = "".join(
            f"<tr><th scope=row>{html.escape(row[0])}</th>"
            + "".join(f"<td>{html.escape(cell)}</td>" for cell in row[1:])
            + "</tr>"
            for row in sheet.rows
        )
        notes = "".join(f"<li>{html.escape(note)}</li>" for note in sheet.notes)
        parts.append(
            f"<section><h3>{html.escape(sheet.title)}</h3><p class=paper>{html.escape(sheet.source)}</p>"
            f"<div class=wide><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
            f"{f'<ul>{notes}</ul>' if notes else ''}</section>"
        )
    return "".join(parts), left_out


def _overview(found: Overview) -> str:
    groups: list[tuple[str, int]] = []
    for column in found.columns:
        if groups and groups[-1][0] == column.task:
            groups[-1] = (column.task, groups[-1][1] + 1)
        else:
            groups.append((column.task, 1))
    top = "".join(f"<th scope=colgroup colspan={width}>{html.escape(task)}</th>" for task, width in groups)
    metrics = "".join(f"<th scope=col>{html.escape(column.metric)}</th>" for column in found.columns)
    rows = []
    for line in found.lines:
        ours = line.whose == "ours"
        cells = "".join(f"<td>{_cell(cell)}</td>" for cell in line.cells)
        rows.append(
            f"<tr class={'ours' if ours else 'paper'}><th scope=row>{html.escape(line.name)}</th>"
            f"<td class=word>{html.escape(line.whose if ours else f'paper: {line.whose}')}</td>{cells}</tr>"
        )
    return (
        f"<div class=wide><table class=overview><thead><tr><th></th><th></th>{top}</tr>"
        f"<tr><th></th><th scope=col class=word>whose</th>{metrics}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return "<span class=none>–</span>"
    value = rendering.percent(cell.value)
    value = f"<b>{value}</b>" if cell.best else value
    parts = []
    if cell.interval is not None:
        parts.append(f"{rendering.percent(cell.interval.low)}–{rendering.percent(cell.interval.high)}")
    if cell.n is not None:
        parts.append(f"n {cell.n}")
    parts += [f"{count} {what}" for count, what in ((cell.abstained, "abst."), (cell.failed, "failed")) if count]
    return value + (f"<small>{html.escape(' · '.join(parts))}</small>" if parts else "")
