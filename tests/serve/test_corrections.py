"""Corrections of kept results: held against the result and the documents, seen by whom, gone with what they quote."""

import json

import pytest

from serve_tokens import ALICE, BOB, BOTH, READER, bearer

TEXT = "The harbour froze in January 2021. Revenue rose to $5.9bn in 2022.\n\nTwo ferries were sold."
FERRIES = (TEXT.index("Two"), len(TEXT))


@pytest.fixture
def document(client):
    return client.post("/v1/documents", json={"text": TEXT, "title": "Harbour"}).json()["id"]


def checked(client, document, *claims, headers=None):
    body = {"documents": [document], "claims": list(claims or ["Two ferries were sold."]), "keep": True}
    return client.post("/v1/check", json=body, headers=headers).headers["x-citewell-history"]


def correct(client, headers=None, **fields):
    return client.post("/v1/corrections", json={"statement": 0, **fields}, headers=headers)


def lines(client, headers=None):
    return [json.loads(line) for line in client.get("/v1/corrections.jsonl", headers=headers).text.splitlines()]


def test_a_correction_is_kept_with_who_and_when_and_the_evidence_it_is_about(client, document):
    name = checked(client, document, "It was hot.", "Two ferries were sold.")
    reply = correct(client, history=name, statement=1, label="contradicted", note="Only one was.")
    assert reply.status_code == 201
    correction = reply.json()
    assert len(correction.pop("id")) == 32
    assert correction.pop("created").endswith("+00:00")
    cited = [{"document_id": document, "start": FERRIES[0], "end": FERRIES[1], "quote": "Two ferries were sold."}]
    assert correction == {"history": name, "who": "local", "statement": 1, "claim": "Two ferries were sold.",
                    "was": "supported", "label": "contradicted", "citations": cited, "moved": False,
                    "note": "Only one was."}  # fmt: skip
    assert client.get("/v1/corrections", params={"history": name}).json() == {
        "corrections": [reply.json()],
        "next": None,
    }


def test_other_evidence_is_quoted_from_the_document(client, document):
    name = checked(client, document, "It was hot.")
    place = {"document_id": document, "start": 0, "end": 18}
    correction = correct(client, history=name, citations=[place]).json()
    assert (correction["moved"], correction["citations"]) == (True, [{**place, "quote": "The harbour froze "}])


def test_statements_of_answers_and_audits_are_corrected_too(client, document):
    for verb, body in (("ask", {"question": "What was revenue in 2022?"}), ("attribute", {"answer": "Two ferries were sold."}),
                        ("audit", {"response": "Two ferries were sold [2]."})):  # fmt: skip
        reply = client.post(f"/v1/{verb}", json={"documents": [document], "keep": True, **body})
        correction = correct(client, history=reply.headers["x-citewell-history"], label="not_supported").json()
        assert correction["claim"] in TEXT
        assert all(TEXT[cited["start"] : cited["end"]] == cited["quote"] for cited in correction["citations"])
        assert correction["citations"]


def test_the_export_has_a_line_each_with_texts_as_evidence_and_the_label_that_is_right_by_it(client, document):
    name = checked(client, document)
    place = {"document_id": document, "start": FERRIES[0], "end": FERRIES[1]}
    for fields in ({"label": "contradicted"}, {"citations": [place]}, {"note": "Which ones?"}):
        assert correct(client, history=name, **fields).status_code == 201
    correction = lines(client)
    assert [line["label"] for line in correction] == ["contradicted", "supported", None]
    assert [line["evidence"] for line in correction] == [["Two ferries were sold."]] * 3
    assert {line["claim"] for line in correction} == {"Two ferries were sold."}


@pytest.mark.parametrize(
    ("fields", "status", "field"),
    [
        ({}, 422, None),
        ({"label": "quoted"}, 422, "label"),
        ({"label": "supported", "statement": 1}, 422, "statement"),
        ({"label": "supported", "statement": -1}, 422, "statement"),
        ({"citations": [{"document_id": "none", "start": 0, "end": 1}]}, 404, "citations"),
        ({"citations": [{"document_id": None, "start": 5, "end": 5}]}, 422, "citations"),
        ({"citations": [{"document_id": None, "start": 0, "end": 10**6}]}, 422, "citations"),
        ({"label": "supported", "history": "0" * 32}, 404, "history"),
        ({"label": "supported", "history": "x"}, 422, "history"),
    ],
)
def test_what_is_no_correction_is_refused(client, document, fields, status, field):
    body = {"history": checked(client, document), **fields}
    for place in body.get("citations", ()):
        place["document_id"] = place["document_id"] or document
    reply = correct(client, **body)
    assert (reply.status_code, reply.json()["error"]["field"]) == (status, field)
    assert client.get("/v1/corrections").json() == {"corrections": [], "next": None}


def test_a_correction_goes_by_itself_with_its_result_or_with_a_document_it_quotes(client, document):
    other = client.post("/v1/documents", json={"text": "The mine was shut."}).json()["id"]
    name = checked(client, document)
    first, second, third = (
        correct(client, history=name, label="no_claim", **more).json()["id"]
        for more in ({}, {"citations": [{"document_id": other, "start": 0, "end": 8}]}, {})
    )
    assert client.delete(f"/v1/corrections/{first}").status_code == 204
    assert client.delete(f"/v1/corrections/{first}").status_code == 404
    client.delete(f"/v1/documents/{other}")
    assert [entry["id"] for entry in client.get("/v1/corrections").json()["corrections"]] == [third]
    assert second != third
    client.delete(f"/v1/history/{name}")
    assert lines(client) == []


