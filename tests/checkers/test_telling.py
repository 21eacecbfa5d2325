"""Which differences are shown with both sides, which with one, and which not at all."""

import pytest

import citewell
from citewell.checkers.absent import _is_slip
from citewell.checkers.telling import Texts, select_reasons
from citewell.document import Document
from citewell.facts.align import Finding
from citewell.facts.features import look
from citewell.facts.tokens import tokens
from citewell.facts.whole import clause_of, span_of
from citewell.types import Span

CLAIM = "Revenue of Halden was $825.9 million in 2019."
EVIDENCE = "Revenue of Morvik on the 737 rose to $91 million in 2019, and in December 2018 the mayor agreed to sell it."


def shown(kind, here, there, claim=CLAIM, evidence=EVIDENCE):
    alignment = look(claim, [tokens(evidence)])
    span, place = (
        Span(text.index(part), text.index(part) + len(part)) for text, part in ((claim, here), (evidence, there))
    )
    finding = Finding(kind, span, f"says {here}; the evidence says {there}", 0, place, conflict=True)
    return next(iter(select_reasons([finding], alignment, Texts([evidence.casefold()], []))), None), finding


@pytest.mark.parametrize(
    ("kind", "here", "there"),
    [("entity", "Halden", "December"), ("entity", "Halden", "2018")],
)
def test_a_name_is_not_held_against_a_date(kind, here, there):
    result, _ = shown(kind, here, there)
    assert result is None or result.evidence_span is None


@pytest.mark.parametrize(
    ("there", "alike"),
    [("912", False), ("912 million", False), ("$4.9 billion", False), ("$912 million", True), ("$4.45 billion", True)],
)
def test_an_amount_is_held_against_an_amount_as_large_or_of_its_digits(there, alike):
    evidence = f"The bridge cost {there}."
    result, finding = shown("number", "$445 million", there, "The bridge cost $445 million.", evidence)
    assert (result == finding) == alike


def test_digits_whose_scale_a_heading_may_state_are_no_other_figure():
    evidence = "Sales of Halden | $ 394,328"
    result, _ = shown("magnitude", "$394,328 million", "394,328", "Sales of Halden were $394,328 million.", evidence)
    assert result is None


@pytest.mark.parametrize(
    ("claim", "told"), [("The train left Sudd in May 2019.", True), ("Ann Reed's train left Sudd in May 2019.", False)]
)
def test_another_time_is_told_only_where_the_evidence_has_the_rest(claim, told):
    assert any("2018" in message for message in reasons(claim, "The train left Sudd in May 2018.")) == told


def test_roles_are_shown_only_where_one_clause_has_them():
    evidence = "In July, after the storm, Halden bought Morvik."
    claim = "Morvik bought Halden in July."
    assert shown("roles", "Morvik bought Halden", "Halden bought Morvik", claim, evidence)[0] is not None
    assert shown("roles", "Morvik bought Halden", "July, after the storm, Halden", claim, evidence)[0] is None


def reasons(claim, *evidence):
    """The messages of the reasons that a claim gets."""
    (verdict,) = citewell.check(Document.from_passages(evidence), [claim])
    return [reason.message for reason in verdict.reasons]


def test_another_name_is_told_whole_and_held_against_none():
    evidence = "The song of the coast was written and sung by Sigrid Tveit in May."
    claim = "The song of the coast was written and sung by Olaf Brekke in May."
    assert reasons(claim, evidence) == ["“Olaf Brekke” is not in the evidence"]


def test_a_name_in_another_place_is_no_counterpart():
    evidence = "The strike has closed the quays of Antwerp and Bremen (OLAF BERG). The German state answered on Monday."
    claim = "MP Port Germany manages the strike that has closed the quays of Antwerp and Bremen."
    assert not [message for message in reasons(claim, evidence) if "OLAF" in message or "BERG" in message]


def test_a_party_that_the_claim_names_too_stands_for_itself():
    evidence = "The Receiving Party shall not use the samples for a period of two years."
    claim = "The Receiving Party shall not entice any worker of the Disclosing Party."
    assert not [message for message in reasons(claim, evidence) if message.startswith("says")]


