"""Questions over tables with the cell that answers: AIT-QA and the single-cell questions of TAT-QA, as HTML documents.

python lab/benchmarks/tables/questions.py DATA [--fit]

Prints the share of questions whose best cell is the right one, by set. With --fit, fits the weights of the cells' features
by a conditional logit over the cells of each question's document, tables left out in ten folds, and writes
src/citewell/generators/extractive/cells/weights.json.
"""

from __future__ import annotations

import argparse
import html
import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from citewell import read
from citewell.document import Document
from citewell.generators.extractive.cells.finder import Pick, find, judged, signals
from citewell.generators.extractive.cells.rows import index
from citewell.generators.extractive.cells.weighing import NAMES
from citewell.generators.extractive.cells.wordings import concepts, vocabulary
from citewell.text.figures import worth

OUT = Path("src/citewell/generators/extractive/cells/weights.json")


class Item(NamedTuple):
    """A question, the page that holds its table, and the right cell's text."""

    source: str
    table: str
    question: str
    answer: str
    document: Document


# The filings of AIT-QA's tables, which a filing's own title would tell: the tables come without.
AIRLINES = "Alaska Air Group, American Airlines Group, Delta Air Lines, Southwest Airlines, United Continental Holdings"


def page(rows: Sequence[Sequence[tuple[str, int]]], before: str = "", title: str = "") -> Document:
    """A document with one table; a cell is its text and how many columns it spans."""
    body = "".join(
        "<tr>" + "".join(f'<td colspan="{wide}">{html.escape(text)}</td>' for text, wide in row) + "</tr>"
        for row in rows
    )
    return read(
        f"<html><head><title>{title}</title></head><body>{before}<table>{body}</table></body></html>".encode(),
        name="table.html",
    )


def aitqa(folder: Path) -> Iterator[Item]:
    """AIT-QA: header paths as rows of headers with spans, sections as rows with a label alone."""
    documents = {}
    for line in (folder / "tables.jsonl").read_text(encoding="utf-8").splitlines():
        table = json.loads(line)
        columns, labels, data = table["column_header"], table["row_header"], table["data"]
        depth = max((len(path) for path in columns), default=0)
        rows: list[list[tuple[str, int]]] = []
        for level in range(depth):
            row: list[tuple[str, int]] = [("", 1)] if labels else []
            last: list[str] = []
            for path in columns:
                text = path[level] if level < len(path) else ""
                parents = path[:level]
                if row and level < depth - 1 and text and row[-1][0] == text and parents == last:
                    row[-1] = (text, row[-1][1] + 1)
                else:
                    row.append((text, 1))
                last = parents
            rows.append(row)
        section: list[str] = []
        for number, values in enumerate(data):
            path = labels[number] if labels else []
            if path[:-1] != section:
                fresh = [part for place, part in enumerate(path[:-1]) if part not in section[place : place + 1]]
                rows.extend([(part, 1)] for part in fresh)
                section = path[:-1]
            rows.append([*([(path[-1], 1)] if path else []), *((value, 1) for value in values)])
        documents[table["id"]] = page(rows, title=AIRLINES)
    for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        yield Item("aitqa", item["table_id"], item["question"], item["answers"][0], documents[item["table_id"]])


def tatqa(folder: Path) -> Iterator[Item]:
    """TAT-QA: questions whose answer is one cell of the table, the paragraphs before it."""
    for entry in json.loads((folder / "dev.json").read_text(encoding="utf-8")):
        rows = entry["table"]["table"]
        paragraphs = "".join(f"<p>{html.escape(part['text'])}</p>" for part in entry["paragraphs"])
        document = page([[(cell, 1) for cell in row] for row in rows], paragraphs)
        figures = [cell for row in rows for cell in row[1:]]
        for item in entry["questions"]:
            answer = item["answer"]
            if item["answer_type"] != "span" or len(answer) != 1 or "table" not in item["answer_from"]:
                continue
            if item["req_comparison"] or item["derivation"] or worth(answer[0]) is None:
                continue
            if any(plain(cell) == plain(answer[0]) for cell in figures):
                yield Item("tatqa", entry["table"]["uid"], item["question"], answer[0], document)


