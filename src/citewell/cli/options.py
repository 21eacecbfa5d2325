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
from citewell.text.data import read_json

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


_TYPES: dict[str, Any] = {
    "count": click.IntRange(min=1),
    "path": click.Path(path_type=Path),
    "port": click.IntRange(0, 65535),
    "positive": click.FloatRange(min=0, min_open=True),
    "threshold": Threshold(),
}


def options(section: str, names: str, **more: Any) -> Callable[[F], F]:
    """Options of the table in this order: those of a command's section, or those that several commands share."""
    table = read_json("citewell.cli", "options.json")

    def option(name: str) -> Callable[[Any], Any]:
        fields = {**(table[section].get(name) or table["shared"][name]), **more}
        if isinstance(kind := fields.get("type"), list):
            fields["type"] = click.Choice(kind)
        elif isinstance(kind, dict):
            fields["type"] = click.IntRange(*kind["whole"])
        elif kind is not None:
            fields["type"] = _TYPES[kind]
        return click.option(*fields.pop("names", (f"--{name}",)), **fields)

    return shared(*map(option, names.split()))


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

    return options("shared", "json markdown html pdf save color quiet")(run)  # type: ignore[return-value]


def refuse_ignored(names: Collection[str], why: str) -> None:
    """Refuse options of the running command that were given although they would change nothing.

    Raises UsageError: one of them was given; `why` ends the sentence.
    """
    context = click.get_current_context()
    for option in context.command.params:
        on_command_line = context.get_parameter_source(option.name or "") is click.core.ParameterSource.COMMANDLINE
        if option.name in names and on_command_line:
            raise UsageError(f"{option.opts[0]} would change nothing: {why}")


def needs(command: str, extra: str, *packages: str) -> None:
    """Hold a command to the packages of its extra, before it does anything.

    Raises MissingExtraError: one of them is not installed.
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

        crew = shared(options("shared", "workers", help=says), options("shared", "ray gpus" if gpus else "ray"))
        return crew(run)  # type: ignore[return-value]

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

        narrowing = options("shared", "where label retrieval scan")
        return shared(options("shared", "library", help=says), narrowing)(run)  # type: ignore[return-value]

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

    ours = "Use this library instead of DOC, which is then omitted."
    return shared(library_options(ours), isolated_option, options("shared", "ocr"))(run)  # type: ignore[return-value]


ISOLATED = "citewell.isolated"  # in the context's `meta`


def _isolate(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    context.meta[ISOLATED] = wanted


isolated_option = click.option("--isolated", is_flag=True, expose_value=False, callback=_isolate,
                               help="Read in a separate process with limits on time and memory.")  # fmt: skip
document_argument = click.argument("document", metavar="DOC")
json_option, quiet_option = options("shared", "json"), options("shared", "quiet")
data_option, out_option = options("laboratory", "data"), options("laboratory", "out")
preset_option, declining_option = options("laboratory", "preset"), options("laboratory", "declining")
