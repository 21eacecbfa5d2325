"""What repair keeps, replaces, narrows and drops, with a checker and an attributor that say what the case needs."""

from dataclasses import dataclass, field

import pytest

import citewell
from citewell.attributors.repair import excerpt, repair
from citewell.attributors.targets import claim
from citewell.document import Document
from citewell.errors import notes
from citewell.types import Block, Citation, Draft, Segment, Span, Verdict

REPORT = Document.from_text(
    "Alpha one. Alpha two.\n\nBravo one. Bravo two.\n\nCharlie one.\n\nDelta one.", title="Report", source="report.txt"
)
PARAGRAPHS = REPORT.segments("paragraph")
A, B, C, D = (segment.text for segment in PARAGRAPHS)
ANSWER = "It is so."
TARGET = Span(0, 9)


@dataclass
class Judge:
    """Says for each set of evidence what it is told; nothing else supports."""

    says: dict
    pairs: list = field(default_factory=list)
    questions: list = field(default_factory=list)
    name = "judge"

    def check(self, pairs):
        self.questions += [pair.question_length for pair in pairs]
        self.pairs.append([(pair.claim, tuple(cited.quote for cited in pair.citations)) for pair in pairs])
        assert all(pair.evidence == (REPORT,) for pair in pairs)  # the real document, in which the places are
        verdicts = []
        for pair in pairs:
            evidence = tuple(cited.quote for cited in pair.citations)
            label, score, *failed = self.says.get(evidence, ("not_supported", 0.1))
            verdicts.append(Verdict(pair.claim, label, score, failed=failed[0] if failed else None))
        return verdicts


@dataclass
class Finder:
    """Offers segments of the documents by their words; in a document that is an excerpt, the sentences named `inside`."""

    elsewhere: tuple = ()
    inside: tuple = ()
    drafts: list = field(default_factory=list)
    name = "finder"

    def attribute(self, draft, documents, granularity="sentence", k=None):
        self.drafts.append(
            (draft.targets, draft.statements, draft.sources, [d.text for d in documents], granularity, k)
        )
        wanted = self.elsewhere if documents[0] is REPORT else self.inside
        segments = {
            (words, document.id): segment
            for words in wanted
            for document in documents
            for segment in (*document.segments("paragraph"), *document.segments("sentence"))
            if segment.text == words
        }
        return tuple(
            Citation.of(segment, home, draft.targets[0], 0.5, "finder") for (_, home), segment in segments.items()
        )


def cited(*texts, target=TARGET, granularity="paragraph"):
    return [Citation.of(segment_of(text, granularity), REPORT.id, target, 0.0, "model") for text in texts]


def segment_of(text, granularity="paragraph") -> Segment:
    return next(segment for segment in REPORT.segments(granularity) if segment.text == text)


def run(sources, judge, finder=None, *, text=ANSWER, granularity="paragraph", k=None, **draft):
    with notes.collect() as warnings:
        draft_ = Draft(text, draft.pop("question", None), (Span(0, len(text)),), sources=tuple(sources), **draft)
        result = repair(draft_, [REPORT], finder or Finder(), judge, granularity, k)
    return [(citation.quote, citation.score) for citation in result], list(warnings.warnings)


def warning(segment, fails, done):
    return f"the reply cites {segment} for “It is so.”, which {fails}: {done}"


def test_what_supports_stays_with_its_score():
    assert run(cited(A), Judge({(A,): ("supported", 0.9)})) == ([(A, 0.9)], [])


def test_what_does_not_support_beside_what_does_is_left_out_and_told():
    judge = Judge({(A,): ("supported", 0.9), (A, B): ("supported", 0.8)})
    assert run(cited(A, B), judge) == ([(A, 0.9)], [warning("p1", "does not support it", "it was left out")])


def test_what_supports_in_part_stays_beside_what_supports():
    judge = Judge({(A,): ("supported", 0.9), (B,): ("partially_supported", 0.4), (A, B): ("supported", 0.95)})
    assert run(cited(A, B), judge) == ([(A, 0.9), (B, 0.4)], [])


def test_all_stay_where_only_all_together_support():
    judge = Judge({(A,): ("partially_supported", 0.4), (A, B): ("supported", 0.8)})
    assert run(cited(A, B), judge) == ([(A, 0.8), (B, 0.8)], [])


