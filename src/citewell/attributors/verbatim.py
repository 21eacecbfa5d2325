"""Copied text: the longest runs of words that an answer shares with the documents.

Case and punctuation do not matter, the order of words does. Of several occurrences of a run the one counts whose
segment holds most of the statement's other words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.attributors.targets import EXACT, statement_around, targets, unit_of
from citewell.document import Document
from citewell.text.index import document_words, index
from citewell.text.stopwords import stopwords
from citewell.text.words import language, words
from citewell.types import Citation, Draft, Granularity, Segment, Span

Numbers = npt.NDArray[np.integer[Any]]


class Copied(NamedTuple):
    """A run: words `first` to `last` of the answer, from the word `source` of the documents on."""

    first: int
    last: int
    source: int


class Source(NamedTuple):
    """The words of all documents one after another: their ids, documents, offsets and segments' numbers; the segments.

    `documents_of` has a segment's document.
    """

    ids: Numbers
    documents: Numbers
    starts: Numbers
    ends: Numbers
    owners: Numbers
    segments: tuple[Segment, ...]
    documents_of: Numbers


@dataclass(frozen=True, kw_only=True)
class Verbatim:
    """Cite what was copied word for word.

    Attributes:
        least: words of the shortest run that counts; a run that is a whole target always does, but a function word
            alone never does: every text has it.
    """

    least: int = 2
    name: ClassVar[str] = "verbatim"

    def __post_init__(self) -> None:
        if self.least < 1:
            raise ValueError("least is at least 1")

    def attribute(
        self, draft: Draft, documents: Sequence[Document], granularity: Granularity = "sentence", k: int | None = None
    ) -> tuple[Citation, ...]:
        """Runs (granularity `token`) or the segments that hold them, for each target, best first.

        The score of a run of n words is n / (n + 1), that of a segment the share of the target's words copied from it.
        """
        answer_words = words(draft.text)
        if not documents or not len(answer_words):
            return ()
        spelled: dict[str, int] = {}
        numbers = _numbers(answer_words.ids, answer_words.spellings, spelled)
        source = _source(documents, unit_of(granularity), spelled)
        function_words = stopwords().get(language(document_words(documents[0]).spellings), frozenset())
        result: list[Citation] = []
        for target in targets(draft):
            inside = np.flatnonzero((answer_words.starts < target.end) & (answer_words.ends > target.start))
            if not len(inside):
                continue
            around = statement_around(draft, target)
            context = np.unique(numbers[(answer_words.starts < around.end) & (answer_words.ends > around.start)])
            runs = [
                run
                for run in self._runs(numbers, inside, source, _weights(source, context))
                if run.last - run.first > 1
                or answer_words.spellings[answer_words.ids[run.first]].lower() not in function_words
                or _is_name(run.source, source, documents)
            ]
            offsets = [Span(int(answer_words.starts[run.first]), int(answer_words.ends[run.last - 1])) for run in runs]
            if granularity in EXACT:
                cited = _cite_runs(runs, offsets, source, documents, granularity)
            else:
                cited = _cite_segments(runs, offsets, source, documents, total=len(inside))
            result.extend(cited[:k])
        return tuple(result)

    def _runs(self, numbers: Numbers, inside: Numbers, source: Source, weights: Numbers) -> list[Copied]:
        """Runs of the target's words that do not overlap, longest first, in the order of the answer."""
        first = int(inside[0])
        count = len(inside)
        shared = common_runs(numbers[first : first + count], source.ids, source.documents)
        best = np.array([int(lengths.max(initial=0)) for _, lengths in shared])
        free = np.ones(count, dtype=bool)
        result: list[Copied] = []
        while True:
            # How far a run may reach before it meets one that was taken.
            reach = np.zeros(count + 1, dtype=np.int64)
            for place in range(count - 1, -1, -1):
                reach[place] = reach[place + 1] + 1 if free[place] else 0
            length = np.minimum(best, reach[:-1])
            place = int(length.argmax())
            size = int(length[place])
            if size == 0 or (size < self.least and size < count):
                break
            positions, lengths = shared[place]
            able = positions[lengths >= size]
            chosen = int(able[weights[source.owners[able]].argmax()])
            result.append(Copied(first + place, first + place + size, chosen))
            free[place : place + size] = False
        return sorted(result)


