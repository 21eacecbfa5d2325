"""Shares of support: copied sentences are supported by their own set alone, made-up ones by none."""

import pytest

from batch_workers import Here
from citewell.errors import SpecError
from citewell.library.batch.workers import Crew
from citewell.types import Span, Verdict
from citewell_lab.papers.lfqa import support
from citewell_lab.papers.lfqa.data import Setting
from papers.lfqadata import document, response, study, text


def copied(generator, _):
    mine, other = text(generator, 6), text(generator, 6)
    return {
        "documents": {"mine": (document(mine),), "other": (document(other),)},
        "responses": (response("copies", "mine", mine), response("invents", None, text(generator, 5))),
    }


def shares(result, checker="lexical", **options):
    judged = support.judge(support.tasks(result), checker, **options)
    return {(row.setting, row.against): row for row in support.shares(judged.sentences)}


def test_copied_sentences_are_supported_by_the_set_they_were_copied_from_alone():
    result = shares(study(10, copied))
    assert result["copies+mine", "mine"].supported.mean > 0.9
    assert result["copies+mine", "other"].supported.mean < 0.1
    assert result["copies+mine", "mine"].sentences == 60


def test_invented_sentences_are_supported_by_neither_set():
    result = shares(study(10, copied))
    assert result["invents", "mine"].supported.mean < 0.1
    assert result["invents", "other"].supported.mean < 0.1


def test_the_evidence_is_the_sentence_that_was_copied():
    judged = support.judge(support.tasks(study(5, copied)), "lexical").sentences
    mine = [result for result in judged if str(result.setting) == "copies+mine" and result.against == "mine"]
    assert all((0, result.position) in result.support for result in mine if result.label == "supported")
    assert mine[0].lengths == (6,)


def test_workers_say_what_one_says_in_the_order_of_the_questions_and_a_lost_one_is_told(monkeypatch):
    tasks, ends = support.tasks(study(6, copied)), []
    monkeypatch.setattr(Crew, "workers", lambda _, work: Here(work, 3, ends))
    whole = support.judge(tasks, "lexical")
    assert support.judge(tasks, "lexical", crew=Crew(3)) == whole
    ends.append(3)  # rows are numbered from 1
    verdict = support.judge(tasks, "lexical", crew=Crew(3))
    assert {sentence.question for sentence in whole.sentences} - {
        sentence.question for sentence in verdict.sentences
    } == {tasks[2][0].id}
    assert verdict.failed == [f"question {tasks[2][0].id}: the worker ended 2 times on this row (signal SIGSEGV)"]


@pytest.mark.slow
def test_two_processes_say_what_one_says():
    tasks = support.tasks(study(6, copied))
    assert support.judge(tasks, "lexical", crew=Crew(2)) == support.judge(tasks, "lexical")


def test_a_wrong_spec_is_told_before_any_process_starts():
    with pytest.raises(SpecError):
        support.judge(support.tasks(study(3, copied)), "lexicall", crew=Crew(2))


class Failing:
    """Cannot judge sentences with the word `Amber`, supports the others."""

    def check(self, pairs):
        return [
            Verdict(pair.claim, "not_supported", 0.0, failed="too long")
            if "one" in pair.claim
            else Verdict(pair.claim, "supported", 1.0)
            for pair in pairs
        ]


def test_sentences_that_could_not_be_judged_are_counted_and_in_no_figure():
    data = study(
        1,
        lambda g, n: {
            "documents": {"mine": (document("A text."),)},
            "responses": (response("m", "mine", "Number one fails. Two is fine."),),
        },
    )
    judged = support.judge(support.tasks(data), Failing())
    assert judged.failed == ["m+mine, question q0, sentence 0: too long"]
    assert [(sentence.position, sentence.label) for sentence in judged.sentences] == [(1, "supported")]
    assert judged.sentences[0].setting == Setting("m", "mine")


def test_evidence_of_several_sentences_counts_for_each_of_them():
    class Windows:
        name = "windows"

        def check(self, pairs):
            return [
                Verdict(pair.claim, "supported", 1.0, (pair.evidence[0].cite(Span(10, 25), "p1", Span(0, 1)),))
                for pair in pairs
            ]

    def item(_generator, _number):
        body = "One is. Two was. Three will be. Four."
        return {"documents": {"mine": (document(body),)}, "responses": (response("m", "mine", "It is."),)}

    (judged,) = support.judge(support.tasks(study(1, item)), Windows()).sentences
    assert judged.support == ((0, 1), (0, 2))


@pytest.mark.parametrize(
    ("spec", "read"),
    [
        ("true", "true(premise=sentences)"),
        ("true(model=a/b)", "true(model=a/b, premise=sentences)"),
        ("true(premise=windows)", "true(premise=windows)"),
        ("nli", "nli(premise=sentences)"),
        ("docnli", "docnli"),
        ("minicheck", "minicheck"),
        ("lexical", "lexical"),
    ],
)
def test_models_read_sentence_by_sentence_where_they_can(spec, read):
    assert support.by_sentence(spec) == read
