"""Answers by a language model: every setting, every sample, nothing asked twice, failures said."""

import pytest

from citewell.errors import BackendError, UnknownModelError, UsageError
from citewell.llm.scripted import Scripted
from citewell_lab.papers.lfqa import write
from citewell_lab.papers.lfqa.data import Setting
from papers.lfqadata import document, study


def three(_generator, number):
    return {
        "documents": {
            "mine": tuple(document(f"Text {place} of {number}.") for place in range(3)),
            "one": (document("Single."),),
        }
    }


def record_requests():
    requests = []

    def reply(request):
        requests.append(request)
        return f"Answer {request.seed} to {request.messages[0].content[-30:]}"

    return requests, Scripted(replies=reply)


def test_every_setting_gets_every_sample_with_its_own_seed():
    answer, llm = record_requests()
    written = write.write(study(2, three), llm, "m")
    assert len(answer) == 2 * 3 * 3
    assert {response.seed for response in answer} == {0, 1, 2}
    assert all(response.temperature == 0.7 for response in answer)
    assert written.study.settings == (Setting("m"), Setting("m", "mine"), Setting("m", "one"))
    assert all(len(response.samples) == 3 for question in written.study.questions for response in question.responses)
    assert written.failed == ()


def test_documents_stand_in_the_prompt_in_order_and_only_where_they_are_given():
    answer, llm = record_requests()
    write.write(study(1, three), llm, "m", write.Decoding(samples=1))
    alone, mine, _ = (item.messages[0].content for item in answer)
    assert "Document" not in alone
    assert "What is item 0?" in alone
    places = [mine.index(f"Text {place} of 0.") for place in range(3)]
    assert places == sorted(places)


def test_what_an_earlier_run_wrote_is_not_asked_again(tmp_path):
    kept = tmp_path / "answers.jsonl"
    _, llm = record_requests()
    first = write.write(study(2, three), llm, "m", kept=kept)
    kept.write_text(kept.read_text() + '{"id": "q1", "ans')  # a run that was killed while it wrote
    answer, llm = record_requests()
    second = write.write(study(3, three), llm, "m", kept=kept)
    assert len(answer) == 9, "only the third question is new"
    assert second.study.questions[:2] == first.study.questions


def test_a_new_document_set_is_asked_for(tmp_path):
    kept = tmp_path / "answers.jsonl"
    _, llm = record_requests()
    write.write(study(1, three), llm, "m", kept=kept)
    answer, llm = record_requests()
    written = write.write(write.shuffled(study(1, three), ["mine", "one"]), llm, "m", kept=kept)
    assert len(answer) == 12
    assert Setting("m", "mine-shuffled") in written.study.settings
    assert Setting("m", "one-shuffled") not in written.study.settings, "one document has no other order"


def test_shuffled_sets_hold_the_same_documents_in_another_order_every_time():
    once, again = (write.shuffled(study(8, three), ["mine"]) for _ in range(2))
    assert once == again
    for question in once.questions:
        plain, mixed = question.documents["mine"], question.documents["mine-shuffled"]
        assert plain != mixed
        assert sorted(result.text for result in plain) == sorted(result.text for result in mixed)


def test_one_failure_is_kept_in_words_and_the_others_stay():
    def reply(request):
        if request.seed == 1 and "Text 0" in request.messages[0].content:
            raise BackendError("overloaded")
        return "" if request.seed == 2 else "An answer."

    written = write.write(study(1, three), Scripted(replies=reply), "m")
    assert "question q0, mine, sample 1: overloaded" in written.failed
    assert "question q0, no documents, sample 2: an empty answer" in written.failed
    assert {str(response.setting): len(response.samples) for response in written.study.questions[0].responses} == {
        "m": 2,
        "m+mine": 1,
        "m+one": 2,
    }


def test_a_model_that_fails_at_everything_ends_the_run():
    def reply(request):
        raise UnknownModelError("no such model")

    with pytest.raises(UnknownModelError):
        write.write(study(3, three), Scripted(replies=reply), "m")


def test_decoding_and_prompts_of_ones_own_are_asked_with(tmp_path):
    (tmp_path / "alone.txt").write_text("Say: {question}")
    (tmp_path / "beside.txt").write_text("{documents}\nSay: {question}")
    answer, llm = record_requests()
    decoding = write.Decoding(1, 0.9, 1024, str(tmp_path / "alone.txt"), str(tmp_path / "beside.txt"))
    write.write(study(1, three), llm, "m", decoding)
    assert {(item.temperature, item.max_tokens) for item in answer} == {(0.9, 1024)}
    assert answer[0].messages[-1].content == "Say: What is item 0?"
    assert answer[2].messages[-1].content == "Document 1:\nSingle.\nSay: What is item 0?"
    (tmp_path / "beside.txt").write_text("Say: {question}")
    with pytest.raises(UsageError, match="documents"):
        write.write(study(1, three), llm, "m", decoding)


def test_answers_that_were_drawn_otherwise_are_not_taken_again(tmp_path):
    kept = tmp_path / "answers.jsonl"
    _, llm = record_requests()
    write.write(study(1, three), llm, "m", kept=kept)
    for decoding, calls in ((write.Decoding(temperature=0.9), 9), (write.Decoding(temperature=0.9), 0)):
        answer, llm = record_requests()
        written = write.write(study(1, three), llm, "m", decoding, kept=kept)
        assert len(answer) == calls
        assert all(len(response.samples) == 3 for response in written.study.questions[0].responses)
