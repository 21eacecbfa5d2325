"""A saved answer that somebody changed: what `verify` sees without running anything, and what a recheck names."""

import json
from dataclasses import replace

import pytest

from citewell.audit.recheck import recheck
from citewell.audit.verify import load, verify
from citewell.document import Document
from citewell.errors import UsageError
from citewell.export import as_json
from citewell.pipeline import Pipeline
from citewell.types import Answer

REPORT = Document.from_text(
    "The quarry employs 212 people in two shifts.\n\nIts output of slate rose to 9,400 tonnes in 2031.\n\n"
    "A landslide closed the upper road for six weeks.",
    title="Quarry",
)
ANSWER = "The quarry employs 212 people. Its output of slate rose to 9,400 tonnes in 2031. Penguins steer submarines."


@pytest.fixture
def answer():
    return load(as_json.render(Pipeline().attribute([REPORT], ANSWER)))


def undigested(answer, **changes):
    """The changed answer of a forger who leaves no digest."""
    usage = {name: value for name, value in answer.usage.items() if name != "digest"}
    return replace(answer, usage=usage, **changes)


def first(answer, **changes):
    """The statements, the first of them changed."""
    return (replace(answer.statements[0], **changes), *answer.statements[1:])


def mismatches(answer):
    return [(mismatch.where, mismatch.what) for mismatch in verify(answer, [REPORT]).mismatches]


def test_what_was_just_made_holds_and_comes_out_the_same_again(answer):
    assert [statement.label for statement in answer.statements] == ["supported", "supported", "not_supported"]
    assert mismatches(answer) == []
    assert recheck(answer, [REPORT]) == ()


def test_a_figure_changed_in_answer_and_statement_is_seen_by_the_digest_and_by_a_recheck(answer):
    changed = ANSWER.replace("212", "221")
    forged = replace(
        answer, text=changed, statements=first(answer, text=answer.statements[0].text.replace("212", "221"))
    )
    assert mismatches(forged) == [("usage.digest", "digest")]
    assert any("statements[0]" in item.where for item in recheck(forged, [REPORT]))


def test_a_label_that_was_raised_is_seen_by_the_digest_and_named_by_a_recheck(answer):
    last = replace(answer.statements[1], label="partially_supported", score=0.5)
    lowered = replace(answer, statements=(answer.statements[0], last, answer.statements[2]))
    assert mismatches(lowered) == [("usage.digest", "digest")]
    (difference,) = recheck(lowered, [REPORT])
    assert difference.where == "statements[1]"
    assert "it is supported" in difference.message
    assert "not partially_supported (0.50)" in difference.message


def test_citations_that_were_removed_leave_a_label_without_evidence(answer):
    forged = undigested(
        answer, citations=(), statements=tuple(replace(statement, citations=()) for statement in answer.statements)
    )
    assert mismatches(forged) == [("statements[0]", "label"), ("statements[1]", "label")]
    assert [statement.message.split(", not")[1] for statement in recheck(forged, [REPORT])] == [
        " nothing",
        " nothing",
        " 0",
    ]


def test_a_statement_that_does_not_name_its_citation_is_seen(answer):
    forged = undigested(answer, statements=first(answer, citations=(), label="not_supported", score=0.0))
    assert mismatches(forged) == [("statements[0]", "index")]


def test_a_label_without_evidence_cannot_be_raised(answer):
    raised = replace(answer.statements[2], label="supported", score=0.99)
    assert mismatches(undigested(answer, statements=(*answer.statements[:2], raised))) == [("statements[2]", "label")]


def test_what_is_called_quoted_is_a_quotation(answer):
    assert mismatches(undigested(answer, statements=first(answer, label="quoted", score=1.0))) == [
        ("statements[0]", "label")
    ]


@pytest.mark.parametrize(("score", "expected"), [(0.01, []), (-1.0, ["score"]), (1.5, ["score"])])
def test_scores_are_probabilities(answer, score, expected):
    forged = undigested(answer, statements=first(answer, label="no_claim", score=score))
    assert [what for _, what in mismatches(forged)] == expected


def test_a_score_below_one_of_a_weaker_label_is_seen(answer):
    weak = replace(answer.statements[2], score=0.8)
    forged = undigested(answer, statements=(replace(answer.statements[0], score=0.6), answer.statements[1], weak))
    assert ("statements[0]", "score") in mismatches(forged)


def test_the_digest_survives_saving_and_loading_and_changes_with_each_part(answer):
    assert load(json.dumps(answer.to_dict(), indent=3)).digest == answer.digest == answer.usage["digest"]
    changes = [{"text": "x"}, {"question": "y"}, {"statements": ()}, {"citations": ()}, {"documents": ()}]
    assert len({answer.digest, *(replace(answer, **change).digest for change in changes)}) == 6


def test_an_answer_that_quotes_is_made_again_from_its_question():
    quoted = Pipeline().run([REPORT], "How many people does the quarry employ?")
    assert quoted.usage["pipeline"]["origin"] == "quoted"
    assert recheck(quoted, [REPORT]) == ()
    other = undigested(quoted, text=quoted.text.replace("212", "221"))
    assert [item.where for item in recheck(other, [REPORT])] == ["text"]


def test_what_a_model_wrote_is_judged_again_and_not_asked_for_again():
    from citewell.pipeline import approaches

    llm = 'scripted(reply="The quarry employs 212 people in two shifts. [1]")'
    written = Pipeline(**approaches.settings("citation", llm)).run([REPORT], "What is said?")
    assert recheck(written, [REPORT]) == ()
    forged = replace(written, statements=first(written, label="not_supported", score=0.1))
    assert [item.where for item in recheck(forged, [REPORT])] == ["statements[0]"]


def test_an_answer_that_does_not_say_how_it_was_made_cannot_be_made_again(answer):
    with pytest.raises(UsageError, match="does not say how"):
        recheck(replace(answer, usage={}), [REPORT])


def test_an_abstention_has_nothing_to_make_again():
    assert recheck(Pipeline().run([REPORT], "Who steers the submarines?"), [REPORT]) == ()
    assert isinstance(load(as_json.render(Pipeline().run([REPORT], "Who steers the submarines?"))), Answer)
