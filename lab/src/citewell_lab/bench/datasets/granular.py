"""The construction of VERI-GRAN: characters shared by a statement and its source sentence, by a character diff.

Source: Phukan et al., Peering into the Mind of Language Models (2024), section 5.1. The source text is cut by NLTK's
sentence tokenizer; judgments stay whose evidence lies in one sentence; characters are matched by diff-match-patch; a
token counts as copied if all of its characters match; spans of nothing but punctuation and function words are left
out. What the paper does not say was read off the published file: case, and the marks that Markdown and the search
engines put in, do not count; a token is a word with the blank before it, or a run of marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from citewell.errors import MissingExtraError, notes
from citewell.text.stopwords import stopwords
from citewell.types import Span
from citewell_lab.bench.datasets.locate import Words
from citewell_lab.bench.datasets.marks import parse

_TOKEN = re.compile(r"'(?:s|t|re|ve|m|ll|d)\b|\w+|[^\w\s]+")
_MARKS = frozenset('*,.;:!?"()[]')  # compared with nothing
SUPPORT = ("complete_support", "partial_support")


class Likeness(NamedTuple):
    """How the marked characters of two files agree: of the statements in both, white space left out."""

    statements: int
    missing: int
    recall: float
    precision: float
    same: int


def copied_spans(statement: str, source: str) -> tuple[Span, ...]:
    """The ranges of a statement that were copied from one source sentence.

    Raises:
        MissingExtraError: diff-match-patch is not installed.
    """
    matched = _matched(statement, source)
    spans: list[Span] = []
    joins = False
    for token in _TOKEN.finditer(statement):
        known = [matched[place] for place in range(*token.span()) if place in matched]
        if not all(known):
            joins = False
        elif joins:
            spans[-1] = Span(spans[-1].start, token.end())
        elif known:
            spans.append(Span(*token.span()))
            joins = True
    return tuple(span for span in spans if _says_something(statement[span.start : span.end]))


def _matched(statement: str, source: str) -> dict[int, bool]:
    """Whether each character of a statement is one of the source, by its position; marks have no say."""
    try:
        from diff_match_patch import diff_match_patch
    except ModuleNotFoundError as error:
        raise MissingExtraError("the character diff", "diff_match_patch", "diff") from error
    differ = diff_match_patch()
    differ.Diff_Timeout = 0  # the result must not depend on the machine's speed
    places = [place for place, char in enumerate(statement) if char not in _MARKS]
    passage = "".join(_plain(statement[place]) for place in places)
    meant = "".join(_plain(char) for char in source if char not in _MARKS)
    matched: dict[int, bool] = {}
    position = 0
    # The two-argument call has the library's own line mode, which only pays for long texts.
    for operation, text in differ.diff_main(meant, passage, False):  # noqa: FBT003 the library's signature
        if operation >= 0:
            equal = operation == differ.DIFF_EQUAL
            matched |= dict.fromkeys(places[position : position + len(text)], equal)
            position += len(text)
    return matched


def _plain(char: str) -> str:
    """The character in lower case, where that is one character too."""
    lower = char.lower()
    return lower if len(lower) == 1 else char


def marked(text: str, spans: Sequence[tuple[Span, int]]) -> str:
    """A text with `[ number span ]` around each span, the form of VERI-GRAN and QuoteSum.

    Args:
        text: what the spans are ranges of.
        spans: in order, without overlap, each with the number of its source.
    """
    parts: list[str] = []
    position = 0
    for (start, end), number in spans:
        parts += (text[position:start], f"[ {number} {text[start:end]} ]")
        position = end
    return "".join([*parts, text[position:]])


def build(judgments: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Rows in the published form from rows of the Verifiability judgments; judgments without one sentence are left out.

    Raises:
        MissingExtraError: diff-match-patch or nltk is not installed.
    """
    cut = _tokenizer()
    kept: dict[tuple[str, str, str], list[tuple[list[str], int]]] = {}
    for row in judgments:
        lines = [line for line in (row.get("source_localized_evidence") or "").splitlines() if line.strip()]
        if row.get("source_supports_statement") not in SUPPORT or not lines or row["statement"] not in row["response"]:
            continue
        sentences = cut(row["source_text"] or "")
        sentence_owners = _owners(lines, sentences)
        if len(sentence_owners) == 1:
            kept.setdefault((row["query"], row["response"], row["statement"]), []).append(
                (sentences, sentence_owners.pop())
            )
    for (query, response, statement), sources in kept.items():
        if len(sources) > 1:
            continue  # of several pages, and so of several sentences
        ((sentences, number),) = sources
        start = response.index(statement)
        spans = [(Span(start + a, start + b), number + 1) for a, b in copied_spans(statement, sentences[number])]
        yield {"question": query, "summary": marked(response, spans), "chunk": statement, "passages": sentences}


def _owners(lines: Sequence[str], sentences: Sequence[str]) -> set[int]:
    """The sentences that hold the lines of evidence; one that is nowhere counts as a sentence more."""
    places, position = [], 0
    for sentence in sentences:
        places.append(Span(position, position + len(sentence)))
        position += len(sentence) + 1
    words = Words("\n".join(sentences))
    owners: set[int] = set()
    for line in lines:
        owners |= words.segments(line, places) or {-1}
    return owners if -1 not in owners else {-1, *owners, len(sentences)}


def _tokenizer() -> Any:
    """NLTK's cutter of sentences, with its English model where that is there."""
    try:
        import nltk
    except ModuleNotFoundError as error:
        raise MissingExtraError("NLTK's sentences", "nltk", "bench", "citewell-lab") from error
    try:
        nltk.data.find("tokenizers/punkt_tab")
    except LookupError:
        notes.warn("NLTK's English model (punkt_tab) is not there: sentences are cut without abbreviations")
        return nltk.tokenize.punkt.PunktSentenceTokenizer().tokenize
    return nltk.sent_tokenize


def compare(ours: Iterable[Mapping[str, Any]], theirs: Iterable[Mapping[str, Any]]) -> Likeness:
    """The marked characters of rows that were built beside those that were published, statement by statement."""
    known = {(row["question"], row["chunk"]): row for row in ours}
    hits = predicted = wanted = missing = same = count = 0
    for row in theirs:
        mine = known.get((row["question"], row["chunk"]))
        count += 1
        if mine is None:
            missing += 1
            continue
        gold, predicted_characters = _characters(row["summary"]), _characters(mine["summary"])
        hits, predicted, wanted = (
            hits + len(gold & predicted_characters),
            predicted + len(predicted_characters),
            wanted + len(gold),
        )
        same += gold == predicted_characters
    return Likeness(count, missing, hits / wanted if wanted else 0.0, hits / predicted if predicted else 0.0, same)


def _characters(summary: str) -> set[int]:
    marked_up = parse(summary)
    return {at for start, end in marked_up.spans for at in range(start, end) if not marked_up.text[at].isspace()}


def _says_something(text: str) -> bool:
    return any(word not in stopwords()["en"] for word in re.findall(r"\w+", text.lower()))
