import json
import re
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import benchdata
from citewell.cli import main
from citewell.errors import BackendError, UsageError
from citewell.llm.scripted import Scripted
from citewell.types import Citation, Span
from citewell_lab.bench.datasets import files
from citewell_lab.bench.items import Broken, SpanItem
from citewell_lab.papers.adiosaa import ablations
from citewell_lab.papers.hidden_states import calibrate, draws, grid, paraphrase, spans
from citewell_lab.papers.hidden_states.observe import Observed, Point, Prediction, Setting, best_threshold, observe


def answer(number, parts, passages, glue=" and "):
    """An item: parts are (text, position of the passage it is from)."""
    text, targets = "", []
    for part, _ in parts:
        start = len(text) + (len(glue) if text else 0)
        text = f"{text}{glue}{part}" if text else part
        targets.append(Span(start, start + len(part)))
    text += "."
    document, starts = files.passages(passages)
    whole = Span(0, len(text))
    gold = tuple(place + 1 for _, place in parts)
    numbers = tuple(range(1, len(passages) + 1))
    return SpanItem(str(number), f"question {number}", text, (whole,), tuple(targets), gold, document, starts, numbers,
                    whole)  # fmt: skip


@dataclass(frozen=True)
class Planted:
    """An attributor that is right where `right(start / length)` says so and names another passage elsewhere."""

    right: object
    gold: object
    name = "planted"

    def attribute(self, draft, documents, granularity="sentence", k=None):
        if granularity == "token":
            return ()
        (document,) = documents
        segments = document.segments("paragraph")
        calls = []
        for start, end in draft.targets:
            place = self.gold[draft.text[start:end]]
            if not self.right(start / len(draft.text)):
                place = (place + 1) % len(segments)
            s = segments[place]
            calls.append(Citation(document.id, s.id, "paragraph", s.text, s.start, s.end, start, end, score=1.0))
        return tuple(calls)


def colours(count, parts=4):
    """Answers whose spans are spread over the answer, each from a passage of its own, and where each is from."""
    items, gold = [], {}
    for number in range(count):
        messages = [f"shade{number}x{part} is bright" for part in range(parts)]
        items.append(
            answer(
                number,
                [(text, part) for part, text in enumerate(messages)],
                [f"{message} today" for message in messages],
            )
        )
        gold |= {text: part for part, text in enumerate(messages)}
    return items, gold


def ran(items, *attributors, layered=False):
    settings = [Setting(f"layer={n}", attributor, (("layer", n),)) for n, attributor in enumerate(attributors)]
    return spans.Ran("planted", observe(items, settings), layered)


def row(table, **wanted):
    lines = [line for line in table.to_dict()["rows"] if all(line[key] == value for key, value in wanted.items())]
    assert len(lines) == 1
    return lines[0]


# Resampling


@given(st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=40), st.integers(1, 6), st.integers(0, 9))
def test_folds_hold_every_item_once_and_no_question_twice(groups, count, seed):
    parts = draws.folds(groups, count, seed)
    assert sorted(i for part in parts for i in part) == list(range(len(groups)))
    homes = [{groups[i] for i in part} for part in parts]
    assert sum(map(len, homes)) == len(set(groups))
    assert len(parts) == min(count, len(set(groups)))


def test_chance_is_one_of_the_places_and_a_guess_is_no_better_than_it():
    luck = draws.chance([2, 2, 4, 4] * 25)
    assert luck.range.mean == pytest.approx(0.375)
    assert luck.range.low < 0.375 < luck.range.high
    assert luck.p(0.375) > 0.3
    assert luck.p(0.9) < 0.01
    assert draws.chance([]) is None


# Observing


def test_settings_are_observed_and_broken_items_are_counted():
    items, gold = colours(3)
    observed = observe([*items, Broken("x", "no answer")], [Setting("a", Planted(lambda at: True, gold))])
    assert observed.failed == ("x: no answer",)
    assert observed.point(0) == Point(12, 1.0, 0)
    assert observed.tokens(0) is None


def test_a_back_end_that_always_fails_ends_the_study():
    @dataclass(frozen=True)
    class Dead:
        name = "dead"

        def attribute(self, *args):
            raise BackendError("no model")

    with pytest.raises(BackendError, match="no model"):
        observe(colours(5)[0], [Setting("dead", Dead())])


