import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import citewell
from bench import answerdata
from bench.answerdata import Says
from bench.benchdata import Share, lines
from citewell.document import Document
from citewell.errors import BackendError, UsageError
from citewell.types import Answer, Citation, Value
from citewell_lab.bench.answering import build
from citewell_lab.bench.kinds.labelled import named
from citewell_lab.bench.kinds.questions import claim_of, evidence_of
from citewell_lab.bench.metrics import answers, risk
from citewell_lab.bench.run import run
from citewell_lab.bench.tasks import task
from citewell_lab.bench.tasks.wice import LABELS
from pdfs import heading, make_pdf, prose


def records(folder):
    return [json.loads(line) for line in (folder / "items.jsonl").read_text().splitlines()]


def test_answers_are_compared_without_case_marks_and_articles():
    assert answers.tokens("The  cat's a-Z, an owl!") == ["cats", "az", "owl"]
    # two of three predicted tokens, two of four gold ones
    assert answers.token_f1("red big oak", "The red oak of Rome") == pytest.approx(2 * 2 / (3 + 4))
    assert answers.token_f1("oak oak", "oak") == pytest.approx(2 / 3)
    assert answers.best_f1("oak", ["elm", "an oak", "oak tree"]) == 1
    assert (answers.token_f1("the", ""), answers.token_f1("oak", "the"), answers.best_f1("oak", [])) == (1, 0, 0)


@pytest.mark.parametrize(
    ("votes", "expected"),
    [
        ((1,), True),
        ((1, 1, 0), False),
        ((1, 1, 1), True),
        ((1, 1, 1, 0), True),
        ((1, 1, 1, 0, 0), False),
        ((0, 0), False),
    ],
)
def test_a_question_is_unanswerable_when_enough_annotators_say_so(votes, expected):
    assert answers.unanswerable([bool(vote) for vote in votes]) is expected


def test_nobody_s_vote_is_an_error():
    with pytest.raises(ValueError, match="no annotator"):
        answers.unanswerable([])


def test_unanswerable_f1_is_the_mean_of_both_classes():
    # unanswerable: 1 hit, 1 false, 1 missed = 1/2; answerable: 2 hits, 1 false, 1 missed = 2/3
    gold, text = [True, True, False, False, False], [True, False, True, False, False]
    assert answers.unanswerable_f1(gold, text) == pytest.approx((1 / 2 + 2 / 3) / 2)


@pytest.mark.slow
def test_rouge_l_is_the_f_measure_of_the_longest_common_subsequence():
    # "fees rose sharply" and "fees in 2010 rose": 2 in order of 3 and 4 words
    assert answers.rouge_l("Fees rose sharply.", "Fees in 2010 rose.") == pytest.approx(
        2 * (2 / 3) * (2 / 4) / (2 / 3 + 2 / 4)
    )


def test_recall_of_pages_counts_distinct_pages_and_of_tokens_each_occurrence():
    assert answers.page_recall([7, 7, 3, 9], {3, 5}, 1) == 0
    assert answers.page_recall([7, 7, 3, 9], {3, 5}, 2) == 0.5
    assert answers.page_recall([1], set(), 5) == 0
    assert answers.token_recall(["Net 5 5"], ["net 5", "of 5 5"]) == pytest.approx(3 / 5)
    assert answers.token_recall(["x"], ["the"]) == 0


def test_risk_over_coverage_is_the_mean_loss_of_the_most_confident():
    points = risk.curve([0.9, 0.1, 0.5, 0.5], [0.0, 1.0, 1.0, 0.0])
    # 0.9 first, then two equal ones that count half each, then 0.1
    assert [point.risk for point in points] == pytest.approx([0, 0.5 / 2, 1 / 3, 2 / 4])
    assert [point.coverage for point in points] == [0.25, 0.5, 0.75, 1.0]
    assert risk.aurc(points) == pytest.approx((0 + 1 / 4 + 1 / 3 + 1 / 2) / 4)
    assert (risk.at(points, 0.5), risk.at(points, 0.6)) == (pytest.approx(1 / 4), pytest.approx(1 / 3))
    with pytest.raises(ValueError, match="at least one"):
        risk.curve([], [])


pairs = st.lists(st.tuples(st.sampled_from([0.1, 0.5, 0.9]), st.floats(0, 1)), min_size=1, max_size=20)


@given(pairs, st.randoms())
def test_the_order_of_questions_does_not_change_the_risk(result, random):
    mixed = random.sample(result, len(result))
    first, second = (risk.curve([c for c, _ in result], [x for _, x in result]) for result in (result, mixed))
    assert [result.risk for result in first] == pytest.approx([result.risk for result in second])


