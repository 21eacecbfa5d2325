"""One question to several documents: those that it names answer it, otherwise each separately, best first.

A document is named by its title, by the company in it, its initials or trading symbol, or by its file. A year and a
form of filing choose among documents of one name. Where several answer, the answer has one statement of each and says
so in its warnings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from citewell.document import Document, names
from citewell.generators.extractive.stacked import inside, listed, narrowed
from citewell.text.data import words
from citewell.text.index import background
from citewell.text.stopwords import stopwords
from citewell.text.words import terms
from citewell.types import Draft, Span

Alone = Callable[[str, Sequence[Document]], Draft]
MOST = 12  # documents that are asked one by one; of more, those with the best candidates
_PACKAGE = "citewell.generators.extractive"
_WORD = re.compile(r"[^\W_]+(?:[&'’][^\W\d_]+)*")
_POSSESSIVE = re.compile(r"['’]s?$", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_SUBTITLE = re.compile(r"\s[—–-]\s|[:|(]")
_FORM = re.compile(r"(?<![^\W_])(?:(?:10|8|6|11)-?[KQ]|(?:20|40)-?F)(?![^\W_])", re.IGNORECASE)
_SYMBOL = re.compile(r"\|\s*([A-Z]{3,5})\s*\|[^\n]*(?:Exchange|Nasdaq|Market|NYSE)", re.IGNORECASE)
_MORE = 3  # documents of one name that are held beside the one that answers
_COVER = 12_000  # characters in which trading symbols are looked for
_LONGEST = 12  # words of a question that are read together as a name
_INITIALS = 3  # letters; two are too often something else


class _Names(NamedTuple):
    """What a document may be called.

    Attributes:
        main: the name without what others share, its words run together in lower case.
        keys: names that are told by their words, run together; those of a common word need a sign that a name is meant.
        capitals: initials and trading symbols.
        years: of the title and the file.
        form: of a filing, without its hyphen.
    """

    main: str
    keys: Mapping[str, bool]
    capitals: frozenset[str]
    years: frozenset[str]
    form: str


def answer(question: str, documents: Sequence[Document], alone: Alone) -> Draft:
    """The answer from the documents that the question names, else from each; `alone` reads documents as one."""
    distinct = tuple({document.id: document for document in documents}.values())
    chosen = named(question, distinct)
    if len(chosen) == 1:
        return _beside_others(alone(question, chosen), question, chosen[0], distinct, alone)
    if not all(document.title or document.source for document in chosen):
        return alone(question, chosen)  # texts without a name are passages of one document
    readers = chosen
    if len(chosen) > MOST:
        together = alone(question, chosen)
        best = list(dict.fromkeys(candidate.document_id for candidate in together.candidates))[:MOST]
        readers = tuple(document for document in chosen if document.id in best)
    drafts = {document.id: alone(question, (document,)) for document in readers}
    answering = {key: draft for key, draft in drafts.items() if not draft.abstention}
    if not answering:
        return alone(question, chosen)
    ranked = dict(sorted(answering.items(), key=lambda item: -(item[1].confidence or 0.0)))
    if len(ranked) == 1:
        return next(iter(ranked.values()))
    called, short = names(distinct), titles(distinct)
    text = "; ".join(called[key] for key in ranked)
    which = "the question names none of them" if len(chosen) == len(distinct) else "the question may mean each"
    return replace(
        _one_each({short[key]: draft for key, draft in ranked.items()}),
        warnings=(
            f"{len(ranked)} documents answer this, and {which}: one answer from each, the surest first ({text})",
        ),
    )


def _beside_others(draft: Draft, question: str, chosen: Document, documents: Sequence[Document], alone: Alone) -> Draft:
    """The answer of one document, with that of another one of the same name which gives another figure for the time."""
    main, value = _names(chosen).main, draft.value
    if (
        draft.abstention
        or value is None
        or value.number is None
        or not main
        or len(draft.statements) - len(draft.computed) != 1
    ):
        return draft
    others = [document for document in documents if document.id != chosen.id and _names(document).main == main]
    if not others:
        return draft
    from citewell.generators.extractive.differing import differ  # facts are read only where documents are compared

    drafts = {document.id: alone(question, (document,)) for document in others[:_MORE]}
    differing = {key: other for key, other in drafts.items() if not other.abstention and differ(question, draft, other)}
    if not differing:
        return draft
    short, answers = titles(documents), {chosen.id: draft, **differing}
    joined = _one_each({short[key]: other for key, other in answers.items()})
    cited = joined.value.citations if joined.value else ()
    first = replace(value, citations=cited[: len(value.citations)]) if cited else None  # of the document that is named
    return replace(joined, value=first, warnings=(*draft.warnings, _difference(answers, documents)))


def _difference(drafts: Mapping[str, Draft], documents: Sequence[Document]) -> str:
    """What documents say that differ."""
    called = names(documents)
    text = "; ".join(f"{called[key]}: {draft.value.text}" for key, draft in drafts.items() if draft.value)
    return f"the documents differ: {text}"


def named(question: str, documents: Sequence[Document]) -> tuple[Document, ...]:
    """The documents that a question names, all where it names none; those of its form, and its year within a name."""
    if len(documents) < 2:
        return tuple(documents)
    called = [_names(document) for document in documents]
    spans = [max(_mentions(question, names), default=None, key=len) for names in called]
    longest = [span for span in spans if span is not None]
    mentioned = [
        number
        for number, span in enumerate(spans)
        if span is not None and not any(set(span) < set(other) for other in longest)
    ]
    if len(mentioned) == len(documents) and len(set(map(tuple, longest))) == 1 and len({n.main for n in called}) > 1:
        mentioned = []  # a word that all of them share names none
    picked = mentioned or range(len(documents))
    years, forms = set(_YEAR.findall(question)), {_plain_form(form) for form in _FORM.findall(question)}
    picked = [number for number in picked if called[number].form in forms] or picked
    groups: dict[str, list[int]] = {}
    for number in picked:
        groups.setdefault(called[number].main or f"#{number}", []).append(number)
    kept = [number for group in groups.values() for number in _of_year(group, called, years)]
    return tuple(documents[number] for number in sorted(kept))


def _of_year(group: Sequence[int], called: Sequence[_Names], years: set[str]) -> Sequence[int]:
    """Of documents of one name, those of the year asked for, else of the first year after that."""
    if len(group) < 2 or not years:
        return group
    if same := [number for number in group if called[number].years & years]:
        newest = max(year for number in same for year in called[number].years & years)
        return [number for number in same if newest in called[number].years]
    later = [
        min(called[number].years) for number in group if called[number].years and min(called[number].years) > max(years)
    ]
    return [number for number in group if later and min(later) in called[number].years] or group


def entity(document: Document) -> str:
    """The name of a document without what others share, run together; its id where it has none."""
    return _names(document).main or document.id


def short_names(chosen: Sequence[Document], documents: Sequence[Document]) -> dict[str, str]:
    """What each chosen document is called in a comparison: its company where those differ; one alone needs no name."""
    full = names(documents)
    if len(chosen) == 1:
        return {chosen[0].id: ""}
    short = {document.id: _shown_name(document) or full[document.id] for document in chosen}
    return short if len(set(short.values())) == len(short) else {key: full[key] for key in short}


def titles(documents: Sequence[Document]) -> dict[str, str]:
    """What each document is called before what it says: its name without years and forms where no other has that."""
    full = names(documents)
    short = {document.id: _shown_name(document) or full[document.id] for document in documents}
    return short if len(set(map(str.casefold, short.values()))) == len(short) else full


def _shown_name(document: Document) -> str:
    """The name of a document as its title writes it, without words that titles begin and end with, years and forms."""
    matches = list(_WORD.finditer(_SUBTITLE.split(_FORM.sub(" ", document.title or ""))[0]))
    named = [n for n, match in enumerate(matches) if _bare([match[0]])]
    if not named:
        return ""
    return matches[0].string[matches[named[0]].start() : matches[named[-1]].end()]


def of_year(group: Sequence[Document], year: str) -> Sequence[Document]:
    """Of documents of one name, that of a year, else the first one after it; all where no year is asked for."""
    kept = _of_year(range(len(group)), [_names(document) for document in group], {year} if year else set())
    return [group[number] for number in kept]


def is_named(question: str, document: Document) -> bool:
    """Whether a question names a document."""
    return next(_mentions(question, _names(document)), None) is not None


def without_names(question: str, documents: Sequence[Document]) -> str:
    """A question without the names of documents in it."""
    for start, end in sorted({span for document in documents for span in spans(question, document)}, reverse=True):
        question = f"{question[:start]} {question[end:]}"
    return question


def without_long_names(question: str, document: Document) -> str:
    """A question without names of a document of several words: "market" of "United Money Market Fund" asks nothing."""
    for start, end in reversed(spans(question, document)):
        if " " in question[start:end]:
            question = f"{question[:start]} {question[end:]}"
    return question


def spans(question: str, document: Document) -> list[tuple[int, int]]:
    """Where a question names a document, as ranges of its characters that do not overlap, the longest names first."""
    ends = [match.span() for match in _WORD.finditer(question)]
    kept = list[range]()
    for place in sorted(_mentions(question, _names(document)), key=len, reverse=True):
        if not any(set(place) & set(other) for other in kept):
            kept.append(place)
    return sorted((ends[place.start][0], ends[place.stop - 1][1]) for place in kept)


def called(document: Document) -> frozenset[str]:
    """The title and file of a document, its company's initials and trading symbols."""
    file = re.split(r"[\\/]", document.source or "")[-1].rpartition(".")[0]
    return frozenset((document.title or "", file.replace("_", " ").replace("-", " "), *_names(document).capitals))


