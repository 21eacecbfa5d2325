"""Bodies of requests to the service, its own and those of other protocols: each gets a reply, never a fault inside."""

from __future__ import annotations

import base64
import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from citewell.errors import UsageError
from citewell.text import safe
from response_formats import REPORT, TEXT, anthropic_stream, azure

QUESTION = "Where was the Aurora built?"
FILE = base64.b64encode(REPORT.text.encode()).decode()
DOCUMENT = {
    "type": "document",
    "title": "Report",
    "source": {"type": "text", "media_type": "text/plain", "data": REPORT.text},
}
QUESTION_PART = {"type": "text", "text": QUESTION}
BODIES: dict[str, list[dict[str, Any]]] = {
    "/v1/documents": [{"text": REPORT.text, "title": "Report"}],
    "/v1/ask": [{"question": QUESTION, "library": True}, {"question": QUESTION, "documents": ["@"], "k": 2, "abstain": 0.3}],
    "/v1/attribute": [{"answer": TEXT, "documents": ["@"], "method": "lexical", "granularity": "sentence"}],
    "/v1/check": [{"claims": ["The Aurora was built in Turku."], "documents": ["@"], "checker": "lexical"}],
    "/v1/audit": [{"response": azure(), "documents": ["@"]}, {"response": anthropic_stream(), "library": True}],
    "/v1/messages": [
        {"model": "citewell", "max_tokens": 100, "messages": [{"role": "user", "content": [DOCUMENT, QUESTION_PART]}]},
    ],
    "/v1/chat/completions": [
        {
            "model": "citewell",
            "messages": [
                {
                    "role": "user",
                    "content": [
                        {"type": "file", "file": {"filename": "a.txt", "file_data": f"data:text/plain;base64,{FILE}"}},
                        QUESTION_PART,
                    ],
                }
            ],
        }
    ],
    "/v1/responses": [
        {
            "model": "citewell",
            "input": [
                {
                    "role": "user",
                    "content": [
                        {"type": "input_file", "filename": "a.txt", "file_data": f"data:text/plain;base64,{FILE}"},
                        {"type": "input_text", "text": QUESTION},
                    ],
                }
            ],
        }
    ],
}  # fmt: skip
SAMPLES = tuple(json.dumps({"path": path, "body": body}).encode() for path, bodies in BODIES.items() for body in bodies)


@cache
def _client() -> tuple[Any, str]:
    """A service whose jobs are done in this process, and the id of the document that it has."""
    from starlette.testclient import TestClient

    from citewell.serve.app import Service
    from citewell.serve.settings import Settings
    from serve.conftest import Here

    folder = Path(tempfile.mkdtemp())
    service = Service(Settings(str(folder / "library"), folder))
    service.pool = Here(service.settings.library)
    client = TestClient(service.app, base_url="http://127.0.0.1", raise_server_exceptions=False)
    return client, client.post("/v1/documents", json={"text": REPORT.text, "title": "Report"}).json()["id"]


def request(data: bytes) -> None:
    """Send a request: to the path that its JSON names with the body in it, or as it is where it is no such JSON."""
    client, document = _client()
    path, body = "/v1/ask", data
    try:
        payload = safe.loads(data.decode("utf-8", "replace"))
        if isinstance(payload, dict) and payload.get("path") in list(BODIES):
            path, body = (
                payload["path"],
                safe.dumps(payload.get("body")).replace('"@"', f'"{document}"').encode("utf-8", "replace"),
            )
    except ValueError:
        pass  # sent as it is
    reply = client.post(path, content=body, headers={"content-type": "application/json"})
    assert reply.status_code < 500, reply.text
    if reply.status_code >= 400:
        assert safe.loads(reply.text)["error"]
        raise UsageError(str(reply.status_code))
