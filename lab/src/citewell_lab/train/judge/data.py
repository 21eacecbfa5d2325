"""The judge's training data by kinds of families; sets held out completely, and groups held back."""

from __future__ import annotations

import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from citewell.errors import InputError
from citewell.text.data import read_json, settings
from citewell.types import Span
from citewell_lab.bench import flips
from citewell_lab.bench.flips import Pool
from citewell_lab.train.checker.rows import Row, load
from citewell_lab.train.checker.sets import key, lines, plain, sentences
from citewell_lab.train.judge import answers, changes, claims, questions, relations, rewrites, tables, trials
from citewell_lab.train.judge.changes import Variant
from citewell_lab.train.judge.examples import NEITHER, SUPPORTED, Family, Judged

PEOPLE = ("conjnli", "counterfactual_nli", "snli", "wanli_part", "summedits", "factcg", "contractnli", "fm2")
WRITTEN = ("fm2", "contractnli", "factcg", "wanli_part", "conjnli")
QUESTION_SETS = ("squad2", "policyqa", "covidqa", "nq_open_oracle")
OTHERS = ("tatqa", "aitqa", "evidence_inference")
# Nothing of these is trained on, nor anything that shares a page, claim or premise with them.
LEFT_OUT = (
    "fever_symmetric", "scifact", "wice", "attributionbench", "salad", "expertqa", "begin", "factcheckbench",
)  # fmt: skip
# Its claims are not trained on, because VitaminC was made from them; they tie the pages that left-out claims speak of.
_TIES = "fever"
_WORDS = 220  # of evidence at most
_A_GROUP = 9  # claims of a family that people judged
_REPEATS = 2  # times that one claim is changed, over other evidence each time

Pages = Mapping[str, Sequence[str]]
Tell = Callable[[str], None]


