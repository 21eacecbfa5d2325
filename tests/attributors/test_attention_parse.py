"""The parse of AttnUnionDep: which words of an answer belong with a target's, on parses that are written by hand."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import pytest

from citewell import registry
from citewell.attributors.attention import parse
from citewell.attributors.attention.parse import Word, checked, from_spacy, installed, joined
from citewell.attributors.attention.union import AttnUnion, evidence
from citewell.document import Document
from citewell.errors import BackendError, MissingExtraError, SpecError
from citewell.types import Draft, Span

REPORT = Document.from_text("Blood flows through the aorta 😀 in Zürich.\n\nRevenue rose to 41 million. Costs fell.")


def words(text, heads, verbs=(), conjuncts=()):
    """Words between spaces, with the words that they depend on."""
    result, at = [], 0
    spellings = text.split()
    for spelling, head in zip(spellings, heads.split(), strict=True):
        at = text.index(spelling, at)
        verb, conjunct = spelling in verbs, spelling in conjuncts
        result.append(Word(at, at + len(spelling), spellings.index(head), verb=verb, conjunct=conjunct))
        at += len(spelling)
    return result


def words_of(text, parsed, target):
    start = text.index(target)
    return [text[span.start : span.end] for span in joined(parsed, Span(start, start + len(target)))]


BOUGHT = "Ann bought red apples and green pears for Bob who was ill"
BOUGHT_WORDS = words(
    BOUGHT, "bought bought apples bought apples pears apples bought for was Bob was", ("bought", "was"), ("pears",)
)


def test_a_target_has_what_depends_on_its_verb_without_conjuncts_of_others():
    assert words_of(BOUGHT, BOUGHT_WORDS, "red") == "Ann bought red apples and for Bob who was ill".split()
    assert words_of(BOUGHT, BOUGHT_WORDS, "green pears") == "Ann bought green pears for Bob who was ill".split()
    assert words_of(BOUGHT, BOUGHT_WORDS, "apples and green") == BOUGHT.split()
    assert (
        words_of(BOUGHT, BOUGHT_WORDS, "Bob")
        == words_of(BOUGHT, BOUGHT_WORDS, "Ann")
        == BOUGHT.split()[:5] + BOUGHT.split()[7:]
    )


def test_a_clause_inside_another_is_its_own_verbs():
    assert words_of(BOUGHT, BOUGHT_WORDS, "ill") == ["who", "was", "ill"]


def test_verbs_side_by_side_have_their_own_words():
    text = "Revenue rose to 41 and costs fell by 9"
    parsed = words(text, "rose rose rose to rose fell rose fell by", ("rose", "fell"), ("fell",))
    assert words_of(text, parsed, "41") == ["Revenue", "rose", "to", "41", "and"]
    assert words_of(text, parsed, "9") == ["costs", "fell", "by", "9"]
    assert words_of(text, parsed, "41 and costs") == text.split()


def test_the_last_of_three_conjuncts_leaves_the_others_out():
    text = "sold apples , pears and plums"
    parsed = words(text, "sold sold apples apples pears pears", ("sold",), ("pears", "plums"))
    assert words_of(text, parsed, "plums") == ["sold", "plums"]
    assert words_of(text, parsed, "pears") == ["sold", "pears", "and"]
    assert words_of(text, parsed, "apples") == ["sold", "apples", ","]


def test_words_without_a_verb_belong_with_their_tree():
    text = "forty one million euros"
    assert words_of(text, words(text, "million million euros euros"), "forty") == text.split()


def test_a_whole_sentence_stays_what_it_is():
    assert words_of(BOUGHT, BOUGHT_WORDS, BOUGHT) == BOUGHT.split()


def test_words_that_are_not_there_and_circles_are_told():
    good = words("a b", "b b")
    assert checked(good, "a b") == good
    for wrong in ([Word(0, 1, 2)], [Word(0, 9, 0)], [Word(-1, 1, 0)]):
        with pytest.raises(BackendError, match="is not in the answer"):
            checked(wrong, "a b")
    with pytest.raises(BackendError, match="in a circle"):
        checked([Word(0, 1, 1), Word(2, 3, 0)], "a b")


TEXT = "Revenue rose and costs fell."
PARSED = words("Revenue rose and costs fell .", "rose rose rose fell rose fell", ("rose", "fell"), ("fell",))
PARSED = [word._replace(start=min(word.start, 27), end=min(word.end, 28)) for word in PARSED]
DRAFT = Draft(TEXT, "What rose?", (Span(0, 28),), targets=(Span(0, 7),))


def test_a_target_has_the_evidence_of_the_words_that_belong_to_it(zoo):
    plain = AttnUnion(model=zoo.llama, device="cpu", k=9)
    parsing = AttnUnion(model=zoo.llama, device="cpu", k=9, parser=lambda text: PARSED if text == TEXT else ())
    looks = plain.looks(DRAFT, [REPORT])
    target_looks = {at: token_looks for at, token_looks in looks.items() if at.start < 7}
    clause = {at: token_looks for at, token_looks in looks.items() if at.start < 16}  # Revenue rose and
    for method, over in ((plain, target_looks), (parsing, clause)):
        kept = evidence(over, 2)
        tokens = method.attribute(DRAFT, [REPORT], "token")
        assert {cited.start for cited in tokens} <= {look.at.start for look in kept.values()}
        assert all(cited.answer_start < 7 for cited in tokens)
        spans = method.attribute(DRAFT, [REPORT], "window")
        assert sum(cited.score for cited in spans) == pytest.approx(
            sum(look.weight for look in kept.values()), abs=1e-5
        )
    assert len(evidence(clause, 2)) > len(evidence(target_looks, 2))


def test_a_target_of_a_whole_sentence_has_the_same_evidence_with_and_without_a_parse(zoo):
    whole = Draft(TEXT, "What rose?", (Span(0, 28),))
    with_parse, without = (
        AttnUnion(model=zoo.llama, device="cpu", k=9, parser=parser).attribute(whole, [REPORT], "window")
        for parser in (lambda _: PARSED, None)
    )
    assert with_parse == without


def _token(number, text, idx, head, pos, dep):
    return SimpleNamespace(i=number, text=text, idx=idx, head=SimpleNamespace(i=head), pos_=pos, dep_=dep)


def test_a_spacy_pipeline_gives_its_words_with_helping_verbs_as_no_verbs():
    tokens = [
        _token(0, "It", 0, 2, "PRON", "nsubj"), _token(1, "had", 3, 2, "AUX", "aux"),
        _token(2, "risen", 7, 2, "VERB", "ROOT"), _token(3, "fallen", 15, 2, "VERB", "conj"),
    ]  # fmt: skip
    assert from_spacy(lambda _: tokens)("It had risen / fallen") == [
        Word(0, 2, 2), Word(3, 6, 2), Word(7, 12, 2, verb=True), Word(15, 21, 2, verb=True, conjunct=True),
    ]  # fmt: skip


def test_a_pipeline_is_named_in_a_spec_and_told_where_it_is_missing(zoo, monkeypatch):
    built = registry.build("attributor", f"attention-union(model={zoo.llama}, parser=no_pipeline)")
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'citewell\[parse\]'"):
        built.attribute(DRAFT, [REPORT])
    spacy = ModuleType("spacy")
    spacy.load = lambda name: (_ for _ in ()).throw(OSError(name)) if name == "no_pipeline" else pipeline
    monkeypatch.setitem(sys.modules, "spacy", spacy)
    with pytest.raises(BackendError, match="no spaCy pipeline 'no_pipeline' is installed"):
        built.attribute(DRAFT, [REPORT])
    pipeline = SimpleNamespace(pipe_names=["tagger"])
    with pytest.raises(BackendError, match="has no dependency parser"):
        installed("tags")
    with pytest.raises(SpecError):
        registry.build("attributor", f"attention-union(model={zoo.llama}, parser=5)")
    parse.installed.cache_clear()


def test_a_real_pipeline_parses_an_answer():
    pytest.importorskip("spacy")
    names = __import__("spacy").util.get_installed_models()
    if not names:
        pytest.skip("no pipeline is installed")
    text = "Revenue rose to 41 million and costs fell, which surprised the board."
    parsed = checked(installed(names[0])(text), text)
    assert words_of(text, parsed, "costs")[:2] == ["costs", "fell"]
    assert words_of(text, parsed, "million") == ["Revenue", "rose", "to", "41", "million", "and", "."]
