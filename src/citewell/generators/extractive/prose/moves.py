"""Whether and by how much a figure changed, from two figures of a sentence: "Costs rose from 30.2 to 31.9 million"."""

from __future__ import annotations

from dataclasses import replace

from citewell.facts.bindings import moves, times
from citewell.facts.changes import Change
from citewell.facts.extract import extract
from citewell.generators.extractive.cells.formulas import asks_whether
from citewell.generators.extractive.patterns import FALL, RISE
from citewell.generators.extractive.phrases.drafts import part_of
from citewell.generators.extractive.stacked import stacked
from citewell.types import Citation, Draft, Span, Value

_SHARES = ("percent", "points")


def with_move(draft: Draft, question: str) -> Draft | None:
    """The draft below a sentence that says how a figure moved; None where no sentence of it has both figures."""
    asked = [period for period in extract(question).periods if period.kind == "period" and period.year is not None]
    for source in sorted(draft.sources, key=lambda source: -source.score):
        for change in moves(source.quote, asked[-1] if asked else None):
            return _below(draft, question, source, change)
    return None


def _below(draft: Draft, question: str, source: Citation, change: Change) -> Draft:
    """The sentence of a change with both figures as its sources, and the draft's own sentences below it."""
    bound, printed = times(source.quote), list[str]()
    for figure in (change.start, change.end):
        time = bound.get(figure.start)
        year = f" in {time.period.year}" if time is not None and not time.before and time.period.year else ""
        printed.append(f"{source.quote[figure.start : figure.end]}{year}")
    value, share = _value(question, change), _share(change)
    tail = f" ({share})" if share and share != value.text else ""
    text = f"{value.text}: from {printed[0]} to {printed[1]}{tail}."
    span = Span(0, len(text))
    operands = tuple(
        replace(part_of(source, figure.start, figure.end, draft, source.score), answer_start=0, answer_end=len(text))
        for figure in (change.start, change.end)
    )
    head = replace(draft, text=text, statements=(span,), computed=(span,), sources=operands)
    value = replace(value, citations=(0, 1), formula=f"{printed[0]} to {printed[1]}")
    return replace(stacked([head, draft]), value=value)


def _number(change: Change) -> float:
    """The change in percent of where it began; of percentages, in points."""
    start, end = (figure.value * figure.factor for figure in (change.start, change.end))
    return float(end - start if change.start.kind in _SHARES else (end - start) / abs(start) * 100)


def _share(change: Change) -> str:
    """The change in percent as it is printed; empty for figures that are percentages themselves."""
    return "" if change.start.kind in _SHARES else f"{_number(change):+.1f}%"


def _value(question: str, change: Change) -> Value:
    """Yes or no to whether it moved that way, else by how much."""
    if asks_whether(question):
        way = bool(RISE.search(question)) - bool(FALL.search(question))
        return Value("Yes" if change.sign == way or (change.sign and not way) else "No", "yes_no")
    text = _share(change) or f"{_number(change):+.6g} percentage points"
    return Value(text, "percent", round(_number(change), 6), "percent")
