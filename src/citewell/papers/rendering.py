"""Tables as text, Markdown, CSV, JSON and one self-contained HTML page. Fractions are shown as percentages."""

from __future__ import annotations

import csv as csv_format
import html
import io
import json
from collections.abc import Sequence
from dataclasses import asdict

from citewell.bench.run import Result
from citewell.papers.tables import Row, Table

_META = ("n", "abstained", "failed", "split", "data")
_NO_PERCENT = ("threshold",)


def percent(value: float | None) -> str:
    """A fraction as a percentage with one digit, a dash where there is none."""
    return "–" if value is None else f"{100 * value:.1f}"


def overview(result: Result) -> str:
    """One run for a terminal: metrics, groups, what was left out."""
    scores = result.scores
    lines = [
        f"{result.task}, {result.split}, {result.method}",
        f"n {result.n}, abstained {scores.abstained}, failed {result.failed}, {result.seconds:.1f} s",
        f"data: {result.standing.state} ({result.standing.why})",
        "",
    ]
    width = max(map(len, scores.metrics), default=0)
    lines += [f"  {name:<{width}}  {percent(value):>6}" for name, value in scores.metrics.items()]
    if scores.by_group:
        names = list(dict.fromkeys(key for one in scores.by_group.values() for key in one))
        cells = [["", *names]]
        for group, one in scores.by_group.items():
            cells.append([group, *(_cell(key, one.get(key)) for key in names)])
        lines += ["", *_aligned(cells)]
    for kind, groups in scores.baselines.items():
        figures = ", ".join(f"{name} {percent(value)}" for name, value in groups["mean"].items())
        lines.append(f"{kind} (from the annotations): {figures}")
    lines += [f"not scored: {name}: {why}" for name, why in scores.unscored.items()]
    lines += list(scores.notes)
    if result.out is not None:
        lines.append(f"items: {result.out / 'items.jsonl'}")
    return "\n".join(line.rstrip() for line in lines)


def _cell(name: str, value: float | None) -> str:
    if isinstance(value, float):
        return f"{value:.3f}" if name in _NO_PERCENT else percent(value)
    return "–" if value is None else str(value)


def _aligned(cells: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    return [
        "  ".join(
            cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in cells
    ]


def _meta(row: Row) -> list[str]:
    numbers = ["" if value is None else str(value) for value in (row.n, row.abstained, row.failed)]
    return [*numbers, row.split, row.published]


def _cells(table: Table) -> list[list[str]]:
    header = ["", *table.columns, *_META]
    return [header, *([row.name, *map(percent, row.values), *_meta(row)] for row in table.rows)]


def text(tables: Sequence[Table]) -> str:
    """For a terminal; our rows are marked with `>`."""
    parts = []
    for table in tables:
        cells = _cells(table)
        for row, cell in zip(table.rows, cells[1:], strict=True):
            cell[0] = {"ours": "> ", "computed": "= "}.get(row.kind, "  ") + cell[0]
        lines = [table.title, *([table.paper] if table.paper else []), "", *_aligned(cells)]
        parts.append("\n".join(line.rstrip() for line in [*lines, *(f"  {note}" for note in table.notes)]))
    return "\n\n\n".join(parts)


def markdown(tables: Sequence[Table]) -> str:
    """Markdown tables; our rows are bold in their first cell."""
    parts = []
    for table in tables:
        header, *rows = _cells(table)
        lines = [f"### {table.title}", "", *([table.paper, ""] if table.paper else [])]
        lines += [_line(header), _line(["---", *["---:"] * (len(header) - 3), "---", "---"])]
        for row, cells in zip(table.rows, rows, strict=True):
            name = cells[0].replace("|", "\\|")
            lines.append(_line([f"**{name}**" if row.kind == "ours" else name, *cells[1:]]))
        parts.append("\n".join([*lines, *(["", *(f"- {note}" for note in table.notes)] if table.notes else [])]))
    return "\n\n".join(parts)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def csv(tables: Sequence[Table]) -> str:
    """One line a figure, as a fraction."""
    out = io.StringIO()
    writer = csv_format.writer(out, lineterminator="\n")
    writer.writerow(("table", "paper", "row", "kind", "split", "n", "abstained", "failed", "data", "metric", "value"))
    for table in tables:
        for row in table.rows:
            fixed = (table.id, table.paper, row.name, row.kind, row.split, row.n, row.abstained, row.failed)
            for column, value in zip(table.columns, row.values, strict=True):
                if value is not None:
                    writer.writerow((*fixed, row.published, column, round(value, 6)))
    return out.getvalue().rstrip("\n")


def as_json(tables: Sequence[Table]) -> str:
    """One JSON object."""
    return json.dumps({"tables": [asdict(table) for table in tables]}, ensure_ascii=False, indent=1)


_STYLE = """
:root { color-scheme: light dark; --line: #8884; --ours: #2a7fff22; --computed: #8882; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 110rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 2.5rem 0 .2rem; }
p, li { max-width: 60rem; } p.paper { margin: 0 0 .6rem; opacity: .75; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child, td:first-child, td.word, th.word { text-align: left; }
thead th { border-bottom: 2px solid var(--line); vertical-align: bottom; }
tr.ours { background: var(--ours); font-weight: 600; } tr.computed { background: var(--computed); }
tr.ours td.word { font-weight: 400; }
"""


def sections(tables: Sequence[Table]) -> str:
    """The tables as HTML; rows say in words whose they are."""
    parts = []
    whose = {"ours": "ours", "computed": "computed here", "paper": "paper"}
    for table in tables:
        header, *rows = _cells(table)
        cells = [html.escape(cell) for cell in header[1:]]
        head = "".join(f"<th scope=col>{cell}</th>" for cell in cells[:-2])
        head += "".join(f"<th scope=col class=word>{cell}</th>" for cell in cells[-2:])
        body = []
        for row, line in zip(table.rows, rows, strict=True):
            escaped = [html.escape(cell) for cell in line]
            columns = "".join(f"<td>{cell}</td>" for cell in escaped[1:-2])
            columns += "".join(f"<td class=word>{cell}</td>" for cell in escaped[-2:])
            first = f"<th scope=row>{escaped[0]}</th><td class=word>{whose[row.kind]}</td>"
            body.append(f"<tr class={row.kind}>{first}{columns}</tr>")
        notes = "".join(f"<li>{html.escape(note)}</li>" for note in table.notes)
        parts.append(
            f"<section><h2>{html.escape(table.title)}</h2><p class=paper>{html.escape(table.paper)}</p>"
            f"<div class=wide><table><thead><tr><th></th><th scope=col class=word>whose</th>{head}</tr></thead>"
            f"<tbody>{''.join(body)}</tbody></table></div>{f'<ul>{notes}</ul>' if notes else ''}</section>"
        )
    return "".join(parts)


def page(tables: Sequence[Table], title: str = "Benchmark report") -> str:
    """One HTML page that needs nothing else; rows say in words whose they are."""
    return (
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8>"
        '<meta name=viewport content="width=device-width, initial-scale=1">'
        f"<title>{html.escape(title)}</title><style>{_STYLE}</style></head><body><h1>{html.escape(title)}</h1>"
        "<p>Figures are percentages. Rows of the papers stand above ours; data says whether a run's split is the"
        f" published one.</p>{sections(tables)}</body></html>\n"
    )
