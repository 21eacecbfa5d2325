"""The encoder of a library: vectors of its paragraphs and questions, through the dense retrievers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Protocol, cast, get_args

import numpy as np
import numpy.typing as npt

from citewell import registry
from citewell.document import Document
from citewell.errors import EncoderError, SpecError
from citewell.errors.arguments import parameters
from citewell.library.search.arrays import Arrays
from citewell.library.search.mixed import Mix, Vectors, quantized
from citewell.library.store.records import EncoderRow
from citewell.text.data import settings

Retrieval = Literal["lexical", "dense", "hybrid"]
RETRIEVALS: tuple[Retrieval, ...] = get_args(Retrieval)
_PROBE = "The harbour froze in January, and no ferry sailed to the island."  # any sentence; it never changes
# Where and how fast an encoder works does not change what its vectors mean.
_WORKING = frozenset(("batch", "cache", "device", "device_map", "dtype", "runtime"))


@dataclass(frozen=True)
class Meaning:
    """How a library compares questions by meaning."""

    place: str  # what to call the library
    kept: EncoderRow | None  # what it keeps of its encoder, None where it has no vectors
    encoder: Encoder | None  # the encoder that the caller gives; without it the one that the library names
    retrieval: Retrieval  # `dense` or `hybrid`
    scan: bool  # compare all paragraphs

    def mix(self, text: str, missing: int) -> Mix:
        """How a question or statement is compared, where so many documents have no vectors.

        Raises EncoderError: the library has no vectors, not of all documents, or another encoder's.
        """
        encoder = self._encoder
        if missing:
            raise EncoderError(
                f"{missing} document(s) of {self.place} have no vectors yet: citewell library refresh "
                f"--library {self.place} --encoder {encoder.name!r} makes them"
            )
        values = settings("citewell.library")
        weight = 1.0 if self.retrieval == "dense" else values["weight"]
        return Mix(encoder.query(text), weight, int(values["candidates"]), self.scan)

    @cached_property
    def _encoder(self) -> Encoder:
        """The encoder, held against the one that made the vectors."""
        if self.kept is None:
            raise EncoderError(
                f"{self.place} has no vectors: citewell library refresh --library {self.place} --encoder SPEC makes "
                "them, SPEC as dense(model=...)"
            )
        encoder = self.encoder or Encoder(self.kept.name)
        encoder.hold(self.kept, self.place)
        return encoder


class _Embeds(Protocol):
    """What every dense retriever can do."""

    def embed(self, texts: list[str], *, passages: bool = False) -> npt.NDArray[np.float32]: ...


def passages(document: Document) -> list[str]:
    """What is embedded for each paragraph: its text, under the document's title and the headings over it."""
    title = (document.title,) if document.title else ()
    return ["\n".join(dict.fromkeys((*title, *part.path, part.text))) for part in document.segments("paragraph")]


class Encoder:
    """A dense retriever's encoder, loaded when its first vector is wanted.

    Args:
        spec: a retriever's spec, `dense(model=...)`, or a ready one.

    Raises:
        SpecError: there is no such retriever, or it makes no vectors.
        MissingExtraError: a package is not installed.
    """

    def __init__(self, spec: Any) -> None:
        self._model = registry.build("retriever", spec)
        self.name = _name(self._model)
        if not callable(getattr(self._model, "embed", None)):
            raise SpecError(f"the retriever {self.name!r} makes no vectors: an encoder is dense(model=...) or its kin")

    def arrays(self, document: Document) -> Arrays:
        """The vectors of a document's paragraphs as a segment keeps them."""
        texts = passages(document)
        if not texts:
            return quantized(np.zeros((0, self.kept.dimensions), np.float32)).arrays()
        return quantized(self._embed(texts, passages=True)).arrays()

    def query(self, text: str) -> Vectors:
        """The vector of a question or statement."""
        return quantized(self._embed([text], passages=False))

    @cached_property
    def kept(self) -> EncoderRow:
        """What a library is to keep of it."""
        probe = self._embed([_PROBE], passages=True)
        return EncoderRow(self.name, probe.shape[1], probe.astype("<f4").tobytes())

    def hold(self, kept: EncoderRow, place: str) -> None:
        """Refuse to work for a library whose vectors another encoder made.

        Raises EncoderError: another one made them.
        """
        anew = f"citewell library refresh --rebuild --library {place} --encoder {self.name!r} makes all vectors anew"
        if kept.name != self.name:
            raise EncoderError(f"the vectors of {place} were made by {kept.name}, not {self.name}: {anew}")
        ours, theirs = (np.frombuffer(probe, "<f4") for probe in (self.kept.probe, kept.probe))
        alike = len(ours) == len(theirs) and float(ours @ theirs) >= settings("citewell.library")["alike"] * float(
            np.linalg.norm(ours) * np.linalg.norm(theirs)
        )
        if not alike:
            raise EncoderError(f"the vectors of {place} were made by other weights under the name {kept.name}: {anew}")

    def _embed(self, texts: list[str], *, passages: bool) -> npt.NDArray[np.float32]:
        return cast("_Embeds", self._model).embed(texts, passages=passages)


def _name(model: Any) -> str:
    """The spec of a retriever with only what changes its vectors; a folder by its whole path."""
    params = []
    for key, default in parameters(type(model)).items():
        value = getattr(model, key, default)
        if key in _WORKING or value == default:
            continue
        if key in ("model", "passage_model") and Path(value).expanduser().exists():
            value = str(Path(value).expanduser().resolve())
        params.append((key, value))
    return str(registry.Spec(registry.name(model), tuple(params)))
