"""Replies that decline, in a dozen languages, and answers that merely contain such words."""

import time
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.abstain.declining import Declining, lab_phrases
from helpers import growth

DECLINES = """
unanswerable
Unanswerable.
"Unanswerable"
N/A
**Insufficient information about the owner.**
“Jag vet inte vem som äger färjan.”
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
    started = time.process_time()
    for text in ("the document " * 3000, "not mention " * 3000, "there is no " * 3000, "文档" * 4000, "a" * 30_000):
        Declining().declines(text)
    assert time.process_time() - started < 10  # quadratic steps would take minutes


REFUSALS = """
Leider kann ich diese Frage nicht beantworten.
Diese Frage lässt sich anhand des Dokuments nicht beantworten.
Dazu liegen keine Informationen vor.
Ich habe dazu nichts gefunden.
Im Text steht dazu nichts.
Je ne peux pas répondre à cette question.
Malheureusement, je ne suis pas en mesure de répondre.
Le document ne contient pas cette information.
Aucune information à ce sujet n'est fournie.
Je n'ai pas trouvé de réponse dans le document.
No puedo responder a esta pregunta.
Lo siento, el documento no menciona esta información.
No hay información suficiente para responder.
No se encuentra esa información en el texto.
Lamentablemente no dispongo de esa información.
Non posso rispondere a questa domanda.
Mi dispiace, il documento non contiene questa informazione.
Non ci sono informazioni sufficienti.
Purtroppo non è possibile rispondere in base al testo.
Não posso responder a esta pergunta.
Infelizmente, o documento não menciona isso.
Não há informações suficientes para responder.
Ik kan deze vraag niet beantwoorden.
Helaas staat dit niet in het document.
Er is onvoldoende informatie om de vraag te beantwoorden.
Nie mogę odpowiedzieć na to pytanie.
Niestety dokument nie zawiera tych informacji.
Brak wystarczających informacji.
Я не могу ответить на этот вопрос.
К сожалению, в документе нет этой информации.
Недостаточно информации для ответа.
В тексте об этом не говорится.
我无法回答这个问题。
抱歉，文档中没有提到这一点。
文中没有相关信息。
根据提供的文档，无法回答该问题。
この質問にはお答えできません。
申し訳ありませんが、文書には記載されていません。
文書にその情報は含まれていません。
情報が不足しているため、回答できません。
이 질문에 답변할 수 없습니다.
문서에 해당 정보가 없습니다.
죄송하지만 문서에는 언급되어 있지 않습니다.
لا أستطيع الإجابة على هذا السؤال.
عذرًا، لا تحتوي الوثيقة على هذه المعلومات.
لا توجد معلومات كافية للإجابة.
Bu soruyu yanıtlayamıyorum.
Maalesef belgede bu bilgi yer almıyor.
Yeterli bilgi yok.
Jag kan inte besvara den här frågan.
Tyvärr nämns det inte i dokumentet.
Jeg kan ikke besvare dette spørgsmål.
Desværre fremgår det ikke af dokumentet.
Jeg kan dessverre ikke svare på dette spørsmålet.
Dokumentet inneholder ikke denne informasjonen.
En voi vastata tähän kysymykseen.
Valitettavasti asiakirjassa ei mainita tätä.
Na tuto otázku nemohu odpovědět.
Dokument tuto informaci bohužel neobsahuje.
Erre a kérdésre nem tudok válaszolni.
Sajnos a dokumentum nem tartalmazza ezt az információt.
Nu pot răspunde la această întrebare.
Din păcate, documentul nu conține această informație.
Δεν μπορώ να απαντήσω σε αυτή την ερώτηση.
Δυστυχώς το έγγραφο δεν περιέχει αυτή την πληροφορία.
Я не можу відповісти на це питання.
На жаль, у документі немає цієї інформації.
איני יכול לענות על שאלה זו.
למרבה הצער, המסמך אינו מכיל מידע זה.
मैं इस प्रश्न का उत्तर नहीं दे सकता।
दस्तावेज़ में यह जानकारी नहीं है।
Tôi không thể trả lời câu hỏi này.
Rất tiếc, tài liệu không đề cập đến thông tin này.
Saya tidak dapat menjawab pertanyaan ini.
Maaf, dokumen tidak memuat informasi tersebut.
ฉันไม่สามารถตอบคำถามนี้ได้
เอกสารไม่ได้ระบุข้อมูลนี้
Auf Grundlage der vorliegenden Unterlagen kann ich das nicht sagen.
Das geht aus dem Bericht nicht hervor.
Es tut mir leid, aber dazu finde ich im Dokument keine Angaben.
Désolé, je n'ai trouvé aucune mention de ce point.
Le texte fourni ne permet pas de répondre.
Il m'est impossible de répondre à cette question.
El texto proporcionado no ofrece datos al respecto.
No encuentro la respuesta en el documento.
Il testo non fornisce informazioni al riguardo.
Non trovo la risposta nel documento.
O texto não fornece essa informação.
Não encontrei essa informação no documento.
Het document bevat geen informatie hierover.
Ik kan het antwoord niet vinden in de tekst.
Dokument nie zawiera informacji na ten temat.
Nie jestem w stanie odpowiedzieć na podstawie tego tekstu.
В документе нет информации об этом.
Я не нашёл ответа в тексте.
文件中未提及此信息。
根据给定内容无法确定答案。
この文書からは分かりません。
その点については記載がありません。
본문에서 답을 찾을 수 없습니다.
제공된 문서만으로는 알 수 없습니다.
النص لا يذكر ذلك.
لا يمكنني الإجابة بناءً على النص.
Bu soruya metne dayanarak cevap veremiyorum.
Belgede bununla ilgili bilgi bulunmamaktadır.
Texten ger ingen information om detta.
Det framgår inte av texten.
Det står ikke i dokumentet.
Teksten giver ikke svar på spørgsmålet.
Jeg finner ikke svaret i dokumentet.
Asiakirjassa ei ole tietoa tästä.
En löydä vastausta tekstistä.
V dokumentu o tom není žádná informace.
Odpověď v textu není.
A szöveg alapján nem lehet megválaszolni a kérdést.
A dokumentumban nincs erről információ.
Documentul nu oferă informații despre acest lucru.
Nu am găsit răspunsul în text.
Το κείμενο δεν αναφέρει κάτι σχετικό.
Δεν γνωρίζω.
Документ не містить цієї інформації.
На основі тексту відповісти неможливо.
אין במסמך מידע על כך.
המסמך לא מציין זאת.
दिए गए पाठ में इसका उल्लेख नहीं है।
Văn bản không cung cấp thông tin này.
Dokumen ini tidak menyebutkan hal tersebut.
เอกสารนี้ไม่มีข้อมูลดังกล่าว
""".strip().split("\n")
NEAR = """
Der Vorstand kann die Frage der Dividende nicht beantworten, sagte Meier.
Leider sank der Umsatz um 5 Prozent.
Die Firma enthält keine giftigen Stoffe in ihren Produkten.
Le ministre ne peut pas répondre aux lettres avant mai.
Malheureusement, les ventes ont chuté.
Lamentablemente, las ventas cayeron un 5 %.
No hay deuda.
Non ci sono debiti.
O banco não tem dívidas.
Helaas daalde de omzet.
Niestety przychody spadły.
К сожалению, выручка снизилась.
公司没有债务。
抱歉的是，销售额下降了。
会社には負債がありません。
회사에는 부채가 없습니다.
لا توجد ديون على الشركة.
Şirketin borcu yok.
Tyvärr sjönk omsättningen.
Desværre faldt omsætningen.
Valitettavasti liikevaihto laski.
Bohužel tržby klesly.
Sajnos a bevétel csökkent.
Din păcate, veniturile au scăzut.
Δυστυχώς τα έσοδα μειώθηκαν.
На жаль, дохід знизився.
कंपनी पर कोई कर्ज नहीं है।
Rất tiếc, doanh thu đã giảm.
Maaf, pendapatan turun 5 persen, kata direktur.
Die Studie beantwortet die Frage, ob Rost entsteht, nicht.
Er kann nicht schwimmen.
Information wurde nicht an Dritte weitergegeben.
The company could not answer the regulator's questions.
Компания не может ответить на запрос регулятора до мая.
Die Firma kann die Anleihe nicht zurückzahlen.
Dazu gehören keine Kosten der Verwaltung.
Je n'ai pas peur, dit le capitaine.
L'accord ne permet pas la sous-location.
No puedo vivir sin ti, dice la canción.
La società non può emettere azioni.
A empresa não pode vender ações.
De fabriek kan niet leveren.
Umowa nie zawiera kary umownej.
Компания не может выплатить долг.
公司无法按期交货。
会社は支払いができません。
회사는 배당할 수 없습니다.
لا يمكن للشركة بيع الأسهم.
Şirket ödeme yapamıyor.
Bolaget kan inte betala utdelning.
Selskapet kan ikke betale utbytte.
Aftalen indeholder ikke en bøde.
Yhtiö ei voi maksaa osinkoa.
Smlouva neobsahuje pokutu.
A szerződés nem tartalmaz kötbért.
Contractul nu conține o penalitate.
Η σύμβαση δεν περιέχει ρήτρα.
Договір не містить штрафу.
החוזה אינו כולל קנס.
अनुबंध में कोई जुर्माना नहीं है।
Hợp đồng không có tiền phạt.
Kontrak tidak memuat denda.
สัญญาไม่มีค่าปรับ
""".strip().split("\n")


@pytest.mark.parametrize("reply", REFUSALS)
def test_refusals_are_known_in_many_languages(reply):
    assert Declining().declines(reply)


@pytest.mark.parametrize("reply", NEAR)
def test_what_is_denied_about_the_subject_is_no_refusal_in_any_language(reply):
    assert not Declining().declines(reply)


def test_patterns_take_linear_time():
    for text in ("ich kann " * 3000, "dokument tuto " * 3000, "no " * 9000, "soru " * 5000, "document ne " * 2000):
        Declining().declines(text)


def rows(name):
    text = Path(__file__).with_name("data").joinpath(name).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines()]


def phrasings(kind):
    """Sentences by language: `R` declines, `N` says something; twenty of each a language."""
    result = defaultdict(list)
    for language, is_kind, text in rows("refusals.tsv"):
        if is_kind == kind:
            result[language].append(text)
    return result


def test_there_are_twenty_phrasings_and_twenty_near_misses_in_twenty_two_languages():
    for kind in "RN":
        assert {language: len(set(texts)) for language, texts in phrasings(kind).items()} == dict.fromkeys(
            "en de fr es it pt nl zh ja ko ru ar pl tr sv cs fi hu uk vi id hi".split(), 20
        )


@pytest.mark.parametrize("language", phrasings("R"))
def test_refusals_are_known_however_they_are_put(language):
    """The first ten were read while the rules were written; the others were not: 212 of their 220 are known."""
    texts = phrasings("R")[language]
    known = [Declining().declines(text) for text in texts]
    assert all(known[:10]), [text for text, right in zip(texts, known, strict=True) if not right]
    assert sum(known[10:]) >= 7


def test_of_the_phrasings_that_no_rule_was_written_for_19_in_20_are_known():
    known = [Declining().declines(text) for texts in phrasings("R").values() for text in texts[10:]]
    assert sum(known) / len(known) >= 0.95


@pytest.mark.parametrize("language", phrasings("N"))
def test_an_answer_with_a_negation_is_no_refusal(language):
    assert [text for text in phrasings("N")[language] if Declining().declines(text)] == []


@pytest.mark.parametrize("text", [text for _, text in rows("reports.tsv")])
def test_a_document_that_tells_what_was_not_done_is_no_refusal(text):
    assert not Declining().declines(text)


@pytest.mark.long
def test_many_sentences_take_linear_time():
    sentence = "The report does not say which ship of ours was ever lost to the sea. "
    assert growth(lambda count: Declining().declines(sentence * count), 40) < 24  # 64 where it were quadratic
