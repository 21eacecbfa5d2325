"""`citewell papers`: repeats the papers' studies: copied spans, parts of ADiOSAA, long answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citewell.cli.options import data_option, quiet_option, shared
from citewell.errors import UsageError
from citewell_lab.cli.calibrate import counter
from citewell_lab.cli.lfqa import lfqa, lfqa_documents
from citewell_lab.cli.options import form_options, limit_option, split_option
from citewell_lab.cli.papers_lab import lab

if TYPE_CHECKING:
    from citewell_lab.report.plots import Plot
    from citewell_lab.report.table import Report

NAMES = ("curve", "layers", "thresholds", "positions", "repeated", "paraphrased")


_SHARED = shared(
    data_option,
    split_option("The split of the data."),
    limit_option("Only the first N answers."),
    click.option("--seed", type=int, default=0, show_default=True, help="Seed of random choices."),
    click.option(
        "--out", metavar="DIR", help="Write study.json, study.txt, and a CSV and a LaTeX file for each table."
    ),
    form_options,
    quiet_option,
)


@click.group()
def papers() -> None:
    """Repeat the studies of the papers."""


papers.add_command(lfqa)
papers.add_command(lab)
papers.add_command(lfqa_documents)


@papers.command("hidden-states")
@click.argument("which", metavar="[STUDY]...", nargs=-1, type=click.Choice(NAMES))
@click.option("--task", metavar="TASK", required=True, help="verifiability-granular or quotesum.")
@click.option(
    "--method", "methods", metavar="SPEC", multiple=True, help="An attributor; repeatable; lexical by default."
)
@click.option("--llm", metavar="SPEC", help="The language model that paraphrases the answers; without one, rules do.")
@_SHARED
def hidden_states(
    *, which: tuple[str, ...], methods: tuple[str, ...], out: str | None, form: str | None, quiet: bool, **chosen: Any
) -> None:
    """Where are copied spans found? STUDY is curve, layers, thresholds, positions, repeated or paraphrased.

    Without a STUDY, all are run; --out DIR also gets figures 3 to 9 of the paper, as SVG and on one page.
    Layers apply to methods that read one, such as hidden-states.

    \b
    citewell papers hidden-states layers repeated --task quotesum --data data --method "hidden-states(model=PATH)"
    citewell papers hidden-states paraphrased --task quotesum --data data --llm "openai(model=gpt-4o)" --method lexical
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell_lab.papers.hidden_states.spans import STUDIES, study

    with counter(quiet=quiet) as progress:
        report = study(methods or ("lexical",), which=which or STUDIES, progress=progress, **chosen)
    if out:
        from citewell_lab.papers.hidden_states.plots import draw

        _draw(report, draw(report.tables), Path(out))
    _give(report, out, form)


@papers.command()
@click.option("--task", metavar="TASK", required=True,
              help="verifiability, hagrid, verifiability-granular or quotesum.")  # fmt: skip
@click.option("--method", metavar="SPEC", default="entailment", show_default=True,
              help="ADiOSAA with its checker and decomposer: entailment(checker=docnli, decompose=llm).")  # fmt: skip
@click.option("--candidates", "sources", metavar="RETRIEVER", multiple=True,
              help="Selects the candidates; all takes every sentence; repeatable; bm25 by default.")  # fmt: skip
@click.option("--baseline", "baselines", metavar="SPEC", multiple=True,
              help="An attributor to compare with; repeatable; BM25 and lexical by default.")  # fmt: skip
