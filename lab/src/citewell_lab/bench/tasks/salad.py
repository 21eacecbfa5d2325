"""SALAD: are the sentences of long answers supported by the documents? Source: Chen et al. 2023, sections 5 and 7.

`annotations/annotations-SETTING.json` holds three labels a sentence, `docs/docs-{webgpt,human}.json` the documents.
The majority label counts, sentences without one are left out; partially supported is unsupported. Answers written
without documents are judged against the WebGPT documents, as the paper does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citewell.document import Document
from citewell_lab.bench.datasets import files
from citewell_lab.bench.datasets.dataset import Dataset
from citewell_lab.bench.items import Broken, ClaimItem, Item
from citewell_lab.bench.kinds import claims
from citewell_lab.bench.kinds.base import Scores, grouped, mean
from citewell_lab.bench.metrics import agreement, labels
from citewell_lab.bench.metrics.declared import (
    ACCURACY,
    ACCURACY_TUNED,
    AUC,
    F1,
    F1_MINORITY,
    F1_TUNED,
    F1_UNSUPPORTED_TUNED,
    Metric,
)
from citewell_lab.bench.records import ClaimRecord

# In the order of the paper's Table 7; the document set that each is judged against.
SETTINGS = {
    "webgpt": "webgpt",
    "gpt3_wdoc": "webgpt",
    "gpt3_whudoc": "human",
    "alpaca_wdoc": "webgpt",
    "gpt3": "webgpt",
    "alpaca": "webgpt",
}
# Where "supported" is the rarer label: the answers that were written without documents.
SUPPORT_IS_RARE = frozenset(("gpt3", "alpaca"))
_BASELINE = ("f1", "accuracy", "f1_unsupported")
_END = "</s>"  # the end-of-sequence mark that one model left at the end of its answers


def _load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item a sentence with a majority label, setting by setting in the order of the paper's table."""
    by_setting = {files.stem(path).removeprefix("annotations-"): path for path in paths}
    documents: dict[str, dict[Any, tuple[Document, ...]]] = {}
    for setting, which in SETTINGS.items():
        path = by_setting.get(setting)
        if path is None:
            continue
        if which not in documents:
            documents[which] = by_question(path.parent.parent / "docs" / f"docs-{which}.json")
        for answer in files.whole(path):
            for number, row in enumerate(answer["annotations"]):
                key = f"{setting}:{answer['question_id']}:{number}"
                labels = tuple(row["labels"])
                label, votes = Counter(labels).most_common(1)[0]
                if votes * 2 <= len(labels):
                    continue
                passages = documents[which].get(answer["question_id"])
                if not passages:
                    yield Broken(key, f"no {which} documents for question {answer['question_id']}", setting)
                    continue
                yield ClaimItem(key, clean(row["answer"]), passages, label == "supported", labels, setting)


def by_question(path: Path) -> dict[Any, tuple[Document, ...]]:
    """The documents of each question, made once, so that what is derived from them is shared by its sentences."""
    return {row["question_id"]: documents_of(row["docs"]) for row in files.whole(path)}


def documents_of(rows: Iterable[Mapping[str, Any]]) -> tuple[Document, ...]:
    """Documents from rows with `text` and perhaps `title`; rows without text are left out."""
    return tuple(Document.from_text(row["text"], title=row.get("title")) for row in rows if row["text"].strip())


def clean(text: str) -> str:
    """An answer without the mark that one model left at its end."""
    return text.replace(_END, "").strip()


