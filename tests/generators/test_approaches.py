"""Answers by a language model: the five approaches, streaming, declining, repair, with scripted replies."""

import json

import pytest

import citewell
from citewell import registry
from citewell.document import Document
from citewell.errors import BackendError, ContextTooLongError, ReplyError, SpecError, UsageError
from citewell.generators.prompted import templates
from citewell.generators.prompted.generator import Prompted
from citewell.pipeline import Pipeline, approaches
from citewell.protocols import Completion
from citewell_lab.bench.tasks import names
from citewell_lab.bench.tasks import task as find

REPORT = Document.from_text(
    "Northwater carried 4.1 million passengers in 2025. Fares rose by 3 percent in spring.\n\n"
    "The ferry Aurora was built in Turku. She is powered by batteries and a small diesel engine.\n\n"
    "Fuel costs fell to 18 million euros. The company employs 640 people in three harbours.\n\n"
    "A museum in the old customs house shows lamps, ropes and charts.",
    title="Report",
)


class Model:
    """Replies in order, and remembers what it was asked."""

    name = "toy"
    calls_tools = True

    def __init__(self, *replies, finish="stop"):
        self.replies, self.prompts, self.finish = list(replies), [], finish

    def complete(self, request, on_text=None):
        self.prompts.append(request)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        for piece in (reply[n : n + 7] for n in range(0, len(reply), 7)) if on_text else ():
            on_text(piece)
        return Completion(reply, "toy-1", self.finish, 100, 20, 0.001)

    @property
    def text(self):
        return "\n".join(message.content for message in self.prompts[-1].messages)


def holds(answer, document=REPORT):
    for citation in answer.citations:
        assert document.text[citation.start : citation.end] == citation.quote
    for statement in answer.statements:
        assert answer.text[statement.start : statement.end] == statement.text
        for number in statement.citations:
            assert statement.start <= answer.citations[number].answer_start <= statement.end
    assert citewell.Answer.from_dict(json.loads(json.dumps(answer.to_dict()))).to_dict() == answer.to_dict()
    return True


GOOD = "The company employs 640 people. [3] The ferry Aurora was built in Turku. [2]"


def test_citations_become_statements_with_quoted_sentences():
    answer = citewell.ask(REPORT, "What is said?", llm=Model(GOOD))
    assert holds(answer)
    assert answer.text == "The company employs 640 people. The ferry Aurora was built in Turku."
    assert [c.quote for c in answer.citations] == [
        "The company employs 640 people in three harbours.",
        "The ferry Aurora was built in Turku.",
    ]
    assert [statement.label for statement in answer.statements] == ["supported", "supported"]
    assert answer.method == "toy-1 | lexical"
    assert answer.usage["cost"] == 0.001
    assert len(answer.usage["prompt"]["sha256"]) == 64
    assert answer.usage["tokens_estimated"] is True


def test_without_repair_the_cited_paragraphs_stay():
    answer = citewell.ask(REPORT, "What is said?", llm=Model(GOOD), verify=False)
    assert holds(answer)
    assert [(c.granularity, c.segment_id) for c in answer.citations] == [("paragraph", "p2"), ("paragraph", "p1")]


def test_a_citation_that_does_not_support_is_replaced_and_told():
    answer = citewell.ask(REPORT, "What is said?", llm=Model("The company employs 640 people. [4]"))
    assert holds(answer)
    assert [c.quote for c in answer.citations] == ["The company employs 640 people in three harbours."]
    assert answer.warnings == (
        "the reply cites p3 for “The company employs 640 people.”, which does not support it: replaced by p2.1",
    )


def test_a_citation_of_an_invention_is_dropped_and_told():
    answer = citewell.ask(REPORT, "What?", llm=Model("Penguins steer the submarines at midnight. [4]"))
    assert answer.citations == ()
    assert answer.statements[0].label == "not_supported"
    assert "left out" in answer.warnings[0]


def test_a_superfluous_citation_goes_and_the_good_one_stays():
    answer = citewell.ask(REPORT, "What is said?", llm=Model("The company employs 640 people. [4] [3]"))
    assert [c.segment_id for c in answer.citations] == ["p2.1"]
    assert len(answer.warnings) == 1


