import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.attributors.lexical import Lexical
from citewell.document import Document
from citewell.text.coverage import Matcher
from citewell.text.index import index
from citewell.text.segments import statements
from citewell.types import Draft, Span
from helpers import calls

REPORT = Document.from_text(
    "Northwater carried 4.1 million passengers in 2025. Fares rose by 3 percent in spring.\n\n"
    "The ferry Aurora was built in Turku. She is powered by batteries and a small diesel engine.\n\n"
    "Fuel costs fell to 18 million euros. The company employs 640 people in three harbours."
)


def cite(answer, document=REPORT, *, targets=(), granularity="sentence", k=None, **settings):
    draft = Draft(answer, None, statements(answer), tuple(targets))
    return Lexical(**settings).attribute(draft, [document], granularity, k)


def quotes(citations):
    return [citation.quote for citation in citations]


def test_a_paraphrase_finds_its_sentence():
    assert quotes(cite("In 2025, 4.1 million passengers were carried.")) == [
        "Northwater carried 4.1 million passengers in 2025."
    ]


def test_a_statement_over_two_sentences_gets_both_and_says_which_words_each_covers():
    answer = "The Aurora, built in Turku, is powered by batteries and a diesel engine."
    first, second = sorted(cite(answer), key=lambda citation: citation.start)
    assert first.quote == "The ferry Aurora was built in Turku."
    assert "Turku" in answer[first.answer_start : first.answer_end]
    assert "batteries and a diesel engine" in answer[second.answer_start : second.answer_end]


def test_one_sentence_that_says_it_all_is_enough():
    assert len(cite("Fares rose by 3 percent in spring.")) == 1


def test_what_nothing_covers_gets_no_citation():
    assert cite("Penguins breed on Antarctic coasts every winter.") == ()
    assert cite("It is what it is.") == ()


def test_each_statement_has_its_own_evidence_in_order():
    citations = cite("Fuel costs fell to 18 million euros. Nobody likes broccoli soup. Fares rose by 3 percent.")
    assert quotes(citations) == ["Fuel costs fell to 18 million euros.", "Fares rose by 3 percent in spring."]
    assert citations[0].answer_end <= citations[1].answer_start


def test_a_span_is_read_with_its_statement():
    document = Document.from_text("Anna Berg won the race in 2019. Carl Lund won the race in 2021.")
    answer = "The race in 2021 was won by Lund."
    (citation,) = cite(answer, document, targets=[Span(0, 8)], k=1)
    assert citation.quote == "Carl Lund won the race in 2021."
    assert 0 <= citation.answer_start < citation.answer_end <= 8


def test_among_equal_sentences_the_one_near_the_rest_of_the_answer_is_cited():
    document = Document.from_text(
        "The vote was unanimous. Bread is baked here.\n\nRoads are wide. Trees are old. Birds are loud.\n\n"
        "The harbour tax was lowered in May. The vote was unanimous."
    )
    citations = cite("The harbour tax was lowered in May. The vote was unanimous.", document)
    assert citations[1].start == document.text.rindex("The vote")
    (alone,) = cite("The vote was unanimous.", document)
    assert alone.start == 0


def test_numbers_must_be_the_same_numbers():
    document = Document.from_text(
        "Sales were 12 million in 2020. Sales were 15 million in 2021. Sales were 19 million in 2022."
    )
    assert quotes(cite("In 2021 sales were 15 million.", document)) == ["Sales were 15 million in 2021."]


def test_k_limits_the_citations_of_a_statement():
    answer = "The Aurora, built in Turku, is powered by batteries and a diesel engine."
    assert len(cite(answer, k=1)) == 1
    assert cite(answer, k=1)[0] == cite(answer)[0]


def test_paragraphs_are_cited_whole():
    (citation,) = cite("The Aurora, built in Turku, is powered by batteries.", granularity="paragraph")
    assert citation.granularity == "paragraph"
    assert citation.quote.startswith("The ferry Aurora")
    assert citation.quote.endswith("diesel engine.")


