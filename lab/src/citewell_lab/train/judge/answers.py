"""Questions with short answers as claims: the right answer, other answers, and open questions."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Sequence

from citewell.types import Span
from citewell_lab.train.judge.examples import CONTRADICTED, NEITHER, OPEN, SUPPORTED, Family, Judged
from citewell_lab.train.judge.questions import Asked

_WORDS = 170  # of a passage at most
_FORMS = ("{q} {a}", "{q} {a}.", "Question: {q} Answer: {a}", "The answer to “{q}” is {a}.", "{q} - {a}")


def families(questions: Sequence[Asked], count: int, seed: int) -> list[Family]:
    """So many families, each of the questions about one passage."""
    chance = random.Random(f"{seed}:answers")  # noqa: S311  (a draw, no secret)
    by_text: dict[str, list[Asked]] = defaultdict(list)
    for row in questions:
        if len(row.text.split()) <= _WORDS and len(row.question.split()) <= 30:
            by_text[row.text].append(row)
    texts = sorted(by_text, key=lambda text: (-len(by_text[text]), text))[: count * 2]
    chance.shuffle(texts)
    built = (_family(by_text[text], chance) for text in texts)
    return [family for family in built if len(family.members) > 1][:count]


def _family(rows: Sequence[Asked], chance: random.Random) -> Family:
    text = rows[0].text
    answers = {row.text[row.answer.start : row.answer.end] for row in rows if row.answer}
    members: list[Judged] = []
    for row in chance.sample(list(rows), min(len(rows), 4)):
        if row.answer is None:
            if answers:
                claim, _ = _claim(row.question, chance.choice(sorted(answers)), chance)
                members.append(Judged(text, claim, NEITHER))
            continue
        right = text[row.answer.start : row.answer.end]
        if len(right.split()) > 14:
            continue
        claim, _ = _claim(row.question, right, chance)
        members.append(Judged(text, claim, SUPPORTED, ()))
        short = [candidate for candidate in sorted(answers) if len(candidate.split()) <= 10]
        others = [candidate for candidate in short if not _alike(candidate, right)]
        if others:
            claim, span = _claim(row.question, chance.choice(others), chance)
            members.append(Judged(text, claim, OPEN, (span,)))
        figure = re.search(r"\d", right)
        if figure:
            digit = chance.choice([d for d in "123456789" if d != figure.group()])
            claim, span = _claim(row.question, right[: figure.start()] + digit + right[figure.end() :], chance)
            members.append(Judged(text, claim, CONTRADICTED, (span,)))
    return Family(rows[0].set, rows[0].group, tuple(members[:9]))


def _alike(candidate: str, other: str) -> bool:
    first, second = set(re.findall(r"\w+", candidate.lower())), set(re.findall(r"\w+", other.lower()))
    return bool(first & second)


def _claim(question: str, answer: str, chance: random.Random) -> tuple[str, Span]:
    form = chance.choice(_FORMS).replace("{q}", question)
    start = form.index("{a}")
    return form.replace("{a}", answer), Span(start, start + len(answer))
