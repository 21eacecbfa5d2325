"""The analyses' plots: what is drawn, and the numbers of each as the rows of a CSV file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from citewell.errors import InputError
from citewell.papers.lab.stats import BINS
from citewell.report import curves
from citewell.report.curves import Panel, Point, Series

_FIFTHS = tuple(f"{100 * n // BINS}–{100 * (n + 1) // BINS}%" for n in range(BINS))
_PLACE = {"gold": "gold evidence", "predicted": "predicted evidence"}
_SHORT = 46


class Plot(NamedTuple):
    """A plot: its file's name, title, what to know of it, the SVG and its numbers."""

    name: str
    title: str
    caption: str
    svg: str
    header: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def csv(self) -> str:
        """The numbers, one line each."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.header)
        writer.writerows([round(cell, 6) if isinstance(cell, float) else cell for cell in row] for row in self.rows)
        return out.getvalue()


def draw(found: Mapping[str, Any]) -> list[Plot]:
    """Every plot for which there are figures.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    makers = (_distribution, _position, _length, _selective, _classes, _risk, _systems)
    return [plot for make in makers for plot in make(found)]


def save(plots: Sequence[Plot], folder: Path) -> list[Path]:
    """Write `NAME.svg` and `NAME.csv` of each plot.

    Raises:
        InputError: the folder cannot be written.
    """
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for plot in plots:
            for suffix, text in (("svg", plot.svg), ("csv", plot.csv())):
                path = folder / f"{plot.name}.{suffix}"
                path.write_text(text, encoding="utf-8")
                written.append(path)
    except OSError as error:
        raise InputError(f"the plots cannot be written: {error}") from error
    return written


def names(runs: Sequence[Mapping[str, Any]]) -> list[str]:
    """What each run is called beside others of its task: its method, with its folder where methods are equal."""
    methods = [str(one["method"]) for one in runs]
    made = []
    for one, method in zip(runs, methods, strict=True):
        name = method if methods.count(method) == 1 else f"{method} ({Path(one['run']).name})"
        made.append(name if len(name) <= _SHORT else name[: _SHORT - 1] + "…")
    return made


def _tasks(found: Mapping[str, Any]) -> Iterator[tuple[str, list[tuple[str, Mapping[str, Any]]]]]:
    """The runs of each task, with their names."""
    for task in dict.fromkeys(one["task"] for one in found["runs"]):
        runs = [one for one in found["runs"] if one["task"] == task]
        yield task, list(zip(names(runs), runs, strict=True))


def _percent(values: Sequence[float]) -> list[Point]:
    return [(float(x), 100 * value, 0.0, 0.0) for x, value in enumerate(values)]


def _line(points: Sequence[Sequence[float]]) -> list[Point]:
    return [(100 * x, 100 * y, 0.0, 0.0) for x, y in points]


def _distribution(found: Mapping[str, Any]) -> Iterator[Plot]:
    panels, rows = [], []
    for task, runs in _tasks(found):
        for name, run in runs:
            one = run["distribution"]
            if one is None:
                continue
            pairs = [Series(kind, _percent(one[kind])) for kind in ("gold", "predicted")]
            panels.append(Panel(f"{task}\n{name}", pairs))
            rows += [
                (task, run["run"], kind, fifth, share)
                for kind in ("gold", "predicted")
                for fifth, share in zip(_FIFTHS, one[kind], strict=True)
            ]
    if panels:
        drawn = curves.bars("evidence-position", panels, _FIFTHS, ("position in the document", "% of the evidence"))
        caption = "Shares of all evidence segments that stand in each fifth of their document."
        header = ("task", "run", "evidence", "position", "share")
        yield Plot("evidence-position", "Where the evidence stands", caption, drawn, header, tuple(rows))


def _position(found: Mapping[str, Any]) -> Iterator[Plot]:
    for of, by in (("response", "gold"), ("evidence", "gold"), ("evidence", "predicted")):
        panels, rows = [], []
        for task, runs in _tasks(found):
            drawn = []
            for name, run in runs:
                one = run["position"][f"{of}_by_{by}"]
                if one is None:
                    continue
                points = [
                    (float(x), 100 * part["mean"], 100 * part["low"], 100 * part["high"])
                    for x, part in enumerate(one["bins"])
                    if part["mean"] is not None
                ]
                drawn.append(Series(name, points))
                rows += [
                    (task, run["run"], fifth, part["n"], part["mean"], part.get("low"), part.get("high"))
                    for fifth, part in zip(_FIFTHS, one["bins"], strict=True)
                ]
            if drawn:
                panels.append(Panel(task, drawn))
        if panels:
            name = f"{of}-by-{by}-position"
            labels = (f"position of the {_PLACE[by]}", f"{of} quality (%)")
            title = f"Quality of the {of} by the position of the {_PLACE[by]}"
            caption = "Means over the items of each fifth, with bootstrap 95% intervals."
            header = ("task", "run", "position", "n", "mean", "low", "high")
            image = curves.curves(name, panels, labels, ticks=_FIFTHS, limits=(0, 102))
            yield Plot(name, title, caption, image, header, tuple(rows))


