"""Answers: token F1 after SQuAD's normalisation, abstention, ROUGE-L, recall of pages and tokens."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache
from typing import Any

from citewell.errors import MissingExtraError
from citewell_lab.bench.metrics.labels import macro_f1

ANSWERABLE = "answerable"
NO_ANSWER = "unanswerable"  # what stands for a withheld answer, as in QASPER's own evaluation
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_NO_MARKS = str.maketrans("", "", string.punctuation)
_ALL_BUT_ONE = 3  # from more annotators than this on, one may disagree


def tokens(text: str) -> list[str]:
    """The words that answers are compared by: lower case, no punctuation, no articles (Rajpurkar et al. 2016)."""
    return _ARTICLES.sub(" ", text.lower().translate(_NO_MARKS)).split()


def token_f1(predicted: str, gold: str) -> float:
    """F1 of the tokens as multisets; where one has none, 1 if both have none (SQuAD 2.0)."""
    have, want = tokens(predicted), tokens(gold)
    if not have or not want:
        return float(have == want)
    return 2 * (Counter(have) & Counter(want)).total() / (len(have) + len(want))


def best_f1(predicted: str, references: Collection[str]) -> float:
    """The best token F1 over the annotators' answers; 0 without any."""
    return max((token_f1(predicted, reference) for reference in references), default=0.0)


def exact_match(predicted: str, references: Collection[str]) -> float:
    """Whether the answer is one of the annotators', by the tokens that are compared; 0 without any."""
    return float(any(tokens(predicted) == tokens(reference) for reference in references))


def unanswerable(votes: Sequence[bool]) -> bool:
    """Whether annotators say that there is no answer: up to three must all say so, of more all but one (LAB 4.2.4)."""
    if not votes:
        raise ValueError("there is no annotator")
    return votes.count(False) <= (len(votes) > _ALL_BUT_ONE)


def unanswerable_f1(gold: Sequence[bool], abstained: Sequence[bool]) -> float:
    """Macro mean of the F1 of "unanswerable" and "answerable", predicted where the system abstained or not."""
    return macro_f1(gold, abstained, (True, False))


def rouge_l(predicted: str, gold: str) -> float:
    """ROUGE-L's F-measure by the rouge-score package, without stemming, as in LAB.

    Raises:
        MissingExtraError: the package is not installed.
    """
    return float(_scorer().score(gold, predicted)["rougeL"].fmeasure)


@cache
def _scorer() -> Any:
    try:
        from rouge_score.rouge_scorer import RougeScorer
    except ImportError as error:
        raise MissingExtraError("rouge_l", "rouge-score", "bench", "citewell-lab") from error
    return RougeScorer(["rougeL"])


def token_recall(predicted: Collection[str], gold: Collection[str]) -> float:
    """The share of the gold texts' tokens, as a multiset, that the found texts hold together; 0 without gold tokens."""
    want = Counter(token for text in gold for token in tokens(text))
    have = Counter(token for text in predicted for token in tokens(text))
    return (have & want).total() / want.total() if want else 0.0


def page_recall(ranked: Sequence[int], gold: Collection[int], k: int) -> float:
    """The share of the gold pages among the first k distinct ranked pages; 0 without gold."""
    first = set(list(dict.fromkeys(ranked))[:k])
    return len(first & set(gold)) / len(set(gold)) if gold else 0.0
