"""What stands round a claim: openings, hedges, labels, marks and closings, and whole statements that claim nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import citewell
from citewell.document import Document
from citewell.text.claims import makes_claim
from citewell.text.openings import speaks, without_openings

CLAIM = "the harbour handled 310 ships."
OPENINGS = [
    "According to the filing, ", "According to the annual report, ", "Based on the text, ", "Based on the provided documents, ",
    "As stated in the contract, ", "As the study notes, ", "In the given passage, ", "Per the report, ", "Yes, ", "No, ", "Correct: ",
    "Sure! ", "Certainly, ", "Answer: ", "Short answer: ", "Summary: ", "In short, ", "Overall, ", "However, ", "Furthermore, ",
    "The document states that ", "The report says: ", "It appears that ", "It is clear that ", "We can see that ",
    "Yes, according to the report, it appears that ", "- ", "2. ", "Based on the information in the document, it seems that ",
]  # fmt: skip
FOREIGN = [
    ("Laut dem Bericht ", "stieg der Umsatz um 4 Prozent."),
    ("Es scheint, dass ", "der Umsatz um 4 Prozent stieg."),
    ("Selon le document, ", "les ventes ont augmenté de 4 %."),
    ("Oui, ", "les ventes ont augmenté de 4 %."),
    ("Según el informe, ", "las ventas subieron un 4 %."),
    ("Secondo il documento, ", "le vendite sono salite del 4 %."),
    ("De acordo com o relatório, ", "as vendas subiram 4 %."),
    ("Volgens het rapport ", "steeg de omzet met 4 procent."),
    ("Enligt rapporten ", "ökade omsättningen med 4 procent."),
    ("Ifølge rapporten ", "steg omsætningen med 4 procent."),
    ("Согласно отчёту, ", "продажи выросли на 4 процента."),
]


@pytest.mark.parametrize("opening", OPENINGS)
def test_an_opening_is_blanked_and_the_claim_stays_in_its_place(opening):
    assert without_openings(opening + CLAIM) == " " * len(opening) + CLAIM


@pytest.mark.parametrize(("opening", "claim"), FOREIGN)
def test_openings_of_other_languages_are_blanked(opening, claim):
    assert without_openings(opening + claim) == " " * len(opening) + claim


@pytest.mark.parametrize(
    "text",
    [
        "According to Reuters, the harbour handled 310 ships.", "No smoking is allowed.", "Well built piers last.",
        "In the report of the ministry, costs are high.", "Right wing parties won.", "So the firm won.", "2.5 million ships came.",
        "Also known as the Pearl, the ship sank.", "Based on a sample of nine, the drug works.",
    ],
)  # fmt: skip
def test_what_belongs_to_the_claim_is_left(text):
    assert without_openings(text) == text


@pytest.mark.parametrize(
    "close", ["I hope this helps!", "Let me know if you need more.", "Would you like the sources?"]
)
def test_a_closing_behind_the_claim_is_blanked(close):
    assert without_openings(f"The harbour handled 310 ships. {close}").rstrip() == "The harbour handled 310 ships."


@pytest.mark.parametrize(
    "text",
    [
        "I hope that answers your question!", "Happy to help!", "Glad to be of assistance.", "Let me know if anything is unclear.",
        "Feel free to ask for more.", "I can also summarise the other chapters.", "I'd be glad to go into detail.",
        "If you have further questions, I'm here.", "Please ask if you need more.", "Great question!", "Good morning!",
        "Thanks for asking.", "You're welcome!", "Here are the key figures:", "Let's look at the numbers.", "Sure thing!",
        "I could not find the number of ships.", "I was unable to locate a date.", "I don't have that information.",
        "Unfortunately, I couldn't determine the price.", "Ich konnte dazu leider nichts finden.", "J'espère que cela vous aide !",
        "Espero que esto le ayude.", "Gerne helfe ich Ihnen weiter.", "N'hésitez pas à demander.", "Certainly! Here is the answer.",
    ],
)  # fmt: skip
def test_who_greets_offers_or_found_nothing_claims_nothing(text):
    assert speaks(text)
    assert not makes_claim(text)


@pytest.mark.parametrize(
    "text",
    [
        "The pilot could not find the runway.", "We can provide loans to members.", "I was born in Turku.",
        "Customers may ask for a refund if they want.", "The firm hopes to help its suppliers.", "No evidence was found.",
        "Die Firma konnte den Umsatz nicht steigern.", "Welcome bonuses rose to 40 euros.", "We found no evidence of harm.",
    ],
)  # fmt: skip
def test_who_says_something_about_the_world_claims_it(text):
    assert makes_claim(text)


@given(st.text(max_size=60), st.sampled_from(OPENINGS))
def test_every_offset_stays_as_it_was(text, opening):
    for whole in (text, opening + text):
        bare = without_openings(whole)
        assert len(bare) == len(whole)
        assert all(new in (old, " ") for new, old in zip(bare, whole, strict=True))


@pytest.mark.parametrize("opening", OPENINGS)
def test_an_opening_changes_no_verdict(opening):
    document = Document.from_text("In 2019 the harbour handled 310 ships. The crane was sold to a scrap yard.")
    bare, opened = citewell.check(document, [CLAIM, opening + CLAIM])
    assert (opened.label, opened.score) == (bare.label, bare.score) == ("supported", bare.score)
    wrong, opened = citewell.check(
        document, ["the harbour handled 420 ships.", f"{opening}the harbour handled 420 ships."]
    )
    assert (opened.label, opened.score) == (wrong.label, wrong.score)
    assert wrong.label != "supported"
    (reason,) = opened.reasons
    assert f"{opening}the harbour handled 420 ships."[reason.start : reason.end] == "420"
