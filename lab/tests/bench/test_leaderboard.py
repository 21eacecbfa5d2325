"""A leaderboard scores predictions from gold, and takes nothing that was forged, cut or made on other data."""

import json
import shutil

import pytest

from bench import benchdata
from citewell.cli import main
from citewell.errors import InputError, UsageError
from citewell_lab.bench.board import board, submission
from citewell_lab.bench.predicted import Predicted
from citewell_lab.bench.run import run
from citewell_lab.bench.tasks import task


def squad(data):
    def question(number, text, answers, *, impossible):
        return {"id": str(number), "question": text, "answers": answers, "is_impossible": impossible}

    text = "Ada Stone runs the mill. The mill was built in 1890 near the river."
    answers = [{"text": "1890", "answer_start": text.index("1890")}]
    paragraph = {
        "context": text,
        "qas": [
            question(1, "When was the mill built?", answers, impossible=False),
            question(2, "Who painted the ceiling of the chapel?", [], impossible=True),
        ],
    }
    path = data / "squad2" / "dev.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"version": "v2.0", "data": [{"title": "Mill", "paragraphs": [paragraph]}]}))


TASKS = {
    "verifiability-granular": (benchdata.veri_gran, {"method": "lexical"}),
    "quotesum": (benchdata.quotesum, {"method": "verbatim"}),
    "attributionbench": (benchdata.attributionbench, {}),
    "salad": (benchdata.salad, {}),
    "wice": (benchdata.wice, {}),
    "contract-nli": (benchdata.contract_nli, {}),
    "verifiability": (benchdata.verifiability, {"method": "lexical"}),
    "squad2": (squad, {}),
    "fever": (benchdata.fever, {}),
}


@pytest.fixture(scope="module")
def wice(tmp_path_factory):
    """A data folder with WiCE, and the text of the submission of a whole run."""
    folder = tmp_path_factory.mktemp("wice")
    benchdata.wice(folder)
    run("wice", folder, "dev", out=folder / "run")
    return folder, submission.pack(folder / "run", "words").text()


@pytest.mark.parametrize("name", TASKS)
def test_predictions_have_the_figures_of_the_run_that_they_are_of(tmp_path, name):
    make, options = TASKS[name]
    make(tmp_path)
    result = run(name, tmp_path, "dev", out=tmp_path / "run", **options)
    submission.write(submission.pack(tmp_path / "run"), tmp_path / "s.json")
    packed = submission.read(tmp_path / "s.json")
    allowed = {"id", *task(name).predicted}
    assert all(row.keys() <= allowed for row in packed.predictions)
    entry = board.scored(packed, tmp_path)
    wanted = {key: value for key, value in result.scores.metrics.items() if not key.startswith("model_token")}
    assert entry["metrics"] == pytest.approx(wanted)
    assert (entry["n"], entry["abstained"]) == (result.n, result.scores.abstained)


def changed(content, change):
    data = json.loads(content)
    change(data)
    return json.dumps(data)


def first(**fields):
    return lambda data: data["predictions"][0].update(fields)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"format": 1, "format": 1}', '{"format": NaN}', "\x00", "[" * 9999])
def test_what_is_no_submission_is_refused(tmp_path, text):
    (tmp_path / "s.json").write_text(text)
    with pytest.raises(InputError, match="no submission"):
        submission.read(tmp_path / "s.json")


def test_a_run_with_items_that_failed_does_not_reach_the_board(tmp_path):
    benchdata.wice(tmp_path)

    class Breaking(benchdata.Share):
        def check(self, pairs):
            if any("rain" in claim for claim, *_ in pairs):
                raise RuntimeError("broken")
            return super().check(pairs)

    run("wice", tmp_path, "dev", out=tmp_path / "run", checker=Breaking())
    with pytest.raises(UsageError, match=r"not of the whole split: \d of 2 items lack a prediction"):
        board.scored(submission.pack(tmp_path / "run"), tmp_path)