@pytest.mark.parametrize(
    ("evidence", "claim", "there"),
    [
        (
            "The barefoot boy with a long rod walked along the river.",
            "A boy without shoes walked along the river.",
            False,
        ),
        ("The ship sailed with its captain in May.", "The ship sailed without its captain in May.", True),
    ],
)
def test_a_joining_word_differs_only_before_what_both_name(evidence, claim, there):
    assert any(message.startswith("says “without”") for message in reasons(claim, evidence)) == there


def test_no_mark_of_a_quoted_phrase_stands_alone():
    claim = "We speak of a “pair of tongs/shears” when naming some ailment(s) of cattle."
    for message in reasons(claim, "Some speak of a pair of tongs."):
        assert message.count("(") == message.count(")")
        assert message.count("“") == message.count("”") == 1


def test_nothing_is_shown_twice():
    claim = "Clerks count the parcels by counting the labels and counting the stamps."
    messages = reasons(claim, "Clerks look at the labels and the stamps of the parcels.")
    assert len(messages) == len(set(messages))


@pytest.mark.parametrize(
    ("claim", "evidence", "silly"),
    [
        ("The ferry to Sudd was painted in 2019.", "A ferry sails to Sudd. The dock was painted in 2018.", "“ferry”"),
        ("Prices of oil fell. The captain decided to retire.", "Prices of oil were stable.", "fell. The"),
        ("Ada Holm runs the mill.", "Ada Holm was born in Sudd. The bakery of Holm was sold.", "“Ada”"),
        ("The committee was large. I wonder why Norvik left.", "The committee was small.", ". I"),
    ],
)
def test_no_reason_calls_missing_what_is_there_or_runs_over_two_sentences(claim, evidence, silly):
    (verdict,) = citewell.check(Document.from_text(evidence), [claim])
    assert verdict.label not in ("supported", "quoted")
    assert not [reason.message for reason in verdict.reasons if silly in reason.message]


def test_a_date_whose_day_the_evidence_has_is_held_against_no_other():
    evidence = "Thursday 18 October it opened, and it closed on 12th November."
    result, _ = shown("date", "18 October 2018", "12th November", "It opened on 18 October 2018.", evidence)
    assert result is None


@pytest.mark.parametrize(
    ("claim", "evidence"), [("18 October 2018", "18 October 2017"), ("May 3, 2020", "May 3, 2021")]
)
def test_another_year_of_the_same_day_is_shown(claim, evidence):
    (verdict,) = citewell.check(Document.from_text(f"The dock opened on {evidence}."), [f"The dock opened on {claim}."])
    assert verdict.label == "contradicted"
    assert [reason.message for reason in verdict.reasons] == [f"says {claim}; the evidence says {evidence}"]


@pytest.mark.parametrize(
    ("claim", "evidence", "kept"),
    [
        ("Norvik sued Halden.", "Halden sued Norvik.", True),
        ("Norvik backs the current theories on tides.", "Norvik believes the wave came from a small bay.", False),
    ],
)
def test_exchanged_roles_are_of_the_same_words(claim, evidence, kept):
    result, finding = shown("roles", claim[:-1], evidence[:-1], claim, evidence)
    assert result == (finding if kept else None)


def test_a_common_word_alone_is_no_reason():
    (verdict,) = citewell.check(
        Document.from_text("Two people, a man and a woman, are dancing."), ["No one is dancing."]
    )
    assert (verdict.label, verdict.reasons) == ("partially_supported", ())


