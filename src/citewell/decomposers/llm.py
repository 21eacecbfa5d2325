"""Units from a language model, restricted to the statement's words or kept as generated.

Source: Sancheti, Goswami and Srinivasan (2024), section 3.1, who prompt a model for independent facts and use them as
they come. Their Table 4 shows what that costs: facts that the sentence does not have.
"""

from __future__ import annotations

import difflib
import itertools
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from citewell.errors import notes
from citewell.llm.asking import SINGLE, AsksModel, complete_each
from citewell.llm.prompts import Prompt, builtin, chosen
from citewell.protocols import Completion, Unit
from citewell.text.stopwords import stopwords
from citewell.text.tokens import estimate
from citewell.types import Span

_WORD = re.compile(r"\w+")
_BULLET = re.compile(
    r"\A\s*(?:[-*•–▪◦]|\(?\d{1,3}[.):]|\(?[a-z]\)|(?:fact|unit|piece)\s+\d{1,3}\s*[.:)])\s+", re.IGNORECASE
)
_NUMBERED = re.compile(r"(?:(?<=\s)|\A)\(?(\d{1,3})[.)]\s+(?=\S)")
_NEGATIONS = frozenset("no nor not never neither none without cannot".split())  # small, and yet they matter


@dataclass(frozen=True, kw_only=True)
class LLMUnits(AsksModel):
    """Information units by a language model.

    Attributes:
        units: `aligned` leaves out units with words that the statement lacks, and adds the whole statement where the
            others lose some of its words; `raw` keeps every unit as the model gave it, as ADiOSAA does.
        prompt: the file of a prompt with the gap `{sentence}`; without, ours for aligned and the paper's for raw units.
    """

    units: str = "aligned"
    prompt: str | None = None
    name: ClassVar[str] = "llm"

    def __post_init__(self) -> None:
        if self.units not in ("aligned", "raw"):
            raise ValueError(f"units is aligned or raw, not {self.units!r}")

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """What the model is asked with, for the record of a run."""
        package, name = "citewell.decomposers", "facts" if self.units == "raw" else "units"
        return (builtin(package, name) if self.prompt is None else chosen(package, name, self.prompt),)

    def decompose(self, statement: str) -> tuple[Unit, ...]:
        """Units in the model's order; the whole statement, with a warning noted, where the reply is of no use.

        Raises:
            BackendError: the model cannot be used at all.
        """
        text = statement.strip()
        if not text:
            return ()
        start = statement.index(text)
        whole = Unit(text, (Span(start, start + len(text)),))
        words = list(_WORD.finditer(statement))
        if len(words) < 2:
            return (whole,)
        request = self.prompts[0].request(4 * estimate(text) + 128, sentence=" ".join(text.split()))
        (reply,) = complete_each(self.model, [request], keep=SINGLE)
        if not isinstance(reply, Completion) or reply.finish != "stop":
            why = f"ended with {reply.finish!r}" if isinstance(reply, Completion) else str(reply)
            notes.warn(f"a statement was not decomposed: {why}")
            return (whole,)
        spelled = [word.group().casefold() for word in words]
        located = [(line, _places(line, spelled)) for line in listed(reply.text)]
        if self.units == "raw":
            units = [_unit(line, statement, words, places) or Unit(line, whole.spans) for line, places in located]
        else:
            units = _grounded_units(statement, words, spelled, located, whole)
        if not units:
            notes.warn("a statement was not decomposed: the model's reply has no units of its words")
        return tuple(units) or (whole,)


def listed(reply: str) -> list[str]:
    """The units of a reply, each once: the items of its list, else its lines; what announces them is left out.

    A line is one unit, never a part of the one before; only numbers that count up inside a line part it.
    """
    try:
        value = json.loads(re.sub(r"\A```\w*\n|\n?```\s*\Z", "", reply.strip()))
    except ValueError:
        value = None
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        lines = value
    else:
        lines = [line for line in reply.splitlines() if not line.strip().startswith("```")]
        if any(_BULLET.match(line) for line in lines):
            lines = [line for line in lines if _BULLET.match(line)]
        lines = [piece for line in lines for piece in _counted(line)]
    plain = [_BULLET.sub("", line, count=1).strip().strip("*").strip() for line in lines]
    return [line for line in dict.fromkeys(plain) if _WORD.search(line) and not line.endswith(":")]


def _counted(line: str) -> list[str]:
    """A line in parts where it counts "1. ... 2. ... 3. ..."."""
    starts = list(_NUMBERED.finditer(line))
    numbers = [int(match[1]) for match in starts]
    if len(numbers) < 2 or numbers != list(range(1, len(numbers) + 1)):
        return [line]
    ends = [*(match.start() for match in starts[1:]), len(line)]
    return [line[match.end() : end] for match, end in zip(starts, ends, strict=True)]


def _places(unit: str, spelled: Sequence[str]) -> list[int]:
    """The statement's words that a unit has, in order."""
    unit_words = [word.casefold() for word in _WORD.findall(unit)]
    blocks = difflib.SequenceMatcher(None, unit_words, spelled, autojunk=False).get_matching_blocks()
    places = {block.b + n for block in blocks for n in range(block.size)}
    # A subject that the model moved is out of order, and still a word of the statement.
    matched = {spelled[n] for n in places}
    places |= {
        spelled.index(word) for word in unit_words if word not in matched and word not in _small() and word in spelled
    }
    return sorted(places)


def _grounded_units(
    statement: str,
    words: Sequence[re.Match[str]],
    spelled: Sequence[str],
    located: Sequence[tuple[str, Sequence[int]]],
    whole: Unit,
) -> list[Unit]:
    """The units that say nothing that the statement does not; with it where they say less."""
    matters = {word for word in spelled if word not in _small()}
    contents = [{word.casefold() for word in _WORD.findall(line)} - _small() for line, _ in located]
    kept = [place for place, content in enumerate(contents) if content and content <= matters]
    # A unit whose words another has too says nothing of its own.
    kept = [place for place in kept if not any(contents[place] < contents[other] for other in kept)]
    units = [unit for place in kept if (unit := _unit(located[place][0], statement, words, located[place][1]))]
    lost = matters - set().union(*(contents[place] for place in kept))
    if units and lost:
        # Without a word of a negated statement a unit may say its opposite.
        return [whole] if matters & _NEGATIONS else [*units, whole]
    return units


def _unit(line: str, statement: str, words: Sequence[re.Match[str]], places: Sequence[int]) -> Unit | None:
    """A unit at the runs of its words, with the marks between them; None without any."""
    runs = [
        [place for _, place in run] for _, run in itertools.groupby(enumerate(places), lambda pair: pair[1] - pair[0])
    ]
    spans = tuple(_with_signs(statement, words[run[0]].start(), words[run[-1]].end()) for run in runs)
    return Unit(line, spans) if spans else None


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
