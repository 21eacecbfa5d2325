"""Every approach on every task that it can do, with replies right, wrong, unreadable, declining and empty.

Each data set has one document of five parts and one item a kind of reply; a run's records, its figures, its analysis
and its report are held against values that were reckoned by hand. No two parts share a word but the first two, which
both say Turku: post hoc an item's evidence is the parts with its words. What is read is filled up in the document's
order, two parts (five of WiCE's page, which is all), and ten, which is all too, where the document is reduced.
"""

import json
import re
from dataclasses import dataclass

import pytest

from bench import answerdata, benchdata
from bench.benchdata import Overlap, Share, lines
from citewell.cli import main
from citewell.errors import UsageError
from citewell.llm.scripted import Scripted
from citewell.types import Verdict
from citewell_lab.bench.run import run
from citewell_lab.bench.tasks import names, task
from citewell_lab.papers.beside import standings
from citewell_lab.papers.lab import shown
from citewell_lab.papers.lab.analyze import analyze
from citewell_lab.papers.lab.rows import read
from citewell_lab.papers.run_page.build import build
from citewell_lab.report.values import percent

pytestmark = pytest.mark.rare

PARTS = (
    "Alpha ferries leave Turku daily.",
    "Beta barges reach Turku half empty.",
    "Gamma crews sing shanties.",
    "Delta storms delay departures.",
    "Epsilon tickets cost nine crowns.",
)
KINDS = ("right", "wrong", "unreadable", "declining", "empty")
CITING = ("citation", "reduced-citation")
APPROACHES = ("retrieve-then-read", "post-hoc", "reduced-post-hoc", *CITING)
# What is asked in each item: words of part 0 and of Turku, of parts 1 and 2, of none, of part 4.
CLAIMS_ASKED = (
    "Alpha ferries Turku",
    "Beta barges sank",
    "Gamma crews dance",
    "Zeta lighthouses glow",
    "Epsilon tickets vanish",
)


@dataclass(frozen=True)
class Holds:
    """A checker: whether the evidence has the claim, or what the claim says in its last quotation marks."""

    name = "holds"

    def check(self, pairs):
        matches = [re.findall(r'"([^"]*)"', claim)[-1:] or [claim] for claim, *_ in pairs]
        is_expecteds = [words[0].rstrip(".") in pair[1][0].text for words, pair in zip(matches, pairs, strict=True)]
        return [
            Verdict(pair[0], "supported" if good else "not_supported", float(good))
            for good, pair in zip(is_expecteds, pairs, strict=True)
        ]


def kinds(request):
    """The kinds of item whose question, or whose report's title, a prompt has."""
    question = re.split(r"^(?:=== .* ===|\(end of .*\))$", request, flags=re.MULTILINE)[-1]  # behind the text
    return [
        k
        for k, words in zip(KINDS, CLAIMS_ASKED, strict=True)
        if words.split()[1] in question or f"Report {k}" in request
    ]


def model(replies, *, cites):
    """A language model that knows each item by its words; it gives marks only where it was asked for them."""

    def reply(request):
        content = request.messages[-1].content
        (kind,) = kinds(content)
        result = replies[KINDS.index(kind)]
        return result if cites else re.sub(r" ?\[\d\]", "", result)

    return Scripted(replies=reply)


def wice(data):
    labels = ["supported"] * 3 + ["not_supported", "supported"]
    sets = [[[0]], [[1]], [[2]], [[]], [[4]]]
    rows = [
        {"claim": claim, "label": label, "evidence": list(PARTS), "supporting_sentences": marked,
         "meta": {"claim_context": f"Context of {kind}."}}
        for kind, claim, label, marked in zip(KINDS, CLAIMS_ASKED, labels, sets, strict=True)
    ]  # fmt: skip
    lines(data / "wice" / "claim" / "dev.jsonl", rows)


