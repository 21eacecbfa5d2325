"""Other engines on the same paragraphs, each at its best: stop words removed, words stemmed, fields weighted.

Every engine is tried with each weight of titles and headings in `WEIGHTS` and each rule that makes a document's score of
its paragraphs' in `FADING`; the setting that is best on the very questions that are shown is the one that is shown, so
that a peer is never shown below what it can do. rank_bm25 and bm25s have no fields: titles and headings are repeated.
"""

from __future__ import annotations

import re
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import Stemmer

WEIGHTS = (0, 0.25, 0.5, 1)  # of titles and headings, against 1 of the paragraph
FADING = (0.0, 0.4)  # of a document's further paragraphs; 0 is the best paragraph alone
FTS_WEIGHTS = (0.5, 1, 2)

Search = Callable[[str, int], list[tuple[int, float]]]


class Engine(NamedTuple):
    """One engine with one setting; `build` is in seconds of processor time."""

    name: str
    setting: str
    search: Search
    build: float


class Paragraph(NamedTuple):
    title: str
    heading: str
    text: str


def stop_words() -> frozenset[str]:
    from bm25s.stopwords import STOPWORDS_EN_PLUS

    return frozenset(STOPWORDS_EN_PLUS)


class Words:
    """Tokens as all engines get them where they have no tokenizer of that kind."""

    def __init__(self) -> None:
        self._stop, self._stem = stop_words(), Stemmer.Stemmer("english")

    def plain(self, text: str) -> list[str]:
        words = [word for word in re.findall(r"\w+", text.casefold()) if len(word) > 1 or word.isdigit()]
        return [word for word in words if word not in self._stop] or words

    def stems(self, text: str) -> list[str]:
        return self._stem.stemWords(self.plain(text))


def engines(paragraphs: list[Paragraph], *, slow: bool = True) -> Iterator[Engine]:
    words = Words()
    yield from _tantivy(paragraphs, words)
    yield from _fts(paragraphs, words)
    started = time.process_time()
    heads = [words.stems(f"{part.title} {part.heading}") for part in paragraphs]
    bodies = [words.stems(part.text) for part in paragraphs]
    tokenized = time.process_time() - started
    for weight in (1, 2, 3, 4):
        tokens = [head * weight + body for head, body in zip(heads, bodies, strict=True)]
        yield _bm25s(tokens, words, weight, tokenized)
        if slow and weight == 1:
            yield _rank_bm25(tokens, words, weight, tokenized)


def _tantivy(paragraphs: list[Paragraph], words: Words) -> Iterator[Engine]:
    import tantivy

    started = time.process_time()
    schema = tantivy.SchemaBuilder()
    for name in ("title", "heading", "text"):
        schema.add_text_field(name, tokenizer_name="en_stem")
    schema.add_integer_field("n", stored=True)
    with tempfile.TemporaryDirectory() as folder:
        index = tantivy.Index(schema.build(), path=folder)
        writer = index.writer(num_threads=1)
        for place, part in enumerate(paragraphs):
            writer.add_document(tantivy.Document(title=part.title, heading=part.heading, text=part.text, n=place))
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        built, searcher = time.process_time() - started, index.searcher()
        for weight in WEIGHTS:
            boosts = {"text": 1.0} | ({"title": float(weight), "heading": float(weight)} if weight else {})

            def search(question: str, k: int, boosts: dict[str, float] = boosts) -> list[tuple[int, float]]:
                query = index.parse_query(" ".join(words.plain(question)), list(boosts), boosts)
                return [(searcher.doc(at)["n"][0], score) for score, at in searcher.search(query, k).hits]

            yield Engine("tantivy", f"titles {weight}", search, built)


def _fts(paragraphs: list[Paragraph], words: Words) -> Iterator[Engine]:
    started = time.process_time()
    base = sqlite3.connect(":memory:")
    base.execute("CREATE VIRTUAL TABLE t USING fts5(title, heading, text, tokenize='porter unicode61')")
    base.executemany(
        "INSERT INTO t(rowid, title, heading, text) VALUES (?, ?, ?, ?)", ((n, *p) for n, p in enumerate(paragraphs))
    )
    base.execute("INSERT INTO t(t) VALUES ('optimize')")
    built = time.process_time() - started
    for weight in FTS_WEIGHTS:

        def search(question: str, k: int, weight: float = weight) -> list[tuple[int, float]]:
            terms = " OR ".join(f'"{word}"' for word in words.plain(question))
            ranked = f"SELECT rowid, -bm25(t, {weight}, {weight}, 1.0) AS score FROM t WHERE t MATCH ? ORDER BY score DESC LIMIT ?"  # noqa: S608
            return base.execute(ranked, (terms, k)).fetchall() if terms else []

        yield Engine("SQLite FTS5", f"titles {weight}", search, built)


def _bm25s(tokens: list[list[str]], words: Words, weight: int, tokenized: float) -> Engine:
    import bm25s

    started = time.process_time()
    index = bm25s.BM25()
    index.index(tokens, show_progress=False)

    def search(question: str, k: int) -> list[tuple[int, float]]:
        places, scores = index.retrieve([words.stems(question)], k=min(k, len(tokens)), show_progress=False)
        return [(int(place), float(score)) for place, score in zip(places[0], scores[0], strict=True) if score > 0]

    return Engine("bm25s", f"titles {weight}", search, tokenized + time.process_time() - started)


def _rank_bm25(tokens: list[list[str]], words: Words, weight: int, tokenized: float) -> Engine:
    import numpy as np
    from rank_bm25 import BM25Okapi

    started = time.process_time()
    index = BM25Okapi(tokens)

    def search(question: str, k: int) -> list[tuple[int, float]]:
        scores = index.get_scores(words.stems(question))
        best = np.argsort(-scores, kind="stable")[:k]
        return [(int(place), float(scores[place])) for place in best if scores[place] > 0]

    return Engine("rank_bm25", f"titles {weight}", search, tokenized + time.process_time() - started)