def _length(found: Mapping[str, Any]) -> Iterator[Plot]:
    panels, rows = [], []
    for task, runs in _tasks(found):
        for of in ("response", "evidence"):
            drawn = []
            for name, run in runs:
                one = run["length"][of]
                if one is None:
                    continue
                points = [
                    (part["words"][1] / 1000, 100 * part["mean"], 100 * part["low"], 100 * part["high"])
                    for part in one["quarters"]
                ]
                drawn.append(Series(name, points))
                rows += [
                    (task, run["run"], of, *part["words"], part["n"], part["mean"], part["low"], part["high"])
                    for part in one["quarters"]
                ]
            if drawn:
                panels.append(Panel(f"{task}: {of}", drawn))
    if panels:
        labels = ("words of the document (thousands)", "quality (%)")
        image = curves.curves("length", panels, labels, limits=(0, 102))
        caption = "A point is a quarter of the items, at its median length, with 95% intervals."
        header = ("task", "run", "quality", "from_words", "median_words", "to_words", "n", "mean", "low", "high")
        yield Plot("length", "Quality by the length of the document", caption, image, header, tuple(rows))


def _selective(found: Mapping[str, Any]) -> Iterator[Plot]:
    panels, rows = [], []
    for task, runs in _tasks(found):
        for name, run in runs:
            for score, one in ((run["selective"] or {}).get("scores") or {}).items():
                lines = [Series("by attributability", _line(one["curve"]))]
                lines.append(Series("random order", _line(one["random_curve"]), dashed=True))
                panels.append(Panel(f"{task}: {score}\n{name}", lines))
                rows += [
                    (task, run["run"], score, order, x, y)
                    for order, key in (("attributability", "curve"), ("random", "random_curve"))
                    for x, y in one[key]
                ]
    if panels:
        image = curves.curves("selective", panels, ("coverage (%)", "quality (%)"), limits=(0, 102))
        caption = "Quality of the responses kept, those first whose evidence supports them best."
        header = ("task", "run", "score", "order", "coverage", "value")
        yield Plot("selective", "Selective prediction by attributability", caption, image, header, tuple(rows))


def _classes(found: Mapping[str, Any]) -> Iterator[Plot]:
    panels, rows = [], []
    for task, runs in _tasks(found):
        for name, run in runs:
            shares = (run["selective"] or {}).get("classes")
            if not shares:
                continue
            panels.append(Panel(f"{task}\n{name}", [Series(one, _line(points)) for one, points in shares.items()]))
            rows += [(task, run["run"], one, x, y) for one, points in shares.items() for x, y in points]
    if panels:
        image = curves.curves("classes-by-coverage", panels, ("coverage (%)", "% of gold classes"), limits=(0, 102))
        caption = "Gold classes among the responses kept, ordered by attributability."
        header = ("task", "run", "class", "coverage", "share")
        yield Plot("classes-by-coverage", "Gold classes by coverage", caption, image, header, tuple(rows))


def _risk(found: Mapping[str, Any]) -> Iterator[Plot]:
    panels, rows = [], []
    for task, runs in _tasks(found):
        kept = [(name, run) for name, run in runs if run["risk"]]
        if not kept:
            continue
        panels.append(Panel(task, [Series(name, _line(run["risk"]["curve"])) for name, run in kept]))
        rows += [(task, run["run"], x, y) for _, run in kept for x, y in run["risk"]["curve"]]
    if panels:
        image = curves.curves("risk-coverage", panels, ("coverage (%)", "risk (%)"), limits=(0, 102))
        caption = "How wrong the answers given are, the most confident first."
        header = ("task", "run", "coverage", "risk")
        yield Plot("risk-coverage", "Risk by coverage", caption, image, header, tuple(rows))


def _systems(found: Mapping[str, Any]) -> Iterator[Plot]:
    panels: list[Panel] = []
    rows: list[tuple[Any, ...]] = []
    for whose, key in (("our runs", "systems"), ("paper's rows", "systems_paper")):
        for task, one in found[key].items():
            if not one["systems"] or (key == "systems_paper" and task not in found["systems"]):
                continue
            points = [(100 * y, 100 * x, 0.0, 0.0) for x, y in one["systems"].values()]
            drawn = Series(whose, points)
            rows += [(task, whose, name, *pair) for name, pair in one["systems"].items()]
            place = next((n for n, panel in enumerate(panels) if panel.title == task), None)
            if place is None:
                panels.append(Panel(task, [drawn]))
            else:
                panels[place] = Panel(task, [*panels[place].series, drawn])
    if panels:
        image = curves.scatter("systems", panels, ("evidence quality (%)", "response quality (%)"))
        caption = "A point is a system; the paper's are citation and reduced citation of five models (Table 3)."
        header = ("task", "whose", "system", "response", "evidence")
        yield Plot("systems", "Response and evidence quality of systems", caption, image, header, tuple(rows))
