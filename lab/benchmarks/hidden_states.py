"""Matching of token states: the vectorised search against a plain loop over windows, and against the forward pass.

    python lab/benchmarks/hidden_states.py [--tokens 4000] [--dimensions 384] [--model PATH] [--memory 8000]

The loop is the published search as one would write it down. Both search the same random states and must agree. With
`--model` (an encoder such as all-MiniLM-L6-v2) the matching is also set against that model's pass over as many tokens.
Ratios are of one run; each figure is the best of three.
"""

import argparse
import time
import tracemalloc

import numpy as np

from citewell.attributors.hidden_states.match import best_windows, nearest_by_segment


def loop(spans, states, bounds, limit):
    """Every window of every segment, one after another."""
    result = np.full((len(spans), len(bounds) - 1), -np.inf)
    for row, span in enumerate(spans):
        norm = np.linalg.norm(span)
        for column in range(len(bounds) - 1):
            for start in range(bounds[column], bounds[column + 1]):
                for end in range(start + 1, min(bounds[column + 1], start + limit) + 1):
                    mean = states[start:end].mean(axis=0)
                    cosine = float(span @ mean) / (norm * np.linalg.norm(mean))
                    result[row, column] = max(result[row, column], cosine)
    return result


def best_of(times, work):
    best, value = float("inf"), None
    for _ in range(times):
        started = time.perf_counter()
        value = work()
        best = min(best, time.perf_counter() - started)
    return best, value


def states_of(tokens, dimensions, segment=40):
    rng = np.random.default_rng(0)
    states = rng.normal(size=(tokens, dimensions)).astype(np.float32)
    bounds = np.arange(0, tokens + segment, segment).clip(max=tokens)
    return states, np.unique(bounds)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tokens", type=int, default=4000)
    parser.add_argument("--dimensions", type=int, default=384)
    parser.add_argument("--spans", type=int, default=20)
    parser.add_argument("--window", type=int, default=64)
    parser.add_argument("--memory", type=int, default=8000, help="document tokens at which peak memory is measured")
    parser.add_argument("--model")
    options = parser.parse_args()

    states, bounds = states_of(options.tokens, options.dimensions)
    rng = np.random.default_rng(1)
    spans = rng.normal(size=(options.spans, options.dimensions)).astype(np.float32)
    ours, theirs = best_of(3, lambda: best_windows(spans, states, bounds, options.window))
    plain, wanted = best_of(1, lambda: loop(spans[:1], states, bounds, options.window))
    assert np.allclose(theirs.scores[:1], wanted, atol=1e-4), "the two searches disagree"
    plain *= options.spans  # the loop's time is the same for every span
    tokens, _ = best_of(3, lambda: nearest_by_segment(spans, states, bounds))
    print(
        f"{options.tokens} document tokens, {options.dimensions} dimensions, {options.spans} spans, windows to {options.window}"
    )
    print(f"loop over windows   {plain:9.3f} s   (1 span measured, times {options.spans})")
    print(f"vectorised windows  {ours:9.3f} s   {plain / ours:8.0f} times faster")
    print(f"best tokens         {tokens:9.3f} s   {plain / tokens:8.0f} times faster")

    states, bounds = states_of(options.memory, options.dimensions)
    tracemalloc.start()
    best_windows(spans, states, bounds, options.window)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print(
        f"peak memory of the matching at {options.memory} tokens: {peak / 2**20:.0f} MiB ({states.nbytes / 2**20:.0f} MiB of states)"
    )

    if options.model:
        from citewell.models.loading import context_length, load
        from citewell.models.states import token_states

        loaded = load("encoder", options.model)
        most = min(context_length(loaded), 512)
        ids = rng.integers(1000, 2000, size=options.tokens).tolist()
        pieces = [ids[start : start + most] for start in range(0, len(ids), most)]
        token_states(loaded, pieces[:1])
        forward, _ = best_of(3, lambda: token_states(loaded, pieces))
        print(
            f"forward pass        {forward:9.3f} s   matching costs {ours / forward:.2f} of it (best tokens {tokens / forward:.3f})"
        )


if __name__ == "__main__":
    main()
