"""Small folders of question data in the published formats, written by the tests, and systems that answer as told."""

import json
from dataclasses import dataclass

from bench.benchdata import lines
from citewell.types import Abstention, Answer, Citation, Statement


@dataclass(frozen=True)
class Says:
    """Answers from a table: a text, the quotes that it cites, its score; None declines."""

    answers: dict
    name: str = "says"

    def run(self, documents, question):
        (document,) = documents
        answer = self.answers[question]
        if isinstance(answer, Exception):
            raise answer
        if answer is None:
            return Answer("", question=question, abstention=Abstention("declined", 0.0, 0.5, "no"))
        text, quotes, score = answer
        citations = []
        for quote in quotes:
            start = document.text.index(quote)
            place = (document.id, "", "sentence", quote, start, start + len(quote), 0, len(text))
            citations.append(Citation(*place, score=score))
        statement = Statement(text, 0, len(text), "supported", score, tuple(range(len(citations))))
        return Answer(text, (statement,), tuple(citations), (document.info,), question)


def answer(text="", spans=(), yes_no=None, evidence=(), unanswerable=False):
    return {
        "unanswerable": unanswerable,
        "extractive_spans": list(spans),
        "yes_no": yes_no,
        "free_form_answer": text,
        "evidence": list(evidence),
        "highlighted_evidence": [],
    }


def qasper_paper():
    first, second, third = "We train a parser on trees.", "Trees come from a bank.", "The bank is large."
    return {
        "title": "On Parsers",
        "abstract": "Parsers are studied.",
        "full_text": [
            {"section_name": "Data ::: Trees", "paragraphs": [first, second]},
            {"section_name": None, "paragraphs": [third]},
        ],
        "qas": [
            {"question": "What is trained?", "question_id": "q1", "answers": [
                {"answer": answer(spans=["a parser", "trees"], evidence=[first])},
                {"answer": answer("one parser", evidence=[first, third])},
                {"answer": answer(unanswerable=True)}]},
            {"question": "How good is it?", "question_id": "q2", "answers": [
                {"answer": answer("90", evidence=["FLOAT SELECTED: Table 1: results"])}]},
            {"question": "What do the tables say?", "question_id": "q5", "answers": [
                {"answer": answer("trees", evidence=[second])},
                {"answer": answer("90", evidence=["FLOAT SELECTED: Table 1: results"])}]},
            {"question": "Who paid?", "question_id": "q3", "answers": [
                {"answer": answer(unanswerable=True)}, {"answer": answer(unanswerable=True)}]},
            {"question": "Is the bank large?", "question_id": "q4", "answers": [
                {"answer": answer(yes_no=True, evidence=[third])}, {"answer": answer(yes_no=False, evidence=[second])}]},
        ],
    }  # fmt: skip


def qasper(data, split="dev"):
    path = data / "qasper" / f"qasper-{split}-v0.3.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"1234.5": qasper_paper()}))


def qasper_columns(data):
    """The same paper with its tables as columns, twice, one object after another."""
    paper = qasper_paper()
    sections, qas = paper["full_text"], paper["qas"]
    paper["full_text"] = {key: [section[key] for section in sections] for key in sections[0]}
    paper["qas"] = {key: [section[key] for section in qas] for key in ("question", "question_id")}
    paper["qas"]["answers"] = [{"answer": [a["answer"] for a in section["answers"]]} for section in qas]
    text = json.dumps({"id": "1234.5", **paper}, indent=1)
    path = data / "qasper" / "original_sample.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n" + text)


PAGE = (
    "<H1> Oak </H1> <P> An oak is a tree . </P> <Table> <Tr> <Th> Height </Th> <Td> 40 m </Td> </Tr> </Table> "
    "<P> Oaks grow in Europe and in Asia . </P> <Ul> <Li> Red oak </Li> </Ul> <H2> References ( edit ) </H2> "
    "<P> Smith on oaks . </P>"
)


def nq_row(question, *annotations, parted=False):
    row = {"example_id": question, "question_text": question, "annotations": list(annotations)}
    if parted:
        row["document_tokens"] = [{"token": part, "html_token": part.startswith("<")} for part in PAGE.split(" ")]
        return row
    return {**row, "document_text": PAGE}


