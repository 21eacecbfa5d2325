"""Results that are kept: listed, searched, told, exported, taken out; and who sees which."""

import json
import re
from pathlib import Path

import pytest

from citewell.types import Answer
from serve_tokens import ALICE, BOB, BOTH, READER, bearer

EXAMPLES = Path(__file__).parents[2] / "examples"
TEXT = "The harbour froze in January 2021. Revenue rose to $5.9bn in 2022.\n\nTwo ferries were sold."


@pytest.fixture
def document(client):
    return client.post("/v1/documents", json={"text": TEXT, "title": "Harbour 2021"}).json()["id"]


def kept(client, verb, headers=None, **question):
    reply = client.post(f"/v1/{verb}", json={**question, "keep": True}, headers=headers)
    assert reply.status_code == 200, reply.text
    return reply.headers["x-citewell-history"], reply.json()


def titles(client, headers=None, **query):
    entries = client.get("/v1/history", params=query, headers=headers).json()["entries"]
    return [entry["title"] for entry in entries]


@pytest.fixture
def four(client, document):
    named = {"documents": [document]}
    return {
        "ask": kept(client, "ask", **named, question="What was revenue in 2022?"),
        "attribute": kept(client, "attribute", **named, answer="Revenue was $5.9bn in 2022."),
        "check": kept(client, "check", **named, claims=["Two ferries were sold.", "It was hot."]),
        "audit": kept(client, "audit", **named, response="Two ferries were sold [2]."),
    }


def test_what_is_kept_is_told_as_it_was_with_what_was_asked(client, document, four):
    for verb, (name, result) in four.items():
        entry = client.get(f"/v1/history/{name}").json()
        assert (entry["id"], entry["kind"], entry["result"]) == (name, verb, result)
        assert entry["documents"] == [{"id": document, "title": "Harbour 2021"}]
    request = client.get(f"/v1/history/{four['ask'][0]}").json()["request"]
    assert request == {"documents": [document], "question": "What was revenue in 2022?"}


def test_nothing_is_kept_unless_it_is_asked_for(client, document):
    reply = client.post("/v1/ask", json={"documents": [document], "question": "When did the harbour freeze?"})
    assert "x-citewell-history" not in reply.headers
    assert client.get("/v1/history").json() == {"entries": [], "next": None}


def test_the_list_is_newest_first_with_titles_and_labels(client, four):
    entries = client.get("/v1/history").json()["entries"]
    assert [entry["kind"] for entry in entries] == ["audit", "check", "attribute", "ask"]
    assert [entry["id"] for entry in entries] == [name for name, _ in reversed(four.values())]
    assert entries[1]["title"] == "Two ferries were sold. (and 1 more)"
    assert entries[1]["labels"] == {"supported": 1, "not_supported": 1}
    assert set(entries[0]) == {"id", "kind", "title", "created", "documents", "labels", "who", "shared", "thread"}
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00", entries[0]["created"])


def test_pages_of_the_list_go_on_where_the_last_one_ended(client, document):
    for number in range(5):
        kept(client, "check", documents=[document], claims=[f"Ferry {number} sank."])
    first = client.get("/v1/history", params={"limit": 2}).json()["entries"]
    assert [entry["title"] for entry in first] == ["Ferry 4 sank.", "Ferry 3 sank."]
    assert client.delete(f"/v1/history/{first[-1]['id']}").status_code == 204  # the next page does not need it
    assert titles(client, limit=2, before=first[-1]["id"]) == ["Ferry 2 sank.", "Ferry 1 sank."]


def test_all_words_are_searched_whatever_their_case_and_signs_stand_for_themselves(client, document):
    named = {"documents": [document]}
    kept(client, "ask", **named, question="What was revenue in 2022?")
    kept(client, "check", **named, claims=["STRASSE 100% gesperrt", "Zwei Fähren"])
    assert titles(client, q="REVENUE harbour") == ["What was revenue in 2022?"]  # of the question and of a title
    assert titles(client, q="5.9bn") == ["What was revenue in 2022?"]  # of the answer
    assert titles(client, q="straße FÄHREN") == ["STRASSE 100% gesperrt (and 1 more)"]
    assert titles(client, q="100%") == ["STRASSE 100% gesperrt (and 1 more)"]
    assert titles(client, q="1_0") == titles(client, q="revenue Fähren") == []


def test_a_stream_names_the_entry_in_its_last_event(client, document):
    settings = {"documents": [document], "question": "What was revenue in 2022?", "stream": True, "keep": True}
    last = client.post("/v1/ask", json=settings).text.strip().split("\n\n")[-1]
    payload = json.loads(last.partition("data: ")[2])
    name = payload.pop("history")
    assert last.startswith("event: answer\n")
    assert client.get(f"/v1/history/{name}").json()["result"] == payload


