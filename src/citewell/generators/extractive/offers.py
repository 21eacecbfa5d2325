"""The position of the requested kind of answer in a sentence, relative to the question's words."""

from __future__ import annotations

import re
from collections.abc import Mapping

from citewell.generators.extractive import patterns as p
from citewell.generators.extractive.candidates import Reading
from citewell.generators.extractive.kinds import FIGURES
from citewell.generators.extractive.questions import INTERROGATIVE
from citewell.generators.extractive.settings import words

_WORD = re.compile(r"\w+")
_PLAIN = 4  # letters of a word that may be an answer of no special kind
_MANY = 5


def offers(reading: Reading, place: int) -> Mapping[str, float]:
    """Signals of a candidate: whether it has such an answer, how near to the question's words, and on which side.

    A sentence that only repeats the question offers nothing; the date that is asked for stands by what happened then.
    """
    question, index, number = reading.question, reading.sentences, int(reading.candidates[place])
    part, segment = index.words_of(number), index.segments[number]
    wanted = {term for term in reading.slot.ids.tolist() if term >= 0}
    terms = index.word_terms[part].tolist()
    starts = [start - segment.start for start in index.word_starts[part].tolist()]
    shared = [position for position, term in enumerate(terms) if term in wanted]
    spans = _spans(question.kind, segment.text, {word.lower() for word in _WORD.findall(question.text)})
    offered = [n for n, start in enumerate(starts) if n not in shared and any(a <= start < b for a, b in spans)]
    asking = INTERROGATIVE.search(question.text)
    near, first, last = 0.0, 0, 0
    if offered and shared:
        first, last = shared[0], shared[-1]
        near = 1 / min(abs(position - other) for position in offered for other in shared)
    return {
        "offers": float(bool(offered)),
        "offers_many": min(1.0, len(offered) / _MANY),
        "offers_near": near,
        f"offers_near_{question.kind}": near,
        "offers_before": float(bool(near) and offered[0] < first),
        "offers_inside": float(bool(near) and any(first < position < last for position in offered)),
        "offers_after": float(bool(near) and offered[-1] > last),
        "dense": len({terms[position] for position in shared}) / (last - first + 1) if near else 0.0,
        "wh_first": float(asking.start() == 0) if asking else 0.0,
        "wh_late": float(asking.start() > len(question.text) / 2) if asking else 0.0,
        "wh_none": float(asking is None),
        "negated": float(question.negated),
    }


def _spans(kind: str, text: str, question: set[str]) -> list[tuple[int, int]]:
    """What may be the answer, by its form; what the question itself says is none."""
    if kind == "date":
        patterns = [p.DATE]
    elif kind in FIGURES:
        patterns = [p.NUMBER, p.any_of("number_words")]
    elif kind in ("person", "place"):
        patterns = [p.NAMES]
    else:
        patterns = [_WORD]
    spans = [match.span() for pattern in patterns for match in pattern.finditer(text)]
    plain = patterns == [_WORD]
    return [
        (start, end)
        for start, end in spans
        if not {word.lower() for word in _WORD.findall(text[start:end])} <= question
        and not (plain and (end - start < _PLAIN or text[start:end].lower() in words("asking")))
    ]
