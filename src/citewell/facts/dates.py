"""Periods."""
from citewell.facts.types import Period
def periods(text: str) -> tuple[Period, ...]:
    return ()
