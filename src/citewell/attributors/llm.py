"""A language model annotates an answer: it names the source of marked parts, or marks copied parts.

Source: the two GPT baselines of Phukan et al., Peering into the Mind of Language Models (2024), section 5.3 and
appendix A.7 (figures 13 and 14). The wording is ours, and marks are carried back to the answer by alignment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from citewell.attributors import llm_marks
from citewell.attributors.llm_marks import Mark
from citewell.attributors.passages import Place, ReadsPassages, numbered, passages
from citewell.attributors.targets import EXACT, statements, targets
from citewell.document import Document
from citewell.errors import notes
from citewell.llm.asking import complete_all
from citewell.llm.prompts import Prompt, builtin
from citewell.protocols import Completion
from citewell.text.spans import overlap
from citewell.text.tokens import estimate
from citewell.types import Citation, Draft, Granularity, Span

UNNUMBERED, UNREAD = "marks without a number", "replies without a numbered mark"  # as they are counted


@dataclass(frozen=True, kw_only=True)
class LLMAttributor(ReadsPassages):
    """Cite what a language model names as the source."""

    name: ClassVar[str] = "llm"

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """What the model is asked with, for the record of a run."""
        return tuple(builtin("citewell.attributors", name) for name in ("source", "mark"))

    def attribute(
        self, draft: Draft, documents: Sequence[Document], granularity: Granularity = "sentence", k: int | None = None
    ) -> tuple[Citation, ...]:
        """Citations for each target, in the order in which the model names them; the score is 1 for each.

        Whole statements at the granularities `token` and `window` are the first sub-task of the paper: the model
        marks what was copied, and each citation is a copied run. Everything else is the second: the targets are
        marked and the model names their passages, which are paragraphs at these two, segments of the granularity
        otherwise. Marks that cannot be found again in the answer are noted as warnings.

        Raises:
            BackendError: the model cannot be used, or refuses.
        """
        wanted = targets(draft)
        unit: Granularity = "paragraph" if granularity in EXACT else granularity
        every = passages(documents, unit)
        if not wanted or not every:
            return ()
        places = self.fitting(draft, wanted, every)
        marking = granularity in EXACT and set(wanted) <= set(statements(draft))
        layers = [()] if marking else _layers(wanted)
        source, mark = self.prompts
        requests = [
            (mark if marking else source).request(
                2 * estimate(draft.text) + 16 * len(wanted) + 64,
                passages=numbered(places),
                question=(draft.question or "").strip() or "(none is given)",
                answer=llm_marks.put(draft.text, layer),
            )
            for layer in layers
        ]
        marks = [
            mark for reply in complete_all(self.model, requests) for mark in _marks(reply, draft.text, len(places))
        ]
        result: list[Citation] = []
        for target in wanted:
            cited = self._runs(draft, target, marks, places, granularity) if granularity in EXACT else []
            if granularity not in EXACT:
                numbers = dict.fromkeys(
                    number
                    for mark in marks
                    # Most of the mark lies in the target, or most of the target in the mark.
                    if 2 * overlap(mark, target) > min(mark.end - mark.start, target.end - target.start)
                    for number in mark.numbers
                )
                for place in (places[number - 1] for number in numbers):
                    segment = place.segment
                    cited.append(self._cite(place, segment.start, segment.end, target, segment.granularity))
            result.extend(cited[:k])
        return tuple(result)

    def _runs(
        self, draft: Draft, target: Span, marks: Sequence[Mark], places: Sequence[Place], granularity: Granularity
    ) -> list[Citation]:
        """What of a target was copied, and the run of words that the named passage shares with it."""
        result: list[Citation] = []
        for mark in marks:
            marked = Span(max(mark.start, target.start), min(mark.end, target.end))
            for number in mark.numbers if marked.end > marked.start else ():
                place = places[number - 1]
                run = llm_marks.shared_run(draft.text[marked.start : marked.end], place.segment.text)
                if run is None:
                    words = draft.text[marked.start : marked.end]
                    notes.warn(f"the model names a passage that has no word of {words[:60]!r}; it was left out")
                    continue
                start = place.segment.start + run.start
                result.append(self._cite(place, start, start + run.end - run.start, marked, granularity))
        return result

    def _cite(self, place: Place, start: int, end: int, target: Span, granularity: Granularity) -> Citation:
        at, score = Span(start, end), 1.0
        return place.document.cite(at, place.segment.id, target, granularity=granularity, score=score, method=self.name)


def _marks(reply: Completion, answer: str, count: int) -> list[Mark]:
    """The marks of a reply at their places in the answer, with the numbers of passages that exist."""
    if reply.finish == "refused":
        notes.warn("the model refused to annotate the answer")
    elif reply.finish == "length":
        notes.warn("the model's annotation was cut off: what follows has no evidence")
    plain, written = llm_marks.read(reply.text, answer)
    if bare := sum(not mark.numbers for mark in written):
        notes.count(UNNUMBERED, bare)
        notes.warn(f"{bare} of the model's {len(written)} marks name no passage by its number: they have no evidence")
    if bare == len(written):
        notes.count(UNREAD)
    marks, lost = llm_marks.realign(plain, written, answer)
    if lost:
        notes.warn(
            f"{len(lost)} marks of the model's reply are on words that the answer does not contain; they were left out"
        )
    wrong = sorted({number for mark in marks for number in mark.numbers if not 1 <= number <= count})
    if wrong:
        notes.warn(f"the model named passages that do not exist: {', '.join(map(str, wrong))}; they were left out")
    return [Mark(a, b, tuple(n for n in dict.fromkeys(numbers) if 1 <= n <= count)) for a, b, numbers in marks]


def _layers(wanted: Sequence[Span]) -> list[tuple[Span, ...]]:
    """The targets in groups that do not overlap, each in order: brackets do not nest."""
    layers: list[list[Span]] = []
    for span in sorted(set(wanted)):
        for layer in layers:
            if layer[-1].end <= span.start:
                layer.append(span)
                break
        else:
            layers.append([span])
    return [tuple(layer) for layer in layers]
