"""Answers without a language model: quotes the sentences that answer, or abstains.

    Extractive().generate("What was revenue in 2022?", [document]).text

Candidates are found by the question's words, judged by a linear model over features (words, surroundings, the kind
of answer that is offered), and given where a second model holds it likely that the best one answers. Nothing is
trimmed or rewritten but line breaks inside a sentence. The phrase that was asked for, or yes or no, is the value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from citewell.document import Document
from citewell.facts.tables.expressions import Expressions
from citewell.generators.extractive import companies, plans
from citewell.generators.extractive.candidates import Reading, read
from citewell.generators.extractive.cells.asking import asks_item
from citewell.generators.extractive.cells.drafts import figure
from citewell.generators.extractive.cells.formulas import asks_move, asks_whether, ratios
from citewell.generators.extractive.cells.own_words import read_own
from citewell.generators.extractive.cells.superlatives import wanted
from citewell.generators.extractive.context import NONE
from citewell.generators.extractive.kinds import FIGURES
from citewell.generators.extractive.officers import asks_alone, holder, holding, in_full, names_office, office
from citewell.generators.extractive.passages import beginnings, lacks_words, nearest_passages
from citewell.generators.extractive.patterns import any_of
from citewell.generators.extractive.phrases.drafts import with_name, with_phrase
from citewell.generators.extractive.premises import asked_words, denied, unsaid
from citewell.generators.extractive.prose.drafts import answer_by_label, answer_by_way
from citewell.generators.extractive.prose.quotable import quotable_first
from citewell.generators.extractive.scoring import confidence, fitted, only, scores, signals
from citewell.generators.extractive.selection import by_paragraph, select
from citewell.generators.extractive.settings import settings
from citewell.generators.extractive.showing import (
    fitting,
    is_clause,
    least_bare,
    least_confidence,
    may_tell,
    shown,
    without_value,
)
from citewell.generators.extractive.subquestions import answer_each
from citewell.generators.extractive.titled import titled
from citewell.generators.extractive.wholes import of_part, whole_first
from citewell.text.index import Floats
from citewell.types import Abstention, Citation, Draft, Span

_NO_FIGURE = ("date", "person", "place", "reason", "manner", "list", "yes_no")  # what no figure answers
_OTHERWISE = "the document does not say what the question takes for granted: the question {}"
_FIGURED = (ratios, asks_whether, wanted, asks_item)  # but those for which figures are read, computed or compared
_SENTENCES = ("reason", "manner", "definition", "yes_no")  # what no row of a table says by itself
_WHY = re.compile(r"\bwhy\b", re.IGNORECASE)
_MOVED = re.compile(r"\b(?:chang|gr[eo]w|develop|increas|decreas|declin|rise|rose|fall|fell)", re.IGNORECASE)
_SAID = 3  # words of a question after yes or no that sentences have at least
_TOPIC = 0.5  # least confidence of an answer to a question that is one word
_BREAKS = re.compile(r"(?<!\s)[^\S\n\r\v\f\u2028\u2029]*+[\n\r\v\f\u2028\u2029]\s*+")


@dataclass(frozen=True)
class Extractive:
    """Quotes the sentences that answer.

    Attributes:
        max_sentences: the most sentences of an answer; the row that names a table's columns and the items of a list
            are not counted.
        threshold: the minimum confidence of an answer, 0 to 1; None uses that of the weights.
        vocabulary: the path of a file that maps your own expressions to those of reports; see docs/reports.md.
        encoder: a sentence encoder, hub id or path, that ranks the best candidates beside the words; needs an extra.
    """

    max_sentences: int = 3
    threshold: float | None = None
    vocabulary: str | None = None
    encoder: str | None = None
    _vocabulary: Expressions | None = field(init=False, default=None, repr=False, compare=False)
    name: ClassVar[str] = "extractive"

    def __post_init__(self) -> None:
        if self.max_sentences < 1:
            raise ValueError(f"max_sentences is at least 1, not {self.max_sentences}")
        if self.threshold is not None and not 0 <= self.threshold <= 1:
            raise ValueError(f"threshold lies between 0 and 1, not {self.threshold}")
        if self.vocabulary is not None:
            object.__setattr__(self, "_vocabulary", read_own(self.vocabulary))

    def generate(
        self,
        question: str,
        documents: Sequence[Document],
        on_draft: Callable[[Draft], None] | None = None,  # noqa: ARG002  (the Protocol's: nothing arrives bit by bit)
    ) -> Draft:
        """The sentences that answer, in document order, each with its exact source; else an abstention.

        The score of every source is the confidence of the answer times the odds of the sentence against the best; the
        candidates are all sentences that were weighed, those of the paragraph first that is likeliest to hold the
        answer. Of several documents those answer that the question names,
        else each for itself.
        """
        asked_for = in_full(self._vocabulary.in_full(question) if self._vocabulary else question)
        answers = [self._whole(each, documents) for each in asked_for]
        answered = max(answers, key=lambda draft: (draft.abstention is None, draft.confidence or 0.0))
        return titled(replace(answered, question=question), documents)

    def _whole(self, question: str, documents: Sequence[Document]) -> Draft:
        """The answer to a question in full, one part after another where it has several."""
        planned = plans.answer(question, documents, self._read) if documents else None
        whole = planned or companies.answer(question, documents, self._read)
        return answer_each(question, whole, documents, self._each)

    def _each(self, question: str, documents: Sequence[Document]) -> Draft:
        """The answer of one part of a question."""
        return companies.answer(question, documents, self._read)

    def _read(self, question: str, documents: Sequence[Document]) -> Draft:
        """The answer from documents that are read as one."""
        least = least_confidence(question) if self.threshold is None else self.threshold
        blank = Draft("", question, method=self.name, origin="quoted", cites=True, confidence=0.0)
        title = office(question)
        prose = answer_by_way(question, documents, self.name, least) if documents and not title else None
        if prose and not prose.abstention:
            return prose
        reading = read(question, documents) if documents else None
        if reading and not title and (fact := answer_by_label(question, reading, documents, self.name)):
            return fact
        if prose:
            return _with_beginnings(prose, documents)
        if reading is None or not len(reading.candidates):
            words = dict.fromkeys(f"“{word}”" for _, word in asked_words(reading)) if reading else {}
            about = "no sentence has any of the words that the question is about"
            message = f"{about}: {', '.join(words)}" if words else about
            low = Abstention("no_evidence", 0.0, least, message)
            return _with_beginnings(replace(blank, abstention=low), documents)
        ranked, partial = whole_first(reading, scores(reading, fitted()), documents)
        if self.encoder is not None:
            from citewell.generators.extractive.meaning import with_meaning  # a model that few have

            ranked, blank = with_meaning(reading, ranked, self.encoder), replace(blank, method=f"{self.name}, encoder")
        title = office(reading.question.text)
        holders = holding(reading, ranked, title) if title else ranked
        if holders is None:
            return self._sentences(blank, documents, reading, ranked, select(reading, ranked, 1)).unsure(least)
        if title and (who := holder(reading, title)):
            changed = replace(blank, confidence=max(least, confidence(signals(reading, ranked), fitted())))
            return with_name(self._sentences(changed, documents, reading, ranked, {who.number: 1.0}), *who.name)
        ranked = _prose_first(reading, holders)
        quoted = quotable_first(reading, ranked)
        draft = self._from_sentences(blank, documents, reading, quoted)
        if quoted is not ranked:  # what is left is no surer for what cannot be quoted beside it
            most = confidence(signals(reading, ranked), fitted())
            near = nearest_passages(reading, ranked, documents, most, self.name)
            draft = replace(draft, confidence=min(draft.confidence or 0.0, most), nearest=near)
        ranked = quoted
        named = draft.value is not None and not names_office(draft.value.text)
        if title and not named and asks_alone(reading, title):
            return draft.unsure(max(least, draft.confidence or 0.0))  # who it is is told by a name
        draft = of_part(draft) if partial else draft
        if (draft.confidence or 0.0) < _TOPIC and _is_topic(reading):
            return draft.unsure(_TOPIC)
        sure = draft.confidence or 0.0
        first = int(reading.candidates[int(np.argmax(ranked))])
        row, figure = bool(reading.where.rows[first]), reading.question.kind in FIGURES
        # A sentence that leaves a word of the question unsaid is no surer than a cell that says them all.
        cell = self._cell(question, documents, reading, 0.0 if row or unsaid(reading, [first]) else sure)
        # A sentence that does not name the ratio that is asked for does not tell it.
        beside = bool(ratios(question) - ratios(draft.text))
        if cell is not None and (row or beside or not cell.abstention or (figure and sure < least)):
            prose = self._beside_rows(blank, documents, reading, ranked) if row and cell.abstention else None
            if prose is not None and (prose.confidence or 0.0) >= least and not beside:
                return prose
            if cell.abstention and draft.nearest and not (row and figure) and lacks_words(cell.abstention):
                cell = replace(cell, abstention=replace(cell.abstention, nearest=draft.nearest))
            return replace(cell, candidates=(*cell.candidates, *draft.candidates))
        if cell is None and row and (figure or wanted(question)) and any(document.grids for document in documents):
            return draft.unsure(least)  # no cell of any table is of what is asked
        if self.threshold is None:
            least = max(fitted().threshold if row else least, least_bare(reading.question, draft))
        return shown(without_value(draft) if is_clause(reading.question, draft) else draft, least)

    def _from_sentences(self, blank: Draft, documents: Sequence[Document], reading: Reading, ranked: Floats) -> Draft:
        """The answer of the best sentences with its confidence, none where they leave open what is asked."""
        sure, turned = confidence(signals(reading, ranked), fitted()), denied(reading, ranked)
        picks = {int(reading.candidates[turned.place]): 1.0} if turned else select(reading, ranked, self.max_sentences)
        draft = self._sentences(replace(blank, confidence=sure), documents, reading, ranked, picks)
        if turned:
            return replace(draft, warnings=(_OTHERWISE.format(turned.message),))
        if asks_move(reading.question.text):
            from citewell.generators.extractive.prose.moves import with_move  # rows of tables need none of it

            if moved := with_move(draft, reading.question.text):
                return moved
        if len(picks) <= self.max_sentences:
            prose = [not reading.where.rows[number] for number in _in_order(reading, picks)]
            draft = with_phrase(draft, reading.question, prose)
            draft = fitting(reading.question, draft) if any(prose) else draft
            best = reading.sentences.segments[int(reading.candidates[int(np.argmax(ranked))])].text
            if any(prose) and not may_tell(reading.question, draft.text, best):
                return replace(draft, confidence=0.0)
        open_ends = draft.value is None or reading.question.kind == "reason"
        most = _most(reading, [*picks]) if open_ends else 1.0
        return draft if most == 1.0 else replace(draft, confidence=min(draft.confidence or 0.0, most))

    def _beside_rows(
        self, blank: Draft, documents: Sequence[Document], reading: Reading, ranked: Floats
    ) -> Draft | None:
        """The short answer of sentences where no row of a table answers, None where they leave a word unsaid."""
        rows = reading.where.rows[reading.candidates]
        prose = only(ranked, ~rows)
        if rows.all() or unsaid(reading, [int(reading.candidates[int(np.argmax(prose))])]):
            return None
        draft = self._from_sentences(blank, documents, reading, prose)
        return draft if draft.value is not None else None

    def _sentences(
        self, blank: Draft, documents: Sequence[Document], reading: Reading, ranked: Floats, picks: Mapping[int, float]
    ) -> Draft:
        """The answer of some of the sentences that were ranked, by position in the index with their odds."""
        sure = blank.confidence or 0.0
        chosen = {number: sure * odds for number, odds in picks.items()}
        text, statements, sources = "", list[Span](), list[Citation]()
        for number in _in_order(reading, chosen):
            line = _line(reading.sentences.segments[number].text)
            start = len(text) + bool(text)
            text = f"{text} {line}" if text else line
            statements.append(Span(start, len(text)))
            sources.append(self._cite(reading, documents, number, statements[-1], chosen[number]))
        whole, odds = Span(0, len(text)), sure * np.exp((ranked - ranked.max()).astype(np.float64))
        weighed = [
            self._cite(reading, documents, number, whole, score)
            for number, score in zip(reading.candidates.tolist(), odds.tolist(), strict=True)
        ]
        return replace(
            blank,
            text=text,
            statements=tuple(statements),
            sources=tuple(sources),
            candidates=tuple(weighed[place] for place in by_paragraph(reading, ranked)),
            nearest=nearest_passages(reading, ranked, documents, sure, self.name),
        )

    def _cell(self, question: str, documents: Sequence[Document], reading: Reading, sure: float) -> Draft | None:
        """The answer of tables' cells, where a figure is asked for; an abstention where it is not sure."""
        if not any(document.grids for document in documents) or (
            reading.question.kind == "reason"
            or (reading.question.kind in _NO_FIGURE and not any(asks(question) for asks in _FIGURED))
        ):
            return None
        least = fitted().threshold_cells if self.threshold is None else self.threshold
        return figure(question, documents, self.name, least, sure)

    def _cite(self, reading: Reading, documents: Sequence[Document], number: int, span: Span, score: float) -> Citation:
        segment, document = reading.sentences.segments[number], documents[int(reading.sentences.documents[number])]
        return Citation.of(segment, document.id, span, min(1.0, score), self.name)


