"""A function of one's own as a checker: what it may return, and what becomes of it."""

import pytest

from citewell import BackendError, Document
from citewell.checkers.function import Function
from citewell.errors import UsageError
from citewell.protocols import Pair
from citewell.types import Citation, Span

REPORT = Document.from_text("Revenue rose in 2022. Costs fell.")


def judged(reply, claim="Revenue rose.", **pair):
    (verdict,) = Function(lambda _claim, _evidence: reply).check([Pair(claim, (REPORT,), **pair)])
    return verdict


@pytest.mark.parametrize(
    ("reply", "label", "score"),
    [
        (True, "supported", 1.0), (False, "not_supported", 0.0), (1, "supported", 1.0), (0, "not_supported", 0.0),
        (0.5, "supported", 0.5), (0.25, "not_supported", 0.25),
        ("supported", "supported", 1.0), ("contradicted", "contradicted", 0.0), ("unverified", "unverified", 0.0),
    ],
)  # fmt: skip
def test_yes_or_no_a_probability_or_a_label(reply, label, score):
    verdict = judged(reply)
    assert (verdict.label, verdict.score) == (label, score)


@pytest.mark.parametrize("reply", [1.5, -0.1, "yes", None])
def test_anything_else_is_refused_by_name(reply):
    with pytest.raises(BackendError, match=r"the function <lambda> returned .*, and not yes or no, a probability"):
        judged(reply)


def test_it_sees_what_is_cited_else_all_of_the_documents():
    calls = []

    def remember(claim, evidence):
        calls.append((claim, evidence))
        return True

    segment = REPORT.segments("sentence")[1]
    cited = Citation.of(segment, REPORT.id, Span(0, 11))
    Function(remember).check([Pair("Costs fell.", (REPORT, REPORT)), Pair("Costs fell.", (REPORT,), (cited,))])
    assert calls == [("Costs fell.", f"{REPORT.text}\n{REPORT.text}"), ("Costs fell.", "Costs fell.")]


def test_it_is_not_asked_where_nothing_is_claimed_or_cited():
    function = Function(lambda _claim, _evidence: 1 / 0)
    nothing_cited, nothing_claimed = function.check([Pair("Costs fell.", (REPORT,), ()), Pair("Hello!", (REPORT,))])
    assert (nothing_cited.label, nothing_cited.method) == ("not_supported", "<lambda>")
    assert nothing_claimed.label == "no_claim"
    with pytest.raises(UsageError, match="at least one document"):
        function.check([Pair("Costs fell.", ())])