def test_attributability_is_judged_by_the_board_and_never_taken(tmp_path):
    squad(tmp_path)
    run("squad2", tmp_path, "dev", out=tmp_path / "run")
    packed = submission.pack(tmp_path / "run").text()
    for forged in (first(attributable=[1]), first(support=[1.0]), first(loss=0.0), first(answer_f1=1.0)):
        (tmp_path / "s.json").write_text(changed(packed, forged))
        with pytest.raises(InputError, match="nothing that a system predicts"):
            board.add(submission.read(tmp_path / "s.json"), tmp_path / "board", tmp_path)
    for forged in (first(abstained=True, answer="1890"), first(confidence=2), first(confidence="high")):
        (tmp_path / "s.json").write_text(changed(packed, forged))
        with pytest.raises(InputError, match=r"squad2|answer|confidence"):
            board.add(submission.read(tmp_path / "s.json"), tmp_path / "board", tmp_path)


def test_a_score_that_is_no_number_from_0_to_1_is_refused():
    for value in (True, None, "0.5", -0.1, 1.1, float("nan"), float("inf"), 10**400):
        with pytest.raises(InputError, match="no score"):
            Predicted("x", {"score": value}).number("score")


def test_a_board_holds_one_data_set_a_split_and_one_entry_a_name(wice, tmp_path):
    data, content = wice
    (tmp_path / "s.json").write_text(content)
    packed = submission.read(tmp_path / "s.json")
    for _ in range(2):
        board.add(packed, tmp_path / "board", data)
    assert len(board.load(tmp_path / "board")["entries"]) == 1
    assert len(list((tmp_path / "board" / "submissions").iterdir())) == 1
    other = tmp_path / "data"
    shutil.copytree(data / "wice", other / "wice")
    path = other / "wice" / "claim" / "dev.jsonl"
    path.write_text(path.read_text().replace("rain", "hail"))
    with pytest.raises(UsageError, match="read other data"):
        board.add(packed, tmp_path / "board", other)
    run("wice", other, "dev", out=tmp_path / "run")
    with pytest.raises(UsageError, match="other data than the entry"):
        board.add(submission.pack(tmp_path / "run"), tmp_path / "board", other)


def test_the_commands_pack_add_show_and_check(wice, tmp_path, capsys):
    data, _ = wice
    file, folder = str(tmp_path / "s.json"), tmp_path / "board"
    options = ["--board", str(folder), "--data", str(data)]
    assert main(["bench", "submission", str(data / "run"), "--out", file, "--name", "<words>"]) == 0
    assert main(["bench", "leaderboard", "add", file, *options]) == 0
    assert main(["bench", "leaderboard", "show", str(folder)]) == 0
    out = capsys.readouterr().out
    assert "wice, dev" in out
    assert "<words>" in out
    page = (folder / "index.html").read_text()
    assert "&lt;words&gt;" in page
    assert "<script" not in page
    assert main(["bench", "leaderboard", "check", *options]) == 0


@pytest.mark.parametrize(
    ("what", "why"),
    [("metrics", "differs from its submission in metrics"), ("system", "in system"), ("file", "not the one")],
)
def test_a_board_changed_by_hand_is_noticed(wice, tmp_path, what, why):
    data, content = wice
    (tmp_path / "s.json").write_text(content)
    entry = board.add(submission.read(tmp_path / "s.json"), tmp_path / "board", data)
    path = tmp_path / "board" / "board.json"
    stored = json.loads(path.read_text())
    if what == "metrics":
        stored["entries"][0]["metrics"]["evidence_f1"] = 0.99
    elif what == "system":
        stored["entries"][0]["system"]["seed"] = 5
    else:
        (tmp_path / "board" / "submissions" / f"{entry['submission']}.json").write_text(
            changed(
                content,
                lambda row: row["predictions"][0].update(label="supported", evidence=[2]) or row.update(name="x"),
            )
        )
    path.write_text(json.dumps(stored))
    (fault,) = board.check(tmp_path / "board", data)
    assert why in fault


def test_a_file_that_is_no_leaderboard_is_left_alone(wice, tmp_path):
    data, content = wice
    (tmp_path / "s.json").write_text(content)
    path = tmp_path / "board.json"
    for text in ("[]", "{", '{"format": 9, "entries": []}'):
        path.write_text(text)
        with pytest.raises(InputError, match="not a leaderboard"):
            board.add(submission.read(tmp_path / "s.json"), tmp_path, data)
        assert path.read_text() == text