def _mentions(question: str, called: _Names) -> Iterator[range]:
    """Where a question names a document: ranges of its words."""
    spellings = [match[0] for match in _WORD.finditer(question)]
    bare = [_POSSESSIVE.sub("", word) for word in spellings]
    lowered = ["".join(filter(str.isalnum, word)).lower() for word in bare]
    for start, word in enumerate(bare):
        if word in called.capitals:
            yield range(start, start + 1)
        key = ""
        for end in range(start, min(len(bare), start + _LONGEST)):
            key += lowered[end]
            marked = (start > 0 and word[0].isupper()) or (end == start and bare[end] != spellings[end])
            if key in called.keys and (marked or not called.keys[key]):
                yield range(start, end + 1)


def _names(document: Document) -> _Names:
    """What a document may be called; made once."""
    return document.memo("names", lambda: _read_names(document))


def _read_names(document: Document) -> _Names:
    title = document.title or ""
    file = re.split(r"[\\/]", document.source or "")[-1].rpartition(".")[0] or (document.source or "")
    keys: dict[str, bool] = {}
    main, capitals = "", set[str]()
    for source in (_SUBTITLE.split(title)[0], title, file.replace("_", " ").replace("-", " ")):
        parts = _bare(_WORD.findall(_FORM.sub(" ", source)))
        core = [part for part in parts if part not in words(_PACKAGE, "naming.json", "legal")] or parts
        if re.fullmatch(r"\d[a-z]|[a-z]\d", "".join(core)):  # "3M" names a company as capitals do, and nothing else
            main, capitals = main or core[0], capitals | {core[0].upper()}
        if not core or len("".join(core)) < _INITIALS:
            continue
        main = main or "".join(core)
        keys.setdefault("".join(parts), len(parts) == 1 and _common(parts[0]))
        keys.setdefault("".join(core), len(core) == 1 and _common(core[0]))
        if len(core[0]) > _INITIALS and not _common(core[0]):
            keys.setdefault(core[0], False)
        if len(core) >= _INITIALS:
            capitals.add("".join(part[0] for part in core).upper())
    capitals.update(symbol.upper() for symbol in _SYMBOL.findall(document.text[:_COVER]) if symbol.isupper())
    forms = [*_FORM.findall(title), *_FORM.findall(file)]
    years = frozenset(_YEAR.findall(title)) or frozenset(_YEAR.findall(file))
    return _Names(main, keys, frozenset(capitals), years, _plain_form(forms[0]) if forms else "")