def test_each_is_judged_alone_and_all_together_and_one_alone_only_once():
    judge, finder = Judge({(A,): ("supported", 0.9)}), Finder()
    run(cited(A), judge, finder)
    assert (judge.pairs, finder.drafts) == ([[(ANSWER, (A,))]], [])
    judge = Judge({(A,): ("supported", 0.9)})
    run(cited(A, B, A), judge)
    assert judge.pairs == [[(ANSWER, (A,)), (ANSWER, (B,)), (ANSWER, (A, B))]]


def test_what_supports_nothing_is_dropped_where_nothing_better_is_found():
    warnings = [
        warning("p0", "does not support it", "it was left out"),
        warning("p1", "does not support it", "it was left out"),
    ]
    assert run(cited(A, B), Judge({})) == ([], warnings)
    assert run(cited(A, B), Judge({}), Finder(elsewhere=(C,))) == ([], warnings)


@pytest.mark.parametrize("label", ["supported", "partially_supported"])
def test_what_supports_nothing_is_replaced_by_what_does(label):
    citations, warnings = run(cited(A, B), Judge({(C,): (label, 0.7)}), Finder(elsewhere=(C,)))
    assert citations == [(C, 0.7)]
    assert warnings == [warning(name, "does not support it", "replaced by p2.0") for name in ("p0", "p1")]


@pytest.mark.parametrize(
    ("label", "replaced"), [("supported", True), ("partially_supported", False), ("not_supported", False)]
)
def test_what_supports_in_part_is_replaced_only_by_what_supports_better(label, replaced):
    judge = Judge({(A,): ("partially_supported", 0.6), (C,): (label, 0.6)})
    citations, warnings = run(cited(A), judge, Finder(elsewhere=(C,)))
    assert citations == ([(C, 0.6)] if replaced else [(A, 0.6)])
    assert warnings == ([warning("p0", "does not fully support it", "replaced by p2.0")] if replaced else [])


def test_better_evidence_is_looked_for_in_all_documents_and_then_in_what_is_cited():
    finder, text = Finder(), "It is so. It is not."
    draft = Draft(text, None, (Span(0, 9), Span(10, 20)), sources=tuple(cited(A, target=Span(13, 15))))
    repair(draft, [REPORT], finder, Judge({}), "paragraph", 2)
    assert finder.drafts == [
        ((Span(13, 15),), (Span(0, 9), Span(10, 20)), (), [REPORT.text], "paragraph", 2),
        ((Span(3, 5),), (Span(0, 10),), (), [A], "sentence", 2),
    ]


def test_a_supporting_paragraph_is_narrowed_to_the_sentence_that_supports_as_well():
    judge = Judge({(B,): ("supported", 0.9), ("Bravo two.",): ("supported", 0.8)})
    finder = Finder(inside=("Bravo two.",))
    with notes.collect() as warnings:
        draft = Draft(ANSWER, None, (TARGET,), sources=tuple(cited(B)))
        (citation,) = repair(draft, [REPORT], finder, judge, "sentence", 3)
    assert (citation.quote, citation.segment_id, citation.granularity) == ("Bravo two.", "p1.1", "sentence")
    assert REPORT.text[citation.start : citation.end] == "Bravo two."
    assert (citation.score, citation.method) == (0.9, "model")
    assert (citation.answer_start, citation.answer_end) == TARGET
    assert finder.drafts == [((TARGET,), (TARGET,), (), [B], "sentence", 3)]
    assert not warnings.warnings


def test_a_paragraph_stays_whole_where_its_sentence_supports_less():
    judge = Judge({(A,): ("supported", 0.9), ("Alpha two.",): ("partially_supported", 0.8)})
    assert run(cited(A), judge, Finder(inside=("Alpha two.",)), granularity="sentence") == ([(A, 0.9)], [])
    judge = Judge({(A,): ("partially_supported", 0.5), ("Alpha two.",): ("partially_supported", 0.3)})
    assert run(cited(A), judge, Finder(inside=("Alpha two.",)), granularity="sentence") == ([("Alpha two.", 0.5)], [])


