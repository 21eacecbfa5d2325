"""Questions over passages with the places of their answers, unanswerable ones, and passages to rank."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from citewell.errors import InputError
from citewell.text.data import settings
from citewell.text.sentences import split
from citewell.types import Span
from citewell_lab.bench.datasets import files
from citewell_lab.bench.flips import Pool, flips
from citewell_lab.train.checker.sets import key, lines, plain
from citewell_lab.train.mini.examples import Question, Ranking

_CHANGED = ("year", "number", "entity")  # what turns a question about one thing into one about another


class Asked(NamedTuple):
    """A question over a whole text; `answer` is where it stands there, None where the text has none."""

    set: str
    group: str
    text: str
    question: str
    answer: Span | None


def _squad_form(name: str, path: Path) -> Iterator[Asked]:
    for article in files.whole(path)["data"]:
        for number, paragraph in enumerate(article["paragraphs"]):
            group = f"{name}:{article.get('title') or paragraph.get('document_id', number)}"
            text = paragraph["context"]
            for row in paragraph["qas"]:
                first = (row.get("answers") or [None])[0]
                if row.get("is_impossible") or first is None:
                    yield Asked(name, group, text, row["question"].strip(), None)
                elif answer := _placed(text, first["text"], first["answer_start"]):
                    yield Asked(name, group, text, row["question"].strip(), answer)


def _placed(text: str, answer: str, start: int) -> Span | None:
    """The answer's place without the white space around it: where it is said to be, else near by."""
    bare = answer.strip()
    start += len(answer) - len(answer.lstrip())
    if text[start : start + len(bare)] != bare:
        start = text.find(bare, max(0, start - 50), start + 50 + len(bare))  # offsets that were told for another copy
    return Span(start, start + len(bare)) if bare and start >= 0 else None


def squad2(data: Path) -> Iterator[Asked]:
    """Wikipedia, with unanswerable questions that people wrote."""
    return _squad_form("squad2", data / "squad2/dev_part.json")


def policyqa(data: Path) -> Iterator[Asked]:
    """Privacy policies."""
    return _squad_form("policyqa", data / "policyqa/dev.json")


def covidqa(data: Path) -> Iterator[Asked]:
    """Scientific articles."""
    return _squad_form("covidqa", data / "covidqa/200423_covidQA.json")


