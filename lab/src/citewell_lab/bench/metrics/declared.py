"""Every metric as an object: its definition, source, parameter, range and direction; it prints and parses back.

`str(PRECISION(2))` is "precision@2", and `parse("precision@2", known)` is `PRECISION(2)` again; "webgpt.f1_tuned" is
the figure of a group of items. All values are fractions but those of `PLAIN`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from citewell.errors import UsageError

# How items become one figure: the mean of their own, counts over all of them together, or the mean over classes or
# settings.
Aggregator = Literal["mean", "pooled", "classes", "settings"]


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric, with its parameter where it takes one.

    Attributes:
        name: without the parameter.
        definition: what it measures, in one line.
        source: the paper that defines it.
        aggregator: how the figures of items become one.
        takes: the parameter's type, None for a metric without one.
        lower_is_better: as for a risk.
        at: the parameter's value.
        group: the group of items, all of them where empty.
    """

    name: str
    definition: str
    source: str = ""
    aggregator: Aggregator = "mean"
    takes: type[int | float] | None = None
    lower_is_better: bool = False
    at: float | None = None
    group: str = ""

    def __call__(self, at: float) -> Metric:
        """This metric with its parameter.

        Raises:
            UsageError: it takes none, or one of another type or range.
        """
        if self.takes is None:
            raise UsageError(f"{self.name} takes no parameter")
        if (self.takes is int and (at != int(at) or at < 1)) or (self.takes is float and not 0 < at <= 1):
            wanted = "a whole number from 1" if self.takes is int else "a share above 0, at most 1"
            raise UsageError(f"{self.name}@{at:g}: the parameter is {wanted}")
        return replace(self, at=self.takes(at))

    def of(self, group: str) -> Metric:
        """This metric of one group of items."""
        return replace(self, group=group)

    def __str__(self) -> str:
        """As in JSON and in the heads of tables."""
        parameter = "" if self.at is None else f"@{self.at:g}"
        return f"{self.group}.{self.name}{parameter}" if self.group else f"{self.name}{parameter}"

    def better(self, value: float, other: float) -> bool:
        """Whether a value is better than another."""
        return value < other if self.lower_is_better else value > other

    def mean(self, records: Sequence[Mapping[str, Any]]) -> float | None:
        """The mean of what the records say under the metric's name; None where none says it."""
        values = [record[str(self)] for record in records if str(self) in record]
        return sum(values) / len(values) if values else None

    def value(self, metrics: Mapping[str, float], groups: Mapping[str, Mapping[str, Any]]) -> float | None:
        """Its value among a run's figures."""
        if not self.group:
            return metrics.get(str(self))
        value = groups.get(self.group, {}).get(str(self.of("")))
        return None if value is None else float(value)


