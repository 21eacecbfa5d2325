"""Files that could not be read: they are listed with the reason, tried again by one call, and are their owner's."""

import pytest

from citewell.errors import TooLargeDocumentError
from citewell.library.library import Library
from citewell.library.store import records, tables
from citewell.serve import failures

BROKEN = b"%PDF-1.7 nothing"


def tokens(tmp_path):
    file = tmp_path / "tokens"
    lines = ("ann role=member", "ben role=member", "eve role=admin", "rod role=reader")
    file.write_text("".join(f"{line[:3]}-0123456789abcdef name={line} workspace=red\n" for line in lines))
    return file


def call(client, who, method, path, **more):
    return client.request(method, path, headers={"Authorization": f"Bearer {who}-0123456789abcdef"}, **more)


def listed(client, who):
    return call(client, who, "GET", "/v1/failures").json()["failures"]


@pytest.fixture
def sent(serving, tmp_path):
    """A service to which Ann has sent a file that takes too much time, until it is let."""
    client = serving(token_file=tokens(tmp_path))
    file = {"file": ("slow.txt", b"The harbour froze in 2021.")}
    with pytest.MonkeyPatch.context() as patch:

        def refused(*_, **__):
            raise TooLargeDocumentError("slow.txt takes more than 1 second", "seconds")

        patch.setattr("citewell.readers.read", refused)
        assert call(client, "ann", "POST", "/v1/documents", files=file).status_code == 413
    return client


def test_a_file_that_failed_is_listed_with_its_reason_and_read_by_one_call(sent):
    (failure,) = listed(sent, "ann")
    assert (failure["name"], failure["type"], failure["owner"]) == ("slow.txt", "TooLargeDocumentError", "ann")
    assert failure["message"] == "slow.txt takes more than 1 second"
    reply = call(sent, "ann", "POST", f"/v1/failures/{failure['id']}/retry")
    assert reply.status_code == 201
    document = call(sent, "ann", "GET", reply.headers["location"]).json()
    assert (document["source"], document["owner"], document["workspace"]) == ("slow.txt", "ann", "red")
    assert listed(sent, "ann") == []
    assert call(sent, "ann", "POST", f"/v1/failures/{failure['id']}/retry").status_code == 404


def test_it_stays_its_owners_when_an_admin_mends_it(sent):
    (failure,) = listed(sent, "eve")
    for who, status in (("ben", 404), ("rod", 403)):
        assert listed(sent, who) == []
        assert call(sent, who, "POST", f"/v1/failures/{failure['id']}/retry").status_code == status
        assert call(sent, who, "DELETE", f"/v1/failures/{failure['id']}").status_code == status
    reply = call(sent, "eve", "POST", f"/v1/failures/{failure['id']}/retry")
    assert call(sent, "eve", "GET", reply.headers["location"]).json()["owner"] == "ann"


@pytest.mark.rare
def test_what_fails_again_is_kept_with_its_new_reason_and_its_bytes(client):
    assert client.post("/v1/documents", files={"file": ("a.pdf", BROKEN)}).status_code == 422
    (first,) = client.get("/v1/failures").json()["failures"]
    for _ in range(2):
        assert client.post(f"/v1/failures/{first['id']}/retry").status_code == 422
    (later,) = client.get("/v1/failures").json()["failures"]
    assert (later["id"], later["type"]) == (first["id"], "CorruptDocumentError")
    assert later["at"] > first["at"]


def contents(client):
    with Library(client.service.settings.library) as library, library.database.reading() as connection:
        return list(connection.scalars(tables.contents.select().with_only_columns(tables.contents.c.content)))


def test_with_a_failure_go_its_bytes_and_with_others_it_stays(client):
    client.post("/v1/documents", files={"file": ("a.pdf", BROKEN)})
    (failure,) = client.get("/v1/failures").json()["failures"]
    with Library(client.service.settings.library) as library, library.database.writing() as connection:
        assert records.unused(connection) == 0
    assert len(contents(client)) == 1
    assert client.delete(f"/v1/failures/{failure['id']}").status_code == 204
    assert (contents(client), client.get("/v1/failures").json()["failures"]) == ([], [])


def test_the_oldest_makes_room(client, monkeypatch):
    monkeypatch.setattr(failures, "MOST", 2)
    for number in range(3):
        client.post("/v1/documents", files={"file": (f"{number}.pdf", BROKEN + str(number).encode())})
    assert [row["name"] for row in client.get("/v1/failures").json()["failures"]] == ["1.pdf", "2.pdf"]
    assert len(contents(client)) == 2
    part = client.get("/v1/failures?limit=1").json()
    assert [row["name"] for row in client.get("/v1/failures", params={"after": part["next"]}).json()["failures"]] == [
        "2.pdf"
    ]


def test_a_file_that_whoever_runs_the_service_added_is_mended_where_it_lies(client, tmp_path):
    file = tmp_path / "harbour.pdf"
    file.write_bytes(BROKEN)
    with Library(client.service.settings.library, create=True) as library:
        library.add([file])
    (failure,) = client.get("/v1/failures").json()["failures"]
    assert (failure["name"], failure["owner"]) == ("harbour.pdf", None)
    file.write_text("The harbour froze in 2021.")
    assert client.post(f"/v1/failures/{failure['id']}/retry").status_code == 201
    file.unlink()
    assert client.get("/v1/failures").json()["failures"] == []
