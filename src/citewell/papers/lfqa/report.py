"""What a study leaves: one self-contained page, every figure as JSON, and for each plot its SVG and its CSV."""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from citewell.errors import InputError
from citewell.papers.lfqa.figures import Plot, draw
from citewell.papers.lfqa.run import Results
from citewell.papers.published import figures
from citewell.report.intervals import Interval

# The order of the page: rows, heading, where in the paper, what the figures are.
_SECTIONS = (
    ("supportedness", "What people said of the sentences", "Table 2", "Shares of majority labels."),
    ("agreement", "Do people agree?", "section 5, appendix C.5", "Krippendorff's alpha: nominal, and with steps."),
    ("patterns", "Patterns of labels", "Figure 7", ""),
    ("errors", "Categories of errors", "Tables 3 and 6", ""),
    ("surface", "Surface of the answers", "section 4, Table 1", "Means over answers; sd between answers."),
    ("similarity", "Likeness of answers under different documents", "appendix B.1, Figure 4", ""),
    ("similarity_bounds", "What likeness is worth", "appendix B.1", ""),
    ("support", "Which documents support which answers", "section 7.2, Figure 3b", "Judged by the checker."),
    ("support_annotated", "The same on the annotated answers", "Table 2", "The checker on the sentences people saw."),
    ("order_heat", "Where the evidence lies", "section 6.3, Figure 2a, 2b; appendix B.7", ""),
    ("order", "Does the answer follow the order of the documents?", "appendix B.7, Table 13", ""),
    ("unsupported_by_position", "Where support is missing", "section 6.3, Figure 2c", ""),
    ("last_sentence", "The last sentence", "section 6.3", "Shares of unsupported sentences."),
)
_SHARES = frozenset(
    "supported partially not_supported unsupported last others difference share all_agree most_agree none_agree".split()
)
_HIDDEN = frozenset({"cells", "average"})

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8882; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin: 3rem 0 .2rem; }
p, li { max-width: 60rem; } .paper, figcaption { opacity: .75; margin: 0 0 .6rem; }
figure { margin: 1rem 0; } .wide { overflow-x: auto; } nav a { margin-right: 1rem; white-space: nowrap; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .7rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
td.word, th.word { text-align: left; } thead th { border-bottom: 2px solid var(--line); vertical-align: bottom; }
details { margin: .6rem 0; } summary { cursor: pointer; } .note { background: var(--soft); padding: .6rem 1rem; }
"""


def save(results: Results, folder: Path) -> list[Path]:
    """Write `report.html`, `numbers.json` and `plots/NAME.svg` with `plots/NAME.csv`; the files that were written.

    Raises:
        InputError: the folder cannot be written.
        MissingExtraError: matplotlib is not installed.
    """
    drawn = draw(results.tables, _paper(results))
    contents = {
        "report.html": page(results, drawn),
        "numbers.json": json.dumps(results.to_dict(), ensure_ascii=False, indent=1, allow_nan=False) + "\n",
        **{f"plots/{name}.svg": plot.svg + "\n" for name, plot in drawn.items()},
        **{f"plots/{name}.csv": as_csv(rows) for name, rows in results.tables.items() if rows},
    }
    try:
        (folder / "plots").mkdir(parents=True, exist_ok=True)
        for name, text in contents.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"the report cannot be written: {error}") from error
    return [folder / name for name in contents]


def _paper(results: Results) -> Mapping[str, Any] | None:
    """The paper's figures, only beside the paper's data."""
    return figures("lfqa") if results.study.layout == "salad" else None


def flat(row: Any) -> dict[str, Any]:
    """A row's fields; an interval becomes three, a list of lists a field for each value."""
    result: dict[str, Any] = {}
    for name, value in row._asdict().items():
        if isinstance(value, Interval):
            result |= {name: value.mean, f"{name}_low": value.low, f"{name}_high": value.high}
        elif name == "cells":
            result |= {f"answer{y}_documents{x}": one for y, cells in enumerate(value) for x, one in enumerate(cells)}
        elif name == "average":
            result |= {f"all_documents{x}": one for x, one in enumerate(value)}
        else:
            result[name] = value
    return result


def as_csv(rows: Sequence[Any]) -> str:
    """One line a row; fractions as they are, an empty cell where there is no figure."""
    found = [flat(row) for row in rows]
    names = list(dict.fromkeys(name for row in found for name in row))
    out = io.StringIO()
    writer = csv.DictWriter(out, names, lineterminator="\n")
    writer.writeheader()
    for row in found:
        writer.writerow({key: round(value, 6) if isinstance(value, float) else value for key, value in row.items()})
    return out.getvalue()


def page(results: Results, drawn: Mapping[str, Plot]) -> str:
    """One HTML page that needs nothing else and reads on light and dark ground."""
    paper = _paper(results)
    parts, links = [], []
    for name, title, where, says in _SECTIONS:
        rows = results.tables.get(name)
        if not rows:
            continue
        links.append(f'<a href="#{name}">{html.escape(title)}</a>')
        shown = drawn.get(name)
        figure = (
            f'<figure role="img" aria-label="{html.escape(shown.caption)}"><div class=wide>{shown.svg}</div>'
            f"<figcaption>{html.escape(shown.caption)}</figcaption></figure>"
            if shown
            else ""
        )
        parts.append(
            f'<section id="{name}"><h2>{html.escape(title)}</h2><p class=paper>{html.escape(where)}. '
            f"{html.escape(says)}</p>{figure}{_table(name, rows, paper, bool(shown))}</section>"
        )
    record = results.record
    head = (
        f"<p>{record['questions']} questions, {len(record['settings'])} settings, document sets: "
        f"{html.escape(', '.join(record['document_sets']) or 'none')}. Checker: {html.escape(str(record['checker']))}. "
        "Intervals are 95%, drawn over questions where a figure is a share of sentences.</p>"
    )
    left = [("At a glance", glance(results.tables)), ("Not measured", results.skipped), ("Remarks", results.warnings)]
    notes = "".join(
        f"<div class=note><strong>{title}</strong><ul>{''.join(_item(one) for one in found)}</ul></div>"
        for title, found in left
        if found
    )
    return (
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8>"
        '<meta name=viewport content="width=device-width, initial-scale=1">'
        f"<title>Long-form study</title><style>{_STYLE}</style></head><body><h1>Long-form study</h1>{head}{notes}"
        f"<nav>{' '.join(links)}</nav>{''.join(parts)}</body></html>\n"
    )


def glance(tables: Mapping[str, Sequence[Any]]) -> list[str]:
    """The main findings in words, of the rows that are there."""
    found = [  # the last row is of all settings, or of the only one
        f"People found {cell(row.supported, share=True)} of {row.sentences} sentences supported."
        for row in tables.get("supportedness", ())[-1:]
    ]
    for row in tables.get("agreement", ())[-1:]:
        if row.nominal is not None:
            steps = cell(row.interval, share=False)
            found.append(f"Krippendorff's alpha is {cell(row.nominal, share=False)} for names, {steps} for steps.")
    for row in tables.get("order", ()):
        if row.group == "with documents" and row.r is not None:
            said = f"Order of evidence, documents {row.documents} ({row.source}): r = {cell(row.r, share=False)}."
            found.append(said)
    for row in tables.get("last_sentence", ()):
        if row.group == "with documents":
            last, others = cell(row.last, share=True), cell(row.others, share=True)
            found.append(f"Last sentences without support ({row.source}): {last}; other sentences: {others}.")
    return found


def _item(text: str) -> str:
    return f"<li>{html.escape(text)}</li>"


def _table(name: str, rows: Sequence[Any], paper: Mapping[str, Any] | None, folded: bool) -> str:
    columns = [field for field in rows[0]._fields if field not in _HIDDEN]
    columns = [field for field in columns if any(getattr(row, field) is not None for row in rows)]
    beside = _beside(name, rows, paper)
    names = [*columns, *(["paper"] if beside else [])]
    words = {field for field in columns if isinstance(getattr(rows[0], field), str)}
    head = "".join(
        f"<th scope=col{' class=word' if field in words else ''}>{html.escape(field.replace('_', ' '))}</th>"
        for field in names
    )
    body = []
    for number, row in enumerate(rows):
        cells = []
        for field in columns:
            kind = " class=word" if field in words else ""
            cells.append(f"<td{kind}>{html.escape(cell(getattr(row, field), field in _SHARES))}</td>")
        if beside:
            cells.append(f"<td>{html.escape(beside[number])}</td>")
        body.append(f"<tr>{''.join(cells)}</tr>")
    table = f"<div class=wide><table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
    return f"<details><summary>The figures ({len(rows)} rows)</summary>{table}</details>" if folded else table


def cell(value: Any, share: bool) -> str:
    """A figure for a reader: shares as percentages, intervals in brackets."""
    if value is None:
        return "–"
    if isinstance(value, Interval):
        mean, low, high = (_number(one, share) for one in value)
        return f"{mean} ({low} to {high})"
    return _number(value, share) if isinstance(value, float) else str(value)


def _number(value: float, share: bool) -> str:
    if share:
        return f"{100 * value:.1f}%"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.3f}"


def _beside(name: str, rows: Sequence[Any], paper: Mapping[str, Any] | None) -> list[str] | None:
    """The paper's figure for each row, where it has one."""
    if paper is None:
        return None
    found = [_of_paper(name, row, paper) for row in rows]
    return found if any(one for one in found) else None


def _of_paper(name: str, row: Any, paper: Mapping[str, Any]) -> str:
    if name == "supportedness" and row.setting in paper[name]:
        count, *shares = paper[name][row.setting]
        return f"{' / '.join(f'{100 * one:.0f}%' for one in shares)}, n {count}"
    if name == "agreement" and row.setting == "all":
        said = paper[name]
        return f"alpha {said['alpha']}, {said['all_agree']:.0%} / {said['most_agree']:.0%} / {said['none_agree']:.1%}"
    if name == "support":
        value = paper["shares"].get(row.setting, {}).get(row.against)
        return "" if value is None else f"{100 * value:.1f}%"
    if name == "order":
        values = paper["order"].get(row.group, {})
        value = values.get(row.documents)
        labels = f", people {values['human labels']:.3f}" if values and row.documents == "as given" else ""
        return "" if value is None else f"T5 {value:.3f}{labels}"
    return ""
