"""The command line: `citewell COMMAND`. One small module per command, imported when the command runs.

Exit codes: 0 done, including an abstention; 1 internal error; 2 usage or bad input; 3 a requirement not met, such as an
answer that does not verify, with one line on stderr; 130 interrupted; 141 the reader of the output closed it.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import importlib
import io
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import click

from citewell.errors import CitewellError, PlugInError, PlugInWarning, UsageError
from citewell.registry.doors import doors, warn_once
from citewell.text import safe

_NO_ROOM = frozenset({errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO})  # faults of the device, not ours
COMPLETE = "_CITEWELL_COMPLETE"  # the variable in which a shell asks for what completes a line
# Objects made between two collections: a document is hundreds of thousands that all stay, so that looking for cycles
# among them as often as Python does by default is a twentieth of reading.
_COLLECTED = 50_000
_SUMMARY = 80  # characters of a command's line in the help
# What click raises for a group without a command, its message being the help; before 8.2 it printed that and was done.
_BARE_GROUP = getattr(click.exceptions, "NoArgsIsHelpError", ())
COMMANDS = {
    "ask": ("citewell.cli.ask:ask", "Answer a question from documents, or abstain."),
    "overview": (
        "citewell.cli.overview:overview",
        "Summarise a document: what it is, what it says, and which questions it answers.",
    ),
    "attribute": ("citewell.cli.attribute:attribute", "Find the evidence for an existing answer."),
    "check": ("citewell.cli.check:check", "Judge claims against documents."),
    "verify": ("citewell.cli.verify:verify", "Verify a saved answer against its documents."),
    "audit": ("citewell.cli.audit:audit", "Audit the citations in another system's answer."),
    "library": ("citewell.cli.library:library", "Store many documents and ask them all at once."),
    "batch": ("citewell.cli.batch:batch", "Ask, attribute, check or audit many rows."),
    "serve": ("citewell.cli.serve:serve", "Serve documents, questions and checks over HTTP."),
    "mcp": ("citewell.cli.mcp:mcp", "Give a model tools: read, documents, ask, attribute, check, open_page."),
    "export-onnx": (
        "citewell.cli.export_onnx:export_onnx",
        "Write a model as graphs that onnxruntime runs.",
    ),
    "backends": ("citewell.cli.backends:backends", "List all back ends, or those of one FAMILY."),
    "new": ("citewell.cli.new:new", "Create your own package."),
    "completion": ("citewell.cli.completion:completion", "Print the completion script of a shell."),
}
"""Our own commands: where each lives, and its line in the help, so that the help imports none of them."""
GROUP = "citewell.commands"
LABORATORY = ("bench", "calibrate", "papers", "study", "train")  # commands of the distribution citewell-lab


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is needed; unknown names get the nearest one.

    Other packages add commands through the entry points of the group `citewell.commands`.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  (click's signature)
        """The names: ours in the order of the table, then those of installed packages."""
        return [*COMMANDS, *doors(GROUP, COMMANDS)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command, imported now; None, with a warning, where another package's cannot be loaded."""
        try:
            return _command(cmd_name)
        except PlugInError as error:
            warn_once(str(error))
            return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called.

        Raises PlugInError: it is another package's and cannot be loaded; UsageError: there is no such command, or the
        package that has it is not installed.
        """
        if args and _command(args[0]) is None and args[0] in LABORATORY:
            raise UsageError(f"{args[0]!r} is a command of the laboratory: pip install citewell-lab")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands with a line each; only those of other packages are imported for it."""
        lines = [(name, summary) for name, (_, summary) in COMMANDS.items()]
        for name in doors(GROUP, COMMANDS):
            command = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                lines.append((name, command.get_short_help_str(_SUMMARY)))
        with formatter.section("Commands"):
            formatter.write_dl(lines)


