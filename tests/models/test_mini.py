"""The small model of three heads: its folder, its answers, and the back ends that use it, with random weights."""

import itertools
import json
import math
import os
import shutil
import sys

import numpy as np
import pytest

from citewell import registry
from citewell.document import Document
from citewell.errors import BackendError, MissingExtraError, SpecError, UsageError
from citewell.generators.extractive.reader import together
from citewell.models import mini
from citewell.models.spans import stretch
from citewell.protocols import Pair
from citewell.types import Span

MILL = Document.from_text(
    "The mill was built in 1870 by Ann Reed. It burned down in 1912 and was never built again. "
    "Revenue of the mill rose to 41 million in 1905."
)
CLAIMS = ("The mill was built in 1870.", "The mill was built in 1871.", "Fire destroyed the mill.")


def check(spec):
    return registry.build("checker", spec).check([Pair(claim, (MILL,)) for claim in CLAIMS])


def without(folder, tmp_path, **changed):
    """The folder with another mini.json."""
    place = tmp_path / "model"
    shutil.copytree(folder, place)
    payload = json.loads((place / mini.SETTINGS).read_text())
    (place / mini.SETTINGS).write_text(json.dumps(payload | changed))
    return place


@pytest.mark.parametrize(
    ("family", "spec"), [("checker", "mini"), ("retriever", "mini"), ("generator", "extractive(reader=mini)")]
)
def test_without_a_folder_and_a_package_one_sentence_says_what_to_install(family, spec, monkeypatch):
    monkeypatch.setitem(sys.modules, mini.PACKAGE, None)
    with pytest.raises(MissingExtraError) as caught:
        registry.build(family, spec)
    needed = "mini without model=FOLDER needs the package 'citewell_mini': pip install citewell-mini"
    assert str(caught.value) == needed


def test_a_folder_that_is_no_model_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"there is no model at '.*nowhere': citewell train mini makes such a folder"):
        mini.find(str(tmp_path / "nowhere"), "claim")
    with pytest.raises(UsageError, match=r"there is no model at '.*': citewell train mini makes such a folder"):
        mini.find(str(tmp_path), "claim")
    (tmp_path / mini.SETTINGS).write_text("[1]")
    with pytest.raises(BackendError, match=r"has no mini\.json that names its heads"):
        mini.find(str(tmp_path), "claim")


def test_a_head_that_was_not_trained_is_refused(tmp_path):
    (tmp_path / mini.SETTINGS).write_text('{"heads": ["claim"]}')
    assert mini.find(str(tmp_path), "claim").settings == {"heads": ["claim"]}
    with pytest.raises(UsageError, match="was not trained for this: it knows claim"):
        mini.find(str(tmp_path), "reader")


def test_a_folder_that_was_trained_again_is_read_again(zoo, tmp_path):
    place = without(zoo.mini, tmp_path, claim={"supported": 0.9})
    checker = registry.build("checker", f"mini(model={place})")
    loaded = mini.find(str(place), "claim").loaded()
    assert (checker.least, mini.find(str(place), "claim").loaded() is loaded) == (0.9, True)
    payload = json.loads((place / mini.SETTINGS).read_text())
    (place / mini.SETTINGS).write_text(json.dumps({**payload, "claim": {"supported": 0.2}}))
    later = (place / mini.SETTINGS).stat().st_mtime_ns + 1_000_000_000
    os.utime(place / mini.SETTINGS, ns=(later, later))
    assert checker.least == 0.2
    assert mini.find(str(place), "claim").loaded() is not loaded


def test_odds_do_not_depend_on_what_else_is_in_the_batch(zoo):
    model = mini.find(zoo.mini, "claim")
    texts = [(MILL.text, claim) for claim in CLAIMS] + [("Costs fell.", "Costs fell.")]
    together = model.odds(texts)
    assert together.shape == (4, 2)
    for place, pair in enumerate(texts):
        np.testing.assert_array_equal(model.odds([pair])[0], together[place])
    assert model.odds([]).shape == (0, 2)


def test_an_answer_is_a_stretch_of_the_passage(zoo):
    model = mini.find(zoo.mini, "reader")
    (read, none) = model.answers([(MILL.text, "Who built the mill?"), ("", "Who?")])
    assert 0 <= read.start < read.end <= len(MILL.text)
    assert math.isfinite(read.odds)
    assert none is None


