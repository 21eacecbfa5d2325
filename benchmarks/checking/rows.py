"""Claims with evidence and people's labels from the public data sets, one loader a set, as one kind of row.

    from rows import SETS, load
    rows = load(Path("DIR"), ["fever", "snli"], sample=1000)

Rows of one group (a page, a premise, a contract, a question) must stay on one side of any split. Groups reach across
sets where sets share claims, premises or pages: FEVER, its symmetric twin and FM2; SNLI and its counterfactual edits;
AttributionBench and ExpertQA. Sets are read once and kept as compressed JSON in a cache folder outside the project.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import os
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from citewell.text.sentences import split

CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "citewell" / "checking"


class Row(NamedTuple):
    """A claim over its evidence.

    `label` is supported, partial, not or contradicted; where a set does not tell a contradiction from silence, `not`.
    `part` is a setting or domain inside the set. `kind` and `of` are for changed claims: what was changed, and the
    claim that it was made from.
    """

    set: str
    group: str
    claim: str
    evidence: tuple[str, ...]
    label: str
    part: str = ""
    kind: str = ""
    of: str = ""


class Raw(NamedTuple):
    """What a loader yields: `keys` name what ties the row to others, the first of them gives the group its name."""

    claim: str
    evidence: Sequence[str]
    label: str
    keys: Sequence[str]
    part: str = ""


PAIR = {"entailment": "supported", "neutral": "not", "contradiction": "contradicted", "not_entailment": "not"}
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"'}


def lines(path: Path) -> Iterator[dict]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


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
    return [text[start:end] for start, end in split(text)]


def _pairs(path: Path, family: str, *, tokenised: bool = False, hypotheses: bool = False) -> Iterator[Raw]:
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


def conjnli(data: Path) -> Iterator[Raw]:
    for name in ("train", "dev"):
        yield from _pairs(data / f"conjnli/{name}.jsonl", "conj")


def counterfactual_nli(data: Path) -> Iterator[Raw]:
    """Edits of a premise stand within a few lines of the original and share a hypothesis with it."""
    for name in ("train", "dev", "test"):
        recent: dict[str, tuple[int, str]] = {}
        for number, raw in enumerate(_pairs(data / f"counterfactual_nli/{name}.jsonl", "snli")):
            last, known = recent.get(raw.claim, (-99, ""))
            recent[raw.claim] = (number, raw.keys[0])
            yield raw._replace(keys=[*raw.keys, *([known] if number - last < 10 else [])])


def snli(data: Path) -> Iterator[Raw]:
    for name in ("dev_tokenized", "test_tokenized"):
        yield from _pairs(data / f"snli/{name}.jsonl", "snli", tokenised=True)


def wanli_part(data: Path) -> Iterator[Raw]:
    return _pairs(data / "wanli_part/train.jsonl", "wanli", hypotheses=True)


def wiki_nli(data: Path) -> Iterator[Raw]:
    """To measure with, not to train on."""
    for path in sorted((data / "wiki_nli").glob("*.jsonl")):
        yield from _pairs(path, "wikinli")


def scone(data: Path) -> Iterator[Raw]:
    return _pairs(data / "scone/train.jsonl", "scone", hypotheses=True)


def factcg(data: Path) -> Iterator[Raw]:
    return _pairs(data / "factcg/cg2c_doc.jsonl", "factcg", hypotheses=True)


def fever_symmetric(data: Path) -> Iterator[Raw]:
    for name in ("generated", "dev"):
        yield from _pairs(data / f"fever_symmetric/{name}.jsonl", "fever", tokenised=True, hypotheses=True)


def _title(page: str) -> str:
    return plain(page.replace("-COLON-", ":"))


def fever(data: Path) -> Iterator[Raw]:
    """The claim over its page's title and the first set of evidence sentences."""
    for row in lines(data / "fever/val.jsonl"):
        texts = [plain(part["text"]) for part in row["evidences"][0]] if row["evidences"] else []
        if not texts:
            continue
        title, claim = _title(row["evidences"][0][0]["docid"]), plain(row["query"])
        label = "supported" if row["classification"] == "SUPPORTS" else "contradicted"
        keys = [f"wiki:{title}", f"fever:{key(claim)}", *(f"fever:{key(text)}" for text in texts)]
        yield Raw(claim, [title, *texts], label, keys)


def fever_page(data: Path) -> Iterator[Raw]:
    """The claim over its whole page, as the page lies there: what the task `fever` gives a checker."""
    pages = {row["docid"]: [line for line in row["text"].split("\n") if line.strip()] for row in _docs(data)}
    for row in lines(data / "fever/val.jsonl"):
        names = {part["docid"] for group in row["evidences"] for part in group} or set(row["docids"])
        if len(names) == 1 and (name := names.pop()) in pages:
            label = "supported" if row["classification"] == "SUPPORTS" else "contradicted"
            yield Raw(row["query"], pages[name], label, [f"wiki:{_title(name)}", f"fever:{key(row['query'])}"])


