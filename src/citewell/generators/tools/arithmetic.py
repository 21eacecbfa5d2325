"""Exact arithmetic requested by a model, on figures that it has read."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Collection
from fractions import Fraction

from citewell.errors import UsageError

_LONGEST = 300  # characters of an expression
_CONSTANT = 100  # whole numbers up to this need not be read: shares of 100, averages of 12 months
_DIGITS = re.compile(r"\d[\d,.]*")
_DOES: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def figures(text: str) -> set[Fraction]:
    """The figures of a text as they are written, without signs and scales: "1,748" is 1748."""
    written = (match.rstrip(".,").replace(",", "") for match in _DIGITS.findall(text))
    return {Fraction(figure) for figure in written if figure.count(".") <= 1}


def compute(expression: str, known: Collection[Fraction]) -> str:
    """The value of sums, differences, products and quotients, to ten digits.

    Args:
        expression: such as "(41.3 - 38.4) / 38.4 * 100".
        known: the figures that may stand in it, beside small whole numbers.

    Raises:
        UsageError: it is something else, divides by zero, or has a figure that is not known.
    """
    if len(expression) > _LONGEST:
        raise UsageError(f"an expression has at most {_LONGEST} characters")
    try:
        tree = ast.parse(re.sub(r"(?<=\d),(?=\d{3})", "", expression).strip(), mode="eval")
        value = _value(tree.body, known)
        written = f"{float(value):.10g}"
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UsageError(
            "an expression has numbers, + - * / and brackets, such as (41.3 - 38.4) / 38.4 * 100"
        ) from error
    except ZeroDivisionError as error:
        raise UsageError("the expression divides by zero") from error
    except OverflowError as error:
        raise UsageError("the value is too large") from error
    return written


def _value(node: ast.expr, known: Collection[Fraction]) -> Fraction:
    if isinstance(node, ast.BinOp) and type(node.op) in _DOES:
        return _DOES[type(node.op)](_value(node.left, known), _value(node.right, known))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = _value(node.operand, known)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        figure = Fraction(str(node.value))
        if figure not in known and not (figure.denominator == 1 and figure <= _CONSTANT):
            raise UsageError(f"{node.value!r} does not occur in anything that was read: read it first")
        return figure
    raise ValueError