@pytest.mark.parametrize(
    ("evidence", "claim", "missing"),
    [
        ("A choir sang in the hall.", "The choir sang ‘A Heart of Quartz’ in the hall.", "A Heart of Quartz"),
        ("The choir of the hall praised a poet.", "The choir of the hall praised Yahya ibn Zayd.", "Yahya ibn Zayd"),
        ("The hall was sold.", "The hall was sold to Olaf Brekke.", "Olaf Brekke"),
        ("The hall was sold.", "The hall was sold to Brekke II.", "Brekke II"),
        ("The hall was sold.", "The hall was sold in 1975.", "1975"),
        ("The hall was sold.", "The hall was sold on 8 October 1975.", "8 October 1975"),
        ("The hall was sold.", "The hall was sold for $7.3 million.", "$7.3 million"),
        ("The owner of the hall is ill.", "The owner of the hall is in Italy.", "Italy"),
        ("The hall was sold to a smith.", "The hall was sold to a smith in Topeka, Kansas.", "Topeka"),
        ("The hall was open in winter.", "The hall was open between 1923 and 1956.", "between 1923 and 1956"),
    ],
)
def test_a_name_amount_or_time_of_which_the_evidence_has_nothing_is_told_whole(evidence, claim, missing):
    assert reasons(claim, evidence) == [f"“{missing}” is not in the evidence"]


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ("Prices were stable.", "Prices of oil fell in the old harbour."),  # words that are no name and no amount
        ("The guild sold the mill.", "Ann Halden of the guild sold the mill, and she rebuilt it in stone."),
        ("The guild hired engineers.", "The guild hired forty engineers."),  # what is counted may be listed
        ("The march began after the riot.", "The march began after the 2016 riot."),  # torn from its noun
        ("The chair was held by her.", "The chair was held by her for a one year term."),
        ("The hall measures much.", "The hall measures over 20 miles."),  # without its "over"
        ("Olaf Brekke sold the hall.", "The hall was sold to Sigrid Brekke."),  # a part is there
        ("The Canadian sold the hall.", "The hall was sold in Canada."),
        ("The British sold the hall.", "The hall was sold in England."),
        ("The hall was sold.", "The hall was sold by a Dane."),
        ("The hall was sold.", "The hall was sold to the XQRT."),  # may be short for words that are there
        ("The hall is large.", "The hall (Brekke) is large."),
        ("The hall is praised.", "The hall is praised on Brekke.com."),
        ("The hall is praised.", "The hall is praised by Olaf the Brekke."),
        ("The hall has moss on its walls.", "The hall has moss of Bryum argenteum on its walls."),  # the name goes on
        ("The hall heard a song.", "The hall heard a song of Alice in Chains."),
        ("The hall was painted.", "The hall was painted for Receiving Party."),  # a term
        ("He sold the hall.", "Brekke sold the hall."),  # a pronoun may stand for it
        ("Halls are large.", "Brekkish halls are large."),  # a capital of the sentence
        ("The hall was sold this year.", "The hall was sold in 1975."),
        ("The hall was sold on 9 November.", "The hall was sold on November 9, 1975."),
        ("The hall was sold in Naples.", "The hall was not sold in Brekkestad."),
        ("The hall was sold in Naples.", "The hall was sold outside of Brekkestad."),
        ("The hall was sold in Naples.", "The hall was sold in Italy."),  # a country of which a city is named
        ("The hall, class of '94, was sold.", "The hall was sold in 1994."),
        ("The hall was sold in Abbeford.", "The hall was sold in Abeford."),  # another spelling
        ("The hall of morvikstrand was sold.", "The hall was sold in Morvik."),  # within a longer word
        ("The hall of abbeford was sold.", "The hall was sold in Abbeforde."),
        ("The hall was sold. Danish kings paid.", "The hall was sold in Denmark."),
        ("The hall was sold. The mit paid.", "The hall was sold to the Morvik Institute of Tallow."),
        ("The hall was sold. It had been shut in 1860.", "The hall was sold in the 1800's."),
        ("The hall was sold. It had been shut in 1923.", "The hall was sold in the 1920s."),
        ("The Frog is a song of the hall.", "The Frog and the Nightingale is a song of the hall."),  # half of a name
        ("The line ran to South Carolina.", "The line ran to North and South Carolina."),
        ("The Soviet Union paid for the hall.", "The hall was paid for by Russia."),
        ("The owner was at home.", "They were engaged in 2015 and were married in 2017."),  # nothing is there
        ("The hall was in use.", "The hall was in use between 3 and 8 October 2016."),
        ("The hall was sold.", "The hall was sold to Parks and Recreation."),
        ("The hall was sold.", "The hall was sold to the College of Morvik and Brekke."),
        ("He cites a sentence.", "He cites “it was Olaf Brekke who sold the whole of the hall to a smith”."),
        (
            "The hall is large.",
            "It is advisable for Brekke to begin with plans early, if the hall is large.",
        ),  # a detail
    ],
)
def test_what_may_be_there_or_is_not_surely_whole_is_not_called_missing(evidence, claim):
    assert not [message for message in reasons(claim, evidence) if message.endswith("is not in the evidence")]


