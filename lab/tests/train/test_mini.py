"""`citewell train mini`: families of claims, windows of passages, what a batch costs, a run that goes on."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from citewell.errors import InputError, UsageError
from citewell.text.data import read_json
from citewell.types import Span
from citewell_lab.bench.flips import Change
from citewell_lab.train.checker.changed import ORIGINAL
from citewell_lab.train.checker.rows import Row
from citewell_lab.train.mini import blend, claims, data, questions
from citewell_lab.train.mini.encoding import IGNORED, Batch, Coder, Item, batches, sized
from citewell_lab.train.mini.examples import (
    CONTRADICTED,
    NEITHER,
    OPEN,
    SUPPORTED,
    Examples,
    Family,
    Judged,
    Question,
    Ranking,
)
from citewell_lab.train.mini.fit import HEADS, Course, rate
from citewell_lab.train.mini.questions import Asked

MILL = Row(
    "fever", "wiki:Mill", "The mill burned down in 1870.", ("Mill", "In 1870 the mill burned down."), "supported"
)
TEXT = (
    "The harbour was built in 1870 by Ann Reed. It froze every winter. Ships brought coal from Hull. "
    "A storm broke its wall in 1912. Nobody mended the wall for years."
)


def lines(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def test_a_changed_fact_makes_the_changed_claim_true_where_the_evidence_is_changed_alike():
    original = claims.judged(MILL)
    changed = Change("year", "The mill burned down in 1907.", (Span(24, 28),), (Span(24, 28),))
    mirrored, turned = claims.in_evidence(original, changed)
    assert mirrored == Judged("Mill In 1907 the mill burned down.", "The mill burned down in 1907.", SUPPORTED, ())
    assert turned.claim == MILL.claim
    assert (turned.evidence, turned.label) == (mirrored.evidence, CONTRADICTED)
    assert [turned.claim[span.start : span.end] for span in turned.wrong] == ["1870"]


def test_evidence_that_lacks_the_changed_words_is_left_as_it_is():
    changed = Change("entity", "The barn burned down in 1870.", (Span(4, 8),), (Span(4, 8),))
    assert claims.in_evidence(Judged("Fire destroyed it in 1870.", MILL.claim, SUPPORTED), changed) is None


def test_a_family_begins_with_its_claim_and_marks_what_is_wrong_in_the_others():
    (family,) = claims.contrasted([MILL], seed=0)
    first, *others = family.members
    assert (first.claim, first.label, first.wrong) == (MILL.claim, SUPPORTED, ())
    same_evidence = [member for member in others if member.evidence == first.evidence]
    false = [member for member in same_evidence if member.label != SUPPORTED]
    assert false
    for member in false:
        assert all(member.claim[span.start : span.end].strip() for span in member.wrong)
        assert member.claim != first.claim
    assert all(member.wrong == () for member in same_evidence if member.label == SUPPORTED)


def test_a_claim_that_is_not_supported_stands_alone_with_what_its_set_says():
    silence, denial = MILL._replace(label="not", set="scone"), MILL._replace(label="contradicted")
    neutral = MILL._replace(label="not", set="snli")
    families = claims.contrasted([silence, denial, neutral], seed=0)
    assert [[member.label for member in family.members] for family in families] == [[OPEN], [CONTRADICTED], [NEITHER]]


def test_silent_evidence_is_of_the_same_page_and_never_the_evidence_itself():
    page = ["In 1870 the mill burned down.", "The mill had stood by the river.", "Its owner built another mill later.",
            "The river floods every spring there."]  # fmt: skip
    families = claims.silent([MILL], {"Mill": page}, 10, seed=0)
    assert [member.label for family in families for member in family.members] == [NEITHER]
    evidence = families[0].members[0].evidence
    assert "burned" not in evidence
    assert any(sentence in evidence for sentence in page[1:])


def test_groups_that_share_something_with_a_set_left_out_are_not_trained_on(tmp_path):
    def fever(number, claim):
        evidence = {"text": f"Sentence number {number} .", "docid": f"Page {number}"}
        return {"evidences": [[evidence]], "query": claim, "classification": "REFUTES"}

    edited = {"premise": "It is blue .", "hypothesis": "Shared claim .", "label": "contradiction"}
    for name in ("generated", "dev"):
        lines(tmp_path / f"fever_symmetric/{name}.jsonl", [edited])
    lines(tmp_path / "fever/val.jsonl", [fever(n, f"Claim {n} ." if n else "Shared claim .") for n in range(41)])
    train, other = data.parts(tmp_path)
    assert {row.claim for row in train.rows}.isdisjoint({"Shared claim."})
    assert {row.claim for row in other.rows} >= {"Shared claim."}
    assert 20 < len(train.rows) < 41  # a share of the groups is kept to measure with
    assert {row.group for row in train.rows}.isdisjoint({row.group for row in other.rows})


def test_pages_of_a_set_left_out_are_not_trained_on_in_another_that_has_them(tmp_path):
    def oracle(title):
        return {"question": "when did it burn", "answers": ["1870"], "ctxs": [{"title": title, "text": "In 1870."}]}

    lines(tmp_path / "nq_open_oracle/oracle.jsonl", [oracle("Mill")] + [oracle(f"Barn {n}") for n in range(30)])
    lines(tmp_path / "clapnq/dev_answerable.jsonl", [{"passages": [{"title": "Mill", "text": "It burned."}]}])
    train, other = data.parts(tmp_path)
    assert "nq:Mill" in {row.group for row in other.asked}
    assert "nq:Mill" not in {row.group for row in train.asked}
    assert len(train.asked) > 20


def test_heads_for_which_nothing_is_there_are_refused():
    with pytest.raises(InputError, match="the data has nothing to learn from for reader"):
        Course(Examples([family(5)], [], [], []), Coder(Letters(), 40), 0, ["reader"])


def test_a_folder_without_the_sets_is_refused(tmp_path):
    with pytest.raises(InputError, match="has none of the sets"):
        data.parts(tmp_path)


def test_an_answer_stays_where_it_stands_in_the_window_and_absent_ones_have_none():
    start = TEXT.index("Ann Reed")
    question = [
        Asked("squad2", f"g{n}", TEXT, f"Who built harbour {n}?", Span(start, start + len("Ann Reed")))
        for n in range(30)
    ]
    for row in question:
        (first, *absent) = questions.windows([row], seed=0)
        assert first.passage[first.answer.start : first.answer.end] == "Ann Reed"
        assert all(window.answer is None and window.question != row.question for window in absent)
    assert any(window.answer is None for window in questions.windows(question, seed=0))


def test_a_ranking_has_the_sentence_of_the_answer_first_and_no_other_with_it():
    text = TEXT + " " + " ".join(f"Boat {n} sailed out at dawn." for n in range(6))
    start = text.index("1912")
    (ranking,) = questions.rankings(
        [Asked("squad2", "g", text, "When did a storm break it?", Span(start, start + 4))], 0
    )
    assert ranking.passages[0] == "A storm broke its wall in 1912."
    assert len(ranking.passages) == 6
    assert not any("1912" in passage for passage in ranking.passages[1:])


def test_the_rate_rises_then_falls_to_nothing():
    assert rate(0) == 0
    assert rate(0.03) == pytest.approx(1)
    assert rate(0.515) == pytest.approx(0.5)
    assert rate(1) == 0


def family(words, claims=1):
    return Family("s", "g", tuple(Judged("w " * words, "c", SUPPORTED) for _ in range(claims)))


def test_batches_hold_all_once_a_round_and_no_more_tokens_than_told():
    coder = Coder(Letters(), 200)
    examples = [family(words) for words in range(1, 60)]
    coming = batches(sized(examples, coder), 100, "0")
    result = []
    while len(result) < len(examples):
        batch = next(coming)
        longest = max(len(item.ids) for result in batch for item in coder(result))
        assert len(batch) == 1 or len(batch) * longest <= 100
        result += batch
    assert sorted(len(result.members[0].evidence) for result in result) == [2 * words for words in range(1, 60)]


class Letters:
    """A stand-in for the tokenizer: a token a word."""

    def __call__(self, text, pair=None, *, add_special_tokens=True, truncation=False, max_length=None,
                 return_offsets_mapping=False):  # fmt: skip
        del add_special_tokens, truncation, return_offsets_mapping
        parts = [(text, 0)] + ([(pair, 1)] if pair is not None else [])
        rows = [(0, 0, (0, 0))]
        for part, kind in parts:
            at = 0
            for word in part.split():
                start = part.index(word, at)
                at = start + len(word)
                rows.append((len(word), kind, (start, at)))
            rows.append((1, kind, (0, 0)))
        rows = rows[: max_length or None]
        return {"input_ids": [row[0] for row in rows], "token_type_ids": [row[1] for row in rows],
                "offset_mapping": [row[2] for row in rows], "attention_mask": [1] * len(rows)}  # fmt: skip


def test_an_example_from_which_reading_leaves_nothing_is_in_no_batch():
    cut = Question("s", "g", "It was built " * 20 + "by Ann.", "By whom?", Span(263, 266))
    (measured,) = sized([cut, family(3, claims=2)], Coder(Letters(), 40))
    assert (measured.longest, measured.pairs) == (7, 2)


def test_wrong_words_and_answers_become_tokens():
    coder = Coder(Letters(), 40)
    family = Family("s", "g", (Judged("It was red.", "It was blue.", CONTRADICTED, (Span(7, 12),)),))
    ((item,),) = [coder(family)]
    assert item.wrong == (IGNORED,) * 5 + (0, 0, 1, IGNORED)
    ((item,),) = [coder(Question("s", "g", "It was built by Ann Reed.", "By whom?", Span(16, 24)))]
    assert item.answer == (5, 6)
    assert coder(Question("s", "g", "It was built " * 20 + "by Ann.", "By whom?", Span(263, 266))) == ()
    items = coder(Ranking("s", "g", "By whom?", ("By Ann.", "In 1870.")))
    assert [item.label for item in items] == [1, 0]


def test_tasks_take_turns_by_their_shares_and_a_run_goes_on_where_it_stopped():
    examples = Examples([family(5)] * 50, [family(6, 2)] * 50, [Question("s", "g", "a b c", "d", None)] * 50, [])
    coder = Coder(Letters(), 40)
    first = Course(examples, coder, 0)
    taken = [first.next(first=False).task for _ in range(12)]
    assert set(taken) == {"entailment", "contrast", "questions"}
    assert taken.count("contrast") >= taken.count("entailment")
    again = Course(examples, coder, 0)
    again.skip(first.taken, first.spent)
    assert [again.next(first=False).task for _ in range(6)] == [first.next(first=False).task for _ in range(6)]
    assert Course(examples, coder, 0, ["claim"]).next(first=True).task == "entailment"
    assert {task for tasks in HEADS.values() for task in tasks} == set(read_json("citewell_lab.train.mini", "settings.json")["mix_then"])  # fmt: skip


@pytest.mark.models
def test_a_claim_that_is_only_known_not_to_hold_costs_nothing_for_either_class():
    torch = pytest.importorskip("torch")
    from citewell_lab.train.mini.network import loss

    def cost(label, logits):
        batch = Batch("entailment", ((Item([1], [1], label),),), 1)
        none = torch.zeros(1, 1)
        return float(loss(batch, (torch.tensor([logits]), none, none, none), "cpu"))

    assert cost(SUPPORTED, [0.0, 0.0, 0.0]) == pytest.approx(math.log(3))
    assert cost(OPEN, [0.0, 0.0, 0.0]) == pytest.approx(math.log(1.5))
    assert cost(OPEN, [0.0, 9.0, 0.0]) == pytest.approx(cost(OPEN, [0.0, 0.0, 9.0]))


@pytest.mark.models
def test_a_false_claim_is_held_below_the_true_one_of_its_family():
    torch = pytest.importorskip("torch")
    from citewell_lab.train.mini.network import loss

    def cost(groups, logits):
        none = torch.zeros(len(logits), 1)
        return float(loss(Batch("contrast", groups, 2), (torch.tensor(logits), none, none, none), "cpu"))

    true, false = Item([1], [1], SUPPORTED), Item([1], [1], CONTRADICTED)
    same = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    # No distance between the odds: the whole margin of 1, half of it counts.
    assert cost(((true, false),), same) - cost(((true,), (false,)), same) == pytest.approx(0.5)
    apart = [[5.0, 0.0, 0.0], [0.0, 5.0, 0.0]]
    assert cost(((true, false),), apart) == pytest.approx(cost(((true,), (false,)), apart))


@pytest.fixture(scope="module")
def run(zoo, tmp_path_factory):
    """A run of a moment on the tiny encoder, stopped and gone on with, and its model's folder."""
    from citewell_lab.train.mini.fit import train
    from citewell_lab.train.mini.publish import publish

    pytest.importorskip("onnxscript")
    out = tmp_path_factory.mktemp("mini") / "run"
    listed = Examples(
        claims.single([MILL]),
        claims.contrasted([MILL], 0),
        [Question("s", "g", "It was built by Ann Reed.", "By whom?", Span(16, 24))],
        [Ranking("s", "g", "By whom?", ("By Ann.", "In 1870."))],
    )
    encoder = Path(zoo.encoder)
    train(listed, encoder, out, minutes=0.005, device="cpu")
    model = train(listed, encoder, out, minutes=0.01, device="cpu", resume=True)
    difference = publish(model, encoder, out / "model", list(HEADS), {"made_by": "a test"})
    return out, model, difference