def _with_beginnings(draft: Draft, documents: Sequence[Document]) -> Draft:
    """An abstention that names no place, with the beginnings of the documents to look through."""
    if draft.abstention is None or draft.abstention.nearest:
        return draft
    near = beginnings(documents, draft.method)
    return replace(draft, abstention=replace(draft.abstention, nearest=near))


def _in_order(reading: Reading, picks: Mapping[int, float]) -> list[int]:
    """Sentences in the document's order, but those of the best one's paragraph first: it leads the answer."""
    if any(reading.where.rows[number] for number in picks):
        return sorted(picks)
    paragraph = reading.where.paragraph
    best = max(picks, key=lambda number: picks[number])
    return sorted(picks, key=lambda number: (paragraph[number] != paragraph[best], number))


def _most(reading: Reading, picks: Sequence[int]) -> float:
    """The most of a confidence: little where sentences leave open what is asked, nothing where they do not tell it.

    Whether something is so is open where a word of the question is unsaid, and not told where most of them are.
    """
    question = reading.question
    if question.kind == "yes_no":
        lacking, asked = unsaid(reading, picks), {word for _, word in asked_words(reading)}
        if not lacking:
            return 1.0
        inside = sum(len(asked & set(name.split())) - 1 for name in question.names if asked & set(name.split()))
        count = len(asked) - inside - len(lacking)  # a name counts as one word
        return settings()["hedged"] if count >= max(_SAID, len(lacking)) else 0.0
    if question.kind == "reason" and _WHY.search(question.text):
        return 1.0 if any(_gives_reason(reading, number) for number in picks) else 0.0
    return 1.0