def contract_nli(data):
    text = "\n".join(PARTS)
    spans = [[text.index(part), text.index(part) + len(part)] for part in PARTS]
    marked = ([0], [1], [2], [], [4])
    annotations = {
        f"nda-{number + 1}": {"choice": "Entailment" if spans_ else "NotMentioned", "spans": spans_}
        for number, spans_ in enumerate(marked)
    }
    document = {"id": 1, "text": text, "spans": spans, "annotation_sets": [{"annotations": annotations}]}
    labels = {f"nda-{number}": {"hypothesis": claim} for number, claim in enumerate(CLAIMS_ASKED, 1)}
    path = data / "contractnli" / "dev.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"documents": [document], "labels": labels}))


def evidence_inference(data):
    root = data / "evidence_inference"
    (root / "txt_files").mkdir(parents=True)
    (root / "splits").mkdir()
    text = "\n".join(PARTS)
    (root / "txt_files" / "PMC1.txt").write_text(text)
    (root / "splits" / "validation_article_ids.txt").write_text("1\n")
    prompts = ["PromptID,PMCID,Outcome,Intervention,Comparator"]
    columns = "UserID,PromptID,PMCID,Valid Label,Valid Reasoning,Label,Annotations,Label Code,In Abstract"
    rows = [f"{columns},Evidence Start,Evidence End"]
    for number, question in enumerate(CLAIMS_ASKED):
        first, second, outcome = question.split()
        prompts.append(f"{number},1,{outcome},{first} {second},rafts")
        start = text.index(PARTS[number])
        label = "no significant difference" if number == 3 else "significantly increased"
        rows.append(f"0,{number},1,True,True,{label},x,1,,{start},{start + len(PARTS[number])}")
    (root / "prompts_merged.csv").write_text("\n".join(prompts) + "\n")
    (root / "v2_annotations.csv").write_text("\n".join(rows) + "\n")


GOLD = ("Turku", "half empty", "shanties", None, "nine crowns")


def qasper(data):
    answers = [
        answerdata.answer(unanswerable=True)
        if text is None
        else answerdata.answer(spans=[text], evidence=[PARTS[number]])
        for number, text in enumerate(GOLD)
    ]
    qas = [
        {"question": f"{question}?", "question_id": kind, "answers": [{"answer": answer}]}
        for kind, question, answer in zip(KINDS, CLAIMS_ASKED, answers, strict=True)
    ]
    sections = [{"section_name": "All", "paragraphs": list(PARTS)}]
    paper = {"title": "Paper", "abstract": "", "full_text": sections, "qas": qas}
    path = data / "qasper" / "qasper-dev-v0.3.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"1": paper}))


def natural_questions(data):
    page = " ".join(f"<P> {part[:-1]} . </P>" for part in PARTS)
    tokens = page.split(" ")
    opens = [number for number, word in enumerate(tokens) if word == "<P>"]
    closes = [number + 1 for number, word in enumerate(tokens) if word == "</P>"]
    rows = []
    for number, (request, gold) in enumerate(zip(CLAIMS_ASKED, GOLD, strict=True)):
        note = answerdata.nq_note()
        if gold is not None:
            first = tokens.index(gold.split()[0])
            note = answerdata.nq_note(opens[number], closes[number], [(first, first + len(gold.split()))])
        question = f"{request}?"
        rows.append(
            {"example_id": KINDS[number], "question_text": question, "document_text": page, "annotations": [note]}
        )
    lines(data / "natural_questions" / "v1.0-simplified_nq-dev-all.jsonl", rows)


def clapnq(data):
    for number, (question, gold) in enumerate(zip(CLAIMS_ASKED, GOLD, strict=True)):
        passage = {"title": "Boats", "text": " ".join(PARTS), "sentences": list(PARTS)}
        settings = {"answer": gold or "", "selected_sentences": [PARTS[number]] if gold else []}
        row = {"id": KINDS[number], "input": f"{question}?", "passages": [passage], "output": [settings]}
        lines(data / "clapnq" / f"dev_{number}_answerable.jsonl", [row])


def squad2(data):
    text = " ".join(PARTS)
    qas = [
        {"id": kind, "question": f"{question}?", "is_impossible": gold is None,
         "answers": [{"text": gold, "answer_start": text.index(gold)}] if gold else []}
        for kind, question, gold in zip(KINDS, CLAIMS_ASKED, GOLD, strict=True)
    ]  # fmt: skip
    path = data / "squad2" / "dev-v2.0.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"data": [{"title": "Boats", "paragraphs": [{"context": text, "qas": qas}]}]}))


