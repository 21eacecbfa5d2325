"""Short answers from prose: where phrases begin and end, what they are, and that they are exact words of the text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import citewell
from citewell.document import Document
from citewell.export import html, markdown, terminal
from citewell.export.view import build_view, value_sentence
from citewell.facts.extract import extract
from citewell.generators.extractive.phrases.asking import asking
from citewell.generators.extractive.phrases.candidates import FORMS, phrases
from citewell.generators.extractive.phrases.chooser import Sentence, choose, fitted, likely
from citewell.generators.extractive.phrases.counts import counted
from citewell.generators.extractive.phrases.features import features, names, plain_names
from citewell.generators.extractive.phrases.polarity import claim, polarity
from citewell.generators.extractive.phrases.values import short
from citewell.generators.extractive.phrases.words import CLASSES, words
from citewell.generators.extractive.questions import analyse

LIGHTHOUSE = """# The lighthouse of Skarvoy

The lighthouse of Skarvoy was designed by Ingrid Halvorsen. It was finished on 14 May 1887, after six years of work.
The tower is 41 metres high. Building it cost 230,000 crowns. The lamp was moved to Bergen in 1954.
"""


def forms_of(text: str) -> dict[str, str]:
    these = phrases(text)
    return {
        text[these.words.starts[first] : these.words.ends[last]]: FORMS[form]
        for first, last, form in zip(these.first, these.last, these.form, strict=True)
    }


def classes_of(text: str) -> list[tuple[str, str]]:
    result = words(text)
    return [
        (text[start:end], CLASSES[kind])
        for start, end, kind in zip(result.starts, result.ends, result.classes, strict=True)
    ]


def test_words_are_told_by_lists_form_and_what_stands_before():
    assert classes_of("Old Ada's crew saw $11.7 million (5%) in May 2003.") == [
        ("Old", "name"), ("Ada", "name"), ("'s", "'s"), ("crew", "noun"), ("saw", "verb"), ("$11.7", "number"),
        ("million", "number"), ("(", "open"), ("5%", "number"), (")", "close"), ("in", "in"), ("May", "month"),
        ("2003", "number"), (".", "mark"),
    ]  # fmt: skip


def test_figures_times_and_names_are_phrases_of_their_own_kind():
    text = "In May 2003 the Orion Trust of Bergen paid $11.7 million, or 12% of its funds, to 40 towns."
    forms = forms_of(text)
    wanted = {"May 2003": "date", "$11.7 million": "money", "12%": "percent", "Orion Trust": "name", "40": "number"}
    assert {phrase: forms[phrase] for phrase in wanted} == wanted


def test_no_phrase_is_cut_inside_parentheses_or_quotation_marks_or_ends_with_a_preposition():
    forms = forms_of("The Trust (founded in Oslo) opened the “Gull of Skarvoy” for the public.")
    for phrase in forms:
        assert phrase.count("(") == phrase.count(")"), phrase
        assert phrase.count("“") == phrase.count("”"), phrase
        assert phrase.split()[-1] not in ("of", "in", "for", "the"), phrase


@given(st.text(alphabet="abC é.,()“”\"'$%1230-–\n;:", max_size=80))
def test_words_and_phrases_lie_inside_the_sentence_in_order(text):
    result = words(text)
    assert all(0 <= start < end <= len(text) for start, end in zip(result.starts, result.ends, strict=True))
    assert list(result.starts) == sorted(result.starts)
    assert all(end <= start for end, start in zip(result.ends, result.starts[1:], strict=False))
    these = phrases(text)
    rows = features(these, asking(analyse("Who paid 12 crowns in Bergen?")), "person", 0.0)
    assert rows.places.shape[0] == rows.plain.shape[0] == len(these.first)
    assert rows.plain.shape[1] == len(plain_names())
    assert not rows.places.size or (rows.places.min() >= 0 and rows.places.max() < len(names()))


@pytest.mark.parametrize(
    ("question", "group", "side", "focus"),
    [
        ("Who painted the gull?", "who", "subject", ""),
        ("What did the painter buy?", "thing", "object", ""),
        ("In which town was the mill built?", "thing", "copula", "town"),
        ("How many towns pay?", "number", "subject", "towns"),
        ("What kind of lamp did they use?", "thing", "object", "lamp"),
        ("Why was the lamp moved?", "long", "copula", ""),
    ],
)
def test_a_question_tells_its_group_the_side_of_the_verb_and_its_noun(question, group, side, focus):
    request = asking(analyse(question))
    assert (request.side, request.focus[0]) == (side, focus)
    assert request.group == ("where" if focus == "town" else group)


def test_the_phrase_that_shares_most_with_likely_ones_is_agreed_on():
    import numpy as np

    spans = np.array([(0, 0, 1), (0, 0, 2), (1, 0, 1)])
    order, shares, agreed = likely(np.log([0.4, 0.2, 0.4]), spans, 1.0)
    assert dict(zip(order.tolist(), shares.tolist(), strict=True)) == pytest.approx({0: 0.4, 1: 0.2, 2: 0.4})
    by_phrase = dict(zip(order.tolist(), agreed.tolist(), strict=True))
    assert by_phrase == pytest.approx({0: 0.4 + 0.2 * 4 / 5, 1: 0.2 + 0.4 * 4 / 5, 2: 0.4})


def test_the_weights_name_what_the_features_are():
    weights = fitted()
    assert len(weights.places) == len(names())
    assert len(weights.plain) == len(plain_names())
    assert 0 < weights.threshold < 1
    assert (abs(weights.places) > 0).any()


@pytest.mark.parametrize(
    ("question", "sentence", "text", "kind"),
    [
        ("When was the mill finished?", "The mill was finished on 14 May 1887.", "14 May 1887", "date"),
        ("How many towns did the trust help?", "The trust helped 40 towns in the north.", "40", "number"),
        ("Who designed the mill?", "The mill was designed by Ingrid Halvorsen.", "Ingrid Halvorsen", "name"),
        (
            "Who bought the old mill in 1954?",
            "In 1954 the old mill was bought by the Orion Trust.",
            "the Orion Trust",
            "name",
        ),
    ],
)
def test_a_plain_question_gets_its_figure_time_or_name(question, sentence, text, kind):
    answer = short(analyse(question), [Sentence(sentence, 0.0)], 0.9)
    assert answer is not None
    assert (answer.value.text, answer.value.kind) == (text, kind)
    assert sentence[answer.span.start : answer.span.end] == text


def test_values_are_normalised():
    day = short(analyse("When was the mill finished?"), [Sentence("The mill was finished on 14 May 1887.", 0.0)], 0.9)
    assert day is not None
    assert day.value.period == "1887-05-14"
    many = short(analyse("How many towns did it help?"), [Sentence("The trust helped 40 towns.", 0.0)], 0.9)
    assert many is not None
    assert (many.value.number, many.value.scale) == (40, 1)


def test_without_sentences_there_is_no_phrase():
    assert choose(analyse("Who?"), [Sentence("...", 0.0)], 0.9, fitted()) is None


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("Did sales rise?", "sales rise"),
        ("Is the old mill safe?", "the old mill is safe"),
        ("Was it closed in 1954?", "it was closed in 1954"),
        ("Isn't Ada a Dane?", "Ada isn't a Dane"),
    ],
)
def test_a_yes_or_no_question_is_read_as_a_claim(question, message):
    assert claim(question) == message


def test_yes_is_said_only_where_a_sentence_says_it():
    question = "Was the lamp moved to Bergen?"
    text = polarity(question, ["The tower is 41 metres high.", "The lamp was moved to Bergen in 1954."])
    assert text is not None
    assert (text.holds, text.sentence) == (True, 1)
    assert polarity(question, ["The tower is 41 metres high."]) is None
    assert polarity("Was the lamp moved to Bergen or to Oslo?", ["The lamp was moved to Bergen."]) is None


def test_the_value_is_cited_by_its_own_words_and_leaves_the_evidence_as_it_was():
    document = Document.from_text(LIGHTHOUSE)
    answer = citewell.ask(document, "Who designed the lighthouse of Skarvoy?")
    assert answer.value is not None
    cited = answer.citations[answer.value.citations[0]]
    assert cited.quote == document.text[cited.start : cited.end] == "Ingrid Halvorsen" == answer.value.text
    assert answer.text[cited.answer_start : cited.answer_end] == cited.quote
    sentence = answer.citations[0]
    assert sentence.start <= cited.start < cited.end <= sentence.end
    assert {statement.label for statement in answer.statements} == {"quoted"}


def test_a_value_in_a_sentence_of_two_lines_is_found_in_the_answer():
    text = "The lighthouse of Skarvoy was\ndesigned by Ingrid\nHalvorsen. The tower is high."
    document = Document.from_text(text)
    answer = citewell.ask(document, "Who designed the lighthouse of Skarvoy?")
    assert answer.value is not None
    cited = answer.citations[answer.value.citations[0]]
    assert cited.quote == "Ingrid\nHalvorsen"
    assert answer.value.text == answer.text[cited.answer_start : cited.answer_end] == "Ingrid Halvorsen"


def test_every_output_shows_the_value_before_its_sentence():
    document = Document.from_text(LIGHTHOUSE)
    answer = citewell.ask(document, "Who designed the lighthouse of Skarvoy?")
    sentence = "The lighthouse of Skarvoy was designed by"
    for rendered in (terminal.render(answer, [document]), markdown.render(answer, [document])):
        assert rendered.index("Ingrid Halvorsen") < rendered.index(sentence)
    page = html.render(answer, [document])
    assert 'class="value"' in page
    assert 'class="sides"' not in page  # which is for answers whose words were copied


@pytest.mark.parametrize(("confidence", "begin"), [(0.61, "Ingrid Halvorsen"), (0.59, "")])
def test_a_phrase_stands_alone_only_where_its_sentence_is_sure(confidence, begin):
    document = Document.from_text(LIGHTHOUSE)
    answer = citewell.ask(document, "Who designed the lighthouse of Skarvoy?")
    assert answer.value is not None
    sentence = value_sentence(build_view(replace(answer, confidence=confidence), [document]))
    assert sentence.startswith(begin)
    assert bool(sentence) is bool(begin)


def test_a_saved_answer_has_its_value_again():
    answer = citewell.ask(Document.from_text(LIGHTHOUSE), "Who designed the lighthouse of Skarvoy?")
    assert answer.value is not None
    assert citewell.Answer.from_dict(answer.to_dict()).value == answer.value


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("In what year was Skarvoy Street built?", "Skarvoy Street was built by the Gull Company in Oslo."),
        ("How many clerks does the harbour office employ?", "The harbour office employs clerks from Tarrow Island."),
        ("How many kiosks does the harbour office run?", "The harbour office runs kiosks that cost $3.2 million."),
        ("How many berths does the harbour office rent?", "The harbour office rents berths for eight years."),
        ("How many clerks does the harbour office employ?", "The harbour office employs clerks, 4% more than before."),
    ],
)
def test_a_time_or_a_number_is_no_name(question, text):
    answer = citewell.ask(citewell.Document.from_text(text), question)
    assert answer.value is None
    assert answer.abstained or answer.confidence < 0.5


YEARS = """# Quell Mills

