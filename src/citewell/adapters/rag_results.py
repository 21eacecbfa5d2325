"""Results of ragas, RAGChecker, ALCE and TRUE: read, cited or audited here, and written back in their format.

samples = read("results.json")                                 # the form is told from the fields
cited = [sample.attribute() for sample in samples]
write("scored.json", samples, cited)                           # in the form that was read

Fields that are not ours are kept as they were. ragas: samples of one turn (JSON lines, or a list). RAGChecker:
`{"results": [...]}`. ALCE: `{"data": [...]}`, marks count `docs` from 1. TRUE: CSV with `grounding`, `generated_text`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from citewell import Document
from citewell.adapters.chunks import Chunk, Chunks, Cited
from citewell.audit.scores import Audit, audit
from citewell.errors import AnswerFormatError, UsageError
from citewell.text import files, safe
from citewell.text.replies.parsing import parse
from citewell.types import Field

Form = Literal["ragas", "ragchecker", "alce", "true"]
SCORE = "citewell_support"  # the share of the claims that the passages support, null where nothing is claimed
_JUDGED = {"supported": "Entailment", "quoted": "Entailment", "contradicted": "Contradiction"}  # else Neutral


@dataclass(frozen=True, slots=True)
class Sample:
    """One answer with the passages that it was written from.

    Attributes:
        form: the form that it was read from.
        id: its id in the file, or its number from 0.
        question: what was asked, None where the form has no questions.
        answer: the answer, in ALCE with its marks.
        chunks: the passages, in their order.
        reference: the gold answer, None where there is none.
        row: the row as it was read.
    """

    form: Form
    id: str
    question: str | None
    answer: str
    chunks: tuple[Chunk, ...]
    reference: str | None
    row: Mapping[str, Any]

    @property
    def unmarked(self) -> str:
        """The answer without the marks of ALCE: what `attribute` cites, and its offsets point into."""
        return parse(self.answer, len(self.chunks)).text if self.form == "alce" else self.answer

    def attribute(self, **settings: Any) -> Cited:
        """The evidence for the answer in its passages; `settings` are those of `citewell.attribute`."""
        return Chunks(self.chunks).attribute(self.unmarked, self.question, **settings)

    def audit(self, **settings: Any) -> Audit:
        """The answer's own marks held against the passages; `settings` are those of `citewell.audit`.

        Raises:
            UsageError: a passage has no words, so that marks would count others.
        """
        if any(not chunk.text.strip() for chunk in self.chunks):
            raise UsageError(f"sample {self.id}: a passage without words cannot be counted")
        documents = [Document.from_text(chunk.text, chunk.title) for chunk in self.chunks]
        return audit(self.answer, documents, question=self.question, numbers="document", **settings)


def read(path: str | Path, form: Form | None = None) -> list[Sample]:
    """The samples of a file; its form is told from the fields where it is not named.

    Raises:
        UsageError: the file cannot be read, or has none of the forms.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise UsageError(f"cannot read {path}: {why}") from error
    try:
        return samples(_parsed(text), form)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error


def samples(data: Any, form: Form | None = None) -> list[Sample]:
    """The samples of JSON that was parsed, or of rows.

    Raises:
        UsageError: it has none of the forms, or a field is missing or of another kind.
    """
    rows = data
    if isinstance(data, Mapping):
        rows = next((data[key] for key in ("results", "data", "samples") if isinstance(data.get(key), list)), [data])
    if not isinstance(rows, Sequence) or not all(isinstance(row, Mapping) for row in rows):
        raise UsageError("these are no rows of results: a list of objects is expected")
    if not rows:
        return []
    payload = form or next((name for name, fields in _FIELDS.items() if fields <= rows[0].keys()), None)
    if payload is None:
        wanted = "; ".join(f"{name}: {', '.join(sorted(fields))}" for name, fields in _FIELDS.items())
        raise UsageError(f"the fields are of none of the forms ({wanted})")
    return [_sample(payload, row, number) for number, row in enumerate(rows)]


def scored(samples: Sequence[Sample], cited: Sequence[Cited], checker: Any = "lexical") -> Any:
    """The samples in their form with what was found: what `write` writes, as JSON or, of TRUE, as rows.

    Each row gets `citewell_support` and `citewell` (statements with labels, citations as places). Beside that: ALCE's
    `output` gets the marks of the citations; RAGChecker's `response_claims` and `retrieved2response` are the statements
    and what each passage alone says of them, from which RAGChecker computes; TRUE's `citewell_score` is the least score
    of a claim, 1 where nothing is claimed.

    Raises:
        UsageError: there are not as many results as samples, or the samples are of several forms.
    """
    if len(samples) != len(cited) or len({sample.form for sample in samples}) > 1:
        raise UsageError("every sample has its result, and all samples are of one form")
    form = samples[0].form if samples else "ragas"
    rows = [
        {**sample.row, SCORE: result.support, "citewell": result.to_dict(), **_own_fields(sample, result, checker)}
        for sample, result in zip(samples, cited, strict=True)
    ]
    if form == "ragchecker":
        return {"results": rows, "metrics": {}}
    return {"data": rows} if form == "alce" else rows


