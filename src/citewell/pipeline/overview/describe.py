"""Assembles the overview of a document from the other modules of this package.

overview(document).kind            # "annual report"
overview(document).questions[0]    # a question that was tried, with its answer
"""

from __future__ import annotations

import re
import time
from pathlib import Path

from citewell.document import Document
from citewell.generators.extractive.prose.salience import LEAST_WORDS, alone, best, sentences
from citewell.generators.extractive.prose.sorts import kind_of
from citewell.pipeline import Pipeline
from citewell.pipeline.overview import details
from citewell.pipeline.overview.model import Detail, Overview
from citewell.pipeline.overview.points import key_figures
from citewell.pipeline.overview.questions import suggested
from citewell.readers.sources import opened
from citewell.types import Citation, Span

_STATEMENTS, _A_PART = 8, 2  # quotes at most, and of one part
_LEAST = 0.5  # of the weight of a sentence that says what a document is about
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def overview(document: Document | str | Path) -> Overview:
    """What a document is and says, every statement quoted, and questions that it answers.

    Args:
        document: what `read` returned, or the path of a file, which is read.

    Raises:
        DocumentError: the file is not there, or cannot be read.
    """
    (source,) = opened(document)
    started = time.perf_counter()
    kind, outline, period = kind_of(source), details.outline(source), details.period(source)
    answering, year = Pipeline(), _year(period)
    return Overview(
        source.info,
        kind,
        details.title(source),
        details.author(source),
        details.date(source),
        period,
        details.language(source),
        outline,
        _statements(source),
        key_figures(source, kind, year, answering),
        suggested(source, year, outline, answering),
        round(time.perf_counter() - started, 3),
    )


def _year(period: Detail | None) -> str | None:
    years = _YEAR.findall(period.text) if period else []
    return years[-1] if years else None


def _statements(document: Document) -> tuple[Citation, ...]:
    """The sentences that say what it is about, at most two of one part; of a document without parts the best."""
    every = (sentence for sentence in sentences(document) if len(sentence.segment.text.split()) >= LEAST_WORDS)
    telling = (sentence for sentence in every if sentence.weight >= _LEAST)
    ranked = [sentence for sentence in telling if alone(document, sentence.segment)]
    several = len({sentence.part for sentence in ranked}) > 1
    chosen = best(ranked, _STATEMENTS, a_part=_A_PART if several else None)
    return tuple(
        document.placed(Citation.of(each.segment, document.id, Span(0, len(each.segment.text)), 1.0, "overview"))
        for each in chosen
    )
