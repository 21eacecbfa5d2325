"""One run for a terminal: its metrics, its groups, and omissions."""

from __future__ import annotations

from collections.abc import Iterator

from citewell.text.columns import aligned
from citewell_lab.bench.metrics.declared import is_share
from citewell_lab.bench.run import Result
from citewell_lab.report.values import format_value, percent


def settings(result: Result) -> Iterator[str]:
    """What the preset set and all else that decided the run, a line a parameter; nothing without a preset."""
    if result.preset is None:
        return
    yield f"settings, by the preset {result.preset}:"
    rows = [
        (f"  {family}", name, str(value))
        for family, values in result.settings.items()
        for name, value in values.items()
        if "\n" not in str(value) and not isinstance(value, list)  # a prompt and its examples stand in spec.json
    ]
    yield from aligned(rows, (True, True, True))


def summary(result: Result) -> str:
    """The text of `citewell bench run`."""
    scores = result.scores
    cut = f", replies cut off at their most tokens {result.cut}" if result.cut else ""
    lines = [
        f"{result.task}, {result.split}, {result.method}",
        f"n {result.n}, abstained {scores.abstained}, failed {result.failed}{cut}, {result.seconds:.1f} s",
        f"data: {result.standing.state} ({result.standing.why})",
        *settings(result),
        "",
    ]
    figures = [(f"  {name}", format_value(value, share=is_share(name))) for name, value in scores.metrics.items()]
    lines += aligned(figures, (True, False)) if figures else []
    if scores.by_group:
        names = list(dict.fromkeys(name for group in scores.by_group.values() for name in group))
        rows = [
            [group, *(format_value(values.get(name), share=is_share(name)) for name in names)]
            for group, values in scores.by_group.items()
        ]
        lines += ["", *aligned([["", *names], *rows], [True, *(False for _ in names)])]
    for kind, groups in scores.baselines.items():
        means = ", ".join(f"{name} {percent(value)}" for name, value in groups["mean"].items())
        lines.append(f"{kind} (from the annotations): {means}")
    lines += [f"not scored: {name}: {why}" for name, why in scores.unscored.items()]
    lines += list(scores.notes)
    if result.out is not None:
        lines.append(f"items: {result.out / 'items.jsonl'}")
    return "\n".join(lines)