def test_entries_are_taken_out_one_by_one_or_all_at_once(client, four):
    name = four["ask"][0]
    assert client.delete(f"/v1/history/{name}").status_code == 204
    assert client.delete(f"/v1/history/{name}").status_code == client.get(f"/v1/history/{name}").status_code == 404
    assert len(titles(client)) == 3
    assert client.delete("/v1/history").status_code == 204
    assert titles(client) == []


def test_with_a_document_go_the_entries_that_read_it(client, document):
    other = client.post("/v1/documents", json={"text": "The mine was shut."}).json()["id"]
    both, _ = kept(client, "ask", documents=[other, document], question="What was revenue in 2022?")
    whole, _ = kept(client, "ask", library=True, question="When did the harbour freeze?")
    mine, _ = kept(client, "check", documents=[other], claims=["The mine was shut."])
    assert client.delete(f"/v1/documents/{document}").status_code == 204
    assert [entry["id"] for entry in client.get("/v1/history").json()["entries"]] == [mine]
    assert {client.get(f"/v1/history/{name}").status_code for name in (both, whole)} == {404}
    data = b"".join(file.read_bytes() for file in Path(client.service.settings.library).glob("library.db*"))
    assert b"harbour freeze?" not in data  # overwritten, in the file as well
    assert b"mine was shut" in data


def test_a_result_whose_document_went_meanwhile_is_not_kept(client, document, monkeypatch):
    from citewell.serve import histories

    keep = histories.keep

    def late(*arguments):
        client.service.pool.desk._library("library", ()).remove([document])
        return keep(*arguments)

    monkeypatch.setattr(histories, "keep", late)
    reply = client.post("/v1/check", json={"documents": [document], "claims": ["It was hot."], "keep": True})
    assert (reply.status_code, reply.json()["error"]["type"]) == (404, "NotFoundError")
    assert titles(client) == []


def test_a_caller_keeps_so_many_and_is_told(serving):
    client = serving(results=1)
    name = client.post("/v1/documents", json={"text": TEXT}).json()["id"]
    settings = {"documents": [name], "claims": ["It was hot."], "keep": True}
    kept(client, "check", documents=[name], claims=["It was hot."])
    reply = client.post("/v1/check", json=settings)
    assert (reply.status_code, reply.json()["error"]["type"]) == (409, "FullError")
    assert client.post("/v1/check", json=settings | {"keep": False}).status_code == 200


def test_what_is_no_id_or_page_is_refused(client):
    for path in ("/v1/history/none", "/v1/history/" + "g" * 32, "/v1/history?limit=0", "/v1/history?before=x",
                 f"/v1/history/{'0' * 32}/export?as=docx"):  # fmt: skip
        assert client.get(path).status_code == 422
    assert client.get(f"/v1/history/{'0' * 32}").status_code == 404


@pytest.fixture
def report(client):
    with (EXAMPLES / "annual-report.pdf").open("rb") as file:
        return client.post("/v1/documents", files={"file": ("annual-report.pdf", file)}).json()["id"]


def export(client, name, form, **query):
    return client.get(f"/v1/history/{name}/export", params={"as": form, **query})


def test_exports_are_the_librarys_own(client, report):
    name, result = kept(client, "ask", documents=[report], question="What was revenue in 2023?")
    answer = Answer.from_dict(result)
    assert Answer.from_dict(export(client, name, "json").json()["result"]) == answer
    assert "What was revenue in 2023?" in export(client, name, "markdown").text
    assert answer.citations[0].quote.split()[0] in export(client, name, "html").text
    pdf = export(client, name, "pdf")
    assert (pdf.headers["content-type"], pdf.content[:5]) == ("application/pdf", b"%PDF-")
    for marked in (pdf, export(client, name, "pdf", document=report)):
        assert marked.content.startswith((EXAMPLES / "annual-report.pdf").read_bytes())
        assert b"/Highlight" in marked.content
    assert export(client, name, "pdf", document="none").status_code == 404
    entry = export(client, name, "bibtex").text
    assert "annual-report.pdf" in entry
    assert f"cited: p. {answer.citations[0].page}" in entry
    assert export(client, name, "csl").json()[0]["title"] == answer.documents[0].title


def test_every_kind_is_exported_in_every_form_but_the_pdf_of_a_text(client, four):
    for name, _ in four.values():
        for form in ("json", "markdown", "html", "bibtex", "csl"):
            assert export(client, name, form).status_code == 200
        assert export(client, name, "pdf").status_code == 404
    assert "Two ferries were sold" in export(client, four["check"][0], "markdown").text
    assert "Two ferries were sold" in export(client, four["audit"][0], "html").text
    assert "Harbour 2021" in export(client, four["check"][0], "bibtex").text


def test_an_export_is_a_file_and_never_a_page_of_the_service(client, four):
    headers = export(client, four["ask"][0], "html").headers
    assert headers["content-disposition"].startswith("attachment;")
    assert headers["content-security-policy"] == "sandbox; default-src 'none'"


