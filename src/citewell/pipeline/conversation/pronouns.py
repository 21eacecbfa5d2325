"""Resolves pronouns in a follow-up: to the topic of the last question, its subject, or a person in the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from citewell.generators.extractive.phrases.sorts import is_person
from citewell.generators.extractive.prose.asking import OF_ITSELF, asking
from citewell.pipeline.conversation.frames import AUXILIARY, BE, NAME, YEAR, Frame, Turn, ask, bare, frame, time_of
from citewell.text.data import read_json

_PRONOUN = re.compile(
    r"\b(?P<word>its|it|they|them|their|theirs|he|she|him|his|hers|her|this|that|these|those|there|then)\b",
    re.IGNORECASE,
)
# "Is it true that", "how long does it take to": nothing is pointed at.
_EMPTY = re.compile(
    r"\b(?:is|was) (?:it|there|this|that) (?:true|possible|likely|clear|necessary|legal|important|not|any|a|"
    r"an)\b|\bit (?:take|cost)s?\b|"
    r"\b(?:is|are|was|were) there\b|\bthere (?:is|are|was|were|be|been)\b|\bthat (?:is|are|was|were|has|"
    r"have|do|does|did|can|may|must|"
    r"shall|will|it|they|the|a|an|we|you|he|she)\b|\b(?:this|that|these|those) (?:[\w-]+ )?(?:paper|"
    r"document|report|article|study|text|"
    r"file|contract|agreement|filing|page|book|chapter|policy|year|model|method|company|website|site|"
    r"section|act|law|manual)s?\b|"
    r"\bdoes it say\b|\bis it about\b",
    re.IGNORECASE,
)
_NOUN_BEFORE = re.compile(r"\b(?:the|an?|our|your) [\w-]{3,}|(?<!^)\b[A-Z]\w+")
_POSSESSIVE = ("its", "their", "theirs", "his", "hers")
_LONGEST = 6  # words of a short answer that is put into a question
_PLURALS = ("they", "them", "their", "theirs", "these", "those")
_NAMED = re.compile(r"\d?[A-Z]|[a-z]+[A-Z]")  # "3M" and "eBay" take no article
_THINGS = ("it", "its", "this", "that")
_SPEAKERS = ("I", "we", "you")  # no other pronoun stands for them
_BACK = 3  # turns in which it is looked for what a pronoun stands for
_DOCUMENTS = (
    r"(?P<noun>paper|document|report|article|study|agreement|contract|"
    r"policy|manual|guide|handbook|specification|tutorial|thesis|chapter|page|leaflet|filing|book)\b"
)
_DOCUMENT = re.compile(rf"\b(?:this|that|the) (?:[\w-]+ )?{_DOCUMENTS}", re.IGNORECASE)
_NOUN = re.compile(rf"\b{_DOCUMENTS}", re.IGNORECASE)
_WORK = re.compile(
    r"^(?:which|what) (?:[\w-]+ )?(?:book|paper|report|article|study|standard|guide|law|act|data ?set|tool|"
    r"software|library|poem|novel|song|film|play|magazine|newspaper|journal)\b",
    re.IGNORECASE,
)
_PERSONS = ("he", "she", "him", "his", "hers", "her")
_WHO_IS = re.compile(rf"^who(?:[’']s| {BE}) (?:the )?(?P<whom>.+)$", re.IGNORECASE)
_POST = re.compile(
    r"\b(?:C[EFOT]O|officer|executive|president|director|chair(?:man|woman|person)?|minister|authors?|manager|"
    r"secretary|founder|editor|owner|captain|head|leader)s?\b"
)
_ENDS = re.compile(
    r"\b(?:do|did|will|can|may)(?:es)? (?:it|this|that) (?:\w+ )?(?:end|expire|terminate|lapse|start|begin)\b"
)
_PROPER = r"(?-i:(?:\d|[a-z]{1,20})?[A-Z][\w&’'-]{0,40}(?: (?:of )?[A-Z][\w&’'-]{0,40}){0,5})"
_SUBJECT = re.compile(
    rf"^(?:how (?:many|much)|what|which) [\w’' -]{{1,80}}? {AUXILIARY} "
    rf"(?P<subject>(?:the|a|an) [\w-]{{1,40}}|{_PROPER}) (?-i:[a-z\d])",
    re.IGNORECASE,
)
# The name that does it, whatever is asked of it: "For how long after the sale may Oriel not ..."
_DOER = re.compile(
    rf"^(?:(?:in|by|to|for|at|under|on|of|with|from|until|since) )?(?:what|which|whom|when|where|why|how)\b"
    rf"[\w’', -]{{0,80}}? {AUXILIARY} (?P<subject>(?!I\b){_PROPER}) (?-i:[a-z\d])",
    re.IGNORECASE,
)
_COUNTED = re.compile(rf"^[a-z]+ how many (?P<noun>[\w’'-]+) {AUXILIARY}\b", re.IGNORECASE)  # "At how many sites were"
_PARTICIPLE = re.compile(
    r"(?<=\w) (?:\w{2,20}ed|made|built|held|sold|found|known|based|written|paid|taken|drawn|left|told|done)"
    r"(?: (?:of|by|to|for|from|in|on|with|like))?$"
)
_KINDS = (
    "company firm business bank supplier customer buyer owner group organisation organization agency authority person "
    "man woman official officer author country state city town place region method model"
).split()
_REFERRING = re.compile(
    r"\b(?:(?:that|this|these|those|the (?:two|three|four|other|others|same|former|latter)) [a-z]|"
    r"(?:it|its|they|them|their|he|she|him|his|her)\b)",
    re.IGNORECASE,
)
# "the trial", "the Finnish state", "the broker's material": an article with up to three words before what ends a noun.
_PHRASE = re.compile(
    r"\b(?:the|an?) (?!same|other|first|last|most)(?:[\w’'-]+ ){0,2}?[\w-]{3,}"
    rf"(?= (?:of|in|on|at|for|with|about|from|to|by|{AUXILIARY})\b|[,;:]|$)"
)
_JOINTS = r" (?:of|in|at|for|with|outside|on|from) "
_SOME = re.compile(r"\b(?:which|what) (?:two|three|four|five|six|\d+)\b", re.IGNORECASE)
_POINTED = re.compile(r"\b(?:that|this|these|those|the same) (?P<noun>[a-z][a-z-]{2,40})\b", re.IGNORECASE)
_SAY_ABOUT = re.compile(r"\b(?:say|state|write|mention) about (?:the )?(?P<theme>.+)$", re.IGNORECASE)


@cache
def _said_of() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """What is said of few things, each with the words for these: law governs agreements, and studies are done."""
    pairs = read_json("citewell.pipeline.conversation", "said_of.json")["said_of"]
    return tuple((re.compile(said, re.IGNORECASE), re.compile(of, re.IGNORECASE)) for said, of in pairs)


@cache
def _part() -> re.Pattern[str]:
    """What is a part of a document."""
    return re.compile(read_json("citewell.pipeline.conversation", "said_of.json")["part"], re.IGNORECASE)


def points(question: str) -> bool:
    """Whether a pronoun in a question stands for something outside of it."""
    return any(_open(question, match) for match in _PRONOUN.finditer(question))


def refers(question: str) -> bool:
    """Whether a question names nobody and has a word for what was spoken of: "the two companies", "her", "that fee"."""
    return _REFERRING.search(question) is not None and all(map(YEAR.search, NAME.findall(question)))


def named_again(text: str, last: Turn) -> str | None:
    """Say in full what is pointed at by its kind: "that company" by who was answered, "that fee" by what was asked."""
    for match in _POINTED.finditer(text):
        noun = match["noun"].lower()
        if noun in _KINDS and last.kind == "name" and 0 < len(last.reply.split()) <= _LONGEST:
            return ask(text[: match.start()], last.reply, text[match.end() :])
        if full := _in_full(noun, bare(last.question)):
            return ask(text[: match.start()], full, text[match.end() :])
    return None


def _in_full(noun: str, before: str) -> str:
    """How a question calls a thing of a kind, with what stands before or behind it; empty where it says no more."""
    name = r"(?-i:[A-Z][\w&’'-]{0,40}(?: [A-Z][\w&’'-]{0,40}){0,5})"
    behind = re.search(rf"\b(?:the )?{noun} (?:from|of|for|by|with|in|at) (?:the )?{name}", before, re.IGNORECASE)
    front = re.search(rf"\bthe (?:[\w’'-]{{1,40}} ){{1,3}}{noun}\b", before, re.IGNORECASE)
    return (behind or front or ("",))[0]


def of_document(question: str) -> bool:
    """Whether a question is about the document as a whole: what it is about, or who wrote it, when, how long it is."""
    wanted = asking(question)
    return wanted is not None and wanted.way in (*OF_ITSELF, "about")


def document_noun(title: str) -> str:
    """What a title says that its document is: "the agreement"; empty where it does not."""
    match = _NOUN.search(title)
    return f"the {match['noun'].lower()}" if match else ""


def resolved(text: str, turns: Sequence[Turn]) -> str | None:
    """Put what a pronoun stands for in its place: "Who leads it?", "and why did they fall?"."""
    last = turns[-1]
    question = re.sub(r"^(?:(?:ok|okay|so|well|now|and|but|also|then)\b,? +)+", "", text, flags=re.IGNORECASE)
    match = next((each for each in _PRONOUN.finditer(question) if _open(question, each)), None)
    if match is None or (of_document(question) and re.search(r"^(?:what|which) \w+ of\b", question, re.IGNORECASE)):
        return None  # "what kind of document is it" is whole
    word = match["word"].lower()
    if word in ("then", "there"):
        place = time_of(last).strip() if word == "then" else (f"in {last.reply}" if last.kind == "name" else "")
        return ask(question[: match.start()], place, question[match.end() :]) if place else None
    possessive = word in _POSSESSIVE or (word == "her" and re.match(r" [a-z]", question[match.end() :]) is not None)
    others = [each for each in _PRONOUN.finditer(question, match.end()) if each["word"].lower() in ("it", "they")]
    doer = _antecedent("it", last) if possessive and others else ""
    if doer and (owner := _owner(last)):
        # "its revenue ... did it": the owner was named in the question, the doer was its answer.
        rest = f"{question[match.end() : others[0].start()]}{doer}{question[others[0].end() :]}"
        return ask(question[: match.start()], _of(owner), rest)
    stands = _meant(word, question, turns)
    if not stands:
        return None
    if possessive and stands in (*_documents(turns), "the authors"):
        return ask(question[: match.start()], "the", question[match.end() :])  # "its limits": of what is read
    return ask(question[: match.start()], _of(stands) if possessive else stands, question[match.end() :])


def _meant(word: str, question: str, turns: Sequence[Turn]) -> str:
    """What a pronoun stands for: by the last question that names anything, the document where that one is about it.

    A question that asks of documents alone, such as who published it, is of the document, unless a work was named last.
    """
    last = turns[-1]
    if word in _THINGS and of_document(question) and not (last.kind == "name" and _WORK.search(last.question)):
        return _documents(turns)[0]
    unfit, other = False, False
    fitting = next((of for said, of in _said_of() if word in _THINGS and said.search(question)), None)
    for turn in reversed(turns[-_BACK:]):
        for name in _antecedents(word, turn):
            stands = re.sub(r"[’']s?$", "", name)
            part = word in _THINGS and (
                _part().match(stands) or (_ENDS.search(question) and _WHO_IS.match(turn.question))
            )
            if _agrees(word, stands) and not part and (fitting is None or fitting.search(stands)):
                return stands
            unfit, other = unfit or not part, other or bool(part)
    if fitting is not None or (other and not unfit):
        return _documents(turns)[0]
    named = _documents(turns)[:-1]  # a document that was spoken of is the next to be meant
    return (named[0] if word in _THINGS else "the authors") if named and unfit else ""


def _antecedents(word: str, turn: Turn) -> Iterator[str]:
    """What a pronoun may stand for, the likeliest first: what was asked about, then the other nouns of the question."""
    if not (first := _antecedent(word, turn)):
        return
    if not (word in _PLURALS and first == turn.reply and _SOME.search(turn.question) and not _is_plural(first)):
        yield first  # else one of several was answered, which is not "they"
    yield from (match[0] for match in _PHRASE.finditer(bare(turn.question)))


def _agrees(word: str, name: str) -> bool:
    """Whether a pronoun and a common noun are of one or several alike, and of a thing; a name or a group may be any."""
    bare_name = re.sub(r"^(?:the|a|an) ", "", name, flags=re.IGNORECASE)
    if bare_name.partition(" ")[0] in _SPEAKERS:
        return False
    if bare_name[:1].isupper() or set(bare_name.lower().split()) & {*_KINDS, "authors", "board", "team"}:
        return True
    if word in _THINGS:
        return not _is_plural(name) and not is_person(re.split(_JOINTS, bare_name)[0].rpartition(" ")[2])
    return word not in _PLURALS or _is_plural(name)


def _documents(turns: Sequence[Turn]) -> list[str]:
    """How questions called the document, the last name first: "the paper"."""
    named = (_DOCUMENT.search(turn.question) for turn in reversed(turns))
    return [*(f"the {match['noun'].lower()}" for match in named if match), "the document"]


def _of(name: str) -> str:
    """A name as an owner."""
    return f"{name}’" if name.endswith("s") else f"{name}’s"


def _owner(last: Turn) -> str:
    """Whose the thing is that the last question was about: the possessive in it, or the name behind "of"."""
    text = bare(last.question)
    if match := re.search(r"\bof (?:the )?([A-Z][\w&’'., -]*[\w])", text):
        return match[1]
    match = re.search(r"([A-Z][\w&-]*(?: [A-Z][\w&-]*)*)[’']s\b", text)
    return match[1] if match else ""


def _open(question: str, match: re.Match[str]) -> bool:
    """Whether a pronoun stands for something outside of its question."""
    if any(empty.start() <= match.start() < empty.end() for empty in _EMPTY.finditer(question)):
        return False
    before = question[: match.start()]
    if _NOUN_BEFORE.search(before):
        return False
    word = match["word"].lower()
    if word in ("this", "that", "these", "those"):
        return (
            match.end() == len(question)
            or re.match(rf" (?:{BE}|mean|change|happen|rise|fall|apply|include)\b", question[match.end() :]) is not None
        )
    if word == "then":
        return match.end() == len(question)
    return word != "there" or match.end() == len(question)


def _antecedent(word: str, last: Turn) -> str:
    """What a pronoun stands for: the person or thing that was answered, else what the last question was about."""
    parts = frame(last.question)
    asks_who = re.match(
        r"(?:who|which|what (?:company|person|method|model|city|country))\b", last.question, re.IGNORECASE
    )
    wanted = asking(last.question)
    if word in _THINGS and wanted is not None and wanted.way in ("author", "title"):
        return _documents([last])[0]
    if word in _THINGS and (who := _WHO_IS.match(bare(last.question))):
        if _NAMED.match(who["whom"]):
            return who["whom"]
        if _POST.search(who["whom"]):
            return ""  # "it" is nobody who holds a post
    if asks_who and last.kind == "name" and last.reply:
        return last.reply
    if word in _THINGS and of_document(last.question):
        return _documents([last])[0]
    if word in _PLURALS and of_document(last.question):
        return "the authors"
    if theme := _SAY_ABOUT.search(bare(last.question)):
        plural = word in _THINGS and _is_plural(theme["theme"]) and not theme["theme"][:1].isupper()
        return _documents([last])[0] if plural else theme["theme"]
    subject = _SUBJECT.match(bare(last.question)) or _DOER.match(bare(last.question))
    if subject and (word in ("it", "its") or (word in _PLURALS and _is_plural(subject["subject"]))):
        return subject["subject"]
    if word in _PERSONS:
        names = NAME.findall(last.question)
        return names[-1] if names else ""
    if parts is None and word in _PLURALS and (counted := _COUNTED.match(last.question)):
        return f"the {counted['noun']}"
    if parts is None and word in _PLURALS:
        return ""  # some name of the question is a guess for one, and more so for several
    stands = _focused(parts, last.question)
    if _PRONOUN.search(stands):
        return ""  # what it stood for was not understood
    return "" if word in ("them", "these", "those") and not _is_plural(stands) else stands


def _is_plural(name: str) -> bool:
    """Whether a name is of several: its head ends as plurals do, or it joins two."""
    head = re.split(_JOINTS, name)[0]
    return head.endswith(("people", "men", "children")) or re.search(r"[^sui’']s$| and ", head) is not None


def _focused(parts: Frame | None, question: str) -> str:
    if parts is None:
        names = [match for match in NAME.finditer(question) if match[0] != "I"]
        return names[-1][0] if names else ""
    if re.match(r"the (?:same|other)s?$", parts.focus, re.IGNORECASE):
        return ""
    focus = _PARTICIPLE.sub("", re.sub(r"^(?:the|a|an) ", "", parts.focus, flags=re.IGNORECASE))
    return focus if _NAMED.match(focus) and not parts.focus.lower().startswith("the ") else f"the {focus}"
