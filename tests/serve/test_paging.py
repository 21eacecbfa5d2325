"""Every list is given in parts, each with the cursor of the next; what is removed meanwhile breaks no list."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.serve import paging


@given(st.lists(st.text(max_size=4), unique=True), st.integers(1, 7))
def test_the_parts_are_the_whole(names, limit):
    rows, parts, after = sorted(names), [], None
    while True:
        part, after = paging.part(rows, str, limit, after)
        parts += part
        if after is None:
            break
        assert len(part) == limit
    assert parts == rows


def test_every_list_of_the_description_has_a_cursor(client):
    paths = client.get("/openapi.json").json()["paths"]
    lists = {}
    for path, methods in paths.items():
        schema = methods.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
        fields = schema.get("application/json", {}).get("schema", {}).get("properties", {})
        if "next" in fields:
            lists[path] = {part["name"] for part in methods["get"]["parameters"]}
    names = ("collections", "documents", "failures", "history", "corrections", "jobs", "libraries", "users")
    assert set(lists) == {f"/v1/{name}" for name in names}
    assert all("limit" in names and {"after", "before"} & names for names in lists.values())


@pytest.mark.parametrize("gone", [False, True])
def test_documents_and_history_come_in_parts_also_behind_what_was_removed(client, gone):
    ids, kept = [], []
    for number in range(5):
        body = {"text": f"Ship {number} sank in 19{number}0."}
        ids.append(client.post("/v1/documents", json=body).json()["id"])
        ask = {"documents": ids[-1:], "claims": [f"Ship {number} sank."], "keep": True}
        kept.insert(0, client.post("/v1/check", json=ask).headers["x-citewell-history"])
    first = client.get("/v1/documents", params={"limit": 2}).json()
    assert [row["id"] for row in first["documents"]] == ids[:2]
    if gone:
        client.delete(f"/v1/documents/{ids[1]}")
    rest = client.get("/v1/documents", params={"after": first["next"]}).json()
    assert ([row["id"] for row in rest["documents"]], rest["next"]) == (ids[2:], None)
    if not gone:
        part = client.get("/v1/history", params={"limit": 3}).json()
        rest = client.get("/v1/history", params={"limit": 3, "before": part["next"]}).json()
        assert [row["id"] for row in part["entries"] + rest["entries"]] == kept
        assert rest["next"] is None
