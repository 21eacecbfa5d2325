"""A classifier trained on whole documents as premises: it reads as much of the evidence at once as its context holds.

Source: Yin, Radev and Xiong, DocNLI (2021); ADiOSAA (Sancheti et al., 2024) attributes with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from citewell.check.nli import NLI


@dataclass(frozen=True, kw_only=True)
class DocNLI(NLI):
    """`nli` over windows of whole sentences; the maximum over windows where the evidence exceeds the context.

    Attributes:
        model: a path: the published weights are no hub model, so there is no default. They must be converted to a
            RoBERTa sequence classifier; its class 0 is entailment, which `entailment` says where the config does not.
    """

    model: str = ""
    premise: str = "windows"
    limit: int | None = 512
    name: ClassVar[str] = "docnli"