def write(path: str | Path, samples: Sequence[Sample], cited: Sequence[Cited], checker: Any = "lexical") -> None:
    """Write them to a file in the form that they were read in: JSON, JSON lines for ragas, CSV for TRUE.

    Raises:
        UsageError: there are not as many results as samples, or the samples are of several forms.
        InputError: the file cannot be written.
    """
    data = scored(samples, cited, checker)
    if samples and samples[0].form == "true":
        text = _table([{**row, "citewell": safe.dumps(row["citewell"])} for row in data])
    elif isinstance(data, list):
        text = "".join(safe.dumps(row) + "\n" for row in data)
    else:
        text = safe.dumps(data, indent=2) + "\n"
    files.write(Path(path), text)


_FIELDS: dict[Form, frozenset[str]] = {
    "ragchecker": frozenset({"query", "response", "retrieved_context"}),
    "alce": frozenset({"question", "docs", "output"}),
    "true": frozenset({"grounding", "generated_text"}),
    "ragas": frozenset({"response", "retrieved_contexts"}),
}


def _parsed(text: str) -> Any:
    """JSON, JSON lines, or CSV with a header."""
    if text.lstrip()[:1] in ("{", "["):
        try:
            return safe.loads(text)
        except ValueError:
            try:
                return [safe.loads(line) for line in text.splitlines() if line.strip()]
            except ValueError as error:
                raise UsageError(f"this is neither JSON nor JSON lines: {error}") from error
    return list(csv.DictReader(io.StringIO(text, newline="")))


def _sample(form: Form, row: Mapping[str, Any], number: int) -> Sample:
    top = Field(row, f"row {number + 1}")
    passages: tuple[Chunk, ...]
    try:
        if form == "true":
            text, passages = top["generated_text"].text(), (Chunk(top["grounding"].text()),)
            return Sample(form, str(number), None, text, passages, None, row)
        if form == "ragas":
            ids = row.get("retrieved_context_ids") or ()
            texts = top["retrieved_contexts"].each(Field.text)
            passages = tuple(Chunk(text, str(ids[n]) if n < len(ids) else None) for n, text in enumerate(texts))
            request, gold = (top.get(name, None).optional(Field.text) for name in ("user_input", "reference"))
            return Sample(form, str(number), request, top["response"].text(), passages, gold, row)
        if form == "ragchecker":
            passages = tuple(
                Chunk.read(entry) for entry in top["retrieved_context"].each(lambda entry: dict(entry.fields()))
            )
            gold, name = top.get("gt_answer", None).optional(Field.text), str(row.get("query_id", number))
            return Sample(form, name, top["query"].text(), top["response"].text(), passages, gold, row)
        passages = tuple(Chunk.read(entry) for entry in top["docs"].each(lambda entry: dict(entry.fields())))
        gold, name = top.get("answer", None).optional(Field.text), str(row.get("sample_id", number))
        return Sample(form, name, top["question"].text(), top["output"].text(), passages, gold, row)
    except AnswerFormatError as error:
        raise UsageError(str(error)) from error


def _own_fields(sample: Sample, result: Cited, checker: Any) -> dict[str, Any]:
    """What a form has a field of its own for."""
    if sample.form == "alce":
        return {"output": _marked(result)}
    if sample.form == "true":
        scores = [statement.score for statement in result.answer.statements if statement.label != "no_claim"]
        return {"citewell_score": min(scores, default=1.0)}
    if sample.form == "ragchecker":
        claims = [statement.text for statement in result.answer.statements if statement.label != "no_claim"]
        return {
            "response_claims": [[claim] for claim in claims],
            "retrieved2response": _entailed(sample, claims, checker),
        }
    return {}


def _entailed(sample: Sample, claims: Sequence[str], checker: Any) -> list[list[str]]:
    """What each passage alone says of each claim, in RAGChecker's words."""
    by_passage = [Chunks([chunk]).check(claims, checker=checker) for chunk in sample.chunks]
    return [
        [_JUDGED.get(verdicts[number][0].label, "Neutral") for verdicts in by_passage] for number in range(len(claims))
    ]


def _marked(cited: Cited) -> str:
    """The answer with marks before the full stop, where ALCE's evaluation looks for those of a sentence."""
    text, parts, position = cited.answer.text, list[str](), 0
    for statement in cited.answer.statements:
        words = len(statement.text.rstrip(".!?。！？"))
        numbers = dict.fromkeys(cited.places[at].chunk + 1 for at in statement.supporting)
        at = statement.start + words
        parts += [text[position:at], " " * bool(numbers), *(f"[{number}]" for number in numbers)]
        position = at
    return "".join([*parts, text[position:]])


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    names = list(dict.fromkeys(name for row in rows for name in row))
    written = io.StringIO(newline="")
    table = csv.DictWriter(written, names, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return written.getvalue()
