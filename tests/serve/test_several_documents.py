"""First questions over real HTTP: the overview of a document, and one question over several documents."""

import json

import pytest

httpx = pytest.importorskip("httpx2")

ORIEL = (
    "Oriel lease\n\nThe tenant may end the lease with 30 days of notice. The lease is governed by the laws of Norway.\n\n"
    "The rent is 1,200 euros a month.\n"
)
TARROW = (
    "Tarrow lease\n\nThe tenant may end the lease with 60 days of notice. The lease is governed by the laws of Portugal.\n\n"
    "The rent is 900 euros a month.\n"
)
LAWS = "Which law governs each of the two leases?"
NAMED = (
    "Oriel lease: The lease is governed by the laws of Norway.\n"
    "Tarrow lease: The lease is governed by the laws of Portugal."
)


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


def ask(http, leases, question, **more):
    reply = http.post("/v1/ask", json={"documents": [*leases], "question": question, **more})
    assert reply.status_code == 200, reply.text
    return reply.json()


def owners(answer, leases):
    """The title of the document behind each statement."""
    return [
        {leases[answer["citations"][number]["document_id"]][0] for number in statement["citations"]}
        for statement in answer["statements"]
    ]


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
    answer = ask(http, leases, LAWS)
    assert answer["text"] == NAMED
    assert [each["text"] for each in answer["statements"]] == [
        "The lease is governed by the laws of Norway.",
        "The lease is governed by the laws of Portugal.",
    ]
    assert owners(answer, leases) == [{"Oriel lease"}, {"Tarrow lease"}]
    assert {each["id"]: each["title"] for each in answer["documents"]} == {
        name: title for name, (title, _) in leases.items()
    }
    for each in answer["citations"]:
        assert leases[each["document_id"]][1][each["start"] : each["end"]] == each["quote"]
        assert answer["text"][each["answer_start"] : each["answer_end"]] == each["quote"]


def test_two_documents_are_compared_and_one_that_is_named_answers_alone(http, leases):
    more = ask(http, leases, "Which lease has the higher rent?")
    assert more["text"].startswith("Oriel lease: 1,200 euros a month, more than Tarrow lease with 900 euros a month.")
    assert owners(more, leases) == [{"Oriel lease", "Tarrow lease"}, {"Oriel lease"}, {"Tarrow lease"}]
    alone = ask(http, leases, "What is the rent in the Tarrow lease?")
    assert alone["text"] == "Tarrow lease: The rent is 900 euros a month."
    assert alone["value"]["text"] == "900 euros a month"
    assert owners(alone, leases) == [{"Tarrow lease"}]


def test_short_answers_of_several_documents_are_a_list_with_a_name_each(http, leases):
    answer = ask(http, leases, "What is the notice period?")
    assert answer["value"]["text"] == "Oriel lease: 30 days; Tarrow lease: 60 days"
    cited = [answer["citations"][number] for number in answer["value"]["citations"]]
    assert [leases[each["document_id"]][0] for each in cited] == ["Oriel lease", "Tarrow lease"]
    assert [each["quote"] for each in cited] == ["30 days", "60 days"]


def test_a_stream_names_the_document_before_each_statement(http, leases):
    reply = http.post("/v1/ask", json={"documents": [*leases], "question": LAWS, "stream": True}).text
    data = [json.loads(line[6:]) for line in reply.splitlines() if line.startswith("data: ")]
    told = [each for each in data if "statement" in each]
    assert "".join(each["before"] + each["statement"]["text"] for each in told) == NAMED


def test_a_follow_up_turns_to_the_other_document(http, leases):
    ask(http, leases, "What is the rent in the Oriel lease?", thread="rents")
    answer = ask(http, leases, "And in the Tarrow lease?", thread="rents")
    assert answer["rewritten"] == "What is the rent in the Tarrow lease?"
    assert answer["text"] == "Tarrow lease: The rent is 900 euros a month."
    assert "rewritten" not in ask(http, leases, "And in the Tarrow lease?", thread="others")


def test_the_compatible_endpoints_name_the_document_of_each_part(http, leases):
    files = {"citewell": {"documents": [*leases]}}
    chat = {"model": "citewell", "messages": [{"role": "user", "content": LAWS}], **files}
    message = http.post("/v1/chat/completions", json=chat).json()["choices"][0]["message"]
    assert message["content"] == NAMED
    notes = [note["url_citation"] for note in message["annotations"]]
    assert {note["title"].partition(" · ")[0] for note in notes} == {"Oriel lease", "Tarrow lease"}
    response = http.post("/v1/responses", json={"model": "citewell", "input": LAWS, **files}).json()
    assert response["output"][0]["content"][0]["text"] == NAMED
    claude = {"model": "citewell", "max_tokens": 99, "messages": [{"role": "user", "content": LAWS}], **files}
    blocks = http.post("/v1/messages", json=claude).json()["content"]
    assert "".join(block["text"] for block in blocks) == NAMED
    cited = [note["document_title"] for block in blocks for note in block.get("citations") or ()]
    assert list(dict.fromkeys(cited)) == ["Oriel lease", "Tarrow lease"]


def test_a_response_over_several_documents_goes_on_about_all_of_them(http, leases):
    body = {"model": "citewell", "input": "What is the rent in the Oriel lease?", "citewell": {"documents": [*leases]}}
    first = http.post("/v1/responses", json=body).json()
    again = {"model": "citewell", "input": "And in the Tarrow lease?", "previous_response_id": first["id"]}
    second = http.post("/v1/responses", json=again).json()
    assert second["citewell"]["rewritten"] == "What is the rent in the Tarrow lease?"
    assert second["output"][0]["content"][0]["text"] == "Tarrow lease: The rent is 900 euros a month."