@pytest.mark.parametrize(
    ("claim", "reported"),
    [
        ("The guild sold the hall to a smith in winter.", []),
        ("The guild sold the hall to a smith in winter in 1975.", ["1975"]),
        ("The guild sold the hall to a rich smith in winter in 1975.", ["1975"]),  # one word may stand in other words
        ("The guild donated the hall to a smith for jewels in winter in 1975.", []),  # more is wrong than the year
        ("The guild sold the hall to a smith in winter in 1975 as the XQRT.", []),  # a name that is not told
        ("The guild sold the hall to a smith in summer in 1975.", []),  # an opposite that is not told
        ("The guild sold the hall to a smith in Topeka, Kansas in winter.", ["Topeka"]),  # Kansas only says where
        ("The guild sold the hall to Brekke in 1975 in winter.", ["Brekke", "1975"]),
        ("The guild sold the hall in winter, but lost the case against Olaf Brekke.", ["Olaf Brekke"]),  # one thing
    ],
)
def test_what_is_missing_is_told_only_where_nothing_else_is(claim, reported):
    evidence = "The guild sold the hall to a smith in winter."
    assert reasons(claim, evidence) == [f"“{words}” is not in the evidence" for words in reported]


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ("In 2018 the guild owned 35 barges.", "In 2019 the guild owned 40 barges."),
        ("The guild owned 35 barges.", "In 2019 the guild owned 40 barges."),
        ("The guild owned 35 barges.", "The guild owned 40 leaking barges."),
    ],
)
def test_figures_of_different_times_or_things_are_not_held_against_each_other(evidence, claim):
    assert not any("35" in message for message in reasons(claim, evidence))
    assert any("35" in message for message in reasons("The guild owned 40 barges.", evidence))


@pytest.mark.parametrize("word", ["all", "only", "alone"])
def test_a_lone_quantifier_is_no_reason(word):
    assert reasons(f"Ann Reed and {word} she owns the mill.", "Ann Reed owns the mill.") == []


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ("The guild owned 6 barges and 40 wagons of salt.", "The guild owned 41 looms."),  # counts of other things
        ("Signed by E. L. Parker of Leeds.", "Signed by U.K. Parker of Leeds."),  # letters of a name
        ("The obligations survive the end of Veltrix.", "The obligations survive the end of Agreement."),  # a term
        ("The ward does not have to be closed.", "The ward can be closed."),  # only that it must be is denied
        ("The guild has three groups of smiths.", "The guild has four classes of smiths."),  # other nouns
        ("The guild met on 5 October.", "The guild met between 3 and 8 October."),
        ("The guild sailed a long-term plan.", "The guild sailed a short plan."),
        ("The bridge is just under 200 metres long.", "The bridge is 200 metres long."),
        ("The town lies north-west of Halden.", "The town lies south of Halden."),  # half of a word
        ("The guild won six prizes between 1998 and 2003.", "The guild won six prizes after 2003."),
        ("The guild won six prizes between 1880/81 and 1884/85.", "The guild won six prizes in 1895/96."),  # half
        ("No one is permitted to enter the vault.", "The bank is against entering the vault."),
    ],
)
def test_unlike_things_are_not_held_against_each_other(evidence, claim):
    assert not [
        message for message in reasons(claim, evidence) if "; the evidence says" in message or "denies" in message
    ]


@pytest.mark.parametrize(
    ("evidence", "claim", "word"),
    [
        ("The United States ratified the treaty in May.", "The U.S. ratified the treaty in May.", "U.S"),
        ("Thornbury defeated Heath in March.", "Margaret Thornbury defeated Heath in March.", "Margaret"),
        ("The fund grew and the trust shrank.", "The latter shrank.", "latter"),
        ("The orchard lies by the river.", "Yes I do, the orchard lies by the river.", "Yes"),
        ("He not only paid but also signed.", "He not only paid but also signed the lease.", "says “only”"),
    ],
)
def test_a_word_that_the_evidence_has_in_another_form_is_not_called_missing(evidence, claim, word):
    assert not [message for message in reasons(claim, evidence) if word in message]


