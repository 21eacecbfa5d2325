"""Events that a claim reports as having happened and the evidence only as possible, hypothetical or planned."""

from __future__ import annotations

from collections.abc import Sequence

from citewell.facts import lists
from citewell.facts.extract import Facts
from citewell.facts.kinship import irregular_pasts
from citewell.facts.tokens import Tokens
from citewell.facts.words_aligned import Aligned


def supposed(claim: Facts, evidence: Sequence[Facts], aligned: Sequence[Aligned]) -> bool:
    """Whether a verb of the claim happened, and every sentence that has it only supposes it."""
    words = claim.tokens
    for place, word in enumerate(words.lower):
        if not words.content[place] or not _past(words, place) or _auxiliary(words, place) is not None:
            continue
        if words.lower[max(0, place - 2) : place] == ("to", "be"):
            continue  # "has to be reported"
        having = [(n, alignment.places[place]) for n, alignment in enumerate(aligned) if alignment.places[place] >= 0]
        if any(evidence[n].tokens.keys[at] != words.keys[place] for n, at in having):
            continue  # another word for it, which may be no verb
        before = [_auxiliary(evidence[n].tokens, at) for n, at in having]
        if not before or None in before or word == "said":
            continue
        return True
    return False


def _past(words: Tokens, place: int) -> bool:
    """Whether the word is a past form, and no base form as well ("cut")."""
    word = words.lower[place]
    return word in irregular_pasts() or (word.endswith("ed") and not word.endswith("eed"))


def _auxiliary(words: Tokens, place: int) -> int | None:
    """The position of the auxiliary that supposes a verb: "may also have been sold"; None where there is none."""
    known = lists.read("supposing")
    for before in range(place - 1, max(-1, place - 1 - known["reach"]), -1):
        word = words.lower[before]
        month = before > 0 and words.text[words.starts[before]].isupper()  # "in May sold"
        if word in known["always"] and not month:
            return before
        if word in known["conditions"]["auxiliaries"]:
            # In a life it tells what came later ("she would become president").
            return before if any(other in known["conditions"]["words"] for other in words.lower) else None
        if word not in known["between"] and not word.endswith("ly"):
            return None
    return None
