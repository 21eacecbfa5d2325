"""Optimal selection: time and model calls against an implementation that scores pair by pair and forgets.

    python lab/benchmarks/selection.py [--sentences 150] [--statements 6] [--model PATH]

Without a model the lexical checker judges. The document repeats some sentences, as long documents do. One run; both
ways must choose the same evidence.
"""

import argparse
import random
import time

from citewell import registry
from citewell.attributors.optimal_selection import Scorer, grow
from citewell.document import Document
from citewell.protocols import Pair

NAMES = ("Ann Smith", "The firm", "A rival", "The board", "Norway", "The agency", "Its owner", "The court")
VERBS = ("sold", "founded", "bought", "closed", "rejected", "praised", "sued", "rebuilt")
THINGS = ("the harbour", "twelve boats", "a small school", "the old mill", "its archive", "the northern line")


def naive(units, texts, checker, delta):
    """Algorithm 1 as it is printed: one pair at a time, nothing kept."""
    calls, result = 0, []
    for unit in units:
        chosen, remaining, previous = [], list(range(len(texts))), -1.0
        while remaining:
            values = []
            for candidate in remaining:
                premise = " ".join(texts[i] for i in [*chosen, candidate])
                values.append(checker.check([Pair(unit, (Document.from_text(premise),))])[0].score)
                calls += 1
            best = max(values)
            if best <= previous + delta:
                break
            chosen.append(remaining.pop(values.index(best)))
            previous = best
        result.append(tuple(chosen))
    return result, calls


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sentences", type=int, default=150)
    parser.add_argument("--statements", type=int, default=6)
    parser.add_argument("--model", help="a classifier: judged by nli(premise=windows)")
    options = parser.parse_args()
    rng = random.Random(3)

    def sentence():
        return f"{rng.choice(NAMES)} {rng.choice(VERBS)} {rng.choice(THINGS)} in {rng.randint(1990, 1999)}."

    texts = [sentence() for _ in range(options.sentences)]
    units = [f"{a.removesuffix('.')} and {b}" for a, b in (rng.sample(texts, 2) for _ in range(options.statements))]
    spec = f"nli(model={options.model}, premise=windows, entailment=0)" if options.model else "lexical"
    checker = registry.build("checker", spec)
    checker.check([Pair(units[0], (Document.from_text(texts[0]),))])

    started = time.perf_counter()
    scorer = Scorer(checker)
    grown = grow(units, [range(len(texts))] * len(units), texts, scorer, delta=0.05)
    ours = time.perf_counter() - started
    started = time.perf_counter()
    wanted, calls = naive(units, texts, checker, 0.05)
    plain = time.perf_counter() - started
    agree = sum(growth.chosen == chosen for growth, chosen in zip(grown, wanted, strict=True))
    print(f"{len(texts)} sentences ({len(set(texts))} distinct), {len(units)} statements, checker {spec}")
    print(f"pair by pair     {plain:8.2f} s  {calls} calls")
    print(
        f"grown in batches {ours:8.2f} s  {scorer.calls} calls   {plain / ours:.1f} times faster, {agree} of {len(units)} sets equal"
    )


if __name__ == "__main__":
    main()
