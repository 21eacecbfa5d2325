"""The output of a study: one self-contained page, every figure as JSON, and each plot as SVG and CSV."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from citewell.text import files
from citewell_lab.papers.lfqa.data import SHUFFLED
from citewell_lab.papers.lfqa.plots import draw, numbers
from citewell_lab.papers.lfqa.run import Results
from citewell_lab.papers.published import figures
from citewell_lab.report import page as report
from citewell_lab.report.page import escape, listed
from citewell_lab.report.plots import Plot
from citewell_lab.report.table import Table
from citewell_lab.report.values import format_value

# The order of the page: rows, heading, where in the paper, what the figures are.
_SECTIONS = (
    ("documents", "The document sets", "appendix A.1, Table 4", "Means over questions."),
    ("sufficient", "Do the documents suffice?", "appendix B.6, Table 11", "Judged by people."),
    ("supportedness", "What people said of the sentences", "Table 2", "Shares of majority labels."),
    ("agreement", "Do people agree?", "section 5, appendix C.5", "Krippendorff's alpha: nominal, and with steps."),
    ("patterns", "Patterns of labels", "Figure 7", ""),
    ("errors", "Categories of errors", "Tables 3 and 6", ""),
    ("surface", "Surface of the answers", "section 4, Tables 1 and 9", "Means over answers; sd between answers."),
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


def _paper(results: Results) -> Mapping[str, Any] | None:
    """The paper's figures, only beside the paper's data."""
    return figures("lfqa") if results.study.layout == "salad" else None


def tables(results: Results) -> dict[str, Table]:
    """The rows as tables by their names, the paper's figures beside ours."""
    paper = _paper(results)
    titles = {name: (title, where) for name, title, where, _ in _SECTIONS}
    return {name: _table(name, *titles[name], rows, paper) for name, rows in results.tables.items() if rows}


def save(results: Results, folder: Path) -> list[Path]:
    """Write `report.html`, `numbers.json` and `plots/NAME` as SVG, CSV, Markdown and LaTeX; the files written.

    Raises:
        InputError: the folder cannot be written.
        MissingExtraError: matplotlib is not installed.
    """
    drawn, sheets = draw(results.tables, _paper(results)), tables(results)
    forms = {f"plots/{name}.{ending}": text + "\n" for name, table in sheets.items()
             for ending, text in (("md", table.markdown()), ("tex", table.latex()))}  # fmt: skip
    return files.write_all(
        folder,
        {
            "report.html": page(results, drawn),
            "numbers.json": json.dumps(results.to_dict(), ensure_ascii=False, indent=1, allow_nan=False) + "\n",
            **{f"plots/{file}": text for plot in drawn.values() for file, text in plot.files().items()},
            **{f"plots/{name}.csv": numbers(name, rows).csv() for name, rows in results.tables.items() if rows},
            **forms,
        },
    )


def page(results: Results, drawn: Mapping[str, Plot]) -> str:
    """One HTML page that needs nothing else and reads on light and dark ground."""
    parts, links = [], []
    sheets = tables(results)
    for name, title, where, says in _SECTIONS:
        if name not in sheets:
            continue
        links.append(f'<a href="#{name}">{escape(title)}</a>')
        table = sheets[name].html()
        if name in drawn:
            summary = f"<summary>The figures ({len(sheets[name].rows)} rows)</summary>"
            table = f"{drawn[name].html()}<details>{summary}{table}</details>"
        head = f"<h2>{escape(title)}</h2><p class=paper>{escape(where)}. {escape(says)}</p>"
        parts.append(f'<section id="{name}">{head}{table}</section>')
    record = results.record
    head = (
        f"<p>{record['questions']} questions, {len(record['settings'])} settings, document sets: "
        f"{escape(', '.join(record['document_sets']) or 'none')}. Checker: {escape(str(record['checker']))}. "
        "Shares are percentages. Intervals are 95%, drawn over questions where a figure is a share of sentences.</p>"
    )
    left = [("At a glance", glance(results.tables)), ("Not measured", results.skipped), ("Remarks", results.warnings)]
    notes = "".join(f"<div class=note><strong>{title}</strong>{listed(lines)}</div>" for title, lines in left if lines)
    return report.page("Long-form study", f"{head}{notes}<nav>{' '.join(links)}</nav>{''.join(parts)}")


