"""Which differences are shown with both sides, which with one, and which not at all."""

import pytest

from citewell.checkers.telling import telling
from citewell.facts.align import Finding
from citewell.facts.features import look
from citewell.facts.tokens import tokens
from citewell.types import Span

CLAIM = "Revenue of Halden was $825.9 million in 2019."
EVIDENCE = "Losses of Morvik on the 737 rose to $91 million in 2019, and in December 2018 the mayor agreed to sell it."


def shown(kind, here, there, claim=CLAIM, evidence=EVIDENCE):
    alignment = look(claim, [tokens(evidence)])
    span, place = (
        Span(text.index(part), text.index(part) + len(part)) for text, part in ((claim, here), (evidence, there))
    )
    finding = Finding(kind, span, f"says {here}; the evidence says {there}", 0, place, conflict=True)
    return telling(finding, alignment), finding


@pytest.mark.parametrize(
    ("kind", "here", "there"),
    [("entity", "Halden", "December"), ("entity", "Halden", "2018")],
)
def test_a_name_is_not_held_against_a_date(kind, here, there):
    result, _ = shown(kind, here, there)
    assert (result.message, result.evidence_span) == (f"“{here}” is not in the evidence", None)


def test_another_name_is_shown_with_both_sides():
    result, finding = shown("entity", "Halden", "Morvik")
    assert result == finding


@pytest.mark.parametrize(("there", "bare"), [("912", True), ("912 million", False), ("$912 million", False)])
def test_an_amount_is_not_held_against_a_bare_number(there, bare):
    evidence = f"The bridge cost {there}."
    result, finding = shown("number", "$445 million", there, "The bridge cost $445 million.", evidence)
    assert result.claim_span == finding.claim_span
    assert result.message == ("“$445 million” is not in the evidence" if bare else finding.message)


def test_roles_are_shown_only_where_one_clause_has_them():
    evidence = "In July, after the storm, Halden bought Morvik."
    claim = "Morvik bought Halden in July."
    assert shown("roles", "Morvik bought Halden", "Halden bought Morvik", claim, evidence)[0] is not None
    assert shown("roles", "Morvik bought Halden", "July, after the storm, Halden", claim, evidence)[0] is None
