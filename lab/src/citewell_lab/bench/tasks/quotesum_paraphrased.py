"""QuoteSum with paraphrased spans, as saved by `citewell bench build quotesum-paraphrased`.

Source: Phukan et al. 2024, appendix A.5, who let GPT-4 do so and did not publish the answers. Rows as QuoteSum's, with
`of`, the item they were made from, and `by`, who paraphrased.
"""

from __future__ import annotations

from citewell_lab.bench.datasets.dataset import LINES, Dataset, Published
from citewell_lab.bench.kinds.spans import Spans
from citewell_lab.bench.tasks import quotesum

TASK = Spans(
    name="quotesum-paraphrased",
    summary="which source was a span copied from that is now said in other words",
    tables=("hidden-states-3",),
    data=Dataset(
        "quotesum_paraphrased",
        LINES,
        quotesum.TASK.data.load,
        published_as=Published(
            "QuoteSum, paraphrased", "https://github.com/google-research-datasets/QuoteSum", "CC BY-SA 4.0", {}
        ),
    ),
)