def filings(folder: Path, each: int = 12) -> Iterator[Item]:
    """What reports say of themselves: rows of their statements asked in other words, rows of notes in their own.

    The folder has documents as `Document.save` writes them, named COMPANY_YEAR...; a company is one table to the folds.
    """
    worded: dict[int, list[str]] = {}
    for wording in vocabulary().wordings:
        tags = concepts(wording)
        if tags and max(tags.values()) > 0.8 and 1 < len(wording.split()) < 7:
            worded.setdefault(max(tags, key=tags.__getitem__), []).append(wording)
    for path in sorted(folder.glob("*.json")):
        document, draw = Document.load(path), random.Random(path.stem)
        known, company = index(document), path.stem.split("_")[0]
        main = [row for row in known.rows if known.about[row.table].primary and row.tags and row.cells[0].value]
        notes = [row for row in known.rows if not known.about[row.table].primary and row.cells[0].value and row.path]
        for row in draw.sample(main, min(each, len(main))):
            words = worded.get(max(row.tags, key=row.tags.__getitem__), [])
            cell = draw.choice(row.cells)
            if words and cell.year and cell.value:
                yield Item("filings", company, f"What was {draw.choice(words)} in {cell.year}?", cell.text, document)
        for row in draw.sample(notes, min(each, len(notes))):
            cell = draw.choice(row.cells)
            heads = " ".join(part for part in cell.column_path if not any(map(str.isdigit, part)))[:60]
            if cell.year and cell.value and len(cell.row_path[-1].split()) > 1:
                of = " of ".join(reversed(cell.row_path[-2:]))
                question = f"What was {of}{f' ({heads})' if heads else ''} in {cell.year}?"
                yield Item("filings", company, question, cell.text, document)


def plain(text: str) -> str:
    """A figure without signs and blanks."""
    return re.sub(r"[^\d.]", "", text)


def right(pick: Pick, item: Item) -> bool:
    """Whether a cell has the figure that answers."""
    return plain(pick.cell.text) == plain(item.answer) != "" or pick.cell.text.strip() == item.answer.strip()


# Where the weights start and are drawn to: what one table cannot tell (which statement is the main one) stays there.
START = {
    "asked_said": 3.0, "label_asked": 1.5, "path_asked": 0.5, "exact": 0.75, "tags": 2.0, "other_item": -1.0, "kind": 0.75, "other_kind": -0.25,
    "whole": 0.5, "apart": -0.75, "total": 0.25, "total_unasked": -0.15, "year": 1.5, "other_year": -1.5, "newest": 0.5,
    "columns_asked": 0.25, "columns_unasked": -0.5, "part": -1.0, "quarter": 1.5, "other_quarter": -1.5, "percent": -1.0,
    "text_value": -1.5, "missed": -2.0, "smaller": -0.75, "first": 0.15, "primary": 1.0,
    "sections_unasked": -0.5, "introduced": -0.5,
}  # fmt: skip


