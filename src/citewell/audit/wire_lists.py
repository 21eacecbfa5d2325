"""Marks that number a list of sources next to the answer or at its end: `[2]` is the second source."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from citewell.audit.claims import Claim, Response
from citewell.text.replies.parsing import parse

MOST = 40  # sources that are held against each statement where no mark says which of them it rests on

_HEAD = re.compile(
    r"^[#*_ \t]*+(?:sources?|references?|citations?|bibliography|works cited|footnotes?|quellen(?:angaben)?|belege|"
    r"literatur|références|sources citées|fuentes|referencias|fonti|riferimenti|bronnen|källor|kilder|lähteet|"
    r"источники|参考文献|出典|来源|参考资料|출처)[*_ \t]*+(?:[:：][*_ \t]*+)?$",
    re.IGNORECASE | re.MULTILINE,
)
_ENTRY = re.compile(
    r"[ \t]*(?:[-*•][ \t]+)?(?:\[\^?(\d{1,4})\]:?|\((\d{1,4})\)|(\d{1,4})[.)](?=[ \t])|([¹²³⁴-⁹]{1,3}))[ \t]*+(.*)"
)
_NOTE = re.compile(r"[ \t]*\[\^?\d{1,4}\]:[ \t]")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_ADDRESS = re.compile(r"https?://[^\s<>\"'“”)\]]{1,2000}")
_LINK = re.compile(r"\[([^\[\]\n]{1,300})\]\((https?://[^\s()]{1,2000})\)")
_QUOTE = re.compile(r"“([^”\n]{8,2000})”|\"([^\"\n]{8,2000})\"|«([^»\n]{8,2000})»|„([^“”\n]{8,2000})[“”]")
_PAGES = re.compile(
    r"[\s,;(\[·|–-]{0,3}\b(?:pp?\.|pages?|pg\.|s\.|seiten?|páginas?|pagina|стр\.)\s?(\d{1,5})(?:\s?[-–]\s?(\d{1,5}))?[)\]]?",
    re.IGNORECASE,
)


def web(value: Any) -> str | None:
    """A web address, None for any other value."""
    return value if isinstance(value, str) and value[:8].lower().startswith(("http://", "https://")) else None


def listed(form: str, text: str, sources: Mapping[int, Claim]) -> Response:
    """A response whose marks are numbers of sources.

    Where nothing is marked, the sources are the whole answer's, and each statement is held against all of them.
    """
    quotes = "\n".join(quote for source in sources.values() for quote in source.quotes)
    read = parse(text, 10**6, quotes)
    claims: list[Claim] = []
    for part in read.cites:
        for number in part.numbers:
            missing = f"[{number}] does not exist: there are {len(sources)} sources"
            source = sources.get(number, Claim(0, 0, problem=missing))
            start, end = part.span
            claims.append(source._replace(answer_start=start, answer_end=end, payload={"number": number}))
    warnings = list(read.warnings)
    if not claims and sources:
        shared = list(sources.items())[:MOST]
        if len(sources) > MOST:
            warnings.append(f"the answer marks nothing and has {len(sources)} sources: the first {MOST} were read")
        claims = [
            source._replace(answer_start=span.start, answer_end=span.end, shared=True, payload={"number": number})
            for span in read.statements
            for number, source in shared
        ]
    return Response(form, read.text, tuple(claims), warnings=tuple(warnings))


def plain(text: str) -> Response | None:
    """A plain answer with a list of its sources at the end; None where it has no such list."""
    body, entries = _parted(text)
    if not entries:
        return None
    return listed("plain", body, {number: entry(entry_text) for number, entry_text in entries.items()})


def entry(text: str) -> Claim:
    """What an entry of a list of sources names: a document by its name or address, pages, words."""
    link = _LINK.search(text)
    address = web(link[2]) if link else (match[0].rstrip(".,;") if (match := _ADDRESS.search(text)) else None)
    quotes = tuple(next(group for group in match.groups() if group) for match in _QUOTE.finditer(text))
    pages = _PAGES.search(text)
    span = (int(pages[1]), int(pages[2] or pages[1])) if pages else None
    rest = _LINK.sub(r"\1", text)
    for pattern in (_ADDRESS, _QUOTE, _PAGES):
        rest = pattern.sub(" ", rest)
    name = " ".join(rest.strip(" \t,;:.-–—|()<>*_").split())
    return Claim(
        0, 0, name or None, quotes or ((text.strip(),) if not address and not span else ()), None, span, None, address
    )


def _parted(text: str) -> tuple[str, dict[int, str]]:
    """The answer, and the numbered entries of the list at its end."""
    lines = text.splitlines(keepends=True)
    first = len(lines)
    entries: dict[int, str] = {}
    more: list[str] = []
    while first > 0:
        line = lines[first - 1]
        match = _ENTRY.match(line)
        if match:
            digits = next(group for group in match.groups()[:4] if group).translate(_SUPERSCRIPTS)
            entries[int(digits)] = " ".join([match[5].strip(), *reversed(more)]).strip()
            more = []
        elif line.strip() and line[:1] in " \t" and not more:
            more.append(line.strip())  # an entry that goes on in a second line
        elif line.strip():
            break
        first -= 1
    if more or not entries:
        return text, {}
    headed = first > 0 and _HEAD.fullmatch(lines[first - 1].rstrip("\r\n"))
    notes = all(_NOTE.match(line) for line in lines[first:] if line.strip())
    if not headed and not notes:
        return text, {}
    body = "".join(lines[: first - 1 if headed else first]).rstrip()
    return (body, entries) if body else (text, {})
