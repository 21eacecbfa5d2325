"""Labels and evidence from a language model's reply, for the tasks that otherwise run a checker and an attributor.

The label is the first of the task's labels that the reply names, in the prompt's words; a reply without one counts as
wrong for every class. Evidence is what the reply cites. Post hoc it is what the attributor finds for the claim of that
label (LAB, table 24). Labels that need no evidence get none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from citewell import registry
from citewell.bench.answering import Answering, Reply
from citewell.bench.items import EvidenceItem
from citewell.bench.metrics.evidence import best_set_f1
from citewell.bench.tasks.answers import failed, replies
from citewell.bench.tasks.base import DIGITS, Backends, Record, position
from citewell.errors import UsageError
from citewell.types import Citation, Draft, Span

# The labels in the words of the prompts, where they differ from the data's.
_WORDS = {"NotMentioned": "not mentioned"}
_PROMPTED = ("wice", "contract-nli", "evidence-inference")
_BARE = frozenset(("not_supported", "NotMentioned"))  # labels that need no evidence


def predict(
    items: Sequence[EvidenceItem], backends: Backends, task: str, labels: Sequence[str], k: int
) -> Iterator[Record]:
    """One record an item, as the replies come.

    Raises:
        UsageError: the task has no prompt.
    """
    system = backends.answer()
    if task not in _PROMPTED:
        raise UsageError(f"the task {task!r} has no prompt: it takes --checker and --method")
    asked = [(item.document, item.question) for item in items]
    for item, reply in zip(items, replies(backends, asked), strict=True):
        yield failed(item, reply) if isinstance(reply, Exception) else _record(item, reply, system, labels, k)


def _record(item: EvidenceItem, reply: Reply, system: Answering, labels: Sequence[str], k: int) -> Record:
    answer = reply.answer
    label = read(answer.text, labels)
    found: Sequence[Citation] = answer.citations
    if label is None or label in _BARE:
        found = ()
    elif system.post_hoc:
        claim = item.statements[label]
        whole = (Span(0, len(claim)),)
        attributor = registry.build("attributor", system.post_hoc)
        found = attributor.attribute(Draft(claim, None, whole, whole), [item.document], "paragraph", k)
    places = dict.fromkeys(position(item.segments, one) for one in found)
    predicted = frozenset(one for one in places if one is not None)
    fit = max(item.annotations, key=lambda one: (one.label == label, best_set_f1(predicted, one.sets)))
    record: Record = {
        "id": item.id,
        "group": item.group,
        "gold": fit.label,
        "annotated": [one.label for one in item.annotations],
        "label": label,
        "answer": answer.text,
    }
    if any(one.sets for one in item.annotations):
        record["evidence"] = sorted(predicted)
        record["evidence_f1"] = round(best_set_f1(predicted, fit.sets), DIGITS)
    return {**record, "value": float(label == fit.label)}


def read(text: str, labels: Sequence[str]) -> str | None:
    """The label that a reply names first, the longest where several begin there; None where it names none."""
    said = " ".join(re.sub(r"[\W_]+", " ", text.lower()).split())
    best: tuple[int, int, str] | None = None
    for label in labels:
        words = _WORDS.get(label, label).replace("_", " ").lower()
        match = re.search(rf"\b{re.escape(words)}\b", said)
        if match and (best is None or (match.start(), -len(words)) < best[:2]):
            best = (match.start(), -len(words), label)
    return best[2] if best else None
