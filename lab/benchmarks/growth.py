"""How segmenting, indexing and attributing grow from 1,000 to 1,000,000 words, beside rank_bm25 in the same run.

python lab/benchmarks/growth.py --data DIR
"""

import argparse
import time
from pathlib import Path

from attribution import answer_of, rank_bm25, text_of

from citewell.attributors.lexical import Lexical
from citewell.document import Document
from citewell.text.index import index
from citewell.text.segments import statements
from citewell.types import Draft


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    args = parser.parse_args()
    print(
        f"{'words':>10}{'segment':>12}{'index':>12}{'attribute':>12}{'together':>12}{'per word':>12}{'rank_bm25':>12}"
    )
    for words in (1_000, 10_000, 100_000, 1_000_000):
        text = text_of(args.data, words)
        began = time.perf_counter()
        document = Document.from_text(text)
        segments = document.segments("sentence")
        segmented = time.perf_counter()
        index([document])
        indexed = time.perf_counter()
        sentences = [segment.text for segment in segments]
        answer = answer_of(sentences, min(20, max(3, len(sentences) // 4)))
        draft = Draft(answer, None, statements(answer))
        counter = time.perf_counter()
        Lexical().attribute(draft, [document])
        done = time.perf_counter()
        peer = rank_bm25(document, answer, sentences, [answer[a:b] for a, b in draft.statements])
        parts = [segmented - began, indexed - segmented, done - counter]
        row = [f"{1000 * part:.1f} ms" for part in (*parts, sum(parts))]
        print(
            f"{words:10,}"
            + "".join(f"{cell:>12}" for cell in row)
            + f"{1e6 * sum(parts) / words:9.2f} us{1000 * peer:9.0f} ms",
            flush=True,
        )


if __name__ == "__main__":
    main()
