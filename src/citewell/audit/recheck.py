"""Computes an answer again with the recorded method and lists every difference.

recheck(Answer.from_dict(json.load(file)), [citewell.read("report.pdf")])

What an answer that somebody else wrote, a quotation, an abstention or a check rests on is worked out anew as a whole.
What a language model wrote is not asked for again: its statements are judged anew, with the citations that the answer
gives them; what it declined to say stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from citewell.audit.verify import Mismatch
from citewell.document import Document
from citewell.errors import UsageError
from citewell.pipeline import RECORDED, Pipeline
from citewell.text.safe import shorten
from citewell.types import Answer, Draft, Span, Statement
from citewell.types.checked import as_answer

SAME = 1e-4  # by which a score may differ: machines add in different orders
_STATEMENT_FIELDS = ("text", "start", "end", "label", "score", "citations")  # of a statement, in words of their own
_ELSEWHERE = ("page", "rects")  # `verify` holds them against the page, where the document still has its layout


def recheck(answer: Answer, documents: Sequence[Document]) -> tuple[Mismatch, ...]:
    """Everything that comes out otherwise than the answer says.

    Raises UsageError: the answer does not say how it was made; SpecError: a back end that it names is not known here;
    BackendError: a model failed.
    """
    return tuple(_differences(answer, again(answer, documents)))


def again(answer: Answer, documents: Sequence[Document]) -> Answer:
    """The answer as it is made now. Raises UsageError: the answer does not say how it was made."""
    how = answer.usage.get("pipeline")
    if not isinstance(how, Mapping) or "origin" not in how:
        raise UsageError("the answer does not say how it was made (usage.pipeline), so it cannot be made again")
    pipeline = Pipeline(**{name: how[name] for name in RECORDED if name in how})
    if how["origin"] == "quoted" and answer.question:
        return pipeline.run(documents, answer.rewritten or answer.question)
    if answer.abstained:
        return answer
    if how["origin"] == "given":
        targets = tuple(Span(int(start), int(end)) for start, end in how.get("targets", ()))
        return pipeline.attribute(documents, answer.text, answer.question, targets)
    if how["origin"] == "checked":
        verdicts = pipeline.check(documents, [claim.text for claim in answer.statements])
        return as_answer(verdicts, [document.info for document in documents])
    known = {info.id: document for info in answer.documents for document in documents if document.sha256 == info.sha256}
    if missing := {citation.document_id for citation in answer.citations} - known.keys():
        raise UsageError(f"the answer cites {', '.join(sorted(missing))}, which was not given or has changed")
    draft = Draft(
        answer.text,
        answer.question,
        tuple(Span(statement.start, statement.end) for statement in answer.statements),
        origin="written",
    )
    return replace(answer, statements=pipeline.label(documents, draft, answer.citations))


def _differences(answer: Answer, anew: Answer) -> Iterator[Mismatch]:
    if answer.abstained != anew.abstained:
        instead = "there is no answer" if anew.abstained else f"the text is “{shorten(anew.text)}”"
        yield Mismatch("text", "recheck", f"made again, {instead}")
        return
    if answer.text != anew.text:
        yield Mismatch("text", "recheck", f"made again, the text is “{shorten(anew.text)}”")
        return
    if len(answer.statements) != len(anew.statements):
        counts = f"{len(anew.statements)} statements, not {len(answer.statements)}"
        yield Mismatch("statements", "recheck", f"made again, there are {counts}")
        return
    for number, (saved, now) in enumerate(zip(answer.statements, anew.statements, strict=True)):
        where = f"statements[{number}]"
        if (saved.label, saved.start, saved.end) != (now.label, now.start, now.end):
            yield Mismatch(where, "recheck", f"made again, it is {_judged(now)}, not {_judged(saved)}")
        elif abs(saved.score - now.score) > SAME:
            yield Mismatch(where, "recheck", f"made again, its score is {now.score:.4f}, not {saved.score:.4f}")
        cited, rightly = _places(answer, saved), _places(anew, now)
        if cited != rightly:
            yield Mismatch(where, "recheck", f"made again, it cites {_named(rightly)}, not {_named(cited)}")
        else:
            yield from _unlike(f"{where}.citations", list(saved.citations), list(now.citations))
        for name in saved.to_dict().keys() - _STATEMENT_FIELDS:
            yield from _unlike(f"{where}.{name}", saved.to_dict()[name], now.to_dict()[name])
    for name in ("citations", "confidence", "value", "abstention", "method"):
        yield from _unlike(name, answer.to_dict()[name], anew.to_dict()[name])


def _unlike(where: str, saved: Any, now: Any) -> Iterator[Mismatch]:
    """What differs between two JSON values, at the innermost place."""
    if isinstance(saved, dict) and isinstance(now, dict):
        for name in saved:
            if name not in _ELSEWHERE:
                yield from _unlike(f"{where}.{name}", saved[name], now[name])
    elif isinstance(saved, list) and isinstance(now, list) and len(saved) == len(now):
        for number, (item, other) in enumerate(zip(saved, now, strict=True)):
            yield from _unlike(f"{where}[{number}]", item, other)
    elif isinstance(saved, list) and isinstance(now, list):
        yield Mismatch(where, "recheck", f"made again, there are {len(now)}, not {len(saved)}")
    elif isinstance(saved, float | int) and isinstance(now, float | int):
        if abs(saved - now) > SAME:
            yield Mismatch(where, "recheck", f"made again, it is {now:.6g}, not {saved:.6g}")
    elif saved != now:
        messages = (f"“{shorten(str(value), 120)}”" if value is not None else "not there" for value in (now, saved))
        yield Mismatch(where, "recheck", "made again, it is {}, not {}".format(*messages))


def _judged(statement: Statement) -> str:
    return f"{statement.label} ({statement.score:.2f}) at {statement.start} to {statement.end}"


def _places(answer: Answer, statement: Statement) -> dict[tuple[str, int, int], str]:
    cited = [answer.citations[number] for number in statement.citations if 0 <= number < len(answer.citations)]
    return {
        (citation.document_id, citation.start, citation.end): citation.segment_id
        for citation in sorted(cited, key=lambda citation: citation.start)
    }


def _named(places: Mapping[tuple[str, int, int], str]) -> str:
    return ", ".join(f"{name} at {start}" for (_, start, _), name in places.items()) or "nothing"
