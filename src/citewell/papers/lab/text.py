"""The analyses as tables for a terminal, Markdown and CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from citewell.papers.lab.figures import names


class Sheet(NamedTuple):
    """A table of text: its title, where in the paper, the header and rows, notes below it."""

    title: str
    source: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


STARS = "* p < 0.05, ** p < 0.01, *** p < 0.001"


def sheets(found: Mapping[str, Any]) -> list[Sheet]:
    """The tables that have rows."""
    runs = found["runs"]
    called: dict[str, str] = {}
    for task in dict.fromkeys(run["task"] for run in runs):
        same = [run for run in runs if run["task"] == task]
        called |= {run["run"]: f"{task}: {name}" for run, name in zip(same, names(same), strict=True)}
    makers = (_distribution, _position, _length, _selective, _risk, _systems, _overlap)
    return [one for make in makers for one in make(found, called) if one.rows]


def _r(one: Mapping[str, Any] | None) -> str:
    """A coefficient with its stars, its p-value and how many pairs it is of."""
    return "–" if one is None else f"{one['r']:+.2f}{one['stars']} (p {_p(one['p'])}, n {one['n']})"


def _p(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}" if value >= 0.001 else f"{value:.0e}"


def _pc(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


def _distribution(found: Mapping[str, Any], called: Mapping[str, str]) -> Iterator[Sheet]:
    rows = [
        (called[run["run"]], kind, str(one[f"n_{kind}"]), *map(_pc, one[kind]), _p(one["p"]))
        for run in found["runs"]
        if (one := run["distribution"])
        for kind in ("gold", "predicted")
    ]
    header = ("", "evidence", "n", "1st fifth", "2nd", "3rd", "4th", "5th", "p (differ)")
    yield Sheet("Where the evidence stands (% of segments)", "LAB, figure 3 top", header, tuple(rows))


def _position(found: Mapping[str, Any], called: Mapping[str, str]) -> Iterator[Sheet]:
    sources = {
        "response_by_gold": ("Response quality by the position of gold evidence", "LAB, figure 3 bottom, table 5"),
        "evidence_by_gold": ("Evidence quality by the position of gold evidence", "LAB, figure 5"),
        "evidence_by_predicted": ("Evidence quality by the position of predicted evidence", "LAB, figure 6"),
    }
    header = ("", "n", "1st fifth", "2nd", "3rd", "4th", "5th", "r of fifths", "rank r of items")
    for key, (title, source) in sources.items():
        rows = []
        for run in found["runs"]:
            one = run["position"][key]
            if one:
                means = [_pc(part["mean"]) for part in one["bins"]]
                rows.append((called[run["run"]], str(one["n"]), *means, _r(one["bins_r"]), _r(one["items_r"])))
                if one.get("macro_f1"):
                    rows.append(("  the same as macro F1", "", *map(_pc, one["macro_f1"]), "", ""))
        yield Sheet(title, source, header, tuple(rows), (STARS,))


def _length(found: Mapping[str, Any], called: Mapping[str, str]) -> Iterator[Sheet]:
    rows = []
    for run in found["runs"]:
        for of, one in run["length"].items():
            if one:
                rows.append((called[run["run"]], of, _r(one["pearson"]), _r(one["spearman"])))
    header = ("", "quality", "Pearson's r", "Spearman's r")
    yield Sheet("Quality by the document's length in words", "LAB, tables 7 and 8", header, tuple(rows), (STARS,))


def _selective(found: Mapping[str, Any], called: Mapping[str, str]) -> Iterator[Sheet]:
    rows = []
    for run in found["runs"]:
        for score, one in ((run["selective"] or {}).get("scores") or {}).items():
            figures = (_pc(one["auc"]), _pc(one["random_auc"]), f"{100 * one['advantage']:+.1f}", _p(one["p"]))
            rows.append((called[run["run"]], score, str(run["selective"]["n"]), *figures))
    header = ("", "score", "n", "area", "random order", "difference", "p")
    notes = tuple(dict.fromkeys(note for run in found["runs"] for note in run["notes"]))
    yield Sheet("Selective prediction by attributability", "LAB, table 4", header, tuple(rows), notes)


def _risk(found: Mapping[str, Any], called: Mapping[str, str]) -> Iterator[Sheet]:
    rows = [
        (called[run["run"]], str(one["n"]), str(one["left_out"]), *map(_pc, (one["aurc"], one["random"], one["best"])),
         "–" if one["excess"] is None else f"{one['excess']:.2f}", _p(one["p"]))
        for run in found["runs"]
        if (one := run["risk"])
    ]  # fmt: skip
    header = ("", "n", "left out", "AURC", "random order", "best order", "excess", "p")
    notes = ("excess: 0 the best order of these answers, 1 no better than a random one; left out: withheld answers",)
    yield Sheet("Risk and coverage by the system's confidence", "", header, tuple(rows), notes)


def _systems(found: Mapping[str, Any], called: Mapping[str, str]) -> Iterator[Sheet]:  # noqa: ARG001  (the makers are alike)
    rows = []
    for task in dict.fromkeys((*found["systems"], *found["systems_paper"])):
        ours, paper = found["systems"].get(task), found["systems_paper"].get(task)
        rows.append((task, _r(ours and ours["r"]), _r(paper and paper["r"])))
    header = ("", "our runs", "the paper's systems")
    notes = ("the paper's: citation and reduced citation of five models, from its Table 3", STARS)
    title = "Response against evidence quality over systems (Pearson's r)"
    yield Sheet(title, "LAB, table 6", header, tuple(rows), notes)


def _overlap(found: Mapping[str, Any], called: Mapping[str, str]) -> Iterator[Sheet]:
    rows = [
        (called[one["first"]], called[one["second"]].partition(": ")[2], str(one["n"]), _pc(one["f1"]["mean"]),
         f"{_pc(one['f1']['low'])} to {_pc(one['f1']['high'])}", _pc(one["identical"]), _pc(one["disjoint"]),
         _pc(one["chance"]), _p(one["p"]))
        for one in found["overlap"]
    ]  # fmt: skip
    header = ("", "and", "n", "F1", "95% interval", "identical", "disjoint", "by chance", "p")
    yield Sheet("Overlap of two runs' evidence (%)", "LAB, appendix A.3", header, tuple(rows))


def aligned(made: Sequence[Sheet]) -> str:
    """For a terminal."""
    parts = []
    for one in made:
        cells = [one.header, *one.rows]
        widths = [max(len(row[i]) for row in cells) for i in range(len(one.header))]
        lines = [one.title + (f" ({one.source})" if one.source else ""), ""]
        for row in cells:
            first = row[0].ljust(widths[0])
            rest = (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
            lines.append("  ".join((first, *rest)).rstrip())
        parts.append("\n".join([*lines, *(f"  {note}" for note in one.notes)]))
    return "\n\n\n".join(parts)


def markdown(made: Sequence[Sheet]) -> str:
    """Markdown tables."""
    parts = []
    for one in made:
        lines = [f"### {one.title}", ""] + ([one.source, ""] if one.source else [])
        rows = [one.header, ("---", *["---:"] * (len(one.header) - 1)), *one.rows]
        # Stars would be read as emphasis.
        lines += ["| " + " | ".join(c.replace("|", "\\|").replace("*", "\\*") for c in row) + " |" for row in rows]
        notes = [note.replace("*", "\\*") for note in one.notes]
        parts.append("\n".join([*lines, *(["", *(f"- {note}" for note in notes)] if notes else [])]))
    return "\n\n".join(parts)
