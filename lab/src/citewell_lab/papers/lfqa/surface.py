"""Surface of answers: sentences, words, self-BLEU, likelihood after the question, perplexity (section 4, Table 1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from citewell.errors import MissingExtraError
from citewell.text.segments import statements
from citewell_lab.papers.lfqa.data import Setting, Study
from citewell_lab.report.intervals import interval
from citewell_lab.report.values import Interval

_TOKEN = re.compile(r"\w+|[^\w\s]")


class Surface(NamedTuple):
    """One setting: the mean over its answers of each measure with its interval; `sd` the deviation between answers.

    `words` counts punctuation marks too: so the paper's counts come out (237 and 240 for GPT-3.5, 110 and 109 for
    Alpaca, 119 and 122 for people). `rankgen` and `perplexity` are None where no model was given.
    """

    setting: str
    answers: int
    sentences: Interval
    sentences_sd: float
    words: Interval
    words_sd: float
    self_bleu: Interval
    self_bleu_1: Interval
    rankgen: Interval | None = None
    perplexity: Interval | None = None


Scorer = Callable[[Sequence[tuple[str, str]]], Sequence[float]]  # (question, answer) pairs -> one figure each


def measure(study: Study, *, rankgen: Scorer | None = None, perplexity: Scorer | None = None) -> list[Surface]:
    """One row a setting, in order.

    `rankgen` says how well an answer goes on from its question (Krishna et al., 2022): any scorer of such pairs.

    Raises:
        MissingExtraError: nltk is not installed.
    """
    rows = []
    for setting in study.settings:
        pairs = _pairs(study, setting)
        texts = [answer for _, answer in pairs]
        sentences = [[answer[span.start : span.end] for span in statements(answer)] for answer in texts]
        counts, words = [len(sentence) for sentence in sentences], [len(_TOKEN.findall(text)) for text in texts]
        rows.append(
            Surface(
                str(setting),
                len(texts),
                interval(counts),
                float(np.std(counts)),
                interval(words),
                float(np.std(words)),
                interval([self_bleu(sentence) for sentence in sentences]),
                interval([self_bleu(sentence, 1) for sentence in sentences]),
                interval(rankgen(pairs)) if rankgen else None,
                interval(perplexity(pairs)) if perplexity else None,
            )
        )
    return rows


def _pairs(study: Study, setting: Setting) -> list[tuple[str, str]]:
    return [
        (question.text, text)
        for question in study.questions
        for response in question.responses
        if response.setting == setting
        for text in response.samples
    ]


def self_bleu(sentences: Sequence[str], order: int = 4) -> float:
    """The mean BLEU of each sentence of an answer against its others (Zhu et al., 2018): high where it repeats itself.

    One sentence repeats nothing: 0. N-grams up to `order`, counts of none smoothed (epsilon).

    Raises:
        MissingExtraError: nltk is not installed.
    """
    try:
        from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
    except ModuleNotFoundError as error:
        raise MissingExtraError("self-BLEU", "nltk", "bench", "citewell-lab") from error
    tokens = [_TOKEN.findall(sentence.lower()) for sentence in sentences]
    tokens = [answer_tokens for answer_tokens in tokens if answer_tokens]
    if len(tokens) < 2:
        return 0.0
    smooth, weights = SmoothingFunction().method1, [1 / order] * order
    scores = [
        sentence_bleu(tokens[:place] + tokens[place + 1 :], answer_tokens, weights=weights, smoothing_function=smooth)
        for place, answer_tokens in enumerate(tokens)
    ]
    return float(np.mean(scores))
