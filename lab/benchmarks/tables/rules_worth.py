"""What each rule for figures is worth: right, wrong and withheld with it and without, over the questions that it changes anything of.

    python lab/benchmarks/tables/rules_worth.py --data DATA --cache DIR [--only NAME ...] [--sets days,aitqa,tatqa,invented]

Sets: figures of the development days in `lab/first_sight`, AIT-QA, TAT-QA (single cells) and the invented reports. A rule is a function beside what it gives when it is switched off, or an expression that then never matches. In the first run all
rules are watched; without a rule only those questions are asked again for which it gave anything else. Documents are kept in the cache.
"""

from __future__ import annotations

import argparse
import csv
import functools
import importlib
import json
import pkgutil
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

import first_sight
import invented
import questions

import citewell.facts
import citewell.generators.extractive
from citewell import Document
from citewell.generators.extractive.cells import asking, formulas, rows, wordings
from citewell.text.data import read_json

CELLS = "citewell.generators.extractive.cells"
DAYS = ("2026-11-22", "2026-11-23", "2026-11-23b", "2026-11-23c", "2026-11-24")
nothing: Mapping[str, Any] = {
    "str": "",
    "set": frozenset(),
    "dict": {},
    "false": False,
    "none": None,
    "tuple": (),
    "one": 1,
}

# The function, and what it gives when it is switched off: a key of `nothing`, or the place of the argument that it passes on.
FUNCTIONS: Mapping[str, tuple[str, str | int]] = {
    **{f"coverage {name}": (f"{CELLS}.coverage:_{name}", "str") for name in (
        "measure", "basis", "movement", "opening", "sort", "which", "part_of", "years", "part",
    )},
    "coverage another day": (f"{CELLS}.coverage:_other_day", "false"),
    "coverage same day": (f"{CELLS}.coverage:same_day", "false"),
    "coverage verbs": (f"{CELLS}.coverage:verbs", "set"),
    "acts": (f"{CELLS}.asking:acts", "set"),
    "form of the answer": (f"{CELLS}.asking:without_form", 0),
    "short years": (f"{CELLS}.asking:in_years", 0),
    "part asked": (f"{CELLS}.asking:part_asked", "str"),
    "whole first": (f"{CELLS}.finder:_whole_first", 0),
    "undoubted first": (f"{CELLS}.finder:_undoubted_first", 0),
    "kin": (f"{CELLS}.wordings:kin", "dict"),
    "meant": (f"{CELLS}.weighing:_meant", "dict"),
    "superlatives": (f"{CELLS}.superlatives:wanted", "none"),
    "other reading": (f"{CELLS}.drafts:_other_reading", "none"),
    "trend": (f"{CELLS}.formulas:_trend", "computed"),
    "printed ratio": (f"{CELLS}.formulas:_printed", "none"),
    "shared": (f"{CELLS}.formulas:_shared", "false"),
    "otherwise": (f"{CELLS}.formulas:_otherwise", "false"),
    "yes or no": (f"{CELLS}.formulas:_yes_or_no", "str"),
    "in fiscal years": ("citewell.facts.calendar.fiscal:in_fiscal_years", 0),
}  # fmt: skip
# What is worked out once a document: all questions are asked again.
INDEXED: Mapping[str, tuple[str, str | int]] = {
    "abbreviations": (f"{CELLS}.rows:_abbreviations", "dict"),
    "corners": (f"{CELLS}.rows:_corners", "list"),
    "breakdowns": (f"{CELLS}.breakdowns:breakdowns", "dict"),
    "introductions": (f"{CELLS}.statements:introductions", "blank"),
    "without statement": (f"{CELLS}.rows:_without_statement", "title"),
    "goes on": (f"{CELLS}.statements:_goes_on", "false"),
}
BUILD = "citewell.facts.tables"
# What is worked out when tables are: likewise, where any table comes out otherwise.
TABLED: Mapping[str, tuple[str, str | int]] = {
    "captions": (f"{BUILD}.captions:captions", "dict"),
    "repeated scale": (f"{BUILD}.repeated:with_repeated_scale", 0),
    "scale of notes": (f"{BUILD}.scales:notes_scale", "none"),
    "exceptions of scale": (f"{BUILD}.scales:exceptions", "tuple"),
    "sums": (f"{BUILD}.sums:sums", "dict"),
    "proofs": (f"{BUILD}.sums:proofs", "dict"),
    "label before": (f"{BUILD}.build:_label_before", "str"),
    "another statement": (f"{BUILD}.build:_another", "false"),
    "section of statement": (f"{BUILD}.build:_is_section", "false"),
    "word of currency": (f"{BUILD}.build:_currency_word", "str"),
    "more below": (f"{BUILD}.paths:_more_below", "false"),
    "corner periods": (f"{BUILD}.paths:_with_corner", 0),
    "second stub": (f"{BUILD}.paths:stub", "one"),
    "heads alone": (f"{BUILD}.paths:_heads_alone", "false"),
    "columns of figures": (f"{BUILD}.paths:_of_figures", "set"),
}
MADE = ("tables", "cells", "rows")  # of tables, kept with a document
watching: list[set[str]] = []  # the rules that gave anything for the question that is asked


