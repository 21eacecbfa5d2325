"""Stand-ins for language models that do what the prompts ask, by counting shared words: they read their requests."""

import re

LONGCITE = "<statement>Revenue rose 😀 to 41 million.<cite>[2-3]</cite></statement> <statement>Ann founded it.<cite>[0-0]</cite></statement>"


def asked(request):
    return request.messages[-1].content


def numbered(text):
    return {int(number): line for number, line in re.findall(r"^\[(\d+)\] (.*)$", text, re.MULTILINE)}


def shared(left, right):
    return len(set(re.findall(r"\w+", left.lower())) & set(re.findall(r"\w+", right.lower())))


def nearest(text, lines):
    ranked = sorted(lines, key=lambda number: (-shared(text, lines[number]), number))
    return [number for number in ranked if shared(text, lines[number])]


def annotate(request):
    """Names the two passages that share most words with each part; marks whole sentences where none is marked."""
    text = asked(request)
    lines, answer = numbered(text), text.split("\nAnswer: ")[1].rpartition("\n")[0]
    if text.endswith("Marked answer:"):
        answer = re.sub(r"[^.。]+[.。]?", r"[[\g<0>]]", answer)

    def name(match):
        line = nearest(match[1], lines)
        return f"[[{', '.join(map(str, line[:2]))}: {match[1]}]]" if line else match[0]

    return "Annotated answer: " + re.sub(r"\[\[(.*?)\]\]", name, answer, flags=re.DOTALL)


def copy(request):
    """Copies the passage that shares most words with the statement; says again what is to stand alone."""
    text = asked(request)
    if text.endswith("Sentence:"):
        return text.rpartition("\nPart: ")[2].rpartition("\n")[0]
    lines = numbered(text)
    line = nearest(text.rpartition("\nStatement: ")[2].rpartition("\n")[0], lines)
    return lines[line[0]] if line else "none"


def judge(request):
    text = asked(request)
    lines, claim = numbered(text), re.search(r"\nClaim: (.*)\n", text)[1]
    line = nearest(claim, lines)
    full = line and shared(claim, lines[line[0]]) == len(set(re.findall(r"\w+", claim.lower())))
    verdict = "supported" if full else "partially supported" if line else "not_supported"
    return f"Reason: words are shared.\nEvidence: {line[0] if line else 'none'}\nVerdict: {verdict}"


def take_apart(request):
    """A unit for each part between commas, and one with words that the statement does not have."""
    sentence = asked(request).partition("Sentence: ")[2].rpartition("\nPieces:")[0]
    parts = [f"- {part.strip()}." for part in sentence.split(",") if part.strip()]
    return "\n".join(["Here are the pieces:", *parts, "- Indeed zebras happened."])
