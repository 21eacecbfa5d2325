"""First questions over real HTTP: the overview of a document, and one question over several documents."""

import pytest

httpx = pytest.importorskip("httpx2")

ORIEL = "# Oriel lease\n\nThe tenant may end the lease with 30 days of notice. The lease is governed by the laws of Norway.\n"
TARROW = "# Tarrow lease\n\nThe tenant may end the lease with 60 days of notice. The lease is governed by the laws of Portugal.\n"


@pytest.fixture
def http(online):
    with httpx.Client(base_url=online(), timeout=60) as client:
        yield client


@pytest.fixture
def leases(http):
    texts = {"Oriel lease": ORIEL, "Tarrow lease": TARROW}
    return {
        http.post("/v1/documents", json={"text": text, "title": title}).json()["id"]: (title, text)
        for title, text in texts.items()
    }


def test_an_overview_quotes_its_document_and_tried_its_questions(http, leases):
    for name, (title, text) in leases.items():
        described = http.post("/v1/overview", json={"document": name}).json()
        assert described["document"] == {"id": name, "title": title} | described["document"]
        assert described["statements"]
        assert all(text[each["start"] : each["end"]] == each["quote"] for each in described["statements"])
        for tried in described["questions"]:
            answer = http.post("/v1/ask", json={"documents": [name], "question": tried["question"]}).json()
            assert not answer.get("abstention")


def test_each_of_several_documents_answers_for_itself_by_name(http, leases):
    body = {"documents": [*leases], "question": "Which law governs each of the two leases?"}
    answer = http.post("/v1/ask", json=body).json()
    assert [each["text"] for each in answer["statements"]] == [
        "The lease is governed by the laws of Norway.",
        "The lease is governed by the laws of Portugal.",
    ]
    assert {each["document_id"] for each in answer["citations"]} == set(leases)
    assert {each["id"]: each["title"] for each in answer["documents"]} == {
        name: title for name, (title, _) in leases.items()
    }
    for each in answer["citations"]:
        assert leases[each["document_id"]][1][each["start"] : each["end"]] == each["quote"]
