"""ADiOSAA's tables, and the choice of its settings, on data whose figures are counted by hand."""

import json

import pytest

from bench import benchdata
from citewell.cli import main
from citewell_lab.papers.adiosaa import tables, tuning
from citewell_lab.papers.published import figures

# Two answers; the second sentence of the first is supported by two sentences of the page.
PAGE = "Mills grind corn. Mills need wind. Dogs bark. Mills stand on hills."


def page(folder, split="dev"):
    base = {"query": "mills", "source_url": "u", "source_text": PAGE, "source_supports_statement": "complete_support"}
    answer = "A mill grinds corn. A mill needs wind on hills."
    rows = [
        {**base, "response": answer, "statement": "A mill grinds corn.", "source_localized_evidence": "Mills grind corn."},
        {**base, "response": answer, "statement": "A mill needs wind on hills.",
         "source_localized_evidence": "Mills need wind.\nMills stand on hills."},
        {**base, "response": "Dogs bark.", "statement": "Dogs bark.", "source_localized_evidence": "Dogs bark."},
    ]  # fmt: skip
    benchdata.lines(folder / "verifiability" / f"verifiability_judgments_{split}.jsonl", rows)


def test_table_2_counts_the_data_under_the_papers_row(tmp_path):
    page(tmp_path)
    benchdata.hagrid(tmp_path)
    (table,) = tables.statistics(tmp_path).tables
    assert [row[0] for row in table.rows] == ["verifiability dev", "verifiability dev", "hagrid dev", "hagrid dev"]
    assert table.whose == ("paper", "ours") * 2
    assert table.rows[0][1:] == tuple(figures("adiosaa")["statistics"]["verifiability"]["dev"])
    # One question of four sentences; two sentences with one and two sources; three sentences in two answers.
    assert table.rows[1][1:] == (1, 4.0, 1.5, 1.5, 2.0)
    # One answer of two sentences and one copied whole, with one and two sources, over two passages.
    assert table.rows[3][1:] == (1, 2.0, 1.5, 3.0, 1.0)


def test_table_4_shows_the_units_of_a_decomposer_under_the_papers():
    (table,) = tables.samples("none").tables
    ours = [row[2] for row, whose in zip(table.rows, table.whose, strict=True) if whose == "ours"]
    assert ours == [sample["sentence"] for sample in figures("adiosaa")["decompositions"]]
    assert len(table.rows) == 4 + 3 + 2 + 3 + 4
    assert "Ontario" in table.rows[-2][2]


def test_table_5_is_the_share_of_pairs_that_are_judged_right(tmp_path):
    rows = [("Mills grind corn.", "Mills grind corn.", "entailment"), ("Mills grind corn.", "Dogs bark.", "neutral"),
            ("Mills grind corn.", "Mills grind corn.", "contradiction"), ("A.", " ", "neutral")]  # fmt: skip
    path = tmp_path / "pairs" / "dev.jsonl"
    benchdata.lines(path, [dict(zip(("premise", "hypothesis", "label"), row, strict=True)) for row in rows])
    (table,) = tables.accuracy("lexical", [path]).tables
    assert table.rows[-1] == ("lexical on pairs/dev.jsonl", 2 / 3, 3)
    assert [row[1] for row in table.rows[:-1]] == list(figures("adiosaa")["docnli accuracy"].values())


def test_settings_are_chosen_by_the_mean_f1_of_all_that_were_tried(tmp_path):
    page(tmp_path)
    report = tuning.tune("verifiability", tmp_path, method="entailment(decompose=none)")
    (table,) = report.tables
    assert len(table.rows) == len(tuning.DELTAS) * len(tuning.THRESHOLDS)
    best = max(row[4] for row in table.rows)
    chosen = [row for row in table.rows if row[5] == "chosen"]
    assert [row[4] for row in chosen] == [best]
    assert chosen[0][0] == ", ".join(f"{key} {value:g}" for key, value in report.record["chosen"].items())
    # The lexical checker finds the source of the first sentence; with delta 0.5 no set has two.
    strict = next(row for row in table.rows if row[0] == "delta 0.5, threshold 0")
    assert strict[1] == pytest.approx((1 + 2 / 3) / 2)


def test_a_threshold_for_single_sentences_is_chosen_without_selection(tmp_path):
    page(tmp_path)
    report = tuning.tune("verifiability", tmp_path, method="adiosaa(checker=lexical, decompose=clauses)")
    assert [table.id for table in report.tables] == ["tuning-sets", "tuning-singles"]
    assert set(report.record["chosen"]) == {"delta", "threshold"}
    assert report.record["settings"] == "delta={delta:g}, threshold={threshold:g}".format(**report.record["chosen"])


def test_every_pair_is_judged_once_whatever_the_settings(tmp_path, monkeypatch):
    from citewell.checkers.lexical import LexicalChecker

    page(tmp_path)
    calls = []
    check = LexicalChecker.check

    def counted(self, pairs):
        calls.extend((pair.claim, pair.evidence[0].text) for pair in pairs)
        return check(self, pairs)

    monkeypatch.setattr(LexicalChecker, "check", counted)
    tuning.tune("verifiability", tmp_path, method="adiosaa(checker=lexical, decompose=clauses)")
    assert len(calls) == len(set(calls))


def test_the_commands_print_their_tables_and_say_what_they_lack(tmp_path, capsys):
    page(tmp_path)
    tune = ["papers", "adiosaa-tune", "--data", str(tmp_path), "--method", "entailment(decompose=none)"]
    assert main([*tune, "--settings", "--out", str(tmp_path / "out"), "--quiet"]) == 0
    assert capsys.readouterr().out.startswith("delta=")
    assert json.loads((tmp_path / "out" / "study.json").read_text())["record"]["settings"].startswith("delta=")
    assert main(["papers", "adiosaa-tables", "4", "--decompose", "none", "--markdown"]) == 0
    assert "Ronnie Van Zant" in capsys.readouterr().out
    for args, text in (
        (["papers", "adiosaa-tables", "2"], "needs --data"),
        (["papers", "adiosaa-tables", "5"], "needs --pairs"),
        (["papers", "adiosaa-tune", "--data", str(tmp_path), "--method", "lexical"], "not of 'lexical'"),
    ):
        assert main(args) == 2
        assert text in capsys.readouterr().err
