"""Names for the same thing: acronyms and their long forms, and whom "we" or "the Company" refers to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from citewell.facts import lists
from citewell.facts.tokens import Tokens, tokens

LONGEST = 6  # letters of an acronym


def writer(tokens: Tokens, place: int, speaker: frozenset[str]) -> bool:
    """Whether a word is one of the name of who writes the document; `speaker` are the keys of that name."""
    return tokens.keys[place] in speaker and tokens.text[slice(*tokens.span(place))] != tokens.lower[place]


def written(text: str, words: Iterable[tuple[int, int]], speaker: frozenset[str]) -> list[bool]:
    """Whether each word of a text, by its start and end, is of the name of who writes the documents about it."""
    spelled = (text[start:end] for start, end in words)
    return [bool(speaker) and not word.islower() and not speaker.isdisjoint(tokens(word).keys) for word in spelled]


def spoken(claim: Tokens, evidence: Tokens, speaker: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Places of the writer's name in the one text and of "we" or "the company" in the other, the nearest for each."""
    for first, second, turned in ((claim, evidence, False), (evidence, claim, True)):
        selves = lists.words("speakers", "selves")
        places = [n for n, word in enumerate(second.lower) if word in selves and not _in_name(second, n)]
        for place in range(len(first)) if places and speaker else ():
            if writer(first, place, speaker):
                other = min(places, key=lambda n: abs(n / len(second) - place / len(first)))
                yield (other, place) if turned else (place, other)


def _in_name(tokens: Tokens, place: int) -> bool:
    """Whether a word ends a longer name, as in "Eagle Foods Group": another's, not the writer's."""
    beside = place > 0 and tokens.text[tokens.ends[place - 1] : tokens.starts[place]] == " "
    return beside and tokens.names[place] and tokens.names[place - 1]


def acronyms(claim: Tokens, evidence: Tokens) -> Iterator[tuple[int, int]]:
    """Places of an acronym in the one text and of the name with those initials in the other, word by word."""
    for short, full, turned in ((claim, evidence, False), (evidence, claim, True)):
        for place, word in enumerate(short.lower):
            if 2 <= len(word) <= LONGEST and short.text[slice(*short.span(place))].isupper():
                for other in _spelled(word, full):
                    yield (other, place) if turned else (place, other)


def _spelled(letters: str, text: Tokens) -> tuple[int, ...]:
    """The places of a name with those initials, small words left out."""
    named = [n for n in range(len(text)) if text.names[n]]
    initials = "".join(text.lower[n][:1] for n in named)
    at = initials.find(letters)
    if at < 0 or named[at + len(letters) - 1] - named[at] > 2 * len(letters):
        return ()
    return tuple(named[at : at + len(letters)])
