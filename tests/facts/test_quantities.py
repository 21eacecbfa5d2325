"""Quantities of texts: tables of cases, and numbers written in several ways that must read as one value."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from facts.quantity_cases import CASES
from hypothesis import given
from hypothesis import strategies as st

from citewell.facts.quantities import quantities, stated_scale
from citewell.facts.types import Quantity


def seen(quantity: Quantity) -> tuple[str, str, str, str]:
    bounds = [quantity.low] if quantity.low == quantity.high else [quantity.low, quantity.high]
    return quantity.kind, "..".join(format(bound.normalize(), "f") for bound in bounds), quantity.unit, quantity.modifier


def value(written: str) -> str:
    return "..".join(format((Decimal(part.numerator) / part.denominator).normalize(), "f") for part in map(Fraction, written.split("..")))


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text for text, _ in CASES])
def test_a_text_gives_the_quantities_that_a_reader_sees(text, expected):
    rounded = [(kind, amount[:12], unit, modifier) for kind, amount, unit, modifier in map(seen, quantities(text))]
    assert rounded == [(kind, value(amount)[:12], unit, modifier) for kind, amount, unit, modifier in expected]