def _docs(data: Path) -> Iterator[dict]:
    return lines(data / "fever/docs.jsonl")


def fm2(data: Path) -> Iterator[Raw]:
    for row in lines(data / "fm2/dev.jsonl"):
        texts = [part["text"] for part in row["gold_evidence"] if part["text"].strip()]
        label = "supported" if row["label"] == "SUPPORTS" else "contradicted"
        title = _title(row["wikipedia_page"])
        if texts:
            yield Raw(row["text"], [title, *texts], label, [f"wiki:{title}"], row["category"])


def scifact(data: Path) -> Iterator[Raw]:
    labels = {"SUPPORTS": "supported", "REFUTES": "contradicted"}
    for name in ("train", "dev"):
        for row in lines(data / f"scifact/{name}.jsonl"):
            keys = [f"scifact:{key(row['claim'])}", f"scifact:{key(row['evidence'])}"]
            yield Raw(row["claim"], sentences(row["evidence"]), labels.get(row["label"], "not"), keys)


def wice(data: Path) -> Iterator[Raw]:
    """The claim over the whole page."""
    labels = {"supported": "supported", "partially_supported": "partial", "not_supported": "not"}
    for row in lines(data / "wice/claim/dev.jsonl"):
        yield Raw(row["claim"], row["evidence"], labels[row["label"]], [f"wice:{key(' '.join(row['evidence'][:5]))}"])


def wice_cited(data: Path) -> Iterator[Raw]:
    """The supported claims over the first set of sentences that supports them: what changed claims are made from."""
    for row in lines(data / "wice/claim/dev.jsonl"):
        if row["label"] == "supported" and row["supporting_sentences"]:
            evidence = [row["evidence"][number] for number in sorted(row["supporting_sentences"][0])]
            yield Raw(row["claim"], evidence, "supported", [f"wice:{key(' '.join(row['evidence'][:5]))}"])