def test_the_threshold_lies_in_the_gap_between_copied_and_other_tokens():
    gold = np.array([True] * 5 + [False] * 5)
    scores = np.array([0.95, 0.94, 0.93, 0.92, 0.9, 0.7, 0.6, 0.5, 0.4, 0.3])
    assert best_threshold(gold, scores) == 0.8
    assert best_threshold(~gold, scores) == -1.0  # where high scores mean the opposite, marking all is best


@given(st.lists(st.tuples(st.booleans(), st.sampled_from([0.0, 0.2, 0.20005, 0.5, 0.9])), min_size=1, max_size=30))
def test_no_threshold_is_better_than_the_best(pairs):
    gold, scores = np.array([g for g, _ in pairs]), np.array([s for _, s in pairs])
    at = best_threshold(gold, scores)

    def f1(threshold):
        marked = scores >= threshold
        return 2 * (gold & marked).sum() / max(1, marked.sum() + gold.sum())

    assert f1(at) == pytest.approx(max(f1(t) for t in [-1, *scores.tolist()]))


# Calibration


def observed(rates, items=40, spans_each=5, control=(), seed=0):
    """Settings that are right at these rates, with every item a question of its own."""
    rng = np.random.default_rng(seed)
    answers = [answer(n, [("a", 0)], ["a"]) for n in range(items)]
    observed = [
        tuple(Prediction(rng.random(spans_each) < rate, (1,) * spans_each, None) for _ in range(items))
        for rate in rates
    ]
    settings = tuple(
        Setting(f"layer={n}", None, (("layer", n),), "bare" if n in control else "") for n in range(len(rates))
    )
    return Observed(tuple(answers), (np.zeros(0, dtype=bool),) * items, settings, tuple(observed))


def test_a_better_layer_is_chosen_and_holds_what_it_promised():
    data = observed([0.5, 0.9, 0.6])
    assert calibrate.choose(data, "span_accuracy", free=True).setting == 1
    kept = calibrate._held_out(data, "span_accuracy", free=True, count=5, seed=0)
    assert kept.chosen == ("layer=1",) * 5
    assert kept.span_accuracy.mean == data.point(1).span_accuracy


def test_among_layers_that_only_guess_the_cross_validated_figure_stays_at_chance():
    promised, kept = [], []
    for seed in range(6):
        data = observed([0.5] * 20, seed=seed)
        best = calibrate.choose(data, "span_accuracy", free=True)
        promised.append(data.point(best.setting).span_accuracy)
        kept.append(calibrate._held_out(data, "span_accuracy", free=True, count=5, seed=0).span_accuracy.mean)
    assert np.mean(promised) > 0.55
    assert abs(np.mean(kept) - 0.5) < 0.03


def test_a_control_is_never_chosen_however_good_it_is():
    data = observed([1.0, 0.5], control={0})
    assert calibrate.choose(data, "span_accuracy", free=True).setting == 1
    with pytest.raises(UsageError, match="control"):
        calibrate.choose(observed([1.0], control={0}), "span_accuracy", free=True)


def test_grids_are_read_and_the_given_values_come_first():
    settings = grid.settings("lexical(floor=0.2, gain=0.08)")
    assert settings[0].name == "floor=0.2, gain=0.08"
    assert len(settings) == 35
    assert grid.parse(["least=1,2", "name=x"]) == {"least": (1, 2), "name": ("x",)}
    with pytest.raises(UsageError, match="is not name=value"):
        grid.parse(["least"])
    with pytest.raises(UsageError, match="there is no grid for 'retrieval'"):
        grid.settings("retrieval")
    with pytest.raises(UsageError, match="the most is"):
        grid.settings("lexical", {"floor": tuple(range(501))})


def test_the_bare_token_is_a_control_for_rotary_positions_only(zoo):
    llama = grid.settings(f"hidden-states(model={zoo.llama}, device=cpu)")
    assert {setting.name: bool(setting.control) for setting in llama} == {
        "layer=0": True,
        "layer=1": False,
        "layer=2": False,
    }
    assert llama[0].name == "layer=1"  # the default is the last but one
    assert not any(setting.control for setting in grid.settings(f"hidden-states(model={zoo.encoder}, device=cpu)"))