def off(original: Any, value: str | int) -> Callable[..., Any]:
    """A function that gives nothing, or passes an argument on."""
    if isinstance(value, int):
        return lambda *args, **_: args[value]
    if value == "blank":
        return lambda _, tables: ("",) * len(tables)
    if value == "title":
        return lambda table: table.title
    if value == "list":
        return lambda *_, **__: []
    return lambda *_, **__: nothing[value]


class Watched:
    """An expression that notes when it matches."""

    def __init__(self, name: str, expression: re.Pattern[str]) -> None:
        self.name, self.expression, self.pattern = name, expression, expression.pattern

    def __getattr__(self, method: str) -> Any:
        call = getattr(self.expression, method)

        def noting(*args: Any, **kwargs: Any) -> Any:
            if watching and self.expression.search(args[-1] if method == "sub" else args[0]):
                watching[-1].add(self.name)
            return call(*args, **kwargs)

        return noting


def place(path: str) -> Any:
    """A function by its module and name."""
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)


@functools.cache
def holders(original: Any) -> list[tuple[Any, str]]:
    """Where the package holds a function, by module and name."""
    return [
        (module, name)
        for key, module in list(sys.modules.items())
        if key.startswith("citewell")
        for name, value in list(vars(module).items())
        if value is original
    ]


@contextmanager
def swapped(original: Any, replacement: Any) -> Iterator[None]:
    """A function replaced for a while, wherever the package holds it."""
    for module, name in holders(original):
        setattr(module, name, replacement)
    try:
        yield
    finally:
        for module, name in holders(original):
            setattr(module, name, original)


CACHES = (
    asking.figure_question,
    asking.acts,
    rows._label,
    rows.label_terms,
    rows._apart_from_time,
)


def forget() -> None:
    """Clear what was worked out of questions."""
    for cached in CACHES:
        cached.cache_clear()


def expressions(name: str, silent: str) -> Mapping[Any, Any]:
    """The functions that give expressions, with ones that watch all of them, or give one that never matches."""

    def of(label: str, expression: re.Pattern[str]) -> Any:
        if label == silent:
            return re.compile("(?!)" + "()" * expression.groups)
        return Watched(label, expression) if not silent else expression

    patterns = {
        key: re.compile(value, re.IGNORECASE) for key, value in read_json(CELLS, "words.json")["patterns"].items()
    }
    kept = {key: of(f"pattern {key}", value) for key, value in patterns.items()}
    computed = {
        key: of(f"formula {key}", value) if isinstance(value, re.Pattern) else value
        for key, value in formulas._data().items()
    }
    rephrased = tuple(
        (of(f"rephrased {n}", expression), text) for n, (expression, text) in enumerate(wordings._rephrased())
    )
    return {asking.pattern: kept.__getitem__, formulas._data: lambda: computed, wordings._rephrased: lambda: rephrased}


@contextmanager
def without(rule: str) -> Iterator[None]:
    """The package without a rule; with an empty name all rules, watched."""
    with ExitStack() as stack:
        for original, replacement in expressions("", rule).items():
            stack.enter_context(swapped(original, replacement))
        for name, (path, value) in {**FUNCTIONS, **INDEXED, **TABLED}.items():
            original = place(path)
            if name == rule:
                stack.enter_context(swapped(original, off(original, value) if value != "computed" else no_trend))
            elif not rule and name in FUNCTIONS:
                stack.enter_context(swapped(original, noted(name, original, value)))
        forget()
        yield
    forget()


def no_trend(formula: dict[str, Any], years: Any, find: Any) -> Any:
    """What moved, as a change."""
    return formulas._worked_out(formula, years, find)