SUMMARY = (PARTS[0], PARTS[2], "Alpha ferries leave.", "Gamma crews sing.", "Alpha ferries.")


def govreport(data):
    root = data / "govreport"
    for folder in ("crs", "split_ids"):
        (root / folder).mkdir(parents=True)
    section = {"section_title": "", "paragraphs": list(PARTS), "subsections": []}
    for kind in KINDS:
        row = {"id": kind, "title": f"Report {kind}", "reports": section, "summary": [" ".join(SUMMARY)]}
        (root / "crs" / f"{kind}.json").write_text(json.dumps(row))
    (root / "split_ids" / "crs_valid.ids").write_text("\n".join(KINDS) + "\n")


DATA = {
    "wice": wice,
    "contract-nli": contract_nli,
    "evidence-inference": evidence_inference,
    "qasper": qasper,
    "natural-questions": natural_questions,
    "govreport": govreport,
    "clapnq": clapnq,
    "squad2": squad2,
}
LABELS = ("supported [1]", "not supported [3]", "Bananas, surely [3]", "not supported [4]", "")
ANSWERS = ("Turku [1]", "shanties [3]", "?! [3]", "unanswerable [4]", "")
REPLIES = {
    "wice": LABELS,
    "contract-nli": ("entailment [1]", "not mentioned [3]", "Bananas, surely [3]", "not mentioned [4]", ""),
    "evidence-inference": (
        "significantly increased [1]", "significantly decreased [3]", "Bananas, surely [3]", "It cannot be said. [4]", "",
    ),
    "qasper": ANSWERS,
    "natural-questions": ANSWERS,
    "clapnq": ANSWERS,
    "squad2": ANSWERS,
    "govreport": (
        " ".join(f"{sentence} [{number}]" for sentence, number in zip(SUMMARY, (1, 3, 1, 3, 1), strict=True)),
        f"{PARTS[4]} [1]", "?! [3]", "I cannot provide a summary.", "",
    ),
}  # fmt: skip


def same(value, approaches=APPROACHES):
    return dict.fromkeys(approaches, value)


