"""Every analysis must find an effect that was planted, and none where there is none."""

import csv
import io
import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from bench import benchdata
from citewell.cli import main
from citewell.errors import InputError, UsageError
from citewell_lab.bench.datasets.dataset import Standing
from citewell_lab.bench.kinds.base import Scores
from citewell_lab.bench.run import Result, run
from citewell_lab.papers.lab import analyze, length, overlap, position, risk, rows, selective, shown, systems
from citewell_lab.papers.lab.rows import Analysed, Row
from citewell_lab.papers.published import figures

pytestmark = pytest.mark.slow
pytest.importorskip("scipy")
SEED = 11


def make_items(count, make):
    generator = random.Random(SEED)
    return [make(number, generator) for number in range(count)]


def test_evidence_that_is_sought_at_the_beginning_alone_differs_from_the_gold():
    def planted(n, g):
        return Row(str(n), gold_at=(g.random(),), predicted_at=(g.random() ** 3,))

    result = position.distribution(make_items(300, planted))
    assert result["predicted"][0] > 2 * result["gold"][0]
    assert result["p"] < 1e-6
    assert sum(result["gold"]) == pytest.approx(1)


def test_evidence_from_the_same_places_does_not_differ():
    result = position.distribution(
        make_items(300, lambda n, g: Row(str(n), gold_at=(g.random(),), predicted_at=(g.random(),)))
    )
    assert result["p"] > 0.05


@pytest.mark.parametrize(("of", "by"), analyze.QUALITY)
def test_quality_that_falls_towards_the_end_is_found(of, by):
    def planted(n, g):
        where = g.random()
        return Row(str(n), **{of: float(g.random() > where), f"{by}_at": (where,)})

    result = position.quality(make_items(300, planted), of, by)
    assert result["items_r"]["r"] < -0.3
    assert result["items_r"]["stars"] == "***"
    assert result["parts_r"]["r"] < -0.8
    assert result["parts_r"]["n"] == 10
    assert [part["n"] for part in result["bins"]] == position.counted(
        [sum(row.gold_at + row.predicted_at) for row in make_items(300, planted)]
    )
    assert result["bins"][0]["mean"] > 0.5 + result["bins"][4]["mean"]


@pytest.mark.parametrize(("of", "by"), analyze.QUALITY)
def test_quality_that_does_not_depend_on_the_place_has_no_correlation(of, by):
    result = position.quality(
        make_items(300, lambda n, g: Row(str(n), **{of: float(g.random() > 0.5), f"{by}_at": (g.random(),)})), of, by
    )
    assert result["items_r"]["p"] > 0.05
    assert result["items_r"]["stars"] == ""


def test_the_quality_of_tasks_with_classes_is_the_macro_f1_of_each_fifth():
    same = [Row(str(n), 1.0, gold="a", predicted="a", gold_at=(0.1,)) for n in range(4)]
    other = [Row(str(n), float(n > 5), gold="ab"[n % 2], predicted="b", gold_at=(0.9,)) for n in range(4, 8)]
    result = position.quality([*same, *other], "response", "gold")
    assert result["measure"] == "CF1"
    assert [part["mean"] for part in result["bins"]] == [1.0, None, None, None, pytest.approx(1 / 3)]
    assert result["bins"][0]["low"] == result["bins"][0]["high"] == 1.0
    assert position.quality([replace(row, evidence=0.5) for row in same], "evidence", "gold")["measure"] == "mean"


def test_the_rank_correlation_of_table_5_is_over_tenths_and_by_macro_f1():
    # Tenth 0: two of each class, all right, F1 1. Tenth 5: all called a, F1 (2/3 + 0) / 2. Tenth 9: none right, 0.
    def tenth(number, predicted):
        return [Row(f"{number}{n}", gold=gold, predicted=result, response=float(gold == result),
                    gold_at=(number / 10 + 0.05,)) for n, (gold, result) in enumerate(zip("aabb", predicted, strict=True))]  # fmt: skip

    result = position.quality([*tenth(0, "aabb"), *tenth(5, "aaaa"), *tenth(9, "bbaa")], "response", "gold")
    assert (result["parts_r"]["r"], result["parts_r"]["n"]) == (-1, 3)
    assert [part["mean"] for part in result["bins"]] == [1, None, pytest.approx(1 / 3), None, 0]


def test_long_documents_that_are_harder_are_found_and_equal_ones_are_not():
    def planted(n, g):
        words = g.randint(100, 9000)
        return Row(str(n), response=float(g.random() * 9000 > words), evidence=g.random(), words=words)

    result = length.length(make_items(200, planted), "response")
    assert result["pearson"]["r"] < -0.4
    assert result["pearson"]["stars"] == "***"
    means = [part["mean"] for part in result["quarters"]]
    assert means[0] > 0.3 + means[3]
    assert sum(part["n"] for part in result["quarters"]) == 200
    null = length.length(make_items(200, planted), "evidence")
    assert null["pearson"]["p"] > 0.05
    assert null["spearman"]["p"] > 0.05


