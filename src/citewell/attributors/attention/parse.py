"""Words that depend on the same verb as given words of an answer, from a dependency parse.

Source: the step DEP of AttnUnionDep (arXiv 2412.11404; Findings of ACL 2025): the words of a target are joined by those
below their nearest verb, without conjuncts that have nothing to do with them. Its rules for conjuncts were not read;
ours leave out a conjunct, on either side of its conjunction, that holds no word of the target where another one does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Any, NamedTuple, Protocol

from citewell.errors import BackendError
from citewell.models.faults import imported
from citewell.types import Span

_HELPING = ("aux", "auxpass", "aux:pass", "cop")  # relations of verbs that head nothing


class Word(NamedTuple):
    """A word of a text, by what its parse says.

    Attributes:
        start: offset of its first character.
        end: offset behind its last one.
        head: the number of the word that it depends on; its own where it depends on none.
        verb: whether it is a verb that others depend on.
        conjunct: whether it depends on its head as a further conjunct.
    """

    start: int
    end: int
    head: int
    verb: bool = False
    conjunct: bool = False


class Parser(Protocol):
    """Words of a text, in order, with what each depends on."""

    def __call__(self, text: str, /) -> Sequence[Word]:
        """Parse a text."""
        ...


@cache
def installed(name: str) -> Parser:
    """A spaCy pipeline with a parser, by the name of its package or by its folder.

    Raises:
        MissingExtraError: spaCy is not installed.
        BackendError: there is no such pipeline, or it does not parse.
    """
    spacy = imported("spacy", f"parser={name}", "parse")
    try:
        pipeline = spacy.load(name)
    except (OSError, ValueError) as error:
        raise BackendError(f"no spaCy pipeline {name!r} is installed") from error
    if not {"parser", "trainable_transition_parser"} & set(pipeline.pipe_names):
        raise BackendError(f"the spaCy pipeline {name!r} has no dependency parser")
    return from_spacy(pipeline)


def from_spacy(pipeline: Callable[[str], Any]) -> Parser:
    """A spaCy pipeline as a parser."""

    def parsed(text: str, /) -> Sequence[Word]:
        return [
            Word(
                token.idx,
                token.idx + len(token.text),
                token.head.i,
                verb=token.pos_ in ("VERB", "AUX") and token.dep_ not in _HELPING,
                conjunct=token.dep_ == "conj",
            )
            for token in pipeline(text)
        ]

    return parsed


def checked(words: Sequence[Word], text: str) -> Sequence[Word]:
    """The words, if each lies in the text and all heads lead to a root.

    Raises:
        BackendError: a word or a head is not there, or heads go round in a circle.
    """
    rooted: set[int] = set()
    for number, word in enumerate(words):
        if not (0 <= word.start <= word.end <= len(text) and 0 <= word.head < len(words)):
            raise BackendError(f"the parser returned a word that is not in the answer: {word}")
        path: list[int] = []
        at = number
        while at not in rooted and words[at].head != at:
            if len(path) > len(words):
                raise BackendError("the parser's heads go round in a circle")
            path.append(at)
            at = words[at].head
        rooted.update((*path, at))
    return words


def joined(words: Sequence[Word], target: Span) -> list[Span]:
    """Where the words stand that belong to a target's: its own, and those below the nearest verb of each.

    A word without a verb above it belongs with its whole tree.
    """
    below: list[list[int]] = [[] for _ in words]
    for number, word in enumerate(words):
        if word.head != number:
            below[word.head].append(number)
    inside = {number for number, word in enumerate(words) if word.start < target.end and word.end > target.start}
    paths = [_path(words, word) for word in inside]
    above = {number for path in paths for number in path}
    kept = set(inside)
    for top in {next((number for number in path if words[number].verb), path[-1]) for path in paths}:
        kept |= _clause(words, below, top, inside, above)
    return [Span(words[number].start, words[number].end) for number in sorted(kept)]


def _path(words: Sequence[Word], number: int) -> list[int]:
    path = [number]
    while words[path[-1]].head != path[-1]:
        path.append(words[path[-1]].head)
    return path


def _clause(
    words: Sequence[Word], below: Sequence[Sequence[int]], top: int, inside: AbstractSet[int], above: AbstractSet[int]
) -> set[int]:
    """A word and those below it, without conjuncts that hold no word of the target."""
    kept: set[int] = set()
    waiting = [top]
    while waiting:
        number = waiting.pop()
        further = [child for child in below[number] if words[child].conjunct]
        nearer = [child for child in below[number] if not words[child].conjunct]
        # The first of several conjuncts heads them all: it holds a word of the target if one is its own or nearer.
        holds = number in inside or any(child in above for child in nearer)
        waiting += [child for child in further if child in above]
        if holds or not any(child in above for child in further) or words[number].verb:
            kept.add(number)
            waiting += nearer
    return kept
