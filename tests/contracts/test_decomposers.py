"""What every decomposer keeps to."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citewell.protocols import Decomposer
from citewell.text.stopwords import stopwords
from contracts.specs import build, every

PIECES = [
    "Ann Smith", "founded", "the firm", "in 1990", "and", ", and", ", which", "was sold", "but", ";", "; and", "while",
    ", while", "costs", "fell by 2%", "the aorta", "is", "(a, b and c)", "“he came and left”", "revenue rose", ",",
    "also", "東京", "😀", "who", "it", "had grown",
]  # fmt: skip


@pytest.fixture(params=every("decomposer"))
def decomposer(request):
    return build("decomposer", request.param, request)


def content(text):
    return {word for word in re.findall(r"\w+", text.lower()) if word not in stopwords()["en"]}


def test_it_is_a_decomposer(decomposer):
    assert isinstance(decomposer, Decomposer)


def test_white_space_has_no_units(decomposer):
    assert decomposer.decompose("  ") == ()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(statement=st.lists(st.sampled_from(PIECES), min_size=1, max_size=14).map(" ".join) | st.text(max_size=60))
def test_no_word_that_matters_is_lost_or_invented(decomposer, statement):
    units = decomposer.decompose(statement)
    assert set().union(*(content(unit.text) for unit in units)) == content(statement)
    for unit in units:
        parts = [statement[span.start : span.end] for span in unit.spans]
        assert unit.text.rstrip(".!?") == " ".join(parts).rstrip(".!?")
