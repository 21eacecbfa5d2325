"""Claims made from cells of tables, true ones and false twins by kind: what the checker keeps and catches.

    python lab/benchmarks/checking/cells.py --data DIR [--part develop|test] [--evidence attributor|row|none] [--misses 20]

A cell of a filing, of TAT-QA or of AIT-QA becomes a sentence in one of several wordings, its figure in the table's
scale, in another or rounded; of each come false twins: another year of the row, another row, another scale, the other
sign, another unit, a part of the period, the figure of the cell beside it. A twin that is true of another cell of that
name is left out. The evidence is what the attributor finds, the row given as a citation, or what the checker finds.
The rules were made on the documents of the part "develop"; the figures are those of "test".
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import citewell
from citewell import registry
from citewell.protocols import Pair
from citewell.types import Cell, Citation, Span

sys.path.insert(0, str(Path(__file__).parent.parent / "tables"))
from questions import aitqa, tatqa

TEST = 2  # one document in so many is left out of the making of the rules
PART = re.compile(r"\b(?:three|six|nine|3|6|9) months\b|\bquarter|\bq[1-4]\b|\bweeks\b|\bhalf\b", re.IGNORECASE)
NOTE = re.compile(r"\s*\([^()]*\)|\s*\[[^\]]*\]|[*†‡]+|:$")
TIME = re.compile(
    r"[\W\d]|\b(?:fiscal|years?|ended|ending|as|of|at|for|the|and|end|months?|weeks?|quarters?|three|six|nine|twelve|q[1-4]|fy"
    r"|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug"
    r"|sept?|oct|nov|dec)\b",
    re.IGNORECASE,
)
VAGUE = re.compile(r"(?:total|other|balance|subtotal|net|amount)(?:,? net)?", re.IGNORECASE)
TWOFOLD = re.compile(
    r"\((?:\w+ )?(?:loss|losses|expense|expenses|decrease|increase|deferral|benefit|income|used)", re.IGNORECASE
)
MONTH = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*")
SIGNED = re.compile(
    r"\b(?:net (?:income|earnings|profit|loss)|profit|operating (?:income|loss)|surplus)\b", re.IGNORECASE
)
SCALES = {1: "", 1_000: "thousand", 1_000_000: "million", 1_000_000_000: "billion"}
SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}
SENTENCES = (
    "{Label} was {figure} in {time}.",
    "In {time}, {label} amounted to {figure}.",
    "The company reported {label} of {figure} for {time}.",
    "{Label} came to {figure} for {time}.",
    "{figure} was recorded as {label} in {time}.",
    "For {time}, the {label} stood at {figure}.",
    "{Label} totaled {figure} in {time}.",
    "{Label} in {time}: {figure}",
)


@dataclass(frozen=True)
class Claim:
    """A claim about a document, whether it is true, its kind, and the row that tells."""

    text: str
    kind: str
    cell: Cell

    @property
    def supported(self) -> bool:
        """Whether the cell says so."""
        return self.kind.startswith("true")


def label_of(cell: Cell) -> str:
    """What a row is called, without its notes."""
    return " ".join(NOTE.sub("", cell.row_path[-1]).split()) if cell.row_path else ""


def time_of(cell: Cell) -> str:
    """The time of a column as a sentence says it; empty where it tells none, or something else beside it."""
    column_words = " ".join(cell.column_path)
    if str(cell.year) not in column_words or TIME.sub("", column_words):
        return ""
    if PART.search(column_words):
        return (
            "the " + MONTH.sub(lambda match: match[0].capitalize(), column_words.lower())
            if re.search(r"\bended\b", column_words, re.IGNORECASE)
            else ""
        )
    return str(cell.year)


def plain(number: float, most: int = 1) -> str:
    """A number with commas, and as many decimals as it needs, up to `most`."""
    text = f"{number:,.{most}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def figures(cell: Cell) -> Mapping[str, str]:
    """Ways to write what a cell is worth, without its sign."""
    value, unit = abs(cell.value or 0), cell.unit
    if unit == "percent":
        return {"as printed": f"{plain(value, 2)}%", "in words": f"{plain(value, 2)} percent"}
    money = SIGNS.get(unit, "")
    if cell.scale == 1:
        return {"as printed": f"{money}{plain(value, 2)}"}
    whole = value * cell.scale
    word = SCALES[cell.scale]
    result = {"as printed": f"{money}{plain(value, 3)} {word}", "written out": f"{money}{whole:,.0f}"}
    for scale, larger in ((1_000_000, "million"), (1_000_000_000, "billion")):
        if scale > cell.scale and whole >= scale:
            result[f"in {larger}s"] = f"{money}{plain(whole / scale, 2)} {larger}"
            rounded = plain(whole / scale, 1)
            if len(rounded) > 1:
                result["rounded"] = f"about {money}{rounded} {larger}"
    return result


def worth(cell: Cell) -> float:
    """The value in full."""
    return (cell.value or 0.0) * cell.scale


def close(first: float, second: float) -> bool:
    """Whether two values are the same to the roundings that are written here."""
    return abs(abs(first) - abs(second)) <= 0.06 * max(abs(first), abs(second))


def usable(cell: Cell) -> bool:
    """Whether a cell can be told in a sentence: a figure of two digits or more, named, of a known time."""
    label = label_of(cell)
    words = re.findall(r"[A-Za-z]{3,}", label)
    digits = sum(map(str.isdigit, cell.text))
    named = 0 < len(words) <= 9 and not re.search(r"\d", label) and not VAGUE.fullmatch(label)
    named = (
        named
        and not TWOFOLD.search(cell.row_path[-1])
        and not re.search(r"\bin \w*(?:illion|ousand)s", label, re.IGNORECASE)
    )
    return (
        named
        and bool(cell.value)
        and digits >= 3
        and cell.year is not None
        and bool(time_of(cell))
        and cell.scale in SCALES
    )


def sentence(frame: str, cell_label: str, figure: str, time: str) -> str:
    """One sentence."""
    acronym = cell_label[:2].isupper()
    low = cell_label if acronym else cell_label[0].lower() + cell_label[1:]
    text = frame.format(Label=cell_label[0].upper() + cell_label[1:], label=low, figure=figure, time=time)
    return text[0].upper() + text[1:]


def claims(document: citewell.Document, most: int, draw: random.Random) -> Iterator[Claim]:
    """True claims about cells of a document, drawn, each with its false twins."""
    cells = [(table, cell) for table in document.tables() for cell in table.values() if usable(cell)]
    by_name: dict[str, list[Cell]] = defaultdict(list)
    for _, cell in cells:
        by_name[label_of(cell).lower()].append(cell)

    def true(label: str, time: str, value: float) -> bool:
        return any(time_of(cell) == time and close(worth(cell), value) for cell in by_name[label.lower()])

    def alone(cell: Cell) -> bool:
        same = [other for other in by_name[label_of(cell).lower()] if time_of(other) == time_of(cell)]
        return all(abs(worth(other) - worth(cell)) <= 0.001 * abs(worth(cell)) for other in same)

    draw.shuffle(cells)
    drawn = 0
    for table, cell in cells:
        if drawn == most:
            return
        if not alone(cell):
            continue
        drawn += 1
        label, time, value = label_of(cell), time_of(cell), worth(cell)
        frame, (way, figure) = draw.choice(SENTENCES), draw.choice(sorted(figures(cell).items()))
        signed = SIGNED.search(label) is not None
        if (cell.value or 0) > 0 or not signed:
            yield Claim(sentence(frame, label, figure, time), f"true {way}", cell)
        others = [other for other_table, other in cells if other_table is table]
        row = [other for other in others if other.row == cell.row and other.unit == cell.unit]
        column = [other for other in others if other.column == cell.column and other.unit == cell.unit]
        years = [other for other in row if time_of(other) != time and not true(label, time_of(other), value)]
        if years:
            yield Claim(sentence(frame, label, figure, time_of(draw.choice(years))), "year", cell)
        rows = [other for other in column if label_of(other) != label and not true(label_of(other), time, value)]
        if rows:
            yield Claim(sentence(frame, label_of(draw.choice(rows)), figure, time), "row", cell)
        beside = [
            other for other in (*row, *column) if not close(worth(other), value) and not true(label, time, worth(other))
        ]
        if beside:
            instead = draw.choice(sorted(figures(draw.choice(beside)).items()))[1]
            yield Claim(sentence(frame, label, instead, time), "neighbour", cell)
        if cell.scale in (1_000, 1_000_000) and cell.unit != "percent":
            wrong = "million" if cell.scale == 1_000 else "thousand"
            printed = f"{SIGNS.get(cell.unit, '')}{plain(abs(cell.value or 0), 3)} {wrong}"
            yield Claim(sentence(frame, label, printed, time), "scale", cell)
        if (cell.value or 0) > 0 and signed and "loss" not in label.lower():
            yield Claim(
                sentence(frame, label, f"-{figure}" if "about" not in figure else f"minus {figure}", time), "sign", cell
            )
            lost = SIGNED.sub(
                lambda match: match[0].replace("income", "loss").replace("earnings", "loss").replace("profit", "loss"),
                label.lower(),
            )
            if lost != label.lower():
                yield Claim(sentence(frame, lost, figure, time), "sign", cell)
        if cell.unit == "percent":
            yield Claim(sentence(frame, label, f"${plain(abs(cell.value or 0), 2)} million", time), "unit", cell)
        elif cell.unit in SIGNS:
            yield Claim(sentence(frame, label, f"{plain(abs(cell.value or 0), 2)}%", time), "unit", cell)
            other = "€" if cell.unit == "USD" else "$"
            if SIGNS[cell.unit] in figure:
                yield Claim(sentence(frame, label, figure.replace(SIGNS[cell.unit], other), time), "unit", cell)
        if time == str(cell.year) and table.kind in ("income", "cash"):
            part = draw.choice(("the fourth quarter of {}", "the first half of {}", "the third quarter of {}"))
            yield Claim(sentence(frame, label, figure, part.format(time)), "period", cell)


def documents(folder: Path, part: str) -> Iterator[tuple[str, citewell.Document]]:
    """The documents of a part, with the set they are of."""
    filings = sorted((folder / "financebench" / "pdfs").glob("*.pdf"))
    for number, path in enumerate(filings):
        if (number % TEST == 0) == (part == "test"):
            yield "filings", citewell.read(path)
    for name, items in (("tatqa", tatqa(folder / "tatqa")), ("aitqa", aitqa(folder / "aitqa"))):
        by_table = {item.table: item.document for item in items}
        for number, key in enumerate(sorted(by_table)):
            if (number % TEST == 0) == (part == "test"):
                yield name, by_table[key]


def cited(document: citewell.Document, cell: Cell) -> tuple[Citation, ...]:
    """The row of a cell, as a citation."""
    segment = document.segment_at(cell.start)
    return (Citation.of(segment, document.id, Span(0, 1), 1.0, "given"),)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--part", choices=("develop", "test"), default="test")
    parser.add_argument("--evidence", choices=("attributor", "row", "none"), default="attributor")
    parser.add_argument("--misses", type=int, default=0, help="how many of what is wrong to print, of a kind")
    parser.add_argument("--sets", nargs="*", default=("filings", "tatqa", "aitqa"))
    parser.add_argument("--most", type=int, default=60, help="cells of a filing; a tenth of a single table")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    checker = registry.build("checker", "lexical")
    kept: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    missed: Counter[str] = Counter()
    draw = random.Random(args.seed)
    for name, document in documents(args.data, args.part):
        if name not in args.sets:
            continue
        most = args.most if name == "filings" else max(1, args.most // 10)
        drawn: Sequence[Claim] = list(claims(document, most, draw))
        if args.evidence == "attributor":
            verdicts = citewell.check(document, [claim.text for claim in drawn]) if drawn else []
        else:
            is_unsupported = args.evidence == "none"
            verdicts = checker.check(
                [
                    Pair(claim.text, (document,), None if is_unsupported else cited(document, claim.cell))
                    for claim in drawn
                ]
            )
        for claim, verdict in zip(drawn, verdicts, strict=True):
            right = (verdict.label == "supported") == claim.supported
            for group in (name, "all"):
                kept[claim.kind][group].append(right)
                kept["TRUE" if claim.supported else "FALSE"][group].append(right)
            if not right and missed[claim.kind] < args.misses:
                missed[claim.kind] += 1
                reasons = "; ".join(f"{reason.kind}: {reason.message}" for reason in verdict.reasons)
                where = f"{claim.cell.row_path} {claim.cell.column_path} {claim.cell.text} x{claim.cell.scale} {claim.cell.unit}"
                print(
                    f"  [{name} {claim.kind}] {claim.text} -> {verdict.label} {verdict.score:.2f} <{reasons}> {where}"
                )
    print(f"{args.part}: right (kept where true, caught where false)")
    print(f"{'':<20}" + "".join(f"{group:>18}" for group in (*args.sets, "all")))
    for kind in sorted(kept):
        kepts = [kept[kind][group] for group in (*args.sets, "all")]
        print(
            f"{kind:<20}"
            + "".join(f"{100 * sum(kept) / len(kept):10.1f} /{len(kept):5}" if kept else f"{'-':>18}" for kept in kepts)
        )


if __name__ == "__main__":
    main()
