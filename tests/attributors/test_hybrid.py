"""The hybrid attributor: what comes near the best is cited, what does not is left."""

from __future__ import annotations

import pytest

from citewell import Document, registry
from citewell.errors import SpecError
from citewell.text.data import settings
from citewell.types import Draft, Hit

DOCUMENT = Document.from_text("Revenue rose in 2022. Costs fell. Boats were sold to Norway.")


class Ranks:
    """A retriever whose scores are given."""

    name = "ranks"

    def rank(self, query, segments):
        return (Hit(1, 0.8), Hit(0, 0.4), Hit(2, 0.1))


def cited(**settings):
    attributor = registry.factory("attributor", "hybrid")(retriever=Ranks(), **settings)
    return [citation.quote for citation in attributor.attribute(Draft("Costs fell.", None), [DOCUMENT])]


def test_further_segments_are_cited_where_they_come_near_the_best(monkeypatch):
    assert cited(near=0.5) == ["Costs fell.", "Revenue rose in 2022."]  # 0.5 * 0.8 = 0.4
    assert cited(near=0.51) == ["Costs fell."]
    assert len(cited(near=0.0)) == 3
    assert cited(near=0.0, k=1) == ["Costs fell."]
    fitted = settings("citewell.attributors", "hybrid.json")["near"]
    assert cited() == cited(near=fitted)
    with pytest.raises(SpecError, match="near lies between 0 and 1"):
        registry.build("attributor", "hybrid(near=2.0)")


def test_the_best_is_cited_though_its_score_is_negative():
    class LogOdds(Ranks):
        def rank(self, query, segments):
            return (Hit(1, -2.0), Hit(0, -2.0), Hit(2, -3.0))

    retrieval = registry.factory("attributor", "retrieval")(retriever=LogOdds(), k=3, near=0.5)
    assert [citation.quote for citation in retrieval.attribute(Draft("Costs fell.", None), [DOCUMENT])] == [
        "Costs fell."
    ]


def test_plain_retrieval_cites_as_many_as_it_is_told():
    retrieval = registry.factory("attributor", "retrieval")(retriever=Ranks(), k=3)
    assert len(retrieval.attribute(Draft("Costs fell.", None), [DOCUMENT])) == 3