def nq_open_oracle(data: Path) -> Iterator[Asked]:
    """What people asked a search engine, over the paragraph that answers."""
    for row in lines(data / "nq_open_oracle/oracle.jsonl"):
        passage = row["ctxs"][0]
        text = passage["text"]
        places = (re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", text) for answer in row["answers"] if answer.strip())
        match = next(filter(None, places), None)
        if match:
            group = f"nq:{passage['title']}"
            yield Asked("nq_open_oracle", group, text, _asked(row["question"]), Span(*match.span()))


def clapnq(data: Path) -> Iterator[Asked]:
    """Unanswerable questions of the same kind: to measure with."""
    for row in lines(data / "clapnq/dev_unanswerable.jsonl"):
        text = plain(row["passages"][0]["text"])
        yield Asked("clapnq", f"clapnq:{key(text)}", text, _asked(row["input"]), None)


def told_by_others(data: Path) -> set[str]:
    """The groups of Natural Questions' pages that CLAPNQ asks about too."""
    result: set[str] = set()
    for name in ("dev_answerable", "dev_unanswerable"):
        try:
            rows = list(lines(data / f"clapnq/{name}.jsonl"))
        except (FileNotFoundError, InputError):
            continue
        result |= {f"nq:{passage['title']}" for row in rows for passage in row["passages"]}
    return result


def _asked(question: str) -> str:
    """A question as people write it: some sets leave capitals and the mark out."""
    return question[:1].upper() + question[1:].rstrip(" ?") + "?"


READERS: Mapping[str, Callable[[Path], Iterator[Asked]]] = {
    "squad2": squad2, "policyqa": policyqa, "covidqa": covidqa, "nq_open_oracle": nq_open_oracle, "clapnq": clapnq,
}  # fmt: skip


def load(data: Path, names: Iterable[str]) -> list[Asked]:
    """The questions of those sets that lie in the folder."""
    result: list[Asked] = []
    for name in names:
        try:
            result.extend(READERS[name](data))
        except (FileNotFoundError, InputError):
            continue
    return result


def windows(question: Sequence[Asked], seed: int) -> list[Question]:
    """Each question over a stretch of whole sentences: as much as the model is shown at once.

    Answerable questions are also asked, some of them, of a stretch without the answer, and with a fact changed.
    """
    s = settings(__package__)
    chance = random.Random(seed)  # noqa: S311  (a draw, no secret)
    pools = {
        name: Pool.of(row.text for row in {row.text: row for row in question if row.set == name}.values())
        for name in dict.fromkeys(row.set for row in question)
    }
    parted = {row.text: [Span(*place) for place in split(row.text)] for row in question}
    result = []
    for row in question:
        spans = parted[row.text]
        where = _window(row.text, spans, row.answer, chance, int(s["window"]))
        if where is None:
            continue
        passage = row.text[where.start : where.end]
        answer = Span(row.answer.start - where.start, row.answer.end - where.start) if row.answer else None
        result.append(Question(row.set, row.group, passage, row.question, answer))
        if row.answer is None:
            continue
        draw = chance.random()
        if draw < s["elsewhere"]:
            rest = [span for span in spans if span.end <= where.start or span.start >= where.end]
            away = _window(row.text, rest, None, chance, int(s["window"])) if rest else None
            if away and row.text[row.answer.start : row.answer.end] not in row.text[away.start : away.end]:
                result.append(Question(row.set, row.group, row.text[away.start : away.end], row.question, None))
        elif draw < s["elsewhere"] + s["changed"]:
            bare = row.question.rstrip("? ")
            false = flips(bare, [passage], pools[row.set], seed=seed, half="seen", kinds=_CHANGED)
            result += [Question(row.set, row.group, passage, f"{change.text}?", None) for change in false[:1]]
    return result


def _window(text: str, spans: Sequence[Span], answer: Span | None, chance: random.Random, most: int) -> Span | None:
    """Whole sentences of at most `most` words, those of the answer among them; None where these alone are more."""
    if answer is None:
        first = last = chance.randrange(len(spans)) if spans else -1
    else:
        kept = [n for n, span in enumerate(spans) if span.start < answer.end and answer.start < span.end]
        first, last = (kept[0], kept[-1]) if kept else (-1, -1)
    if first < 0:
        return None
    sizes = [len(text[span.start : span.end].split()) for span in spans]
    size = sum(sizes[first : last + 1])
    if size > most:
        return None
    while True:
        sides = [n for n in (first - 1, last + 1) if 0 <= n < len(spans) and size + sizes[n] <= most]
        if not sides:
            return Span(spans[first].start, spans[last].end)
        taken = chance.choice(sides)
        size += sizes[taken]
        first, last = min(first, taken), max(last, taken)


def rankings(question: Sequence[Asked], seed: int) -> list[Ranking]:
    """The sentences of each answer before others of the same text: half of them near by its words, half at random."""
    chance = random.Random(seed)  # noqa: S311  (a draw, no secret)
    count = int(settings(__package__)["ranked"])
    by_group: dict[str, dict[str, None]] = defaultdict(dict)
    for row in question:
        by_group[row.group].setdefault(row.text)
    sentences = {
        group: list(dict.fromkeys(text[start:end] for text in texts for start, end in split(text)))
        for group, texts in by_group.items()
    }
    result = []
    for row in question:
        if row.answer is None:
            continue
        texts = [
            row.text[start:end] for start, end in split(row.text) if start < row.answer.end and row.answer.start < end
        ]
        if len(texts) == 1 and (others := _others(row, texts[0], sentences[row.group], count, chance)):
            result.append(Ranking(row.set, row.group, row.question, (texts[0], *others)))
    return result


def _others(row: Asked, name: str, sentences: Sequence[str], count: int, chance: random.Random) -> list[str]:
    statement = row.text[row.answer.start : row.answer.end].lower() if row.answer else ""
    words = set(re.findall(r"\w+", row.question.lower()))
    pool = chance.sample(sentences, min(len(sentences), 60))
    free = [text for text in pool if text != name and statement not in text.lower() and len(text.split()) <= 60]
    free.sort(key=lambda text: -len(words & set(re.findall(r"\w+", text.lower()))))
    near = free[: count // 2]
    rest = free[count // 2 :]
    chosen = near + chance.sample(rest, min(len(rest), count - len(near)))
    return chosen if len(chosen) == count else []
