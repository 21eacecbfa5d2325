"""Positions of support in the documents and of missing support in the answer (section 6.3, B.7, Figure 2).

A sentence's place in its answer and its evidence's place in the document set are fractions: the middle of the sentence
if all sentences had the same length. Documents are shuffled after the fact as a control: answers keep their order, so
that what correlation remains comes from the order inside documents.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from citewell_lab.papers.lfqa.data import SHUFFLED, Setting, Study
from citewell_lab.papers.lfqa.support import Judged
from citewell_lab.report.intervals import Floats, grouped, ratio
from citewell_lab.report.values import Interval

SHUFFLES = 20  # orders of the documents that the control averages over
HEAT = 10  # rows and columns of a heat map
BINS = 5  # parts of an answer
_SUPPORTED = ("supported", "partially_supported")
GROUPS = ("with documents", "with shuffled documents", "without documents")
IRRELEVANT = frozenset({"random"})  # sets that are not meant to answer; their answers join no pooled group


class Place(NamedTuple):
    """One answer sentence and one piece of its evidence, both as fractions."""

    question: str
    answer: float
    document: float
    weight: float = 1.0


class Order(NamedTuple):
    """Pearson's r between the two places; None where one of them does not vary. `pairs` sentence and evidence."""

    group: str
    source: str
    documents: str
    pairs: int
    r: Interval | None


class Heat(NamedTuple):
    """Of the evidence of each part of the answer (rows), the share in each part of the documents (columns).

    `average` is over all evidence.
    """

    group: str
    source: str
    documents: str
    pairs: int
    cells: tuple[tuple[float, ...], ...]
    average: tuple[float, ...]


class Unsupported(NamedTuple):
    """The share of unsupported sentences in one part of the answers, from 0 the first to `BINS` - 1."""

    group: str
    source: str
    part: int
    sentences: int
    unsupported: Interval


class Last(NamedTuple):
    """Shares of unsupported sentences: the last of each answer against its others.

    Answers of one sentence are left out.
    """

    group: str
    source: str
    last_n: int
    last: Interval
    others_n: int
    others: Interval
    difference: Interval
    times: float | None


class Marked(NamedTuple):
    """A sentence by its place, and whether support is missing (partly supported counts as missing)."""

    question: str
    setting: Setting
    position: int
    total: int
    unsupported: bool


def group_of(setting: Setting, against: str) -> str | None:
    """`with documents` (judged by what it was given), `with shuffled documents`, `without documents`, None for none."""
    if setting.evidence is None:
        return "without documents"
    if setting.evidence != against or against in IRRELEVANT:
        return None
    return "with shuffled documents" if against.endswith(SHUFFLED) else "with documents"


def by_group(judged: Iterable[Judged]) -> dict[str, list[Judged]]:
    """The pooled groups, then each setting judged by the set that it was given."""
    pooled: dict[str, list[Judged]] = {name: [] for name in GROUPS}
    single: dict[str, list[Judged]] = {}
    for sentence in judged:
        name = group_of(sentence.setting, sentence.against)
        if name:
            pooled[name].append(sentence)
        if sentence.setting.evidence == sentence.against:
            single.setdefault(str(sentence.setting), []).append(sentence)
    return {name: group for name, group in {**pooled, **single}.items() if group}


def human(study: Study) -> list[Judged]:
    """The annotated sentences with their majority label and evidence, in the form of a checker's judgements."""
    result = []
    for question in study.questions:
        for answer in question.annotated:
            lengths = tuple(
                len(document.segments("sentence")) for document in question.documents.get(answer.against, ())
            )
            for position, sentence in enumerate(answer.sentences):
                if sentence.majority is not None:
                    whole = len(answer.sentences)
                    support = tuple(
                        (document, place)
                        for document, place in sentence.support or ()
                        if document < len(lengths) and place < lengths[document]
                    )
                    label = sentence.majority
                    result.append(
                        Judged(question.id, answer.setting, answer.against, 0, position, whole, label, support, lengths)
                    )
    return result


def relabelled(judged: Iterable[Judged], study: Study) -> list[Judged]:
    """A checker's judgements of annotated sentences with people's labels: their support, the checker's places.

    For annotations that do not say which sentences support. Sentences without a majority are left out.
    """
    labels = {
        (sentence.question, sentence.setting, sentence.against, sentence.position): sentence.label
        for sentence in human(study)
    }
    keys = [
        ((sentence.question, sentence.setting, sentence.against, sentence.position), sentence) for sentence in judged
    ]
    return [sentence._replace(label=labels[key]) for key, sentence in keys if key in labels]


def places(judged: Iterable[Judged], shuffles: int = 0, seed: int = 0) -> list[Place]:
    """The pairs of places; with `shuffles`, under that many random orders of the documents of each answer."""
    result = []
    orders: dict[tuple[str, Setting, str, int], list[list[int]]] = {}
    generator = random.Random(seed)  # noqa: S311  (not for secrets)
    for marked_sentence in judged:
        if marked_sentence.label not in _SUPPORTED:
            continue
        key = (marked_sentence.question, marked_sentence.setting, marked_sentence.against, marked_sentence.answer)
        if key not in orders:
            plain = list(range(len(marked_sentence.lengths)))
            orders[key] = [generator.sample(plain, len(plain)) for _ in range(shuffles)] or [plain]
        total = sum(marked_sentence.lengths)
        for order in orders[key]:
            before = {
                document: sum(marked_sentence.lengths[other] for other in order[:at])
                for at, document in enumerate(order)
            }
            for document, sentence in marked_sentence.support:
                answer = (marked_sentence.position + 0.5) / marked_sentence.total
                where = (before[document] + sentence + 0.5) / total
                result.append(Place(marked_sentence.question, answer, where, 1 / len(orders[key])))
    return result