def test_selective_prediction_finds_attributability_that_tells_good_responses():
    def planted(n, g):
        sure = g.random()
        return Row(str(n), response=float(g.random() < sure), attributability=sure)

    result = selective.selective(make_items(200, planted), "qasper")
    scores = result["scores"]["response"]
    assert scores["advantage"] > 0.15
    assert scores["p"] < 0.01
    assert scores["curve"][0][1] > scores["curve"][-1][1] + 0.2
    assert scores["curve"][-1][1] == pytest.approx(scores["random_curve"][-1][1])


def test_selective_prediction_finds_nothing_in_attributability_that_tells_nothing():
    result = selective.selective(
        make_items(200, lambda n, g: Row(str(n), response=float(g.random() < 0.5), attributability=g.random())),
        "qasper",
    )
    assert abs(result["scores"]["response"]["advantage"]) < 0.1
    assert result["scores"]["response"]["p"] > 0.05


def test_equal_attributability_has_no_order_so_that_the_order_of_the_items_does_not_matter():
    rowed = [Row(str(n), response=float(n < 50), attributability=1.0) for n in range(100)]
    response = selective.selective(rowed, "qasper")["scores"]["response"]
    assert abs(response["advantage"]) < 0.12
    assert 0.02 < response["p"] < 0.98


def test_what_needs_no_evidence_or_was_withheld_is_left_out():
    kept = [Row(str(n), response=1.0, attributability=0.5, gold="supported", predicted="supported") for n in range(3)]
    others = [
        replace(kept[0], predicted="not_supported"),
        replace(kept[0], abstained=True),
        replace(kept[0], attributability=None),
    ]
    result = selective.selective([*kept, *others], "wice")
    assert (result["n"], result["left_out"]) == (3, 3)
    assert list(result["scores"]) == ["micro_f1"]
    assert selective.selective(others, "wice") is None


def test_the_share_of_claims_without_support_falls_with_the_coverage():
    def planted(n, g):
        bare = g.random() < 0.4
        sure = g.random() * (0.6 if bare else 1.0)
        return Row(
            str(n), 1.0, attributability=sure, gold="not_supported" if bare else "supported", predicted="supported"
        )

    shares = dict(selective.selective(make_items(300, planted), "wice")["classes"]["not_supported"])
    assert shares[0.25] < 0.1
    assert 0.3 < shares[1.0] < 0.5


def test_confidence_that_knows_nothing_leaves_the_classes_as_they_are():
    def null(n, g):
        gold = "not_supported" if g.random() < 0.4 else "supported"
        return Row(str(n), 1.0, attributability=g.random(), gold=gold, predicted="supported")

    shares = dict(selective.selective(make_items(600, null), "wice")["classes"]["not_supported"])
    assert all(0.3 < shares[part] < 0.5 for part in shares if part >= 0.25)


def test_macro_f1_of_an_order_is_that_of_its_beginnings():
    gold, predicted = ["a", "b", "a", "b"], ["a", "a", "a", "b"]
    order = selective.np.array([0, 3, 2, 1])
    assert selective.by_class(gold, predicted, macro=True)(order).tolist() == pytest.approx(
        [1, 1, 1, (0.8 + 2 / 3) / 2]
    )
    assert selective.by_class(gold, predicted, macro=False)(order).tolist() == [1, 1, 1, 0.75]


def test_confidence_that_knows_has_a_small_area_of_risk_and_confidence_that_does_not_has_none():
    def planted(n, g):
        sure = g.random()
        return Row(str(n), response=float(g.random() < sure), confidence=sure)

    result = risk.risk(make_items(200, planted))
    assert result["best"] < result["aurc"] < result["random"]
    assert result["excess"] < 0.6
    assert result["p"] < 0.01
    null = risk.risk(make_items(200, lambda n, g: Row(str(n), response=float(g.random() < 0.5), confidence=g.random())))
    assert null["p"] > 0.05
    assert 0.8 < null["excess"] < 1.2


def test_withheld_answers_are_left_out_of_the_risk_unless_their_loss_is_known():
    rowed = [Row(str(n), 1.0, confidence=0.5) for n in range(3)] + [Row("w", 0.0, confidence=0.9, abstained=True)]
    assert (risk.risk(rowed)["n"], risk.risk(rowed)["left_out"], risk.risk(rowed)["aurc"]) == (3, 1, 0)
    assert risk.risk([replace(row, loss=1.0) for row in rowed])["n"] == 4
    assert risk.risk([]) is None


def result(metrics, name="m", task="wice"):
    return Result(task, "dev", name, 1, 0, Scores(metrics), 0.0, Standing("unknown", ""))


