"""The service does what its description says, for requests that it allows and for those that it does not."""

import os
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from starlette.testclient import TestClient

from citewell.serve.app import Service
from citewell.serve.settings import Settings
from citewell.text import safe

schemathesis = pytest.importorskip("schemathesis")
checks = pytest.importorskip("schemathesis.specs.openapi.checks")
EXAMPLES = int(os.environ.get("CITEWELL_SCHEMA_EXAMPLES", "40"))  # a route
pytestmark = [pytest.mark.slow, pytest.mark.rare]


@schemathesis.serializer("application/jsonl")
def rows(_, value):
    return safe.dumps(value).encode()


@pytest.fixture(scope="module")
def described(tmp_path_factory, here):
    folder = tmp_path_factory.mktemp("schema")
    service = Service(Settings(str(folder / "library"), folder, host="testserver"))
    service.pool = here(service.settings.library)
    client = TestClient(service.app, base_url="http://127.0.0.1", raise_server_exceptions=False)
    for text in ("The harbour froze in 2021.", "Revenue rose to $5.9bn in 2022."):
        client.post("/v1/documents", json={"text": text})
    return schemathesis.openapi.from_asgi("/openapi.json", service.app)


@pytest.mark.parametrize("mode", list(schemathesis.GenerationMode))
def test_every_request_gets_a_reply_that_is_described(described, mode):
    count = 0

    def holds(case):
        nonlocal count
        count += 1
        if isinstance(case.body, dict) and case.body.get("stream") is True:
            case.body["stream"] = False  # a stream is read to its end, and is no JSON
        # No schema says which bytes are a document, which ids are known and which conditions can be read.
        excluded = [checks.positive_data_acceptance]
        if case.path == "/v1/events":  # what has happened so far: the rest of the stream has no end, and no schema
            case.query = {**(case.query or {}), "seconds": 0}
            excluded.append(checks.response_schema_conformance)
        case.call_and_validate(excluded_checks=excluded, timeout=120)

    for operation in described.get_all_operations():
        cases = operation.ok().as_strategy(generation_mode=mode)
        rules = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None)
        with suppress(Unsatisfiable):  # a route that takes nothing has no wrong requests
            rules(given(case=cases)(holds))()
    assert count > EXAMPLES
