"""Human judgments: supportedness by setting, categories of errors (sections 5, 6.1, 6.4; Tables 2, 3, 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from citewell_lab.papers.lfqa.data import SUPPORT, Labelled, Setting, Study
from citewell_lab.report.intervals import grouped, ratio
from citewell_lab.report.values import Interval


class Supportedness(NamedTuple):
    """Shares of the majority labels of a setting; `discarded` sentences have none."""

    setting: str
    against: str
    sentences: int
    supported: Interval
    partially: Interval
    not_supported: Interval
    discarded: int


class Errors(NamedTuple):
    """How often a category was given among the unsupported sentences of a setting; a sentence may have several."""

    setting: str
    category: str
    sentences: int
    categorised: int
    unsupported: int


def _sentences(study: Study) -> Iterator[tuple[str, Setting, str, Labelled]]:
    for question in study.questions:
        for answer in question.annotated:
            for sentence in answer.sentences:
                yield question.id, answer.setting, answer.against, sentence


def supportedness(study: Study, *, seed: int = 0) -> list[Supportedness]:
    """One row a setting in order, then all of them; intervals over questions."""
    groups: dict[tuple[str, str], list[tuple[str, Labelled]]] = {}
    for question, setting, against, sentence in _sentences(study):
        groups.setdefault((str(setting), against), []).append((question, sentence))
    if len(groups) > 1:
        groups["all", ""] = [pair for group in list(groups.values()) for pair in group]
    rows = []
    for (name, against), group in groups.items():
        kept = [(question, sentence.majority) for question, sentence in group if sentence.majority is not None]
        shares = [
            grouped(((question, (majority == label, 1)) for question, majority in kept), ratio, seed=seed)
            for label in SUPPORT
        ]
        if kept:
            yes, part, no = (share or Interval(0.0, 0.0, 0.0) for share in shares)
            rows.append(Supportedness(name, against, len(kept), yes, part, no, len(group) - len(kept)))
    return rows


def errors(study: Study) -> list[Errors]:
    """One row a setting and category; nothing where no sentence has a category."""
    counts: dict[str, Counter[str]] = {}
    categorised: Counter[str] = Counter()
    unsupported: Counter[str] = Counter()
    for _, setting, _, sentence in _sentences(study):
        name = str(setting)
        if sentence.errors:
            counts.setdefault(name, Counter()).update(dict.fromkeys(sentence.errors, 1))
            categorised[name] += 1
        unsupported[name] += sentence.majority in ("not_supported", "partially_supported")
    return [
        Errors(name, category, count, categorised[name], unsupported[name])
        for name, tally in counts.items()
        for category, count in tally.most_common()
    ]
