"""Whether a label means what a careful reader would say: changes of one fact beside true rewordings, by kind.

The floors are what the shipped weights reach, less a small margin for a new fit. A floor far below what a reader would
catch is a known weakness; where a goal is not reached yet, the goal stands as a test that is expected to fail.
"""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

import citewell
from citewell.checkers.lexical import LexicalChecker
from citewell.document import Document
from citewell.llm.scripted import Scripted
from citewell.protocols import Pair
from citewell.types import Citation

HERE = Path(__file__).parent
REPORT = HERE.parents[1] / "examples" / "annual-report.md"

# Of so many changed claims this many are not called supported: at least, less one or two of what is reached.
CAUGHT = {
    "number": (27, 23),
    "year": (24, 21),
    "magnitude": (21, 19),
    "unit": (21, 15),
    "negation": (26, 25),
    "direction": (21, 11),
    "entity": (28, 20),
    "quantifier": (22, 17),
}


class Twin(NamedTuple):
    """A sentence, a true rewording of it and the rewording with one fact changed, by kind."""

    evidence: str
    true: str
    changed: tuple[tuple[str, str], ...]


def blocks(name):
    return [block.strip().splitlines() for block in (HERE / name).read_text("utf-8").split("\n\n")[1:]]


def twins():
    for evidence, reworded, *changes in blocks("twins.txt"):
        true, changed = reworded.removeprefix("+ "), []
        for change in changes:
            kind, _, replacement = change.partition(": ")
            old, new = replacement.split(" > ")
            assert true.count(old) == 1, (true, old)
            changed.append((kind, true.replace(old, new)))
        yield Twin(evidence, true, tuple(changed))


TWINS = tuple(twins())


@pytest.fixture(scope="module")
def judged():
    """The verdict on every claim, each held against its own sentence."""
    result = {}
    for twin in TWINS:
        claims = [twin.true, *(claim for _, claim in twin.changed)]
        verdicts = citewell.check(Document.from_text(twin.evidence), claims)
        result |= dict(zip(claims, verdicts, strict=True))
    return result


def whole(document, start=0, end=None):
    end = len(document.text) if end is None else end
    return Citation(document.id, "p1", "paragraph", document.text[start:end], start, end, 0, 1)


@pytest.mark.parametrize("kind", CAUGHT)
def test_claims_with_one_fact_changed_are_not_supported(kind, judged):
    claims = [claim for twin in TWINS for changed, claim in twin.changed if changed == kind]
    caught = [claim for claim in claims if judged[claim].label != "supported"]
    assert len(claims) == CAUGHT[kind][0]
    assert len(caught) >= CAUGHT[kind][1], sorted(set(claims) - set(caught))


def test_true_rewordings_are_supported(judged):
    kept = [twin.true for twin in TWINS if judged[twin.true].label == "supported"]
    assert len(TWINS) == 48
    assert len(kept) >= 36, sorted({twin.true for twin in TWINS} - set(kept))


def test_a_changed_fact_is_often_called_contradicted_and_a_true_claim_hardly_ever(judged):
    changed = [judged[claim].label for twin in TWINS for _, claim in twin.changed]
    assert Counter(changed)["contradicted"] >= 88
    assert sum(judged[twin.true].label == "contradicted" for twin in TWINS) <= 4


def test_most_of_what_is_called_contradicted_says_why_with_the_place_in_the_claim(judged):
    contradicted = [verdict for verdict in judged.values() if verdict.label == "contradicted"]
    assert 4 * sum(bool(verdict.reasons) for verdict in contradicted) > 2 * len(contradicted)
    assert all(0 <= r.start < r.end <= len(v.claim) for v in contradicted for r in v.reasons)


def test_a_changed_claim_scores_below_its_true_twin(judged):
    pairs = [(claim, twin.true) for twin in TWINS for _, claim in twin.changed]
    below = [judged[claim].score < judged[true].score for claim, true in pairs]
    assert len(pairs) == 212
    assert sum(below) >= 188


def swapped_above(judged):
    return [
        claim
        for twin in TWINS
        for kind, claim in twin.changed
        if kind == "roles" and judged[claim].score > judged[twin.true].score
    ]


def test_swapped_roles_never_score_above_the_true_claim(judged):
    assert not swapped_above(judged)


def test_most_swapped_roles_are_caught(judged):
    claims = [claim for twin in TWINS for kind, claim in twin.changed if kind == "roles"]
    assert len(claims) == 22
    assert sum(judged[claim].label != "supported" for claim in claims) >= 15


def test_evidence_about_something_else_supports_nothing():
    others = [*TWINS[1:], TWINS[0]]
    pairs = []
    for twin, other in zip(TWINS, others, strict=True):
        document = Document.from_passages([twin.evidence, other.evidence])
        pairs.append(Pair(twin.true, (document,), (whole(document, document.text.index(other.evidence)),)))
    assert [v.claim for v in LexicalChecker().check(pairs) if v.label == "supported"] == []


def test_what_else_the_document_says_does_not_move_a_score():
    report = Document.from_passages([twin.evidence for twin in TWINS])
    for twin in TWINS:
        short = Document.from_text(twin.evidence)
        start = report.text.index(twin.evidence)
        inside = whole(report, start, start + len(twin.evidence))
        for _, claim in twin.changed[:2]:
            alone, among = LexicalChecker().check(
                [Pair(claim, (short,), (whole(short),)), Pair(claim, (report,), (inside,))]
            )
            assert (alone.label, alone.score) == (among.label, among.score)


@pytest.fixture(scope="module")
def report():
    return citewell.read(REPORT)


@pytest.fixture(scope="module")
def short(report):
    """The one statement of every right and every wrong short answer about the example report."""
    result = {"+": [], "-": []}
    for question, *answers in blocks("short_answers.txt"):
        for answer in answers:
            reply = Scripted(reply=answer[2:])
            (statement,) = citewell.ask(report, question, llm=reply).statements
            result[answer[0]].append((question, answer, statement))
    return result


def supported(answers):
    return [(question, answer) for question, answer, statement in answers if statement.label == "supported"]


def test_short_answers_need_their_own_words_in_the_evidence(short):
    assert (len(short["+"]), len(short["-"])) == (30, 30)
    assert len(supported(short["-"])) <= 6, supported(short["-"])
    assert len(supported(short["+"])) >= 20


def test_no_short_answer_is_supported_without_a_citation(short):
    both = [statement for answers in short.values() for _, _, statement in answers]
    assert all(statement.citations for statement in both if statement.label == "supported")


@pytest.mark.xfail(strict=True, reason="the other figure or name of the right sentence passes")
def test_at_most_two_of_thirty_wrong_short_answers_pass(short):
    assert len(supported(short["-"])) <= 2


def test_most_right_short_answers_are_supported(short):
    assert len(supported(short["+"])) >= 24


def test_an_answer_in_the_documents_own_words_is_quoted_and_its_confidence_tells(report):
    right = citewell.ask(report, "Where did the charging tower fail?", abstain=0)
    wrong = citewell.ask(report, "When did Napoleon buy the ship?", abstain=0)
    assert {statement.label for answer in (right, wrong) for statement in answer.statements} == {"quoted"}
    assert right.confidence > 0.7
    assert wrong.confidence < 0.2


@pytest.mark.parametrize(
    "question",
    [
        "Which purple elephants sang in the cathedral?",
        "asdf qwer zxcv?",
        "When did Napoleon buy the ship?",
        "What is the capital of Mongolia?",
        "How do I bake sourdough bread at home?",
    ],
)
def test_nonsense_is_not_answered(question, report):
    assert citewell.ask(report, question).abstained
