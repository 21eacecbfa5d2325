"""Do annotators agree? Krippendorff's alpha and the patterns of their labels (section 5, appendix C.5, Figure 7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from citewell.types import Label
from citewell_lab.bench.metrics.agreement import alpha as krippendorff
from citewell_lab.papers.lfqa.data import SUPPORT, Labelled, Study

_LETTERS: dict[Label, str] = {"supported": "S", "partially_supported": "P", "not_supported": "N"}


class Agreement(NamedTuple):
    """Alpha of one setting; `nominal` takes any two labels as equally far apart, `interval` as steps of 0, 1, 2.

    None where labels do not vary: alpha is then not defined. `all_agree`, `most_agree` (a majority that is not all)
    and `none_agree` are shares of the sentences.
    """

    setting: str
    sentences: int
    nominal: float | None
    interval: float | None
    all_agree: float
    most_agree: float
    none_agree: float


class Pattern(NamedTuple):
    """How often annotators gave these labels, in whatever order: S supported, P partially, N not."""

    pattern: str
    sentences: int
    share: float


def agreement(study: Study) -> list[Agreement]:
    """One row a setting, then all of them; sentences with one label alone are left out.

    Raises:
        MissingExtraError: nltk is not installed.
    """
    groups: dict[str, list[Labelled]] = {}
    for sentences, name in _answers(study):
        groups.setdefault(name, []).extend(sentence for sentence in sentences if len(sentence.labels) > 1)
    if len(groups) > 1:
        groups["all"] = [sentence for group in list(groups.values()) for sentence in group]
    return [_row(name, group) for name, group in groups.items() if group]


def _answers(study: Study) -> list[tuple[tuple[Labelled, ...], str]]:
    return [(answer.sentences, str(answer.setting)) for question in study.questions for answer in question.annotated]


def _row(name: str, group: Sequence[Labelled]) -> Agreement:
    rated = [sentence.labels for sentence in group]
    every = sum(len(set(labels)) == 1 for labels in rated) / len(group)
    none = sum(sentence.majority is None for sentence in group) / len(group)
    return Agreement(name, len(group), alpha(rated), alpha(rated, steps=True), every, 1 - every - none, none)


def alpha(rated: Sequence[Sequence[Label]], *, steps: bool = False) -> float | None:
    """Krippendorff's alpha (2004) of labels, unit by unit; None where all labels are the same.

    Annotators need not be the same people, nor as many. With `steps` labels are steps (squared distance), else names.

    Raises:
        MissingExtraError: nltk is not installed.
    """
    return krippendorff(rated, SUPPORT if steps else ())


def patterns(study: Study) -> list[Pattern]:
    """Counts of label patterns over all sentences, the commonest first."""
    counts = Counter(
        "".join(sorted((_LETTERS[label] for label in sentence.labels), key="SPN".index))
        for sentences, _ in _answers(study)
        for sentence in sentences
    )
    return [Pattern(name, count, count / counts.total()) for name, count in counts.most_common()]