@pytest.mark.slow
def test_a_run_goes_on_and_its_graph_gives_the_scores_of_torch(run):
    out, _, difference = run
    steps = [json.loads(line)["steps"] for line in (out / "losses.jsonl").read_text().splitlines()]
    assert len(steps) == 2
    assert steps[0] < steps[1]
    assert difference < 1e-4
    assert json.loads((out / "model/mini.json").read_text())["heads"] == list(HEADS)
    assert str(out.parent.parent) not in (out / "model/config.json").read_text()


@pytest.mark.slow
def test_a_finished_folder_is_not_written_over(run, zoo):
    from citewell_lab.train.mini.fit import train
    from citewell_lab.train.mini.publish import publish

    out, model, _ = run
    with pytest.raises(UsageError, match="holds a run: --resume goes on with it"):
        train(Examples([], [], [], []), Path(zoo.encoder), out, minutes=1)
    with pytest.raises(UsageError, match="holds a run of seed 0 and heads claim, reader, relevance: go on with"):
        train(
            Examples(claims.single([MILL]), [], [], []), Path(zoo.encoder), out, minutes=1, heads=["claim"], resume=True
        )
    with pytest.raises(UsageError, match="has no run to go on with"):
        train(Examples([], [], [], []), Path(zoo.encoder), out / "new", minutes=1, resume=True)
    with pytest.raises(UsageError, match="exists already"):
        publish(model, Path(zoo.encoder), out / "model", [], {})