def system(metrics, name="m", task="wice", approach="citation"):
    backends = {"approach": approach, "llm": name, "checker": "lexical"}
    return Analysed(Path(task), replace(result(metrics, name, task), backends=backends), {}, ())


def test_systems_with_better_evidence_and_responses_correlate_and_others_do_not():
    def points(pairs):
        runs = [system({"label_macro_f1": a, "evidence_f1": b}, str(n)) for n, (a, b) in enumerate(pairs)]
        return systems.correlation(systems.points(runs)["wice"])

    planted = points([(0.2, 0.1), (0.4, 0.33), (0.5, 0.5), (0.7, 0.6), (0.8, 0.9)])
    assert planted["r"]["r"] > 0.95
    assert planted["r"]["stars"]
    null = points([(0.2, 0.5), (0.4, 0.1), (0.5, 0.9), (0.7, 0.2), (0.8, 0.5)])
    assert null["r"]["p"] > 0.5
    assert systems.points([system({"evidence_f1": 1.0})]) == {}
    assert points([(0.1, 0.2), (0.2, 0.1)])["r"] is None


def test_table_6_of_the_paper_follows_from_its_table_3():
    computed = systems.of_the_paper()
    (printed,) = (table["rows"] for table in figures("lab")["analyses"] if table["id"] == "lab-6")
    assert set(computed) == {row["name"] for row in printed}
    for row in printed:
        r, p = row["values"]
        assert computed[row["name"]]["n"] == 10
        assert computed[row["name"]]["r"]["r"] == pytest.approx(
            r, abs=0.03
        )  # GovReport, whose figures are close together
        assert 0.5 < computed[row["name"]]["r"]["p"] / p < 2  # Table 3 is printed in whole percentages


def test_table_6_is_of_the_systems_that_cite_and_its_mean_of_those_with_all_six_tasks():
    tasks = [result for result in systems.of_the_paper() if result != systems.MEAN]

    def ran(task, name, approach, figure):
        return system(dict.fromkeys(systems.quality(task), figure), name, task, approach)

    runs = [ran(task, name, approach, n / 10) for task in tasks for n, (name, approach) in enumerate(
        [("x", "citation"), ("y", "citation"), ("x", "reduced-citation"), ("x", "post-hoc")])]  # fmt: skip
    runs.append(ran("wice", "z", "citation(examples=1)", 0.9))
    citing = systems.correlations(systems.points(runs, citing=True))
    assert {task: result["n"] for task, result in citing.items()} == {
        **dict.fromkeys(tasks, 3),
        "wice": 4,
        systems.MEAN: 3,
    }
    assert citing[systems.MEAN]["systems"]["citation | y"] == [pytest.approx(0.1), pytest.approx(0.1)]
    assert systems.correlations(systems.points(runs))["qasper"]["n"] == 4
    assert systems.MEAN not in systems.correlations(systems.points(runs[:2], citing=True))


def analysed(cited, task="wice", checksums=None):
    rowed = tuple(Row(str(n), cited=frozenset(result), segments=40) for n, result in enumerate(cited))
    return Analysed(Path("r"), result({}, task=task), checksums or {"f": "1"}, rowed)


def test_evidence_that_two_runs_share_is_more_than_chance_and_evidence_at_random_is_not():
    generator = random.Random(SEED)
    first = [set(generator.sample(range(40), 2)) for _ in range(80)]
    half = [{min(result), generator.randrange(40)} for result in first]
    blind = [set(generator.sample(range(40), 2)) for _ in range(80)]
    result = overlap.overlap(analysed(first), analysed(half))
    assert result["f1"]["mean"] > 0.45
    assert result["p"] < 1e-6
    null = overlap.overlap(analysed(first), analysed(blind))
    assert null["chance"] == pytest.approx(0.05)
    assert null["p"] > 0.05


def test_overlap_counts_what_only_one_run_cites():
    result = overlap.overlap(analysed([{1}, {2}, {3}, set()]), analysed([{1}, {3}, set(), {4}]))
    assert (result["n"], result["only_first"], result["only_second"]) == (2, 1, 1)
    assert (result["identical"], result["disjoint"]) == (0.5, 0.5)
    assert overlap.overlap(analysed([set()]), analysed([{1}])) is None
    with pytest.raises(UsageError, match="not runs over the same data"):
        overlap.overlap(analysed([{1}]), analysed([{1}], checksums={"f": "2"}))


def test_positions_lie_in_the_middle_of_their_segments():
    assert rows.at({0, 3}, 4) == (0.125, 0.875)
    assert position.counted([0.0, 0.19, 0.2, 0.999, 1.0]) == [2, 1, 0, 0, 2]


