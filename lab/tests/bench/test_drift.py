"""Drift: scores that moved are told, those that did not are left alone about as often as the level says."""

from __future__ import annotations

import json

import numpy as np
import pytest

from citewell.cli import main
from citewell.errors import InputError
from citewell.pipeline.promise import BINS, Promise, fingerprint
from citewell_lab.bench import drift

pytest.importorskip("scipy", reason="needs pip install 'citewell-lab[bench]'")


def promise_of(scores, threshold=0.5, method="lexical", of="claims"):
    arguments = int((scores >= threshold).sum())
    return Promise(of, threshold, "any", 0.1, 0.95, method, fingerprint(method), ["salad/test"], "", {}, len(scores),
                   arguments, 0, "0" * 64, np.histogram(scores, BINS, (0, 1))[0].tolist(), "1")  # fmt: skip


def test_the_distance_is_the_greatest_between_both_shares():
    # All ten below 0.5 against all above: at 0.4 every old score is there, and no new one.
    drifted = drift.drift(promise_of(np.full(40, 0.4)), [0.8] * 40)
    assert (drifted.distance, drifted.moved, drifted.reached, drifted.reached_before) == (1.0, True, 1.0, 0.0)
    assert 0.4 <= drifted.at <= 0.41
    assert "The scores have moved" in drifted.words()


def test_scores_of_the_same_source_raise_no_more_alarms_than_the_level_and_shifted_ones_do():
    rng, alarms, caught = np.random.default_rng(5), 0, 0
    for _ in range(200):
        scores = np.round(rng.beta(3, 2, 600), 2)  # rounded: many are equal
        known = promise_of(scores[:300])
        alarms += drift.drift(known, scores[300:], 0.05).moved
        caught += drift.drift(known, scores[300:] * 0.8, 0.05).moved
    assert alarms / 200 <= 0.05 + 2 * (0.05 * 0.95 / 200) ** 0.5
    assert caught > 195


def test_too_few_scores_and_what_is_none_are_refused():
    known = promise_of(np.full(40, 0.4))
    with pytest.raises(InputError, match="29 scores are too few to tell a drift: 30 at least"):
        drift.drift(known, [0.5] * 29)
    with pytest.raises(InputError, match="between 0 and 1"):
        drift.drift(known, [1.5] * 30)


def test_a_file_that_has_no_results_is_told_in_a_sentence(tmp_path):
    path = tmp_path / "results.jsonl"
    with pytest.raises(InputError, match="cannot be read: No such file or directory$"):
        drift.scores(path, "answers")
    path.write_bytes(b"\xff")
    with pytest.raises(InputError, match="it is not UTF-8 text"):
        drift.scores(path, "answers")
    path.write_text('0.5\n{"abstention": "no"}', encoding="utf-8")
    with pytest.raises(InputError, match="line 2: no result with scores of answers"):
        drift.scores(path, "answers")
    path.write_text('{"question": "a\u2028b\x85c", "confidence": 0.5}\r\n0.25\n', encoding="utf-8")
    assert drift.scores(path, "answers") == [0.5, 0.25]


def test_scores_are_read_from_results_rows_and_records(tmp_path):
    path = tmp_path / "results.jsonl"
    answers = [
        0.25,
        {"confidence": 0.5, "abstention": None, "statements": []},
        {"confidence": None, "abstention": {"score": 0.125}},
        {"id": "3", "result": {"confidence": 0.75}},
        {"id": "4", "error": {"type": "InputError", "message": "no"}},
        {"id": "5", "group": "", "failed": "no"},
    ]
    path.write_text("\n".join(map(json.dumps, answers)) + "\n\n")
    assert drift.scores(path, "answers") == [0.25, 0.5, 0.125, 0.75]
    claims = [
        {"claim": "x", "label": "supported", "score": 0.5},
        {"claim": "y", "label": "not_supported", "score": 0.1},
        {"verdicts": [{"label": "supported", "score": 0.75}]},
        {"statements": [{"label": "supported", "score": 1.0}, {"label": "contradicted", "score": 0.0}]},
        {"called": ["Entailment"], "scores": {"Entailment": 0.25, "Contradiction": 0.1}, "label": "Entailment"},
    ]
    path.write_text("\n".join(map(json.dumps, claims)))
    assert drift.scores(path, "claims") == [0.5, 0.75, 1.0, 0.25]
    path.write_text(
        json.dumps({"verdicts": [{"label": "supported", "score": 0.75}, {"label": "supported", "score": 0.5}]})
    )
    assert len(drift.scores(path, "claims")) == 1
    for line in ('{"confidence": null}', "[]", "x", '"x"', "{}"):
        path.write_text(f"0.5\n{line}")
        with pytest.raises(InputError, match="line 2: no result with scores of answers"):
            drift.scores(path, "answers")
    with pytest.raises(InputError, match="cannot be read"):
        drift.scores(tmp_path / "no.jsonl", "answers")


def test_the_command_says_it_and_its_exit_code_too(tmp_path, capsys):
    scores, promised = tmp_path / "scores.jsonl", tmp_path / "promise.json"
    known = np.random.default_rng(1).beta(3, 2, 200)
    promised.write_text(json.dumps(promise_of(known).to_dict()))
    scores.write_text("\n".join(map(str, known[:100])))
    args = ["calibrate", "lexical", "--watch", str(scores), "--promise", str(promised)]
    assert main(args) == 0
    assert "The scores have not moved" in capsys.readouterr().out
    scores.write_text("\n".join(map(str, known[:100] / 2)))
    assert main([*args, "--json"]) == 3
    out, err = capsys.readouterr()
    assert json.loads(out)["moved"] is True
    assert "have left those of the promise" in err
    assert main(["calibrate", "nli", "--watch", str(scores), "--promise", str(promised)]) == 2
    assert "was made for lexical, not nli" in capsys.readouterr().err
    assert main([*args, "--csv"]) == 2
    assert "--csv prints a table, which" in capsys.readouterr().err
    assert main(["calibrate", "lexical", "--watch", str(scores), "--task", "salad"]) == 2
    assert "give one of --task, --corrections and --watch" in capsys.readouterr().err
