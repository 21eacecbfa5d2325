"""Examples in tokens, and batches of like length: each head's items become the same kind of rows."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from citewell.models.mini import coded
from citewell.models.onnx.tokenizer import Tokenizer
from citewell.types import Span
from citewell_lab.train.mini.claims import marked
from citewell_lab.train.mini.examples import Family, Question, Ranking

IGNORED = -100
_BLUR = 0.04  # of a length, at most
TASKS = ("entailment", "contrast", "questions", "rankings")


class Item(NamedTuple):
    """One text pair in tokens.

    Attributes:
        ids: token numbers.
        kinds: 0 for the text, 1 for the claim or question.
        label: the class of a claim; of a ranking 1 for the right passage; `IGNORED` for a question.
        answer: tokens in which the answer begins and ends, both 0 where there is none.
        wrong: of each token 1 where the claim does not hold there, 0 where it does, `IGNORED` elsewhere.
    """

    ids: list[int]
    kinds: list[int]
    label: int = IGNORED
    answer: tuple[int, int] = (0, 0)
    wrong: tuple[int, ...] = ()


Example = Family | Question | Ranking
Group = tuple[Item, ...]  # a family, a question alone, or a ranking with the right passage first


class Batch(NamedTuple):
    """Groups that are learnt at once, and how many tokens they are with their padding."""

    task: str
    groups: tuple[Group, ...]
    tokens: int


def family(tokenizer: Tokenizer, family: Family, most: int) -> Group:
    """The claims of a family, each with the marks of its words."""
    items = []
    for member in family.members:
        row = coded(tokenizer, member.evidence, member.claim, most)
        wrong: tuple[int, ...] = ()
        if member.wrong is not None:
            wrong = tuple(
                int(marked(member.wrong, start, end)) if kind and end > start else IGNORED
                for kind, (start, end) in zip(row["token_type_ids"], row["offset_mapping"], strict=True)
            )
        items.append(Item(row["input_ids"], row["token_type_ids"], member.label, wrong=wrong))
    return tuple(items)


def question(tokenizer: Tokenizer, question: Question, most: int) -> Group:
    """A question; empty where the answer was cut off."""
    row = coded(tokenizer, question.passage, question.question, most)
    answer = (0, 0)
    if question.answer is not None:
        within = _tokens_of(row, question.answer)
        if within is None:
            return ()
        answer = within
    return (Item(row["input_ids"], row["token_type_ids"], answer=answer),)


def ranking(tokenizer: Tokenizer, ranking: Ranking, most: int) -> Group:
    """The passages of a ranking."""
    rows = (coded(tokenizer, passage, ranking.query, most) for passage in ranking.passages)
    return tuple(Item(row["input_ids"], row["token_type_ids"], int(place == 0)) for place, row in enumerate(rows))


def _tokens_of(row: dict[str, Any], answer: Span) -> tuple[int, int] | None:
    """The first and last token of a place in the text; None where it was cut off."""
    within = [
        place
        for place, (kind, (start, end)) in enumerate(zip(row["token_type_ids"], row["offset_mapping"], strict=True))
        if not kind and start < answer.end and answer.start < end
    ]
    return (within[0], within[-1]) if within and row["offset_mapping"][within[-1]][1] >= answer.end else None


class Coder:
    """Examples of a task to groups of tokens."""

    def __init__(self, tokenizer: Tokenizer, most: int) -> None:
        self._tokenizer, self._most = tokenizer, most

    def __call__(self, example: Example) -> Group:
        """One example's group; empty where what is sought in it was cut off."""
        if isinstance(example, Family):
            return family(self._tokenizer, example, self._most)
        if isinstance(example, Question):
            return question(self._tokenizer, example, self._most)
        return ranking(self._tokenizer, example, self._most)


class Sized(NamedTuple):
    """An example with the tokens of its longest pair and how many pairs it is."""

    example: Example
    longest: int
    pairs: int


def sized(examples: Sequence[Example], coder: Coder) -> list[Sized]:
    """The examples from which something is left when they are read, measured once."""
    groups = ((example, coder(example)) for example in examples)
    return [Sized(example, max(len(item.ids) for item in group), len(group)) for example, group in groups if group]


def batches(examples: Sequence[Sized], tokens: int, seed: str) -> Iterator[tuple[Example, ...]]:
    """Without end: all examples once in batches of like length, in an order drawn anew each time round.

    Short ones tend to come first: where the time ends before all were seen, most pairs were.
    """
    turn = 0
    while examples:
        yield from _once(examples, tokens, random.Random(f"{seed}:{turn}"))  # noqa: S311  (a draw)
        turn += 1


def _once(examples: Sequence[Sized], tokens: int, chance: random.Random) -> Iterable[tuple[Example, ...]]:
    # Lengths are blurred, so that not the same examples meet in every round.
    order = sorted(examples, key=lambda first: first.longest * (1 + _BLUR * chance.random()))
    result: list[tuple[float, tuple[Example, ...]]] = []
    collected: list[Example] = []
    longest = count = 0
    for example, size, pairs in order:
        if collected and max(longest, size) * (count + pairs) > tokens:
            result.append((longest * chance.expovariate(1.0), tuple(collected)))
            collected, longest, count = [], 0, 0
        collected.append(example)
        longest, count = max(longest, size), count + pairs
    if collected:
        result.append((longest * chance.expovariate(1.0), tuple(collected)))
    return (batch for _, batch in sorted(result, key=lambda drawn: drawn[0]))