def means(metrics: Iterable[Metric], records: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The means of those metrics that records have, by their printed names."""
    values = {str(metric): metric.mean(records) for metric in metrics}
    return {name: value for name, value in values.items() if value is not None}


_PHUKAN = "Phukan et al. 2024, section 5.2"
_SANCHETI = "Sancheti et al. 2024, section 4"
_CHEN = "Chen et al. 2023, section 7.1"
_LAB = "Buchmann et al. 2024, section 4.2"
_NIU = "Niu et al. 2024"
_SQUAD = "Rajpurkar et al. 2016"
_ALCE = "Gao et al. 2023, section 3"
_LONGCITE = "Zhang et al. 2024, section 2"
_FACTS = "Jacovi et al. 2025"

SPAN_ACCURACY = Metric("span_accuracy", "marked spans whose predicted passage is the gold one", _PHUKAN, "pooled")
TOKEN_PRECISION = Metric("token_precision", "tokens marked as copied that are", _PHUKAN, "pooled")
TOKEN_RECALL = Metric("token_recall", "copied tokens that are marked", _PHUKAN, "pooled")
TOKEN_F1 = Metric("token_f1", "harmonic mean of token precision and recall", _PHUKAN, "pooled")
TOKEN_PR_AUC = Metric("token_pr_auc", "average precision over all thresholds of tokens", _PHUKAN, "pooled")
MODEL_TOKEN_PRECISION = Metric("model_token_precision", "as token_precision, by the model's tokens", _PHUKAN, "pooled")
MODEL_TOKEN_RECALL = Metric("model_token_recall", "as token_recall, by the model's tokens", _PHUKAN, "pooled")
MODEL_TOKEN_F1 = Metric("model_token_f1", "as token_f1, by the model's tokens", _PHUKAN, "pooled")
MODEL_TOKEN_PR_AUC = Metric("model_token_pr_auc", "as token_pr_auc, by the model's tokens", _PHUKAN, "pooled")
PRECISION = Metric("precision", "of a sentence's first k sources those that are gold", _SANCHETI, takes=int)
RECALL = Metric("recall", "of a sentence's gold sources those among the first k", _SANCHETI, takes=int)
F1_AT = Metric("f1", "harmonic mean of a sentence's precision and recall at k", _SANCHETI, takes=int)
F1 = Metric("f1", "F1 of the class unsupported at the checker's own labels", _CHEN, "settings")
F1_MINORITY = Metric("f1_minority", "F1 of each setting's rarer class at the checker's own labels", _CHEN, "settings")
ACCURACY = Metric("accuracy", "right labels", _CHEN, "settings")
F1_TUNED = Metric("f1_tuned", "F1 of each setting's rarer class at the best common threshold", _CHEN, "settings")
ACCURACY_TUNED = Metric("accuracy_tuned", "right labels at the threshold of f1_tuned", _CHEN, "settings")
F1_UNSUPPORTED_TUNED = Metric(
    "f1_unsupported_tuned", "F1 of the class unsupported at the best common threshold", _CHEN, "settings"
)
AUC = Metric("auc", "chance that a supported claim has a higher score than another", "", "pooled")
MACRO_F1 = Metric("macro_f1", "mean F1 of supported and unsupported", "Li et al. 2024", "classes")
BALANCED_ACCURACY = Metric("balanced_accuracy", "mean recall of supported and unsupported", "", "classes")
MEAN_BALANCED_ACCURACY = Metric(
    "mean_balanced_accuracy", "mean over the sets of their balanced accuracy", "Tang et al. 2024", "settings"
)
HALLUCINATION_F1 = Metric("hallucination_f1", "F1 of the responses with a hallucination", _NIU, "pooled")
HALLUCINATION_PRECISION = Metric("hallucination_precision", "of the responses flagged those with one", _NIU, "pooled")
HALLUCINATION_RECALL = Metric("hallucination_recall", "of the responses with one those flagged", _NIU, "pooled")
LABEL_MACRO_F1 = Metric("label_macro_f1", "mean F1 of the labels (CF1)", _LAB, "classes")
LABEL_ACCURACY = Metric("label_accuracy", "right labels", _LAB, "pooled")
EVIDENCE_F1 = Metric("evidence_f1", "F1 of predicted and gold segments; without gold 1 where none is predicted", _LAB)
EVIDENCE_F1_FIRST = Metric("evidence_f1_first", "F1 with the first of the gold sets instead of the best")
EVIDENCE_F1_UNION = Metric("evidence_f1_union", "F1 with all segments of any gold set")
EVIDENCE_F1_GOLD_LABEL = Metric("evidence_f1_gold_label", "the same, with evidence sought for the gold label")
ANSWER_F1 = Metric("answer_f1", "token F1 with the nearest annotator's answer (EM)", _SQUAD)
EXACT_MATCH = Metric("exact_match", "answers that an annotator's is, word for word", _SQUAD)
ROUGE_L = Metric("rouge_l", "longest common subsequence of words with the gold summary", "Lin 2004")
ATTRIBUTABILITY = Metric("attributability", "statements of given answers that their citations support (ATT)", _LAB)
UNANSWERABLE_F1 = Metric("unanswerable_f1", "mean F1 of answerable and unanswerable questions (UF1)", _LAB, "classes")
RISK = Metric(
    "risk", "mean loss of the most confident share", "Geifman et al. 2019", "pooled", float, lower_is_better=True
)
AURC = Metric("aurc", "mean risk over all coverages", "Geifman et al. 2019", "pooled", lower_is_better=True)
PAGE_RECALL = Metric("page_recall", "gold pages among the first k cited pages", takes=int)
EVIDENCE_TOKEN_RECALL = Metric("evidence_token_recall", "gold tokens in the first k quotes", takes=int)
CITATION_RECALL = Metric("citation_recall", "an answer's statements that all that is cited for them supports", _ALCE)
CITATION_PRECISION = Metric("citation_precision", "an answer's citations that are to the point", _ALCE)
CITATION_F1 = Metric("citation_f1", "harmonic mean of an answer's citation recall and precision", _LONGCITE)
CITATION_LENGTH = Metric("citation_length", "tokens of a citation", _LONGCITE, "pooled", lower_is_better=True)
STRING_EM = Metric("string_em", "short answers of which a wording stands in the answer", _ALCE)
CLAIM_RECALL = Metric("claim_recall", "claims of a right answer that the answer entails", _ALCE)
LIST_PRECISION = Metric("list_precision", "parts of a list that are right answers", _ALCE)
LIST_RECALL = Metric("list_recall", "right answers that are in a list", _ALCE)
LIST_RECALL_5 = Metric("list_recall_5", "the same, where five right answers are enough", _ALCE)
LIST_F1_5 = Metric("list_f1_5", "harmonic mean of list_precision and list_recall_5", _ALCE)
FACTUALITY = Metric("factuality", "responses that are grounded and do what was asked", _FACTS)
GROUNDED = Metric("grounded", "responses whose every statement the document supports", _FACTS)
ELIGIBLE = Metric("eligible", "responses that do what was asked", _FACTS)
KEPT = Metric("kept", "right claims that the checker calls supported", aggregator="pooled")
CAUGHT = Metric("caught", "wrong claims that the checker does not call supported", aggregator="pooled")
CAUGHT_AT_KEPT_75 = Metric(
    "caught_at_kept_75", "wrong claims below the highest score that 75% of the right ones reach", aggregator="pooled"
)
FALSE_PASS = Metric("false_pass", "wrong claims called supported", aggregator="pooled", lower_is_better=True)
FALSE_STRIP = Metric("false_strip", "right claims not called supported", aggregator="pooled", lower_is_better=True)


PLAIN = ("threshold", str(CITATION_LENGTH))  # figures that are no fractions


def is_share(name: str) -> bool:
    """Whether a figure of that name is a fraction, which is shown as a percentage."""
    return name.rpartition(".")[2] not in PLAIN


def parse(text: str, known: Iterable[Metric]) -> Metric:
    """A metric from its printed form, among those of a task.

    Raises:
        UsageError: there is none of that name, or its parameter is not what it takes.
    """
    rest, at, parameter = text.partition("@")
    group, _, name = rest.rpartition(".")
    for metric in known:
        if metric.name == name and (metric.takes is not None) == bool(at):
            try:
                return (metric(float(parameter)) if at else metric).of(group)
            except ValueError as error:
                raise UsageError(f"{text!r}: the parameter {parameter!r} is no number") from error
    raise UsageError(f"no metric {text!r}; there are: {', '.join(map(str, known))}")
