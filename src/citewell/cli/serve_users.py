"""`citewell serve users`: manage the users of a service while it runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from citewell.cli.options import needs, options

if TYPE_CHECKING:
    from citewell.serve.users import Users


@click.group()
def users() -> None:
    """Create, list, limit and revoke users of a service, without restarting it.

    \b
    citewell serve users add ann --library reports.lib --workspace finance
    citewell serve users change ann --library reports.lib --workspace finance --role admin
    """  # noqa: D301  (click keeps the lines after this character as they are)
    needs("citewell serve users", "serve", "fastapi", "sqlalchemy", "alembic")


@users.command()
@click.argument("name")
@options("serve_users", "library workspace new-role labels libraries until")
def add(name: str, library: str, workspace: str, role: str, **limits: str | None) -> None:
    """Create a user and print their token; it is not stored and cannot be printed again."""
    with _users(library) as kept:
        click.echo(kept.add(name, workspace, role, **_parsed(limits)))


@users.command()
@click.argument("name")
@options("serve_users", "library workspace role labels libraries until")
def change(name: str, library: str, workspace: str, role: str | None, **limits: str | None) -> None:
    """Change a user's permissions, from the next request on."""
    changed = _parsed(limits) | ({"role": role} if role else {})
    if not changed:
        raise click.UsageError("say what changes: --role, --labels, --libraries or --until")
    with _users(library) as kept:
        kept.change(name, workspace, **changed)


@users.command()
@click.argument("name")
@options("serve_users", "library workspace")
def renew(name: str, library: str, workspace: str) -> None:
    """Print a new token for a user; the old one becomes invalid."""
    with _users(library) as kept:
        click.echo(kept.renew(name, workspace))


@users.command()
@click.argument("name")
@options("serve_users", "library workspace")
def revoke(name: str, library: str, workspace: str) -> None:
    """Remove a user, from the next request on; their items stay."""
    with _users(library) as kept:
        kept.revoke(name, workspace)


@users.command("list")
@options("serve_users", "library json")
def list_users(library: str, *, as_json: bool) -> None:
    """List users with their workspaces, roles and limits; never their tokens."""
    from citewell.serve.users import described_user
    from citewell.text import safe

    with _users(library) as kept:
        known = kept.all()
    rows = [described_user(user) for user in known]
    if as_json:
        click.echo(safe.dumps({"users": rows}))
        return
    for row in rows:
        limits = [f"{key}={','.join(row[key])}" for key in ("labels", "libraries") if row[key]]
        until = [f"until={row['until']}"] if row["until"] else []
        click.echo("  ".join([f"{row['workspace'] or '-'}/{row['name']}", str(row["role"]), *limits, *until]))


@contextmanager
def _users(place: str) -> Iterator[Users]:
    from citewell.library.library import Library
    from citewell.serve.users import Users

    with Library(place, create=True) as library:
        yield Users(library)


def _parsed(fields: dict[str, str | None]) -> dict[str, Any]:
    """The limits that were given: an empty one takes the limit away."""
    from citewell.serve.users import parsed_until

    limits: dict[str, Any] = {}
    if (labels := fields["labels"]) is not None:
        limits["labels"] = tuple(filter(None, labels.split(",")))
    if (libraries := fields["libraries"]) is not None:
        limits["libraries"] = tuple(filter(None, libraries.split(","))) or None
    if (until := fields["until"]) is not None:
        limits["until"] = parsed_until(until)
    return limits