def test_sentences_are_not_narrowed_again():
    judge, finder = Judge({("Alpha two.",): ("supported", 0.9)}), Finder(inside=("Alpha two.",))
    assert run(cited("Alpha two.", granularity="sentence"), judge, finder, granularity="sentence")[0] == [
        ("Alpha two.", 0.9)
    ]
    assert finder.drafts == []


def test_parts_of_an_answer_are_repaired_each_by_itself_in_its_order():
    text = "It is so. It is not."
    sources = [*cited(B, target=Span(10, 20)), *cited(A, target=Span(0, 9))]
    judge = Judge({(A,): ("supported", 0.9), (B,): ("supported", 0.7)})
    assert run(sources, judge, text=text)[0] == [(A, 0.9), (B, 0.7)]
    assert judge.pairs == [[("It is so.", (A,)), ("It is not.", (B,))]]


def test_a_few_written_words_are_judged_with_their_question():
    judge = Judge({})
    run(cited(A), judge, question="Is it?", origin="written")
    assert judge.pairs[0] == [("Is it? It is so.", (A,))]
    assert judge.questions == [7]  # how many characters of it are the question
    run(cited(A), judge, question="Is it?")  # given, not written for the question
    assert judge.questions[1:] == [0]


def test_a_short_sentence_that_says_the_questions_words_again_is_judged_by_itself():
    document = Document.from_text("Fuel costs fell. The company employs 640 people in three harbours.")
    for question in ("How many people?", "How many people does the company employ?"):
        reply = "The company employs 640 people. [1]"
        answer = citewell.ask(document, question, llm=f'scripted(reply="{reply}")')
        assert [statement.label for statement in answer.statements] == ["supported"], question
    text = "Which harbour was the Aurora built in?"
    draft = Draft("In Turku.", text, (Span(0, 9),), origin="written")
    assert claim(draft, Span(0, 9)) == f"{text} In Turku."


def test_a_long_statement_is_told_by_its_beginning():
    text = "word " * 16 + "end."  # 84 characters
    warnings = run(cited(A, target=Span(0, 84)), Judge({}), text=text)[1]
    assert warnings == [f"the reply cites p0 for “{text[:79]}…”, which does not support it: it was left out"]
    exact = "word " * 15 + "ends."
    assert f"“{exact}”" in run(cited(A, target=Span(0, 80)), Judge({}), text=exact)[1][0]


def test_nothing_cited_is_nothing_to_repair():
    judge = Judge({})
    assert run([], judge) == ([], [])
    assert judge.pairs == []


def test_an_excerpt_is_a_block_of_the_kind_of_what_is_cited():
    rows = ["Costs | 3 | 4", "Ships | 5 | 6. And 7"]
    text = "\n".join(rows)
    blocks = (Block(0, 13, "table_row"), Block(14, len(text), "list_item"))
    document = Document(text, blocks=blocks)
    for granularity in ("paragraph", "sentence"):
        for segment in document.segments(granularity):
            excerpted = excerpt(document, Citation.of(segment, document.id, TARGET))
            assert excerpted.text == segment.text
            assert [block.kind for block in excerpted.blocks] == [segment.kind]
    assert excerpt(document, Citation.of(document.segments("paragraph")[0], "d", TARGET)).blocks[0].kind == "table_row"


def test_where_one_supports_alone_nothing_better_is_looked_for_whatever_all_together_say():
    judge, finder = Judge({(A,): ("supported", 0.9), (A, B): ("not_supported", 0.2)}), Finder(elsewhere=(C,))
    assert run(cited(A, B), judge, finder)[0] == [(A, 0.9)]
    assert finder.drafts == []


def test_what_supports_in_part_replaces_what_does_so_only_together():
    judge = Judge({(A, B): ("partially_supported", 0.4), (C,): ("partially_supported", 0.5)})
    assert run(cited(A, B), judge, Finder(elsewhere=(C,)))[0] == [(C, 0.5)]


def test_each_citation_is_told_of_once_with_all_that_replaces_it():
    judge = Judge({(A,): ("partially_supported", 0.4), (C, D): ("supported", 0.8)})
    citations, warnings = run(cited(A, B), judge, Finder(elsewhere=(C, D)))
    assert citations == [(C, 0.8), (D, 0.8)]
    assert warnings == [warning(name, "does not support it", "replaced by p2.0, p3.0") for name in ("p0", "p1")]