def contractnli(data: Path) -> Iterator[Raw]:
    """The statement over the sentences given with it; numbers of sentences and tokens tell the contracts apart."""
    labels = {"0": "supported", "1": "contradicted", "2": "not"}
    with (data / "contractnli/train_pairs.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            contract = f"contract:{row['num_spans']}.{row['num_tokens']}"
            yield Raw(row["hypothesis"], sentences(row["concatenated_spans"]), labels[row["label"]], [contract])


def attributionbench(data: Path) -> Iterator[Raw]:
    """Without its LFQA part, which is SALAD."""
    for row in lines(data / "attributionbench/dev.jsonl"):
        if row["src_dataset"] == "LFQA":
            continue
        evidence = [sentence for text in row["references"] for sentence in sentences(text)]
        label = "supported" if row["attribution_label"] == "attributable" else "not"
        yield Raw(row["claim"], evidence, label, [f"question:{key(row['question'])}"], row["src_dataset"])


SALAD = ("webgpt", "gpt3_wdoc", "gpt3_whudoc", "alpaca_wdoc", "gpt3", "alpaca")


def salad(data: Path) -> Iterator[Raw]:
    documents = {}
    for name in ("webgpt", "human"):
        for row in json.loads((data / f"salad/docs/docs-{name}.json").read_text(encoding="utf-8")):
            texts = [text for doc in row["docs"] for text in (doc["title"], *sentences(doc["text"])) if text]
            documents[name, row["question_id"]] = texts
    labels = {"supported": "supported", "partially_supported": "partial"}
    for setting in SALAD:
        own = "human" if setting == "gpt3_whudoc" else "webgpt"
        path = data / f"salad/annotations/annotations-{setting}.json"
        for row in json.loads(path.read_text(encoding="utf-8")):
            for item in row["annotations"]:
                top = Counter(item["labels"]).most_common()
                if len(top) > 1 and top[0][1] == top[1][1]:
                    continue
                label = "partial" if top[0][0].startswith("partial") else labels.get(top[0][0], "not")
                claim = item["answer"].replace("<|endoftext|>", "").strip()
                keys = [f"salad:{row['question_id']}"]
                yield Raw(claim, documents[own, row["question_id"]], label, keys, setting)


def begin(data: Path) -> Iterator[Raw]:
    labels = {"fully attributable": "supported", "not fully attributable": "not"}  # generic ones claim nothing
    for path in sorted((data / "begin").glob("*.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                label = labels.get((row["begin_label"] or "").strip().lower())
                if label:
                    knowledge = plain(row["knowledge"])
                    keys = [f"begin:{key(knowledge)}"]
                    yield Raw(plain(row["response"]), sentences(knowledge), label, keys, row["data_source"])


def factcheckbench(data: Path) -> Iterator[Raw]:
    labels = {"completely-support": "supported", "partially-support": "partial", "refute": "contradicted"}
    for row in lines(data / "factcheckbench/claim_evidence_stance.jsonl"):
        if row["evidence"].strip():
            label = labels.get(row["stance"], "not")
            yield Raw(row["claim"], sentences(row["evidence"]), label, [f"factcheck:{key(row['claim'])}"])


def summedits(data: Path) -> Iterator[Raw]:
    for path in sorted((data / "summedits").glob("*.json")):
        domain, texts = path.stem.removeprefix("summedits_"), {}
        for row in json.loads(path.read_text(encoding="utf-8")):
            if row["doc"] not in texts:
                texts[row["doc"]] = sentences(row["doc"])
            label = "supported" if str(row["label"]) == "1" else "not"
            yield Raw(row["summary"], texts[row["doc"]], label, [f"summedits:{key(row['doc'])}"], domain)


def expertqa(data: Path) -> Iterator[Raw]:
    labels = {"Complete": "supported", "Partial": "partial", "Incomplete": "partial", "Missing": "not"}
    for row in lines(data / "expertqa/domain_val.jsonl"):
        for system, answer in row["answers"].items():
            for claim in answer["claims"]:
                evidence = [sentence for text in claim["evidence"] for sentence in sentences(text)]
                if evidence and claim["support"] in labels:
                    keys = [f"question:{key(row['question'])}"]
                    yield Raw(claim["claim_string"], evidence, labels[claim["support"]], keys, system)


SETS: dict[str, Callable[[Path], Iterator[Raw]]] = {
    loader.__name__: loader
    for loader in (
        conjnli, counterfactual_nli, snli, wanli_part, wiki_nli, scone, factcg, fever_symmetric, fever, fever_page, fm2,
        scifact, wice, wice_cited, contractnli, attributionbench, salad, begin, factcheckbench, summedits, expertqa,
    )
}  # fmt: skip
CONTRASTS = ("conjnli", "counterfactual_nli", "fever_symmetric")  # people changed one thing of a claim or its evidence
MEASURE_ONLY = ("wiki_nli",)
# Where changed claims are made: people found the claim supported by just this evidence.
SOURCES = (
    "fever", "fm2", "scifact", "wice_cited", "contractnli", "attributionbench", "salad", "factcheckbench", "begin",
)  # fmt: skip


def load(data: Path, names: Iterable[str] = SETS, *, sample: int | None = None, seed: int = 0) -> list[Row]:
    """The rows of those sets with their common groups; at most about `sample` a set, whole groups drawn at random."""
    raws = {name: _cached(name, data) for name in names}
    groups = _groups(raws)
    rows: list[Row] = []
    for name, found in raws.items():
        mine: dict[str, list[Row]] = defaultdict(list)
        seen = set()
        for raw in found:
            row = Row(name, groups[raw.keys[0]], raw.claim, tuple(raw.evidence), raw.label, raw.part)
            if row.claim.strip() and any(text.strip() for text in row.evidence) and row not in seen:
                seen.add(row)
                mine[row.group].append(row)
        # By a hash of the group and not by its place, so that what is drawn of one set does not depend on the others.
        order = sorted(mine, key=lambda group: random.Random(f"{seed}:{name}:{mine[group][0][2:4]}").random())
        taken = 0
        for group in order:
            if sample is not None and taken >= sample:
                break
            rows += mine[group]
            taken += len(mine[group])
    return rows


def _groups(raws: dict[str, list[Raw]]) -> dict[str, str]:
    """The group of every key: keys that stand on one row are tied."""
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while parent.setdefault(name, name) != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for found in raws.values():
        for raw in found:
            first = root(raw.keys[0])
            for other in raw.keys[1:]:
                parent[root(other)] = first
    return {name: root(name) for name in parent}


def _cached(name: str, data: Path) -> list[Raw]:
    path = CACHE / f"{name}.json.gz"
    if not path.exists() or path.stat().st_mtime < Path(__file__).stat().st_mtime:
        texts: dict[tuple[str, ...], int] = {}
        rows = [
            (raw.claim, texts.setdefault(tuple(raw.evidence), len(texts)), raw.label, list(raw.keys), raw.part)
            for raw in SETS[name](data)
        ]
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_suffix(f".{os.getpid()}")
        with gzip.open(temporary, "wt", encoding="utf-8", compresslevel=1) as file:
            json.dump({"evidence": list(texts), "rows": rows}, file, ensure_ascii=False)
        temporary.replace(path)
    with gzip.open(path, "rt", encoding="utf-8") as file:
        kept = json.load(file)
    evidence = [tuple(one) for one in kept["evidence"]]  # shared, so that a document is made once
    return [Raw(claim, evidence[number], *rest) for claim, number, *rest in kept["rows"]]


if __name__ == "__main__":
    import sys

    table = load(Path(sys.argv[1]))
    for name in SETS:
        mine = [row for row in table if row.set == name]
        print(
            f"{name:20}{len(mine):7}{len({row.group for row in mine}):7} groups  {dict(Counter(row.label for row in mine))}"
        )
