import json

import pytest

from bench import answerdata, benchdata
from citewell_lab.bench.items import Broken
from citewell_lab.bench.tasks import task
from citewell_lab.bench.tasks.natural_questions import read
from pdfs import make_pdf


def load(data, name, split="dev"):
    source = task(name).data
    return list(source.items(source.files(data, split), split))


def segment_texts(item, positions):
    return [item.document.text[slice(*item.segments[i])] for i in sorted(positions)]


def test_a_published_qasper_paper_gives_its_questions_with_every_annotators_answer_and_paragraphs(tmp_path):
    answerdata.qasper(tmp_path)
    first, unanswered, yes_no = load(tmp_path, "qasper")
    assert [reference.text for reference in first.references] == ["a parser, trees", "one parser", "unanswerable"]
    assert [segment_texts(first, reference.evidence) for reference in first.references] == [
        ["We train a parser on trees."],
        ["We train a parser on trees.", "The bank is large."],
        [],
    ]
    assert first.document.title == "On Parsers"
    assert [first.group, unanswered.group, yes_no.group] == ["answerable", "unanswerable", "answerable"]
    assert [reference.text for reference in yes_no.references] == ["Yes", "No"]


def test_questions_of_qasper_whose_evidence_is_a_table_are_left_out(tmp_path):
    answerdata.qasper(tmp_path)
    assert [item.id for item in load(tmp_path, "qasper")] == ["1234.5:q1", "1234.5:q3", "1234.5:q4"]


def test_qasper_as_columns_reads_like_the_published_form(tmp_path):
    answerdata.qasper(tmp_path / "a")
    answerdata.qasper_columns(tmp_path / "b")
    twice = load(tmp_path / "b", "qasper", "all")
    assert twice[:3] == twice[3:] == load(tmp_path / "a", "qasper")


def test_qasper_with_plain_text_finds_its_gold_paragraphs_among_the_lines(tmp_path):
    row = {
        "article_id": "9",
        "full_text": "Data\nWe use a list of words. It is short.\nModel\nThe model is a tree.",
        "qas": [
            {"question": "What is used?", "question_id": "x", "extractive_spans": ["a list", "words"],
             "evidence": ["We use a list of  words. It is short."], "leval_answers": ["a list of words"]},
        ],
    }  # fmt: skip
    benchdata.lines(tmp_path / "qasper" / "derived_dev_papers.jsonl", [row])
    (item,) = load(tmp_path, "qasper")
    assert [reference.text for reference in item.references] == ["a list of words", "a list, words"]
    assert segment_texts(item, item.references[0].evidence) == ["We use a list of words. It is short."]


def test_a_damaged_qasper_question_is_a_counted_failure(tmp_path):
    paper = answerdata.qasper_paper()
    del paper["qas"][0]["question"]
    path = tmp_path / "qasper" / "qasper-test-v0.3.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"1": paper}))
    first, *rest = load(tmp_path, "qasper", "test")
    assert isinstance(first, Broken)
    assert len(rest) == 2


def test_natural_questions_keeps_short_and_yes_no_answers_in_paragraphs_and_no_answers(tmp_path):
    answerdata.natural_questions(tmp_path)
    items = {item.id: item for item in load(tmp_path, "natural-questions")}
    assert list(items) == ["where", "is it a tree", "who cut it"]
    where, tree, cut = items.values()
    assert [reference.text for reference in where.references] == ["Europe Asia", "unanswerable"]
    assert segment_texts(where, where.references[0].evidence) == ["Oaks grow in Europe and in Asia ."]
    assert (tree.references[0].text, segment_texts(tree, tree.references[0].evidence)) == (
        "yes",
        ["An oak is a tree ."],
    )
    # Four of five annotators say that there is no answer, one may disagree.
    assert cut.group == "unanswerable"
    assert where.group == "answerable"


def test_a_page_is_parted_into_paragraphs_rows_and_items_and_ends_before_its_references():
    page = read(answerdata.PAGE.split(" "))
    document = page.built.document
    assert document.title == "Oak"
    assert [document.text[a:b] for a, b in page.built.segments] == [
        "An oak is a tree .",
        "Height | 40 m",
        "Oaks grow in Europe and in Asia .",
        "Red oak",
    ]
    tokens = answerdata.PAGE.split(" ")
    assert next(" ".join(tokens[a:b]) for a, b in page.tokens) == "An oak is a tree ."


