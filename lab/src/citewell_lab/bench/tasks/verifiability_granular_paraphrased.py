"""VERI-GRAN with paraphrased spans, as saved by `citewell bench build`.

Rows as VERI-GRAN's, with `of`, the item they were made from, and `by`, who paraphrased.
"""

from __future__ import annotations

from citewell_lab.bench.datasets.dataset import LINES, Dataset, Published
from citewell_lab.bench.kinds.spans import Spans
from citewell_lab.bench.tasks import verifiability_granular

TASK = Spans(
    name="verifiability-granular-paraphrased",
    summary="which passage was a span copied from that is now said in other words",
    data=Dataset(
        "verifiability_granular_paraphrased",
        LINES,
        verifiability_granular.TASK.data.load,
        published_as=Published(
            "VERI-GRAN, paraphrased", "https://github.com/Anirudh-Phukan/verifiability-granular", "MIT", {}
        ),
    ),
)
