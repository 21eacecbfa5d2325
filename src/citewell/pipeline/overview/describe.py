"""Assembles the overview of a document from the other modules of this package.

overview(document).kind            # "annual report"
overview(document).questions[0]    # a question that was tried, with its answer
"""

from __future__ import annotations

import re
import time
from pathlib import Path

from citewell.document import Document
from citewell.generators.extractive.prose.asking import pattern
from citewell.generators.extractive.prose.salience import LEAST_WORDS, beginning, best
from citewell.generators.extractive.prose.sorts import kind_of
from citewell.generators.extractive.prose.standing import reads_alone
from citewell.pipeline import Pipeline
from citewell.pipeline.overview import details
from citewell.pipeline.overview.points import key_figures
from citewell.pipeline.overview.questions import suggested
from citewell.pipeline.sources import opened
from citewell.types import Citation, Span
from citewell.types.overview import Detail, Overview

_STATEMENTS, _A_PART = 4, 2  # quotes at most, and of one part
_TELLING = 2.5  # of the weight of a sentence that tells what a document is about
_BESIDE = 0.5  # of the weight of the best one
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
    """The sentences of its beginning that tell what it is about, at most two of one part; none where none does."""
    kind = kind_of(document)
    telling = [
        each
        for each in beginning(document)
        if kind != "minutes"  # each sentence is of a part of them
        and each.weight >= _TELLING
        and each.segment.kind != "list_item"
        and len(each.segment.text.split()) >= LEAST_WORDS
        and reads_alone(document, each.segment)
        and (kind != "quarterly report" or pattern("does").search(each.segment.text))
    ]
    most = _BESIDE * max((each.weight for each in telling), default=0.0)
    telling = [each for each in telling if each.weight >= most]
    several = len({each.part for each in telling}) > 1
    chosen = best(telling, _STATEMENTS, a_part=_A_PART if several else None)
    return tuple(
        document.placed(Citation.of(each.segment, document.id, Span(0, len(each.segment.text)), 1.0, "overview"))
        for each in chosen
    )