@pytest.mark.slow
def test_the_model_of_a_run_answers_without_torch(run):
    from citewell.models import mini

    model = mini.find(str(run[0] / "model"), "claim")
    odds = model.odds([("In 1870 the mill burned down.", "The mill burned down."), ("a", "b")])
    assert odds.shape == (2, 2)
    assert (odds[0] != odds[1]).any()
    (answer,) = model.answers([("It was built by Ann Reed.", "By whom?")])
    assert 0 <= answer.start < answer.end <= len("It was built by Ann Reed.")
    assert model.relevance([("By Ann.", "By whom?")]).shape == (1,)


def drawn_odds(count, *, words, model):
    """Claims of two sets whose log odds are noise about +1 or -1, times how much each side knows."""
    chance = np.random.default_rng(0)
    label = chance.choice(["supported", "contradicted", "not"], size=count, p=[0.5, 0.25, 0.25])
    sign = np.stack([np.where(label == "supported", 1, -1), np.where(label == "contradicted", 1, -1)], axis=1)
    rows = [
        Row(f"set{n % 2}", f"g{n}", "c", ("e",), result, kind="" if n % 3 else ORIGINAL)
        for n, result in enumerate(label)
    ]
    return blend.Odds(rows, *(sign * knows + chance.normal(size=(count, 2)) for knows in (words, model)))


