"""Evidence Inference 2.0: what a trial says of an intervention, a comparator and an outcome; LAB sections B and D.

`prompts_merged.csv`, `v2_annotations.csv` (label, offsets of the evidence, one row an annotator), `txt_files/`, and
`splits/{split}_article_ids.txt`. Annotations whose label or reasoning was judged invalid are left out, as in the
data's own preparation. Segments are the article's lines. Prompts whose article is not in the folder are left out.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from citewell.bench.datasets import files
from citewell.bench.datasets.fever import lines
from citewell.bench.items import Annotation, EvidenceItem, Item
from citewell.document import Document
from citewell.types import Span

INCREASED, DECREASED, SAME = LABELS = (
    "significantly increased",
    "significantly decreased",
    "no significant difference",
)
_HEADING = re.compile(r"(?:TITLE|ABSTRACT|BODY)\b.{0,120}:")  # the lines that name a part of the article
_LABELS = {**{label: label for label in LABELS}, "significantly increase": INCREASED}


def load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item a prompt with at least one valid annotation, article by article in the order of the prompts."""
    root = paths[0].parent.parent
    wanted = {name for path in paths for name in path.read_text(encoding="utf-8").split()}
    annotations = defaultdict(list)
    with files.opened(root / "v2_annotations.csv") as rows:
        for row in csv.DictReader(rows):
            if row["PMCID"] in wanted and row["Valid Label"] == row["Valid Reasoning"] == "True":
                annotations[row["PromptID"]].append(row)

    @lru_cache(maxsize=16)
    def article(name: str) -> tuple[Document, tuple[Span, ...]]:
        with files.opened(root / "txt_files" / f"PMC{name}.txt") as file:
            return lines(file.read(), _HEADING)

    def item(key: str, prompt: dict[str, str]) -> Item:
        document, segments = article(prompt["PMCID"])
        found = []
        for row in annotations[prompt["PromptID"]]:
            start, end = int(row["Evidence Start"]), int(row["Evidence End"])
            inside = document.text[start:end]
            start += len(inside) - len(inside.lstrip())
            end = start + len(inside.strip())
            if start < 0 or not inside.strip():
                raise ValueError(f"evidence {start} to {end} is not in the article")
            found.append(Annotation(_LABELS[row["Label"]], (files.covering(segments, start, end),)))
        parts = prompt["Intervention"], prompt["Comparator"], prompt["Outcome"]
        claims, asked = statements(*parts), question(*parts)
        return EvidenceItem(key, document, segments, claims, tuple(found), found[0].label, asked)

    with files.opened(root / "prompts_merged.csv") as rows:
        for row in csv.DictReader(rows):
            there = (root / "txt_files" / f"PMC{row['PMCID']}.txt").is_file()
            if row["PMCID"] in wanted and annotations[row["PromptID"]] and there:
                made = files.attempt(row["PromptID"], item, row)
                if made is not None:
                    yield made


def question(intervention: str, comparator: str, outcome: str) -> str:
    """What a language model is asked, in the words of its worked examples (after LAB's table 25)."""
    first, second, what = (part.strip().rstrip(".") for part in (intervention, comparator, outcome))
    return (
        f"With respect to {what}, what is the reported difference between patients who received {first} and those who "
        f'received {second}? Choose between "{DECREASED}", "{SAME}" and "{INCREASED}".'
    )


def statements(intervention: str, comparator: str, outcome: str) -> dict[str, str]:
    """The claim for each label, after the form that LAB gives in its Table 16."""
    first, second, what = (part.strip().rstrip(".") for part in (intervention, comparator, outcome))
    changed = "Compared to {1}, {0} {2} {3}."
    return {
        INCREASED: changed.format(first, second, INCREASED, what),
        DECREASED: changed.format(first, second, DECREASED, what),
        SAME: f"There was no significant difference between {first} and {second} in their effect on {what}.",
    }