@pytest.mark.parametrize(("uncited", "count"), [("attribute", 1), ("leave", 0)])
def test_a_statement_with_a_mark_of_nothing_is_attributed_or_left(uncited, count):
    answer = citewell.ask(REPORT, "What?", llm=Model("The company employs 640 people. [17]"), uncited=uncited)
    assert holds(answer)
    assert len(answer.citations) == count
    assert "[17]" in answer.warnings[0]
    assert "[17]" not in answer.text


def test_post_hoc_shows_no_numbers_and_finds_evidence_afterwards():
    model = Model("The company employs 640 people.")
    answer = citewell.ask(REPORT, "How many people?", llm=model, approach="post-hoc")
    assert holds(answer)
    assert answer.citations[0].method == "lexical"
    assert "[1]" not in model.text
    assert "customs house" in model.text


def test_retrieve_then_read_reads_two_passages_and_cites_them():
    model = Model("It employs 640 people in three harbours.")
    answer = citewell.ask(
        REPORT, "How many people does the company employ?", llm=model, approach="retrieve-then-read", verify=False
    )
    assert holds(answer)
    assert len(answer.citations) == 2
    assert "640 people" in model.text
    assert answer.usage["passages"] == 2
    assert "Turku" not in model.text


@pytest.mark.parametrize("approach", ["reduced-post-hoc", "reduced-citation"])
def test_a_reduced_document_has_ten_paragraphs(approach):
    long = Document.from_text("\n\n".join(f"Ship number {n} carries {n} lamps and one cook." for n in range(40)))
    model = Model("Ship number 31 carries 31 lamps. [1]")
    answer = citewell.ask(long, "What does ship number 31 carry?", llm=model, approach=approach)
    assert holds(answer, long)
    assert answer.usage["passages"] == 10
    assert "Ship number 31 carries" in model.text
    assert "31 lamps" in answer.citations[0].quote


@pytest.mark.parametrize("approach", sorted(set(registry.rows("approach")) - {"extractive", "reader"}))
@pytest.mark.parametrize("prompt", templates.NAMES)
def test_every_approach_runs_with_every_prompt(approach, prompt):
    answer = citewell.ask(
        REPORT,
        "What is said of the company?",
        llm=Model("The company employs 640 people [3]."),
        approach=approach,
        prompt=prompt,
    )
    assert holds(answer)
    assert not answer.abstained


@pytest.mark.parametrize("task", [name for name in names() if find(name).retrieval and name in templates.NAMES])
def test_labs_settings_are_there_for_each_task(task):
    settings = approaches.settings("retrieve-then-read", Model("x"), prompt=task, retrieval=find(task).retrieval)
    size = 5 if task == "wice" else 2
    assert f"k={size}" in settings["generator"].reduce
    assert settings["generator"].template.name == task
    assert settings["verify"] is False
    assert settings["granularity"] == settings["generator"].unit


def test_a_reply_that_declines_is_an_abstention_without_citations():
    answer = citewell.ask(REPORT, "Who owns it?", llm=Model("The report does not mention the owner. [1] [2]"))
    assert answer.abstained
    assert answer.abstention.reason == "declined"
    assert answer.citations == answer.statements == ()
    assert answer.to_dict()["abstained"] is True


def test_a_label_is_no_refusal():
    answer = citewell.ask(REPORT, "The company pays.", llm=Model("not mentioned"), prompt="contract-nli")
    assert not answer.abstained
    assert answer.text == "not mentioned"


@pytest.mark.parametrize("model", [Model(""), Model("[1]"), Model("No.", finish="refused")])
def test_an_empty_or_refused_reply_is_an_abstention(model):
    assert citewell.ask(REPORT, "Who?", llm=model).abstention.reason == "declined"


def test_a_cut_reply_is_told():
    answer = citewell.ask(REPORT, "Who?", llm=Model("The company employs 640 people. [3] It", finish="length"))
    assert any("cut off" in warning for warning in answer.warnings)


def test_a_document_that_does_not_fit_is_reduced_to_what_is_nearest_to_the_question_and_told():
    ships = [f"Ship number {n} carries {n} lamps and one cook." for n in range(200)]
    long = Document.from_text("\n\n".join([*ships, "The harbour master at Veldt keeps the only key."]))
    model = Model("The harbour master keeps it. [1]")
    answer = citewell.ask(long, "Who keeps the key of the harbour?", llm=model, approach="citation(max_input=1000)")
    assert "The harbour master at Veldt keeps the only key." in model.text
    assert answer.usage["approach"] == "reduced-citation"
    read = answer.usage["reduced"]
    assert read == {"retriever": "bm25", "read": answer.usage["passages"], "of": 201}
    assert 5 < read["read"] < 200
    assert any(f"the {read['read']} of 201 passages nearest" in warning for warning in answer.warnings)