def test_words_and_model_count_by_what_they_know():
    counts = blend.fitted(drawn_odds(4000, words=1.0, model=1.0))
    # Two measures of one spread about +1 and -1: the log odds of each is twice its value.
    for name in ("support", "against"):
        assert counts[name]["words"] == pytest.approx(2.0, abs=0.2)
        assert counts[name]["model"] == pytest.approx(2.0, abs=0.2)
        assert counts[name]["shift"] == pytest.approx(0.0, abs=0.2)


def test_what_speaks_against_the_truth_counts_nothing():
    counts = blend.fitted(drawn_odds(2000, words=1.0, model=-1.0))
    assert counts["support"]["model"] == 0.0
    assert counts["support"]["words"] > 1


def test_the_threshold_keeps_three_quarters_of_the_claims_that_were_changed():
    odds = drawn_odds(3000, words=1.0, model=1.0)
    counts = blend.fitted(odds)
    labels = blend.labels(odds, counts)
    original = np.array([row.kind == ORIGINAL for row in odds.rows])
    kept = (blend.support(odds, counts["support"])[original] >= labels["supported"]).mean()
    assert kept == pytest.approx(0.75, abs=0.01)
    alone = (1 / (1 + np.exp(-odds.model[original, 0])) >= labels["alone"]).mean()
    assert alone == pytest.approx(0.75, abs=0.01)


def test_too_few_claims_are_refused():
    with pytest.raises(InputError, match="too few claims to fit on: 20 and more that are supported"):
        blend.fitted(drawn_odds(20, words=1.0, model=1.0))


@pytest.mark.slow
def test_the_model_is_read_by_the_checkers_path_over_claims_that_were_kept_back(run):
    out, _, _ = run
    blank = MILL._replace(evidence=("Nothing.",), claim="Quartz hums.")
    odds = blend.odds([MILL, blank], out / "model")
    assert next(row.claim for row in odds.rows) == MILL.claim
    assert odds.words.shape == odds.model.shape == (len(odds.rows), 2)
    assert np.isfinite(odds.model).all()
