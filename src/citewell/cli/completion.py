"""`citewell completion`: the scripts with which shells complete commands and options."""

from __future__ import annotations

import click


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(*, shell: str) -> None:
    """Print the completion script of a shell.

    \b
    citewell completion bash > ~/.local/share/bash-completion/completions/citewell
    citewell completion zsh > ~/.zfunc/_citewell       # a folder of $fpath
    citewell completion fish > ~/.config/fish/completions/citewell.fish
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from click.shell_completion import get_completion_class

    from citewell.cli import COMPLETE, citewell

    script = get_completion_class(shell)
    if script is None:
        raise click.UsageError(f"{shell} is not known here")
    click.echo(script(citewell, {}, "citewell", COMPLETE).source())
