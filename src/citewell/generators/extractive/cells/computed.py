"""A figure computed from cells: its operands, its formula, and its wording."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from citewell.facts.quantities import scale_stated
from citewell.generators.extractive.cells.finder import Pick, Sure
from citewell.text.times import scale_word

_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹"}
_CODE = 3  # letters of a currency's code


class Term(NamedTuple):
    """An operand: its factor, the item and the cells that are added (one) or averaged (two)."""

    factor: float
    item: str
    picks: tuple[Pick, ...]
    signed: bool

    @property
    def worth(self) -> float:
        """Its value, scale applied."""
        values = [(pick.cell.value or 0.0) * pick.cell.scale for pick in self.picks]
        mean = sum(values) / len(values)
        return self.factor * (mean if self.signed else abs(mean))

    def __str__(self) -> str:
        """How it is written in a formula, with the figures as they are printed."""
        printed = [pick.cell.text.replace("$", "").strip() for pick in self.picks]
        message = printed[0] if len(printed) == 1 else f"({' + '.join(printed)}) / {len(printed)}"
        return message if abs(self.factor) == 1 else f"{abs(self.factor):g} × {message}"


class Computed(NamedTuple):
    """A figure made from cells: its name, kind ("ratio", "percent", "money", "each"), number, terms.

    `named` tells a ratio that has a name from a change or a share. `number` is None where a term could not be located:
    then it is known what is asked for, and that it cannot be told; `over` has the terms that were located, and `near`
    is the best cell for the other. `parts` are the same figure of several years: their mean, or, where `trend`, the
    later one beside the earlier. `reply` is "Yes" or "No" where that is asked for.
    """

    name: str
    kind: str
    number: float | None
    over: tuple[Term, ...] = ()
    under: tuple[Term, ...] = ()
    confidence: float = 0.0
    lacks: str = ""
    named: bool = False
    near: Sure | None = None
    parts: tuple[Computed, ...] = ()
    trend: bool = False
    reply: str = ""

    @property
    def picks(self) -> tuple[Pick, ...]:
        """Every cell that it is made from, each once."""
        unique: dict[tuple[int, int], Pick] = {}
        terms = [term for part in self.parts or (self,) for term in (*part.over, *part.under)]
        for term in terms:
            for pick in term.picks:
                unique[pick.document, pick.cell.start] = pick
        return tuple(unique.values())

    @property
    def formula(self) -> str:
        """The formula with the figures as they are printed."""
        if self.parts:
            each = [part.formula for part in self.parts]
            return " against ".join(each) if self.trend else f"({' + '.join(each)}) / {len(each)}"
        parts = [_sum(self.over)] + ([_sum(self.under)] if self.under else [])
        if self.kind == "each":
            parts = [f"{part}{_times(side)}" for part, side in zip(parts, (self.over, self.under), strict=True)]
        wrapped = [f"({part})" if " " in part and len(parts) > 1 else part for part in parts]
        return " / ".join(wrapped) + (" − 1" if self.name.startswith("growth") else "")

    @property
    def text(self) -> str:
        """The figure in words."""
        if self.number is None:
            return ""
        if self.trend:
            return self._moved()
        if self.kind == "percent":
            return f"{100 * self.number:.1f}%"
        return f"{self.number:,.2f}" if self.kind in ("ratio", "each") else f"{self.number / self.scale:,.10g}"

    @property
    def sentence(self) -> str:
        """The figure as a whole sentence, with what it is computed from."""
        if self.trend or self.number is None:
            return self.text
        sides = self._sides()
        if sides is not None:
            last, first = sides
            # The earlier one of a change is subtracted.
            verb = _verb(first.worth / first.factor, last.worth / last.factor)
            by = f" by {self.text if self.kind == 'percent' else self._amount()}".replace("by -", "by ")
            name, before, now = row_label(last.picks[0]), printed(first.picks[0]), printed(last.picks[0])
            moved = f"{name} {verb}{by if self.number else ''}, from {before} to {now}."
            return f"{self.reply}: {moved}" if self.reply else moved
        years = {pick.cell.year for pick in self.picks}
        of = f" of {years.pop()}" if len(years) == 1 and None not in years else ""
        return f"{self.name[:1].upper()}{self.name[1:]}{of} is {self._amount()} ({self.formula})."

    def _sides(self) -> tuple[Term, Term] | None:
        """The later and the earlier term of a change or of growth."""
        terms = (*self.over, *self.under)
        if self.name not in _MOVED or len(terms) != len(_MOVED) or any(len(term.picks) > 1 for term in terms):
            return None
        return terms[0], terms[1]

    def _amount(self) -> str:
        """The figure with its currency and scale, whatever it is made from."""
        if self.kind != "money":
            return self.text
        units = {pick.cell.unit for pick in self.picks}
        unit = units.pop() if len(units) == 1 else ""
        negative = "-" if self.text.startswith("-") else ""
        return with_unit(self.text.lstrip("-"), negative, unit, self.scale)

    def _moved(self) -> str:
        """A figure of two years as a sentence: "Revenue rose from $880 million in 2022 to $1,000 million in 2023"."""
        now, before = self.parts
        first, last = before.number or 0.0, now.number or 0.0
        verb = _verb(first, last)
        sides = [
            f"{side.printed}{f' in {side.picks[0].cell.year}' if side.picks[0].cell.year else ''}"
            for side in (before, now)
        ]
        share = f" ({last / first - 1:+.1%})" if self.kind == "money" and first > 0 and first != last else ""
        # A name in capitals stays, others begin the sentence.
        moved = f"{self.name[:1].upper()}{self.name[1:]} {verb} from {sides[0]} to {sides[1]}{share}."
        return f"{self.reply}: {moved}" if self.reply else moved

    @property
    def printed(self) -> str:
        """The figure with its currency and scale: "$880 million"."""
        if self.kind != "money":
            return self.text
        return self._amount() if len(self.picks) > 1 else printed(self.picks[0], dated=False)

    @property
    def scale(self) -> int:
        """What a sum of money is to be multiplied by: the scale that its cells share."""
        scales = {pick.cell.scale for pick in self.picks}
        return scales.pop() if self.kind == "money" and len(scales) == 1 else 1


_MOVED = ("change", "growth")


def _verb(first: float, last: float) -> str:
    return "was unchanged" if first == last else "rose" if last > first else "fell"


def row_label(pick: Pick) -> str:
    """What the row of a cell is called, without a scale in brackets: its figures are told with theirs."""
    label = " ".join(pick.cell.row_path[-1:]).rstrip(": ") or pick.table.title
    stated = scale_stated(label)
    if stated and label.endswith(")") and label.rfind("(") < stated.end:
        label = label[: label.rindex("(")].rstrip()
    return f"{label[:1].upper()}{label[1:]}"


def printed(pick: Pick, *, dated: bool = True) -> str:
    """A cell's figure with its currency and scale, and its year: "$880 million in 2022"."""
    cell = pick.cell
    text = cell.text.replace("$", "").strip("€£¥₹ ")
    negative = "-" if text.startswith(("(", "-", "−")) else ""
    amount = with_unit(text.strip("()-− "), negative, cell.unit, cell.scale)
    return f"{amount} in {cell.year}" if dated and cell.year else amount


def with_unit(digits: str, sign: str, unit: str, scale: int) -> str:
    """Digits with their currency and scale: "€38.4 million", "1,200 million SEK"."""
    amount = f"{sign}{_SIGNS.get(unit, '')}{digits} {scale_word(scale)}".rstrip()
    return amount if unit in _SIGNS or len(unit) != _CODE else f"{amount} {unit}"


def _times(terms: Sequence[Term]) -> str:
    """What the figures of a term are multiplied by, as a formula writes it: they may be in other scales."""
    scale = terms[0].picks[0].cell.scale
    return "" if scale == 1 else f" × {scale:,}"


def _sum(terms: Sequence[Term]) -> str:
    first, *rest = terms
    return str(first) + "".join(f" {'−' if term.factor < 0 else '+'} {term}" for term in rest)
