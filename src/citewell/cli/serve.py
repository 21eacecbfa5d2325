"""`citewell serve`: answers over HTTP."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citewell.cli.options import needs, options
from citewell.cli.serve_users import users

if TYPE_CHECKING:
    from citewell.serve.settings import Oidc


@click.group(invoke_without_command=True)
@click.pass_context
@options("serve", "host port library files workers token-file oidc oidc-client oidc-secret-file oidc-claim address llm")
@options("serve", "model promise allowed-host state")
def serve(context: click.Context, /, *, port: int, workers: int | None, keys: tuple[str, ...], **options: Any) -> None:
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

    if options["llm"] is not None:
        registry.build("llm", options["llm"])  # refuses what is wrong with it now, not at the first question
    environment = os.environ.get("CITEWELL_LIBRARY")
    places = tuple(named(keys or filter(None, [environment])).items())
    more = {name: options[name] for name in ("llm", "token_file", "host", "allowed", "state")}
    more |= {"files": options["files"] and options["files"].rstrip("/"), "libraries": places}
    more |= {"offered": offered(options["models"], options["promises"]), "oidc": _provider(options)}
    settings = Settings("", Path(), **more)
    run(settings if workers is None else replace(settings, workers=workers), port)


def _provider(options: Mapping[str, Any]) -> Oidc | None:
    """By whom people log in, None for nobody."""
    from citewell.errors import UsageError
    from citewell.serve.settings import Oidc

    issuer, client, secret_file = (options[name] for name in ("oidc", "oidc_client", "oidc_secret_file"))
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
    return Oidc(issuer, client, secret, options["oidc_claim"], options["address"])


serve.add_command(users)