def _is_topic(reading: Reading) -> bool:
    """Whether a question is one word, which many sentences have that do not answer it: "What are the risks?"."""
    asked_for = [
        term
        for term, is_subject in zip(reading.slot.terms, reading.slot.subject.tolist(), strict=True)
        if not is_subject
    ]
    return len(asked_for) == 1 and reading.question.kind == "list" and not reading.question.names


def _prose_first(reading: Reading, ranked: Floats) -> Floats:
    """The candidates' log odds without those of rows, where no row can answer: reasons, ways, meanings, yes or no."""
    rows = reading.where.rows[reading.candidates]
    figured = any(asks(reading.question.text) for asks in _FIGURED) or _MOVED.search(reading.question.text)
    return only(ranked, ~rows) if reading.question.kind in _SENTENCES and not figured and not rows.all() else ranked


def _gives_reason(reading: Reading, number: int) -> bool:
    """Whether a sentence, or the one behind it in its paragraph, has a word for a reason."""
    follower = int(reading.where.after[number])
    near = [number]
    if follower != NONE and reading.where.paragraph[follower] == reading.where.paragraph[number]:
        near.append(follower)
    return any(any_of("reasons").search(reading.sentences.segments[each].text) for each in near)


def _line(text: str) -> str:
    """A sentence on one line."""
    return _BREAKS.sub(" ", text.strip())
