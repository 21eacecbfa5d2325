"""The reader: the best span of a passage by hand, answers that stand in the document, the same without torch."""

from __future__ import annotations

import itertools
import re
from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import citewell
from citewell import Document, registry
from citewell.errors import BackendError, SpecError
from citewell.generators.reader import windows
from citewell.models import loading
from citewell.models.spans import Marked, best, marked

DOCUMENT = Document.from_text(
    "The company was founded in 1990 by Ann Smith. Revenue rose to 41 million in 2022.\n\nCosts fell by 2%.\n\n"
    + " ".join(f"Boat {number} was sold to Norway in spring." for number in range(40))
)


def test_the_best_span_is_the_greatest_sum_within_the_text_against_that_of_the_first_token():
    # [CLS] q [SEP] a b c [SEP]
    offsets = [(0, 0), (0, 1), (0, 0), (0, 1), (2, 3), (4, 5), (0, 0)]
    starts = np.array([1, 9, 9, 0, 3, 2, 9], dtype=np.float32)
    ends = np.array([0.5, 9, 9, 4, 1, 2, 9], dtype=np.float32)
    # b to c: 3 + 2; a alone 0 + 4; b to a would run backwards.
    assert best(starts, ends, offsets, 30) == (2, 5, 5 - 1.5)
    assert best(starts, ends, offsets, 1) == (0, 1, 4 - 1.5)
    assert best(starts[:3], ends[:3], offsets[:3], 30) is None


@pytest.mark.models
@pytest.mark.parametrize("name", ["reader", "reader_roberta"])
def test_marks_are_offsets_of_the_passage_whatever_is_padded_or_cut(zoo, name):
    loaded = loading.load("reader", getattr(zoo, name), placement=loading.Placement("cpu"))
    texts = ["Costs fell by 2%.", "Revenue rose to 41 million in 2022 😀.", "naïve café " * 60]
    together = marked(loaded, "Who founded it?", texts)
    for text, mark in zip(texts, together, strict=True):
        assert 0 <= mark.start < mark.end <= len(text)
        alone = marked(loaded, "Who founded it?", [text])[0]
        assert alone[:2] == mark[:2]
        assert alone.odds == pytest.approx(mark.odds, abs=1e-3)
    long = marked(loaded, "Who founded it? " * 200, texts)
    assert all(mark is None or mark.end <= len(text) for mark, text in zip(long, texts, strict=True))


@pytest.mark.models
def test_the_answer_is_the_sentences_of_the_phrase_and_no_answer_withholds_them(zoo):
    reader = f"reader(model={zoo.reader}, device=cpu, threshold=0)"
    answer = citewell.ask(DOCUMENT, "Who founded the company?", generator=reader)
    assert answer.citations
    for citation in answer.citations:
        assert DOCUMENT.text[citation.start : citation.end] == citation.quote
    assert answer.value.text in " ".join(citation.quote for citation in answer.citations)
    assert answer.value.citations == tuple(range(len(answer.citations)))
    sure = registry.build("generator", reader).generate("Who founded the company?", [DOCUMENT]).confidence
    withheld = registry.build("generator", reader.replace("threshold=0", "threshold=1.0"))
    draft = withheld.generate("Who founded the company?", [DOCUMENT])
    assert draft.abstention.reason == "low_confidence"
    assert draft.withheld.confidence == pytest.approx(sure, abs=1e-6)
    few = registry.build("generator", f"reader(model={zoo.reader}, device=cpu, threshold=0, paragraphs=1)")
    assert few.generate("How far did costs fall?", [DOCUMENT]).text == "Costs fell by 2%."
    assert few.generate("Who?", []).abstention.reason == "no_evidence"
    assert len(few.generate("Boat Norway spring", [DOCUMENT]).candidates) > 1  # a long paragraph is read in pieces