def _command(name: str) -> click.Command | None:
    """A command by its name, imported now; None where there is none."""
    if name in COMMANDS:
        module, _, attribute = COMMANDS[name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command
    door = doors(GROUP, COMMANDS).get(name)
    if door is None:
        return None
    plugged = door.load()
    if not isinstance(plugged, click.Command):
        raise PlugInError(
            f"the plug-in {name!r} of the package {door.distribution} is no command but a {type(plugged).__name__}"
        )
    return plugged


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print the version; the package metadata is read only then."""
    if wanted and not ctx.resilient_parsing:
        from importlib.metadata import version

        click.echo(f"citewell {version('citewell')}")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 done, an abstention included; 1 a fault; 2 bad input; 3 a requirement not met, or an answer "
    "that does not verify.",
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Print the version."
)
@click.pass_context
def citewell(ctx: click.Context) -> None:
    """Answers about long documents. Every statement points to its evidence, or the system abstains."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(args: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code. Nothing but one line reaches stderr when it fails."""
    if sys.stderr is None:  # closed: what is told there is told to nobody
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    if sys.stdout is None:  # as Python says that the descriptor was closed when it started
        _complain("standard output is closed: there is nowhere to write to", "citewell")
        return 1
    _use_utf8()
    gc.set_threshold(_COLLECTED)
    with warnings.catch_warnings():
        warnings.simplefilter("always", PlugInWarning)
        _show_plug_in_warnings()
        return _run(list(sys.argv[1:] if args is None else args))


def _run(args: list[str]) -> int:
    """Run a command; every error becomes its exit code and one line."""
    try:
        if wanted := os.environ.get(COMPLETE):
            from click.shell_completion import shell_complete

            return shell_complete(citewell, {}, "citewell", COMPLETE, wanted)
        # Not `Command.main`, which answers interrupts and broken pipes in its own way.
        with citewell.make_context("citewell", args) as context:
            status = citewell.invoke(context)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (click.Abort, KeyboardInterrupt):
        _complain("interrupted", "citewell")
        return 130
    except BrokenPipeError:
        _discard_output()
        return 141
    except _BARE_GROUP as error:
        click.echo(error.format_message())
        _complain("name one of these commands", error.ctx.command_path)
        return 2
    except click.ClickException as error:
        where = getattr(error, "ctx", None)
        command = where.command_path if where else "citewell"
        _complain(f"{error.format_message()} ('{command} --help' says more)", command)
        return 2
    except CitewellError as error:
        _debug(error)
        _complain(str(error), "citewell")
        return error.exit_code
    except OSError as error:
        if error.errno not in _NO_ROOM:
            return _inside(error)
        _discard_output()
        _complain(f"the output cannot be written: {error.strerror}", "citewell")
        return 1
    except Exception as error:  # noqa: BLE001  (the last line of defence: a user never sees a traceback unasked)
        return _inside(error)


def _show_plug_in_warnings() -> None:
    """Print a warning of a plug-in as one line; others as Python does."""
    show = warnings.showwarning

    def line(message: Warning | str, category: type[Warning], *place: Any) -> None:
        if issubclass(category, PlugInWarning):
            _complain(f"warning: {message}", "citewell")
        else:
            show(message, category, *place)

    warnings.showwarning = line  # type: ignore[assignment]  # the place is passed on as it comes


def _inside(error: Exception) -> int:
    """Tell of a fault of ours."""
    _debug(error)
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    _complain(f"internal error: {what} (run with CITEWELL_DEBUG=1 for the traceback)", "citewell")
    return 1


def _discard_output() -> None:
    """Let what is still buffered go nowhere: otherwise the interpreter would complain while it exits."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _use_utf8() -> None:
    """Write UTF-8 whatever the locale says: quotes must not become question marks under LANG=C."""
    for stream, errors in ((sys.stdout, "replace"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors=errors)


def _complain(message: str, command: str) -> None:
    """One line on stderr, without control characters that a file name may hold."""
    line = "".join(char if char.isprintable() else "\ufffd" for char in " ".join(safe.redact_spec(message).split()))
    with contextlib.suppress(OSError, ValueError):
        click.echo(f"{command}: {line}", err=True)


def _debug(error: BaseException) -> None:
    if os.environ.get("CITEWELL_DEBUG", "0") not in ("", "0"):
        import traceback

        traceback.print_exception(error)