@pytest.mark.parametrize(
    ("claim", "evidence", "kept"),
    [
        ("The ferry sailed on the eastern side.", "The ferry sailed on the western side.", True),
        ("The ferry was not on the eastern side of Sudd.", "The ferry was on the western side of Sudd.", False),
        ("The mill never rose in value.", "The mill fell in value.", False),
        ("Brekke's father was a smith.", "Brekke was the daughter of a smith.", False),
        ("The mayor refused to be a smith.", "The mayor never agreed to become a smith.", False),
        ("Output rose in May.", "The owner asked whether output fell in May.", False),
        ("Wages rose in May.", "If wages fell in May, the yard would close.", False),
        ("She knew that the yard rose in value.", "He knew that the yard rose in value.", False),
    ],
)
def test_opposites_are_shown_only_in_clauses_of_one_mood(claim, evidence, kept):
    assert any(message.startswith("says “") for message in reasons(claim, evidence)) == kept


@pytest.mark.parametrize(
    ("claim", "evidence", "kept"),
    [
        ("Norvik did not sell the mill.", "Norvik sold the mill.", True),
        ("Norvik did not sell the mill.", "The board asked whether Norvik sold the mill.", False),
        ("Norvik did not sell the mill.", "The question of how Norvik sold the mill remained.", False),
        ("Norvik did not sell the mill.", "Norvik was urged to sell the mill.", False),
        ("Norvik did not sell the mill.", "Norvik might have sold the mill.", False),
    ],
)
def test_what_is_only_supposed_or_asked_is_no_statement_that_a_claim_denies(claim, evidence, kept):
    assert any(message.startswith("denies") for message in reasons(claim, evidence)) == kept


@pytest.mark.parametrize(
    ("claim", "evidence", "here", "there"),
    [
        ("Uranium was discovered in 1935.", "Uranium was discovered by Dempster (born April 9, 2014).", "1935", "2014"),
        ("The Libyan sailed to Sudd in May.", "Olaf Berg sailed to Sudd in May.", "Libyan", "Berg"),
        ("The tug has 40 berths.", "The tug has 40 berths in all, and the ferry of the other yard has 60.", "40", "60"),
    ],
)
def test_what_stands_in_another_place_or_is_of_another_kind_is_no_counterpart(claim, evidence, here, there):
    assert not [message for message in reasons(claim, evidence) if here in message and there in message]


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        (
            "Reed never left the school of Sudd.",
            "Primarily a smith, Reed began to work in May after leaving the school.",
        ),
        ("The rights of the film were not sold to Reed.", "Reed was told that we sold the rights of the film."),
        (
            "Other causes are important for the growth of Sudd.",
            "This is not the only cause important for the growth of Sudd.",
        ),
        ("The yard will not be sold by May.", "The mayor said that the yard should be sold by May."),
        ("The mill has not opened.", "The mill opened."),
        ("The mill of Sudd opened in May.", "It is not that the mill of Sudd has not opened in May."),
    ],
)
def test_a_denial_is_held_against_nothing_but_the_same_words_in_their_order(claim, evidence):
    assert not [message for message in reasons(claim, evidence) if "“" in message and "evidence" in message]


def test_a_contradiction_without_a_sure_side_gives_no_reason():
    text = "As she reads the long letter, the guard realizes that it is her ticket."
    (verdict,) = citewell.check(Document.from_text(text), ["The guard does not realize that the letter is her ticket."])
    assert (verdict.label, verdict.reasons) == ("contradicted", ())


