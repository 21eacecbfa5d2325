"""Collections: named sets of documents, which a request may name in the place of documents."""

import pytest


def added(client, *numbers):
    texts = [
        {"text": f"Ship {number} sank in 19{number}0. Its captain swam.", "title": f"Ship {number}"}
        for number in numbers
    ]
    return [client.post("/v1/documents", json=text).json()["id"] for text in texts]


def make(client, name, *documents):
    made = client.post("/v1/collections", json={"name": name, "documents": list(documents)})
    assert made.headers["location"] == f"/v1/collections/{made.json()['id']}"
    return made.json()["id"]


def inside(client, name):
    rows = client.get("/v1/documents", params={"collection": name}).json()["documents"]
    return [row["id"] for row in rows]


def test_a_collection_is_made_listed_in_parts_renamed_filled_emptied_and_removed(client):
    ids = added(client, *range(1, 6))
    names = [make(client, f"Set {number}", *ids[:number]) for number in range(3)]
    first = client.get("/v1/collections", params={"limit": 2}).json()
    rest = client.get("/v1/collections", params={"after": first["next"]}).json()
    listed = first["collections"] + rest["collections"]
    assert [(row["id"], row["name"], row["documents"]) for row in listed] == [
        (name, f"Set {number}", number) for number, name in enumerate(names)
    ]
    assert rest["next"] is None
    path = f"/v1/collections/{names[0]}"
    changed = client.patch(path, json={"name": " All  ships ", "add": ids, "remove": ids[:1]}).json()
    assert (changed["name"], changed["documents"]) == ("All ships", 4)
    assert client.get(path).json() == changed
    assert inside(client, names[0]) == ids[1:]
    assert client.delete(path).status_code == 204
    assert client.get(path).status_code == 404
    assert len(client.get("/v1/documents").json()["documents"]) == 5


def test_only_the_documents_of_a_collection_are_asked_and_conditions_narrow_it(client):
    ids = added(client, 1, 2, 3)
    name = make(client, "Two", *ids[:2])
    ask = {"collection": name, "question": "When did the ship sink?"}
    answer = client.post("/v1/ask", json={**ask, "question": "When did ship 2 sink?"}).json()
    assert {info["id"] for info in answer["documents"]} <= set(ids[:2])
    assert "1920" in answer["text"]
    assert "1930" not in client.post("/v1/ask", json={**ask, "question": "When did ship 3 sink?"}).json()["text"]
    narrowed = client.post("/v1/ask", json={**ask, "where": "title ~ '1'"}).json()
    assert [info["id"] for info in narrowed["documents"]] == ids[:1]
    chat = {"model": "citewell", "messages": [{"role": "user", "content": "When did ship 2 sink?"}]}
    reply = client.post("/v1/chat/completions", json={**chat, "citewell": {"collection": name}})
    assert "1920" in reply.json()["choices"][0]["message"]["content"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"documents": ["0" * 16]}, None),
        ({"library": True}, None),
        ({"collection": "../etc"}, "collection"),
    ],
)
def test_a_request_names_its_documents_in_one_way(client, body, field):
    name = make(client, "One", *added(client, 1))
    reply = client.post("/v1/ask", json={"collection": name, "question": "When?", **body})
    assert (reply.status_code, reply.json()["error"]["field"]) == (422, field)


def test_what_a_collection_cannot_be_is_refused(client):
    ids = added(client, 1)
    name = make(client, "One")
    other = make(client, "Other", *ids)
    for body, status, field in (
        ({"name": "One"}, 409, "name"),
        ({"name": " \n"}, 422, "name"),
        ({"name": "New", "documents": ["0" * 16]}, 404, "documents"),
        ({"name": "New", "members": [""]}, 422, "members.0"),
    ):
        reply = client.post("/v1/collections", json=body)
        assert (reply.status_code, reply.json()["error"]["field"]) == (status, field), body
    assert client.patch(f"/v1/collections/{other}", json={"name": "One"}).status_code == 409
    empty = client.post("/v1/ask", json={"collection": name, "question": "When?"})
    assert (empty.status_code, empty.json()["error"]["field"]) == (422, "collection")
    missing = client.post("/v1/ask", json={"collection": "0" * 32, "question": "When?"})
    assert (missing.status_code, missing.json()["error"]["field"]) == (404, "collection")


def test_a_document_goes_out_of_collections_when_it_is_removed_and_stays_when_it_is_read_again(client):
    ids = added(client, 1, 2)
    name = make(client, "Both", *ids)
    desk = client.service.pool.desk
    library = desk._library("library", ())
    source = next(entry.source for entry in library.entries() if entry.id == ids[1])
    library.add([read_of(library, source)], data={"seen": 1})
    assert inside(client, name) == ids
    client.delete(f"/v1/documents/{ids[0]}")
    assert inside(client, name) == ids[1:]
    added(client, 1)
    assert inside(client, name) == ids[1:]


def read_of(library, source):
    from citewell.library.reading import Read
    from citewell.serve import keeping

    (entry,) = (entry for entry in library.entries() if entry.source == source)
    read = keeping.from_document(library.documents([entry])[0], ())
    return Read(read.file._replace(source=source), read.document)