def common_runs(answer: Numbers, source: Numbers, parts: Numbers) -> list[tuple[Numbers, Numbers]]:
    """For each word of `answer` its positions in `source`, and the lengths of the common runs from there on.

    Args:
        answer: (m,) word ids.
        source: (n,) word ids.
        parts: (n,) what no run may cross, such as the number of the document.
    """
    order = np.argsort(source, kind="stable")
    ranked = source[order]
    reached = np.zeros(len(source) + 1, dtype=np.int64)  # runs from the word after, by position
    breaks = np.append(parts[1:] != parts[:-1], True) if len(parts) else np.zeros(0, dtype=bool)
    result: list[tuple[Numbers, Numbers]] = []
    before = np.zeros(0, dtype=np.int64)
    for word in answer[::-1].tolist():
        begin, end = np.searchsorted(ranked, word, side="left"), np.searchsorted(ranked, word, side="right")
        positions = order[begin:end]
        lengths = np.where(breaks[positions], 0, reached[positions + 1]) + 1
        reached[before] = 0
        reached[positions] = lengths
        before = positions
        result.append((positions, lengths))
    return result[::-1]


def _is_name(place: int, source: Source, documents: Sequence[Document]) -> bool:
    """Whether a word of the documents has a capital within its segment, as "May" has in "by May"."""
    within = place > 0 and source.owners[place - 1] == source.owners[place]
    return bool(within and documents[int(source.documents[place])].text[int(source.starts[place])].isupper())


def _numbers(ids: Numbers, spellings: Sequence[str], spelled: dict[str, int]) -> Numbers:
    """Word ids that are the same for the same word in any case, across texts."""
    table = [spelled.setdefault(spelling.casefold(), len(spelled)) for spelling in spellings]
    return np.array(table, dtype=np.int64)[ids] if len(ids) else np.zeros(0, dtype=np.int64)


def _source(documents: Sequence[Document], granularity: Granularity, spelled: dict[str, int]) -> Source:
    terms = index(documents, granularity)
    parts = [document_words(document) for document in documents]
    return Source(
        ids=np.concatenate([_numbers(part.ids, part.spellings, spelled) for part in parts]),
        documents=np.repeat(np.arange(len(parts)), [len(part) for part in parts]),
        starts=np.concatenate([part.starts for part in parts]),
        ends=np.concatenate([part.ends for part in parts]),
        owners=np.repeat(np.arange(len(terms.segments)), np.diff(terms.segment_ptr)),
        segments=terms.segments,
        documents_of=terms.documents,
    )


def _weights(source: Source, context: Numbers) -> Numbers:
    """How many distinct words of the statement each segment holds."""
    positions = np.flatnonzero(np.isin(source.ids, context))
    pairs = np.unique(np.stack([source.owners[positions], source.ids[positions]]), axis=1)
    return np.bincount(pairs[0], minlength=len(source.segments))


def _cite_runs(
    runs: Sequence[Copied],
    offsets: Sequence[Span],
    source: Source,
    documents: Sequence[Document],
    granularity: Granularity,
) -> list[Citation]:
    result = []
    for run, target in zip(runs, offsets, strict=True):
        size = run.last - run.first
        document = documents[int(source.documents[run.source])]
        at = Span(int(source.starts[run.source]), int(source.ends[run.source + size - 1]))
        segment = source.segments[int(source.owners[run.source])]
        score = size / (size + 1)
        result.append(document.cite(at, segment.id, target, granularity=granularity, score=score, method=Verbatim.name))
    return sorted(result, key=lambda citation: (-citation.score, citation.answer_start))


def _cite_segments(
    runs: Sequence[Copied],
    offsets: Sequence[Span],
    source: Source,
    documents: Sequence[Document],
    *,
    total: int,
) -> list[Citation]:
    """The segments that hold the runs; a run that crosses segments cites each for its part."""
    shares: dict[int, int] = {}
    spans: dict[int, list[Span]] = {}
    for run, span in zip(runs, offsets, strict=True):
        owners, counts = np.unique(source.owners[run.source : run.source + run.last - run.first], return_counts=True)
        for owner, count in zip(owners.tolist(), counts.tolist(), strict=True):
            shares[owner] = shares.get(owner, 0) + count
            spans.setdefault(owner, []).append(span)
    result = []
    for owner in sorted(shares, key=lambda owner: (-shares[owner], owner)):
        segment, document = source.segments[owner], documents[int(source.documents_of[owner])]
        result.append(
            Citation.of(
                segment,
                document.id,
                Span(min(span.start for span in spans[owner]), max(span.end for span in spans[owner])),
                shares[owner] / total,
                Verbatim.name,
            )
        )
    return result
