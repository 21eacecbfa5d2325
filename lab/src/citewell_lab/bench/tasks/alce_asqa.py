"""ALCE's ASQA: ambiguous questions, whose long answers name every short answer and cite passages. Gao et al. 2023."""

from __future__ import annotations

from citewell_lab.bench.datasets import alce
from citewell_lab.bench.kinds.alce import Alce
from citewell_lab.bench.metrics.declared import CITATION_PRECISION, CITATION_RECALL, STRING_EM

TASK = Alce(
    name="alce-asqa",
    summary="long answers to ambiguous questions, with citations of passages",
    metrics=(STRING_EM, CITATION_RECALL, CITATION_PRECISION),
    headline=(STRING_EM, CITATION_RECALL, CITATION_PRECISION),
    tables=("alce-4",),
    data=alce.dataset("asqa", 948),
)
