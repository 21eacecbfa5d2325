"""Evidence Inference 2.0: what a trial says of an intervention, a comparator and an outcome; LAB sections B and D.

`prompts_merged.csv`, `v2_annotations.csv` (label, offsets of the evidence, one row an annotator), `txt_files/`, and
`splits/{split}_article_ids.txt`. Annotations whose label or reasoning was judged invalid are left out, as in the
data's own preparation. Segments are the article's lines. Prompts whose article is not in the folder are left out.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from citewell.pipeline.approaches import Retrieval
from citewell.types import Verdict
from citewell_lab.bench.datasets import files
from citewell_lab.bench.datasets.dataset import Dataset
from citewell_lab.bench.datasets.itg import Graph
from citewell_lab.bench.datasets.structure import Built, lines
from citewell_lab.bench.items import Annotation, EvidenceItem, Item
from citewell_lab.bench.kinds.labelled import Labelled

INCREASED, DECREASED, SAME = LABELS = (
    "significantly increased",
    "significantly decreased",
    "no significant difference",
)
_HEADING = re.compile(r"(?:TITLE|ABSTRACT|BODY)\b.{0,120}:")  # the lines that name a part of the article
_LABELS = {**{label: label for label in LABELS}, "significantly increase": INCREASED}


def _load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item a prompt with at least one valid annotation, article by article in the order of the prompts."""
    root = paths[0].parent.parent
    wanted = {name for path in paths for name in path.read_text(encoding="utf-8").split()}
    annotations = defaultdict(list)
    with files.opened(root / "v2_annotations.csv") as rows:
        for row in csv.DictReader(rows):
            if row["PMCID"] in wanted and row["Valid Label"] == row["Valid Reasoning"] == "True":
                annotations[row["PromptID"]].append(row)

    @lru_cache(maxsize=16)
    def article(name: str) -> Built:
        with files.opened(root / "txt_files" / f"PMC{name}.txt") as file:
            return lines(file.read(), _HEADING)

    def item(key: str, prompt: dict[str, str]) -> EvidenceItem:
        built, marked = article(prompt["PMCID"]), []
        for row in annotations[prompt["PromptID"]]:
            start, end = int(row["Evidence Start"]), int(row["Evidence End"])
            place = files.trimmed(built.document.text, start, end)
            if place.start < 0 or place.start == place.end:
                raise ValueError(f"evidence {start} to {end} is not in the article")
            marked.append((row["Label"], files.covering(built.segments, *place)))
        return _evidence_item(key, (prompt["Intervention"], prompt["Comparator"], prompt["Outcome"]), built, marked)

    with files.opened(root / "prompts_merged.csv") as rows:
        for row in csv.DictReader(rows):
            there = (root / "txt_files" / f"PMC{row['PMCID']}.txt").is_file()
            if row["PMCID"] in wanted and annotations[row["PromptID"]] and there:
                yield files.attempt(row["PromptID"], item, row)


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


def _graph(_: str, graph: Graph, __: Path) -> Iterator[Item]:
    """The prompts about an article; nodes name the prompt and the annotator that they are evidence for."""

    def item(key: str, prompt: Mapping[str, str]) -> EvidenceItem:
        marked = [(str(row["label"]), graph.evidence(partial(_same, row))) for row in by_prompt[key]]
        return _evidence_item(
            key, (prompt["intervention"], prompt["comparator"], prompt["outcome"]), graph.built, marked
        )

    by_prompt = {str(name): rows for name, rows in graph.meta["annotations"].items()}
    for name, prompt in graph.meta["prompts"].items():
        if by_prompt.get(str(name)):
            yield files.attempt(str(name), item, prompt)


def _same(row: Mapping[str, Any], node: Mapping[str, Any]) -> bool:
    return all(str(node.get(key)) == str(row[key]) for key in ("prompt_id", "user_id"))


def _evidence_item(
    key: str, parts: tuple[str, str, str], built: Built, marked: Sequence[tuple[str, frozenset[int]]]
) -> EvidenceItem:
    """A prompt with its annotations, each a label and its evidence."""
    annotations = tuple(Annotation(_LABELS[label], (evidence,)) for label, evidence in marked)
    document, segments = built
    return EvidenceItem(
        key, document, segments, statements(*parts), annotations, annotations[0].label, question(*parts)
    )


def _decide(judged: Mapping[str, Verdict]) -> str | None:
    """The most probable of the three claims: a prompt always has an answer."""
    return max(judged, key=lambda name: judged[name].score)


TASK = Labelled(
    name="evidence-inference",
    summary="what does a trial say of an intervention, and in which paragraph",
    tables=("lab-3-evidence-inference",),
    prompt="evidence-inference",
    retrieval=Retrieval("contriever", "gtr", "dragon"),
    labels={label: label for label in LABELS},
    decide=_decide,
    data=Dataset(
        "evidence_inference",
        ("splits/{split}_article_ids.txt", "evidence_inference_itg/deep-{split}.jsonl"),
        _load,
        graph=_graph,
        companions=("prompts_merged.csv", "v2_annotations.csv"),
        exclude=tuple(f"ev{n}_{split}_article_ids.txt" for n in (1, 2) for split in ("train", "validation", "test")),
    ),
)