def correlation(points: Sequence[Place], *, seed: int = 0) -> Interval | None:
    """Pearson's r of the pairs; the interval is over questions."""
    return grouped(((place.question, moments(*place[1:])) for place in points), pearson, seed=seed)


def order(judged: Iterable[Judged], source: str, *, seed: int = 0) -> tuple[list[Order], list[Heat]]:
    """Correlation and heat map of every group that has evidence, documents as given and shuffled."""
    orders, heats = [], []
    for name, group in by_group(judged).items():
        pairs = sum(len(sentence.support) for sentence in group if sentence.label in _SUPPORTED)
        if not pairs:
            continue
        for documents, shuffles in (("as given", 0), ("shuffled", SHUFFLES)):
            points = places(group, shuffles, seed)
            orders.append(Order(name, source, documents, pairs, correlation(points, seed=seed)))
            heats.append(heat(points, name, source, documents, pairs))
    return orders, heats


def heat(points: Sequence[Place], group: str, source: str, documents: str, pairs: int) -> Heat:
    """The heat map of pairs of places."""
    cells = np.zeros((HEAT, HEAT))
    for point in points:
        cells[min(int(point.answer * HEAT), HEAT - 1), min(int(point.document * HEAT), HEAT - 1)] += point.weight
    rows = cells.sum(axis=1, keepdims=True)
    shares = np.divide(cells, rows, out=np.zeros_like(cells), where=rows > 0)
    average = cells.sum(axis=0) / max(cells.sum(), 1e-12)
    return Heat(group, source, documents, pairs, tuple(map(tuple, shares.tolist())), tuple(average.tolist()))


def marked(judged: Iterable[Judged]) -> list[Marked]:
    """Sentences that claim something, with whether support is missing."""
    return [
        Marked(sentence.question, sentence.setting, sentence.position, sentence.total, sentence.label != "supported")
        for sentence in judged
        if sentence.label != "no_claim"
    ]


def by_part(sentences: Sequence[Marked], group: str, source: str, *, seed: int = 0) -> list[Unsupported]:
    """The share of unsupported sentences in each part of the answers."""
    rows = []
    for part in range(BINS):
        inside = [
            sentence
            for sentence in sentences
            if min(int((sentence.position + 0.5) / sentence.total * BINS), BINS - 1) == part
        ]
        share = _share(inside, seed)
        if share is not None:
            rows.append(Unsupported(group, source, part, len(inside), share))
    return rows


def last(sentences: Sequence[Marked], group: str, source: str, *, seed: int = 0) -> Last | None:
    """The last sentence against the others; None where there are no answers of two sentences."""
    several = [sentence for sentence in sentences if sentence.total > 1]
    ends = [sentence for sentence in several if sentence.position == sentence.total - 1]
    others = [sentence for sentence in several if sentence.position < sentence.total - 1]
    end, rest = _share(ends, seed), _share(others, seed)
    columns = (
        (sentence.question, (sentence.unsupported * at_end, at_end, sentence.unsupported * (1 - at_end), 1 - at_end))
        for sentence in several
        for at_end in (int(sentence.position == sentence.total - 1),)
    )
    apart = grouped(columns, difference, seed=seed)
    if end is None or rest is None or apart is None:
        return None
    return Last(
        group, source, len(ends), end, len(others), rest, apart, end.mean / rest.mean if rest.mean > 0 else None
    )


def _share(sentences: Sequence[Marked], seed: int) -> Interval | None:
    return grouped(((sentence.question, (sentence.unsupported, 1)) for sentence in sentences), ratio, seed=seed)


def unsupported(judged: Iterable[Judged], source: str, *, seed: int = 0) -> tuple[list[Unsupported], list[Last]]:
    """Both, for every group."""
    parts, ends = [], []
    for name, group in by_group(judged).items():
        sentences = marked(group)
        parts += by_part(sentences, name, source, seed=seed)
        row = last(sentences, name, source, seed=seed)
        if row is not None:
            ends.append(row)
    return parts, ends


def difference(columns: Floats) -> Floats:
    """The share of the first two columns less the share of the next two."""
    return np.asarray(columns[..., 0] / columns[..., 1] - columns[..., 2] / columns[..., 3])


def moments(x: float, y: float, weight: float = 1.0) -> tuple[float, ...]:
    """The columns that `pearson` needs, of one pair."""
    return weight, weight * x, weight * y, weight * x * x, weight * y * y, weight * x * y


def pearson(columns: Floats) -> Floats:
    """Pearson's r from sums of `moments`; not a number where one side does not vary."""
    n, x, y, xx, yy, xy = np.moveaxis(columns, -1, 0)
    spread_x, spread_y = n * xx - x * x, n * yy - y * y
    flat = (spread_x <= 1e-9 * np.maximum(n * xx, 1)) | (spread_y <= 1e-9 * np.maximum(n * yy, 1))
    safe = np.sqrt(np.where(flat, 1.0, spread_x) * np.where(flat, 1.0, spread_y))
    return np.where(flat, np.nan, (n * xy - x * y) / safe)