def test_a_document_that_fits_is_read_whole_and_nothing_is_said_of_it():
    answer = citewell.ask(REPORT, "What?", llm=Model("The company employs 640 people. [3]"))
    assert "reduced" not in answer.usage
    assert answer.warnings == ()


def test_a_summary_that_does_not_fit_is_of_the_passages_that_say_most_of_the_rest():
    long = Document.from_text("\n\n".join(f"Ship number {n} carries {n} lamps and one cook." for n in range(200)))
    settings = approaches.settings("post-hoc", Model("Ships carry lamps."), prompt="summary", max_input=1500)
    answer = Pipeline(**settings).run(long, "Summarise.")
    assert (answer.usage["approach"], answer.usage["reduced"]["retriever"]) == ("reduced-post-hoc", "self-similarity")


def test_what_does_not_fit_is_cut_off_by_whole_passages_on_request_and_told():
    long = Document.from_text("\n\n".join(f"Ship number {n} carries {n} lamps and one cook." for n in range(200)))
    model = Model("Ship number 3 carries 3 lamps. [4]")
    pipeline = Pipeline(**approaches.settings("citation", model, max_input=1000, overlong="cut"))
    answer = pipeline.run(long, "What?")
    assert holds(answer, long)
    kept = answer.usage["passages"]
    assert 5 < kept < 200
    assert f"Ship number {kept - 1} carries {kept - 1} lamps and one cook." in model.text
    assert f"Ship number {kept} carries" not in model.text
    assert answer.warnings == (
        f"the documents are longer than fits: the last {200 - kept} of 200 passages were not read",
    )


def test_one_endless_paragraph_is_read_by_sentences():
    long = Document.from_text(" ".join(f"Ship number {n} carries {n} lamps and one cook." for n in range(400)))
    answer = Pipeline(
        **approaches.settings("citation", Model("Ship number 3 carries 3 lamps. [4]"), max_input=1500)
    ).run(long, "What?")
    assert holds(answer, long)
    assert answer.citations[0].quote == "Ship number 3 carries 3 lamps and one cook."


def test_no_room_at_all_is_told():
    with pytest.raises(UsageError, match="not one passage fits"):
        Pipeline(**approaches.settings("citation", Model("x"), max_input=20)).run(REPORT, "What?")


def test_a_shorter_context_than_thought_is_answered_by_reading_less():
    long = Document.from_text("\n\n".join(f"Ship number {n} carries {n} lamps and one cook." for n in range(400)))
    model = Model(ContextTooLongError("too long", 9000, 4000), "Ship number 3 carries 3 lamps. [4]")
    answer = citewell.ask(long, "What?", llm=model)
    assert answer.citations[0].quote == "Ship number 3 carries 3 lamps and one cook."
    assert len(model.prompts) == 2
    assert "shorter than max_input" in answer.warnings[0]


def test_a_failing_model_fails_the_call():
    with pytest.raises(BackendError, match="broken"):
        citewell.ask(REPORT, "What?", llm=Model(BackendError("broken")))


def test_the_models_own_tokenizer_counts_where_it_has_one():
    model = Model(GOOD)
    model.count_tokens = lambda text: len(text.split())
    assert citewell.ask(REPORT, "What?", llm=model).usage["tokens_estimated"] is False


LONG = " ".join(
    f"{sentence} [{number}]"
    for sentence, number in [
        ("Northwater carried 4.1 million passengers in 2025.", 1),
        ("The ferry Aurora was built in Turku.", 2),
        ("Fuel costs fell to 18 million euros.", 3),
        ("The company employs 640 people in three harbours.", 3),
    ]
)


def test_statements_are_told_while_the_reply_arrives_and_stand_at_the_end():
    requests, calls = [], []

    class Watching(Model):
        def complete(self, request, on_text=None):
            def watch(piece):
                on_text(piece)
                calls.append(len(requests))

            return super().complete(request, watch)

    answer = citewell.ask(REPORT, "What?", llm=Watching(LONG), tell=requests.append)
    assert holds(answer)
    assert max(calls) >= 2, "nothing was told before the end"
    assert tuple(part.statement for part in requests) == answer.statements
    assert "".join(part.before + part.statement.text for part in requests) == answer.text
    assert [citation for part in requests for citation in part.citations] == list(answer.citations)
    assert answer.warnings == ()