def test_pages_with_short_answers_alone_have_no_evidence(tmp_path):
    row = {"input": answerdata.PAGE, "instructions": ["where", "how high"], "outputs": ["Europe", "40 m"]}
    benchdata.lines(tmp_path / "natural_questions" / "leval_pages.jsonl", [row])
    first, second = load(tmp_path, "natural-questions", "all")
    assert (second.question, second.references[0].text, second.references[0].evidence) == ("how high", "40 m", None)
    assert first.document is second.document
    assert load(tmp_path, "natural-questions", "test") == [first, second]


def test_reports_of_both_sources_are_read_by_their_ids_and_get_simulated_evidence(tmp_path):
    answerdata.govreport(tmp_path)
    first, missing, second = load(tmp_path, "govreport")
    assert "R2.json does not lie" in missing.reason
    assert [first.id, second.id] == ["crs:R1", "gao:G1"]
    assert [first.document.text[a:b] for a, b in first.segments] == answerdata.REPORT
    assert [s.text for s in first.document.segments("paragraph") if s.kind == "heading"] == [
        "On Mines", "Fees", "Nature", "Audits",
    ]  # fmt: skip
    # The two best paragraphs for "Mines pay a fee that rose in 2010."
    assert segment_texts(first, first.references[0].evidence) == answerdata.REPORT[:2]
    assert second.references[0].text == "\n".join(["States audit mines."] * 5)


@pytest.mark.parametrize("keys", [("report", "summary"), ("input", "output")])
def test_reports_as_one_text_part_at_lines_and_tell_headings(tmp_path, keys):
    text = "\tFees\n\nMines pay a fee to the state.\nThe fee rose in 2010."
    benchdata.lines(tmp_path / "govreport" / "dev.jsonl", [dict(zip(keys, (text, "The fee rose. " * 5), strict=True))])
    (item,) = load(tmp_path, "govreport")
    assert [item.document.text[a:b] for a, b in item.segments] == answerdata.REPORT[:2]


def test_reports_with_a_short_summary_are_left_out_in_every_form(tmp_path):
    rows = [{"report": "Mines pay a fee.", "summary": "The fee rose. " * sentences} for sentences in (4, 5)]
    benchdata.lines(tmp_path / "govreport" / "dev.jsonl", rows)
    assert [item.id for item in load(tmp_path, "govreport")] == ["dev:1"]
    answerdata.govreport(tmp_path / "published")
    path = tmp_path / "published" / "govreport" / "crs" / "R1.json"
    row = json.loads(path.read_text())
    path.write_text(json.dumps({**row, "summary": row["summary"][1:]}))
    assert [item.id for item in load(tmp_path / "published", "govreport")] == ["crs:R2", "gao:G1"]


def test_clapnq_marks_selected_sentences_and_questions_without_an_answer(tmp_path):
    answerdata.clapnq(tmp_path)
    first, second, third = load(tmp_path, "clapnq")
    assert segment_texts(first, first.references[0].evidence) == ["Bees make honey .", "They dance ."]
    assert [item.group for item in (first, second, third)] == ["answerable", "unanswerable", "unanswerable"]
    assert second.references[0].unanswerable


def test_squad_evidence_is_the_sentence_of_the_answer(tmp_path):
    answerdata.squad2(tmp_path)
    first, second = load(tmp_path, "squad2")
    assert len(first.references) == 1
    assert segment_texts(first, first.references[0].evidence) == ["She lived in London."]
    assert (first.document.title, second.group) == ("Ada L", "unanswerable")


def test_financebench_pages_count_from_one_and_a_missing_report_is_a_failure(tmp_path):
    folder = tmp_path / "financebench"
    (folder / "pdfs").mkdir(parents=True)
    (folder / "pdfs" / "MINE.pdf").write_bytes(make_pdf(["Costs were 3 million."], pictures=(1,)))
    evidence = [{"doc_name": "MINE", "evidence_page_num": 1, "evidence_text": "Costs were 3 million."}]
    row = {"question": "What were costs?", "doc_name": "MINE", "answer": 3, "evidence": evidence}
    benchdata.lines(
        folder / "questions.jsonl", [row, {**row, "doc_name": "YOURS"}, {**row, "doc_name": "NONE", "evidence": []}]
    )
    first, other, absent = task("financebench").data.load([folder / "questions.jsonl"])
    assert first.pages == {2}
    assert first.document.page_at(first.document.text.index("Costs")) == 2
    assert "not in the report" in other.reason
    assert "not in the report" in absent.reason
