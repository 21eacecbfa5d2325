"""The terms of some documents' paragraphs as arrays: built from the texts, merged, looked up.

Arrays of a segment with D documents, P paragraphs, T terms, N postings (distinct paragraphs of each term) and M titles
(distinct documents whose title has the term):

`numbers` (D) what the database calls the documents; `first` (D + 1) their paragraphs; `starts`, `ends` (P) offsets in
the document's text; `kinds` (P) what blocks they are; `lengths` (P) words; `spelled`, `at` (T + 1) the terms in UTF-8,
sorted, one behind the other; `pointers` (T + 1), `paragraphs` (N), `counts` (N) and `headed` (N) how often the term
stands in the paragraph and in what stands over it; `title_pointers` (T + 1), `titles` (M) documents; where the library
has an encoder `vectors` (P, dimensions) and `scales` (P), 0 where a paragraph has no vector yet.

`languages` (P, 2) are the languages of each paragraph. A term has the code of its paragraph's language before it, so
that texts of several languages share one segment.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress, pairwise
from typing import NamedTuple, TypeVar, cast

import numpy as np
import numpy.typing as npt

from citewell.document import Document
from citewell.library.search import languages
from citewell.library.search.arrays import Arrays, Mapped, Rows
from citewell.text.words import Words, terms, words
from citewell.types.documents import BLOCK_KINDS

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
T = TypeVar("T", bound=np.generic)
_MOST = 255  # a count that one byte holds; more says no more
_OF_PARAGRAPHS = ("starts", "ends", "kinds", "lengths", "languages")


@dataclass(frozen=True)
class Segment:
    """The arrays of one segment, and what is asked of them."""

    arrays: Arrays

    def ints(self, name: str) -> Ints:
        """An array by its name."""
        return cast("Ints", self.arrays[name])

    def part(self, name: str, rows: Rows) -> npt.NDArray[np.generic]:
        """Some rows of an array by its name."""
        return self.arrays.part(name, rows) if isinstance(self.arrays, Mapped) else self.arrays[name][rows]

    def floats(self, name: str, rows: Rows = slice(None)) -> npt.NDArray[np.float32]:
        """Some rows of an array by its name, to compute with."""
        return self.part(name, rows).astype(np.float32)

    @property
    def numbers(self) -> Ints:
        """What the database calls its documents, ascending."""
        return self.ints("numbers")

    def term(self, name: bytes) -> int | None:
        """The number of a term, None where no document has it."""
        number = bisect_left(range(len(self.ints("at")) - 1), name, key=self._spelling)
        return number if self._spelling(number) == name else None

    def _spelling(self, number: int) -> bytes:
        """The term of a number, empty behind the last."""
        begin, end = self.ints("at")[number : number + 2].tolist() if number < len(self.ints("at")) - 1 else (0, 0)
        return self.arrays["spelled"][begin:end].tobytes()

    def postings(self, term: int) -> slice:
        """Where the postings of a term stand."""
        pointers = self.ints("pointers")
        return slice(int(pointers[term]), int(pointers[term + 1]))

    def titled(self, term: int) -> Ints:
        """The documents whose title has a term."""
        pointers = self.ints("title_pointers")
        return self.ints("titles")[int(pointers[term]) : int(pointers[term + 1])]

    @property
    def unencoded(self) -> Flags:
        """The documents of which a paragraph has no vector (D flags)."""
        missing = self.arrays["scales"] == 0 if "scales" in self.arrays else np.ones(len(self.arrays["starts"]), bool)
        first = self.ints("first")
        return np.diff(np.concatenate(([0], np.cumsum(missing)))[first]) > 0

    def spread(self, values: npt.NDArray[T]) -> npt.NDArray[T]:
        """A value a document as a value a paragraph."""
        return np.repeat(values, np.diff(self.ints("first")))


def of_document(number: int, document: Document) -> Arrays:
    """The arrays of one document under the number that the database gives it."""
    parts = document.segments("paragraph")
    text = words(document.text)
    starts = np.fromiter((part.start for part in parts), np.int64, len(parts))
    where = np.maximum(np.searchsorted(starts, text.starts, side="right").astype(np.int64) - 1, 0)
    spoken = languages.of_paragraphs(text, where, len(parts))
    known: dict[bytes, int] = {}
    bodies, headings, titles = [], [], []
    for code, inside in spoken.items():
        in_code = inside[where]
        bodies.append(_term_places(_terms_of(text, text.ids[in_code].astype(np.int64), code, known), where[in_code]))
        paths = {part.path: _terms_in("\n".join(part.path), code, known) for part in compress(parts, inside)}
        headings += [
            _term_places(paths[parts[place].path], np.full(len(paths[parts[place].path]), place))
            for place in np.flatnonzero(inside).tolist()
        ]
        titles.append(_terms_in(document.title or "", code, known))
    title = np.unique(np.concatenate(titles)) if titles else np.zeros(0, np.int64)
    nothing = np.zeros((0, 2), np.int64)
    body, over = np.concatenate([nothing, *bodies]), np.concatenate([nothing, *headings])

    names = sorted(known)
    place = np.empty(len(names), np.int64)
    place[[known[name] for name in names]] = np.arange(len(names))
    text_keys, text_counts = np.unique(place[body[:, 0]] * len(parts) + body[:, 1], return_counts=True)
    over_keys, over_counts = np.unique(place[over[:, 0]] * len(parts) + over[:, 1], return_counts=True)
    keys = np.union1d(text_keys, over_keys)
    counts, headed = np.zeros(len(keys), np.uint8), np.zeros(len(keys), np.uint8)
    counts[np.searchsorted(keys, text_keys)] = np.minimum(text_counts, _MOST)
    headed[np.searchsorted(keys, over_keys)] = np.minimum(over_counts, _MOST)
    posted, posted_in = np.divmod(keys, len(parts))
    return {
        "numbers": np.array([number], dtype=np.int64),
        "first": np.array([0, len(parts)], dtype=np.int64),
        "starts": starts.astype(np.int32),
        "ends": np.fromiter((part.end for part in parts), np.int32, len(parts)),
        "kinds": np.fromiter((BLOCK_KINDS.index(part.kind) for part in parts), np.uint8, len(parts)),
        "lengths": np.bincount(where, minlength=len(parts)).astype(np.int32),
        "languages": languages.packed(spoken, len(parts)),
        **_dictionary(names),
        "pointers": _pointers(posted, len(names)),
        "paragraphs": posted_in.astype(np.int32),
        "counts": counts,
        "headed": headed,
        "title_pointers": _pointers(np.sort(place[title]), len(names)),
        "titles": np.zeros(len(title), np.int32),
    }


def _term_places(terms_there: Ints, paragraphs: Ints) -> Ints:
    """(n, 2): a term and the paragraph that it stands in, or over which it stands."""
    return np.stack([terms_there, paragraphs], axis=1)


def _terms_in(text: str, code: str, known: dict[bytes, int]) -> Ints:
    read = words(text)
    return _terms_of(read, read.ids.astype(np.int64), code, known)


def _terms_of(text: Words, ids: Ints, code: str, known: dict[bytes, int]) -> Ints:
    """The terms of some words of a text in a language, numbered as they come."""
    used = np.unique(ids)
    numbers = np.zeros(len(text.spellings), np.int64)
    numbers[used] = _known(terms([text.spellings[number] for number in used.tolist()], code), code, known)
    return numbers[ids]


def _known(stems: Sequence[str], code: str, known: dict[bytes, int]) -> Ints:
    spelled = (f"{code}:{stem}".encode("utf-8", "surrogatepass") for stem in stems)
    return np.fromiter((known.setdefault(name, len(known)) for name in spelled), np.int64, len(stems))


def _dictionary(names: Sequence[bytes]) -> Arrays:
    return {
        "spelled": np.frombuffer(b"".join(names), dtype=np.uint8),
        "at": _sums([len(name) for name in names]),
    }


def _pointers(which: Ints, size: int) -> Ints:
    return _sums(np.bincount(which, minlength=size))


def _sums(sizes: npt.ArrayLike) -> Ints:
    return np.concatenate(([0], np.cumsum(np.asarray(sizes, dtype=np.int64)))).astype(np.int64)


class _Part(NamedTuple):
    """A segment that is merged, and its documents that live (D flags)."""

    segment: Segment
    living: Flags

    @property
    def names(self) -> list[bytes]:
        """Its terms."""
        at, spelled = self.segment.ints("at").tolist(), self.segment.arrays["spelled"].tobytes()
        return [spelled[begin:end] for begin, end in pairwise(at)]

    def living_terms(self, pointers: str, stays: Flags) -> Ints:
        """The term of each posting that stays."""
        at = self.segment.ints(pointers)
        return np.repeat(np.arange(len(at) - 1), np.diff(at))[stays]


def _with_vectors(segments: Sequence[Segment]) -> tuple[Sequence[Segment], tuple[str, ...]]:
    """Segments of which all have vectors or none, and the arrays that have a row for each paragraph."""
    sizes = {segment.arrays["vectors"].shape[1] for segment in segments if "vectors" in segment.arrays}
    if not sizes:
        return segments, _OF_PARAGRAPHS
    (size,) = sizes
    whole = []
    for segment in segments:
        count = len(segment.arrays["starts"])
        none = {"vectors": np.zeros((count, size), np.int8), "scales": np.zeros(count, np.float32)}
        whole.append(Segment({**none, **segment.arrays}))
    return whole, (*_OF_PARAGRAPHS, "vectors", "scales")


def merge(segments: Sequence[Segment], alive: Sequence[Flags]) -> Arrays:
    """One segment of the documents of several that live: the same as if no others had ever been there.

    Args:
        segments: in any order.
        alive: (D,) flags for each segment.
    """
    segments, columns_of = _with_vectors(segments)
    parts = [_Part(segment, living) for segment, living in zip(segments, alive, strict=True)]
    numbers = np.concatenate([part.segment.numbers[part.living] for part in parts])
    sizes = np.concatenate([np.diff(part.segment.ints("first"))[part.living] for part in parts])
    order = np.argsort(numbers)
    first, place = _sums(sizes[order]), np.empty_like(order)
    place[order] = np.arange(len(order))

    columns: dict[str, list[npt.NDArray[np.generic]]] = {}
    spelled: list[list[bytes]] = []
    begun = 0
    for part in parts:
        segment, living = part.segment, part.living
        places = np.full(len(living), -1, np.int64)
        places[living] = place[begun : (begun := begun + int(living.sum()))]
        shift = np.where(places >= 0, first[places] - segment.ints("first")[:-1], 0)
        paragraph = np.arange(int(segment.ints("first")[-1])) + segment.spread(shift)
        here = segment.spread(living)
        stays, titled = here[segment.ints("paragraphs")], living[segment.ints("titles")]
        posted, title_posted = part.living_terms("pointers", stays), part.living_terms("title_pointers", titled)
        used, names = np.union1d(posted, title_posted), part.names
        offset = sum(map(len, spelled))
        spelled.append([names[number] for number in used.tolist()])
        for name, values in (
            ("place", paragraph[here]),
            *((name, segment.arrays[name][here]) for name in columns_of),
            ("term", offset + np.searchsorted(used, posted)),
            ("paragraphs", paragraph[segment.ints("paragraphs")[stays]]),
            *((name, segment.arrays[name][stays]) for name in ("counts", "headed")),
            ("title_term", offset + np.searchsorted(used, title_posted)),
            ("titles", places[segment.ints("titles")[titled]]),
        ):
            columns.setdefault(name, []).append(values)
    whole = {name: np.concatenate(values) for name, values in columns.items()}
    names = sorted({name for part_names in spelled for name in part_names})
    known = {name: number for number, name in enumerate(names)}
    number_of = np.fromiter((known[name] for part_names in spelled for name in part_names), np.int64)
    term, title_term = number_of[whole["term"]], number_of[whole["title_term"]]
    back = np.argsort(whole["place"])
    by_term, by_title = np.lexsort((whole["paragraphs"], term)), np.lexsort((whole["titles"], title_term))
    return {
        "numbers": numbers[order],
        "first": first,
        **{name: whole[name][back] for name in columns_of},
        **_dictionary(names),
        "pointers": _pointers(term, len(names)),
        "paragraphs": whole["paragraphs"][by_term].astype(np.int32),
        **{name: whole[name][by_term] for name in ("counts", "headed")},
        "title_pointers": _pointers(title_term, len(names)),
        "titles": whole["titles"][by_title].astype(np.int32),
    }
