"""Rewrites follow-ups into complete questions: "And in 2024?", "and for Spain?", "why?", "who leads it?".

A question that stands alone is never changed, and the first of a thread never is. The rules are of English.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from citewell.pipeline.conversation.frames import AUXILIARY, BE, NAME, PERIOD, YEAR, Turn, ask, bare, frame, time_of
from citewell.pipeline.conversation.pronouns import named_again, points, resolved

_LEAD = re.compile(
    r"^(?:(?:ok|okay|thanks|right|good|great|hm+|so|well|now|please)[,.!]? ){0,6}(?:(?:and|but|or|also|then)\b,? ?)?"
    r"(?:(?:what|how) about|(?:the )?same (?:for|in|question for)|(?:and|also) for)? ?",
    re.IGNORECASE,
)
_ASKS = re.compile(
    rf"^(?:(?:(?:in|by|to|for|at|under|on|of|with|within|from|after|before|until|through|about|since) )?"
    rf"(?:what|which|who|whom|whose|when|where|why|how)|{AUXILIARY}|"
    r"describe|summari[sz]e|define|list|explain|give|show|name|tell|compare|find|is there|are there)\b",
    re.IGNORECASE,
)
_WHY = re.compile(
    r"^(why|how come|how so|for what reason)(?: (?:is|was) (?:that|this|it)(?: so| the case)?)?$", re.IGNORECASE
)
_WHEN = re.compile(
    r"^(when|where|how|in (?:what|which) (?:year|month|country|city))(?: (?:is|was) (?:that|this|it))?$", re.IGNORECASE
)
_SHARE = re.compile(
    r"^(?:and )?(?:(?:what is (?:that|it|this) )?(?:as|in) (?:an? )?(?:percent(?:age)?|per cent|share|%)|in "
    r"percentage terms|percentage-?wise)"
    r"(?: of (?P<of>.+))?$",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"^(?:(?:tell|show) me )?(?:more|more (?:detail|details|about (?:it|that|this))|go on|elaborate|"
    r"continue)(?: please)?$",
    re.IGNORECASE,
)
_OTHER_ONES = re.compile(r"^the (?P<kind>[a-z-]+) ones?$", re.IGNORECASE)
_ELSEWHERE = re.compile(
    r"abroad|overseas|elsewhere|everywhere else|worldwide|globally|at home|domestically|internationally|locally",
    re.IGNORECASE,
)
_PREPOSITION = r"(?:in|for|at|of|by|from|with|on|during|under|to|outside|inside|within|without|after|before)"
_PREPOSED = re.compile(rf"^(?P<word>{_PREPOSITION}) (?P<what>.+)$", re.IGNORECASE)
_RELATIVE = re.compile(
    r"(?:in |for )?(?:the |a )(?:(?P<before>year (?:before|earlier)|previous year|prior year|preceding year)|"
    r"(?P<after>year (?:after|later)|next year|following year))"
    r"|(?P<last>last year)",
    re.IGNORECASE,
)
_YEAR_ALONE = re.compile(r"(?:(?:in|for) )?(?P<year>(?:19|20)\d\d)", re.IGNORECASE)
_BOUND = re.compile(r"(?:by|since) ", re.IGNORECASE)
_BOTH = re.compile(
    r"^what (?:is|was) the (?P<what>average|sum|total|difference|change|growth)(?: (?:of|between|over|in|for|from))?"
    r"(?: (?:both|(?:the|these|those)(?: two)?)(?: (?:years|of them|figures))?)?$",
    re.IGNORECASE,
)
# A question without a verb: "Within how many days?"
_FRAGMENT = re.compile(
    r"^(?:(?:in|by|to|for|at|under|on|of|with|within|from|after|before|until|through|about|since) )?"
    r"(?:what|which|whom|whose|when|how (?:many|much|long|often|far|old|soon|late))(?: [\w-]+){0,4}$",
    re.IGNORECASE,
)
_OF_NO_WORD = re.compile(r"(?:what|which|whose) [\w-]+ [\w-]+", re.IGNORECASE)  # "Which segment grew most?" is whole
_VERBS = re.compile(
    rf"\b(?:{AUXILIARY}|apply|applies|covers?|leads?|made|makes?|says?|got|gets?|took|takes?|owns?|works?|(?-i:[a-z-]+ed))\b",
    re.IGNORECASE,
)
_OF_THEM = re.compile(r"^how (?:many|much) of (?:them|those|these|it|that)\b(?P<rest>.*)$", re.IGNORECASE)
_BEING = re.compile(rf"^ {BE} (?P<place>(?:in|at|outside|from|under|within|on) .+)$", re.IGNORECASE)
_COUNTED = re.compile(
    rf"^(?P<what>how (?:many|much) (?P<noun>[\w’'-]+(?: [\w’'-]+){{0,3}}?)) (?P<rest>(?:{AUXILIARY}|[a-z]+ed)\b.*)$",
    re.IGNORECASE,
)
_DOING = re.compile(
    rf"^how many (?P<noun>[\w’'-]+(?: [\w’'-]+){{0,3}}?) (?P<be>{BE})(?P<rest> \w+ed\b.*)$", re.IGNORECASE
)
_ADVERB = re.compile(rf"^(?:where|when|why|how) (?P<rest>{AUXILIARY}\b.+)$", re.IGNORECASE)
_THERE = re.compile(rf"^(?P<head>how (?:many|much)) (?P<rest>{BE} there\b.*)$", re.IGNORECASE)
_ORDINAL = re.compile(
    r"\bthe (?P<which>first|second|third|fourth|fifth|last|former|latter)(?: (?:one|item|of (?:them|these|those)))\b|"
    r"\bthe (?P<alone>former|latter)\b",
    re.IGNORECASE,
)
_TWO = 2  # years
_FINITE = re.compile(rf"\b{AUXILIARY}\b")  # as written: "May" is a month
_CONDITION = re.compile(rf"(?:if|unless|while|once|(?:when|where)(?! {AUXILIARY}\b)) ", re.IGNORECASE)
_OF_IT = re.compile(rf"(?P<be>{AUXILIARY}) (?:it|that|this|they|these|those)\b(?P<rest>.*)", re.IGNORECASE)
_PLACES = {"first": 0, "former": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1, "latter": -1}
_ITEM = re.compile(
    r"(?:^|(?<=\s))(?:\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]|[•–-]) *(?P<item>\S.*?)(?=;|\n|$|(?<=[.,]) \(?\d{1,2}[.)])"
)
_CHOICE = re.compile(
    rf"^(?:which|who|what)(?: [\w-]+)? (?P<verb>{BE}|has|had|have) (?P<rest>.+?)(?:, .+? or .+)?$", re.IGNORECASE
)
_DEFINITE = re.compile(r"\bthe (?P<noun>[a-z-]{4,})\b(?! (?:of|for|in|that|which)\b)", re.IGNORECASE)


def rewrite(question: str, turns: Sequence[Turn]) -> str:
    """The whole question that is meant after these turns; a whole one, and the first one, as it is."""
    text = bare(question)
    if not turns or not text:
        return question
    if (named := _ordinal(text, turns)) is not None:
        return named
    last = turns[-1]
    if _RELATIVE.fullmatch(_LEAD.sub("", text).strip()):  # of the last year that was spoken of
        dated = [turn for turn in turns if YEAR.search(f"{turn.question} {turn.period}")]
        if not dated:
            return question
        last = dated[-1]
    if (whole := _over_both(text, turns)) is not None:
        return whole
    for rule in (_why, _share, _more, _of_them, _fragment, _ellipsis):
        if (whole := rule(text, last)) is not None:
            return whole
    if (whole := resolved(text, turns)) is not None:
        return whole
    return named_again(text, last) or _definite(text, last) or question


def leans(question: str) -> bool:
    """Whether a question needs another one to be understood: it starts in the middle, or points at something."""
    text = bare(question)
    lead = _LEAD.match(text)
    return bool(lead and lead[0].strip()) or points(text) or _FRAGMENT.match(text) is not None


def _why(text: str, last: Turn) -> str | None:
    """Complete "Why?", "when?", "how?": of what was asked, or of what was answered."""
    text = _LEAD.sub("", text)
    alone = _WHY.match(text) or _WHEN.match(text)
    if alone is None or alone.end() != len(text):
        return None
    word = "Why" if _WHY.match(text) else alone[1].capitalize()
    before = bare(last.question)
    polar = re.sub(
        rf"^(?:by how much|how much|when|where|why|how|to what extent) (?={AUXILIARY}\b)",
        "",
        before,
        flags=re.IGNORECASE,
    )
    if re.match(rf"{AUXILIARY}\b", polar, re.IGNORECASE):
        return ask(word, " ", polar[:1].lower(), polar[1:])
    if word == "Why" and last.reply and (choice := _CHOICE.match(before)) and len(last.reply.split()) <= 8:
        return ask(word, " ", choice["verb"], " ", last.reply, " ", choice["rest"])
    parts = None if _CHOICE.match(before) and re.search(r", .+ or ", before) else frame(last.question)
    if parts is None:
        return ask(before, ": ", word.lower())
    return ask(word, " did ", parts.focus, " change", time_of(last))


def _share(text: str, last: Turn) -> str | None:
    """Ask for the same figure as a share: "As a percentage of revenue?"."""
    match = _SHARE.match(_LEAD.sub("", text))
    parts = frame(last.question)
    if match is None or parts is None:
        return None
    if re.match(r"(?:by )?how much\b", parts.head, re.IGNORECASE) and not match["of"]:
        return ask("By what percentage did ", parts.focus, parts.rest)
    of = match["of"] or ("" if "revenue" in parts.focus.lower() else "revenue")
    return ask("What was ", parts.focus, f" as a percentage of {of}" if of else " in percent", time_of(last))


def _over_both(text: str, turns: Sequence[Turn]) -> str | None:
    """Ask for what is computed from the figure of the last two years: "What was the average of both years?"."""
    match, parts = _BOTH.match(_LEAD.sub("", text)), frame(turns[-1].question)
    years = [found[-1] for turn in turns[-2:] if (found := YEAR.findall(turn.question))]
    if match is None or parts is None or len(set(years)) < _TWO:
        return None
    return ask("What was the ", match["what"].lower(), " of ", parts.focus, " of ", " and ".join(sorted(set(years))))


def _more(text: str, last: Turn) -> str | None:
    parts = frame(last.question) if _MORE.match(text) else None
    return None if parts is None else ask("What does the document say about ", parts.focus)


def items(text: str) -> list[str]:
    """What a text lists, by its numbers or commas, each without what is said of it: "1. Care – we ..." is "Care"."""
    numbered = [re.split(r" [–—-] |: |, ", match["item"].strip())[0].strip() for match in _ITEM.finditer(text)]
    if len(numbered) > 1:
        return numbered
    match = re.search(r"((?:[\w’'& -]{2,60}, )+)(?:and |or )?([\w’'& -]{2,60}?)(?=[.;:]|$)", text.rpartition(": ")[2])
    return (
        [*(part.strip() for part in match[1].split(",") if part.strip()), re.sub(r"^(?:and|or) ", "", match[2].strip())]
        if match
        else []
    )


def _ordinal(text: str, turns: Sequence[Turn]) -> str | None:
    """Name the item of the last list that was answered: "the first of them", "and the last one?"."""
    question, last = _LEAD.sub("", text), turns[-1]
    match = _ORDINAL.search(question)
    lists = (items(turn.text) for turn in reversed(turns)) if match else iter(())
    listed = next((each for each in lists if len(each) > 1), [])
    if match is None or len(listed) < 2:
        return None
    number = _PLACES[(match["which"] or match["alone"]).lower()]
    if number >= len(listed):
        return None
    if match.span() != (0, len(question)):
        return ask(question[: match.start()], listed[number], question[match.end() :])
    before = bare(last.question)
    named = next((item for item in listed if item in before), None)
    return ask(before.replace(named, listed[number])) if named else ask("What is ", listed[number])


def _of_them(text: str, last: Turn) -> str | None:
    """Ask for a part of what was counted, or how many of a kind there are: "and how many of them in Spain?"."""
    question = _LEAD.sub("", text)
    if there := _THERE.match(question):
        parts = frame(last.question)
        return ask(there["head"], " ", parts.focus, " ", there["rest"]) if parts else None
    match, before = _OF_THEM.match(question), _COUNTED.match(bare(last.question))
    if match is None or before is None:
        return None
    if (place := _BEING.match(match["rest"])) and not re.match(BE, before["rest"], re.IGNORECASE):
        return ask(before["what"], " ", before["rest"], " ", place["place"])  # "... work there, in Norway"
    # What begins with no preposition has a verb of its own: "how many of them went home".
    if match["rest"] and not re.match(rf" {_PREPOSITION}\b|,| {_ELSEWHERE.pattern}", match["rest"], re.IGNORECASE):
        return ask("How many ", before["noun"], match["rest"])
    rest = (
        PERIOD.sub("", before["rest"]).split(",")[0] if PERIOD.search(match["rest"]) else before["rest"].split(",")[0]
    )
    return ask(before["what"], " ", rest, match["rest"])


def _fragment(text: str, last: Turn) -> str | None:
    """Put what has no verb behind the whole question: "Within how many days?"."""
    question = _LEAD.sub("", text)
    whole = _VERBS.search(question) or _OF_NO_WORD.match(question) or points(question)
    if not _FRAGMENT.match(question) or whole or _WHEN.match(question):
        return None
    if doing := _DOING.match(
        bare(last.question)
    ):  # "how many people were trained": "at how many sites were people trained"
        return ask(question, " ", doing["be"], " ", doing["noun"], doing["rest"])
    if adverbial := _ADVERB.match(bare(last.question)):
        return ask(question, " ", adverbial["rest"])
    return ask(bare(last.question), ": ", question[:1].lower(), question[1:])


def _definite(text: str, last: Turn) -> str | None:
    """Say in full what the last question named: "the segment" after "Oriel's Freight segment"."""
    for match in _DEFINITE.finditer(text):
        full = re.search(
            rf"\b(?:[A-Z][\w&’'-]*,? (?:(?:and|of|&) )?)+{match['noun']}\b", re.sub(r"^\W*\w+", "", bare(last.question))
        )
        if full and full[0] not in text:
            return ask(text[: match.start()], full[0], text[match.end() :])
    return None


def _ellipsis(text: str, last: Turn) -> str | None:
    """Exchange one part of the last question: "And in 2024?", "what about Spain?", "and net income?"."""
    rest = _LEAD.sub("", text).strip()
    led = rest != text
    if led and (whole := _clause(rest, bare(last.question))) is not None:
        return whole
    if not rest or _FINITE.search(rest) or _ASKS.match(rest) or len(rest.split()) > (10 if led else 6):
        return None
    if not led and not (
        _PREPOSED.match(rest) or _ELSEWHERE.fullmatch(rest) or PERIOD.fullmatch(rest) or _RELATIVE.fullmatch(rest)
    ):
        return None  # words without a verb may be a search of their own
    if (year := _shifted(rest, last)) is not None:
        rest = f"in {year}"
    before = bare(last.question)
    if _ELSEWHERE.fullmatch(rest):
        return _with_other_place(before, rest)
    if ones := _OTHER_ONES.match(rest):
        return _with_other_kind(before, ones["kind"])
    if PERIOD.fullmatch(rest):
        return _with_period(before, rest)
    if preposed := _PREPOSED.match(rest):
        if preposed["what"].lower() in ("it", "that", "there", "them"):
            return _with_other_side(before, preposed["word"])
        if same := re.search(rf"\b{_PREPOSITION} (?={re.escape(preposed['what'])}\b)", before, re.IGNORECASE):
            return ask(before[: same.start()], preposed["word"].lower(), " ", before[same.end() :])  # "before tax"
        return _with_place(before, preposed["word"], preposed["what"])
    if NAME.fullmatch(f" {rest}".lstrip()) or rest[:1].isupper():
        return _with_name(before, rest) or _with_focus(last, rest)
    return _with_focus(last, rest)


def _clause(rest: str, before: str) -> str | None:
    """What has a verb of its own: a condition for the last question, or a question about what stands before a comma."""
    if _CONDITION.match(rest):
        old = re.search(rf"(?:^|,? ){rest.split(maxsplit=1)[0]} .+$", before, re.IGNORECASE)
        return ask(before[: old.start()] if old and old.start() else before, " ", rest)
    topic, _, question = rest.partition(", ")
    if not question or not _ASKS.match(question) or _FINITE.search(topic):
        return None
    if of_it := _OF_IT.fullmatch(question):
        return ask(of_it["be"], " ", topic, of_it["rest"])
    return ask(question, " ", topic) if _PREPOSED.match(topic) else None


def _shifted(text: str, last: Turn) -> str | None:
    """The year that "the year before" is, by the year of the last question or answer."""
    match = _RELATIVE.fullmatch(text)
    years = YEAR.findall(last.question) or YEAR.findall(last.period)
    if match is None or not years:
        return None
    return str(int(years[-1][:4]) + (1 if match["after"] else -1))


def _with_period(before: str, period: str) -> str:
    """The last question with another time: in place of its own, else at its end."""
    time = PERIOD.search(before)
    new = period if re.match(r"\D", period) and " " in period else f"in {period}"
    if time is None:
        return ask(before, " ", new)
    year = _YEAR_ALONE.fullmatch(period)
    if year and not _BOUND.match(time[0]):  # "in the second quarter of 2022", "the 2022 report" keep their form
        old = next(match for match in YEAR.finditer(before) if match.start() >= time.start())
        return ask(before[: old.start()], year["year"], before[old.end() :])
    return ask(before[: time.start()], new, before[time.end() :])


def _with_other_kind(before: str, kind: str) -> str | None:
    """The last question about others of its kind: "the rapid ones" after "the slow acetylators"."""
    from citewell.facts.kinship import Kinship, kinship  # the lists of words are read for these alone

    alike = (Kinship.OPPOSITE, Kinship.SIBLING)
    place = next((m for m in re.finditer(r"[\w-]+", before) if kinship(kind.lower(), m[0].lower()) in alike), None)
    return ask(before[: place.start()], kind, before[place.end() :]) if place else None


def _with_place(before: str, word: str, what: str) -> str:
    """The last question with another place, name or group behind the same preposition, else at its end."""
    for match in re.finditer(
        rf"\b{word} (?!(?:19|20)\d\d|the (?:year|quarter)|fiscal|FY)((?:the )?[\w’'&.-]+(?: (?-i:[A-Z])[\w’'&.-]*)*)"
        rf"(?P<noun> [a-z-]+(?=$|,| (?:in|for|at|of|by|on|during|with)\b))?",
        before,
        re.IGNORECASE,
    ):
        named = match[1].removeprefix("the ")[:1].isupper()
        if what.removeprefix("the ")[:1].isupper() == named:
            # "the Oriel lease" goes whole where another one comes in its place, as "the Tarrow contract" does.
            # Nor does "that country" keep its noun before "the rest of the world".
            several = named or " " in what.removeprefix("the ")
            whole = match["noun"] and several and what.rpartition(" ")[2].islower()
            return ask(before[: match.start()], f"{word} {what}", before[match.end() if whole else match.end(1) :])
    names = [match for match in NAME.finditer(before) if not YEAR.search(match[0])]
    if names and what[:1].isupper() and word.lower() in ("for", "of", "at", "in"):
        return ask(before[: names[-1].start()], what, before[names[-1].end() :])
    time = PERIOD.search(before)
    if time is not None and time.end() == len(before) and not time[0][:1].isdigit():
        return ask(before[: time.start()], f"{word} {what} ", time[0])
    return ask(before, f" {word} {what}")


def _with_other_side(before: str, word: str) -> str | None:
    """The last question with another word before its last place or name: "outside it" after "in the United States"."""
    places = list(
        re.finditer(
            r"\b(?:in|at|within|inside|outside|under|before|after) ((?:the )?(?-i:[A-Z]\S*(?: [A-Z]\S*)*))", before
        )
    )
    if not places:
        return None
    return ask(before[: places[-1].start()], word, " ", places[-1][1], before[places[-1].end() :])


def _with_other_place(before: str, place: str) -> str:
    """The last question with an adverb of place where it has a place: "abroad" for "in the United States"."""
    places = list(re.finditer(r"\b(?:in|at|within|inside|outside) (?:the )?(?-i:[A-Z]\S*(?: [A-Z]\S*)*)", before))
    return ask(before[: places[-1].start()], place, before[places[-1].end() :]) if places else ask(before, " ", place)


def _with_name(before: str, name: str) -> str | None:
    """The last question with another name; None where it has none."""
    names = [match for match in NAME.finditer(before) if not YEAR.search(match[0])]
    if not names:
        return None
    new = re.sub(r"[’']s$", "", name)
    return ask(before[: names[-1].start()], new, before[names[-1].end() :])


def _with_focus(last: Turn, focus: str) -> str | None:
    """The last question about something else; a time or place behind it moves with it."""
    parts = frame(last.question)
    if parts is None:
        return None
    article = parts.head.lower().endswith(("the ", "its ", "their ", "a ", "an "))
    new = re.sub(r"^(?:the|its|their) " if article else r"^(?:its|their) ", "", focus, flags=re.IGNORECASE)
    time = PERIOD.search(new)
    rest = PERIOD.sub("", parts.rest) if time else parts.rest
    return ask(parts.head, new, rest)