def test_claims_join_question_and_answer_and_evidence_stands_in_document_order_under_the_title():
    assert claim_of("who", "Ada", framed=True) == 'The answer to the question "who" is "Ada"'
    assert claim_of("who", "Ada", framed=False) == "who Ada"
    document = Document.from_text("One. Two. Three.", "Title")
    cited = [Citation(document.id, "", "sentence", "q", a, b, 0, 1) for a, b in ((10, 16), (0, 4), (10, 16))]
    assert evidence_of(document, cited).text == "Title\nOne.\nThree."
    assert evidence_of(document, []) is None


def test_the_short_answer_counts_where_the_data_wants_phrases():
    value = Value("1954", "date", citations=(0,))
    answer = Answer("The lamp was moved in 1954.", value=value)
    assert [reply_of(name, answer) for name in ("squad2", "qasper", "natural-questions")] == ["1954"] * 3
    assert reply_of("clapnq", answer) == reply_of("squad2", replace(answer, value=None)) == answer.text


def reply_of(name, answer):
    return task(name)._answer_text(answer)


def test_qasper_scores_answers_evidence_attributability_and_declining(tmp_path):
    answerdata.qasper(tmp_path)
    system = Says({
        "What is trained?": ("a parser and trees", ["We train a parser on trees."], 0.9),
        "Who paid?": None,
        "Is the bank large?": ("Yes", ["Trees come", "The bank is large."], 0.4),
    })  # fmt: skip
    result = run("qasper", tmp_path, "dev", approach=system, checker=Share(), out=tmp_path / "run")
    first, second, third = records(tmp_path / "run")
    # "parser and trees" against "parser trees": 2 of 3 and 2 of 2
    assert first["answer_f1"] == pytest.approx(4 / 5)
    assert (first["evidence"], first["evidence_f1"]) == ([1], 1)
    assert (second["answer"], second["answer_f1"], second["evidence_f1"]) == ("unanswerable", 1, 1)
    assert "attributable" not in second
    assert (third["evidence"], third["evidence_f1"]) == ([2, 3], pytest.approx(2 / 3))
    # Claims are questions with their answers: the evidence lacks "what", so neither is wholly in its evidence.
    assert (first["attributable"], third["attributable"]) == ([0], [0])
    assert first["support"] == [pytest.approx(3 / 11, abs=1e-6)]  # a, parser, trees of the framed claim's eleven words
    assert result.scores.metrics == {
        "answer_f1": pytest.approx((0.8 + 1 + 1) / 3),
        "exact_match": pytest.approx(2 / 3),
        "evidence_f1": pytest.approx((1 + 1 + 2 / 3) / 3, abs=1e-5),
        "attributability": 0,
        "unanswerable_f1": 1,
        # Losses 0.2, 0 and, of the one without an answer, 1, the most confident first.
        "aurc": pytest.approx((0.2 + 0.1 + 0.4) / 3),
        "risk@0.25": pytest.approx(0.2),
        "risk@0.5": pytest.approx(0.1),
        "risk@0.75": pytest.approx(0.4),
        "risk@1": pytest.approx(0.4),
    }
    assert (result.scores.abstained, result.scores.by_group["unanswerable"]["n"]) == (1, 1)


def test_attributability_is_a_mean_over_answers_that_were_given_and_without_evidence_nothing_is_attributable(tmp_path):
    class Yes(Share):
        def check(self, pairs):
            calls.extend((pair.claim, pair.evidence[0].text) for pair in pairs)
            return [type(verdict)(verdict.claim, "supported", 1.0) for verdict in super().check(pairs)]

    calls = []
    answerdata.qasper(tmp_path)
    system = Says({
        "What is trained?": ("a parser", ["We train a parser on trees."], 0.9),
        "Who paid?": None,
        "Is the bank large?": ("Yes", [], 0.4),
    })  # fmt: skip
    result = run("qasper", tmp_path, "dev", approach=system, checker=Yes())
    assert result.scores.metrics["attributability"] == 0.5
    assert calls == [
        ('The answer to the question "What is trained?" is "a parser"', "On Parsers\nWe train a parser on trees.")
    ]


@pytest.mark.slow
def test_a_summary_is_scored_sentence_by_sentence(tmp_path):
    answerdata.govreport(tmp_path)
    result = run("govreport", tmp_path, "dev", out=tmp_path / "run")
    first, missing, second = records(tmp_path / "run")
    assert first["answer"] == " ".join(answerdata.REPORT)
    assert first["attributable"] == [1, 1, 1, 1]
    assert first["evidence"] == [0, 1, 2, 3]
    # four cited, two gold and both among them
    assert first["evidence_f1"] == pytest.approx(2 * 2 / (4 + 2), abs=1e-5)
    assert "failed" in missing
    assert result.scores.metrics["rouge_l"] == pytest.approx((first["rouge_l"] + second["rouge_l"]) / 2)
    assert "unanswerable_f1" not in result.scores.metrics