def added(client, token, text=TEXT):
    return client.post("/v1/documents", json={"text": text, "title": "Harbour"}, headers=bearer(token)).json()["id"]


def test_an_entry_is_seen_by_those_with_all_its_labels_and_by_nobody_else(tenants):
    mine = {token: added(tenants, token) for token in (ALICE, BOB, BOTH)}
    names = {
        token: kept(tenants, "check", bearer(token), documents=[mine[token]], claims=[f"{token} was here."])[0]
        for token in mine
    }
    titles_by_key = {token: titles(tenants, bearer(token)) for token in mine}
    message_by_key = {token: f"{token} was here." for token in mine}
    assert titles_by_key == {
        ALICE: [message_by_key[ALICE]],
        BOB: [message_by_key[BOB]],
        BOTH: [message_by_key[BOTH], message_by_key[BOB], message_by_key[ALICE]],
    }
    assert titles(tenants, bearer(BOB), q="alice") == []
    for path in ("", "/export"):
        assert tenants.get(f"/v1/history/{names[ALICE]}{path}", headers=bearer(BOB)).status_code == 404
        assert tenants.get(f"/v1/history/{names[BOTH]}{path}", headers=bearer(ALICE)).status_code == 404
    unknown = tenants.get(f"/v1/history/{'0' * 32}", headers=bearer(BOB)).json()
    hidden = tenants.get(f"/v1/history/{names[ALICE]}", headers=bearer(BOB)).json()
    assert hidden == json.loads(json.dumps(unknown).replace("0" * 32, names[ALICE]))


def test_others_entries_change_neither_lists_nor_pages_nor_room(tenants):
    document = added(tenants, BOB)
    kept(tenants, "check", bearer(BOB), documents=[document], claims=["Bob was here."])
    before = tenants.get("/v1/history?limit=1", headers=bearer(BOB)).content
    for token in (ALICE, BOTH):
        name = added(tenants, token)
        kept(tenants, "check", bearer(token), documents=[name], claims=["Somebody was here."])
    assert tenants.get("/v1/history?limit=1", headers=bearer(BOB)).content == before


def test_an_id_tells_no_more_than_its_own_time(tenants):
    document = added(tenants, BOB)
    names = [kept(tenants, "check", bearer(BOB), documents=[document], claims=["a b c"])[0] for _ in range(2)]
    assert names == sorted(names)
    assert len({name[14:] for name in names}) == 2  # by chance, not by a count


def test_who_sees_an_entry_of_others_may_not_remove_it(tenants):
    document = added(tenants, ALICE)
    name, _ = kept(tenants, "check", bearer(ALICE), documents=[document], claims=["Alice was here."])
    refused = tenants.delete(f"/v1/history/{name}", headers=bearer(BOTH))
    assert (refused.status_code, refused.json()["error"]["type"]) == (403, "ForbiddenError")
    assert tenants.delete("/v1/history", headers=bearer(BOTH)).status_code == 204
    assert tenants.delete(f"/v1/history/{name}", headers=bearer(BOB)).status_code == 404
    assert len(titles(tenants, bearer(ALICE))) == 1


def test_who_may_only_read_removes_no_more_than_they_kept(tenants):
    document = added(tenants, ALICE)
    name, _ = kept(tenants, "check", bearer(ALICE), documents=[document], claims=["Alice was here."])
    kept(tenants, "check", bearer(READER), documents=[document], claims=["Somebody read."])
    assert titles(tenants, bearer(READER)) == ["Somebody read."]
    assert tenants.get(f"/v1/history/{name}", headers=bearer(READER)).status_code == 404
    assert tenants.delete(f"/v1/history/{name}", headers=bearer(READER)).status_code == 404
    shared = tenants.patch(f"/v1/history/{name}", json={"shared": True}, headers=bearer(ALICE)).json()
    assert (shared["who"], shared["shared"]) == ("alice", True)
    assert titles(tenants, bearer(READER)) == ["Somebody read.", "Alice was here."]
    refused = tenants.patch(f"/v1/history/{name}", json={"shared": False}, headers=bearer(READER))
    assert refused.status_code == tenants.delete(f"/v1/history/{name}", headers=bearer(READER)).status_code == 403
    assert tenants.delete("/v1/history", headers=bearer(READER)).status_code == 204
    assert titles(tenants, bearer(READER)) == ["Alice was here."]


def test_the_same_text_of_two_tenants_goes_with_its_own_entries_alone(tenants):
    first, second = added(tenants, ALICE), added(tenants, BOB)
    assert first == second
    for token in (ALICE, BOB):
        kept(tenants, "check", bearer(token), documents=[first], claims=["It was hot."])
    assert tenants.delete(f"/v1/documents/{first}", headers=bearer(ALICE)).status_code == 204
    assert titles(tenants, bearer(ALICE)) == []
    assert titles(tenants, bearer(BOB)) == ["It was hot."]