def nq_note(start=-1, end=-1, short=(), yes_no="NONE"):
    return {
        "long_answer": {"start_token": start, "end_token": end, "candidate_index": 0 if start >= 0 else -1},
        "short_answers": [{"start_token": a, "end_token": b} for a, b in short],
        "yes_no_answer": yes_no,
    }


def natural_questions(data):
    tokens = PAGE.split(" ")
    places = [i for i, word in enumerate(tokens) if word == "<P>"]
    ends = [i + 1 for i, word in enumerate(tokens) if word == "</P>"]
    europe, asia = tokens.index("Europe"), tokens.index("Asia")
    table = tokens.index("<Table>")
    none = nq_note()
    grows = nq_note(places[1], ends[1], [(europe, europe + 1), (asia, asia + 1)])
    rows = [
        nq_row("where", grows, none, parted=True),
        nq_row("is it a tree", nq_note(places[0], ends[0], yes_no="YES")),
        nq_row("how high", nq_note(table, table + 12, [(table + 6, table + 8)])),
        nq_row("what is an oak", nq_note(places[0], ends[0])),
        nq_row("who cut it", none, none, none, none, grows),
        nq_row("who likes it", none, nq_note(places[0], ends[0]), nq_note(places[1], ends[1])),
    ]
    lines(data / "natural_questions" / "v1.0-simplified_nq-dev-all.jsonl", rows)


REPORT = ["Mines pay a fee to the state.", "The fee rose in 2010.", "Fish live in rivers.", "States audit mines."]


def govreport(data):
    root = data / "govreport"
    sections = [
        {"section_title": "Fees", "paragraphs": REPORT[:2], "subsections": [
            {"section_title": "Nature", "paragraphs": REPORT[2:3], "subsections": []}]},
        {"section_title": "Audits", "paragraphs": REPORT[3:], "subsections": []},
    ]  # fmt: skip
    for source, name in (("crs", "R1"), ("gao", "G1")):
        (root / source).mkdir(parents=True)
        row = {"id": name, "title": "On Mines"}
        if source == "crs":
            row |= {"reports": {"section_title": "", "paragraphs": [], "subsections": sections}}
            row |= {"summary": ["Mines pay a fee that rose in 2010."] * 5}
        else:
            row |= {"report": sections}
            row |= {
                "highlight": [{"section_title": "Why", "paragraphs": ["States audit mines."] * 5, "subsections": []}]
            }
        (root / source / f"{name}.json").write_text(json.dumps(row))
    (root / "split_ids").mkdir()
    (root / "split_ids" / "crs_valid.ids").write_text("R1\nR2\n")
    (root / "split_ids" / "gao_valid.ids").write_text("G1\n")


def clapnq(data):
    passage = {"title": "Bees", "text": "x", "sentences": ["Bees make honey .", "They dance .", "Wasps sting ."]}
    result = [{"answer": "Bees make honey and dance", "selected_sentences": passage["sentences"][:2]}]
    none = [{"answer": "", "selected_sentences": []}]
    row = {"id": "1", "input": "what do bees do", "passages": [passage], "output": result}
    lines(data / "clapnq" / "dev_answerable.jsonl", [row])
    lines(
        data / "clapnq" / "dev_unanswerable.jsonl",
        [
            {**row, "id": "2", "input": "what do cats do", "output": none},
            {**row, "id": "3", "input": "why", "output": none},
        ],
    )


def squad2(data):
    text = "Ada Lovelace wrote notes in 1843. She lived in London."
    qas = [
        {"id": "a", "question": "Where did she live?", "is_impossible": False,
         "answers": [{"text": "London", "answer_start": text.index("London")}] * 2},
        {"id": "b", "question": "Who was her cat?", "is_impossible": True, "answers": []},
    ]  # fmt: skip
    path = data / "squad2" / "dev-v2.0.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"data": [{"title": "Ada_L", "paragraphs": [{"context": text, "qas": qas}]}]}))
