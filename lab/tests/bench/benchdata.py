"""Small data folders in the published formats, written by the tests, and back ends that need no model."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from citewell.types import Citation, Verdict


def words(text):
    return set(re.findall(r"\w+", text.lower()))


@dataclass(frozen=True)
class Overlap:
    """An attributor: segments by the share of the target's words that they hold, those with any."""

    name = "overlap"
    tokens: bool = False

    def attribute(self, draft, documents, granularity="sentence", k=None):
        (document,) = documents
        if granularity == "token":
            return self._tokens(draft, document) if self.tokens else ()
        citations = []
        for start, end in draft.targets or draft.statements:
            wanted = words(draft.text[start:end])
            scored = [
                (len(wanted & words(segment.text)) / len(wanted), segment) for segment in document.segments(granularity)
            ]
            best = sorted((segment for segment in scored if segment[0] > 0), key=lambda segment: -segment[0])[:k]
            citations += [
                Citation(document.id, s.id, granularity, s.text, s.start, s.end, start, end, score=score)
                for score, s in best
            ]
        return tuple(citations)

    def _tokens(self, draft, document):
        known = words(document.text)
        return tuple(
            Citation(document.id, "", "token", m[0], 0, 1, m.start(), m.end(), score=0.9)
            for m in re.finditer(r"\w+", draft.text)
            if m[0].lower() in known
        )


@dataclass(frozen=True)
class Share:
    """A checker: the share of the claim's words that the evidence holds."""

    name = "share"

    def check(self, pairs):
        verdicts = []
        for claim, evidence, *_ in pairs:
            have = set().union(*(words(result.text) for result in evidence))
            score = len(words(claim) & have) / len(words(claim))
            label = "supported" if score == 1 else "partially_supported" if score >= 0.5 else "not_supported"
            verdicts.append(Verdict(claim, label, score))
        return verdicts


