"""Assertions about attribution, for pytest or any other test framework; failures state what is missing.

    def test_the_answer_is_in_the_report():
        assert_attributed(my_system("What was revenue?"), "report.pdf", min_recall=0.9)

The package is a pytest plug-in: its fixtures `assert_attributed` and `assert_supported` are these functions, and keep
what they found as properties of the test, so that `--junit-xml` has it.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citewell.text.safe import shorten
from citewell.types import HOLDS

if TYPE_CHECKING:
    from citewell import Document
    from citewell.types import Answer, Verdict

    Source = Document | str | PathLike[str]


def assert_attributed(
    answer: str | Answer,
    document: Source,
    *,
    min_recall: float = 1.0,
    question: str | None = None,
    method: Any = "lexical",
    checker: Any = "lexical",
) -> Answer:
    """Assert that the document supports the answer's statements.

    Args:
        answer: a text, for which evidence is sought, or a citewell answer, whose labels count.
        document: a document, its path, or its text (a string with a line break, or one that is not the path of a file).
        min_recall: the minimum share of supported statements; statements that claim nothing do not count.
        question: the question, if the answer cannot be understood without it.
        method: the attributor that finds the evidence.
        checker: judges each statement.

    Returns:
        The answer with its statements, labels and citations.

    Raises:
        AssertionError: too few statements are supported; the message names the others.
    """
    __tracebackhide__ = True
    from citewell.pipeline import Pipeline

    if not 0 <= min_recall <= 1:
        raise ValueError(f"min_recall is between 0 and 1, not {min_recall}")
    if isinstance(answer, str):
        read = _document(document)
        judged = Pipeline(attributor=method, checker=checker).attribute(read, answer, question=question)
    else:
        judged = answer
    claims = [statement for statement in judged.statements if statement.label != "no_claim"]
    good = [statement for statement in claims if statement.label in HOLDS]
    share = recall(judged)
    if share >= min_recall:
        return judged
    lines = [f"{len(good)} of {len(claims)} statements are supported ({share:.0%}), {min_recall:.0%} are wanted:"]
    for statement in claims:
        if statement.label not in HOLDS:
            lines.append(f"  {statement.label} ({statement.score:.2f}): {_short(statement.text)}")
            lines += [f"    nearest evidence: {_short(judged.citations[n].quote)}" for n in statement.citations[:1]]
    raise AssertionError("\n".join(lines))


def recall(answer: Answer) -> float:
    """The share of an answer's claims that are supported; 1 if it claims nothing."""
    claims = [statement for statement in answer.statements if statement.label != "no_claim"]
    return sum(statement.label in HOLDS for statement in claims) / len(claims) if claims else 1.0


def assert_supported(
    claim: str, document: Source, *, checker: Any = "lexical", min_score: float | None = None
) -> Verdict:
    """Assert that the document supports a claim.

    Args:
        claim: one sentence.
        document: a document, its path, or its text.
        checker: judges the claim.
        min_score: the minimum probability of support, instead of the checker's label.

    Returns:
        The verdict with its evidence.

    Raises:
        AssertionError: the claim is not supported; the message states what the checker found.
    """
    __tracebackhide__ = True
    from citewell.errors import BackendError
    from citewell.pipeline import Pipeline

    (verdict,) = Pipeline(checker=checker).check(_document(document), [claim])
    if verdict.failed:
        raise BackendError(verdict.failed)
    is_supported = verdict.label == "supported" if min_score is None else verdict.score >= min_score
    if is_supported:
        return verdict
    wanted = "" if min_score is None else f", at least {min_score:.2f} is wanted"
    lines = [f"{verdict.label} (probability of support {verdict.score:.2f}{wanted}): {_short(claim)}"]
    missing = [claim[start:end] for start, end in verdict.uncovered]
    if missing:
        lines.append(f"  not in the document: {', '.join(missing[:8])}")
    lines += [f"  nearest evidence: {_short(citation.quote)}" for citation in verdict.citations[:1]]
    raise AssertionError("\n".join(lines))


def _document(source: Source) -> Document:
    from citewell import Document, read

    if isinstance(source, Document):
        return source
    if isinstance(source, str) and ("\n" in source or len(source) > 1000 or not Path(source).is_file()):
        return Document.from_text(source)
    return read(source)


def _short(text: str) -> str:
    return shorten(" ".join(text.split()), 160)
