"""Claims with evidence and human labels from the public data sets, one reader per set.

Readers give rows as they come; `rows` ties those that share a claim, premise or page into groups, and draws from them.
"""

from __future__ import annotations

import csv
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from citewell.text.sentences import split
from citewell_lab.bench.datasets import files
from citewell_lab.bench.items import Broken
from citewell_lab.bench.tasks import task
from citewell_lab.bench.tasks.salad import SETTINGS

Label = Literal["supported", "partial", "not", "contradicted"]


class Raw(NamedTuple):
    """What a loader yields: `keys` name what ties the row to others, the first of them gives the group its name."""

    claim: str
    evidence: Sequence[str]
    label: Label
    keys: Sequence[str]
    part: str = ""


Rows = Iterator[Raw]

PAIR: Mapping[str, Label] = {
    "entailment": "supported",
    "neutral": "not",
    "contradiction": "contradicted",
    "not_entailment": "not",
}
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"'}


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file of JSON lines, without those that are damaged."""
    return (row for _, row in files.parsed(path) if not isinstance(row, Broken))


def plain(text: str) -> str:
    """Text that was cut into tokens, as people write it."""
    text = re.sub(r"-L[RSC]B-|-R[RSC]B-|``|''", lambda match: _BRACKETS[match.group()], text.replace("_", " "))
    text = re.sub(r"\s+([,.;:!?%)\]}]|'s\b|n't\b|'(?:re|ve|ll|d|m)\b)", r"\1", text)
    text = re.sub(r"([(\[{$])\s+", r"\1", text)
    text = re.sub(r'"\s*([^"]*?)\s*"', r'"\1"', text)
    return re.sub(r"\s+(--|–|—)\s+", r" \1 ", " ".join(text.split()))


def key(text: str) -> str:
    """What two ways to write one sentence share."""
    return hashlib.blake2b(re.sub(r"\W+", "", text.lower()).encode(), digest_size=6).hexdigest()


def sentences(text: str) -> list[str]:
    """The sentences of a text."""
    return [text[start:end] for start, end in split(text)]


def _pairs(path: Path, family: str, *, tokenised: bool = False, hypotheses: bool = False) -> Rows:
    for row in lines(path):
        premise, claim = row["premise"], row["hypothesis"]
        if row["label"] not in PAIR:
            continue
        if tokenised:
            premise, claim = plain(premise), plain(claim)
        keys = [f"{family}:{key(premise)}"]
        if hypotheses:
            keys.append(f"{family}:{key(claim)}")
        yield Raw(claim, sentences(premise), PAIR[row["label"]], keys, row.get("kind") or path.stem)


def conjnli(data: Path) -> Rows:
    """Edits of Wikipedia sentences with conjunctions."""
    for name in ("train", "dev"):
        yield from _pairs(data / f"conjnli/{name}.jsonl", "conj")


def counterfactual_nli(data: Path) -> Rows:
    """Edits of a premise stand within a few lines of the original and share a hypothesis with it."""
    for name in ("train", "dev", "test"):
        recent: dict[str, tuple[int, str]] = {}
        for number, raw in enumerate(_pairs(data / f"counterfactual_nli/{name}.jsonl", "snli")):
            last, known = recent.get(raw.claim, (-99, ""))
            recent[raw.claim] = (number, raw.keys[0])
            yield raw._replace(keys=[*raw.keys, *([known] if number - last < 10 else [])])


def snli(data: Path) -> Rows:
    """Captions of pictures."""
    for name in ("dev_tokenized", "test_tokenized"):
        yield from _pairs(data / f"snli/{name}.jsonl", "snli", tokenised=True)


def wanli_part(data: Path) -> Rows:
    """Pairs that a model wrote and people judged."""
    return _pairs(data / "wanli_part/train.jsonl", "wanli", hypotheses=True)


def wiki_nli(data: Path) -> Rows:
    """Wikipedia sentences, similar ones and translated ones: to measure with, not to train on."""
    for path in sorted((data / "wiki_nli").glob("*.jsonl")):
        yield from _pairs(path, "wikinli")


def scone(data: Path) -> Rows:
    """Negation and its scope."""
    return _pairs(data / "scone/train.jsonl", "scone", hypotheses=True)


def factcg(data: Path) -> Rows:
    """Claims that take several sentences of a document."""
    return _pairs(data / "factcg/cg2c_doc.jsonl", "factcg", hypotheses=True)


def fever_symmetric(data: Path) -> Rows:
    """Claims and evidence of FEVER, each edited by people so that the label turns."""
    for name in ("generated", "dev"):
        yield from _pairs(data / f"fever_symmetric/{name}.jsonl", "fever", tokenised=True, hypotheses=True)


def _title(page: str) -> str:
    return plain(page.replace("-COLON-", ":"))


def fever(data: Path) -> Rows:
    """The claim over its page's title and the first set of evidence sentences."""
    for row in lines(data / "fever/val.jsonl"):
        texts = [plain(part["text"]) for part in row["evidences"][0]] if row["evidences"] else []
        if not texts:
            continue
        title, claim = _title(row["evidences"][0][0]["docid"]), plain(row["query"])
        label: Label = "supported" if row["classification"] == "SUPPORTS" else "contradicted"
        keys = [f"wiki:{title}", f"fever:{key(claim)}", *(f"fever:{key(text)}" for text in texts)]
        yield Raw(claim, [title, *texts], label, keys)