def test_the_best_stretch_never_ends_before_it_begins():
    offsets = [(0, 0), (0, 3), (4, 7), (8, 11), (0, 3)]
    starts, ends = (np.array(column, dtype=np.float32) for column in ([1, 0, 0, 9, 99], [1, 9, 0, 0, 99]))
    # From the third word to the first is not allowed, the question is no passage: one word alone, 9 + 0.
    best = stretch(starts, ends, offsets, range(1, 4), 30)
    assert (best.start, best.end, best.odds) in {(0, 3, 7), (8, 11, 7)}


def test_facts_overrule_the_model(zoo, tmp_path):
    sure = without(zoo.mini, tmp_path, claim={"support": {"words": 0, "model": 0, "shift": 9}, "supported": 0.5})
    verdicts, wrong, _ = check(f"mini(model={sure})")
    assert verdicts.label == "supported"
    assert wrong.label == "not_supported"
    assert [reason.kind for reason in wrong.reasons] == ["date"]
    assert verdicts.method == "mini"
    assert {cited.method for cited in verdicts.citations} == {"mini"}


def test_log_odds_of_words_and_model_are_added_as_the_folder_says(zoo, tmp_path, monkeypatch):
    same = {"words": 1, "model": 0, "shift": 0}
    words = without(zoo.mini, tmp_path, claim={"support": same, "against": same})
    assert [verdict.score for verdict in check(f"mini(model={words})")] == [
        verdict.score for verdict in check("lexical")
    ]


def test_long_evidence_is_read_in_stretches_of_whole_sentences(zoo):
    text = " ".join(f"Boat {number} sailed to Hull with coal and came back with salt." for number in range(40))
    document = Document.from_text(text)
    citations = tuple(document.cite(Span(s.start, s.end), s.id, Span(0, 5)) for s in document.segments("sentence"))
    (verdict,) = registry.build("checker", f"mini(model={zoo.mini})").check(
        [Pair("Boat 39 sailed to Hull with coal.", (document,), citations)]
    )
    assert 0 <= verdict.score <= 1


FAR = " ".join(["It sailed to Hull with coal and came back with salt,"] * 60) + " Ann Reed built the mill in 1870."


def test_what_is_longer_than_the_model_reads_is_read_in_parts_that_overlap(zoo, monkeypatch):
    model = mini.find(zoo.mini, "reader")
    parts = model.parts(FAR, "Who built the mill?")
    assert len(parts) > 1
    assert (parts[0].start, parts[-1].end) == (0, len(FAR))
    for part, following in itertools.pairwise(parts):
        shared = FAR[following.start : part.end]
        assert len(shared.split()) > 3
        assert model.fits(FAR[part.start : part.end], "Who built the mill?")
    marked = []
    monkeypatch.setattr(mini, "stretch", lambda *arguments: marked.append(stretch(*arguments)) or marked[-1])
    (read,) = model.answers([(FAR, "Who built the mill?")])
    assert len(marked) == len(parts)
    part, best = max(zip(parts, marked, strict=True), key=lambda pair: pair[1].odds)
    assert read == (part.start + best.start, part.start + best.end, best.odds)
    assert 0 <= read.start < read.end <= len(FAR)


def test_the_retriever_reads_the_best_by_words_and_leaves_the_others_in_their_order(zoo):
    segments = MILL.segments("sentence")
    query = "When did the mill burn down?"
    by_words = registry.build("retriever", "bm25").rank(query, segments)
    hits = registry.build("retriever", f"mini(model={zoo.mini}, pool=2)").rank(query, segments)
    assert {hit.position for hit in hits[:2]} == {hit.position for hit in by_words[:2]}
    assert hits[2].position == by_words[2].position
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert registry.build("retriever", f"mini(model={zoo.mini})").rank(query, ()) == ()


def test_the_reader_is_named_by_a_spec_and_another_is_refused(zoo):
    reader = registry.build("generator", f'extractive(reader="mini(model={zoo.mini})")')
    draft = reader.generate("When was the mill built?", (MILL,))
    withheld = draft.withheld or draft
    assert withheld.text
    assert all(MILL.text[source.start : source.end] == source.quote for source in withheld.sources)
    assert withheld.confidence != registry.build("generator", "extractive").generate("When was the mill built?", (MILL,)).confidence  # fmt: skip
    for wrong in ("bm25", "mini(pool=3)"):
        with pytest.raises(SpecError, match=r"reader is mini or mini\(model=FOLDER\)"):
            registry.build("generator", f'extractive(reader="{wrong}")')


def test_two_confidences_meet_in_the_middle_of_their_odds():
    assert together(0.8, math.log(0.8 / 0.2)) == pytest.approx(0.8)
    assert together(0.8, math.log(0.2 / 0.8)) == pytest.approx(0.5)
    assert together(0.5, -math.inf) < 1e-9
