"""Units by a language model, held to the statement: every unit is made of the statement's own words.

Source of the idea: Sancheti, Goswami and Srinivasan (2024), section 3.1, who prompt a model for information units. A
model's words are not taken over: each unit is aligned with the statement, what the statement lacks is left out, and
what no unit has is added to the one before it. So no word that matters is lost or invented.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from citewell import notes
from citewell.errors import ContextTooLongError, RefusedError, ReplyError
from citewell.llm.asking import AsksModel, complete_each
from citewell.llm.prompts import Prompt, builtin
from citewell.llm.tokens import estimate
from citewell.protocols import Completion, Unit
from citewell.text.stopwords import stopwords
from citewell.types import Span

_WORD = re.compile(r"\w+")
_BULLET = re.compile(r"\s*(?:[-*•–]|\(?\d{1,2}[.)])\s+")
_NEGATIONS = frozenset("no nor not never neither none without cannot".split())  # small, and yet they matter
FOREIGN = 0.5  # the share of words that the statement lacks, from which a unit is not about the statement


@dataclass(frozen=True, kw_only=True)
class LLMUnits(AsksModel):
    """Information units by a language model."""

    name: ClassVar[str] = "llm"

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """What the model is asked with, for the record of a run."""
        return (builtin("citewell.decomposers", "units"),)

    def decompose(self, statement: str) -> tuple[Unit, ...]:
        """Units in order; the whole statement as one, with a warning noted, where the reply is of no use.

        Raises:
            BackendError: the model cannot be used at all.
        """
        text = statement.strip()
        if not text:
            return ()
        start = statement.index(text)
        whole = (Unit(text, (Span(start, start + len(text)),)),)
        words = list(_WORD.finditer(statement))
        if len(words) < 2:
            return whole
        request = self.prompts[0].request(4 * estimate(text) + 128, sentence=" ".join(text.split()))
        (reply,) = complete_each(self.model, [request], keep=(ContextTooLongError, RefusedError, ReplyError))
        if not isinstance(reply, Completion) or reply.finish != "stop":
            why = f"ended with {reply.finish!r}" if isinstance(reply, Completion) else str(reply)
            notes.warn(f"a statement was not decomposed: {why}")
            return whole
        spelled = [word.group().casefold() for word in words]
        units = [unit for line in reply.text.splitlines() if (unit := _aligned(line, spelled))]
        if not units:
            notes.warn("a statement was not decomposed: the model's reply has no units of its words")
            return whole
        ending = text[-1] if text[-1] in ".!?" else ""
        return tuple(_unit(statement, words, unit, ending) for unit in _complete(units, spelled))


def _aligned(line: str, spelled: Sequence[str]) -> list[int]:
    """The statement's words that a unit is made of, in order; none where most of the unit is about something else."""
    said = [word.casefold() for word in _WORD.findall(_BULLET.sub("", line, count=1))]
    blocks = difflib.SequenceMatcher(None, said, spelled, autojunk=False).get_matching_blocks()
    aligned = {block.b + n for block in blocks for n in range(block.size)}
    content = [word for word in said if word not in _small()]
    own = {spelled[n] for n in aligned}
    # A subject that the model moved is out of order, and still a word of the statement.
    aligned |= {spelled.index(word) for word in content if word not in own and word in spelled}
    foreign = sum(word not in spelled for word in content)
    return [] if not content or foreign > FOREIGN * len(content) else sorted(aligned)


def _complete(units: list[list[int]], spelled: Sequence[str]) -> list[list[int]]:
    """Distinct units in the order of their last words; words that matter and stand in none go to a neighbour's unit."""
    ordered = sorted({tuple(unit) for unit in units}, key=lambda unit: (unit[-1], unit))
    # A unit whose words another has too says nothing of its own.
    result = [set(unit) for unit in ordered if not any(set(unit) < set(other) for other in ordered)]
    held = {spelled[n] for unit in result for n in unit}
    for place, word in enumerate(spelled):
        if word not in held and word not in _small():
            near = min(result, key=lambda unit: min(abs(place - n) for n in unit))
            near.add(place)
            held.add(word)
    return [sorted(unit) for unit in result]


def _unit(statement: str, words: Sequence[re.Match[str]], unit: Sequence[int], ending: str) -> Unit:
    """The runs of a unit's words, with the marks between them."""
    runs: list[list[int]] = []
    for n in unit:
        if runs and n == runs[-1][-1] + 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    spans = tuple(_with_signs(statement, words[run[0]].start(), words[run[-1]].end()) for run in runs)
    text = " ".join(statement[span.start : span.end] for span in spans)
    return Unit(text if not ending or text[-1:] in ".!?" else text + ending, spans)


def _with_signs(statement: str, start: int, end: int) -> Span:
    """A run with the signs that touch it, such as a currency sign before and a per cent sign after a number."""
    while start and not re.match(r"[\w\s]", statement[start - 1]):
        start -= 1
    while end < len(statement) and not re.match(r"[\w\s,;]", statement[end]):
        end += 1
    return Span(start, end)


@cache
def _small() -> frozenset[str]:
    """Function words that may be left out or added without changing what is said."""
    return stopwords()["en"] - _NEGATIONS
