"""The contracts that ship in `citewell.testing` hold for every back end of the registry, in each of its forms."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citewell import registry
from citewell.testing import contracts
from citewell.text.stopwords import stopwords
from citewell.types import Verdict
from contracts.specs import BROKEN, SPECS, build, costs, every

FAMILIES = ("retriever", "attributor", "checker", "decomposer", "generator")
PIECES = [
    "Ann Smith", "founded", "the firm", "in 1990", "and", ", and", ", which", "was sold", "but", ";", "; and", "while",
    ", while", "costs", "fell by 2%", "the aorta", "is", "(a, b and c)", "“he came and left”", "revenue rose", ",",
    "also", "東京", "😀", "who", "it", "had grown",
]  # fmt: skip


@pytest.mark.parametrize(
    ("family", "name", "scenario"),
    [
        pytest.param(
            family,
            name,
            scenario,
            id=f"{family}-{name}-{contracts.name(scenario)}",
            marks=costs(SPECS[family].get(name, name)),
        )
        for family in FAMILIES
        for name in every(family)
        for scenario in contracts.scenarios(family)
    ],
)
def test_it_keeps_to_the_contract(family, name, scenario, request):
    if reason := BROKEN.get((family, name, contracts.name(scenario))):
        request.applymarker(pytest.mark.xfail(reason=reason, raises=AssertionError))
    scenario(build(family, name, request))


@pytest.fixture(params=every("decomposer"))
def decomposer(request):
    return build("decomposer", request.param, request)


def content(text):
    return {word for word in re.findall(r"\w+", text.lower()) if word not in stopwords()["en"]}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(statement=st.lists(st.sampled_from(PIECES), min_size=1, max_size=14).map(" ".join) | st.text(max_size=60))
def test_no_decomposer_loses_or_invents_a_word_that_matters(decomposer, statement):
    units = decomposer.decompose(statement)
    assert set().union(*(content(unit.text) for unit in units)) == content(statement)
    for unit in units:
        assert content(unit.text) <= content(" ".join(statement[span.start : span.end] for span in unit.spans))


class Careless:
    """A checker that breaks two rules: it scores above 1, and it finds support without documents."""

    name = "careless"

    def check(self, pairs):
        return [Verdict(pair.claim, "supported", 1.5, pair.citations or (), method=self.name) for pair in pairs]


def test_a_back_end_that_breaks_the_contract_is_told_what_it_breaks():
    with pytest.raises(AssertionError, match="scenarios fail") as raised:
        contracts.check_checker(Careless)
    assert "a score lies between 0 and 1, not 1.5" in str(raised.value)
    assert "a pair without documents raises UsageError" in str(raised.value)
    assert "no_pairs_give_no_verdicts" not in str(raised.value)


def test_a_back_end_that_keeps_it_passes_in_one_call():
    contracts.check_retriever(lambda: registry.build("retriever", "bm25"))
    contracts.check_decomposer(lambda: registry.build("decomposer", "clauses"))
    with pytest.raises(ValueError, match="no contract of the family 'reducer'"):
        contracts.scenarios("reducer")
