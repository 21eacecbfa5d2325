"""How VERI-GRAN was made: which characters of a statement are those of its source sentence, by a character diff.

Source: Phukan et al., Peering into the Mind of Language Models (2024), section 5.1. Characters are matched by
diff-match-patch; a token counts as copied if all of its characters match; spans of nothing but punctuation and
function words are left out. With the judgments of the Verifiability data set this rebuilds the data set's marks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from citewell.errors import MissingExtraError
from citewell.text.stopwords import stopwords
from citewell.types import Span

_TOKEN = re.compile(r"\w+|[^\w\s]")


def copied_spans(statement: str, source: str) -> tuple[Span, ...]:
    """The ranges of a statement that were copied from one source sentence.

    Raises:
        MissingExtraError: diff-match-patch is not installed.
    """
    try:
        from diff_match_patch import diff_match_patch
    except ModuleNotFoundError as error:
        raise MissingExtraError("the character diff", "diff_match_patch", "diff") from error
    differ = diff_match_patch()
    differ.Diff_Timeout = 0  # the result must not depend on the machine's speed
    matched = bytearray(len(statement))
    position = 0
    # The two-argument call has the library's own line mode, which only pays for long texts.
    for operation, text in differ.diff_main(source, statement, False):  # noqa: FBT003 the library's signature
        if operation >= 0:
            if operation == differ.DIFF_EQUAL:
                matched[position : position + len(text)] = b"\1" * len(text)
            position += len(text)
    spans: list[Span] = []
    joins = False
    for token in _TOKEN.finditer(statement):
        if not all(matched[token.start() : token.end()]):
            joins = False
        elif joins:
            spans[-1] = Span(spans[-1].start, token.end())
        else:
            spans.append(Span(*token.span()))
            joins = True
    return tuple(span for span in spans if _says_something(statement[span.start : span.end]))


def marked(text: str, spans: Sequence[Span], number: int) -> str:
    """A text with `[ number span ]` around each span, the form of VERI-GRAN and QuoteSum.

    Args:
        text: what the spans are ranges of.
        spans: in order, without overlap.
        number: of the source, counted from 1.
    """
    parts: list[str] = []
    position = 0
    for start, end in spans:
        parts += (text[position:start], f"[ {number} {text[start:end]} ]")
        position = end
    return "".join([*parts, text[position:]])


def _says_something(text: str) -> bool:
    return any(word not in stopwords()["en"] for word in re.findall(r"\w+", text.lower()))