def fit(groups: Sequence[tuple[np.ndarray, np.ndarray]], strength: float = 0.01, steps: int = 300) -> np.ndarray:
    """The weights that make the right cells likeliest among all of their question."""
    start = np.array([START.get(name, 0.0) for name in NAMES])
    weights = start.copy()
    rate, moment, square = 0.1, np.zeros(len(NAMES)), np.zeros(len(NAMES))
    for step in range(1, steps + 1):
        slope = 2 * strength * (weights - start)
        for features, marks in groups:
            scores = features @ weights
            shares = np.exp(scores - scores.max())
            gold = shares * marks
            shares, gold = shares / shares.sum(), gold / gold.sum()
            slope += (shares - gold) @ features / len(groups)
        moment, square = 0.9 * moment + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        weights -= rate * (moment / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return weights


def main() -> None:
    """Measure, or fit and measure by folds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--filings", type=Path, help="a folder of saved documents to fit on as well")
    parser.add_argument("--misses", type=int, default=0)
    options = parser.parse_args()
    items = [*aitqa(options.data / "aitqa"), *tatqa(options.data / "tatqa")]
    if options.filings:
        items += list(filings(options.filings))
    picks = [find(item.question, [item.document]) for item in items]
    for source in sorted({item.source for item in items}):
        mine = [
            (item, complete(item, ranked)) for item, ranked in zip(items, picks, strict=True) if item.source == source
        ]
        best = sum(bool(ranked) and right(ranked[0], item) for item, ranked in mine)
        there = sum(any(right(pick, item) for pick in ranked) for item, ranked in mine)
        print(
            f"{source}: {len(mine)} questions, best cell right {100 * best / len(mine):.1f}, "
            f"among all {100 * there / len(mine):.1f}, none {100 * sum(not ranked for _, ranked in mine) / len(mine):.1f}"
        )
        missed = options.misses
        for item, ranked in mine:
            if missed and not (ranked and right(ranked[0], item)):
                missed -= 1
                messages = [f"{p.cell.text} {p.cell.row_path[-1:]} {p.cell.column_path}" for p in ranked[:2]]
                print("  ", item.table, item.question, "->", item.answer, "|", *messages)
    if not options.fit:
        return
    tables = sorted({item.table for item in items})
    fold = {table: place % 10 for place, table in enumerate(tables)}
    groups = []
    for item, ranked in zip(items, picks, strict=True):
        able = complete(item, ranked)
        if any(right(pick, item) for pick in able):
            marks = np.array([float(right(pick, item)) for pick in able])
            groups.append((np.array([pick.features for pick in able]), marks, item))
    hits: dict[str, int] = dict.fromkeys(sorted({item.source for item in items}), 0)
    for number in range(10):
        weights = fit([(f, m) for f, m, item in groups if fold[item.table] != number])
        for features, marks, item in groups:
            if fold[item.table] == number:
                hits[item.source] += bool(marks[int(np.argmax(features @ weights))])
    for source, count in hits.items():
        print(f"{source}: tables left out, best cell right {100 * count / sum(i.source == source for i in items):.1f}")
    weights = fit([(f, m) for f, m, _ in groups])
    rank = {name: round(float(weight), 4) for name, weight in zip(NAMES, weights, strict=True)}
    write(rank, certainty(items, picks, fold, weights))


def complete(item: Item, picks: Sequence[Pick]) -> list[Pick]:
    """The picks that lack nothing, in order."""
    return [pick for pick, lacks in judged(item.question, picks, [item.document]) if not lacks]


def write(rank: dict[str, float], confidence: dict[str, float]) -> None:
    """The weights with what they are."""
    data = {
        "about": "Weights of citewell.generators.extractive.cells: `rank` of a cell's features, `confidence` of the best.",
        "provenance": "AIT-QA (CDLA-Sharing-1.0) and single-cell questions of TAT-QA (CC BY 4.0), drawn to START where one table tells nothing; `confidence` also of the same tables without the row that answers. Made by lab/benchmarks/tables/questions.py --fit.",
        "rank": rank,
        "confidence": confidence,
    }
    OUT.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def certainty(
    items: Sequence[Item], ranked: Sequence[list[Pick]], fold: dict[str, int], weights: np.ndarray
) -> dict[str, float]:
    """The weights of the confidence, fitted on each question with its table, and with the answering rows taken out."""
    from sklearn.metrics import roc_auc_score

    rows, marks, folds = [], [], []
    for item, pick in zip(items, ranked, strict=True):
        picks = [p._replace(score=float(p.features @ weights)) for p in pick]
        picks.sort(key=lambda pick: -pick.score)
        rows_right = {(p.table.start, p.cell.row) for p in picks if right(p, item)}
        rest = [p for p in picks if (p.table.start, p.cell.row) not in rows_right]
        for kept in (complete(item, picks), complete(item, rest)):
            if kept:
                rows.append(list(signals(kept).values()))
                marks.append(float(right(kept[0], item)))
                folds.append(fold[item.table])
                names = list(signals(kept))
    table, truth, parts = np.array(rows), np.array(marks), np.array(folds)
    guessed = np.zeros(len(truth))
    for number in range(10):
        model = logistic(table[parts != number], truth[parts != number], names)
        guessed[parts == number] = 1 / (1 + np.exp(-(np.c_[table, np.ones(len(table))][parts == number] @ model)))
    print(f"confidence: {len(truth)} cases, {truth.mean():.2f} right, AUC {roc_auc_score(truth, guessed):.3f}")
    for least in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        is_passed = guessed >= least
        print(f"  from {least}: {is_passed.mean():.2f} given, {truth[is_passed].mean():.3f} of them right")
    model = logistic(table, truth, names)
    return {name: round(float(value), 4) for name, value in zip([*names, "constant"], model, strict=True)}


# What a single table cannot tell of an answer's certainty, as START.
SURE = {
    "missed": -3.0,
    "smaller": -0.75,
    "other_item": -1.5,
    "kind": 1.0,
    "other_kind": -0.5,
    "whole": 0.7,
    "apart": -0.7,
    "tags": 0.7,
    "again": 0.5,
    "newest": 0.3,
}


def logistic(table: np.ndarray, truth: np.ndarray, names: Sequence[str], strength: float = 0.002) -> np.ndarray:
    """Weights and constant of a logistic model that is drawn to SURE."""
    rows = np.c_[table, np.ones(len(table))]
    start = np.array([SURE.get(name, 0.0) for name in names] + [0.0])
    weights, penalized = start.copy(), np.array([1.0] * len(names) + [0.0])
    for _ in range(100):
        sure = 1 / (1 + np.exp(-(rows @ weights)))
        slope = rows.T @ (sure - truth) / len(truth) + 2 * strength * penalized * (weights - start)
        curve = (rows * (sure * (1 - sure))[:, None]).T @ rows / len(truth) + np.diag(2 * strength * penalized + 1e-9)
        weights -= np.linalg.solve(curve, slope)
    return weights


if __name__ == "__main__":
    main()
