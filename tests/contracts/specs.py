"""How to build each back end for the contract suites: by spec, with tiny models where it needs some.

A row of the registry without an entry here fails its suite. `None` says that a row is not ours to build here, which
needs a reason beside it.
"""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from citewell import registry
from citewell.attributors.citention import FORMAT, Citention
from citewell.attributors.laquer import LAQuer
from citewell.attributors.llm import LLMAttributor
from citewell.checkers.judge import Judge
from citewell.checkers.small import SmallJudgeChecker
from citewell.decomposers.llm import LLMUnits
from citewell.generators.longcite import LongCite
from citewell.generators.prompted.generator import Prompted
from citewell.generators.tools.generator import Tools
from citewell.llm.scripted import Scripted
from contracts import readers


def _citention():
    """A sum of two light methods, whose file is written once."""
    parts = [{"method": "lexical", "weight": 1.0}, {"method": "retrieval(query=target)", "weight": 0.5}]
    path = Path(tempfile.gettempdir()) / f"citewell-sum-{os.getpid()}.json"
    path.write_text(json.dumps({"format": FORMAT, "methods": parts, "bias": 0.0}), encoding="utf-8")
    return Citention(weights=str(path))


@dataclass(frozen=True)
class WordJudge(SmallJudgeChecker):
    """The small judge's checker with a stand-in for its model that reads shared words: no weights ship."""

    def __post_init__(self):
        """A stand-in needs no folder."""

    @property
    def _fitted(self):
        return {}

    def odds(self, claims, reads):
        texts = [" ".join(sentence.text for sentence in read.sentences).lower() for read in reads]
        shares = [
            np.mean([word in text for word in claim.lower().split()] or [0])
            for claim, text in zip(claims, texts, strict=True)
        ]
        return np.array([[6 * share - 3, -3] for share in shares]).reshape(-1, 2)


