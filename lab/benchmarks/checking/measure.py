"""Measure a checker on people's labels, on contrasts that people wrote and on claims with one fact changed.

    python lab/benchmarks/checking/measure.py --data DIR --checker lexical --checker minicheck [--sample 600]

From Python: `measure(data, {"mine": score})`, where `score(rows)` gives a number a row, higher is better supported, or
a pair of numbers and labels; or `table(rows, {"mine": numbers})` for numbers that were made elsewhere (crossed ones).

Beside every checker stand models that read one side alone (words of the claim, words of the evidence; cross-validated
by group): a set where they are far from 50 can be guessed without reading.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from intervals import accuracy, auc, caught_at_kept, interval, macro_f1, ranked

from citewell import registry
from citewell.document import Document
from citewell.protocols import Pair
from citewell_lab.bench.flips import Half
from citewell_lab.bench.metrics import labels as label_metrics
from citewell_lab.bench.metrics.kept import KEPT, threshold_at_kept
from citewell_lab.train.checker.changed import ORIGINAL, with_originals
from citewell_lab.train.checker.rows import Row, load, present
from citewell_lab.train.checker.sets import CHANGED, CONTRASTS, SETS

Scored = tuple[np.ndarray, list[str] | None]
Score = Callable[[Sequence[Row]], Sequence[float] | tuple[Sequence[float], Sequence[str]]]
SLOW = ("snli", "wanli_part", "wiki_nli", "fever_page", "expertqa", "wice_cited")  # only where they are asked for


def checker(spec) -> Score:
    """A checker, by spec or as an object, as a function of rows. Documents are shared by equal evidence."""
    built = registry.build("checker", spec)

    def score(rows: Sequence[Row]) -> tuple[list[float], list[str]]:
        documents: dict[tuple[str, ...], tuple[Document, ...]] = {}
        scores, labels = [], []
        for start in range(0, len(rows), 256):
            pairs = []
            for row in rows[start : start + 256]:
                if row.evidence not in documents:
                    documents[row.evidence] = (Document.from_passages(row.evidence),)
                pairs.append(Pair(row.claim, documents[row.evidence]))
            verdicts = built.check(pairs)
            scores += [0.0 if verdict.failed else verdict.score for verdict in verdicts]
            labels += [verdict.label for verdict in verdicts]
            documents.clear()
        return scores, labels

    return score


def claim_only(rows: Sequence[Row]) -> list[float]:
    """The probability of support from the claim's words alone."""
    return _one_sided(rows, lambda row: row.claim)


def evidence_only(rows: Sequence[Row]) -> list[float]:
    """The probability of support from the evidence's words alone."""
    return _one_sided(rows, lambda row: " ".join(row.evidence))


