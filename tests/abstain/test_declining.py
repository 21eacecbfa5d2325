"""Replies that decline, in a dozen languages, and answers that merely contain such words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.abstain.declining import Declining, lab_phrases

DECLINES = """
unanswerable
Unanswerable.
"Unanswerable"
N/A
I don't know.
I don’t know the answer to this question.
idk
The answer is unknown.
The answer to this question is not provided.
The document does not mention the age of the ferry.
The report doesn't specify which harbour it was.
The provided text does not contain any information about the owner.
The age of the ferry is not mentioned in the document.
The context provided does not explicitly state who won.
There is no information about penalties in this contract.
There is not enough information to answer the question.
I cannot answer this question based on the given passages.
I'm sorry, but I cannot find the answer in the document.
I could not find any mention of the owner.
This question cannot be answered from the article.
The question is unanswerable.
No information about the captain is provided.
I'm sorry. The passages do not provide details on this. Please provide more context.
The report does not state the year, but I cannot determine it either.
Das Dokument enthält keine Angaben zum Eigentümer.
Im Text wird der Kapitän nicht erwähnt.
Ich weiß es nicht.
Diese Frage kann anhand des Textes nicht beantwortet werden.
Le document ne mentionne pas le propriétaire.
Il n'y a pas d'information à ce sujet.
El documento no menciona al propietario.
No puedo responder a esta pregunta.
Il documento non menziona il proprietario.
O documento não menciona o proprietário.
Het document vermeldt de eigenaar niet.
文中未提及。
文档没有提到所有者。
无法根据所提供的信息回答这个问题。
この文書には所有者について記載されていません。
質問に回答できません。
문서에 소유자에 대해 언급되어 있지 않습니다.
В документе не указан владелец.
لا أعرف
المستند لا يذكر المالك.
""".strip().splitlines()

ANSWERS = """
The cause is unknown to many patients, but it is a lack of iron.
The ferry Unknown Warrior was built in Turku.
The drug is not offered to children.
Seats were not provided on the upper deck.
The captain was not named after his father.
It is not clear water but a brine that fills the tanks.
North Carolina
No.
Yes, it is available.
The service is not available on Sundays.
The contract does not mention penalties, but clause four sets a fee of 40 euros.
The article does not specify the year. The company was founded in Turku by Ann Lee.
Customers who report an unanswerable complaint are paid 10 euros.
The company did not report a profit in 2024.
The results are not reported to the ministry.
Nobody can answer for the delay, said the minister.
The authors use BERT and do not know of earlier work.
The study found no significant difference.
not supported
Patients do not state their income.
Sie nannten ihn den Unbekannten.
Das Schiff wurde nicht in Turku gebaut.
Le navire ne mentionnait pas son nom sur la coque.
La película se llama Desconocido y dura dos horas.
病因未知的患者占百分之三。
La ragione è sconosciuta ai più.
Неизвестный солдат похоронен здесь.
The firm provides no meals on board.
Sorry is the hardest word in the song.
None
""".strip().splitlines()


@pytest.mark.parametrize("reply", DECLINES)
def test_a_reply_that_declines_is_told(reply):
    assert Declining().declines(reply)


@pytest.mark.parametrize("reply", ANSWERS)
def test_an_answer_that_merely_contains_such_words_is_none(reply):
    assert not Declining().declines(reply)


def test_what_a_document_leaves_out_can_be_the_answer():
    reply = "The report does not mention the owner."
    assert Declining().declines(reply, "Who is the owner?")
    assert not Declining().declines(reply, "Does the report mention the owner?")


def test_labs_phrases_are_those_of_the_paper():
    phrases = lab_phrases()
    assert {"not provide", "not explicitly provide", "not provided", "not explicitly provided"} <= set(phrases)
    assert len(phrases) == 18 + 8 * 2 * 5
    lab = Declining("lab")
    assert lab.declines("It is not directly stated.")
    assert lab.declines("The cause is unknown to many patients, but it is a lack of iron.")
    assert lab.declines("I don’t know")
    assert not lab.declines("The fleet has five ships.")


def test_never_declines_nothing():
    assert not Declining("never").declines("unanswerable")
    with pytest.raises(ValueError, match="policy"):
        Declining("sometimes")


@pytest.mark.parametrize("policy", ["sentences", "lab"])
@given(reply=st.text(max_size=300), question=st.none() | st.text(max_size=60))
def test_any_text_is_judged(policy, reply, question):
    assert Declining(policy).declines(reply, question) in (True, False)


@pytest.mark.slow
def test_long_replies_take_little_time():
    import time

    started = time.perf_counter()
    for text in ("the document " * 3000, "not mention " * 3000, "there is no " * 3000, "文档" * 4000, "a" * 30_000):
        Declining().declines(text)
    assert time.perf_counter() - started < 10