def glance(tables: Mapping[str, Sequence[Any]]) -> list[str]:
    """The main findings in words, of the rows that are there."""
    findings = [  # the last row is of all settings, or of the only one
        f"People found {format_value(row.supported)} percent of {row.sentences} sentences supported."
        for row in tables.get("supportedness", ())[-1:]
    ]
    for row in tables.get("agreement", ())[-1:]:
        if row.nominal is not None:
            steps = format_value(row.interval, share=False)
            findings.append(
                f"Krippendorff's alpha is {format_value(row.nominal, share=False)} for names, {steps} for steps."
            )
    for row in tables.get("order", ()):
        if row.group == "with documents" and row.r is not None:
            note = (
                f"Order of evidence, documents {row.documents} ({row.source}): r = {format_value(row.r, share=False)}."
            )
            findings.append(note)
    for row in tables.get("last_sentence", ()):
        if row.group == "with documents":
            last, others = format_value(row.last), format_value(row.others)
            findings.append(f"Last sentences without support ({row.source}): {last} percent; others: {others}.")
    return findings


def _table(name: str, title: str, where: str, rows: Sequence[Any], paper: Mapping[str, Any] | None) -> Table:
    fields = [field for field in rows[0]._fields if field not in _HIDDEN]
    fields = [field for field in fields if any(getattr(row, field) is not None for row in rows)]
    beside = [_of_paper(name, row, paper) for row in rows] if paper is not None else []
    columns = [field.replace("_", " ") for field in fields]
    lines = [[getattr(row, field) for field in fields] for row in rows]
    if any(beside):
        columns.append("paper")
        lines = [[*line, published] for line, published in zip(lines, beside, strict=True)]
    plain = tuple(column for column, field in zip(columns, fields, strict=False) if field not in _SHARES)
    return Table(name, title, tuple(columns), tuple(map(tuple, lines)), plain=plain, source=where)


def _of_paper(name: str, row: Any, paper: Mapping[str, Any]) -> str:
    if name == "supportedness" and row.setting in paper[name]:
        count, *shares = paper[name][row.setting]
        return f"{' / '.join(f'{100 * share:.0f}%' for share in shares)}, n {count}"
    if name == "agreement" and row.setting == "all":
        published = paper[name]
        agreement = " / ".join((
            f"{published['all_agree']:.0%}", f"{published['most_agree']:.0%}", f"{published['none_agree']:.1%}"
        ))  # fmt: skip
        return f"alpha {published['alpha']}, {agreement}"
    if name == "support":
        value = paper["shares"].get(row.setting, {}).get(row.against)
        return "" if value is None else f"{100 * value:.1f}%"
    if name == "order":
        return _order_of_paper(row, paper["order"])
    if name == "documents" and row.documents_of in paper[name]:
        return " / ".join(f"{value:.1f}" for value in paper[name][row.documents_of])
    if name == "sufficient" and row.documents_of in paper[name]:
        count, judged = paper[name][row.documents_of]
        return f"{count} of {judged}"
    if name == "surface" and row.setting in paper[name]:
        sentences, words, rankgen, bleu, perplexity = paper[name][row.setting]
        return f"{sentences} / {words}, RankGen {rankgen}, self-BLEU {bleu}, perplexity {perplexity}"
    if name == "similarity_bounds":
        value = paper[name].get(row.measure, {}).get(row.bound)
        return "" if value is None else f"{value}"
    return ""


def _order_of_paper(row: Any, paper: Mapping[str, Any]) -> str:
    """Answers to shuffled documents have their own setting; to shuffle afterwards is not what the paper did."""
    if row.documents != "as given":
        return ""
    values = paper.get(row.group.removesuffix(SHUFFLED), {})
    if row.group.endswith(SHUFFLED):
        return f"T5 {values['shuffled']:.3f}" if values else ""
    return f"T5 {values['as given']:.3f}, people {values['human labels']:.3f}" if values else ""