def fever_page(data: Path) -> Rows:
    """The claim over its whole page, as the page lies there: what the task `fever` gives a checker."""
    pages = {
        row["docid"]: [line for line in row["text"].split("\n") if line.strip()]
        for row in lines(data / "fever/docs.jsonl")
    }
    for row in lines(data / "fever/val.jsonl"):
        names = {part["docid"] for group in row["evidences"] for part in group} or set(row["docids"])
        if len(names) == 1 and (name := names.pop()) in pages:
            label: Label = "supported" if row["classification"] == "SUPPORTS" else "contradicted"
            yield Raw(row["query"], pages[name], label, [f"wiki:{_title(name)}", f"fever:{key(row['query'])}"])


def fm2(data: Path) -> Rows:
    """Claims that players wrote to deceive each other."""
    for row in lines(data / "fm2/dev.jsonl"):
        texts = [part["text"] for part in row["gold_evidence"] if part["text"].strip()]
        label: Label = "supported" if row["label"] == "SUPPORTS" else "contradicted"
        title = _title(row["wikipedia_page"])
        if texts:
            yield Raw(row["text"], [title, *texts], label, [f"wiki:{title}"], row["category"])


def scifact(data: Path) -> Rows:
    """Claims over abstracts."""
    labels: Mapping[str, Label] = {"SUPPORTS": "supported", "REFUTES": "contradicted"}
    for name in ("train", "dev"):
        for row in lines(data / f"scifact/{name}.jsonl"):
            keys = [f"scifact:{key(row['claim'])}", f"scifact:{key(row['evidence'])}"]
            yield Raw(row["claim"], sentences(row["evidence"]), labels.get(row["label"], "not"), keys)


def wice(data: Path) -> Rows:
    """The claim over the whole page."""
    labels: Mapping[str, Label] = {"supported": "supported", "partially_supported": "partial", "not_supported": "not"}
    for row in lines(data / "wice/claim/dev.jsonl"):
        yield Raw(row["claim"], row["evidence"], labels[row["label"]], [f"wice:{key(' '.join(row['evidence'][:5]))}"])


def wice_cited(data: Path) -> Rows:
    """The supported claims over the first set of sentences that supports them: what changed claims are made from."""
    for row in lines(data / "wice/claim/dev.jsonl"):
        if row["label"] == "supported" and row["supporting_sentences"]:
            evidence = [row["evidence"][number] for number in sorted(row["supporting_sentences"][0])]
            yield Raw(row["claim"], evidence, "supported", [f"wice:{key(' '.join(row['evidence'][:5]))}"])


