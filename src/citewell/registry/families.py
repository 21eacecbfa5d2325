"""The built-in back ends by family and name: location, description, requirements."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """One back end: `target` is `module:attribute`, `needs` the packages that an extra of its distribution installs.

    `instead` contains alternative packages.
    """

    target: str
    summary: str
    extra: str | None = None
    needs: tuple[str, ...] = ()
    distribution: str = "citewell"
    instead: tuple[str, ...] = ()


_LOCAL = ("torch", "transformers")
_ONNX = ("onnxruntime", "tokenizers")  # for models that were exported


def _local(target: str, summary: str) -> Row:
    return Row(target, summary, "local", _LOCAL)


def _portable(target: str, summary: str) -> Row:
    """A back end on a model that runs on torch or onnxruntime."""
    return Row(target, summary, "local", _LOCAL, instead=_ONNX)


def _dense(target: str, summary: str) -> Row:
    return Row(target, summary, "dense", (*_LOCAL, "sentence_transformers"), instead=_ONNX)


_ROWS: dict[str, dict[str, Row]] = {  # targets relative to the package of the family
    "retriever": {
        "bm25": Row("bm25:BM25", "words shared with the query, weighted by rarity"),
        "dense": _dense("dense:Dense", "similarity of embeddings, any encoder"),
        "hybrid": _dense("hybrid:Hybrid", "shared words and similarity of embeddings, fused"),
        "gtr": _dense("dense:GTR", "dense with GTR"),
        "contriever": _dense("dense:Contriever", "dense with Contriever"),
        "dragon": _dense("dense:Dragon", "dense with DRAGON's two encoders"),
        "sbert": _dense("dense:SBERT", "dense with Sentence-BERT"),
        "monot5": _portable("rerankers:MonoT5", "an encoder-decoder asked for relevance"),
        "cross-encoder": _portable("rerankers:CrossEncoder", "a classifier that reads query and segment"),
        "self-similarity": Row("self_similarity:SelfSimilarity", "segments that the others retrieve; no query"),
    },
    "attributor": {
        "lexical": Row("lexical:Lexical", "the smallest set of sentences that covers each statement's words"),
        "verbatim": Row("verbatim:Verbatim", "runs of words copied from the document"),
        "retrieval": Row("retrieval:Retrieval", "the segments that a retriever ranks best"),
        "hybrid": _dense("retrieval:Hybrid", "what words and meaning together rank best"),
        "entailment": Row("entailment:Entailment", "sets of sentences grown while a checker's probability rises"),
        "adiosaa": Row("entailment:ADiOSAA", "entailment with the paper's settings"),
        "hidden-states": _local("hidden_states.attributor:HiddenStates", "likeness of a model's token states"),
        "icr": _local("attention.icr:ICR", "attention of a query to paragraphs before it"),
        "qrhead": _local("attention.qrhead:QRHead", "icr by the heads that retrieve"),
        "attention-union": _local(
            "attention.union:AttnUnion", "what the tokens of an answer look at while they are written"
        ),
        "at2": _local("attention.at2:AT2", "attention of an answer to its sources, heads weighted by what was learned"),
        "attntrace": _local(
            "attention.trace:AttnTrace", "the most attended tokens of each source, over random parts of the sources"
        ),
        "flashtrace": _local(
            "attention.flow:FlashTrace", "what flows from the sources into the states of an answer's tokens"
        ),
        "leave-one-out": _local(
            "ablation.leave_one_out:LeaveOneOut", "how much less likely the answer is without a source"
        ),
        "arc-jsd": _local("ablation.leave_one_out:ArcJSD", "how differently the answer would go on without a source"),
        "attribot": _local("ablation.attribot:AttriBoT", "leave-one-out by paragraphs or by a smaller model first"),
        "contextcite": _local(
            "ablation.contextcite:ContextCite",
            "a sparse linear model of the answer's likelihood by the sources shown",
        ),
        "input-gradient": _local(
            "gradient.product:InputGradient", "how much the answer's likelihood hangs on each source's tokens"
        ),
        "heta": _local("gradient.heta:HETA", "what flows to a token by its curvature and its information"),
        "mirage": _local("gradient.mirage:Mirage", "gradients of what the sources change in an answer"),
        "selfcite": _local(
            "ablation.selfcite:SelfCite", "of another's segments those that the answer needs and can do with"
        ),
        "citention": Row("citention:Citention", "a weighted sum of other attributors"),
        "llm": Row("llm:LLMAttributor", "a language model names the sources of marked parts"),
        "laquer": Row("laquer:LAQuer", "a language model copies the spans that support a part"),
    },
    "checker": {
        "lexical": Row("lexical:LexicalChecker", "whether the cited evidence says what a claim says, fact by fact"),
        "nli": _portable("nli:NLI", "a sentence-pair classifier"),
        "docnli": _portable("nli:DocNLI", "a classifier for whole documents"),
        "true": _portable("seq2seq:TRUE", "T5 trained to say whether a premise entails"),
        "minicheck": _portable("seq2seq:MiniCheck", "small fact checkers, by chunks"),
        "attrscore": _portable("seq2seq:AttrScore", "Flan-T5 told to verify a reference"),
        "judge-small": Row("small:SmallJudgeChecker", "lexical with a small language model", "onnx", _ONNX),
        "judge": Row("judge:Judge", "a language model's verdict in three labels"),
    },
    "decomposer": {
        "none": Row("none:Whole", "a statement stays one unit"),
        "clauses": Row("clauses:Clauses", "a unit a clause, by rules, subjects carried over"),
        "llm": Row("llm:LLMUnits", "units by a language model, in the statement's own words"),
    },
    "llm": {
        "openai": Row("openai:OpenAI", "OpenAI, Azure and servers of that protocol", "llm", ("openai",)),
        "anthropic": Row("anthropic:Anthropic", "Claude, with its own citations", "llm", ("anthropic",)),
        "transformers": _local("transformers:Transformers", "models on this machine"),
        "replay": Row("replay:Replay", "another model's replies, kept in a file and given again"),
        "scripted": Row("scripted:Scripted", "replies given in advance, for tests and examples"),
    },
    "generator": {
        "extractive": Row(
            "extractive.generator:Extractive", "the sentences that answer, word for word, or an abstention"
        ),
        "lead": Row("extractive.lead:Lead", "the first sentences, as a summary without a language model"),
        "reader": _portable("reader:Reader", "the sentences with the phrase that a model marks, or an abstention"),
        "prompted": Row("prompted.generator:Prompted", "a language model that reads passages and may cite them"),
        "tools": Row(
            "tools.generator:Tools", "a language model that opens sections, pages and tables, searches and computes"
        ),
        "longcite": Row("longcite:LongCite", "a model trained to cite runs of numbered sentences"),
    },
    "approach": {
        "extractive": Row("approaches:EXTRACTIVE", "sentences are quoted, no language model"),
        "reader": Row("approaches:EXTRACTIVE", "sentences are quoted, a model marks the phrase"),
        "post-hoc": Row("approaches:POST_HOC", "the model answers, evidence is found for what it said"),
        "retrieve-then-read": Row(
            "approaches:RETRIEVE_THEN_READ", "evidence is found for the question, the model reads nothing else"
        ),
        "citation": Row("approaches:CITATION", "the model answers and cites what it read"),
        "reduced-post-hoc": Row("approaches:REDUCED_POST_HOC", "post-hoc on the segments that fit the question best"),
        "reduced-citation": Row("approaches:REDUCED_CITATION", "citation on the segments that fit the question best"),
        "tools": Row("approaches:TOOLS", "the model reads with tools, from an outline, and cites what it read"),
    },
    "reducer": {
        "whole": Row("reducers:Whole", "everything"),
        "top": Row("reducers:Top", "the segments that a retriever ranks best"),
        "fit": Row("reducers:Fit", "everything where it fits, else the best segments that fit"),
    },
}
_PACKAGES = {"llm": "llm", "approach": "generators", "reducer": "generators"}  # of the others: the family's plural
FAMILIES = {
    family: {
        name: row._replace(target=f"citewell.{_PACKAGES.get(family, f'{family}s')}.{row.target}")
        for name, row in rows.items()
    }
    for family, rows in _ROWS.items()
}
"""The back ends of each family by their names."""
