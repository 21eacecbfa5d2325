"""`citewell papers lfqa` from the command line."""

import json
import os

import pytest

from citewell.cli import main
from papers.lfqadata import WORDS

pytestmark = [pytest.mark.slow, pytest.mark.rare]
pytest.importorskip("matplotlib", reason="plots need matplotlib: pip install 'citewell-lab[bench]'")
pytest.importorskip("nltk", reason="self-BLEU needs nltk: pip install 'citewell-lab[bench]'")


@pytest.fixture
def data(tmp_path):
    rows = []
    for number in range(3):
        documents = [
            {"title": None, "text": f"{' '.join(WORDS[number + place : number + place + 8])}."} for place in range(3)
        ]
        answers = [
            {
                "model": "m",
                "evidence": "mine",
                "samples": [" ".join(result["text"].capitalize() for result in documents)],
            }
        ]
        rows.append(
            {"id": f"q{number}", "question": f"Why {number}?", "documents": {"mine": documents}, "answers": answers}
        )
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_study_is_measured_and_reported(data, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["papers", "lfqa", "--data", str(data), "--out", str(out)]) == 0
    output = capsys.readouterr()
    assert str(out / "report.html") in output.out
    assert "perplexity: no causal language model was given" in output.err
    assert (out / "numbers.json").is_file()


def test_json_goes_to_standard_output_and_quiet_is_quiet(data, tmp_path, capsys):
    assert main(["papers", "lfqa", "--data", str(data), "--out", str(tmp_path / "out"), "--json", "-q"]) == 0
    output = capsys.readouterr()
    payload = json.loads(output.out)
    assert payload["tables"]["support"][0]["supported"]["mean"] > 0.5
    assert output.err == ""


def test_a_language_model_writes_three_samples_a_setting(data, tmp_path, capsys):
    out = tmp_path / "out"
    options = ["--llm", "scripted(reply=Because it is so.)", "--shuffle", "mine", "--json", "-q"]
    assert main(["papers", "lfqa", "--data", str(data), "--out", str(out), *options]) == 0
    payload = json.loads(capsys.readouterr().out)
    counts = {row["setting"]: row["answers"] for row in payload["tables"]["surface"]}
    name = "scripted(reply=Because it is so.)"
    assert counts == {"m+mine": 3, name: 9, f"{name}+mine": 9, f"{name}+mine-shuffled": 9}
    assert len((out / "answers.jsonl").read_text(encoding="utf-8").splitlines()) == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--shuffle", "mine"], "--shuffle changes what --llm is given"),
        (["--llm", "scripted(reply=x)", "--shuffle", "yours"], "no such document set"),
        (["--checker", "lexicall"], "did you mean 'lexical'"),
        (["--encoder", "bm25"], "no embeddings"),
    ],
)
def test_what_cannot_work_is_one_clear_line(data, tmp_path, capsys, options, message):
    assert main(["papers", "lfqa", "--data", str(data), "--out", str(tmp_path / "out"), *options]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error


def test_a_file_in_the_place_of_the_folder_is_refused(data, capsys):
    assert main(["papers", "lfqa", "--data", str(data), "--out", str(data)]) == 2
    assert "that is a file" in capsys.readouterr().err


def test_a_folder_without_a_study_is_refused(tmp_path, capsys):
    assert main(["papers", "lfqa", "--data", str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    assert "holds no study" in capsys.readouterr().err


@pytest.mark.data
def test_the_papers_shares_and_agreement_come_out_of_its_annotations():
    from pathlib import Path

    from citewell_lab.papers.lfqa import agreement, supportedness
    from citewell_lab.papers.lfqa.load import load
    from citewell_lab.papers.published import figures

    loaded = load(Path(os.environ["CITEWELL_DATA"]))
    paper = figures("lfqa")
    for row in supportedness.supportedness(loaded):
        assert row.supported.mean == pytest.approx(paper["supportedness"][row.setting][1], abs=0.06)
    whole = agreement.agreement(loaded)[-1]
    assert whole.interval == pytest.approx(paper["agreement"]["alpha"], abs=0.03)
    assert whole.all_agree == pytest.approx(paper["agreement"]["all_agree"], abs=0.03)