def contractnli(data: Path) -> Rows:
    """The statement over the sentences given with it; numbers of sentences and tokens tell the contracts apart."""
    labels: Mapping[str, Label] = {"0": "supported", "1": "contradicted", "2": "not"}
    with (data / "contractnli/train_pairs.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            contract = f"contract:{row['num_spans']}.{row['num_tokens']}"
            yield Raw(row["hypothesis"], sentences(row["concatenated_spans"]), labels[row["label"]], [contract])


def attributionbench(data: Path) -> Rows:
    """Without its LFQA part, which is SALAD."""
    for row in lines(data / "attributionbench/dev.jsonl"):
        if row["src_dataset"] == "LFQA":
            continue
        evidence = [sentence for text in row["references"] for sentence in sentences(text)]
        label: Label = "supported" if row["attribution_label"] == "attributable" else "not"
        yield Raw(row["claim"], evidence, label, [f"question:{key(row['question'])}"], row["src_dataset"])


def salad(data: Path) -> Rows:
    """Sentences of long answers over their documents, with the majority label."""
    documents: dict[tuple[str, Any], list[str]] = {}
    for name in ("webgpt", "human"):
        for row in files.whole(data / f"salad/docs/docs-{name}.json"):
            texts = [text for doc in row["docs"] for text in (doc["title"], *sentences(doc["text"])) if text]
            documents[name, row["question_id"]] = texts
    labels: Mapping[str, Label] = {"supported": "supported", "partially_supported": "partial"}
    for setting, members in SETTINGS.items():
        for row in files.whole(data / f"salad/annotations/annotations-{setting}.json"):
            for item in row["annotations"]:
                top = Counter(item["labels"]).most_common()
                if len(top) > 1 and top[0][1] == top[1][1]:
                    continue
                label = labels.get(top[0][0], "not")
                claim = item["answer"].replace("<|endoftext|>", "").strip()
                keys = [f"salad:{row['question_id']}"]
                yield Raw(claim, documents[members, row["question_id"]], label, keys, setting)


def begin(data: Path) -> Rows:
    """Replies of dialogue systems over a piece of knowledge; generic ones claim nothing and are left out."""
    labels: Mapping[str, Label] = {"fully attributable": "supported", "not fully attributable": "not"}
    for path in sorted((data / "begin").glob("*.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                label = labels.get((row["begin_label"] or "").strip().lower())
                if label:
                    knowledge = plain(row["knowledge"])
                    keys = [f"begin:{key(knowledge)}"]
                    yield Raw(plain(row["response"]), sentences(knowledge), label, keys, row["data_source"])


def factcheckbench(data: Path) -> Rows:
    """Claims of language models over pages of the web."""
    labels: Mapping[str, Label] = {
        "completely-support": "supported",
        "partially-support": "partial",
        "refute": "contradicted",
    }
    for row in lines(data / "factcheckbench/claim_evidence_stance.jsonl"):
        if row["evidence"].strip():
            label = labels.get(row["stance"], "not")
            yield Raw(row["claim"], sentences(row["evidence"]), label, [f"factcheck:{key(row['claim'])}"])


def summedits(data: Path) -> Rows:
    """Summaries with and without planted errors, over whole documents."""
    for path in sorted((data / "summedits").glob("*.json")):
        domain = path.stem.removeprefix("summedits_")
        texts: dict[str, list[str]] = {}
        for row in files.whole(path):
            if row["doc"] not in texts:
                texts[row["doc"]] = sentences(row["doc"])
            label: Label = "supported" if str(row["label"]) == "1" else "not"
            yield Raw(row["summary"], texts[row["doc"]], label, [f"summedits:{key(row['doc'])}"], domain)


def expertqa(data: Path) -> Rows:
    """Claims of language models over the evidence that they cite, judged by experts."""
    labels: Mapping[str, Label] = {
        "Complete": "supported",
        "Partial": "partial",
        "Incomplete": "partial",
        "Missing": "not",
    }
    for row in lines(data / "expertqa/domain_val.jsonl"):
        for system, answer in row["answers"].items():
            for claim in answer["claims"]:
                evidence = [sentence for text in claim["evidence"] for sentence in sentences(text)]
                if evidence and claim["support"] in labels:
                    keys = [f"question:{key(row['question'])}"]
                    yield Raw(claim["claim_string"], evidence, labels[claim["support"]], keys, system)


class Set(NamedTuple):
    """A set: what reads it, and its licence or the task that knows it."""

    read: Callable[[Path], Rows]
    licence: str = ""
    task: str = ""

    def permits(self) -> str:
        """The licence."""
        return self.licence or task(self.task).data.published.licence


SETS: Mapping[str, Set] = {
    "conjnli": Set(conjnli, "MIT"),
    "counterfactual_nli": Set(counterfactual_nli, "Apache-2.0"),
    "snli": Set(snli, "CC BY-SA 4.0"),
    "wanli_part": Set(wanli_part, "CC BY 4.0"),
    "wiki_nli": Set(wiki_nli, "CC BY-SA (text), none for the labels"),
    "scone": Set(scone, "CC0"),
    "factcg": Set(factcg, "MIT"),
    "fever_symmetric": Set(fever_symmetric, "CC BY-SA 3.0"),
    "fever": Set(fever, task="fever"),
    "fever_page": Set(fever_page, task="fever"),
    "fm2": Set(fm2, "Apache-2.0, text CC BY-SA"),
    "scifact": Set(scifact, task="scifact"),
    "wice": Set(wice, task="wice"),
    "wice_cited": Set(wice_cited, task="wice"),
    "contractnli": Set(contractnli, task="contract-nli"),
    "attributionbench": Set(attributionbench, task="attributionbench"),
    "salad": Set(salad, task="salad"),
    "begin": Set(begin, "CC BY 4.0, CDLA-Permissive"),
    "factcheckbench": Set(factcheckbench, "Apache-2.0"),
    "summedits": Set(summedits, "Apache-2.0"),
    "expertqa": Set(expertqa, "MIT"),
}
CONTRASTS = ("conjnli", "counterfactual_nli", "fever_symmetric")  # people changed one thing of a claim or its evidence
NOT_TRAINED_ON = ("wiki_nli", "wice_cited", "fever_page")  # without a licence for it, or the same claims again
# Where changed claims are made: people found the claim supported by just this evidence.
CHANGED = (
    "fever", "fm2", "scifact", "wice_cited", "contractnli", "attributionbench", "salad", "factcheckbench", "begin",
)  # fmt: skip
