"""Titles as people use them: company and form from the cover of a filing, otherwise a suitable title."""

from __future__ import annotations

import re
from collections import Counter

_COVER = 12_000  # characters of the text in which a cover page ends
_REGISTRANT = re.compile(r"\([ \t]*+exact name of (?:the )?(?:registrant|issuer|company)\b", re.IGNORECASE)
_FORM = re.compile(r"\bform[ \t]+(?P<form>\d{1,2}-[A-Z]{1,2}|[A-Z]{1,2}-\d{1,2})(?P<amended>/A)?\b", re.IGNORECASE)
_FORMS = {
    "10-K": "Annual report",
    "20-F": "Annual report",
    "40-F": "Annual report",
    "11-K": "Annual report",
    "10-Q": "Quarterly report",
    "8-K": "Current report",
    "6-K": "Report of a foreign issuer",
}
_DATE = r"(?P<date>[A-Z][a-z]+\.?\s+\d{1,2},?\s+(?P<year>(?:19|20)\d\d))"
_PERIOD = re.compile(rf"\b(?:(?:fiscal\s+)?year|period)\s+ended:?\s+{_DATE}", re.IGNORECASE)
_REPORTED = re.compile(rf"\bdate\s+of\s+(?:earliest\s+)?(?:event|report)[^\n]{{0,60}}?:?\s+{_DATE}", re.IGNORECASE)
_MADE_UP = re.compile(
    r"untitled|(?:microsoft (?:word|powerpoint|excel)|powerpoint presentation)\b.*|"
    r".*\.(?:pdf|docx?|tex|dvi|indd|html?|rtf|xlsx?|pptx?|qxd)\s*|"
    r"(?:document|title|slide|page)\s*\d*|exhibit [\W\d_]*+|.*\s\d{6}(?:\d\d)?|[\W\d_]*+|\S{25,}+|[^\s_\d]*+[_\d]\S*+",
    re.IGNORECASE,
)
_GARBLED = re.compile(r"\w{45}|\ufffd|[A-Za-z\d]_[A-Za-z\d]")  # the last is of a file's name
_LINES = 3  # above the registrant's line in which its name stands
_INSIDE = 60_000  # characters in which a report says what it calls its company
_LONGEST = 100  # characters of a name
_NO_NAME = re.compile(
    r"^\d+\s+(?:[NSEW]\.?\s)?\w+|\b(?:street|avenue|drive|boulevard|suite|road|blvd|parkway|plaza|zip)\b|\b\d{5}(?:-\d{4})?$|"
    r"\b(?:commission|file n|transition|period|exact name|form \d|mark one|amendment|pursuant|exchange act|telephone)",
    re.IGNORECASE,
)
_COMPANY = r"(?P<name>[A-Z][\w&.’'-]*(?:,?[ \t](?:[A-Z][\w&.’'-]*|of|and|&|de))*)"
_SIGNED = re.compile(rf"\bduly\s+authorized\.?\s+{_COMPANY}[ \t]*(?:\n|\(Registrant\))")
_DEFINED = re.compile(
    rf"\b{_COMPANY},?[ \t](?:and[ \t]its[ \t](?:consolidated[ \t])?subsidiaries[ \t])?"
    r"\([^()\n“\"]{0,40}[“\"](?:the[ \t])?"
    r"(?:Company|we|us|our|Group|Registrant|Corporation|Firm)[,”\"’]"
)
# What stands at the top of every filing, and names none.
_FORMAL = re.compile(
    r"(?:the\s)?(?:united\s+states(?:\s+of\s+america)?|(?:u\.?s\.?\s+)?securities\s+and\s+exchange\s+commission|"
    r"washington,?\s+d\.?c\.?(?:\s+\d{5})?|form\s+\S{3,6}|\(?mark\s+one\)?|or|\s)+",
    re.IGNORECASE,
)


def names_nothing(title: str) -> bool:
    """Whether a title is one that a program made up, or the formal head of a filing."""
    return not title.strip() or any(
        match is not None for match in (_MADE_UP.fullmatch(title), _GARBLED.search(title), _FORMAL.fullmatch(title))
    )


def filing(text: str) -> str | None:
    """The company, form and time of a filing, from its cover page: "NIKE, Inc. — Annual report (10-K) 2021".

    None where the text does not begin with such a page.
    """
    cover = text[:_COVER]
    registrant = _REGISTRANT.search(cover)
    name = _company(text, cover[: registrant.start()]) if registrant else ""
    if not name:
        return None
    form = _FORM.search(cover)
    if form is None:
        return _as_written(name, text)
    kind = form["form"].upper()
    form_name = _FORMS.get(kind)
    title = f"{form_name} ({kind})" if form_name else f"Form {kind}"
    title += " (amended)" if form["amended"] else ""
    time = (_REPORTED.search(cover) or _PERIOD.search(cover)) if kind in ("8-K", "6-K") else _PERIOD.search(cover)
    # A year's report goes by its year, any other by its date.
    when = "" if time is None else time["year"] if form_name == "Annual report" else " ".join(time["date"].split())
    return f"{_as_written(name, text)} — {title}{' ' if when else ''}{when}"


def _company(text: str, above: str) -> str:
    """The company's name: right above the line that says so, else where the report is signed or defines itself."""
    lines = [part for line in above.rstrip(" \t\n|").splitlines()[-_LINES:] for part in line.split("|")]
    signed = _SIGNED.search(text[-_COVER:])
    defined = _DEFINED.search(text[:_INSIDE])
    statement = (*reversed(lines[-_LINES:]), *(match["name"] for match in (signed, defined) if match))
    names = (" ".join(line.split()).strip(" |*_(") for line in statement)
    return next((name for name in names if _is_name(name)), "")


def _is_name(text: str) -> bool:
    """Whether a line may be a company's name: no address, no number of a file, no line of the form."""
    if not 1 < len(text) < _LONGEST or not any(map(str.isalpha, text)):
        return False
    return any(map(str.isupper, text)) and not (_NO_NAME.search(text) or _FORMAL.fullmatch(text) or names_nothing(text))


def _as_written(name: str, text: str) -> str:
    """A name in capitals as the text writes it elsewhere, most often; as it is where that never happens."""
    if not name.isupper():
        return name
    forms = Counter(match[0] for match in re.finditer(re.escape(name), text, re.IGNORECASE))
    return next((form for form, _ in forms.most_common() if not form.isupper() and form[0].isupper()), name)