def _one_sided(rows: Sequence[Row], text: Callable[[Row], str]) -> list[float]:
    """The probability of support from one text's words, each set by itself, crossed over groups."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold

    result = np.full(len(rows), 0.5)
    for name in {row.set for row in rows}:
        here = np.array([number for number, row in enumerate(rows) if row.set == name])
        good = np.array([rows[number].label == "supported" for number in here])
        groups = np.array([rows[number].group for number in here])
        if len(set(groups)) < 5 or good.all() or not good.any():
            continue
        x = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True).fit_transform(text(rows[n]) for n in here)
        for train, test in GroupKFold(5).split(x, good, groups):
            if good[train].all() or not good[train].any():
                continue
            model = LogisticRegression(C=3, max_iter=300).fit(x[train], good[train])
            result[here[test]] = model.predict_proba(x[test])[:, 1]
    return result.tolist()


def measure(
    data: Path,
    systems: Mapping[str, Score],
    *,
    sets: Sequence[str] = (),
    sample: int = 600,
    a_kind: int = 40,
    half: Half = "held",
    seed: int = 0,
    quiet: bool = False,
) -> dict[str, dict[str, dict[str, float]]]:
    """Load, change, score, print; the figures by system and set. `a_kind` changes of a kind are measured a set."""
    wanted = sets or [name for name in SETS if name not in SLOW]
    loaded = load(data, present(data, wanted), sample=sample, seed=seed)
    if a_kind:
        sources = present(data, [name for name in CHANGED if not sets or name in sets])
        loaded += with_originals(load(data, sources, sample=2 * sample, seed=seed), a_kind, half=half, seed=seed)
    scored: dict[str, Scored] = {}
    for name, score in systems.items():
        began = time.perf_counter()
        result = score(loaded)
        scored[name] = (np.array(result[0]), list(result[1])) if isinstance(result, tuple) else (np.array(result), None)
        if not quiet:
            print(f"{name}: {len(loaded)} claims in {time.perf_counter() - began:.1f} s")
    return table(loaded, scored, quiet=quiet)


def table(
    rows: Sequence[Row], systems: Mapping[str, Scored | Sequence[float]], *, quiet: bool = False
) -> dict[str, dict[str, dict[str, float]]]:
    """The figures of numbers that are there already, in the order of the rows."""
    result: dict[str, dict[str, dict[str, float]]] = {}
    originals = np.array([not row.kind for row in rows])
    for system, value in systems.items():
        scores, labels = value if isinstance(value, tuple) else (np.asarray(value, dtype=float), None)
        result[system] = _by_set([row for row in rows if not row.kind], scores[originals], _only(labels, originals))
        if not originals.all():
            result[system] |= _changed(rows, scores, labels)
    if not quiet:
        for system, figures in result.items():
            _show(system, figures)
    return result


def _only(labels, where):
    return None if labels is None else [label for label, here in zip(labels, where, strict=True) if here]


def _by_set(verdicts, scores, labels):
    result = {}
    names = np.array([row.set for row in verdicts])
    truth = np.array([row.label for row in verdicts])
    for name in dict.fromkeys(names.tolist()):
        here = names == name
        mine = [row for row, yes in zip(verdicts, here, strict=True) if yes]
        result[name] = _figures(mine, scores[here], _only(labels, here))
        if name == "salad":
            result[name] |= _salad(mine, scores[here])
        if name in CONTRASTS and (truth[here] == "not").any():
            clear = here & (truth != "not")
            mine = [row for row, yes in zip(verdicts, clear, strict=True) if yes]
            result[f"{name}, contradicted"] = _figures(mine, scores[clear], _only(labels, clear))
    contrasts = [result[name] for name in CONTRASTS if name in result]
    if contrasts:
        result["contrasts, mean"] = {
            figure: float(
                np.mean([float(getattr(contrast[figure], "value", contrast[figure])) for contrast in contrasts])
            )
            for figure in ("auc", "accuracy", "macro_f1", "caught_at_kept_75", "ranked")
        } | {"n": sum(contrast["n"] for contrast in contrasts)}
    return result


def _figures(verdicts, scores, labels):
    good = np.array([row.label == "supported" for row in verdicts])
    groups = np.array([row.group for row in verdicts])
    result = {"n": len(verdicts), "share": float(good.mean())}
    if good.any() and not good.all():
        result |= {
            "auc": interval(auc, scores, good, groups),
            "accuracy": accuracy(scores, good, groups),
            "macro_f1": macro_f1(scores, good, groups),
            "caught_at_kept_75": interval(caught_at_kept, scores, good, groups),
            "ranked": ranked(scores, pairs_of(verdicts)),
        }
    if labels is not None:
        passed = np.array([label == "supported" for label in labels])
        result |= {"kept": float(passed[good].mean()), "passed": float(passed[~good].mean()) if (~good).any() else 0.0}
    return result


def pairs_of(rows: Sequence[Row]) -> np.ndarray:
    """Positions of a supported and an unsupported row that share the claim or the evidence."""
    by: dict[object, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for number, row in enumerate(rows):
        for shared in (row.claim, row.evidence):
            by[shared][row.label != "supported"].append(number)
    drawn = [(a, b) for good, bad in by.values() for a in good[:5] for b in bad[:5]]
    return np.array(drawn, dtype=int).reshape(-1, 2)


def _salad(verdicts, scores):
    """The paper's protocol: one threshold for all settings that maximises the mean F1 of the rarer class."""
    rare = []
    for setting in dict.fromkeys(row.part for row in verdicts):
        here = [number for number, row in enumerate(verdicts) if row.part == setting]
        gold = [verdicts[number].label == "supported" for number in here]
        rare.append((gold, scores[here], setting in {"gpt3", "alpaca"}))
    tuned = label_metrics.tune(rare)
    return {"f1_tuned": tuned.f1, "accuracy_tuned": tuned.accuracy}