def test_nothing_is_told_of_a_refusal():
    requests = []
    reply = "The report does not mention the owner. " * 4
    assert citewell.ask(REPORT, "Who?", llm=Model(reply), tell=requests.append).abstained
    assert requests == []


def test_prompts_of_ones_own_are_read(tmp_path):
    path = tmp_path / "pirate.txt"
    path.write_text("Answer like a pirate.", encoding="utf-8")
    model = Model("The company employs 640 people. [3]")
    answer = citewell.ask(REPORT, "What?", llm=model, prompt=str(path))
    assert model.text.startswith("Answer like a pirate.")
    assert answer.usage["prompt"]["name"] == "pirate.txt"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("=== input\n{document} {question}", "no instruction"),
        ("=== instruction\nx\n=== input\n{document}", "question"),
        ("=== banana\nx", "banana"),
        ("colour: red\n=== instruction\nx", "colour"),
        ("unit: page\n=== instruction\nx", "unit"),
        ("max_tokens: 0\n=== instruction\nx", "max_tokens"),
    ],
)
def test_a_wrong_prompt_file_is_told(tmp_path, text, says):
    path = tmp_path / "p.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=says):
        citewell.ask(REPORT, "What?", llm=Model("x"), prompt=str(path))


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"approach": "citation"}, "needs a language model"),
        ({"llm": Model("x"), "approach": "extractive"}, "leave out llm"),
        ({"llm": Model("x"), "approach": "telepathy"}, "no approach"),
        ({"llm": Model("x"), "prompt": "nowhere.txt"}, "no prompt"),
        ({"llm": Model("x"), "uncited": "hide"}, "uncited"),
    ],
)
def test_wrong_settings_are_told(settings, says):
    with pytest.raises(UsageError, match=says):
        citewell.ask(REPORT, "What?", **settings)


def test_an_unknown_reducer_is_told():
    with pytest.raises(SpecError, match="reducer"):
        citewell.ask(REPORT, "What?", llm=Model("x"), approach="citation(reduce=melt)")


def test_braces_and_gaps_in_documents_stay_text():
    document = Document.from_text("The form says {question} and {document} and {0}.")
    model = Model("ok [1]")
    citewell.ask(document, "Which form?", llm=model)
    assert "The form says {question} and {document} and {0}." in model.text


def test_a_services_own_citations_are_checked_against_our_text():
    class Service(Model):
        def complete(self, request, on_text=None):
            self.prompts.append(request)
            place = {"answer_start": 0, "answer_end": 31}
            good = {
                "type": "content_block_location",
                "cited_text": REPORT.segments("paragraph")[2].text,
                "document_index": 0,
                "start_block_index": 2,
                "end_block_index": 3,
            }
            return Completion(
                "The company employs 640 people.",
                annotations=(
                    {**place, "citation": good},
                    {**place, "citation": {**good, "start_block_index": 0, "end_block_index": 1}},
                    {**place, "citation": {**good, "document_index": 7}},
                    {**place, "citation": {**good, "start_block_index": -1}},
                    {"nonsense": 1},
                ),
            )

    model = Service()
    generator = Prompted(llm=model, cite="native")
    answer = Pipeline(generator=generator, verify=False).run(REPORT, "How many?")
    assert holds(answer)
    assert [c.segment_id for c in answer.citations] == ["p2"]
    assert len(model.prompts[0].documents[0].blocks) == 4
    assert len(answer.warnings) == 2


@pytest.mark.parametrize("text", ["", "<think>First I look at", " [1] "])
def test_a_reply_cut_off_before_it_said_anything_is_an_error_that_says_what_to_raise(text):
    class Cut:
        name = "cut"

        def complete(self, request, on_text=None):
            return Completion(text, finish="length")

    with pytest.raises(ReplyError, match="raise max_tokens"):
        citewell.ask(REPORT, "Who?", llm=Cut())


def test_the_most_tokens_of_a_reply_are_a_callers_choice():
    requests = []

    class Model:
        name = "model"

        def complete(self, request, on_text=None):
            requests.append(request.max_tokens)
            return Completion("Fares rose. [1]")

    citewell.ask(REPORT, "What rose?", llm=Model(), max_tokens=7000)
    assert requests[0] == 7000
