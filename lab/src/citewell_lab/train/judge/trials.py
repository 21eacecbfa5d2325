"""Findings of clinical trials as claims: what was compared, and with which result."""

from __future__ import annotations

import csv
import random
from pathlib import Path

from citewell_lab.train.judge.examples import CONTRADICTED, OPEN, SUPPORTED, Family, Judged

_SAYS = {
    "significantly increased": (
        "{i} significantly increased {o} compared with {c}.",
        "{o} was higher with {i} than with {c}.",
    ),
    "significantly decreased": (
        "{i} significantly reduced {o} compared with {c}.",
        "{o} was lower with {i} than with {c}.",
    ),
    "no significant difference": (
        "There was no significant difference in {o} between {i} and {c}.",
        "{i} and {c} did not differ significantly in {o}.",
    ),
}
_TURNED = {"significantly increased": "significantly decreased", "significantly decreased": "significantly increased"}
_LONGEST = 900  # characters of a passage


def families(data: Path, count: int, seed: int) -> list[Family]:
    """So many families of the articles that the authors gave for training; none where the set does not lie there."""
    folder = data / "evidence_inference"
    try:
        split = set((folder / "splits/train_article_ids.txt").read_text(encoding="utf-8").split())
        prompts = _read(folder / "prompts_merged.csv")
        notes = _read(folder / "v2_annotations.csv")
    except FileNotFoundError:
        return []
    chance = random.Random(f"{seed}:trials")  # noqa: S311  (a draw, no secret)
    by_prompt = {row["PromptID"]: row for row in prompts}
    used: set[str] = set()
    result: list[Family] = []
    chance.shuffle(notes)
    for note in notes:
        prompt, label = by_prompt.get(note["PromptID"]), note["Label"].strip()
        text = " ".join(note["Annotations"].split())
        if prompt is None or label not in _SAYS or note["PromptID"] in used or note["PMCID"] not in split:
            continue
        if not 80 <= len(text) <= _LONGEST or not text[:1].isupper() or note["Valid Label"] != "True":
            continue
        used.add(note["PromptID"])
        parts = {"i": prompt["Intervention"].strip(), "c": prompt["Comparator"].strip(), "o": prompt["Outcome"].strip()}
        result.append(
            Family("evidence_inference", f"trial:{note['PMCID']}", tuple(_members(text, label, parts, chance)))
        )
        if len(result) == count:
            break
    return result


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _members(text: str, label: str, parts: dict[str, str], chance: random.Random) -> list[Judged]:
    turned = {"i": parts["c"], "c": parts["i"], "o": parts["o"]}
    first, second = _SAYS[label]
    result = [Judged(text, form.format(**parts), SUPPORTED) for form in (first, second)]
    for other, forms in _SAYS.items():
        if other != label:
            result.append(Judged(text, chance.choice(forms).format(**parts), CONTRADICTED))
    if label in _TURNED:
        result.append(Judged(text, chance.choice(_SAYS[_TURNED[label]]).format(**turned), SUPPORTED))
        result.append(Judged(text, chance.choice(_SAYS[label]).format(**turned), OPEN))
    return result
