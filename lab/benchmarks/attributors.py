"""Time a statement of the attributors, in one run: words, embeddings, token states.

    python lab/benchmarks/attributors.py --model PATH [--sentences 400] [--statements 20]

PATH is a sentence encoder such as all-MiniLM-L6-v2. Each attributor gets a document that it has not seen; the time
includes its index, its embeddings and its forward passes, not the loading of the model.
"""

import argparse
import random
import time

from citewell import registry
from citewell.document import Document
from citewell.retrievers import cache
from citewell.text import segments
from citewell.types import Draft

SUBJECTS = ("The agency", "A rival firm", "Its owner", "The northern harbour", "Ann Smith", "The supreme court")
VERBS = ("rebuilt", "sold", "rejected", "praised", "inspected", "financed")
OBJECTS = ("twelve fishing boats", "a small music school", "the old paper mill", "its photographic archive")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", required=True)
    parser.add_argument("--sentences", type=int, default=400)
    parser.add_argument("--statements", type=int, default=20)
    options = parser.parse_args()
    rng = random.Random(2)

    def sentence(number):
        what = f"{rng.choice(SUBJECTS)} {rng.choice(VERBS)} {rng.choice(OBJECTS)}"
        return f"{what} near station {number} in {rng.randint(1950, 2020)}, as the report of that year says."

    specs = {
        "lexical": "lexical",
        "verbatim": "verbatim",
        "dense": f'retrieval(retriever="dense(model={options.model})")',
        "hidden-states": f"hidden-states(model={options.model})",
    }
    seconds = {}
    for name, spec in specs.items():
        attributor = registry.build("attributor", spec)
        attributor.attribute(Draft("Ready.", statements=segments.statements("Ready.")), [Document.from_text("Ready.")])
        for _ in range(2):
            lines = [sentence(number) for number in range(options.sentences)]
            answer = " ".join(rng.sample(lines, options.statements))
            document, draft = Document.from_text("\n\n".join(lines)), Draft(answer, None, segments.statements(answer))
            document.segments("sentence")
            cache.clear()
            started = time.perf_counter()
            attributor.attribute(draft, [document])
            spent = time.perf_counter() - started
            seconds[name] = min(seconds.get(name, float("inf")), spent)
    print(f"{options.sentences} sentences, {options.statements} statements")
    for name, spent in seconds.items():
        print(
            f"{name:14} {1000 * spent / options.statements:9.2f} ms a statement {spent / seconds['lexical']:8.1f} x lexical"
        )


if __name__ == "__main__":
    main()