def _bare(spellings: Sequence[str]) -> list[str]:
    """Words in lower case without those that titles begin and end with, which name nothing."""
    lowered = ["".join(filter(str.isalnum, _POSSESSIVE.sub("", word))).lower() for word in spellings]
    word_ids = [not (word.isdigit() or word in words(_PACKAGE, "naming.json", "plain")) for word in lowered]
    if not any(word_ids):
        return []
    first, last = word_ids.index(True), len(word_ids) - word_ids[::-1].index(True)
    return lowered[first:last]


@lru_cache(maxsize=4096)
def _common(word: str) -> bool:
    """Whether a word is one of everyday English, by the background of the index."""
    return word in stopwords()["en"] or terms((word,))[0] in background("en")[0]


def _plain_form(form: str) -> str:
    return form.replace("-", "").upper()


def _one_each(drafts: Mapping[str, Draft]) -> Draft:
    """One answer of several, each below the name of its document: its surest statement, or its cell with the row."""
    spans = [
        max(draft.statements, key=lambda span: (span in draft.computed, _score(draft, span), span))
        for draft in drafts.values()
    ]
    parts = zip(drafts, map(narrowed, drafts.values(), spans), strict=True)
    return listed(list(parts))


def _score(draft: Draft, span: Span) -> float:
    return max((source.score for source in inside(draft, span)), default=0.0)
