"""`citewell serve`: answers over HTTP."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citewell.cli.options import needs
from citewell.cli.serve_users import users

if TYPE_CHECKING:
    from citewell.serve.settings import Oidc


@click.group(invoke_without_command=True)
@click.pass_context
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", show_default=True,
              help="The address to listen on; one that others can reach needs --token-file.")  # fmt: skip
@click.option("--port", metavar="PORT", type=click.IntRange(0, 65535), default=8710, show_default=True,
              help="0 picks a free one.")  # fmt: skip
@click.option("--library", "keys", metavar="[NAME=]DIR|URL", multiple=True,
              help="Where documents are stored, or CITEWELL_LIBRARY; several with names, the first for requests "
              "that name none.  [default: a new library that ends with the service]")  # fmt: skip
@click.option("--files", metavar="s3://BUCKET/PREFIX",
              help="Where the files of documents are stored, s3:// or gs://.  [default: in the library]")  # fmt: skip
@click.option("--workers", metavar="N", type=click.IntRange(1, 256),
              help="Processes that answer and read; one more draws pages.  [default: 2 to 4, by cores]")  # fmt: skip
@click.option("--token-file", metavar="FILE", type=click.Path(path_type=Path),
              help="The tokens, one per line, each followed by name=, scopes=read,write and labels=.")  # fmt: skip
@click.option("--oidc", metavar="ISSUER", help="The address of an OpenID Connect provider for logging in.")
@click.option("--oidc-client", metavar="ID", help="The id of this service at the provider.")
@click.option("--oidc-secret-file", metavar="FILE", type=click.Path(path_type=Path),
              help="The secret of this service at the provider; without one it is a public client.")  # fmt: skip
@click.option("--oidc-claim", metavar="NAME", default="email", show_default=True,
              help="The provider's claim with the user's name; an e-mail address must be confirmed there.")  # fmt: skip
@click.option("--address", metavar="URL", help="The public address of the service, for example behind a TLS proxy.")
@click.option("--llm", metavar="SPEC", help="The language model that answers; without one sentences are quoted.")
@click.option("--model", "models", metavar="[NAME=]MODEL", multiple=True,
              help="A local model that requests may name for the method hidden-states; repeatable.")  # fmt: skip
@click.option("--promise", "promises", metavar="[NAME=]FILE", multiple=True,
              help="A promise from calibrate --risk that questions may request by name; repeatable.")  # fmt: skip
@click.option("--allowed-host", "allowed", metavar="NAME", multiple=True,
              help="Another host name of the service, for example behind a proxy; repeatable.")  # fmt: skip
@click.option("--state", metavar="DIR", type=click.Path(path_type=Path),
              help="Where jobs are stored.  [default: in the library's folder]")  # fmt: skip
def serve(
    context: click.Context,
    *,
    host: str,
    port: int,
    keys: tuple[str, ...],
    files: str | None,
    workers: int | None,
    token_file: Path | None,
    oidc: str | None,
    oidc_client: str | None,
    oidc_secret_file: Path | None,
    oidc_claim: str,
    address: str | None,
    llm: str | None,
    models: tuple[str, ...],
    promises: tuple[str, ...],
    allowed: tuple[str, ...],
    state: Path | None,
) -> None:
    """Serve documents, questions and checks over HTTP.

    When the service is ready, it prints one line on standard output; requests are logged on standard error.

    \b
    citewell serve --library reports.lib
    curl -F file=@report.pdf http://127.0.0.1:8710/v1/documents
    """  # noqa: D301  (click keeps the lines after this character as they are)
    if context.invoked_subcommand is not None:
        return
    needs("citewell serve", "serve", "fastapi", "uvicorn", "python_multipart", "sqlalchemy", "alembic")
    if os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT"):
        needs("citewell serve with OTEL_EXPORTER_OTLP_ENDPOINT", "traces", "opentelemetry", "opentelemetry.sdk")
    from citewell.serve import forking

    forking.begin()
    from citewell import registry
    from citewell.serve.libraries import named
    from citewell.serve.offered import offered
    from citewell.serve.running import run
    from citewell.serve.settings import Settings

    if llm is not None:
        registry.build("llm", llm)  # refuses what is wrong with it now, not at the first question
    environment = os.environ.get("CITEWELL_LIBRARY")
    places = tuple(named(keys or filter(None, [environment])).items())
    more = offered(models, promises)
    provider = _provider(oidc, oidc_client, oidc_secret_file, oidc_claim, address)
    settings = Settings(
        "",
        Path(),
        llm,
        token_file,
        host,
        allowed,
        state=state,
        files=files and files.rstrip("/"),
        libraries=places,
        offered=more,
        oidc=provider,
    )
    run(settings if workers is None else replace(settings, workers=workers), port)


def _provider(
    issuer: str | None, client: str | None, secret_file: Path | None, claim: str, address: str | None
) -> Oidc | None:
    """By whom people log in, None for nobody."""
    from citewell.errors import UsageError
    from citewell.serve.settings import Oidc

    if issuer is None:
        return None
    needs("citewell serve --oidc", "oidc", "authlib", "joserfc", "httpx")
    if not client:
        raise click.UsageError("--oidc wants --oidc-client, the id of this service at the provider")
    if not re.match(r"https://|http://(?:127\.0\.0\.1|localhost|\[::1\])[:/]", issuer):
        raise click.UsageError("--oidc is an address with https")
    try:
        secret = secret_file.read_text(encoding="utf-8").strip() if secret_file else None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the secret in {secret_file} cannot be read") from error
    return Oidc(issuer, client, secret, claim, address)


serve.add_command(users)
