"""`citewell serve users`: who may use a service, changed while it runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from citewell.cli.options import needs, shared

if TYPE_CHECKING:
    from citewell.serve.users import Users

_LIBRARY = click.option("--library", metavar="DIR|URL", envvar="CITEWELL_LIBRARY", required=True,
                        help="The service's first library, which keeps its users, or CITEWELL_LIBRARY.")  # fmt: skip
_user = shared(
    click.argument("name"), _LIBRARY,
    click.option("--workspace", metavar="NAME", default="", help="Theirs.  [default: the common one]"),
)  # fmt: skip
_ROLE = click.Choice(["reader", "member", "admin"])
_limits = shared(
    click.option("--labels", metavar="A,B", help="What they carry, with commas between; '' for none."),
    click.option("--libraries", metavar="A,B", help="Libraries of the service that they may use; '' for all."),
    click.option("--until", metavar="YYYY-MM-DD", help="The last day of their token; '' for none."),
)


@click.group()
def users() -> None:
    """Make, list, limit and revoke users of a service; it need not be started again.

    \b
    citewell serve users add ann --library reports.lib --workspace finance
    citewell serve users change ann --library reports.lib --workspace finance --role admin
    """  # noqa: D301  (click keeps the lines after this character as they are)
    needs("citewell serve users", "serve", "fastapi", "sqlalchemy", "alembic")


@users.command()
@_user
@click.option("--role", type=_ROLE, default="member", show_default=True, help="reader asks, member adds, admin sees to "
              "what others own.")  # fmt: skip
@_limits
def add(name: str, library: str, workspace: str, role: str, **limits: str | None) -> None:
    """Make a user and print their token; it is not kept and cannot be printed again."""
    with _users(library) as kept:
        click.echo(kept.add(name, workspace, role, **_parsed(limits)))


@users.command()
@_user
@click.option("--role", type=_ROLE, help="Another role.")
@_limits
def change(name: str, library: str, workspace: str, role: str | None, **limits: str | None) -> None:
    """Change what a user may do, from the next request on."""
    changed = _parsed(limits) | ({"role": role} if role else {})
    if not changed:
        raise click.UsageError("say what changes: --role, --labels, --libraries or --until")
    with _users(library) as kept:
        kept.change(name, workspace, **changed)


@users.command()
@_user
def renew(name: str, library: str, workspace: str) -> None:
    """Print a new token for a user; the old one ends."""
    with _users(library) as kept:
        click.echo(kept.renew(name, workspace))


@users.command()
@_user
def revoke(name: str, library: str, workspace: str) -> None:
    """Take a user out, from the next request on; what they own stays."""
    with _users(library) as kept:
        kept.revoke(name, workspace)


@users.command("list")
@_LIBRARY
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
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