READ, RETRIEVED, FOUND_REDUCED = APPROACHES[:3]
# What each record says: labels, or answers; None for a reply that names no label.
EXPECTED_REPLIES = {
    "wice": ("supported", "not_supported", None, "not_supported", None),
    "contract-nli": ("Entailment", "NotMentioned", None, "NotMentioned", None),
    "evidence-inference": ("significantly increased", "significantly decreased", None, None, None),
    "govreport": (" ".join(SUMMARY), PARTS[4], "unanswerable", "I cannot provide a summary.", "unanswerable"),
} | same(("Turku", "shanties", "unanswerable", "unanswerable", "unanswerable"), tuple(DATA)[3:5] + tuple(DATA)[6:])
# The evidence of each record by approach, as numbers of parts. What a model cites stays, whatever its label; what the
# system adds stays away where a label needs none or there is none. Gold: part 0, 1, 2, none (Evidence Inference: 3), 4.
CLAIMS = {**same(([0], [2], [2], [3], []), CITING), **same(([0, 1], [], [], [], []), (READ, RETRIEVED, FOUND_REDUCED))}
QUESTIONS = {
    READ: ([0, 1], [0, 1], [], [], []),
    **same(([0, 1], [1, 2], [], [], []), (RETRIEVED, FOUND_REDUCED)),  # by question and answer: Beta barges, shanties
    **same(([0], [2], [], [], []), CITING),
}
EVIDENCE = {
    "wice": CLAIMS | {READ: ([0, 1, 2, 3, 4], [], [], [], [])},
    "contract-nli": CLAIMS,
    "evidence-inference": {
        READ: ([0, 1], [0, 1], [], [], []),
        **same(([0, 1], [1], [], [], []), (RETRIEVED, FOUND_REDUCED)),
        **same(([0], [2], [2], [3], []), CITING),
    },
    "qasper": QUESTIONS,
    "natural-questions": QUESTIONS,
    # The gold summary's evidence: for its first sentence 0 and 1, for the others 0 or 2.
    "govreport": {
        READ: ([0, 1], [0, 1], [], [0, 1], []),  # of all paragraphs 0 and 1 are most like the others: they share Turku
        **same(([0, 1, 2], [4], [], [], []), (RETRIEVED, FOUND_REDUCED)),
        **same(([0, 2], [0], [], [], []), CITING),
    },
}
THIRDS = 2 / 3
# F1 of these sets and the gold.
EVIDENCE_F1 = {
    "wice": {
        READ: (1 / 3, 0, 0, 1, 0),
        **same((THIRDS, 0, 0, 1, 0), (RETRIEVED, FOUND_REDUCED)),
        **same((1, 0, 1, 0, 0), CITING),
    },
    "contract-nli": {**same((THIRDS, 0, 0, 1, 0), (READ, RETRIEVED, FOUND_REDUCED)), **same((1, 0, 1, 0, 0), CITING)},
    "evidence-inference": {
        READ: (THIRDS, THIRDS, 0, 0, 0),
        **same((THIRDS, 1, 0, 0, 0), (RETRIEVED, FOUND_REDUCED)),
        **same((1, 0, 1, 1, 0), CITING),
    },
    "qasper": {**same((THIRDS, THIRDS, 0, 1, 0)), **same((1, 0, 0, 1, 0), CITING)},
    "govreport": {
        READ: (0.8, 0.8, 0, 0.8, 0),
        **same((1, 0, 0, 0, 0), (RETRIEVED, FOUND_REDUCED)),
        **same((0.8, 0.5, 0, 0, 0), CITING),
    },
}
EVIDENCE_F1["natural-questions"] = EVIDENCE_F1["qasper"]
# Whether the evidence has what each given answer says: "Turku" and "shanties", the five sentences and "Epsilon ...",
# "I cannot provide a summary".
ATTRIBUTABLE = {"qasper": {READ: ([1], [0]), **same(([1], [1]), APPROACHES[1:])}}
ATTRIBUTABLE["natural-questions"] = ATTRIBUTABLE["qasper"]
ATTRIBUTABLE["govreport"] = {
    READ: ([1, 0, 1, 0, 1], [0], [0]),
    **same(([1, 1, 1, 1, 1], [1], [0]), (RETRIEVED, FOUND_REDUCED)),
    **same(([1, 1, 1, 1, 1], [0], [0]), CITING),
}
# Two classes of claims: of the one named once and rightly, of four, F1 is 2/5; of the other, named once rightly and
# once not, 2/3; of the class that is only gold, or only named, 0. Answers: declined 3, one of them rightly, 1/2; given
# 2 of 4, 2/3. Losses of an order: 0 once and 1 four times.
FIGURES = {
    **same({"label_macro_f1": (2 / 5 + 2 / 3) / 2, "label_accuracy": 2 / 5}, ("wice", "contract-nli")),
    "evidence-inference": {"label_macro_f1": (2 / 5 + 0 + 0) / 3, "label_accuracy": 1 / 5},
    **same({"answer_f1": 2 / 5, "unanswerable_f1": (1 / 2 + 2 / 3) / 2}, ("qasper", "natural-questions")),
    **same({"answer_f1": 2 / 5, "unanswerable_f1": (1 / 2 + 2 / 3) / 2, "risk@1": 4 / 5}, ("clapnq", "squad2")),
    "govreport": {"rouge_l": 1 / 5},
}
ABSTAINED = same(2, ("wice", "contract-nli", "govreport")) | same(3, tuple(DATA)[2:5] + tuple(DATA)[6:])
# Area under the response curve by attributability where that gives an order: after one answer and after all.
AREAS = {
    **same({READ: (1 + 1 / 2) / 2}, ("qasper", "natural-questions")),
    "govreport": same((1 + 1 / 2 + 1 / 3) / 3, (READ, *CITING)),
}


def mean(values):
    return sum(values) / len(values)


