"""Hybrid retrieval: the weighted mean of both scores, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from citewell import Document, registry
from citewell.errors import SpecError
from citewell.retrievers import cache, hybrid
from citewell.retrievers.dense import Dense
from citewell.text.data import settings

SEGMENTS = Document.from_text("Revenue rose in 2022.\n\nCosts fell.\n\nBoats were sold to Norway in spring.").segments()
TEXTS = [segment.text for segment in SEGMENTS]


def test_a_text_with_all_words_of_the_query_has_the_whole_share():
    shares = hybrid.shares(["costs fell", "boats fell", "xyzzy"], TEXTS)
    assert shares[0].tolist() == pytest.approx([0, 1, 0])
    assert shares[1].tolist() == pytest.approx([0, 0.5, 0.5], abs=0.01)
    assert shares[2].tolist() == [0, 0, 0]


def test_the_score_is_the_weighted_mean_of_words_and_meaning(monkeypatch):
    meant = np.array([[0.9, 0.1, 0.5]], dtype=np.float32)
    monkeypatch.setattr(Dense, "_scores", lambda self, queries, texts: meant)
    for weight in (0.0, 0.25, 1.0):
        hits = registry.build("retriever", f"hybrid(meaning={weight})").rank("costs fell", SEGMENTS)
        wanted = dict(enumerate((1 - weight) * np.array([0, 1, 0]) + weight * meant[0]))
        assert {hit.position: hit.score for hit in hits} == pytest.approx(wanted)
    fitted = settings("citewell.retrievers", "hybrid.json")["meaning"]
    first = registry.build("retriever", "hybrid").rank("costs fell", SEGMENTS)[0]
    assert first.score == pytest.approx(max(0.9 * fitted, 1 - fitted + 0.1 * fitted))


def test_wrong_settings_are_refused():
    with pytest.raises(SpecError, match="meaning lies between 0 and 1"):
        registry.build("retriever", "hybrid(meaning=2.0)")
    with pytest.raises(SpecError, match="a dot product has no scale"):
        registry.build("retriever", "hybrid(similarity=dot)")


@pytest.mark.models
def test_any_encoder_serves_and_its_vectors_are_kept(zoo, monkeypatch):
    cache.clear()
    retriever = registry.build("retriever", f"hybrid(model={zoo.sentence_encoder}, device=cpu)")
    first = retriever.rank("Who bought boats?", SEGMENTS)
    monkeypatch.setattr(Dense, "_encode", lambda self, model, texts: pytest.fail("embedded again"))
    assert retriever.rank("Who bought boats?", SEGMENTS) == first