@pytest.mark.models
def test_white_space_between_two_sentences_is_no_answer(zoo, monkeypatch):
    def between(loaded, question, texts, **how):
        return [Marked(at, at + 1, 9.0) if (at := text.find(". ") + 1) else None for text in texts]

    monkeypatch.setattr("citewell.generators.reader.marked", between)
    draft = registry.build("generator", f"reader(model={zoo.reader}, device=cpu)").generate("Who?", [DOCUMENT])
    assert draft.abstention.reason == "no_evidence"


@pytest.mark.skipif(find_spec("torch") is None, reason="a reader needs torch")
def test_wrong_settings_are_refused():
    for spec, text in (
        ("threshold=2", "between 0 and 1"),
        ("paragraphs=0", "at least 1"),
        ("runtime=jax", "runtime is"),
    ):
        with pytest.raises(SpecError, match=text):
            registry.build("generator", f"reader({spec})")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["reader", "reader_roberta"])
def test_a_reader_gives_the_scores_of_torch(zoo, tmp_path, name):
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnxscript")
    from citewell.models.exporting import export

    done = export(getattr(zoo, name), tmp_path / "reader")
    assert (done.kind, done.difference < 1e-4) == ("reader", True)
    drafts = [
        registry.build("generator", f"reader(model={path}, device=cpu, threshold=0)").generate("Who?", [DOCUMENT])
        for path in (getattr(zoo, name), done.folder)
    ]
    assert drafts[0].text == drafts[1].text
    assert drafts[0].confidence == pytest.approx(drafts[1].confidence, abs=1e-4)
    scores = [[candidate.score for candidate in draft.candidates] for draft in drafts]
    np.testing.assert_allclose(scores[0], scores[1], atol=1e-4)
    with pytest.raises(BackendError, match="of another kind: it gives no logits"):
        registry.build("checker", f"nli(model={done.folder}, entailment=0)").check(
            [citewell.protocols.Pair("Costs fell.", (DOCUMENT,))]
        )


@pytest.mark.models
def test_a_sentence_longer_than_the_model_reads_is_read_in_parts_that_overlap(zoo):
    far = " ".join(["The boat sailed to Norway with coal,"] * 60) + " and Ann Smith founded the company."
    document = Document.from_text(f"Costs fell by 2%. {far} Revenue rose.")
    reader = registry.build("generator", f"reader(model={zoo.reader}, device=cpu, threshold=0, longest=6)")
    loaded = reader.load("reader")
    (paragraph,) = document.segments("paragraph")
    pieces = list(reader._pieces(loaded, document, paragraph, 60))
    assert (pieces[0].start, pieces[-1].end) == (0, len(document.text))
    assert len(pieces) > 5
    for piece, following in itertools.pairwise(pieces):
        assert following.start <= piece.end or not document.text[piece.end : following.start].strip()
        assert len(loaded.tokenizer(document.text[piece.start : piece.end])["input_ids"]) <= 60 + 8
    assert any("Ann Smith founded the company" in document.text[piece.start : piece.end] for piece in pieces)
    draft = reader.generate("Who founded the company?", [document])
    assert max(cited.start for cited in draft.candidates) >= document.text.index("The boat")
    assert all(document.text[cited.start : cited.end] == cited.quote for cited in draft.candidates)


words = st.lists(st.sampled_from(["a", "bb", "東京", "😀", "naïve", ",", "  ", "\n"]), max_size=40).map(" ".join)


@given(text=words, room=st.integers(1, 12), shared=st.integers(0, 20))
def test_windows_lose_nothing_and_have_in_common_what_they_should(text, room, shared):
    def tokenizer(text, **_):
        return {"offset_mapping": [match.span() for match in re.finditer(r"\S", text)]}

    parts = windows(tokenizer, text, room, shared)
    assert (parts[0].start, parts[-1].end) == (0, len(text))
    for part in parts:
        assert len(tokenizer(text[part.start : part.end])["offset_mapping"]) <= room
    for part, following in itertools.pairwise(parts):
        assert not text[part.end : following.start].strip()
        common = tokenizer(text[following.start : part.end])["offset_mapping"] if following.start < part.end else []
        assert len(common) == min(shared, room // 2)
