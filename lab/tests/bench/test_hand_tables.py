"""Two tables reckoned by hand, one of attribution and one of checking, beside what the harness prints."""

import json
from dataclasses import dataclass

from bench.benchdata import lines, words
from citewell.types import Citation, Verdict
from citewell_lab.bench.run import run
from citewell_lab.papers.beside import standings
from citewell_lab.report.table import printed


@dataclass(frozen=True)
class Ranked:
    """An attributor that gives each sentence the passages that its last word lists, such as "p2p1"."""

    name = "ranked"

    def attribute(self, draft, documents, granularity="sentence", k=None):
        (document,) = documents
        segments = document.segments(granularity)
        citations = []
        for start, end in draft.targets:
            numbers = draft.text[start:end].rstrip(".").split()[-1].split("p")[1:]
            for order, number in enumerate(numbers[:k]):
                part = segments[int(number) - 1]
                place = (document.id, part.id, granularity, part.text, part.start, part.end)
                citations.append(Citation(*place, start, end, score=1 - order / 10))
        return tuple(citations)


@dataclass(frozen=True)
class Words:
    """A checker: a claim is supported where the document has all its words."""

    name = "words"

    def check(self, pairs):
        hits = [words(pair.claim) <= words(pair.evidence[0].text) for pair in pairs]
        return [
            Verdict(pair.claim, "supported" if hit else "not_supported", float(hit))
            for pair, hit in zip(pairs, hits, strict=True)
        ]


def ours(result, form=None):
    """The cells of our row under the columns of the task's table."""
    (standing,) = standings([result])
    header, *rows = standing.table().cells()
    (row,) = [row for row, line in zip(rows, standing.rows, strict=True) if line.kind == "ours"]
    assert row[0] in printed([standing.table()], form)
    return dict(zip(header, row, strict=True))


def test_a_table_of_attribution(tmp_path):
    # Each sentence: the gold passages, and what is predicted, best first.
    sentences = [
        ((1,), (1, 2)),  # @1 p 1 r 1, @2 p 1/2 r 1, @4 p 1/2 r 1
        ((1, 2), (2, 3, 1)),  # @1 p 1 r 1/2, @2 p 1/2 r 1/2, @4 p 2/3 r 1
        ((4,), (3,)),  # 0 throughout
        ((2, 3, 4), (2, 3, 4, 1)),  # @1 p 1 r 1/3, @2 p 1 r 2/3, @4 p 3/4 r 1
        ((3,), (1, 2, 3)),  # @1 and @2 0, @4 p 1/3 r 1
    ]
    text = [
        {"text": f"Said {'abcde'[n]} p{'p'.join(map(str, guess))}{''.join(f'[{g}]' for g in gold)}.", "attributable": 1}
        for n, (gold, guess) in enumerate(sentences)
    ]
    quotes = [{"idx": n, "docid": f"d{n}", "text": f"Passage number {n} holds."} for n in range(1, 5)]
    row = {"query": "q", "query_id": 1, "quotes": quotes, "answers": [{"answer": "", "sentences": text}]}
    lines(tmp_path / "hagrid" / "dev.jsonl", [row])
    cells = ours(run("hagrid", tmp_path, "dev", method=Ranked(), out=tmp_path / "run"))
    # Precision: (1 + 1 + 0 + 1 + 0) / 5, (1/2 + 1/2 + 0 + 1 + 0) / 5, (1/2 + 2/3 + 0 + 3/4 + 1/3) / 5.
    assert [cells[f"precision@{k}"] for k in (1, 2, 4)] == ["60.0", "40.0", "45.0"]
    # Recall: (1 + 1/2 + 0 + 1/3 + 0) / 5, (1 + 1/2 + 0 + 2/3 + 0) / 5, (1 + 1 + 0 + 1 + 1) / 5.
    assert [cells[f"recall@{k}"] for k in (1, 2, 4)] == ["36.7", "43.3", "80.0"]
    # F1 of each: 1, 2/3, 0, 1/2, 0; 2/3, 1/2, 0, 4/5, 0; 2/3, 4/5, 0, 6/7, 1/2.
    assert [cells[f"f1@{k}"] for k in (1, 2, 4)] == ["43.3", "39.3", "56.5"]


def test_a_table_of_checking(tmp_path):
    # Of each set: right of the supported claims, right of the unsupported ones.
    sets = {"Wice": ((3, 4), (1, 2)), "Reveal": ((1, 3), (2, 2)), "Lfqa": ((2, 2), (0, 3))}
    rows = []
    for name, ((kept, supported), (caught, unsupported)) in sets.items():
        claims = [(1, n < kept) for n in range(supported)] + [(0, n >= caught) for n in range(unsupported)]
        rows += [
            {"dataset": name, "doc": f"claim {number} stands", "label": label,
             "claim": f"claim {number} stands" if called else f"claim {number} fell"}
            for number, (label, called) in enumerate(claims)
        ]  # fmt: skip
    lines(tmp_path / "llm_aggrefact" / "test.jsonl", rows)
    result = run("llm-aggrefact", tmp_path, "test", checker=Words(), out=tmp_path / "run")
    cells = ours(result)
    # Balanced accuracy: (3/4 + 1/2) / 2, (1/3 + 1) / 2, (1 + 0) / 2; their mean is (5/8 + 2/3 + 1/2) / 3.
    assert cells["Wice.balanced_accuracy"] == "62.5"
    assert cells["Reveal.balanced_accuracy"] == "66.7"
    assert cells["Lfqa.balanced_accuracy"] == "50.0"
    assert cells["mean_balanced_accuracy"] == "59.7"
    assert cells["ExpertQA.balanced_accuracy"] == "–"
    # All claims together: 6 of 9 supported, 3 of 7 unsupported ones are right.
    assert round(100 * result.scores.metrics["accuracy"], 1) == 56.2
    assert round(100 * result.scores.metrics["balanced_accuracy"], 1) == 54.8
    # F1 of supported: 6 right, 4 wrongly called so, 3 missed; of unsupported: 3 right, 3 wrongly, 4 missed.
    assert round(100 * result.scores.metrics["macro_f1"], 1) == round(100 * (12 / 19 + 6 / 13) / 2, 1) == 54.7
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["n"] == 16