SPECS = {
    "retriever": {
        "bm25": "bm25",
        "dense": "dense(model={zoo.sentence_encoder})",
        "hybrid": "hybrid(model={zoo.sentence_encoder})",
        "gtr": "gtr(model={zoo.sentence_encoder})",
        "contriever": "contriever(model={zoo.encoder})",
        "dragon": "dragon(model={zoo.encoder}, passage_model={zoo.passage_encoder})",
        "sbert": "sbert(model={zoo.sentence_encoder})",
        "monot5": "monot5(model={zoo.t5})",
        "cross-encoder": "cross-encoder(model={zoo.cross_encoder})",
        "self-similarity": "self-similarity",
    },
    "attributor": {
        "lexical": "lexical",
        "verbatim": "verbatim",
        "retrieval": "retrieval(retriever=bm25)",
        "hybrid": 'hybrid(retriever="hybrid(model={zoo.sentence_encoder})")',
        "entailment": "entailment(checker=lexical)",
        "adiosaa": "adiosaa(checker=lexical, decompose=clauses)",
        "hidden-states": "hidden-states(model={zoo.llama})",
        "icr": "icr(model={zoo.llama})",
        "qrhead": 'qrhead(model={zoo.llama}, heads="0-1, 1-3")',
        "attention-union": "attention-union(model={zoo.llama})",
        "at2": "at2(model={zoo.llama})",
        "attntrace": "attntrace(model={zoo.llama}, draws=3)",
        "flashtrace": "flashtrace(model={zoo.llama})",
        "leave-one-out": "leave-one-out(model={zoo.llama})",
        "arc-jsd": "arc-jsd(model={zoo.gpt2})",
        "attribot": "attribot(model={zoo.llama}, paragraphs=1)",
        "contextcite": "contextcite(model={zoo.llama}, masks=6)",
        "input-gradient": "input-gradient(model={zoo.llama})",
        "heta": "heta(model={zoo.llama}, curvature=0, batch=64)",
        "mirage": "mirage(model={zoo.llama})",
        "selfcite": "selfcite(model={zoo.llama}, k=2)",
        "citention": _citention,
        "llm": lambda: LLMAttributor(llm=Scripted(replies=readers.annotate)),
        "laquer": lambda: LAQuer(llm=Scripted(replies=readers.copy)),
    },
    "checker": {
        "lexical": "lexical",
        "nli": "nli(model={zoo.nli})",
        "docnli": "docnli(model={zoo.docnli})",
        "true": "true(model={zoo.t5})",
        "minicheck": "minicheck(model={zoo.t5})",
        "attrscore": "attrscore(model={zoo.t5})",
        "judge-small": WordJudge,
        "judge": lambda: Judge(llm=Scripted(replies=readers.judge)),
    },
    "decomposer": {
        "none": "none",
        "clauses": "clauses",
        "llm": lambda: LLMUnits(llm=Scripted(replies=readers.take_apart)),
    },
    "generator": {
        "extractive": "extractive",
        "lead": "lead",
        "reader": "reader(model={zoo.reader}, threshold=0)",
        "longcite": lambda: LongCite(llm=Scripted(reply=readers.LONGCITE)),
        "prompted": lambda: Prompted(llm=Scripted(reply="Revenue rose 😀 to 41 million [3]. Ann founded it [1].")),
        "tools": lambda: Tools(llm=Scripted(reply="Revenue rose 😀 to 41 million [3]. Ann founded it [1].")),
    },
}
# Further forms of the same rows.
MORE = {
    "retriever": [
        "dense(model={zoo.encoder}, pooling=cls)",
        "dense(model={zoo.encoder}, pooling=last)",
        'self-similarity(retriever="dense(model={zoo.encoder}, pooling=mean)")',
    ],
    "attributor": [
        'retrieval(retriever="dense(model={zoo.encoder}, pooling=mean)", query=target)',
        'retrieval(retriever="cross-encoder(model={zoo.cross_encoder})")',
        'entailment(checker="docnli(model={zoo.docnli})", threshold=0.1, candidates=4)',
        "entailment(decompose=none, select=false)",
        "hidden-states(model={zoo.encoder})",
        "hidden-states(model={zoo.encoder}, passages=false, match=windows)",
        "hidden-states(model={zoo.gpt2}, layer=1, anchors=3)",
        "hidden-states(model={zoo.opt}, passages=true, match=windows)",
        "hidden-states(model={zoo.docnli}, context=0.3)",
        "icr(model={zoo.gpt2}, query=question, calibrate=false)",
    ],
    "checker": [
        "nli(model={zoo.nli_turned}, premise=windows)",
        "nli(model={zoo.nli_unnamed}, entailment=2)",
        "true(model={zoo.t5}, premise=sentences)",
        "minicheck(model={zoo.minicheck_deberta})",
        "minicheck(model={zoo.docnli}, chunk=20)",
    ],
    "decomposer": [],
    "generator": [],
    "llm": [],
}


# What a back end does not keep to yet, and why; one that keeps to it again fails until it is taken out here.
BROKEN: dict[tuple[str, str, str], str] = {}


def every(family: str) -> list[str]:
    """Parameters of a suite: the rows of the registry, then the further forms."""
    return [*registry.rows(family), *MORE[family]]


def costs(template: object) -> list[pytest.MarkDecorator]:
    """The marks of what is built from a template: whether it needs a model, a service's library or time."""
    slow = dict.fromkeys(("{openai}", "{anthropic}", "entailment(", "adiosaa(", "heta("), pytest.mark.slow)
    signs = {"{zoo.": pytest.mark.models, **slow}
    return [mark for sign, mark in signs.items() if sign in str(template)]


def build(family: str, name: str, request: pytest.FixtureRequest):
    """The back end that a suite's parameter stands for."""
    template = SPECS[family].get(name, name if name in MORE[family] else None)
    assert template is not None, f"{family} {name!r} has no entry in {__file__}: say how the suites build it"
    if callable(template):  # with a stand-in that is a function, which no spec can name
        return template()
    needs = {package for part in registry.parse(template)[:1] for package in registry.row(family, part).needs}
    if "{zoo." in template:
        needs.add("torch")
    for package in needs:
        pytest.importorskip(package, reason=f"{name} needs {package}")
    # Asked for by name, so that back ends without models run where torch is not installed.
    zoo = request.getfixturevalue("zoo") if "{zoo." in template else None
    return registry.build(family, template.format(zoo=zoo))
