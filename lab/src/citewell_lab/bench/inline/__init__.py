"""Are figures of filings read and answered rightly? The tags of inline XBRL are the truth, and readers never see them.

    for result in run(Path("filings"), seed=27): ...

Filings are HTML files whose name has "10-k" where they are annual ones; only these are asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from citewell import read
from citewell.errors import UsageError
from citewell.text.columns import aligned
from citewell_lab.bench.inline.questions import OUTCOMES as ANSWERED
from citewell_lab.bench.inline.questions import Asked, Question, ask_all, questions
from citewell_lab.bench.inline.questions import counts as answered
from citewell_lab.bench.inline.reading import OUTCOMES as READ
from citewell_lab.bench.inline.reading import Judged, judged
from citewell_lab.bench.inline.reading import counts as readings
from citewell_lab.bench.inline.tagged import Filing, filing


class Result(NamedTuple):
    """What was read and answered of a filing."""

    name: str
    cells: list[Judged]
    asked: list[Asked]

    def counts(self) -> Mapping[str, Counter[str]]:
        """Outcomes by what was judged: the aspects of cells, then the kinds of questions."""
        return {**readings(self.cells), **answered(self.asked)}


def drawn(folder: Path, seed: int) -> Iterator[tuple[Path, Filing, list[Question]]]:
    """The filings of a folder with the questions about each, none about quarterly ones.

    Raises:
        UsageError: it is no folder, or a file in it tags nothing.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder")
    for path in sorted((*folder.glob("*.htm"), *folder.glob("*.html"))):
        tagged = filing(path)
        yield path, tagged, questions(tagged, seed) if "10-k" in path.stem.lower() else []


def run(folder: Path, seed: int) -> Iterator[Result]:
    """Read each filing of a folder, ask its questions, and hold both against its tags."""
    for path, tagged, asked in drawn(folder, seed):
        document = read(path)
        yield Result(path.stem, judged(tagged, document), ask_all(document, asked))


def total(results: Sequence[Result]) -> Mapping[str, Counter[str]]:
    """The counts over all filings."""
    sums: dict[str, Counter[str]] = {}
    for result in results:
        for name, row in result.counts().items():
            sums.setdefault(name, Counter()).update(row)
    return sums


def text(results: Sequence[Result], shown: int) -> str:
    """The counts as a table, and the first answers that are wrong or withheld."""
    columns = tuple(dict.fromkeys((*READ, *ANSWERED)))
    rows = [("", "", *columns)]
    for name, sums in [("all", total(results)), *((result.name, result.counts()) for result in results)]:
        rows += [(name, what, *(str(row[column]) for column in columns)) for what, row in sums.items()]
    lines = aligned(rows, (True, True, *(False for _ in columns)))
    missed = [one for result in results for one in result.asked if one.outcome != "right"]
    for one in missed[:shown]:
        lines.append(f"{one.outcome}: {one.question.text} {one.question.right[:2]} {one.answer.text[:120]!r}")
    return "\n".join(lines)
