"""What is trained on, what is left out whole to measure with, and what of each set is held back."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from citewell.errors import InputError
from citewell.text.data import settings
from citewell_lab.train.checker.rows import Row, load
from citewell_lab.train.checker.sets import key, lines, plain, sentences
from citewell_lab.train.mini import claims, questions
from citewell_lab.train.mini.examples import Examples
from citewell_lab.train.mini.questions import Asked

ENTAILMENT = ("conjnli", "counterfactual_nli", "snli", "wanli_part", "scone")
CONTRAST = ("conjnli", "wanli_part", "factcg", "fever", "fm2", "contractnli", "factcheckbench")
QUESTIONS = ("squad2", "policyqa", "covidqa", "nq_open_oracle")
# Nothing of these is trained on, nor anything that shares a page, claim or premise with them.
LEFT_OUT = ("fever_symmetric", "scifact", "wice", "attributionbench", "salad")
LEFT_OUT_QUESTIONS = ("clapnq", "qasper")

Pages = Mapping[str, Sequence[str]]
Tell = Callable[[str], None]


class Parts(NamedTuple):
    """Rows and questions as they are, before anything is made of them."""

    rows: Sequence[Row]
    asked: Sequence[Asked]


def held(group: str, share: float) -> bool:
    """Whether a group is kept to measure with, by its name alone."""
    return int.from_bytes(hashlib.blake2b(group.encode(), digest_size=4).digest()) / 2**32 < share


def parts(data: Path) -> tuple[Parts, Parts]:
    """What may be trained on, and what is measured: groups held back, left-out sets, and all that is tied to these.

    Raises:
        InputError: the folder has none of the sets.
    """
    share = settings(__package__)["held"]
    rows = load(data, (*dict.fromkeys((*ENTAILMENT, *CONTRAST)), *LEFT_OUT))
    loaded = questions.load(data, QUESTIONS)
    if not rows and not loaded:
        raise InputError(
            f"{data} has none of the sets that the small model is trained on: {', '.join(ENTAILMENT)}, ..."
        )
    kept_out = {row.group for row in rows if row.set in LEFT_OUT} | questions.told_by_others(data)
    train = Parts(
        [row for row in rows if row.group not in kept_out and not held(row.group, share)],
        [row for row in loaded if row.group not in kept_out and not held(row.group, share)],
    )
    trained = {row.group for row in train.rows} | {row.group for row in train.asked}
    return train, Parts(
        [row for row in rows if row.group not in trained], [row for row in loaded if row.group not in trained]
    )


def examples(data: Path, *, seed: int = 0, tell: Tell = lambda _: None) -> Examples:
    """All that is learnt from.

    Raises:
        InputError: the folder has none of the sets.
    """
    s = settings(__package__)
    train, _ = parts(data)
    tell(f"{len(train.rows):,} claims and {len(train.asked):,} questions may be trained on")
    chosen = drawn(train.rows, CONTRAST, int(s["contrast_a_set"]), seed)
    pages = _pages(data, train)
    for name, listed in pages.items():
        chosen += claims.copied(listed, name, int(s["copied"]), seed)
    families = claims.contrasted(chosen, seed)
    everywhere: dict[str, Sequence[str]] = {
        page: listed for members in pages.values() for page, listed in members.items()
    }
    families = claims.widened(families, everywhere, seed)
    families += claims.silent(chosen, everywhere, int(s["silent"]), seed)
    tell(f"{len(families):,} families of {sum(len(family.members) for family in families):,} claims")
    return Examples(
        claims.single(row for row in train.rows if row.set in ENTAILMENT),
        families,
        questions.windows(train.asked, seed),
        questions.rankings(train.asked, seed),
    )


def drawn(rows: Sequence[Row], names: Iterable[str], most: int, seed: int) -> list[Row]:
    """At most so many rows of each set."""
    result: list[Row] = []
    for name in names:
        members = [row for row in rows if row.set == name]
        result += members if len(members) <= most else random.Random(f"{seed}:{name}").sample(members, most)  # noqa: S311  (a draw)
    return result


def _pages(data: Path, train: Parts) -> dict[str, Pages]:
    """Sentences of the pages that lie beside the sets, by collection; only of groups that may be trained on."""
    result: dict[str, Pages] = {}
    groups = {row.group for row in train.rows}
    # Claims of FEVER name their page first; a page whose claims are held back is not shown either.
    titles = {row.evidence[0] for row in train.rows if row.set == "fever" and row.group in groups}
    try:
        rows = list(lines(data / "fever/docs.jsonl"))
    except (FileNotFoundError, InputError):
        rows = []
    wiki = {plain(row["docid"]): [plain(text) for text in row["text"].split("\n") if text.strip()] for row in rows}
    result["fever_pages"] = {title: listed for title, listed in wiki.items() if title in titles}
    for name in ("covidqa", "squad2", "policyqa"):
        texts = {row.text: row.group for row in train.asked if row.set == name}
        result[name] = {f"{group}:{key(text)}": sentences(text) for text, group in texts.items()}
    return {name: listed for name, listed in result.items() if listed}
