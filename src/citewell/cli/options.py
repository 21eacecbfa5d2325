"""Options shared by several commands: output destination, output format, more documents."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import wraps
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path
from typing import Any, Literal, TypeVar

import click

from citewell.errors import MissingExtraError, UsageError

_OF_LIBRARY = "citewell.of_library"
_DOCUMENTS = ("document", "documents", "also")
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Output:
    """What to write: one form on stdout (`json`, `markdown` or `terminal`), and files beside it."""

    form: str = "terminal"
    html: str | None = None
    pdf: str | None = None
    saved: tuple[str, ...] = ()
    color: bool | None = None
    quiet: bool = False

    @property
    def pdfs(self) -> tuple[str, ...]:
        """The files that the annotated document goes to."""
        saved = tuple(name for name in self.saved if name.lower().endswith(".pdf"))
        return (self.pdf, *saved) if self.pdf else saved


def shared(*options: Callable[[Any], Any]) -> Callable[[F], F]:
    """Options that several commands have, as one decorator."""

    def decorate(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def output_options(command: F) -> F:
    """Give a command the output options; it gets them as one `output` argument."""

    @wraps(command)
    def run(
        *args: Any,
        as_json: bool,
        as_markdown: bool,
        html: str | None,
        pdf: str | None,
        saved: tuple[str, ...],
        color: bool | None,
        quiet: bool,
        **kwargs: Any,
    ) -> Any:
        if as_json and as_markdown:
            raise UsageError("--json and --markdown exclude each other: both go to standard output")
        form = "json" if as_json else "markdown" if as_markdown else "terminal"
        return command(*args, output=Output(form, html, pdf, saved, color, quiet), **kwargs)

    return shared(
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
        click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown with footnotes."),
        click.option("--html", metavar="FILE", help="Also write a self-contained report to open in a browser."),
        click.option("--pdf", metavar="FILE", help="Also write DOC, a PDF, with its evidence highlighted."),
        click.option(
            "--save",
            "saved",
            metavar="FILE",
            multiple=True,
            help="Also write FILE in the format of its suffix: .docx (comments on statements), .bib, .csl.json or "
            ".ris (the cited sources), .jsonld (W3C annotations), .json, .md, .html or .pdf; repeatable.",
        ),
        click.option("--color/--no-color", default=None, help="Colours; by default only on a terminal."),
        quiet_option,
    )(run)  # type: ignore[return-value]


def unsupported_option(*policies: str) -> Callable[[F], F]:
    """The option that says what becomes of statements that are not supported."""
    return click.option(
        "--on-unsupported",
        type=click.Choice(policies),
        default="mark",
        show_default=True,
        help="What to do with statements that the evidence does not support: mark them, drop them, refuse the answer"
        + ("." if "rewrite" not in policies else ", or have the model rewrite it once."),
    )


def timeout_option(command: F) -> F:
    """Give a command `--timeout`."""
    return click.option(
        "--timeout",
        metavar="SECONDS",
        type=click.FloatRange(min=0, min_open=True),
        help="Stop after this time; checked before each stage, claim and request to a language model.",
    )(command)


def refuse_ignored(names: Collection[str], why: str) -> None:
    """Refuse options of the running command that were given although they would change nothing.

    Raises:
        UsageError: one of them was given; `why` ends the sentence.
    """
    context = click.get_current_context()
    for option in context.command.params:
        on_command_line = context.get_parameter_source(option.name or "") is click.core.ParameterSource.COMMANDLINE
        if option.name in names and on_command_line:
            raise UsageError(f"{option.opts[0]} would change nothing: {why}")


class Threshold(click.ParamType):  # type: ignore[type-arg]  # click has not always been generic
    """A score from 0 to 1, or a file."""

    name = "threshold"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> float | str:
        """The score as a number; anything else is a file's name."""
        try:
            number = float(value)
        except ValueError:
            return value
        score: float = click.FloatRange(0, 1).convert(number, param, ctx)
        return score


def needs(command: str, extra: str, *packages: str) -> None:
    """Hold a command to the packages of its extra, before it does anything.

    Raises:
        MissingExtraError: one of them is not installed.
    """
    for package in packages:
        if find_spec(package) is None:
            raise MissingExtraError(command, package.translate(str.maketrans("_.", "--")), extra)


def echo(figures: Any, text: str, *, as_json: bool) -> None:
    """Print figures as one JSON object, or what they say as text."""
    if as_json:
        from citewell.text.safe import dumps

        text = dumps(figures)
    click.echo(text)


def crew_options(says: str, *, gpus: bool = True) -> Callable[[F], F]:
    """The options of who works, as one `crew` argument; `says` tells what workers are."""

    def decorate(command: F) -> F:
        @wraps(command)
        def run(*args: Any, workers: int, ray: str | None, gpu_share: float | None = None, **kwargs: Any) -> Any:
            from citewell.library.batch.workers import Crew

            if gpu_share and not ray:
                raise UsageError("--gpus would change nothing: workers share GPUs on a cluster (--ray)")
            return command(*args, crew=Crew(workers, ray, gpu_share or 0.0), **kwargs)

        options = [
            click.option("--workers", metavar="N", type=click.IntRange(min=1), default=1, show_default=True, help=says),
            click.option("--ray", metavar="local|auto|ADDRESS", help="Work on a Ray cluster, with N workers on it."),
        ]
        if gpus:
            options.append(
                click.option("--gpus", "gpu_share", metavar="SHARE", type=click.FloatRange(min=0, min_open=True),
                             help="With --ray: GPUs of each worker; 0.5 lets two share one."))  # fmt: skip
        return shared(*options)(run)  # type: ignore[return-value]

    return decorate