Turnover of the mills was 61.3 million euros in 2019 and 58.4 million euros in 2018. Net earnings were 7.1 million euros
in 2019, compared with 6.7 million euros in 2018. The mills employed 810 people at the end of 2019, up from 795 a year
earlier. Energy costs rose from 10.2 million euros in 2018 to 11.9 million euros in 2019. The mills had 24 looms in 2019,
up from 22 in 2018. Investment amounted to 3.5 million euros and 2.9 million euros in 2019 and 2018, respectively.
"""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What was turnover in 2018?", "58.4 million euros"),
        ("What was turnover in 2019?", "61.3 million euros"),
        ("What were net earnings in 2018?", "6.7 million euros"),
        ("What were net earnings in 2019?", "7.1 million euros"),
        ("How many people did the mills employ at the end of 2018?", "795"),
        ("How many people did the mills employ at the end of 2019?", "810"),
        ("What were energy costs in 2018?", "10.2 million euros"),
        ("What were energy costs in 2019?", "11.9 million euros"),
        ("How many looms did the mills have in 2018?", "22"),
        ("What was investment in 2018?", "2.9 million euros"),
    ],
)
def test_of_several_years_in_a_sentence_the_figure_of_the_year_is_the_answer(question, answer):
    assert citewell.ask(Document.from_text(YEARS), question).value.text == answer


TERMS = """# Berth licence

