"""The small judge's folder and readings, and the checker that adds it to words and facts, without any weights."""

import json
import sys

import pytest

from citewell import registry
from citewell.checkers.small import SmallJudgeChecker
from citewell.document import Document
from citewell.errors import BackendError, MissingExtraError, UsageError
from citewell.models import small_judge
from citewell.models.small_judge import Reading
from citewell.protocols import Pair

MILL = Document.from_text("The mill was built in 1870 by Ann Reed. It burned down in 1912 and nobody built it again.")
SETTINGS = {"evidence_tokens": 8, "claim_tokens": 6, "layers": 2, "shared": 1, "width": 4}


class Words:
    """A tokenizer of words between blanks, with their offsets."""

    def encode(self, text):
        ids, offsets, start = [], [], 0
        for word in text.replace("\n", " ").split(" "):
            if word:
                ids.append(len(word))
                offsets.append((start, start + len(word)))
            start += len(word) + 1
        return type("Encoding", (), {"ids": ids, "offsets": offsets})()

    def token_to_id(self, text):
        return {"<|im_start|>": 1, "<|im_end|>": 2}[text]


class Graph:
    """A graph that supports a claim by the tokens that it was given before it."""

    def __init__(self):
        self.calls = []

    def run(self, names, inputs):
        rows, length = inputs["ids"].shape
        before = inputs["past"].shape[4]
        self.calls.append((rows, before))
        np = pytest.importorskip("numpy")
        logits = np.zeros((rows, 3), dtype=np.float32)
        logits[:, 0] = before
        kept = np.zeros((2, 2, rows, 1, length, 4), dtype=np.float32)
        return [logits, kept]


class Fake:
    """A judge with the same log odds for every claim."""

    settings = {}  # noqa: RUF012  (as the real one has them)

    def __init__(self, support, **settings):
        self.support, self.settings = support, settings

    def parts(self, sentences):
        return [" ".join(sentences)]

    def read(self, evidence, claims):
        assert evidence in MILL.text
        return [Reading(self.support, -9.0) for _ in claims]


@pytest.fixture
def judge(tmp_path, monkeypatch):
    (tmp_path / small_judge.SETTINGS).write_text(json.dumps(SETTINGS))
    (tmp_path / small_judge.GRAPH).write_bytes(b"")
    (tmp_path / "tokenizer.json").write_bytes(b"")
    graph = Graph()
    monkeypatch.setattr(small_judge, "_loaded", lambda path, written: (graph, Words()))
    found = small_judge.find(str(tmp_path))
    found._past.clear()
    return found, graph


def checked(monkeypatch, fake, claim, **kwargs):
    monkeypatch.setattr(small_judge, "find", lambda model: fake)
    (verdict,) = SmallJudgeChecker(**kwargs).check([Pair(claim, (MILL,))])
    return verdict


def test_without_a_folder_and_a_package_the_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, small_judge.PACKAGE, None)
    with pytest.raises(MissingExtraError, match="pip install citewell-judge"):
        registry.build("checker", "judge-small")


def test_a_folder_without_a_judge_is_named(tmp_path):
    with pytest.raises(UsageError, match="there is no judge at .*: citewell train judge makes such a folder"):
        small_judge.find(str(tmp_path / "nowhere"))
    (tmp_path / small_judge.SETTINGS).write_text("[1]")
    with pytest.raises(UsageError, match="there is no judge at"):  # its graph is missing
        small_judge.find(str(tmp_path))
    for name in (small_judge.GRAPH, "tokenizer.json"):
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(BackendError, match=r"has no judge\.json that gives evidence_tokens"):
        small_judge.find(str(tmp_path))


def test_evidence_is_read_once_for_all_claims_over_it(judge):
    read, graph = judge
    readings = read.read("The mill burned.", ["It burned.", "It was sold.", "Nobody knows."])
    assert len(readings) == 3
    read.read("The mill burned.", ["It still stands."])
    read.read("Another text.", ["It still stands."])
    assert [before for _, before in graph.calls] == [0, 5, 5, 0, 4]


def test_evidence_of_the_past_makes_room_for_new(judge):
    read, graph = judge
    for number in range(20):
        read.read(f"Text {number}.", ["A claim."])
    assert len(read._past) < 20
    graph.calls.clear()
    read.read("Text 19.", ["A claim."])
    read.read("Text 0.", ["A claim."])
    assert [before for _, before in graph.calls] == [4, 0, 4]


def test_sentences_are_joined_as_far_as_they_fit(judge):
    read, _ = judge
    assert read.parts(["one two three", "four five", "six seven eight nine ten eleven twelve", "end"]) == [
        "one two three four five",
        "six seven eight nine ten eleven twelve",
        "end",
    ]


def test_alone_the_probability_is_the_models(monkeypatch):
    claim = "A storm flooded the mill of Ann Reed."
    verdicts = [checked(monkeypatch, Fake(odds), claim, alone=True, threshold=0.5) for odds in (6.0, -6.0)]
    assert [verdict.label == "supported" for verdict in verdicts] == [True, False]
    assert verdicts[0].method == "judge-small"
    assert verdicts[0].score > 0.99


def test_a_fact_that_is_turned_round_stays_a_contradiction_whatever_the_model_says(monkeypatch):
    verdict = checked(monkeypatch, Fake(20.0), "The mill was built in 1871 by Ann Reed.")
    assert verdict.label == "contradicted"


def test_where_words_and_model_disagree_nothing_is_supported(monkeypatch):
    claim = "A storm flooded the mill of Ann Reed."
    model_alone = {"words": 0.0, "model": 1.0, "shift": 0.0}

    def verdict(apart):
        return checked(monkeypatch, Fake(9.0, blend={"support": model_alone, "apart": apart}), claim, threshold=0.9)

    assert verdict(2.0).label == "supported"
    assert verdict(0.1).label in ("partially_supported", "not_supported")
    assert verdict(0.1).score < verdict(2.0).score
