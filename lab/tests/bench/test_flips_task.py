"""The task `flips`: claims that people found supported in other data sets, and the same with one fact changed."""

import pytest

from bench import benchdata
from bench.benchdata import Share, words
from citewell.errors import InputError
from citewell.types import Verdict
from citewell_lab.bench.everything import everything
from citewell_lab.bench.flips import supported
from citewell_lab.bench.metrics.kept import threshold_at_kept
from citewell_lab.bench.records import items
from citewell_lab.bench.run import run
from citewell_lab.bench.tasks import task


class Digits:
    """Supported where the evidence has every number of the claim; the score is the share of its words there."""

    name = "digits"

    def check(self, pairs):
        verdicts = []
        for claim, evidence, *_ in pairs:
            have = words(" ".join(document.text for document in evidence))
            numbers = {word for word in words(claim) if word.isdigit()}
            label = "supported" if numbers <= have else "contradicted"
            verdicts.append(Verdict(claim, label, len(words(claim) & have) / len(words(claim))))
        return verdicts


def test_flips_are_made_of_supported_claims_and_scored_by_kind_and_by_set(tmp_path):
    benchdata.supported(tmp_path)
    result = run("flips", tmp_path, "dev", checker=Digits(), out=tmp_path / "run")
    metrics = result.scores.metrics
    assert set(metrics) == {
        "kept", "caught", "caught_number", "caught_year", "caught_negation", "caught_direction", "caught_at_kept_75",
        "false_pass", "false_strip",
    }  # fmt: skip
    assert set(result.scores.unscored) == {f"caught_{kind}" for kind in ("magnitude", "entity", "roles", "quantifier")}
    assert metrics["kept"] == metrics["caught_number"] == metrics["caught_year"] == 1
    assert metrics["caught_negation"] == metrics["caught_direction"] == metrics["false_strip"] == 0
    # Two claims, each with a number or a year, a negation and a direction: two of six are seen by their digits.
    assert metrics["caught"] == pytest.approx(2 / 6)
    assert metrics["false_pass"] == pytest.approx(4 / 6)
    assert metrics["caught_at_kept_75"] == 1  # every change puts in a word that the evidence lacks
    assert result.scores.by_group["wice"]["n"] == 3
    assert result.scores.by_group["original"] == {"n": 2, "kept": 1}


def test_a_flip_follows_its_original_and_its_record_holds_the_changed_claim(tmp_path):
    benchdata.supported(tmp_path)
    run("flips", tmp_path, "dev", checker=Digits(), out=tmp_path / "run")
    records = items(tmp_path / "run")
    original, *changed = records[:4]
    assert original["group"] == "original"
    assert original["claim"] in ("Net sales increased by 4 units.", "The output increased in 1990.")
    for record in changed:
        assert record["id"] == f"{original['id']}:{record['group']}"
        assert record["claim"] != original["claim"]


def test_the_same_files_give_the_same_flips(tmp_path):
    benchdata.supported(tmp_path)
    source = task("flips").data
    paths = source.files(tmp_path, "dev")
    assert [item.claim for item in source.items(paths, "dev")] == [item.claim for item in source.items(paths, "dev")]
    assert set(source.checksums(tmp_path, paths)) == {"wice/claim/dev.jsonl", "scifact/dev.jsonl"}


def test_flips_say_that_there_is_nothing_to_change(tmp_path):
    row = {"claim": "Why?", "label": "supported", "evidence": ["t", "Why?"], "supporting_sentences": [[1]]}
    benchdata.lines(tmp_path / "wice" / "claim" / "dev.jsonl", [row])
    with pytest.raises(InputError, match="no items for flips"):
        run("flips", tmp_path, "dev", checker=Share())
    with pytest.raises(InputError, match="split of any data set with supported claims"):
        run("flips", tmp_path, "test", checker=Share())


def test_sets_that_no_task_reads_give_their_supported_claims(tmp_path):
    rows = [
        {"text": "It opened in 1990.", "label": "SUPPORTS", "wikipedia_page": "The_Mill",
         "gold_evidence": [{"text": "The mill opened in 1990."}]},
        {"text": "It closed in 1990.", "label": "REFUTES", "wikipedia_page": "The_Mill", "gold_evidence": []},
    ]  # fmt: skip
    benchdata.lines(tmp_path / "fm2" / "dev.jsonl", rows)
    stances = [{"claim": "Oil floats.", "evidence": "Oil floats.", "stance": stance}
               for stance in ("refute", "completely-support", "irrelevant")]  # fmt: skip
    benchdata.lines(tmp_path / "factcheckbench" / "claim_evidence_stance.jsonl", stances)
    (fm2, factcheckbench) = supported.by_set(supported.gather(tmp_path, "dev")).items()
    (claim,) = supported.claims(*fm2)
    assert (claim.id, claim.claim, claim.sentences()[-1]) == ("dev:0", "It opened in 1990.", "The mill opened in 1990.")
    assert [claim.id for claim in supported.claims(*factcheckbench)] == ["claim_evidence_stance:1"]


def test_tables_leave_out_what_is_made_from_other_tasks_unless_it_is_named(tmp_path):
    benchdata.supported(tmp_path)
    out = tmp_path / "runs"
    assert "flips" not in {outcome.task for outcome in everything(tmp_path, "dev", out, checkers=["lexical"])}
    (outcome,) = everything(tmp_path, "dev", out, tasks=["flips"], checkers=["lexical"])
    assert outcome.result.n == 8


def test_the_threshold_keeps_the_share_that_is_asked_for():
    scores = [0.9, 0.8, 0.7, 0.1]
    assert threshold_at_kept(scores) == 0.7
    assert threshold_at_kept(scores, 0.5) == 0.8
    assert threshold_at_kept(scores, weights=[1, 1, 1, 9]) == 0.1
    with pytest.raises(ValueError, match="at least one"):
        threshold_at_kept([])