The licensee shall pay a monthly berth charge of 310 euros, due on the third day of each month. A surcharge of 25 euros
applies if the berth charge is not received by the tenth day of the month.
"""


@pytest.mark.parametrize(
    ("question", "answer"),
    [("What is the surcharge?", "25 euros"), ("What is the toll for the berth?", "310 euros")],
)
def test_a_sum_answers_what_a_charge_is(question, answer):
    assert citewell.ask(Document.from_text(TERMS), question).value.text == answer


@pytest.mark.parametrize("question", ["When is the berth charge due?", "What is the berth charge?"])
def test_a_sum_is_no_time_and_a_clause_is_no_thing(question):
    value = citewell.ask(Document.from_text(TERMS), question).value
    assert value is None or ("shall" not in value.text and (value.kind != "money" or "When" not in question))


def test_what_happens_is_told_by_a_sentence():
    answer = citewell.ask(Document.from_text(TERMS), "What happens if the berth charge is late?")
    assert answer.value is None
    assert "A surcharge of 25 euros applies" in answer.text


@pytest.mark.parametrize(
    ("question", "value", "first"),
    [
        ("Did turnover grow in 2019?", "Yes", "Yes: from 58.4 million euros in 2018 to 61.3 million euros in 2019 (+5.0%)."),
        ("Did turnover fall in 2019?", "No", "No: from 58.4 million euros in 2018 to 61.3 million euros in 2019 (+5.0%)."),
        ("By how much did energy costs rise in 2019?", "+16.7%",
         "+16.7%: from 10.2 million euros in 2018 to 11.9 million euros in 2019."),
        ("How did net earnings change in 2019?", "+6.0%",
         "+6.0%: from 6.7 million euros in 2018 to 7.1 million euros in 2019."),
    ],
)  # fmt: skip
def test_how_a_figure_moved_is_computed_from_the_two_figures_of_a_sentence(question, value, first):
    answer = citewell.ask(Document.from_text(YEARS), question)
    assert answer.value.text == value
    assert answer.statements[0].text == first
    assert answer.statements[0].label == "supported"
    cited = [answer.citations[n] for n in answer.value.citations]
    assert [each.granularity for each in cited] == ["window", "window"]
    assert all(each.quote in first for each in cited)


def test_why_is_answered_by_a_reason_or_not_at_all():
    assert citewell.ask(Document.from_text(YEARS), "Why did energy costs rise in 2019?").abstained


LICENCE = """# Quay licence