@_SHARED
def adiosaa(
    *,
    sources: tuple[str, ...],
    baselines: tuple[str, ...],
    out: str | None,
    form: str | None,
    quiet: bool,
    **chosen: Any,
) -> None:
    """Run ADiOSAA without its decomposer, without optimal selection, and without both.

    \b
    citewell papers adiosaa --task hagrid --data data --method "entailment(checker=true, decompose=llm)"
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell_lab.papers.adiosaa.ablations import BASELINES, ablations

    with counter(quiet=quiet) as progress:
        report = ablations(sources=sources or ("bm25",), baselines=baselines or BASELINES, progress=progress, **chosen)
    _give(report, out, form)


def _draw(report: Report, drawn: Sequence[Plot], out: Path) -> None:
    """Write the plots of a study, each by itself and all on a page with the tables."""
    from citewell.text import files
    from citewell_lab.report.page import page

    body = "".join([*(plot.html() for plot in drawn), *(table.section() for table in report.tables)])
    svgs = {name: text for plot in drawn for name, text in plot.files().items() if name.endswith(".svg")}
    files.write_all(out, {**svgs, "figures.html": page("Copied spans", body)})


def _give(report: Report, out: str | None, form: str | None, note: str | None = None) -> None:
    """Print a study in one form, or what is `note` instead, and write all forms where they are wanted."""
    from citewell.text import files
    from citewell.text.safe import dumps
    from citewell_lab.report.table import printed

    data = report.to_dict()
    if out:
        tables = {f"{table.id}.{ending}": text for table in report.tables
                  for ending, text in (("csv", table.csv()), ("tex", table.latex() + "\n"))}  # fmt: skip
        files.write_all(Path(out), {**tables, "study.json": dumps(data) + "\n", "study.txt": report.text() + "\n"})
    click.echo(note or printed(report.tables, form, data))


@papers.command("adiosaa-tune")
@click.option("--task", metavar="TASK", default="verifiability", show_default=True, help="As for adiosaa.")
@click.option("--method", metavar="SPEC", default="adiosaa", show_default=True, help="entailment(...) or adiosaa(...).")
@click.option("--settings", "alone", is_flag=True, help="Print only the chosen settings, as parameters of a spec.")
@_SHARED
def adiosaa_tune(*, alone: bool, out: str | None, form: str | None, quiet: bool, **chosen: Any) -> None:
    """Choose ADiOSAA's delta and threshold by F1@k on a development set.

    \b
    citewell papers adiosaa-tune --data data --split dev --method "adiosaa(checker=true, decompose=llm(units=raw))"
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell_lab.papers.adiosaa.tuning import tune

    with counter(quiet=quiet) as progress:
        report = tune(progress=progress, **chosen)
    _give(report, out, form, report.record["settings"] if alone else None)


@papers.command("adiosaa-tables")
@click.argument("table", type=click.Choice(["2", "4", "5"]))
@click.option("--data", metavar="DIR", envvar="CITEWELL_DATA", help="Table 2: the folder of the data sets.")
@click.option("--decompose", metavar="SPEC", default="clauses", show_default=True, help="Table 4: the decomposer.")
@click.option("--checker", metavar="SPEC", default="docnli", show_default=True, help="Table 5: the checker.")
@click.option(
    "--pairs", metavar="FILE", multiple=True, help="Table 5: lines of premise, hypothesis, label; repeatable."
)
@limit_option("Table 5: only the first N pairs of a file.")
@click.option("--out", metavar="DIR", help="Write study.json, study.txt, and a CSV and a LaTeX file for each table.")
@form_options
def adiosaa_tables(
    *,
    table: str,
    data: str | None,
    decompose: str,
    checker: str,
    pairs: tuple[str, ...],
    limit: int | None,
    out: str | None,
    form: str | None,
) -> None:
    """Make ADiOSAA's table 2, 4 or 5: statistics of its data, samples of units, accuracy on entailment pairs.

    \b
    citewell papers adiosaa-tables 4 --decompose "llm(llm=openai(model=gpt-4o-mini), units=raw)"
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell_lab.papers.adiosaa import tables

    if table == "2" and not data:
        raise UsageError("table 2 needs --data DIR")
    if table == "5" and not pairs:
        raise UsageError("table 5 needs --pairs FILE")
    makers = {"2": lambda: tables.statistics(data or ""), "4": lambda: tables.samples(decompose),
            "5": lambda: tables.accuracy(checker, pairs, limit)}  # fmt: skip
    _give(makers[table](), out, form)
