"""The report: one page without anything from outside, plots for both themes, numbers that can be read back."""

import csv
import io
import json
import re

import pytest

from citewell_lab.papers.lfqa import page
from citewell_lab.papers.lfqa.run import Options, run
from citewell_lab.papers.published import figures
from citewell_lab.report.values import Interval, format_value
from papers.lfqadata import annotated, document, response, study, text

pytestmark = [pytest.mark.slow, pytest.mark.rare]
pytest.importorskip("matplotlib", reason="plots need matplotlib: pip install 'citewell-lab[bench]'")
pytest.importorskip("nltk", reason="self-BLEU needs nltk: pip install 'citewell-lab[bench]'")


def everything(generator, number):
    mine = text(generator, 6)
    labels = [generator.choice(["supported", "not_supported"]) for _ in range(4)]
    return {
        "documents": {"mine": (document(mine), document(text(generator, 3))), "random": (document(text(generator)),)},
        "responses": (
            response("m", "mine", mine, text(generator)),
            response("m", None, text(generator), text(generator)),
            response("<b>other", "mine", text(generator)),
        ),
        "annotated": (annotated("m", "mine", "mine", labels, support=((0, number % 6),), errors=("hallucination",)),),
    }


@pytest.fixture(scope="module")
def results():
    return run(study(8, everything), Options())


@pytest.fixture(scope="module")
def folder(results, tmp_path_factory):
    folder = tmp_path_factory.mktemp("study") / "new" / "folder"
    page.save(results, folder)
    return folder


def test_the_page_needs_nothing_from_outside(folder):
    text = (folder / "report.html").read_text(encoding="utf-8")
    addresses = set(re.findall(r"https?://[^\s\"'<)]+", text))
    assert all(address.startswith("http://www.w3.org/") for address in addresses), "only names of XML languages"
    assert "<script" not in text
    assert " src=" not in text


def test_every_analysis_is_on_the_page_and_names_are_escaped(folder, results):
    text = (folder / "report.html").read_text(encoding="utf-8")
    for name, rows in results.tables.items():
        assert not rows or f'<section id="{name}">' in text
    assert "<b>other" not in text
    assert "&lt;b&gt;other" in text


def test_plots_take_the_colour_of_the_page_and_have_ids_of_their_own(folder):
    files = sorted((folder / "plots").glob("*.svg"))
    assert len(files) == 10
    mapping = {}
    for path in files:
        svg = path.read_text(encoding="utf-8")
        assert "currentColor" in svg
        assert "#010203" not in svg
        assert "<image" not in svg, "drawn, not painted"
        for name in re.findall(r'<clipPath id="([^"]+)"', svg):
            assert mapping.setdefault(name, path) == path


def test_every_plot_has_its_numbers_as_csv(folder, results):
    for path in (folder / "plots").glob("*.svg"):
        rows = list(csv.DictReader(io.StringIO(path.with_suffix(".csv").read_text(encoding="utf-8"))))
        assert len(rows) == len(results.tables[path.stem])
    (row, *_) = csv.DictReader(io.StringIO((folder / "plots" / "supportedness.csv").read_text(encoding="utf-8")))
    assert r"\toprule" in (folder / "plots" / "supportedness.tex").read_text(encoding="utf-8")
    assert "| --- |" in (folder / "plots" / "supportedness.md").read_text(encoding="utf-8")
    assert float(row["supported_low"]) <= float(row["supported"]) <= float(row["supported_high"])


def test_all_numbers_are_in_the_json_file(folder, results):
    payload = json.loads((folder / "numbers.json").read_text(encoding="utf-8"))
    assert payload["tables"].keys() == results.tables.keys()
    assert payload["tables"]["surface"][0]["words"]["mean"] == results.tables["surface"][0].words.mean
    assert payload["record"]["questions"] == 8
    assert any("perplexity" in result for result in payload["skipped"])


def test_the_same_study_gives_the_same_files(folder, tmp_path):
    page.save(run(study(8, everything), Options()), tmp_path)
    for path in folder.rglob("*.*"):
        assert path.read_bytes() == (tmp_path / path.relative_to(folder)).read_bytes(), path.name


def test_the_papers_figures_stand_only_beside_the_papers_data(folder):
    assert "paper (T5" not in (folder / "report.html").read_text(encoding="utf-8")


def test_documents_alone_are_no_reason_to_fail(tmp_path):
    bare = run(study(2, lambda g, n: {"documents": {"mine": (document(text(g)),)}}))
    page.save(bare, tmp_path)
    assert any("there are no answers" in result for result in bare.skipped)
    assert any("there are no annotations" in result for result in bare.skipped)


def test_answers_alone_are_measured_without_documents(tmp_path):
    bare = run(study(3, lambda g, n: {"responses": (response("m", None, text(g)),)}))
    page.save(bare, tmp_path)
    assert bare.tables["surface"][0].answers == 3
    assert any("there are no documents" in result for result in bare.skipped)


def test_the_published_shares_add_up():
    result = figures("lfqa")
    for count, *shares in result["supportedness"].values():
        assert sum(shares) == pytest.approx(1, abs=0.011)
        assert count > 400
    assert sum(result["supportedness"][name][0] for name in result["supportedness"] if name != "all") == 3857


def test_figures_are_written_for_readers():
    assert format_value(Interval(0.5, 0.25, 0.75)) == "50.0 (25.0 to 75.0)"
    assert [format_value(value, share=False) for value in (12.345, 0.25, 3e-5, 0.0, None)] == [
        "12.3",
        "0.250",
        "3e-05",
        "0.000",
        "–",
    ]


def test_the_main_findings_stand_on_top(results):
    lines = page.glance(results.tables)
    assert any(item.startswith("Krippendorff's alpha") for item in lines)
    assert sum("Order of evidence" in item for item in lines) >= 2
    assert sum("Last sentences" in item for item in lines) == 3
    assert page.glance({}) == []


def unnamed(generator, number):
    """Answers copied from their documents, with people's labels but without their evidence."""
    sentences = [text(generator, 1) for _ in range(4)]
    rows = annotated("m", "mine", "mine", ["supported"] * 4)
    rows = rows._replace(sentences=tuple(a._replace(text=b) for a, b in zip(rows.sentences, sentences, strict=True)))
    return {
        "documents": {"mine": (document(" ".join(sentences)), document(text(generator)))},
        "responses": (response("m", "mine", " ".join(sentences)),),
        "annotated": (rows,),
    }


def test_the_checkers_evidence_stands_in_where_people_named_none():
    result = run(study(6, unnamed))
    sources = {row.source for row in result.tables["order"]}
    assert "people's labels, checker's evidence" in sources
    assert "people" not in sources
    assert any("annotations name no evidence" in result for result in result.skipped)
    row = result.tables["order"][0]
    assert row.source.startswith("people")
    assert row.r.low > 0.3, "the answers follow their documents"


def test_evidence_in_one_place_gives_a_heat_map_and_no_correlation_to_draw(tmp_path):
    def one_place(generator, number):
        only = text(generator, 1)
        return {"documents": {"mine": (document(only),)}, "responses": (response("m", "mine", only),)}

    result = run(study(4, one_place))
    assert all(row.r is None for row in result.tables["order"])
    page.save(result, tmp_path)
    assert (tmp_path / "plots" / "order_heat.svg").is_file()
    assert not (tmp_path / "plots" / "order.svg").exists()