This licence is made on 4 May 2011 between Quill Wharves and the licensee. The licence runs for three years. Repairs were
finished by a crew of nine masons. The quay wall was rebuilt from 12 March 2012 to 30 June 2012.
"""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How long does the licence run?", "The licence runs for three years."),
        ("How long was the quay wall rebuilt?", "from 12 March 2012 to 30 June 2012"),
        ("How long did the crew of masons repair?", None),
    ],
)
def test_how_long_is_answered_by_a_length_of_time_or_not_at_all(question, said):
    answer = citewell.ask(Document.from_text(LICENCE), question)
    assert answer.abstained if said is None else said in answer.text


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("How many tonnes of fish did the port land?", "The port landed 310 tonnes of fish.", "310 tonnes"),
        ("How many square metres does the hall cover?", "The hall covers 2,000 square metres.", "2,000 square metres"),
    ],
)
def test_how_many_of_a_unit_is_answered_in_that_unit(question, sentence, answer):
    value = citewell.ask(Document.from_text(sentence), question).value
    assert value is not None
    assert value.text == answer


def test_no_yes_stands_over_a_denial_or_for_people_of_whom_nobody_spoke():
    question, plain = "Was the lamp moved to Bergen?", "The lamp was moved to Bergen in 1954."
    denied = polarity(question, ["No lamp was moved to Bergen by ship."])
    assert polarity(question, [plain, "No lamp was moved to Bergen by ship."]) is None
    assert denied is not None
    assert not denied.holds
    beside = polarity(question, [plain, "The tower never fell."])
    assert beside is not None
    assert beside.holds
    assert polarity("Were they moved to Bergen?", ["They were moved to Bergen in 1954."]) is None
    assert polarity("Was it moved to Bergen?", ["It was moved to Bergen in 1954."]) is not None


def test_no_yes_stands_over_a_denial_of_what_is_asked_about():
    question = "Do shareholders receive a dividend?"
    rights = "The method splits income by the rights of shareholders to receive a dividend."
    plain = polarity(question, [rights, "The park never closes."])
    assert plain is not None
    assert plain.holds
    assert polarity(question, [rights, "We have never paid a cash dividend."]) is None


@pytest.mark.parametrize(
    ("text", "question", "value"),
    [
        ("The keeper must not leave the lamp before the ships have passed.", "What must the keeper do?", None),
        ("The board decided not to sell the old crane.", "What did the board decide?", None),
        ("The board decided to sell the old crane.", "What did the board decide?", "the old crane"),
    ],
)
def test_a_phrase_behind_a_denial_is_no_short_answer(text, question, value):
    short_answer = citewell.ask(Document.from_text(text), question).value
    assert (short_answer.text if short_answer else None) == value


def test_how_much_of_a_whole_is_told_by_the_number_before_of():
    sentence = "In 2021, $609,915 of the port's bank balances of $859,915 was exposed to credit risk."
    first, last = (quantity for quantity in extract(sentence).quantities if quantity.currency)
    assert counted("How much of the port's bank balances was exposed?", "", sentence, last) == first
    assert counted("How high were the port's bank balances?", "", sentence, last) == last