class OfDocuments(click.Command):
    """A command about documents, or about those of a library: with --library no DOC is given."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """See whether a library is named before arguments are told apart."""
        options = list(takewhile(lambda arg: arg != "--", args))
        ctx.meta[_OF_LIBRARY] = any(arg == "--library" or arg.startswith("--library=") for arg in options)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            if "extra argument" in error.message and any(param.name == "also" for param in self.params):
                hint = f"further documents are named with --also: citewell {self.name} A --also B ..."
                raise click.UsageError(f"{error.message}; {hint}", ctx) from error
            raise

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The parameters, without those that name documents where a library is named."""
        of_library = ctx.meta.get(_OF_LIBRARY, False)
        return [param for param in super().get_params(ctx) if not (of_library and param.name in _DOCUMENTS)]


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which documents a command is about: those that are named, or those of a library that its texts are about."""

    names: tuple[str, ...]
    library: str | None = None
    where: str | None = None
    labels: tuple[str, ...] = ()
    ocr: str = "auto"
    retrieval: Literal["lexical", "dense", "hybrid"] = "lexical"
    scan: bool = False


def library_options(says: str) -> Callable[[F], F]:
    """The options that name a library and choose in it, as one `chosen` argument; `says` tells what it is for."""

    def decorate(command: F) -> F:
        @wraps(command)
        def run(
            *args: Any,
            library: str | None,
            where: str | None,
            labels: tuple[str, ...],
            retrieval: Literal["lexical", "dense", "hybrid"] | None,
            scan: bool,
            **kwargs: Any,
        ) -> Any:
            if library is None and (where or labels):
                raise UsageError("--where and --label choose among the documents of a --library")
            if library is None and (retrieval or scan):
                raise UsageError("--retrieval and --scan say how the documents of a --library are ranked")
            chosen = Chosen((), library, where, labels, retrieval=retrieval or "lexical", scan=scan)
            return command(*args, chosen=chosen, **kwargs)

        return shared(
            click.option("--library", metavar="DIR|URL", help=says),
            click.option(
                "--where",
                metavar="CONDITION",
                help="Use only some of its documents, for example: title ~ annual and year >= 2022.",
            ),
            click.option(
                "--label", "labels", metavar="LABEL", multiple=True, help="A label that you have; repeatable."
            ),
            click.option(
                "--retrieval",
                type=click.Choice(["lexical", "dense", "hybrid"]),
                help="Rank its paragraphs by words, by meaning (its encoder's vectors), or both.  [default: lexical]",
            ),
            click.option(
                "--scan",
                is_flag=True,
                help="When ranking by meaning, compare all paragraphs, not only the best by words.",
            ),
        )(run)  # type: ignore[return-value]

    return decorate


def documents_options(command: F) -> F:
    """Give a command the options that name documents or a library; it gets them as one `chosen` argument."""

    @wraps(command)
    def run(
        *args: Any,
        chosen: Chosen,
        ocr: str,
        document: str = "",
        documents: tuple[str, ...] = (),
        also: tuple[str, ...] = (),
        **kwargs: Any,
    ) -> Any:
        names = () if chosen.library else (*((document,) if document else documents), *also)
        return command(*args, chosen=replace(chosen, names=names, ocr=ocr), **kwargs)

    return shared(
        library_options("Use this library instead of DOC, which is then omitted."),
        isolated_option,
        click.option(
            "--ocr",
            metavar="LANG",
            default="auto",
            help="Languages of scanned pages, by Tesseract's names: eng+deu; or off.  [default: eng if it is there]",
        ),
    )(run)  # type: ignore[return-value]


data_option = click.option(
    "--data", metavar="DIR", envvar="CITEWELL_DATA", required=True, help="The folder of the data sets."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
out_option = click.option("--out", metavar="RUNS", type=click.Path(path_type=Path), required=True,
                          help="The folder that contains the folders of the runs; existing runs resume.")  # fmt: skip
preset_option = click.option("--preset", metavar="NAME",
                             help="All settings of a paper: lab. Other options take precedence.")  # fmt: skip
declining_option = click.option("--declining", metavar="RULE",
                                help="How to recognise a reply that declines: sentences, lab or never.")  # fmt: skip
ISOLATED = "citewell.isolated"  # in the context's `meta`


def _isolate(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    context.meta[ISOLATED] = wanted


isolated_option = click.option("--isolated", is_flag=True, expose_value=False, callback=_isolate,
                               help="Read in a separate process with limits on time and memory.")  # fmt: skip
quiet_option = click.option("-q", "--quiet", is_flag=True, help="No progress and no notices on stderr.")
also_option = click.option("--also", metavar="DOC", multiple=True, help="One more document; repeatable.")
document_argument = click.argument("document", metavar="DOC")
