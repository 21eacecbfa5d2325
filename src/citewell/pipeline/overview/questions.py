"""Suggested questions: those of the document's kind, its terms and its themes, each tested before it is offered."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from citewell.document import Document
from citewell.generators.extractive.prose.definitions import GOOD, definitions
from citewell.generators.extractive.prose.salience import beginning, content, is_prose, sentences
from citewell.generators.extractive.prose.sorts import genre, table
from citewell.generators.extractive.prose.standing import reads_alone, runs_together
from citewell.generators.extractive.prose.ways import follows, speaks_of, tells_business
from citewell.pipeline import Pipeline
from citewell.pipeline.overview.points import filled, is_to_the_point, reliable
from citewell.types import Answer
from citewell.types.overview import OutlineEntry, SuggestedQuestion

MOST = 5
_TRIED = 10  # questions at most
_TERM = re.compile(
    r"[\"“]([A-Z][\w’'-]*(?: [A-Z][\w’'-]*){0,3})[\"”]\)?,? (?:shall mean|means|refers? to|has the meaning)"
)
_FIGURES = re.compile(r"\| [$€£¥(]{0,2}\d")
_SAYS = 5  # content words of a definition that says something
_ELSEWHERE = re.compile(r"\b(?:above|below|hereinabove|aforesaid|as (?:defined|set forth) in)\b", re.IGNORECASE)
_TIMES = 3  # that a term occurs, so that somebody may wonder what it is
_BELOW = 4  # sentences below a heading that make a theme
_ABOUT = re.compile(r"^What (?:is|are) .* about\?$")
_OPENING = 3  # sentences
_BUSINESS = "What does the company do?"
_LISTS = ("list_item", "table_row")
_BROKEN = re.compile(r"(?:[:,;]|\b(?:and|or|between|of))\W*$")  # an answer whose other half is not quoted
_SAID_ABOUT, _LEAST_SAID = "What does the document say about", 2  # sentences
_THEME = re.compile(
    r"(?!(?:About|On|In|At|How|When|What|Who|Why|Before|After|For|To|With|From|Preamble)\b)"
    r"[A-Z][a-z]+(?: (?:[A-Za-z]+|&)){0,3}"
)
_NO_THEME = re.compile(
    r"\b(?:item|part|note|table|figure|chapter|section|appendix|exhibit|introduction|conclusions?|abstract|background|general|"
    r"overview|summary|purpose|references|(?:foot|end)notes?|contents?|other|related work|acknowledg\w+|discussion|"
    r"results|methods?|signatures?|information|whereas|notices?|see also|history|business)\b",
    re.IGNORECASE,
)


def suggested(
    document: Document, year: str | None, outline: tuple[OutlineEntry, ...], answering: Pipeline
) -> tuple[SuggestedQuestion, ...]:
    """Up to five questions with reliable answers, no two with the same one."""
    kept: list[SuggestedQuestion] = []
    for number, question in enumerate(_candidates(document, year, outline)):
        if len(kept) == MOST or number == _TRIED:
            break
        answer = answering.run([document], question)
        thin = question.startswith(_SAID_ABOUT) and not _of_one_section(document, answer)
        if (
            reliable(answer)
            and not thin
            and is_to_the_point(question, answer)
            and (not _ABOUT.search(question) or _begins(document, answer))
            and (question != _BUSINESS or _tells_business(document, answer))
            and _reads_well(document, answer)
            and all(answer.text != other.answer.text for other in kept)
        ):
            kept.append(SuggestedQuestion(question, answer))
    return tuple(kept)


def _begins(document: Document, answer: Answer) -> bool:
    """Whether what tells what a document is about stands at its beginning, and says so or is its very first text."""
    first = [each.segment.start for each in beginning(document)]
    places = (document.segment_at(citation.start) for citation in answer.citations)
    spoken = [each for each in places if is_prose(each)]  # headings alone say nothing
    says = any(each.start in first[:_OPENING] or speaks_of(document, each) for each in spoken)
    return says and all(each.start in first for each in spoken)


def _tells_business(document: Document, answer: Answer) -> bool:
    return any(tells_business(document.segment_at(citation.start)) for citation in answer.citations)


def _of_one_section(document: Document, answer: Answer) -> bool:
    """Whether several sentences answer, the first of a section without a list: one of its items is not the whole."""
    places = [document.segment_at(citation.start) for citation in answer.citations]
    path = places[0].path if places else ()
    inside = [each for each in document.segments("sentence") if each.path == path]
    first = next((each for each in inside if each.kind != "heading"), None)
    listed = any(each.kind in _LISTS for each in inside)
    return len(answer.statements) >= _LEAST_SAID and not listed and first is not None and first.start == places[0].start


def _reads_well(document: Document, answer: Answer) -> bool:
    """Whether what is quoted says something alone, to its end; titles and lines of a cover are no sentences.

    A row of figures says nothing either, unless one of them is the short answer, which names its column.
    """
    if answer.value is None and len(_FIGURES.findall(answer.text)) > 1:
        return False
    if _BROKEN.search(answer.text):
        return False
    quotes = [document.segment_at(citation.start) for citation in answer.citations if citation.cell is None]
    spoken = [each for each in quotes if is_prose(each)]
    if any(runs_together(each.text) for each in spoken):
        return False
    for before, each in pairwise((None, *spoken)):
        if each is None or (before is not None and follows(document, before, each)):
            continue
        if not reads_alone(document, each) or (before is not None and not speaks_of(document, each)):
            return False
    return True


def _candidates(document: Document, year: str | None, outline: tuple[OutlineEntry, ...]) -> Iterator[str]:
    """Questions in the order in which they are tried: of the kind, of terms, of themes."""
    request = table("questions")
    for question in request.get(genre(document), request["text"]):
        yield filled(question, year)
    for term in _terms(document):
        yield f"What does the term “{term}” mean?"
    for theme in _themes(document, outline):
        plain = theme[:1].lower() + theme[1:]
        yield f"{_SAID_ABOUT} {plain if plain.islower() else f'“{theme}”'}?"


def _terms(document: Document) -> list[str]:
    """The terms that a document defines and uses most, clearest first."""
    terms = Counter(_TERM.findall(document.text))
    used = {term: len(re.findall(rf"\b{re.escape(term)}\b", document.text)) for term in list(terms)[:40]}
    often = sorted((term for term in used if used[term] >= _TIMES), key=lambda term: -used[term])
    clear = ((term, definitions(term, [document])) for term in often[:4])
    return [
        term for term, picks in clear if picks and picks[0].score >= GOOD and _telling(term, picks[0].segment.text)
    ][:2]


def _telling(term: str, text: str) -> bool:
    """Whether a sentence coins a term, and says more than where another one stands: "as named above"."""
    coins = re.search(rf"[\"“(]{re.escape(term)}s?[\"”)]", text)
    return coins is not None and len(content(text)) >= _SAYS and not _ELSEWHERE.search(text)


def _themes(document: Document, outline: tuple[OutlineEntry, ...]) -> list[str]:
    """Headings that name a theme of several sentences, those with most first; one over most sentences is the title."""
    every = sentences(document)
    below = Counter(heading for each in every for heading in set(each.segment.path))
    times = Counter(entry.title for entry in outline)  # a title of several sections names none of them
    titles = [title for title in times if times[title] == 1 and _BELOW <= below[title] <= len(every) / 2]
    themes = [
        title
        for title in titles
        if _THEME.fullmatch(title) and not _NO_THEME.search(title) and content(title.split()[-1])  # "Effects of"
    ]
    return sorted(themes, key=lambda title: -below[title])[:6]
