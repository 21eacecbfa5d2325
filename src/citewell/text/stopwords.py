"""Function words of the supported languages: they identify the language and weigh little in comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from citewell.text.data import read_json, words


@cache
def stopwords() -> Mapping[str, frozenset[str]]:
    """The function words by the code of the language (`stopwords.json`)."""
    return {
        code: words("citewell.text", "stopwords.json", code)
        for code in read_json("citewell.text", "stopwords.json")["lists"]
    }


def shared(spellings: Iterable[str]) -> Mapping[str, int]:
    """How many function words of each language are among the distinct spellings."""
    telling = _all().intersection(map(str.lower, spellings))
    return {code: len(telling & stop) for code, stop in stopwords().items()}


@cache
def _all() -> frozenset[str]:
    return frozenset().union(*stopwords().values())