def _changed(verdicts, scores, labels):
    """Claims with one fact changed, and rewritten ones that still hold, beside the claims that they were made from."""
    result = {}
    kinds = np.array([row.kind for row in verdicts])
    names = np.array([row.set for row in verdicts])
    good = np.array([row.label == "supported" for row in verdicts])
    original = kinds == ORIGINAL
    groups = np.array([row.group for row in verdicts])
    passed = None if labels is None else np.array([label == "supported" for label in labels])
    threshold = threshold_at_kept(scores[original])
    result["originals"] = {"n": int(original.sum()), "kept_at_75": float((scores[original] >= threshold).mean())}
    if passed is not None:
        result["originals"]["kept"] = float(passed[original].mean())
    changed = (kinds != "") & ~original & ~good

    def caught(here):
        both = original & np.isin(names, list(set(names[here]))) | here
        figures = {"n": int(here.sum()), "caught_at_kept_75": float((scores[here] < threshold).mean())}
        figures["auc"] = interval(auc, scores[both], ~here[both], groups[both])
        return figures | ({} if passed is None else {"caught": float(1 - passed[here].mean())})

    result["flips"] = caught(changed)
    for kind in dict.fromkeys(kinds[changed].tolist()):
        result[f"flips: {kind}"] = caught(changed & (kinds == kind))
    for name in dict.fromkeys(names[changed].tolist()):
        result[f"flips of {name}"] = caught(changed & (names == name))
    for kind in dict.fromkeys(kinds[(kinds != "") & ~original & good].tolist()):
        here = (kinds == kind) & good
        result[f"rewritten: {kind}"] = {"n": int(here.sum()), "kept_at_75": float((scores[here] >= threshold).mean())}
        if passed is not None:
            result[f"rewritten: {kind}"]["kept"] = float(passed[here].mean())
    return result


_COLUMNS = (
    ("auc", "AUC (95%)", 18), ("accuracy", "acc", 6), ("macro_f1", "mF1", 6), ("caught_at_kept_75", f"caught@{KEPT:.0%}", 18),
    ("ranked", "ranked", 7), ("kept_at_75", "kept@75", 8), ("kept", "kept", 6), ("passed", "passed", 7), ("caught", "caught", 7),
)  # fmt: skip


def _show(system, figures):
    """One table; kept, passed and caught are at the checker's own labels."""
    print(f"\n== {system}\n{'':34}{'n':>6}{'supp':>6}" + "".join(f"{title:>{width}}" for _, title, width in _COLUMNS))
    for name, row in figures.items():
        line = f"{name:34}{row['n']:6}{_percent(row.get('share')):>6}"
        line += "".join(f"{_percent(row.get(key)):>{width}}" for key, _, width in _COLUMNS)
        extra = [f"{key} {100 * row[key]:.1f}" for key in ("f1_tuned", "accuracy_tuned") if key in row]
        print(line + ("  " + ", ".join(extra) if extra else ""))


def _percent(value):
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    return format(value) if isinstance(value, tuple) else f"{100 * value:.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--checker", action="append", default=[], help="a spec; may be given several times")
    parser.add_argument("--sets", nargs="*", default=())
    parser.add_argument("--sample", type=int, default=600, help="about how many claims a set, whole groups")
    parser.add_argument("--flips", type=int, default=40, help="changes of a kind a set; 0 for none")
    parser.add_argument("--half", choices=("held", "seen", "all"), default="held", help="of the words of changes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-baseline", action="store_true", help="without the models of one side")
    parser.add_argument("--out", type=Path, help="append the figures to this JSON file: figures.json of a model's card")
    args = parser.parse_args()
    systems: dict[str, Score] = {spec: checker(spec) for spec in args.checker or ["lexical"]}
    if not args.no_baseline:
        systems |= {"claim only": claim_only, "evidence only": evidence_only}
    result = measure(
        args.data, systems, sets=args.sets, sample=args.sample, a_kind=args.flips, half=args.half, seed=args.seed
    )
    if args.out:
        plain = {spec: re.sub(r"model=[^,()]*", "model=RUN/model", spec) for spec in result}
        assert len(set(plain.values())) == len(plain), "figures of one model go into a file"
        append(args.out, command_line(args, plain), {plain[spec]: figures for spec, figures in result.items()})


def command_line(args: argparse.Namespace, specs: Mapping[str, str]) -> str:
    """The command that makes a measurement again anywhere."""
    parts = ["--data", "DATA", *(part for spec in args.checker for part in ("--checker", f'"{specs[spec]}"'))]
    parts += ["--sets", *args.sets] if args.sets else []
    parts += ["--no-baseline"] if args.no_baseline else []
    parts += ["--sample", args.sample, "--flips", args.flips, "--half", args.half, "--seed", args.seed]
    return " ".join(map(str, ["measure.py", *parts]))


def append(path: Path, command: str, result: Mapping[str, Mapping[str, Mapping[str, float]]]) -> None:
    """Add a measurement to a file, with the command that makes it again."""
    before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    entry = {"command": f"python lab/benchmarks/checking/{command}", "systems": result}
    path.write_text(json.dumps([*before, entry], indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