def run_items(name, approach, folder):
    """A run of five items, and its records."""
    DATA[name](folder)
    wanted = task(name)
    checker = Holds() if "checker" in wanted.needs and not wanted.promptable else None
    llm, retriever = model(REPLIES[name], cites=approach in CITING), "bm25" if wanted.retrieval else None
    result = run(
        name, folder, "dev", approach=approach, llm=llm, checker=checker, retriever=retriever, out=folder / "run"
    )
    return result, [json.loads(line) for line in (folder / "run" / "items.jsonl").read_text().splitlines()]


def reported(result, expected, data, monkeypatch, checker):
    """The page of a run, when its tables have the figures."""
    values = {}
    for table in standings([result]):
        (row,) = [row for row in table.rows if row.kind == "ours"]
        values |= dict(zip(table.columns, row.values, strict=True))
    assert {key: values[key] for key in expected} == pytest.approx(expected, abs=1e-6)
    monkeypatch.setattr(shown, "draw", lambda _: [])  # plots take seconds: they are in the slow test below
    text = build([result.out], data=data, checker=checker)
    for key in map(str, task(result.task).headline):
        if key in expected:
            assert f"<td>{percent(expected[key])}" in text, key
    return text


@pytest.mark.slow  # every data set by every approach
@pytest.mark.parametrize("approach", APPROACHES)
@pytest.mark.parametrize("name", DATA)
def test_figures_are_those_reckoned_by_hand(tmp_path, monkeypatch, name, approach):
    result, records = run_items(name, approach, tmp_path)
    assert (result.n, result.failed, result.scores.abstained) == (5, 0, ABSTAINED[name])
    assert (
        tuple(record["label"] if "label" in record else record["answer"] for record in records)
        == EXPECTED_REPLIES[name]
    )
    expected = dict(FIGURES[name])
    if name in EVIDENCE:
        assert tuple(record["evidence"] for record in records) == EVIDENCE[name][approach]
        assert [record["evidence_f1"] for record in records] == pytest.approx(EVIDENCE_F1[name][approach], abs=1e-6)
        expected["evidence_f1"] = mean(EVIDENCE_F1[name][approach])
    if name in ATTRIBUTABLE:
        judged = ATTRIBUTABLE[name][approach]
        assert tuple(record["attributable"] for record in records if "attributable" in record) == judged
        expected["attributability"] = mean([mean(result) for result in judged])
    metrics = result.scores.metrics
    assert {key: metrics[key] for key in expected} == pytest.approx(expected, abs=1e-6)

    analysed = read(tmp_path / "run", tmp_path, Holds())
    run = analyze([analysed])["runs"][0]
    assert (run["n"], run["abstained"], run["failed"]) == (5, ABSTAINED[name], 0)
    if name in EVIDENCE:
        cited = [number for numbers in EVIDENCE[name][approach] for number in numbers]
        assert run["distribution"]["predicted"] == pytest.approx([cited.count(n) / len(cited) for n in range(5)])
        gold = {"govreport": [1 / 3, 1 / 3, 1 / 3, 0, 0], "evidence-inference": [1 / 5] * 5}
        assert run["distribution"]["gold"] == pytest.approx(gold.get(name, [1 / 4, 1 / 4, 1 / 4, 0, 1 / 4]))
    if approach in AREAS.get(name, {}):
        assert run["selective"]["scores"]["response"]["auc"] == pytest.approx(AREAS[name][approach])

    text = reported(result, expected, tmp_path, monkeypatch, Holds())
    for kind, message in zip(KINDS, EXPECTED_REPLIES[name], strict=True):
        assert json.dumps(message) in text, kind


