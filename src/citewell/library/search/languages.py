"""The language of each paragraph; text that could be in two languages counts in both."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from citewell.text.stopwords import shared, stopwords
from citewell.text.words import Words, words

Flags = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.uint16]
_FEW = 3  # function words that show a language
_MARGIN = 2  # times as many function words as in any other language decide


def of_paragraphs(text: Words, paragraphs: npt.NDArray[np.int64], count: int) -> Mapping[str, Flags]:
    """For each language of a document the paragraphs that are in it, as (P,) flags.

    A paragraph is in the document's language unless its own function words clearly show another one, as in a summary.

    Args:
        text: the words of the document.
        paragraphs: the paragraph of each word.
        count: of the paragraphs.
    """
    codes = sorted(stopwords())
    lowered = [spelling.lower() for spelling in text.spellings]
    flags = np.array([[spelling in stopwords()[code] for spelling in lowered] for code in codes], dtype=bool)
    counts = np.array([np.bincount(paragraphs, flags[row][text.ids], minlength=count) for row in range(len(codes))])
    whole = counts.sum(axis=1)
    best = int(whole.argmax()) if whole.max() >= _FEW else codes.index("en")
    of_document = (whole * _MARGIN > whole[best]) & (whole >= _FEW)
    of_document[best] = True
    strongest = counts.argmax(axis=0)
    known = np.where(of_document[:, None], counts, 0).max(axis=0)
    other = (counts.max(axis=0) > _MARGIN * known) & (counts.max(axis=0) > _FEW) & ~of_document[strongest]
    return {
        code: inside
        for row, code in enumerate(codes)
        if (inside := (other & (strongest == row)) | (~other & of_document[row])).any()
    }


def of_question(question: str) -> str | None:
    """The language that has more of a question's function words than any other; None where none has."""
    counts = sorted(((count, code) for code, count in shared(words(question).spellings).items()), reverse=True)
    (most, code), (second, _) = counts[0], counts[1]
    return code if most > second else None


def packed(languages: Mapping[str, Flags], count: int) -> Codes:
    """The languages of each paragraph as (P, 2) numbers, 0 where there is no second one; of more the first two."""
    result = np.zeros((count, 2), np.uint16)
    for code, inside in sorted(languages.items()):
        free = np.where(result[:, 0] == 0, 0, np.where(result[:, 1] == 0, 1, 2))
        for slot in (0, 1):
            result[inside & (free == slot), slot] = number_of(code)
    return result


def number_of(code: str) -> int:
    """A language's code of two letters as a number."""
    return ord(code[0]) << 8 | ord(code[1])


def code_of(number: int) -> str:
    """The code of two letters that a number stands for."""
    return chr(number >> 8) + chr(number & 255)
