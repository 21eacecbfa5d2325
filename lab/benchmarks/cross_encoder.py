"""Throughput of a pair classifier with and without batches of like length, in one run.

    python lab/benchmarks/cross_encoder.py --model PATH [--pairs 400] [--batch 32]

Any encoder will do: what it says does not matter, its time does. Pairs have the lengths of questions and passages.
"""

import argparse
import random
import time

import numpy as np

from citewell.models.classify import logits
from citewell.models.loading import load


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", required=True)
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--batch", type=int, default=32)
    options = parser.parse_args()
    rng = random.Random(5)
    words = "the firm sold twelve boats to norway in spring and its owner closed an old harbour school".split()
    lengths = [min(300, 4 + int(rng.lognormvariate(3.2, 0.8))) for _ in range(options.pairs)]
    pairs = [(" ".join(rng.choices(words, k=size)), f"who sold boats {number}") for number, size in enumerate(lengths)]
    loaded = load("classifier", options.model)
    logits(loaded, pairs[: options.batch])
    seconds, values = {}, {}
    for sort in (False, True) * 3:
        started = time.process_time()  # of all threads: other work on the machine does not count
        values[sort] = logits(loaded, pairs, size=options.batch, sort=sort)
        seconds[sort] = min(seconds.get(sort, float("inf")), time.process_time() - started)
    assert np.allclose(values[True], values[False], atol=1e-3)
    print(f"{len(pairs)} pairs, passages of {min(lengths)} to {max(lengths)} words, batches of {options.batch}")
    print(f"as they come {len(pairs) / seconds[False]:8.1f} pairs a CPU second")
    print(
        f"by length    {len(pairs) / seconds[True]:8.1f} pairs a CPU second   {seconds[False] / seconds[True]:.2f} times faster"
    )


if __name__ == "__main__":
    main()