def test_risk_counts_every_answer_to_an_unanswerable_question_and_what_was_withheld(tmp_path):
    answerdata.clapnq(tmp_path)
    system = Says({
        "what do bees do": ("Bees make honey and dance", ["Bees make honey ."], 0.8),
        "what do cats do": ("Wasps sting", ["Wasps sting ."], 0.9),
        "why": None,
    })  # fmt: skip
    result = run("clapnq", tmp_path, "dev", approach=system, out=tmp_path / "run")
    metrics = result.scores.metrics
    assert [record["loss"] for record in records(tmp_path / "run")] == [0, 1, 1]
    # by confidence: the wrong one, the right one, the withheld one
    assert metrics["aurc"] == pytest.approx((1 + 1 / 2 + 2 / 3) / 3)
    assert metrics["risk@1"] == pytest.approx(2 / 3)
    assert result.scores.curves["risk@coverage"][0] == (pytest.approx(1 / 3, abs=1e-6), 1)
    assert metrics["evidence_f1"] == pytest.approx((2 / 3 + 0 + 1) / 3, abs=1e-5)
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert len(summary["curves"]["risk@coverage"]) == 3


def test_the_extractive_reader_is_the_default_and_says_how_sure_it_is_of_what_it_withholds(tmp_path):
    answerdata.squad2(tmp_path)
    result = run("squad2", tmp_path, "dev", out=tmp_path / "run")
    assert (result.method, result.n, result.failed) == ("extractive", 2, 0)
    lives, cat = records(tmp_path / "run")
    assert lives["evidence_f1"] == 1
    assert cat["abstained"]
    assert cat["confidence"] < lives["confidence"]


def test_one_question_that_breaks_is_counted_and_the_rest_goes_on(tmp_path):
    answerdata.clapnq(tmp_path)
    broken = BackendError("the service coughed")
    system = Says({"what do bees do": broken, "what do cats do": None, "why": broken})
    result = run("clapnq", tmp_path, "dev", approach=system)
    assert (result.n, result.failed) == (1, 2)
    assert "the service coughed" in result.failures[0]


def test_a_system_that_always_breaks_stops_the_run(tmp_path):
    answerdata.clapnq(tmp_path)
    broken = BackendError("no such model")
    system = Says(dict.fromkeys(("what do bees do", "what do cats do", "why"), broken))
    with pytest.raises(BackendError, match="the first 3 items all failed: no such model"):
        run("clapnq", tmp_path, "dev", approach=system)


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("Supported [1]", "supported"),
        ("**Partially supported.** [2]", "partially_supported"),
        ("The claim is not supported, though partly supported it seems", "not_supported"),
        ("partially-supported", "partially_supported"),
        ("unsupported", "not_supported"),
        ("The claim is not fully supported [1].", "partially_supported"),
        ("I cannot tell.", None),
        ("", None),
    ],
)
def test_the_label_is_the_first_that_a_reply_names(reply, label):
    assert named(reply, LABELS) == label


def test_approaches_tell_what_they_lack():
    with pytest.raises(UsageError, match="needs a language model: --llm"):
        build(task("qasper"), "citation")
    with pytest.raises(UsageError, match="uses neither --llm nor --retriever"):
        build(task("qasper"), "extractive", llm="scripted(reply=x)")
    with pytest.raises(UsageError, match="no approach 'guess'"):
        build(task("qasper"), "guess", llm="scripted(reply=x)")


def test_another_retriever_replaces_the_paper_s_and_keeps_self_similarity():
    system = build(task("govreport"), "reduced-post-hoc", llm="scripted(reply=x)", retriever="bm25(k1=1.2)").system
    assert system.generator.reduce == "top(retriever=self-similarity(retriever=bm25(k1=1.2)), k=10)"
    assert system.attributor == "retrieval(retriever=bm25(k1=1.2), query=question, k=2)"


def test_pages_are_ranked_by_the_reader_s_preference_also_where_it_withholds(tmp_path):
    folder = tmp_path / "financebench"
    (folder / "pdfs").mkdir(parents=True)
    parts = [heading("Report"), prose(300), "Harbour fees were 31 million in 2021.", prose(300, 3)]
    data = make_pdf(parts, size=(400, 300), pictures=(1,))
    (folder / "pdfs" / "MINE.pdf").write_bytes(data)
    document = citewell.read(data, name="MINE.pdf")
    page = document.page_at(document.text.index("Harbour fees"))
    evidence = [{"doc_name": "MINE", "evidence_page_num": page - 1, "evidence_text": "Harbour fees were 31 million."}]
    row = {"question": "What were harbour fees in 2021?", "doc_name": "MINE", "answer": "31", "evidence": evidence}
    lines(folder / "questions.jsonl", [row, {**row, "question": "Which zebra painted the harbour crews?"}])
    result = run("financebench", tmp_path, "all", out=tmp_path / "run")
    first, second = records(tmp_path / "run")
    assert page > 2
    assert first["pages"][0] == page
    assert (first["page_recall@1"], first["evidence_token_recall@5"]) == (1, 1)
    assert second["abstained"]
    assert len(second["pages"]) > 1
    assert result.scores.metrics["page_recall@1"] == (1 + second["page_recall@1"]) / 2