def noted(name: str, original: Any, value: str | int) -> Any:
    """A function that notes where it gives anything else than nothing."""
    silent = off(original, value) if value != "computed" else None

    @functools.wraps(original)
    def call(*args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        if watching and name not in watching[-1] and (silent is None or silent(*args, **kwargs) != result):
            watching[-1].add(name)
        return result

    return call


class Case(NamedTuple):
    """A question: its set, what it is called there, and what its answer counts as."""

    set: str
    name: str
    judge: Callable[[Document], str]


def cases(days: list[str], sets: set[str]) -> Iterator[tuple[str, list[Case]]]:
    """The questions of all sets by their document."""
    grouped: dict[str, list[Case]] = defaultdict(list)
    for day in days:
        for line in (first_sight.SETS.parent / day / "figures.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            kind = "absent" if row["absent"] else row["kind"]
            grouped[Path(row["pdf"]).stem].append(
                Case(f"{day[8:]} {kind}", row["question"], functools.partial(figure, row))
            )
    yield from sorted(grouped.items())


def figure(row: Mapping[str, Any], document: Document) -> str:
    """What an answer of a development day counts as."""
    answer = citewell.ask(document, row["question"])
    if row["absent"]:
        return "right" if answer.abstained else "wrong"
    return "withheld" if answer.abstained else "right" if first_sight._is_figure(answer, row) else "wrong"


def cell(item: questions.Item, document: Document) -> str:
    """What the best cell that lacks nothing counts as."""
    picks = questions.complete(item, questions.find(item.question, [document]))
    return "withheld" if not picks else "right" if questions.right(picks[0], item) else "wrong"


def loaded(stem: str, data: Path, cache: Path) -> Document:
    """A filing from the cache, read where it is not there."""
    kept = cache / f"{stem}.json"
    if not kept.exists():
        citewell.read(data / "financebench" / "pdfs" / f"{stem}.pdf").save(kept)
    return Document.load(kept)


def measured(document: Document, own: list[Case], only: list[str], out: list[str]) -> tuple[dict, dict[str, dict]]:
    """What each question of a document counts as with all rules, and, for each rule, what changed without it."""
    base, fired = {}, defaultdict(list)
    with without(""):
        for case in own:
            watching.append(set())
            base[case] = case.judge(document)
            for name in watching.pop():
                fired[name].append(case)
    changed: dict[str, dict] = {}
    for name in [*fired, *INDEXED, *TABLED]:
        if (only and name not in only) or name in out:
            continue
        again = fired[name]
        with without(name):
            kept = {}
            if name not in FUNCTIONS and (name in INDEXED or name in TABLED):
                before = document.tables() if name in TABLED else rows.index(document)
                # What else was made of the document stays: sentences take longest.
                kept = {key: document._memo._entries.pop(key) for key in MADE if key in document._memo._entries}
                if name in INDEXED:
                    document.memo("tables", lambda kept=kept: kept["tables"][0])
                same = before == (document.tables() if name in TABLED else rows.index(document))
                again = [] if same else own
            after = {case: case.judge(document) for case in again}
            if kept:
                for key in MADE:
                    document._memo._entries.pop(key, None)
                document._memo._entries.update(kept)
        changed[name] = {case: value for case, value in after.items() if value != base[case]}
        changed[name]["asked"] = len(after)
    return base, changed


def main() -> None:
    """Measure all rules, one line of JSON a document."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--without", nargs="*", default=[], help="rules that are not measured")
    parser.add_argument("--days", default=",".join(DAYS))
    parser.add_argument("--sets", default="days,aitqa,tatqa,invented")
    options = parser.parse_args()
    for package in (
        citewell.generators.extractive,
        citewell.facts,
    ):  # what is imported later would keep a rule that is swapped
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(found.name)
    sets = set(options.sets.split(","))
    asked: list[tuple[Document | str, list[Case]]] = [
        (stem, own) for stem, own in cases(options.days.split(",") if "days" in sets else [], sets)
    ]
    for name in ("aitqa", "tatqa"):
        by_table: dict[str, list[questions.Item]] = defaultdict(list)
        for item in getattr(questions, name)(options.data / name) if name in sets else ():
            by_table[item.table].append(item)
        asked += [
            (items[0].document, [Case(name, item.question, functools.partial(cell, item)) for item in items])
            for items in by_table.values()
        ]
    if "invented" in sets:
        rows = list(csv.DictReader((invented.FOLDER / "questions.tsv").open(encoding="utf-8"), delimiter="\t"))
        for path in sorted(invented.FOLDER.glob("*.html")):
            own = [
                Case(
                    f"invented {row['half']}",
                    row["question"],
                    functools.partial(
                        lambda row, d: invented.judge(citewell.ask(d, row["question"]), row["answer"] or ""), row
                    ),
                )
                for row in rows
                if row["file"] == path.name
            ]
            asked.append((citewell.read(path), own))
    for document, own in asked:
        opened = loaded(document, options.data, options.cache) if isinstance(document, str) else document
        base, changed = measured(opened, own, options.only, options.without)
        line = {
            "base": [[case.set, case.name, value] for case, value in base.items()],
            "changed": {
                name: [[case.set, case.name, value] for case, value in cases.items() if case != "asked"]
                for name, cases in changed.items()
            },
            "asked": {name: cases["asked"] for name, cases in changed.items()},
        }
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