@pytest.fixture
def folder(tmp_path):
    benchdata.wice(tmp_path)
    benchdata.verifiability(tmp_path)
    run("wice", tmp_path, "dev", method=benchdata.Overlap(), checker=benchdata.Share(), out=tmp_path / "runs" / "w")
    run("verifiability", tmp_path, "dev", method=benchdata.Overlap(), out=tmp_path / "runs" / "v")
    return tmp_path


def test_rows_of_a_run_hold_what_record_and_data_say(folder):
    document = rows.read(folder / "runs" / "w", checker=benchdata.Share())
    first, second = document.rows
    assert (first.response, first.gold, first.predicted, first.segments) == (1, "supported", "supported", 3)
    assert first.gold_at == pytest.approx((1 / 6, 5 / 6))
    assert first.attributability == 1.0
    assert (second.predicted, second.attributability, second.gold_at) == ("not_supported", None, ())
    ranked = rows.read(folder / "runs" / "v").rows
    assert ranked[0].evidence is not None
    assert ranked[0].response is None


def test_without_the_data_what_needs_none_is_still_analysed(folder):
    (folder / "wice" / "claim" / "dev.jsonl").rename(folder / "elsewhere")
    document = rows.read(folder / "runs" / "w")
    assert document.rows[0].gold_at == ()
    assert "--data" in document.notes[0]
    assert analyze.analyze([document])["runs"][0]["risk"]["n"] == 2
    with pytest.raises(InputError):
        rows.read(folder / "runs" / "w", folder / "nowhere")


def test_data_that_is_not_what_the_run_read_is_refused(folder):
    path = folder / "wice" / "claim" / "dev.jsonl"
    path.write_text(path.read_text().replace("rain", "hail"))
    assert "changed" in rows.read(folder / "runs" / "w").notes[0]
    with pytest.raises(UsageError, match="checksums differ"):
        rows.read(folder / "runs" / "w", folder)


def test_the_command_prints_tables_and_writes_plots_with_their_numbers(folder, capsys):
    plots = folder / "plots"
    assert main(["bench", "analyze", str(folder / "runs"), "--plots", str(plots)]) == 0
    assert "Where the evidence stands" in capsys.readouterr().out
    assert {path.stem for path in plots.glob("*.svg")} == {path.stem for path in plots.glob("*.csv")}
    table = list(csv.DictReader(io.StringIO((plots / "evidence-position.csv").read_text())))
    assert sum(
        float(row["share"]) for row in table if row["task"] == "wice" and row["evidence"] == "gold"
    ) == pytest.approx(1)
    image = (plots / "evidence-position.svg").read_text()
    assert "currentColor" in image
    assert "http" not in image.replace("http://www.w3.org", "")
    assert main(["bench", "analyze", str(folder / "runs"), "--json"]) == 0
    assert {run["task"] for run in json.loads(capsys.readouterr().out)["runs"]} == {"wice", "verifiability"}
    assert main(["bench", "analyze", str(folder / "runs"), "--markdown"]) == 0
    assert "| --- |" in capsys.readouterr().out
    assert main(["bench", "analyze", str(folder / "wice")]) == 2


def test_runs_with_one_method_are_told_apart_by_their_folders():
    same = [{"method": "m", "run": "a/x"}, {"method": "m", "run": "a/y"}, {"method": "long " * 20, "run": "z"}]
    assert shown.names(same)[:2] == ["m (x)", "m (y)"]
    assert len(shown.names(same)[2]) <= 46


def test_quality_of_evidence_is_attributability_where_a_task_measures_it(tmp_path):
    spec = {"task": "qasper", "split": "dev", "limit": None, "seed": 0, "given": {}, "checksums": {},
            "resolved": {"approach": "extractive", "checker": "lexical"}, "parameters": {}, "versions": {},
            "git": None}  # fmt: skip
    base = {"group": "answerable", "confidence": 0.5, "references": ["x"], "unanswerable": False, "evidence": [1]}
    records = [
        {
            **base,
            "id": "a",
            "answer": "x",
            "abstained": False,
            "answer_f1": 1.0,
            "evidence_f1": 0.2,
            "attributable": [1, 0],
            "support": [0.9, 0.3],
            "value": 1.0,
        },
        {
            **base,
            "id": "b",
            "answer": "unanswerable",
            "abstained": True,
            "answer_f1": 0.0,
            "evidence_f1": 0.0,
            "value": 0.0,
        },
    ]
    (tmp_path / "spec.json").write_text(json.dumps(spec))
    (tmp_path / "items.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    result, withheld = rows.read(tmp_path).rows
    assert (result.response, result.evidence, result.gold) == (1, 0.5, "answerable")
    assert result.attributability == pytest.approx(0.6)  # the order of Table 4 is by probability
    assert (withheld.response, withheld.evidence, withheld.attributability) == (0, None, None)
    assert (withheld.abstained, withheld.predicted) == (True, "unanswerable")
