"""The cost of a request, from a table of prices (`prices.json`, or a file in the same format)."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from citewell.errors import UsageError
from citewell.text.data import read_json

_SNAPSHOT = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8})\Z")


def cost(
    service: str, model: str, input_tokens: int | None, output_tokens: int | None, prices: str | None = None
) -> float | None:
    """US dollars, None where the model's price or a token figure is not known.

    Raises UsageError: the file of prices cannot be read.
    """
    if input_tokens is None or output_tokens is None:
        return None
    table = _table(prices).get(service, {})
    price = table.get(model) or table.get(_SNAPSHOT.sub("", model))
    if price is None:
        return None
    long = "over" in price and input_tokens > price["over"]
    each = [price[f"long_{kind}" if long else kind] for kind in ("input", "output")]
    return float(round((input_tokens * each[0] + output_tokens * each[1]) / 1_000_000, 9))


@cache
def _table(path: str | None) -> dict[str, dict[str, Any]]:
    try:
        prices = None if path is None else json.loads(Path(path).expanduser().read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"the prices in {path!r} cannot be read: {error}") from error
    if prices is None:
        table: dict[str, dict[str, Any]] = read_json("citewell.llm", "prices.json")
        return table
    if wrong := _wrong(prices):
        form = '{"openai": {"MODEL": {"input": 2.5, "output": 10.0}}}, US dollars a million tokens'
        raise UsageError(f"the prices in {path!r} are no table of prices: {wrong}; the form is {form}")
    return {service: models for service, models in prices.items() if isinstance(models, dict)}


def _wrong(table: Any) -> str:
    """What is wrong with somebody's table of prices, "" where nothing is."""
    if not isinstance(table, dict):
        return f"it is a {type(table).__name__}"
    services = {name: models for name, models in table.items() if not isinstance(models, str)}  # texts are remarks
    if not services:
        return "it names no service (openai, anthropic)"
    for service, models in services.items():
        if service not in ("openai", "anthropic"):
            return f"there is no service {service!r}, only openai and anthropic"
        for model, price in models.items() if isinstance(models, dict) else [("", models)]:
            figures = price if isinstance(price, dict) else {}
            names = ("input", "output", *(("long_input", "long_output") if "over" in figures else ()))
            if not all(isinstance(figures.get(name), int | float) and figures[name] >= 0 for name in names):
                return f"{service} {model!r} needs {' and '.join(names)} as numbers"
    return ""