@dataclass(frozen=True, kw_only=True)
class Salad(claims.Claims):
    """Support of the sentences of long answers, by the paper's protocol.

    Six settings are scored apart, with one threshold for all of them that maximises the mean F1. The paper's Table 7
    has the F1 of the minority class (supported in the two settings without documents, unsupported elsewhere) for
    systems, chance and the commonest label; its human row matches the F1 of "unsupported" in all settings. Both are
    reported. Source: Chen et al. 2023, section 7.1 and appendix B.3.
    """

    metrics: tuple[Metric, ...] = (F1, F1_MINORITY, ACCURACY, F1_TUNED, ACCURACY_TUNED, F1_UNSUPPORTED_TUNED, AUC)
    headline: tuple[Metric, ...] = (F1_TUNED, ACCURACY_TUNED)

    def score(self, records: Sequence[ClaimRecord]) -> Scores:
        """Means over settings; groups are settings; baselines are computed from the annotations."""
        by_setting = grouped(records)
        if not by_setting:
            return Scores({})
        settings = {
            name: (claims.gold(rows), [row["score"] for row in rows], name in SUPPORT_IS_RARE)
            for name, rows in by_setting.items()
        }
        rare = labels.tune(list(settings.values()))
        unsupported = labels.tune([(gold, scores, False) for gold, scores, _ in settings.values()])
        groups: dict[str, dict[str, Any]] = {}
        for name, (gold, scores, target) in settings.items():
            predicted, at = claims.predicted(by_setting[name]), [score >= rare.threshold for score in scores]
            groups[name] = {
                "n": len(gold),
                str(F1): labels.f1(gold, predicted, label=False),
                str(F1_MINORITY): labels.f1(gold, predicted, target),
                str(ACCURACY): labels.accuracy(gold, predicted),
                str(F1_TUNED): labels.f1(gold, at, target),
                str(ACCURACY_TUNED): labels.accuracy(gold, at),
                str(F1_UNSUPPORTED_TUNED): labels.f1(gold, [s >= unsupported.threshold for s in scores], label=False),
                **claims.auc(gold, scores),
            }
        pooled = [pair for gold, scores, _ in settings.values() for pair in zip(gold, scores, strict=True)]
        area = claims.auc([gold for gold, _ in pooled], [score for _, score in pooled])
        metrics = {str(metric): mean([group[str(metric)] for group in groups.values()]) for metric in self.metrics[:3]}
        metrics |= {str(F1_TUNED): rare.f1, str(ACCURACY_TUNED): rare.accuracy}
        metrics |= {str(F1_UNSUPPORTED_TUNED): unsupported.f1, **area}
        chosen = f"{rare.threshold:.4f} for f1_tuned, {unsupported.threshold:.4f} for f1_unsupported_tuned"
        notes = (
            f"one threshold for all settings, chosen on the data itself as the paper does: {chosen}",
            "f1 is of the class unsupported at the checker's own labels; f1_tuned is of each setting's rarer class",
        )
        missing = {} if area else {str(AUC): "one of the classes is empty"}
        return Scores(metrics, groups, claims.withheld(records), missing, _baselines(by_setting), notes)


def _baselines(by_setting: Mapping[str, Sequence[ClaimRecord]]) -> dict[str, dict[str, Any]]:
    """What people, the commonest label and chance reach in each setting, and the mean."""
    rows: dict[str, dict[str, Any]] = {"human": {}, "majority": {}, "random": {}}
    for name, records in by_setting.items():
        gold, target = claims.gold(records), name in SUPPORT_IS_RARE
        votes = [[label == "supported" for label in row["annotations"]] for row in records if "annotations" in row]
        reached = {
            "human": (*agreement.human(votes, target), agreement.human(votes, target=False)[0]),
            "majority": (*agreement.majority(gold, target), agreement.majority(gold, target=False)[0]),
            "random": (*agreement.chance(gold, target), agreement.chance(gold, target=False)[0]),
        }
        for kind, values in reached.items():
            rows[kind][name] = dict(zip(_BASELINE, values, strict=True))
    for settings in rows.values():
        settings["mean"] = {key: mean([figures[key] for figures in settings.values()]) for key in _BASELINE}
    return rows


TASK = Salad(
    name="salad",
    siblings=1,
    summary="are the sentences of long answers supported by the documents",
    tables=("salad-7",),
    data=Dataset(
        "salad",
        ("annotations/annotations-{split}.json",),
        _load,
        companions=("docs/docs-[wh][eu]*.json",),
        splits=False,
    ),
)