def test_sentences_stay_sentences_where_paragraphs_are_wanted():
    finder = Finder(inside=("Alpha two.",))
    judge = Judge({("Alpha two.",): ("supported", 0.9)})
    assert run(cited("Alpha two.", granularity="sentence"), judge, finder)[0] == [("Alpha two.", 0.9)]
    assert finder.drafts == []


def test_a_statement_of_81_characters_is_cut():
    text = "word " * 15 + "ends.."
    assert f"“{text[:79]}…”" in run(cited(A, target=Span(0, 81)), Judge({}), text=text)[1][0]


def kept_unverified(segment, why):
    return f"the reply cites {segment} for “It is so.”, which could not be verified ({why}): it was kept"


@pytest.mark.parametrize(
    ("verdict", "why"),
    [
        (("not_supported", 0.0, "the  judge broke"), "the judge broke"),
        (("unverified", 0.2), "it cannot be judged"),
        (("not_supported", 0.0, "x" * 121), "x" * 120),
    ],
)
def test_what_cannot_be_judged_is_kept_whole_and_told_and_nothing_is_looked_for(verdict, why):
    judge, finder = Judge({(A,): verdict}), Finder(elsewhere=(C,), inside=("Alpha two.",))
    assert run(cited(A), judge, finder, granularity="sentence") == ([(A, verdict[1])], [kept_unverified("p0", why)])
    assert finder.drafts == []


def test_one_that_cannot_be_judged_keeps_all_unless_another_supports():
    judge = Judge({(A,): ("unverified", 0.2), (A, B): ("not_supported", 0.3)})
    warnings = [kept_unverified(name, "it cannot be judged") for name in ("p0", "p1")]
    assert run(cited(A, B), judge) == ([(A, 0.3), (B, 0.3)], warnings)
    judge = Judge({(B,): ("partially_supported", 0.4), (A, B): ("unverified", 0.3)})
    assert run(cited(A, B), judge) == ([(A, 0.3), (B, 0.4)], warnings)
    judge = Judge({(A,): ("unverified", 0.2), (B,): ("supported", 0.9)})
    assert run(cited(A, B, C), judge) == (
        [(A, 0.2), (B, 0.9)],
        [warning("p2", "does not support it", "it was left out")],
    )


def test_what_is_offered_is_judged_for_the_same_claim_and_not_taken_where_it_cannot_be():
    judge = Judge({(C,): ("supported", 0.9, "broken")})
    assert run(cited(A), judge, Finder(elsewhere=(C,)))[0] == []
    assert judge.pairs == [[(ANSWER, (A,))], [(ANSWER, (C,))]]
    judge = Judge({(B,): ("supported", 0.9), ("Bravo two.",): ("supported", 0.9, "broken")})
    assert run(cited(B), judge, Finder(inside=("Bravo two.",)), granularity="sentence")[0] == [(B, 0.9)]


def test_a_segment_in_which_the_attributor_sees_evidence_is_kept():
    citations, warnings = run(cited(A, B), Judge({}), Finder(inside=("Bravo two.",)))
    assert citations == [(B, 0.1)]
    assert warnings == [warning("p0", "does not support it", "it was left out")]


def test_where_both_name_one_place_only_support_replaces_it():
    finder = Finder(elsewhere=("Alpha two.", C))
    partly, fully = ({("Alpha two.", C): (label, 0.7)} for label in ("partially_supported", "supported"))
    assert run(cited(A), Judge(partly), finder)[0] == [(A, 0.1)]
    assert run(cited(A), Judge(fully), finder)[0] == [("Alpha two.", 0.7), (C, 0.7)]


def test_of_what_supports_nothing_the_likelier_is_taken():
    assert run(cited(A), Judge({(C,): ("not_supported", 0.11)}), Finder(elsewhere=(C,)))[0] == [(C, 0.11)]
    assert run(cited(A), Judge({(C,): ("not_supported", 0.1)}), Finder(elsewhere=(C,)))[0] == []
    kept = Judge({(A,): ("partially_supported", 0.1), (C,): ("not_supported", 0.9)})
    assert run(cited(A), kept, Finder(elsewhere=(C,)))[0] == [(A, 0.1)]