def test_tokens_are_exact_runs_of_words():
    answer = "It was built in Turku and employs 640 people."
    citations = cite(answer, granularity="token")
    pairs = [(answer[c.answer_start : c.answer_end], c.quote) for c in citations]
    assert ("built in Turku", "built in Turku") in [(a.removeprefix("was "), q.removeprefix("was ")) for a, q in pairs]
    assert any("640 people" in quote for _, quote in pairs)


def test_several_documents_are_told_apart():
    other = Document.from_text("The tram to the airport runs every ten minutes.")
    draft = Draft("The airport tram runs every ten minutes.", None, (Span(0, 40),))
    (citation,) = Lexical().attribute(draft, [REPORT, other])
    assert citation.document_id == other.id
    assert other.text[citation.start : citation.end] == citation.quote


def test_floor_and_gain_change_what_is_cited():
    answer = "The Aurora was built in Turku and has two hundred cabins with views."
    assert cite(answer, floor=0.9) == ()
    assert len(cite(answer, floor=0.1)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "東京は日本の首都です。京都は古い都です。",
        "Die Fähre wurde 1998 gebaut. Sie fährt täglich.",
        "القاهرة عاصمة مصر. النيل طويل.",
    ],
)
def test_other_languages_are_attributed(text):
    document = Document.from_text(text)
    for sentence in document.segments("sentence"):
        assert quotes(cite(sentence.text, document))[0] == sentence.text


words_of = st.lists(
    st.sampled_from("ferry harbour tax vote 2021 15 Turku the of, . \n\n 東京 é".split(" ")), max_size=30
)


@given(words_of, words_of, st.sampled_from(["sentence", "paragraph", "token"]), st.integers(1, 3))
def test_quotes_are_exact_and_answer_spans_lie_in_their_statement(source, answer, granularity, k):
    source, answer = " ".join(source), " ".join(answer)
    if not source.strip():
        return
    document = Document.from_text(source)
    draft = Draft(answer, None, statements(answer))
    for citation in Lexical(floor=0.1).attribute(draft, [document], granularity, k):
        assert document.text[citation.start : citation.end] == citation.quote
        assert any(s.start <= citation.answer_start < citation.answer_end <= s.end for s in draft.statements)
        assert 0 <= citation.score <= 1


def test_coverage_counts_a_repeated_word_once():
    terms = index([Document.from_text("fox fox fox hen")])
    matcher = Matcher(terms, "fox fox hen")
    claim = matcher.claim(Span(0, 11))
    assert claim.weights[0] == claim.weights[1] == pytest.approx(claim.weights[2] / 2, rel=0.6)
    assert matcher.cover(claim).statement[0] == pytest.approx(1)


def test_alignment_marks_words_pairs_and_triples():
    terms = index([Document.from_text("red fox jumps high. fox red.")])
    matcher = Matcher(terms, "a red fox jumps")
    claim = matcher.claim(Span(0, 15))
    aligned = matcher.alignment(claim, [0, 1])
    assert aligned.single.tolist() == [[False, True, True, True], [False, True, True, False]]
    assert aligned.pairs.tolist() == [[False, True, True, True], [False] * 4]
    assert aligned.triples.tolist() == [[False, True, True, True], [False] * 4]


def test_many_statements_give_what_each_gives_alone():
    sentences = [segment.text for segment in REPORT.segments("sentence")]
    answer = " ".join(sentences * 30)
    together = cite(answer)
    alone = [quotes(cite(sentence)) for sentence in sentences]
    assert quotes(together) == [quote for quoted in alone * 30 for quote in quoted]


@pytest.mark.slow
def test_one_sentence_said_often_takes_linear_time():
    def work(count):
        return calls(lambda: cite("Fares rose by 3 percent in spring. " * count))

    work(1)
    assert work(800) < 4.5 * work(200)