def families(data: Path, *, seed: int = 0, share: float = 1.0, tell: Tell = lambda _: None) -> list[Family]:
    """All that is learnt from.

    Args:
        data: the folder of the public sets.
        seed: of every draw.
        share: of each kind's count.
        tell: is given lines of progress.

    Raises:
        InputError: the folder has none of the sets.
    """
    counts = {
        kind: max(1, int(count * share)) for kind, count in read_json(__package__, "settings.json")["families"].items()
    }
    train, left_out = _rows(data)
    queries = [row for row in questions.load(data, QUESTION_SETS) if row.group not in left_out and _free(row.group)]
    if not train and not queries:
        raise InputError(f"{data} has none of the sets that the judge is trained on: {', '.join(PEOPLE)}, ...")
    tell(f"{len(train):,} claims and {len(queries):,} questions may be trained on")
    pages = _pages(data, left_out, queries)
    everywhere = {page: listed for subset in pages.values() for page, listed in subset.items()}
    pools = {name: Pool.of(_first_sentences(subset)) for name, subset in pages.items()}
    pools["rows"] = Pool.of(text for row in train[:: max(1, len(train) // 4000)] for text in row.evidence[:10])
    builder = _Builder(pools["rows"], everywhere, seed)
    result = _people(train, counts["people"], seed)
    tell(f"{len(result):,} families that people judged")
    written = _drawn([row for row in train if row.set in WRITTEN and row.label == "supported"], counts["written"], seed)
    builder.others = [row.claim for row in written]
    result += builder.families(written)
    for name, subset in pages.items():
        copied = claims.copied(subset, name, counts["pages"] // len(pages), seed)
        builder.pool = pools[name]
        builder.others = [row.claim for row in copied]
        result += builder.families(_widened(row, everywhere, builder.chance) for row in copied)
    tell(f"{len(result):,} families with changed claims: {dict(builder.counts)}")
    result += relations.families(list(pools.values()), counts["relations"], seed)
    result += tables.families([grid for grid in tables.grids(data) if _free(grid.group)], counts["tables"], seed)
    result += answers.families(queries, counts["answers"], seed)
    result += trials.families(data, counts["trials"], seed)
    tell(f"{len(result):,} families of {sum(len(family.members) for family in result):,} claims")
    return result


def _first_sentences(pages: Pages) -> Iterator[str]:
    return (text for listed in list(pages.values())[:400] for text in listed)


def kept_back(data: Path) -> list[Row]:
    """Rows of the sets that are trained on whose groups are held back."""
    rows = load(data, tuple(dict.fromkeys((*PEOPLE, *WRITTEN, *LEFT_OUT, _TIES))))
    left_out = {row.group for row in rows if row.set in LEFT_OUT}
    return [
        row for row in rows if row.set not in (*LEFT_OUT, _TIES) and row.group not in left_out and not _free(row.group)
    ]


def _rows(data: Path) -> tuple[list[Row], set[str]]:
    rows = load(data, tuple(dict.fromkeys((*PEOPLE, *WRITTEN, *LEFT_OUT, _TIES))))
    left_out = {row.group for row in rows if row.set in LEFT_OUT} | questions.groups_of_clapnq(data)
    return [row for row in rows if row.set != _TIES and row.group not in left_out and _free(row.group)], left_out


def held(group: str, share: float) -> bool:
    """Whether a group is kept to measure with, by its name alone."""
    return int.from_bytes(hashlib.blake2b(group.encode(), digest_size=4).digest()) / 2**32 < share


def _free(group: str) -> bool:
    return not held(group, settings(__package__)["held"])


def _drawn(rows: Sequence[Row], count: int, seed: int) -> list[Row]:
    """At most so many rows, each set alike as far as it goes, none with longer evidence than is read."""
    by_set: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if 4 <= sum(len(text.split()) for text in row.evidence) <= _WORDS and len(row.claim.split()) >= 4:
            by_set[row.set].append(row)
    result: list[Row] = []
    for place, (name, subset) in enumerate(sorted(by_set.items(), key=lambda item: len(item[1]))):
        most = (count - len(result)) // (len(by_set) - place)
        result += subset if len(subset) <= most else random.Random(f"{seed}:{name}").sample(subset, most)  # noqa: S311  (a draw)
    return result


def _people(rows: Sequence[Row], count: int, seed: int) -> list[Family]:
    """Claims that people judged, those of one group together: they differ by what turns the label."""
    groups: dict[tuple[str, str], dict[Row, None]] = defaultdict(dict)
    for row in rows:
        if row.set in PEOPLE and sum(len(text.split()) for text in row.evidence) <= _WORDS * 1.3:
            groups[row.set, row.group].setdefault(row)
    by_set: dict[str, list[Family]] = defaultdict(list)
    for (name, group), members in groups.items():
        listed = sorted(members, key=lambda row: row.evidence)
        for start in range(0, len(listed), _A_GROUP):
            part = [claims.judged(row) for row in listed[start : start + _A_GROUP]]
            by_set[name].append(Family(name, group, tuple(part)))
    result: list[Family] = []
    for place, (name, subset) in enumerate(sorted(by_set.items(), key=lambda item: len(item[1]))):
        most = (count - len(result)) // (len(by_set) - place)
        # Families that hold both a true and a false claim teach most; the others come after them.
        mixed = [family for family in subset if len({member.label == SUPPORTED for member in family.members}) == 2]
        rest = [family for family in subset if len({member.label == SUPPORTED for member in family.members}) < 2]
        chance = random.Random(f"{seed}:{name}:people")  # noqa: S311  (a draw)
        chance.shuffle(mixed)
        chance.shuffle(rest)
        result += (mixed + rest)[:most]
    return result


class _Builder:
    """Makes families of supported claims: changed, rewritten, over changed and over silent evidence."""

    def __init__(self, pool: Pool, pages: Pages, seed: int) -> None:
        self.pool, self.pages, self.seed = pool, pages, seed
        self.chance = random.Random(f"{seed}:families")  # noqa: S311  (a draw, no secret)
        self.counts: Counter[str] = Counter()
        self._times: Counter[str] = Counter()
        self.others: list[str] = []  # sentences of which clauses are invented

    def families(self, rows: Iterable[Row]) -> Iterator[Family]:
        """One family a row; a claim that came too often is left out."""
        for row in rows:
            self._times[row.claim] += 1
            if self._times[row.claim] <= _REPEATS:
                yield Family(row.set, row.group, tuple(self._members(row)))

    def _members(self, row: Row) -> Iterator[Judged]:
        chance, evidence, claim = self.chance, " ".join(row.evidence), row.claim
        false = changes.changes(claim, row.evidence, self.pool, chance)
        false.sort(key=lambda variant: self.counts[variant.kind] + chance.random())
        false = false[: chance.choice((2, 3, 3))]
        if chance.random() < 0.4:
            extra = changes.invented(claim, self._untold(row), chance)
            false += [extra] if extra else []
        self.counts.update(variant.kind for variant in false)
        true = self._rewritten(row)
        yield self._framed(evidence, claim, SUPPORTED, ())
        for variant in false:
            yield self._framed(evidence, variant.text, variant.label, variant.wrong)
        for text in true:
            yield self._framed(evidence, text, SUPPORTED, ())
        if false and chance.random() < 0.5:
            for variant in false:
                mirror = changes.mirrored(evidence, variant)
                if mirror:
                    self.counts["mirrored"] += 1
                    yield Judged(mirror, variant.text, SUPPORTED, ())
                    yield Judged(mirror, claim, variant.label)
                    break
        if chance.random() < 0.3:
            silent = self._silent(row)
            if silent:
                self.counts["silent"] += 1
                yield self._framed(silent, claim, NEITHER, None)

    def _untold(self, row: Row) -> str:
        """A sentence that the evidence does not say: of another page, or one of its own with a fact changed."""
        subset = [text for text in row.evidence if text != row.claim and 5 <= len(text.split()) <= 24]
        if subset and self.chance.random() < 0.5:
            variant = changes.changes(self.chance.choice(subset), row.evidence, self.pool, self.chance)
            if variant:
                return self.chance.choice(variant).text
        return self.chance.choice(self.others) if self.others else ""

    def _framed(self, evidence: str, claim: str, label: int, wrong: tuple[Span, ...] | None) -> Judged:
        if self.chance.random() < 0.2:
            claim, moved = rewrites.framed(claim, wrong or (), self.chance)
            wrong = None if wrong is None else moved
        return Judged(evidence, claim, label, wrong)

    def _rewritten(self, row: Row) -> list[str]:
        chance, claim = self.chance, row.claim
        result = [change.text for change in flips.rewrites(claim, seed=self.seed, half="seen")]
        result += [text for text in (rewrites.trimmed(claim), rewrites.voiced(claim)) if text]
        others = [text for text in row.evidence if text != claim and len(text.split()) > 4]
        if others and chance.random() < 0.4:
            text = rewrites.joined(claim, chance.choice(others), chance)
            result += [text] if text else []
        chance.shuffle(result)
        return result[: chance.choice((1, 2, 2))]

    def _silent(self, row: Row) -> str | None:
        """The evidence without the sentence that says it, where the claim is copied; else another page's sentences."""
        rest = [text for text in row.evidence if text != row.claim]
        if len(rest) < len(row.evidence) and rest:
            return " ".join(rest)
        if not self.pages:
            return None
        words = set(row.claim.lower().split())
        pages = [self.pages[self.chance.choice(list(self.pages))] for _ in range(6)]
        best = max(pages, key=lambda page: len(words & set(" ".join(page[:6]).lower().split())))
        return " ".join(best[:4])


def _widened(row: Row, pages: Pages, chance: random.Random) -> Row:
    """Some rows over more sentences, up to eight, of another page before or behind."""
    if chance.random() < 0.6 or not pages:
        return row
    listed = pages[chance.choice(list(pages))]
    added = tuple(listed[: max(1, 8 - len(row.evidence))][: chance.randrange(1, 6)])
    evidence = (*added, *row.evidence) if chance.random() < 0.5 else (*row.evidence, *added)
    return row._replace(evidence=evidence) if sum(len(text.split()) for text in evidence) <= _WORDS else row


def _pages(data: Path, left_out: set[str], queries: Sequence[Any]) -> dict[str, Pages]:
    """Sentences of pages by collection; none whose page a left-out set speaks of."""
    try:
        rows = list(lines(data / "fever/docs.jsonl"))
    except (FileNotFoundError, InputError):
        rows = []
    wiki = {plain(row["docid"]): [plain(text) for text in row["text"].split("\n") if text.strip()] for row in rows}
    result: dict[str, Pages] = {}
    result["fever_pages"] = {
        title: listed
        for title, listed in wiki.items()
        if not ({f"wiki:{title}", *(f"fever:{key(text)}" for text in listed)} & left_out) and _free(f"wiki:{title}")
    }
    for name in ("covidqa", "squad2", "policyqa"):
        texts = {row.text: row.group for row in queries if row.set == name}
        result[name] = {f"{group}:{key(text)}": sentences(text) for text, group in texts.items()}
    return {name: listed for name, listed in result.items() if listed}


__all__ = ["LEFT_OUT", "Variant", "families", "kept_back"]
