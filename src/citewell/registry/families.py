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
_DENSE = (*_LOCAL, "sentence_transformers")
_ONNX = ("onnxruntime", "tokenizers")  # for models that were exported


def _portable(target: str, summary: str, extra: str = "local", needs: tuple[str, ...] = _LOCAL) -> Row:
    """A back end on a model that runs on torch or onnxruntime."""
    return Row(target, summary, extra, needs, instead=_ONNX)


FAMILIES: dict[str, dict[str, Row]] = {
    "retriever": {
        "bm25": Row("citewell.retrievers.bm25:BM25", "words shared with the query, weighted by rarity"),
        "dense": _portable("citewell.retrievers.dense:Dense", "similarity of embeddings, any encoder", "dense", _DENSE),
        "hybrid": _portable(
            "citewell.retrievers.hybrid:Hybrid", "shared words and similarity of embeddings, fused", "dense", _DENSE
        ),
        "gtr": _portable("citewell.retrievers.dense:GTR", "dense with GTR", "dense", _DENSE),
        "contriever": _portable("citewell.retrievers.dense:Contriever", "dense with Contriever", "dense", _DENSE),
        "dragon": _portable("citewell.retrievers.dense:Dragon", "dense with DRAGON's two encoders", "dense", _DENSE),
        "sbert": _portable("citewell.retrievers.dense:SBERT", "dense with Sentence-BERT", "dense", _DENSE),
        "monot5": _portable(
            "citewell.retrievers.rerankers:MonoT5", "an encoder-decoder asked for relevance", "local", _LOCAL
        ),
        "cross-encoder": _portable(
            "citewell.retrievers.rerankers:CrossEncoder",
            "a classifier that reads query and segment",
            "local",
            _LOCAL,
        ),
        "self-similarity": Row(
            "citewell.retrievers.self_similarity:SelfSimilarity", "segments that the others retrieve; no query"
        ),
    },
    "attributor": {
        "lexical": Row(
            "citewell.attributors.lexical:Lexical", "the smallest set of sentences that covers each statement's words"
        ),
        "verbatim": Row("citewell.attributors.verbatim:Verbatim", "runs of words copied from the document"),
        "retrieval": Row("citewell.attributors.retrieval:Retrieval", "the segments that a retriever ranks best"),
        "hybrid": _portable(
            "citewell.attributors.retrieval:Hybrid", "what words and meaning together rank best", "dense", _DENSE
        ),
        "entailment": Row(
            "citewell.attributors.entailment:Entailment", "sets of sentences grown while a checker's probability rises"
        ),
        "adiosaa": Row("citewell.attributors.entailment:ADiOSAA", "entailment with the paper's settings"),
        "hidden-states": Row(
            "citewell.attributors.hidden_states.attributor:HiddenStates",
            "likeness of a model's token states",
            "local",
            _LOCAL,
        ),
        "icr": Row(
            "citewell.attributors.attention.icr:ICR", "attention of a query to paragraphs before it", "local", _LOCAL
        ),
        "qrhead": Row(
            "citewell.attributors.attention.qrhead:QRHead", "icr by the heads that retrieve", "local", _LOCAL
        ),
        "attention-union": Row(
            "citewell.attributors.attention.union:AttnUnion",
            "what the tokens of an answer look at while they are written",
            "local",
            _LOCAL,
        ),
        "at2": Row(
            "citewell.attributors.attention.at2:AT2",
            "attention of an answer to its sources, heads weighted by what was learned",
            "local",
            _LOCAL,
        ),
        "attntrace": Row(
            "citewell.attributors.attention.trace:AttnTrace",
            "the most attended tokens of each source, over random parts of the sources",
            "local",
            _LOCAL,
        ),
        "flashtrace": Row(
            "citewell.attributors.attention.flow:FlashTrace",
            "what flows from the sources into the states of an answer's tokens",
            "local",
            _LOCAL,
        ),
        "leave-one-out": Row(
            "citewell.attributors.ablation.leave_one_out:LeaveOneOut",
            "how much less likely the answer is without a source",
            "local",
            _LOCAL,
        ),
        "arc-jsd": Row(
            "citewell.attributors.ablation.leave_one_out:ArcJSD",
            "how differently the answer would go on without a source",
            "local",
            _LOCAL,
        ),
        "attribot": Row(
            "citewell.attributors.ablation.attribot:AttriBoT",
            "leave-one-out by paragraphs or by a smaller model first",
            "local",
            _LOCAL,
        ),
        "contextcite": Row(
            "citewell.attributors.ablation.contextcite:ContextCite",
            "a sparse linear model of the answer's likelihood by the sources shown",
            "local",
            _LOCAL,
        ),
        "input-gradient": Row(
            "citewell.attributors.gradient.product:InputGradient",
            "how much the answer's likelihood hangs on each source's tokens",
            "local",
            _LOCAL,
        ),
        "heta": Row(
            "citewell.attributors.gradient.heta:HETA",
            "what flows to a token by its curvature and its information",
            "local",
            _LOCAL,
        ),
        "mirage": Row(
            "citewell.attributors.gradient.mirage:Mirage",
            "gradients of what the sources change in an answer",
            "local",
            _LOCAL,
        ),
        "selfcite": Row(
            "citewell.attributors.ablation.selfcite:SelfCite",
            "of another's segments those that the answer needs and can do with",
            "local",
            _LOCAL,
        ),
        "citention": Row("citewell.attributors.citention:Citention", "a weighted sum of other attributors"),
        "llm": Row("citewell.attributors.llm:LLMAttributor", "a language model names the sources of marked parts"),
        "laquer": Row("citewell.attributors.laquer:LAQuer", "a language model copies the spans that support a part"),
    },
    "checker": {
        "lexical": Row(
            "citewell.checkers.lexical:LexicalChecker",
            "whether the cited evidence says what a claim says, fact by fact",
        ),
        "nli": _portable("citewell.checkers.nli:NLI", "a sentence-pair classifier", "local", _LOCAL),
        "docnli": _portable("citewell.checkers.nli:DocNLI", "a classifier for whole documents", "local", _LOCAL),
        "true": _portable(
            "citewell.checkers.seq2seq:TRUE", "T5 trained to say whether a premise entails", "local", _LOCAL
        ),
        "minicheck": _portable(
            "citewell.checkers.seq2seq:MiniCheck", "small fact checkers, by chunks", "local", _LOCAL
        ),
        "attrscore": _portable(
            "citewell.checkers.seq2seq:AttrScore", "Flan-T5 told to verify a reference", "local", _LOCAL
        ),
        "judge-small": Row(
            "citewell.checkers.small:SmallJudgeChecker", "lexical with a small language model", "onnx", _ONNX
        ),
        "judge": Row("citewell.checkers.judge:Judge", "a language model's verdict in three labels"),
    },
    "decomposer": {
        "none": Row("citewell.decomposers.none:Whole", "a statement stays one unit"),
        "clauses": Row("citewell.decomposers.clauses:Clauses", "a unit a clause, by rules, subjects carried over"),
        "llm": Row("citewell.decomposers.llm:LLMUnits", "units by a language model, in the statement's own words"),
    },
    "llm": {
        "openai": Row("citewell.llm.openai:OpenAI", "OpenAI, Azure and servers of that protocol", "llm", ("openai",)),
        "anthropic": Row("citewell.llm.anthropic:Anthropic", "Claude, with its own citations", "llm", ("anthropic",)),
        "transformers": Row("citewell.llm.transformers:Transformers", "models on this machine", "local", _LOCAL),
        "replay": Row("citewell.llm.replay:Replay", "another model's replies, kept in a file and given again"),
        "scripted": Row("citewell.llm.scripted:Scripted", "replies given in advance, for tests and examples"),
    },
    "generator": {
        "extractive": Row(
            "citewell.generators.extractive.generator:Extractive",
            "the sentences that answer, word for word, or an abstention",
        ),
        "lead": Row(
            "citewell.generators.extractive.lead:Lead", "the first sentences, as a summary without a language model"
        ),
        "reader": _portable(
            "citewell.generators.reader:Reader", "the sentences with the phrase that a model marks, or an abstention"
        ),
        "prompted": Row(
            "citewell.generators.prompted.generator:Prompted", "a language model that reads passages and may cite them"
        ),
        "tools": Row(
            "citewell.generators.tools.generator:Tools",
            "a language model that opens sections, pages and tables, searches and computes",
        ),
        "longcite": Row("citewell.generators.longcite:LongCite", "a model trained to cite runs of numbered sentences"),
    },
    "approach": {
        "extractive": Row("citewell.generators.approaches:EXTRACTIVE", "sentences are quoted, no language model"),
        "reader": Row("citewell.generators.approaches:EXTRACTIVE", "sentences are quoted, a model marks the phrase"),
        "post-hoc": Row(
            "citewell.generators.approaches:POST_HOC", "the model answers, evidence is found for what it said"
        ),
        "retrieve-then-read": Row(
            "citewell.generators.approaches:RETRIEVE_THEN_READ",
            "evidence is found for the question, the model reads nothing else",
        ),
        "citation": Row("citewell.generators.approaches:CITATION", "the model answers and cites what it read"),
        "reduced-post-hoc": Row(
            "citewell.generators.approaches:REDUCED_POST_HOC", "post-hoc on the segments that fit the question best"
        ),
        "reduced-citation": Row(
            "citewell.generators.approaches:REDUCED_CITATION", "citation on the segments that fit the question best"
        ),
        "tools": Row(
            "citewell.generators.approaches:TOOLS",
            "the model reads with tools, from an outline, and cites what it read",
        ),
    },
    "reducer": {
        "whole": Row("citewell.generators.reducers:Whole", "everything"),
        "top": Row("citewell.generators.reducers:Top", "the segments that a retriever ranks best"),
        "fit": Row("citewell.generators.reducers:Fit", "everything where it fits, else the best segments that fit"),
    },
}
