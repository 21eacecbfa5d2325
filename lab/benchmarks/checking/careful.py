"""True and subtly false claims about documents, written by reading them: what a checker lets pass.

    python lab/benchmarks/checking/careful.py --data DIR [--checker SPEC] [--claims kinds.jsonl] [--half develop]

`careful.jsonl` has ten true and ten subtly false claims about each of six real documents. They are a measurement: nothing
is fitted to them, and nobody who works on the rules reads which of them pass. The sixth document, a company's filing,
may be measured on only and is summed up apart. `kinds.jsonl` has 120 claims about twelve other documents, by kind of
difference, to work with: the rules are made on the half "develop", the figure is that of the half "test". Six of its
documents were written for it (`kinds/`).
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import citewell

HERE = Path(__file__).parent
APART = "financebench"


class Judged(NamedTuple):
    """A claim with what a careful reader and the checker say of it."""

    data: str
    claim: str
    supported: bool
    kind: str
    label: str
    score: float
    reason: str


def document(folder: Path, data: str) -> citewell.Document:
    """The document of `folder/file[:item]`: a file that a reader reads, or the text of one item of a data set."""
    name, _, item = data.partition(":")
    path = (HERE if name.startswith("kinds/") else folder) / name
    if not item:
        return citewell.read(path)
    text, number = path.read_text("utf-8"), int(item)
    if path.suffix == ".jsonl":
        row = json.loads(text.splitlines()[number])
        return citewell.Document.from_text(row["input"] if "input" in row else row["full_text"])
    whole: dict[str, Any] = json.loads(text)
    if "documents" in whole:
        return citewell.Document.from_text(whole["documents"][number]["text"])
    return citewell.Document.from_text("\n".join(part["context"] for part in whole["data"][number]["paragraphs"]))


def judged(folder: Path, checker: str, claims: str = "careful.jsonl", half: str = "") -> list[Judged]:
    """Every claim of a file, or of a half of it, with its verdict; documents in the order of the file."""
    by_document: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in (HERE / claims).read_text("utf-8").splitlines():
        row = json.loads(line)
        if row.pop("half", half) == half or not half:
            by_document[row["data"]].append(row)
    result = []
    for data, rows in by_document.items():
        verdicts = citewell.check(document(folder, data), [row["claim"] for row in rows], checker=checker)
        for row, verdict in zip(rows, verdicts, strict=True):
            reasons = "; ".join(f"{reason.kind}: {reason.message}" for reason in getattr(verdict, "reasons", ()))
            result.append(Judged(**row, label=verdict.label, score=verdict.score, reason=reasons))
    return result


def _counts(title: str, claims: Iterable[Judged]) -> str:
    true, false = [], []
    for claim in claims:
        (true if claim.supported else false).append(claim.label == "supported")
    kept = f"{sum(true)}/{len(true)}" if true else "-"
    passed = f"{sum(false)}/{len(false)}" if false else "-"
    return f"{title:<60} {kept:>8} {passed:>8}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--checker", default="lexical")
    parser.add_argument("--claims", default="careful.jsonl", choices=("careful.jsonl", "kinds.jsonl"))
    parser.add_argument("--half", default="", choices=("develop", "test"))
    parser.add_argument("--figures", action="store_true", help="no single claims: to measure without reading them")
    args = parser.parse_args()
    claims = judged(args.data, args.checker, args.claims, args.half)
    print(f"{'supported, of the claims that are':<60} {'true':>8} {'false':>8}")
    for data in dict.fromkeys(claim.data for claim in claims):
        print(_counts(data, (claim for claim in claims if claim.data == data)))
    print(_counts(f"all without {APART}", (claim for claim in claims if not claim.data.startswith(APART))))
    for kind in sorted({claim.kind for claim in claims}):
        print(_counts(f"  {kind}", (claim for claim in claims if claim.kind == kind)))
    if args.figures:
        return
    for title, supported in (("True, not called supported:", True), ("False, called supported:", False)):
        print(f"\n{title}")
        for claim in claims:
            if claim.supported is supported and (claim.label == "supported") is not supported:
                print(f"  {claim.label} {claim.score:.2f} [{claim.kind}] {claim.claim}  <{claim.reason}>")


if __name__ == "__main__":
    main()