def lines(path: Path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def veri_gran(data, count=1, split="dev"):
    row = {
        "question": "who runs the mill",
        "summary": "The mill is old. [ 2 Ada Stone runs the mill ] and she[ 1  sells flour. ]",
        "chunk": "Ada Stone runs the mill and she sells flour.",
        "passages": ["The shop sells flour.", "Since May Ada Stone runs the mill."],
    }
    lines(
        data / "verifiability_granular" / f"{split}.jsonl",
        [{**row, "question": f"{row['question']} {n}"} for n in range(count)],
    )


def quotesum(data):
    row = {
        "question": "q",
        "summary": "[ 3 Green paint ] dries in [ 1 two hours ] .",
        "title1": "Blue",
        "source1": "Blue paint needs two hours.",
        "title2": "",
        "source2": "",
        "title3": "Green",
        "source3": "Green paint is fast.",
    }
    lines(data / "quotesum" / "v1" / "dev.jsonl", [row])


def salad(data):
    def write(setting, answers):
        path = data / "salad" / "annotations" / f"annotations-{setting}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        annotations = [{"answer": text, "labels": labels} for text, labels in answers]
        path.write_text(json.dumps([{"question_id": 7, "question": "q", "annotations": annotations}]))

    yes, part, no = "supported", "partially", "not_supported"
    write(
        "webgpt",
        [
            ("Cats sleep long.", [yes, yes, no]),
            ("Cats purr loudly.", [no, part, no]),
            ("Cats fly.", [yes, part, no]),
        ],
    )
    write("alpaca", [("Cats sleep long.</s>", [yes, yes, yes]), ("Dogs bark.", [no, no, no])])
    write("gpt3_whudoc", [("Dogs bark.", [yes, yes, yes])])
    docs = data / "salad" / "docs"
    docs.mkdir(parents=True)
    for name, text in (("webgpt", "Cats sleep long."), ("human", "Dogs bark.")):
        row = {"question_id": 7, "docs": [{"title": "t", "text": text}, {"title": "", "text": " "}]}
        (docs / f"docs-{name}.json").write_text(json.dumps([row]))


def attributionbench(data):
    rows = [
        ("a b", ["a b c"], "attributable", "ExpertQA"),
        ("a d", ["a b c"], "not attributable", "ExpertQA"),
        ("x", ["x"], "not attributable", "LFQA"),
    ]
    names = ("claim", "references", "attribution_label", "src_dataset")
    lines(data / "attributionbench" / "dev.jsonl", [dict(zip(names, row, strict=True)) for row in rows])


def llm_aggrefact(data):
    rows = [
        ("Wice", "a b c", "a b", 1),
        ("Wice", "a b c", "a d", 0),
        ("Reveal", "a b c", "c b", 0),
        ("Reveal", "a b c", "b", 0),
        ("Reveal", "x y", "x", 1),
        ("Reveal", "x y", "z", 1),
    ]
    names = ("dataset", "doc", "claim", "label")
    lines(data / "llm_aggrefact" / "dev.jsonl", [dict(zip(names, row, strict=True)) for row in rows])


def ragtruth(data):
    marked = [{"start": 2, "end": 3, "text": "d", "label_type": "Evident Baseless Info"}]
    rows = [
        ("1", "a b", [], "test"),
        ("1", "a d", marked, "test"),
        ("2", "b a", marked, "test"),
        ("1", "q", [], "train"),
    ]
    names = ("source_id", "response", "labels", "split")
    lines(data / "ragtruth" / "response.jsonl", [dict(zip(names, row, strict=True)) for row in rows])
    sources = [("1", "Summary", "a b c"), ("2", "QA", {"question": "q", "passages": "passage 1: a b"})]
    names = ("source_id", "task_type", "source_info")
    lines(data / "ragtruth" / "source_info.jsonl", [dict(zip(names, row, strict=True)) for row in sources])


def wice(data):
    rows = [
        {
            "claim": "rain fell",
            "label": "supported",
            "evidence": ["TITLE: w", "", "rain fell there"],
            "supporting_sentences": [[2], [0, 2]],
        },
        {
            "claim": "snow melts",
            "label": "not_supported",
            "evidence": ["TITLE: w", "rain fell"],
            "supporting_sentences": [[]],
        },
    ]
    lines(data / "wice" / "claim" / "dev.jsonl", rows)


def supported(data):
    """Supported claims in which a number or a year, a direction and the denial can be changed."""
    row = {
        "claim": "Net sales increased by 4 units.",
        "label": "supported",
        "evidence": ["TITLE: w", "Net sales increased by 4 units."],
        "supporting_sentences": [[1]],
    }
    lines(data / "wice" / "claim" / "dev.jsonl", [row, {**row, "label": "not_supported"}])
    text = "The output increased in 1990."
    lines(data / "scifact" / "dev.jsonl", [{"claim": text, "evidence": text, "label": "SUPPORTS", "id": 1}])


def contract_nli(data):
    text = "AGREEMENT\nParty keeps secrets. It tells\nnobody.\n\nParty may copy papers."
    spans = [[0, 10], [10, 31], [31, 46], [48, 70]]
    annotations = {
        "nda-17": {"choice": "Contradiction", "spans": [3]},
        "nda-4": {"choice": "Entailment", "spans": [1, 2]},
        "nda-18": {"choice": "NotMentioned", "spans": []},
    }
    document = {"id": 5, "text": text, "spans": spans, "annotation_sets": [{"annotations": annotations}]}
    labels = {name: {"hypothesis": f"statement {name}"} for name in annotations}
    path = data / "contractnli" / "dev.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"documents": [document], "labels": labels}))


def evidence_inference(data):
    root = data / "evidence_inference"
    (root / "txt_files").mkdir(parents=True)
    (root / "splits").mkdir()
    text = "TITLE:\nA trial of tea\n\nBODY.RESULTS:\nTea significantly increased sleep.\nPain did not change."
    (root / "txt_files" / "PMC11.txt").write_text(text)
    (root / "splits" / "validation_article_ids.txt").write_text("11\n12\n")
    (root / "splits" / "test_article_ids.txt").write_text("13\n")
    prompts = ["PromptID,PMCID,Outcome,Intervention,Comparator"]
    prompts += ["1,11,sleep,Tea,water", "2,11,pain,Tea,water", "3,12,pain,Tea,water", "4,11,mood,Tea,water"]
    (root / "prompts_merged.csv").write_text("\n".join(prompts) + "\n")
    start = text.index("Tea significantly")
    other = text.index("Pain did")
    columns = "UserID,PromptID,PMCID,Valid Label,Valid Reasoning,Label,Annotations,Label Code,In Abstract"
    rows = [f"{columns},Evidence Start,Evidence End"]
    rows += [
        f"0,1,11,True,True,significantly increase,x,1,,{start},{start + 34}",
        f"1,1,11,True,True,no significant difference,x,0,,{other},{other + 10}",
        f"0,2,11,True,True,no significant difference,x,0,,{other},{other + 10}",
        f"0,4,11,False,True,no significant difference,x,0,,{other},{other + 10}",
    ]
    (root / "v2_annotations.csv").write_text("\n".join(rows) + "\n")


def scifact(data):
    rows = [
        {"claim": "salt melts ice", "evidence": "We saw that salt melts ice.", "label": "SUPPORTS", "id": 0},
        {"claim": "gold floats", "evidence": "Iron sinks.", "label": "NOT_ENOUGH_INFO", "id": 1},
    ]
    lines(data / "scifact" / "dev.jsonl", rows)


def fever(data):
    def row(name, label, query, sentences):
        evidences = [[{"docid": name, "start_sentence": n, "end_sentence": n + 1}] for n in sentences]
        return {"query": query, "classification": label, "docids": [name], "evidences": evidences}

    rows = [row("Oak", "SUPPORTS", "oaks grow", [1]), row("Elm", "REFUTES", "elms walk", [0])]
    lines(data / "fever" / "val.jsonl", rows)
    lines(data / "fever" / "docs.jsonl", [{"docid": "Oak", "text": "An oak is a tree .\noaks grow slowly .\n"}])


def verifiability(data):
    page = "Intro line here. Bees make honey from nectar. Honey keeps for years. The end of it."
    base = {"query": "what do bees do", "source_url": "u1", "source_text": page}
    base["response"] = "Bees produce honey.[1] Honey keeps for years. Bees dance."
    rows = [
        {**base, "statement": "Bees produce honey.", "source_supports_statement": "complete_support",
         "source_localized_evidence": "Bees make  honey from nectar.\nHoney keeps for many years."},
        {**base, "statement": "Honey keeps for years.", "source_supports_statement": "complete_support",
         "source_localized_evidence": "Honey keeps for years."},
        {**base, "statement": "Bees dance.", "source_supports_statement": "partial_support",
         "source_localized_evidence": "Intro line here."},
        {**base, "response": "Bees hum.", "statement": "Bees hum.", "source_supports_statement": "complete_support",
         "source_localized_evidence": "something that is nowhere"},
    ]  # fmt: skip
    lines(data / "verifiability" / "verifiability_judgments_dev.jsonl", rows)


def hagrid(data):
    row = {
        "query": "q",
        "quotes": [
            {"idx": 1, "docid": "a", "text": "Rome is in Italy."},
            {"idx": 2, "docid": "b", "text": "Oslo is in Norway."},
        ],
        "answers": [
            {
                "answer": "",
                "sentences": [
                    {"text": "The city Rome lies in Italy [1].", "attributable": 1},
                    {"text": "Both are capitals [1, 2].", "attributable": 1},
                    {"text": "Oslo is in Norway [2].", "attributable": 1},
                    {"text": "Oslo is warm [2].", "attributable": 0},
                ],
            },
            {"answer": "", "sentences": [{"text": "No marks.", "attributable": 1}]},
        ],
    }
    lines(data / "hagrid" / "dev.jsonl", [row])