@pytest.mark.parametrize(
    ("claim", "word", "phrase"),
    [
        (
            "Doctors treat red, white and blue spots of the skin.",
            "red",
            "Doctors treat red, white and blue spots of the skin",
        ),
        ("The play earned rave reviews in Oslo.", "rave", "The play earned rave reviews in Oslo"),
        ("He was ill, and the widow had sold the salt.", "widow", "the widow had sold the salt"),
        (
            "The pair married in Sudd, and their son, Bear, was born in May.",
            "son",
            "The pair married in Sudd, and their son, Bear, was born in May",
        ),
        (
            "She won the prize (the first of the town) in Bergen.",
            "town",
            "She won the prize (the first of the town) in Bergen",
        ),
        ("The mayor is a jerk.", "jerk", "The mayor is a jerk"),
        ("Have you heard the song of Halden?", "song", "Have you heard the song of Halden"),
        ("So when the cold salt is sold, it melts.", "cold", "So when the cold salt is sold, it melts"),
        (
            "The mayor of Sudd said that, as he was ill, he left the town.",
            "sudd",
            "The mayor of Sudd said that, as he was ill, he left the town",
        ),
        ("Six people are in line for dinner.", "line", "Six people are in line for dinner"),
        ("The salt from the old mill of Halden was sold.", "salt", "The salt from the old mill of Halden was sold"),
        ("It rained. I wonder why Norvik left [2].", "wonder", "I wonder why Norvik left"),
        (
            "The war pitted Sudd against Halden, Bremen and Leeds and is the last of the coast.",
            "halden",
            "The war pitted Sudd against Halden, Bremen and Leeds and is the last of the coast",
        ),
        (
            "Teach it in smaller, manageable chunks and revisiting them over time.",
            "smaller",
            "Teach it in smaller, manageable chunks and revisiting them over time",
        ),
        ("It isn't the easiest thing to do.", "thing", "It isn't the easiest thing to do"),
        ('He sings in her "Maiden Heaven."', "heaven", 'He sings in her "Maiden Heaven."'),
        ("The shop that sold the salt was closed in May.", "salt", "The shop that sold the salt was closed in May"),
    ],
)
def test_a_clause_is_cut_only_where_both_sides_stand_alone(claim, word, phrase):
    words = tokens(claim)
    place = words.lower.index(word)
    assert claim[slice(*span_of(words, clause_of(words, range(place, place + 1))))] == phrase


@pytest.mark.parametrize(
    ("text", "first", "last", "whole"),
    [
        ("The mill (in Elvik) is old.", "mill", "Elvik", "mill (in Elvik)"),
        ("The mill (in Elvik) is old.", "Elvik", "Elvik", "Elvik"),
        ("The mill (in Elvik) is old.", "in", "is", "(in Elvik) is"),
        ("The mill [of Tarn] is old.", "mill", "Tarn", "mill [of Tarn]"),
        ("They call “the old mill” new.", "call", "mill", "call “the old mill”"),
        ("They call “the old mill” new.", "old", "mill", "old mill"),
        ("They call “the old mill” new.", "the", "new", "“the old mill” new"),
        ('They said "the mill is old." Then', "said", "old", 'said "the mill is old."'),
        ('"The mill is old" they said.', "The", "they", '"The mill is old" they'),
        ("They call 'the mill' old.", "call", "mill", "call 'the mill'"),
        ("They call 'the mill' old.", "the", "old", "'the mill' old"),
        ("They call 'the mill' old.", "the", "mill", "the mill"),
        ("It is made in the U.S. today.", "made", "S", "made in the U.S."),
    ],
)
def test_a_piece_of_a_sentence_has_the_marks_that_belong_to_it(text, first, last, whole):
    words = tokens(text)
    spelled = [text[start:end] for start, end in zip(words.starts, words.ends, strict=True)]
    begin = next(n for n, word in enumerate(spelled) if word == first)
    end = next(n for n, word in enumerate(spelled) if word.endswith(last))
    assert text[slice(*span_of(words, range(begin, end + 1)))] == whole


@pytest.mark.parametrize(
    ("word", "other", "same"),
    [
        ("abeville", "abbeville", True),
        ("abbeforde", "abbeford", True),
        ("abbeford", "abbifird", False),
        ("abbeford", "abbefordxx", False),
        ("oslo", "osla", False),  # too short for a slip
    ],
)
def test_long_words_that_differ_in_a_letter_are_one_name(word, other, same):
    assert _is_slip(word, other) == _is_slip(other, word) == same
