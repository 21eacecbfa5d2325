"""Sentence splitters compared on text with gold boundaries: precision, recall, F1, sentences recovered, speed.

python lab/benchmarks/segmenting.py --data DIR [--only ours,pysbd] [--errors 20]

Gold: ContractNLI (`spans` within each line of the contract; without and with what its own rule parts at list marks), WiCE
(`evidence` lines that end in a full stop, joined by a space), SALAD (sentences of answers) and HotpotQA (openings of
articles). Each was made by some splitter or rule, so differences below half a percent say little. A splitter that is
not installed is left out and named.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

Splitter = Callable[[str], list[tuple[int, int]]]


def contractnli(data: Path) -> list[tuple[str, list[int]]]:
    """Lines of contracts with more than one sentence, gold: the ends of the sentences within."""
    items = []
    for document in json.loads((data / "contractnli/dev.json").read_text())["documents"]:
        text, spans = document["text"], document["spans"]
        starts = {start for start, _ in spans}
        for line in re.finditer(r"\S.*", text):
            inside = sorted(s for s in starts if line.start() < s < line.end())
            items.append((line[0].rstrip(), [s - line.start() for s in inside]))
    return items


def debatable(text: str, gold: list[int]) -> set[int]:
    """Gold boundaries that do not follow a full stop, or follow the number of a clause: another convention."""
    stopped = {g for g in gold if re.search(r"[.!?…][\"'”’)\]]*\s*$", text[:g])}
    numbers = {g for g in gold if re.search(r"(?:^|[.;:]\s)\(?(?:[\d.]{1,6}|[A-Za-z]|[ivxIVX]{1,5})[.)]\s*$", text[:g])}
    return set(gold) - stopped | numbers


def wice(data: Path, limit: int = 4000) -> list[tuple[str, list[int]]]:
    """Runs of evidence lines that end in a full stop, joined by spaces, up to eight lines a text."""
    items, claims = [], set()
    for line in (data / "wice/claim/dev.jsonl").read_text().splitlines():
        run: list[str] = []
        for sentence in [*json.loads(line)["evidence"], "#"]:
            clean = sentence.strip()
            whole = (
                len(clean) > 20 and re.search(r"[.!?][\"'”’)\]]*$", clean) and re.match(r"[\"'“‘(\[]?[A-Z0-9]", clean)
            )
            if whole:
                run.append(clean)
            if not whole or len(run) == 8:
                if len(run) > 1 and " ".join(run) not in claims:
                    claims.add(" ".join(run))
                    gold, position = [], 0
                    for part in run[:-1]:
                        position += len(part) + 1
                        gold.append(position)
                    items.append((" ".join(run), gold))
                run = []
    random.Random(0).shuffle(items)
    return items[:limit]


def salad(data: Path) -> list[tuple[str, list[int]]]:
    """Answers of people and models, their annotated sentences joined by spaces."""
    items = []
    for path in sorted((data / "salad/annotations").glob("*.json")):
        for entry in json.loads(path.read_text()):
            parts = [part.replace("</s>", "").strip() for part in entry["answers"]]
            parts = [part for part in parts if part]
            gold, position = [], 0
            for part in parts[:-1]:
                position += len(part) + 1
                gold.append(position)
            if parts:
                items.append((" ".join(parts), gold))
    return items


def hotpotqa(data: Path) -> list[tuple[str, list[int]]]:
    """Openings of Wikipedia articles; the rules were written without a look at these."""
    items, questions = [], set()
    for entry in json.loads((data / "hotpotqa/distractor_sample.json").read_text()):
        for title, parts in zip(entry["context"]["title"], entry["context"]["sentences"], strict=True):
            text = "".join(parts).strip()
            if title in questions or not text:
                continue
            questions.add(title)
            gold, position = [], 0
            for part, following in itertools.pairwise(parts):
                position += len(part)
                gold.append(position + len(following) - len(following.lstrip()))
            shift = len("".join(parts)) - len("".join(parts).lstrip())
            items.append((text, [g - shift for g in gold if g - shift < len(text)]))
    return items


def splitters() -> dict[str, Splitter]:
    """Those that are installed."""
    splitters_by_name: dict[str, Splitter] = {}

    def ours() -> Splitter:
        from citewell.text.segments import sentences

        return lambda text: [(a, b) for a, b in sentences(text)]

    def simple() -> Splitter:
        pattern = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"“(])")

        def run(text: str) -> list[tuple[int, int]]:
            cuts = [0, *(m.end() for m in pattern.finditer(text)), len(text)]
            return list(itertools.pairwise(cuts))

        return run

    def pysbd() -> Splitter:
        import pysbd

        segmenter = pysbd.Segmenter(language="en", clean=False, char_span=True)
        return lambda text: [(s.start, s.end) for s in segmenter.segment(text)]

    def syntok() -> Splitter:
        from syntok import segmenter

        def run(text: str) -> list[tuple[int, int]]:
            return [
                (sentence[0].offset, sentence[-1].offset + len(sentence[-1].value))
                for paragraph in segmenter.process(text)
                for sentence in paragraph
            ]

        return run

    def blingfire() -> Splitter:
        import blingfire

        return lambda text: [(a, b) for a, b in blingfire.text_to_sentences_and_offsets(text)[1]]

    def sentencex() -> Splitter:
        import sentencex

        def run(text: str) -> list[tuple[int, int]]:
            spans, position = [], 0
            for sentence in sentencex.segment("en", text):
                start = text.find(sentence.strip(), position)
                if start < 0:
                    continue
                position = start + len(sentence.strip())
                spans.append((start, position))
            return spans

        return run

    def spacy() -> Splitter:
        import spacy

        nlp = spacy.blank("en")
        nlp.add_pipe("sentencizer")
        nlp.max_length = 10**8
        return lambda text: [(s.start_char, s.end_char) for s in nlp(text).sents]

    for build in (ours, simple, pysbd, syntok, blingfire, sentencex, spacy):
        try:
            splitters_by_name[build.__name__] = build()
        except ImportError as error:
            print(f"{build.__name__} left out: {error}", file=sys.stderr)
    return splitters_by_name


def inner_starts(text: str, spans: list[tuple[int, int]]) -> set[int]:
    """Where sentences after the first begin, white space skipped."""
    starts = set()
    for start, end in spans:
        starts.add(start + len(text[start:end]) - len(text[start:end].lstrip()))
    return {s for s in starts if 0 < s < len(text)}


def score(
    items: list[tuple[str, list[int]]], run: Splitter, errors: int, name: str, *, lenient: bool = False
) -> dict[str, float]:
    """`lenient`: what is debatable counts neither for nor against a splitter."""
    hit = extra = missed = whole = total = 0
    wrong: list[str] = []
    seconds = 0.0
    for text, gold_list in items:
        before = time.perf_counter()
        starts = inner_starts(text, run(text))
        seconds += time.perf_counter() - before
        ignored = debatable(text, gold_list) if lenient else set()
        gold, starts = set(gold_list) - ignored, starts - ignored
        hit += len(gold & starts)
        extra += len(starts - gold)
        missed += len(gold - starts)
        edges, ours = [0, *sorted(gold), len(text)], {0, *starts, len(text)}
        for a, b in itertools.pairwise(edges):
            total += 1
            whole += a in ours and b in ours and not any(a < s < b for s in ours)
        wrong += [f"+ {text[max(0, s - 50) : s]!r} | {text[s : s + 30]!r}" for s in sorted(starts - gold)]
        wrong += [f"- {text[max(0, s - 50) : s]!r} | {text[s : s + 30]!r}" for s in sorted(gold - starts)]
    if errors:
        random.Random(1).shuffle(wrong)
        print(f"--- {name}: {Counter(line[0] for line in wrong)}", *wrong[:errors], sep="\n")
    precision, recall = hit / max(1, hit + extra), hit / max(1, hit + missed)
    return {
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / max(1e-9, precision + recall),
        "sentences": whole / max(1, total),
        "gold": hit + missed,
        "chars_per_second": sum(len(text) for text, _ in items) / max(seconds, 1e-9),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--errors", type=int, default=0)
    parser.add_argument("--limit", type=int, default=1500, help="texts a set")
    options = parser.parse_args()
    contracts = contractnli(options.data)
    sets = {
        "contract-nli": contracts,
        "contract-nli, with clauses": contracts,
        "wice": wice(options.data),
        "salad": salad(options.data),
        "hotpotqa": hotpotqa(options.data),
    }
    rows = [
        f"| {'set':26} | {'splitter':10} | precision | recall | F1 | sentences | gold | M chars/s |",
        "|---" * 8 + "|",
    ]
    for title, items in sets.items():
        random.Random(0).shuffle(items)
        for name, run in splitters().items():
            if options.only and name not in options.only.split(","):
                continue
            result = score(
                items[: options.limit], run, options.errors, f"{title}, {name}", lenient=title == "contract-nli"
            )
            rows.append(
                f"| {title:26} | {name:10} | {result['precision']:.3f} | {result['recall']:.3f} | {result['f1']:.3f} "
                f"| {result['sentences']:.3f} | {result['gold']} | {result['chars_per_second'] / 1e6:.2f} |"
            )
    print("\n".join(rows))


if __name__ == "__main__":
    main()
