"""A classifier trained on whole documents as premises: it reads as much of the evidence at once as its context holds.

Source: Yin, Radev and Xiong, DocNLI (2021); ADiOSAA (Sancheti et al., 2024) attributes with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from citewell.checkers.nli import NLI


@dataclass(frozen=True, kw_only=True)
class DocNLI(NLI):
    """`nli` over windows of whole sentences; the maximum over windows where the evidence exceeds the context.

    Attributes:
        model: a path, or a hub id of a classifier that was trained on DocNLI. There is no default: the published
            weights are a bare state file of RoBERTa with a head of their own, not a model that loads by its name.
            Where the config does not name its classes, `entailment` says which one it is (0 in the published data).
    """

    model: str = ""
    premise: str = "windows"
    limit: int | None = 512
    name: ClassVar[str] = "docnli"