def test_corrections_are_seen_by_those_with_all_labels_of_who_made_them(tenants):
    add = {"json": {"text": TEXT}, "headers": bearer(ALICE)}
    document = tenants.post("/v1/documents", **add).json()["id"]
    name = checked(tenants, document, headers=bearer(ALICE))
    assert correct(tenants, bearer(READER), history=name, label="no_claim").status_code == 404
    tenants.patch(f"/v1/history/{name}", json={"shared": True}, headers=bearer(ALICE))
    for token in (ALICE, BOTH, READER):
        assert correct(tenants, bearer(token), history=name, label="no_claim").json()["who"] == token.partition("-")[0]
    refused = correct(tenants, bearer(BOB), history=name, label="no_claim")
    assert (refused.status_code, refused.json()["error"]["field"]) == (404, "history")
    authors = {token: [line["who"] for line in lines(tenants, bearer(token))] for token in (ALICE, BOTH, BOB)}
    assert authors == {ALICE: ["alice", "reader"], BOTH: ["alice", "both", "reader"], BOB: []}
    listed = tenants.get("/v1/corrections", headers=bearer(BOTH)).json()["corrections"]
    for entry, status in zip(listed, (403, 204, 403), strict=True):
        assert tenants.delete(f"/v1/corrections/{entry['id']}", headers=bearer(BOTH)).status_code == status
        assert tenants.delete(f"/v1/corrections/{entry['id']}", headers=bearer(BOB)).status_code == 404


def test_who_may_only_read_takes_back_their_own_corrections_alone(tenants):
    document = tenants.post("/v1/documents", json={"text": TEXT}, headers=bearer(ALICE)).json()["id"]
    name = checked(tenants, document, headers=bearer(ALICE))
    tenants.patch(f"/v1/history/{name}", json={"shared": True}, headers=bearer(ALICE))
    first, second = (
        correct(tenants, bearer(token), history=name, label="no_claim").json()["id"] for token in (ALICE, READER)
    )
    assert tenants.delete(f"/v1/corrections/{first}", headers=bearer(READER)).status_code == 403
    assert tenants.delete(f"/v1/corrections/{second}", headers=bearer(READER)).status_code == 204


def test_a_caller_keeps_so_many_corrections_and_is_told(serving):
    client = serving(results=1)
    document = client.post("/v1/documents", json={"text": TEXT}).json()["id"]
    name = checked(client, document)
    assert [correct(client, history=name, label="no_claim").status_code for _ in range(2)] == [201, 409]


@pytest.mark.slow
def test_a_checker_learns_from_what_was_corrected(client, tmp_path, monkeypatch, capsys):
    pytest.importorskip("sklearn")
    from citewell.cli import main
    from citewell_lab.train.checker import fit, weights

    claims_by_label = (("{} rose by {} tonnes in 1990.", "supported"), ("{} fell by {} tonnes in 1990.", "contradicted"),
            ("{} won {} medals.", "not_supported"))  # fmt: skip
    for number, plant in enumerate(("Steel", "Paper", "Glass", "Cotton", "Copper", "Salt", "Sugar", "Cement"), start=3):
        text = f"{plant} rose by {number} tonnes in 1990."
        document = client.post("/v1/documents", json={"text": text}).json()["id"]
        name = checked(client, document, *(claim.format(plant, number) for claim, _ in claims_by_label))
        place = {"document_id": document, "start": 0, "end": len(text)}
        for statement, (_, label) in enumerate(claims_by_label):
            reply = correct(client, history=name, statement=statement, label=label, citations=[place])
            assert reply.status_code == 201
    file, weights_file = tmp_path / "corrections.jsonl", tmp_path / "own.json"
    file.write_bytes(client.get("/v1/corrections.jsonl").content)
    quick = {**fit.chosen(), "trees": 4, "folds": 2, "leaf": 2}
    for module in (fit, weights):
        monkeypatch.setattr(module, "chosen", lambda: quick)
    monkeypatch.delenv("CITEWELL_DATA", raising=False)
    assert main(["train", "checker", "--corrections", str(file), "--out", str(weights_file)]) == 0
    assert main(["calibrate", f"lexical(weights={weights_file})", "--corrections", str(file)]) == 0
    output = capsys.readouterr()
    assert "24 corrections" in output.err
    assert "24 claims of 8 answers" in output.out
    report = tmp_path / "report.txt"
    report.write_text("Tea rose by 7 tonnes in 1990.")
    claims = ["Tea rose by 7 tonnes in 1990.", "Tea won 7 medals."]
    spec = output.out.rstrip().splitlines()[-1]
    assert main(["check", str(report), *claims, "--checker", spec, "--json"]) == 0
    verdicts = json.loads(capsys.readouterr().out)["verdicts"]
    assert [verdict["label"] == "supported" for verdict in verdicts] == [True, False]


def test_a_request_names_no_file_of_weights(client, document):
    body = {"documents": [document], "claims": ["It was hot."], "checker": "lexical(weights=/etc/passwd)"}
    assert client.post("/v1/check", json=body).status_code == 422
