"""The pytest plug-in: assertions about attribution as fixtures that record their results for JUnit's report."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def assert_attributed(record_property: Callable[[str, object], None]) -> Callable[..., Any]:
    """`citewell.testing.assert_attributed`; the recall becomes a property of the test."""
    from citewell import testing

    def check(answer: Any, document: Any, **options: Any) -> Any:
        __tracebackhide__ = True
        judged = testing.assert_attributed(answer, document, **{**options, "min_recall": 0.0})
        record_property("citewell_recall", round(testing.recall(judged), 6))
        return testing.assert_attributed(judged, document, **options)

    return check


@pytest.fixture
def assert_supported(record_property: Callable[[str, object], None]) -> Callable[..., Any]:
    """`citewell.testing.assert_supported`; the probability of support becomes a property of the test."""
    from citewell import testing

    def check(claim: str, document: Any, *, min_score: float | None = None, **options: Any) -> Any:
        __tracebackhide__ = True
        verdict = testing.assert_supported(claim, document, min_score=0.0, **options)
        record_property("citewell_support", round(verdict.score, 6))
        return testing.assert_supported(claim, document, min_score=min_score, **options)

    return check
