"""Function words of the languages that are stemmed: they tell the language and weigh little in comparisons."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from citewell.text.data import read_json, words


@cache
def stopwords() -> Mapping[str, frozenset[str]]:
    """The function words by the code of the language (`stopwords.json`)."""
    return {
        code: words("citewell.text", "stopwords.json", code)
        for code in read_json("citewell.text", "stopwords.json")["lists"]
    }