# Tasks that ask no language model: small data, what runs on it, and its figures, reckoned where the data is made.
OTHERS = {
    # Every span lies in the passage with most of its words.
    "verifiability-granular": (benchdata.veri_gran, {"method": Overlap(tokens=True)}, {"span_accuracy": 1}),
    "quotesum": (benchdata.quotesum, {"method": Overlap()}, {"span_accuracy": 1}),
    # One sentence with two gold sentences, the first of which comes first: precision 1, recall 1/2.
    "verifiability": (benchdata.verifiability, {"method": Overlap()}, {"f1@1": 2 / 3, "f1@2": 1}),
    # "The city Rome ..." is found, "Both are capitals" shares no word with a passage.
    "hagrid": (benchdata.hagrid, {"method": Overlap()}, {"f1@1": 1 / 2}),
    # All labels are right, but one of the three settings has no unsupported sentence and so an F1 of 0.
    "salad": (benchdata.salad, {"checker": Share()}, {"accuracy": 1, "f1": 2 / 3}),
    "attributionbench": (
        benchdata.attributionbench,
        {"checker": Share()},
        {"macro_f1": 2 / 3, "balanced_accuracy": 3 / 4},
    ),
    # Wice: both right, 1. Reveal: no unsupported claim is found, half of the supported ones are, 1/4. The mean is 5/8.
    "llm-aggrefact": (
        benchdata.llm_aggrefact,
        {"checker": Share()},
        {"mean_balanced_accuracy": 5 / 8, "balanced_accuracy": (2 / 3 + 1 / 3) / 2},
    ),
    # One of two marked responses is flagged, and nothing else is.
    "ragtruth": (
        benchdata.ragtruth,
        {"checker": Share()},
        {"hallucination_precision": 1, "hallucination_recall": 1 / 2, "hallucination_f1": 2 / 3},
    ),
    "scifact": (benchdata.scifact, {"checker": Share(), "method": Overlap()}, {"label_accuracy": 1}),
    "fever": (benchdata.fever, {"checker": Share(), "method": Overlap()}, {"label_accuracy": 1}),
    # The claim's words are all in its evidence; each changed claim has a word that is not, and so is caught.
    "flips": (benchdata.supported, {"checker": Share()}, {"kept": 1, "caught": 1}),
}


@pytest.mark.slow  # salad alone takes seconds
@pytest.mark.parametrize("name", OTHERS)
def test_tasks_without_a_language_model_are_analysed_and_reported_and_take_no_approach(tmp_path, monkeypatch, name):
    write, other, expected = OTHERS[name]
    write(tmp_path)
    split = {"salad": "all", "ragtruth": "test"}.get(name, "dev")
    result = run(name, tmp_path, split, **other, out=tmp_path / "run")
    assert {key: result.scores.metrics[key] for key in expected} == pytest.approx(expected)
    (outcome,) = analyze([read(tmp_path / "run", tmp_path, Share())])["runs"]
    assert (outcome["n"], outcome["failed"]) == (result.n, result.failed)
    reported(result, expected, tmp_path, monkeypatch, Share())
    for approach in (*APPROACHES, "extractive"):
        with pytest.raises(UsageError, match="does not use --approach|has no prompt"):
            run(name, tmp_path, split, approach=approach, llm=Scripted(reply="x"))


def test_every_task_is_driven():
    # FinanceBench reads PDF files (test_answers.py); paraphrased sets are read as those they were made of.
    # Those whose answers are judged by what they cite stand in test_cited.py.
    elsewhere = {
        "financebench",
        "alce-asqa",
        "alce-qampari",
        "alce-eli5",
        "longbench-cite",
        "facts-grounding",
        "quotesum-paraphrased",
        "verifiability-granular-paraphrased",
    }
    assert {*DATA, *OTHERS} | elsewhere == set(names())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wice", "evidence-inference", "qasper", "govreport", "squad2"])
def test_the_command_line_analyses_and_shows_all_approaches_with_plots(tmp_path, capsys, name):
    for approach in APPROACHES:
        (tmp_path / approach).mkdir()
        run_items(name, approach, tmp_path / approach)
    runs = [str(tmp_path / approach / "run") for approach in APPROACHES]
    assert main(["bench", "analyze", *runs, "--plots", str(tmp_path / "plots")]) == 0
    assert (
        main(["bench", "report", *runs, "--html", str(tmp_path / "page.html"), "--plots", str(tmp_path / "more")]) == 0
    )
    printed = capsys.readouterr().out
    for value in FIGURES[name].values():
        assert percent(value) in printed
    assert "<svg" in (tmp_path / "page.html").read_text(encoding="utf-8")