def test_calibrating_layers_takes_one_pass_a_text_and_prints_a_spec_that_runs(zoo, tmp_path, capsys):
    benchdata.veri_gran(tmp_path, 4)
    spec = f"hidden-states(model={zoo.llama}, passages=true, device=cpu)"
    args = ["calibrate", spec, "--task", "verifiability-granular", "--data", str(tmp_path), "--folds", "2"]
    assert main([*args, "--out", str(tmp_path / "c.json")]) == 0
    out = capsys.readouterr().out
    assert "layer=0 (control)" in out
    assert "cross-validated by question (2 folds)" in out
    data = json.loads((tmp_path / "c.json").read_text())
    assert data["spec"] == out.splitlines()[-1]
    assert re.search(r"layer=[12], threshold=", data["spec"])
    # An answer and its two passages: three texts for each of the four items, whatever the number of layers.
    assert data["work"]["forward passes"] == 12
    assert [setting["layer"] for setting in data["settings"] if setting["control"]] == [0]
    run = ["bench", "run", "verifiability-granular", "--data", str(tmp_path), "--method", data["spec"], "--json"]
    assert main(run) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["metrics"]["span_accuracy"] == data["in_sample"]["span_accuracy"]


@pytest.mark.slow
def test_lexical_is_calibrated_by_its_tokens_and_bad_wishes_are_refused(tmp_path, capsys):
    benchdata.veri_gran(tmp_path, 3)
    args = ["--task", "verifiability-granular", "--data", str(tmp_path)]
    assert main(["calibrate", "lexical", *args, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["by"], len(data["settings"]), data["spans"]) == ("token_f1", 35, 6)
    assert data["curve"][-1]["recall"] == 1
    for wrong, text in (
        (["calibrate", "retrieval", *args], "there is no grid"),
        (["calibrate", "lexical", "--task", "wice", "--data", str(tmp_path)], "no marked spans"),
        (["calibrate", "lexical", *args, "--by", "luck"], "span_accuracy or token_f1"),
        (["calibrate", "lexical", *args, "--out", str(tmp_path / "no" / "c.json")], "there is no directory"),
    ):
        assert main(wrong) == 2
        assert text in capsys.readouterr().err


# Where spans are found


@pytest.mark.slow
def test_late_spans_that_are_found_better_show_and_luck_does_not():
    items, gold = colours(40)
    planted, test = spans.positions([ran(items, Planted(lambda at: at > 0.5, gold))])
    assert row(test, position_in="answer")["p"] < 0.01
    assert row(planted, position_in="answer", **{"from-to": "0.0-0.2"})["span_accuracy"] == 0
    assert row(planted, position_in="answer", **{"from-to": "0.6-0.8"})["span_accuracy"] == 1
    rng = np.random.default_rng(5)
    _, test = spans.positions([ran(items, Planted(lambda at: rng.random() < 0.7, gold))])
    assert row(test, position_in="answer")["p"] > 0.05
    assert row(test, position_in="document")["p"] > 0.05


def test_repeated_spans_are_set_apart_and_a_guess_is_as_good_as_chance():
    items, gold = [], {}
    for number in range(60):
        message = f"mark{number} fell"
        items.append(answer(number, [(message, 0)], [f"{message} in May", f"then {message}", "nothing here"]))
        gold[message] = 0
    row = spans.repeated([ran(items, Planted(lambda at: True, gold))]).to_dict()["rows"][0]
    assert (row["spans"], row["passages"], row["random"], row["span_accuracy"]) == (60, 2.0, 0.5, 1.0)
    assert row["p"] < 0.01
    rng = np.random.default_rng(1)
    row = spans.repeated([ran(items, Planted(lambda at: rng.random() < 0.5, gold))]).to_dict()["rows"][0]
    assert row["p"] > 0.05
    assert row["on_others"] is None


def test_layers_stand_in_their_order_with_their_accuracy():
    items, gold = colours(10)
    table = spans.layers([ran(items, *(Planted(lambda at, n=n: at < n / 2, gold) for n in (0, 1, 3)), layered=True)])
    assert [row["span_accuracy"] for row in table.to_dict()["rows"]] == [0.0, 0.5, 1.0]


# Paraphrases

POND = answer(1, [("Anna Bell began the large film", 0), ("it was located in Bath", 1)], ["x", "y"])


def test_rules_change_words_and_leave_names_alone():
    rules = paraphrase.by_rules(POND)
    text = rules.item.text
    assert [text[a:b] for a, b in rules.item.targets] == ["Anna Bell started the big movie", "it was situated in Bath"]
    assert rules.changed == (True, True)
    assert (rules.new_words, rules.words) == (4, 11)
    assert rules.item.judged == (0, len(text))


@given(st.data())
def test_edits_move_every_offset_along(data):
    words = data.draw(st.lists(st.text("abc", min_size=1, max_size=3), min_size=1, max_size=8))
    item = answer(1, [(word, 0) for word in words], ["x"], glue=" ")
    new = data.draw(st.lists(st.text("xyz ", max_size=5), min_size=len(words), max_size=len(words)))
    edits = [paraphrase.Edit(a, b, text) for (a, b), text in zip(item.targets, new, strict=True)]
    applied = paraphrase.apply(item, edits)
    assert [applied.text[a:b] for a, b in applied.targets] == new
    assert applied.text == " ".join(new) + "."
    assert applied.judged == (0, len(applied.text))


def test_a_models_words_are_put_where_the_spans_were_and_useless_replies_are_told():
    good = "Sure!\n[[1: The large film was begun by Anna Bell]]\n[[2: Bath is where it was]]"
    (rewritten, lost) = paraphrase.by_llm(
        [POND, replace(POND, question="another")], Scripted(replies=[good, "[[1: only this]]"])
    )
    text = rewritten.item.text
    assert text == "The large film was begun by Anna Bell and Bath is where it was."
    assert [text[a:b] for a, b in rewritten.item.targets] == [
        "The large film was begun by Anna Bell",
        "Bath is where it was",
    ]
    assert lost == "the reply lacks part 2 of 2"


def test_words_that_only_copying_finds_are_lost_in_paraphrase_and_an_oracle_loses_nothing():
    items = [
        answer(n, [(f"the large boat{n} was built", 0)], [f"the large boat{n} was built", f"a boat{n} sank", "no"])
        for n in range(20)
    ]

    @dataclass(frozen=True)
    class Exact:
        name = "exact"
        whole: bool

        def attribute(self, draft, documents, granularity="sentence", k=None):
            (document,) = documents
            calls = []
            for start, end in draft.targets:
                text = draft.text[start:end] if self.whole else re.search(r"boat\d+", draft.text)[0]
                for s in document.segments("paragraph"):
                    if text in s.text:
                        calls.append(Citation(document.id, s.id, "paragraph", s.text, s.start, s.end, start, end))
                        break
            return tuple(calls)

    def difference(attributor):
        mapping = dict(zip((item.id for item in items), paraphrase.rewritten(items), strict=True))
        table = spans.paraphrased([ran(items, attributor)], [attributor], mapping, "rules")
        return row(table, of="changed spans")

    # `single` takes specs; a built attributor stands for itself there.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grid, "single", lambda built: Setting("it", built))
        lost, kept = difference(Exact(whole=True)), difference(Exact(whole=False))
    assert (lost["original"], lost["paraphrased"], lost["difference"], lost["spans"]) == (1.0, 0.0, -1.0, 20)
    assert (kept["paraphrased"], kept["difference"]) == (1.0, 0.0)


def test_studies_run_from_the_command_line_and_write_every_form(tmp_path, capsys, zoo):
    benchdata.veri_gran(tmp_path, 3)
    out = tmp_path / "study"
    base = ["papers", "hidden-states", "--task", "verifiability-granular", "--data", str(tmp_path)]
    method = f"hidden-states(model={zoo.encoder}, device=cpu)"
    assert main([*base, "--method", "lexical", "--method", method, "--out", str(out), "--json"]) == 0
    tables = {table["id"]: table["rows"] for table in json.loads(capsys.readouterr().out)["tables"]}
    assert list(tables) == [
        "curve",
        "layers",
        "thresholds",
        "positions",
        "positions-correlation",
        "repeated",
        "paraphrased",
    ]
    assert [table["layer"] for table in tables["layers"]] == ["–", "layer=0", "layer=1", "layer=2"]
    assert len(tables["thresholds"]) == 4 * len(spans.THRESHOLDS)
    assert tables["layers"][0]["span_accuracy"] == 1
    figures = {path.name for path in out.iterdir() if path.suffix == ".svg"}
    assert {name.removeprefix("figure-")[0] for name in figures} == set("345789")
    assert {path.name for path in out.iterdir()} - figures == {
        *(f"{t}.{ending}" for t in tables for ending in ("csv", "tex")),
        "study.json",
        "study.txt",
        "figures.html",
    }
    assert main([*base, "positions", "--csv"]) == 0
    assert capsys.readouterr().out.startswith(
        "method,position_in,from-to,spans,span_accuracy,95%\nlexical,answer,0.0-0.2"
    )
    assert main([*base, "luck"]) == 2


# Ablations


def mill(data, sentences):
    rows = [
        {
            "question": f"q{n}",
            "summary": summary,
            "chunk": re.sub(r"\[ \d+ (.*?) \]", r"\1", summary),
            "passages": passages,
        }
        for n, (summary, passages) in enumerate(sentences)
    ]
    benchdata.lines(data / "verifiability_granular" / "dev.jsonl", rows)


@pytest.mark.slow
def test_selection_helps_where_statements_have_two_sources_and_not_where_they_have_one(tmp_path):
    towns = ["Arle", "Bray", "Cove", "Dorn", "Elm", "Foss"]
    two, calls = [], []
    for n, town in enumerate(towns):
        first, second = f"the mill of {town} burned down in 18{n}1", f"its owner Reginald{n} Potter emigrated to Canada"
        facts = [f"It is known that {first}.", f"Later {second}.", "Nothing else happened that winter."]
        two.append((f"[ 1 {first} ], and [ 2 {second} ].", facts))
        calls.append((f"So [ 1 {first} ].", facts))
    results = {}
    for name, sentences in (("two", two), ("one", calls)):
        mill(tmp_path / name, sentences)
        method = "entailment(decompose=clauses, delta=0.1)"
        result = ablations.ablations("verifiability-granular", tmp_path / name, method=method, baselines=["lexical"])
        results[name] = {line["system"]: line for line in result.tables[0].to_dict()["rows"]}
        assert result.record["systems"]["ADiOSAA - D - OS"] == "entailment(decompose=none, select=false, delta=0.1)"
    assert results["two"]["ADiOSAA - D"]["recall@4"] > results["two"]["ADiOSAA - D - OS"]["recall@4"] + 0.3
    assert results["one"]["ADiOSAA - D"]["f1@4"] == results["one"]["ADiOSAA - D - OS"]["f1@4"] == 1
    assert {line["sentences"] for line in results["two"].values()} == {6}


def test_statements_copied_whole_and_statements_without_marks_are_left_out(tmp_path):
    mill(tmp_path, [("[ 1 Ann ran ].", ["Ann ran.", "x"]), ("So [ 2 Bo sat ] there.", ["x", "Bo sat."])])
    result = ablations.ablations("verifiability-granular", tmp_path, baselines=["lexical"])
    assert result.tables[0].to_dict()["rows"][0]["sentences"] == 1
    assert result.record["reformulated"] is True


def test_ablations_run_on_the_papers_own_task_from_the_command_line(tmp_path, capsys):
    benchdata.hagrid(tmp_path)
    args = ["papers", "adiosaa", "--task", "hagrid", "--data", str(tmp_path), "--split", "dev"]
    assert main([*args, "--candidates", "bm25", "--candidates", "all", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    names = [line["system"] for line in data["tables"][0]["rows"]]
    assert names[:5] == ["bm25 + ADiOSAA", "bm25 + ADiOSAA - D", "bm25 + ADiOSAA - OS", "bm25 + ADiOSAA - D - OS",
                         "all + ADiOSAA"]  # fmt: skip
    for method, text in (
        ("lexical", "adiosaa, not of 'lexical'"),
        ("entailment(select=false)", "leave it out"),
        ("entailment(decompose=none)", "no decomposer to leave out"),
    ):
        assert main([*args, "--method", method]) == 2
        assert text in capsys.readouterr().err
