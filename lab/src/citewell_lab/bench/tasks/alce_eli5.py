"""ALCE's ELI5: how and why questions, whose answers entail three claims and cite passages. Gao et al. 2023."""

from __future__ import annotations

from citewell_lab.bench.datasets import alce
from citewell_lab.bench.kinds.alce import Alce
from citewell_lab.bench.metrics.declared import CITATION_PRECISION, CITATION_RECALL, CLAIM_RECALL

TASK = Alce(
    name="alce-eli5",
    summary="explanations, with citations of passages",
    metrics=(CLAIM_RECALL, CITATION_RECALL, CITATION_PRECISION),
    headline=(CLAIM_RECALL, CITATION_RECALL, CITATION_PRECISION),
    tables=("alce-6",),
    data=alce.dataset("eli5", 1000),
)
