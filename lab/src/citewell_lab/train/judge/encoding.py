"""Families as tokens: rows in which all claims over one evidence follow it, and each sees only itself."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from citewell.errors import InputError, MissingExtraError
from citewell.models.loading import import_torch
from citewell.models.small_judge import BEFORE, BEGIN, BETWEEN, END, HIDDEN
from citewell.text.data import settings
from citewell_lab.train.judge.examples import Family, Judged

IGNORED = -100


class Claim(NamedTuple):
    """A claim in tokens, the reading token last, with its class and the marks of its tokens."""

    ids: list[int]
    label: int
    wrong: list[int]


class Line(NamedTuple):
    """The tokens of evidence and the claims over it; `family` numbers its family within the batch."""

    evidence: list[int]
    claims: tuple[Claim, ...]
    family: int = 0

    @property
    def length(self) -> int:
        """Tokens of the whole row."""
        return len(self.evidence) + sum(len(claim.ids) for claim in self.claims)


class Coder:
    """Evidence and claims to tokens, as the judge reads them in training and in use."""

    def __init__(self, folder: Path) -> None:
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise MissingExtraError("the judge", "tokenizers", "onnx") from error
        try:
            self._tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
        except Exception as error:  # the library raises no class of its own
            raise InputError(f"{folder} has no readable tokenizer.json: {error}") from error
        self._tokenizer.no_truncation()
        marks: Any = [self._tokenizer.token_to_id(text) for text in (BEGIN, END)]
        self._begin, self._end = marks

    def evidence(self, text: str, most: int) -> list[int]:
        """The tokens of evidence; what is too long is cut from its end."""
        return [self._begin, *self._tokenizer.encode(BEFORE + text).ids[:most]]

    def claim(self, judged: Judged, most: int) -> Claim:
        """The tokens of a claim with the marks of those that do not hold."""
        encoding = self._tokenizer.encode(BETWEEN + judged.claim)
        ids, offsets, shift = encoding.ids[:most], encoding.offsets[:most], len(BETWEEN)
        marks = [IGNORED] * len(ids)
        if judged.wrong is not None:
            spans = [(span.start + shift, span.end + shift) for span in judged.wrong]
            marks = [
                int(any(start < last and first < end for first, last in spans)) if end > shift else IGNORED
                for start, end in offsets
            ]
        return Claim([*ids, self._end], judged.label, [*marks, IGNORED])

    def lines(self, family: Family) -> list[Line]:
        """A family's rows: one for each piece of evidence, more where its claims are too many."""
        s = settings(__package__)
        by_text: dict[str, list[Judged]] = defaultdict(list)
        for member in family.members[: int(s["most_claims"])]:
            by_text[member.evidence].append(member)
        result = []
        for text, members in by_text.items():
            evidence = self.evidence(text, int(s["prefix"]))
            pending: list[Claim] = []
            for member in members:
                claim = self.claim(member, int(s["claim"]))
                if pending and len(evidence) + sum(len(earlier.ids) for earlier in pending) + len(claim.ids) > s["row"]:
                    result.append(Line(evidence, tuple(pending)))
                    pending = []
                pending.append(claim)
            result.append(Line(evidence, tuple(pending)))
        return result


Batch = list[Line]
_STRETCH = 400  # families that are sorted by length together: every stretch has all lengths


def batches(families: Sequence[Family], coder: Coder, tokens: int, seed: str) -> Iterator[Batch]:
    """Without end: all families once in batches of like length, in an order drawn anew each time round."""
    turn = 0
    while families:
        chance = random.Random(f"{seed}:{turn}")  # noqa: S311  (a draw)
        order = list(families)
        chance.shuffle(order)
        for start in range(0, len(order), _STRETCH):
            coded = [coder.lines(family) for family in order[start : start + _STRETCH]]
            packed = list(_packed(sorted(coded, key=lambda lines: max(line.length for line in lines)), tokens))
            chance.shuffle(packed)
            yield from packed
        turn += 1


def _packed(families: Sequence[list[Line]], tokens: int) -> Iterator[Batch]:
    pending: Batch = []
    total = number = 0
    for lines in families:
        size = sum(line.length for line in lines)
        if pending and total + size > tokens:
            yield pending
            pending, total, number = [], 0, 0
        pending += [line._replace(family=number) for line in lines]
        total, number = total + size, number + 1
    if pending:
        yield pending


class Tensors(NamedTuple):
    """A batch as the network takes it: all lines one behind the other in one row.

    Attributes:
        ids: (1, length) token numbers.
        positions: (1, length); those of each claim go on where its evidence ended.
        masks: of each line (1, 1, size, size), 0 where a token is seen and far below where not.
        ends: (claims,) places of the tokens at which the claims are read.
        labels: (claims,) classes.
        families: of each claim, the number of its family.
        marks: (length,) whether a token of a claim is wrong; `IGNORED` elsewhere.
    """

    ids: Any
    positions: Any
    masks: list[Any]
    ends: Any
    labels: Any
    families: list[int]
    marks: Any


def tensors(batch: Batch, dtype: Any) -> Tensors:
    """The batch in torch."""
    torch = import_torch()
    ids: list[int] = []
    positions: list[int] = []
    marks: list[int] = []
    ends, labels, families, masks = [], [], [], []
    for line in batch:
        size = len(line.evidence)
        visible = torch.zeros(line.length, line.length, dtype=torch.bool)
        visible[:, :size] = True
        ids += line.evidence
        positions += range(size)
        marks += [IGNORED] * size
        at = size
        for claim in line.claims:
            end = at + len(claim.ids)
            visible[at:end, at:end] = True
            ids += claim.ids
            positions += range(size, size + len(claim.ids))
            marks += claim.wrong
            ends.append(len(ids) - 1)
            labels.append(claim.label)
            families.append(line.family)
            at = end
        mask = torch.zeros(visible.shape, dtype=dtype).masked_fill_(~visible.tril_(), HIDDEN)
        masks.append(mask[None, None])
    row = torch.tensor(ids)[None], torch.tensor(positions)[None]
    return Tensors(*row, masks, torch.tensor(ends), torch.tensor(labels), families, torch.tensor(marks))
