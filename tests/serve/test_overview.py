"""The overview over HTTP."""


def test_the_overview_of_a_document(client):
    text = "Tarrow Ferries plc operates nine ships.\n\nIt carried two million people in 2020. Its fares rose by 3%."
    name = client.post("/v1/documents", json={"text": text, "title": "Tarrow Ferries"}).json()["id"]
    reply = client.post("/v1/overview", json={"document": name})
    assert reply.status_code == 200
    described = reply.json()
    assert described["document"]["id"] == name
    assert all(text[each["start"] : each["end"]] == each["quote"] for each in described["statements"])
    assert client.post("/v1/overview", json={"documents": [name]}).json()["kind"] == described["kind"]


def test_what_cannot_be_described(client):
    assert client.post("/v1/overview", json={}).status_code == 422
    assert client.post("/v1/overview", json={"document": "0" * 16}).status_code == 404
    assert client.post("/v1/overview", json={"document": "a", "path": "/etc"}).status_code == 422
