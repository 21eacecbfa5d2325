from __future__ import annotations

import numpy as np
import pytest

from citewell import registry
from citewell.document import Document
from citewell.errors import BackendError, SpecError
from citewell.models import loading
from citewell.retrievers import cache
from citewell.retrievers.dense import Dense, pooled

SEGMENTS = Document.from_text("Revenue rose in 2022.\n\nCosts fell.\n\nBoats were sold to Norway in spring.").segments()


@pytest.fixture(autouse=True)
def _empty_cache():
    cache.clear()


def embedder(visible):
    def embed(texts):
        visible.extend(texts)
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float32)

    return embed


def test_a_text_is_embedded_once_a_model():
    calls = []
    first = cache.cached("m", ["a", "bb", "a"], embedder(calls))
    assert first.tolist() == [[1, 1], [2, 1], [1, 1]]
    cache.cached("m", ["bb", "ccc"], embedder(calls))
    assert calls == ["a", "bb", "ccc"]
    cache.cached("other", ["a"], embedder(calls))
    assert calls[-1] == "a"


def test_a_folder_keeps_embeddings_between_runs(tmp_path):
    calls = []
    first = cache.cached("m", ["a", "bb"], embedder(calls), str(tmp_path / "kept"))
    cache.clear()
    again = cache.cached("m", ["bb", "a"], embedder(calls), str(tmp_path / "kept"))
    assert calls == ["a", "bb"]
    np.testing.assert_array_equal(first[::-1], again)


def test_a_folder_that_cannot_be_written_is_one_clear_line(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(BackendError, match="cannot be kept"):
        cache.cached("m", ["a"], embedder([]), str(tmp_path / "file"))


def test_the_least_recently_used_embeddings_go_first(monkeypatch):
    monkeypatch.setattr(cache, "LIMIT", 3 * 8)
    calls = []
    for text in ("a", "b", "c", "a", "d", "a", "b"):
        cache.cached("m", [text], embedder(calls))
    assert calls == ["a", "b", "c", "d", "b"]


@pytest.mark.parametrize("pooling", ["mean", "cls", "last"])
def test_pooling_does_not_see_the_padding(zoo, pooling):
    loaded = loading.load("encoder", zoo.encoder, placement=loading.Placement("cpu"))
    texts = ["Costs fell.", "Boats were sold to Norway in spring by the company."]
    together = pooled(loaded, texts, pooling)
    for text, row in zip(texts, together, strict=True):
        np.testing.assert_allclose(pooled(loaded, [text], pooling)[0], row, rtol=1e-3, atol=1e-4)


def test_a_sentence_encoder_and_a_plain_one_with_its_pooling_agree(zoo):
    pytest.importorskip("sentence_transformers")
    hits = [
        Dense(model=model, pooling=pooling, device="cpu").rank("Who bought boats?", SEGMENTS)
        for model, pooling in ((zoo.sentence_encoder, "auto"), (zoo.encoder, "mean"))
    ]
    assert [hit.position for hit in hits[0]] == [hit.position for hit in hits[1]]
    assert [hit.score for hit in hits[0]] == pytest.approx([hit.score for hit in hits[1]], abs=1e-4)


def test_passages_may_have_an_encoder_of_their_own(zoo):
    dense = Dense(model=zoo.encoder, pooling="cls", similarity="dot", device="cpu")
    two = Dense(model=zoo.encoder, passage_model=zoo.passage_encoder, pooling="cls", similarity="dot", device="cpu")
    np.testing.assert_array_equal(dense.embed(["boats"]), two.embed(["boats"]))
    assert np.abs(dense.embed(["boats"], passages=True) - two.embed(["boats"], passages=True)).max() > 1e-3


def test_a_long_passage_is_cut_and_the_query_is_not(zoo):
    ranker = registry.build("retriever", f"monot5(model={zoo.t5}, device=cpu)")
    long = Document.from_text("Boats sold. " * 400).segments("paragraph")
    scores = [ranker.rank(query, long)[0].score for query in ("aorta", "Revenue of the company in 1990")]
    assert abs(scores[0] - scores[1]) > 1e-7


def test_scores_of_readers_are_probabilities(zoo):
    for spec in (
        f"monot5(model={zoo.t5})",
        f"cross-encoder(model={zoo.cross_encoder})",
        f"cross-encoder(model={zoo.docnli})",
    ):
        for hit in registry.build("retriever", spec).rank("Who bought boats?", SEGMENTS):
            assert 0 <= hit.score <= 1


@pytest.mark.models
@pytest.mark.parametrize("spec", ["dense(pooling=sum)", "dense(similarity=l2)", "dense(batch=0)"])
def test_settings_that_make_no_sense_are_refused(spec):
    pytest.importorskip("sentence_transformers")
    with pytest.raises(SpecError):
        registry.build("retriever", spec)
