"""Replies of models, well formed and not: marks found, text cleaned, offsets exact, never an exception."""

import re
import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from citewell.text.replies.markers import find
from citewell.text.replies.parsing import parse, settled
from helpers import growth

CASES = [
    ("Fares rose. [1] [2]", "Fares rose.", [("Fares rose.", (1, 2))]),
    ("Fares rose [1, 2].", "Fares rose.", [("Fares rose.", (1, 2))]),
    ("Fares rose [1-3].", "Fares rose.", [("Fares rose.", (1, 2, 3))]),
    ("Fares rose [3–1].", "Fares rose.", [("Fares rose.", (1, 2, 3))]),
    ("Fares rose [1][2].", "Fares rose.", [("Fares rose.", (1, 2))]),
    ("Fares rose.[1][2] Costs fell.[3]", "Fares rose. Costs fell.", [("Fares rose.", (1, 2)), ("Costs fell.", (3,))]),
    ("Fares rose. [1]\nCosts fell. [2]", "Fares rose.\nCosts fell.", [("Fares rose.", (1,)), ("Costs fell.", (2,))]),
    ("Fares rose [1].Costs fell [2].", "Fares rose.Costs fell.", [("Fares rose", (1,)), (".Costs fell.", (2,))]),
    ("Fares rose【1】。", "Fares rose。", [("Fares rose。", (1,))]),
    (
        "運賃は上がった。【1】費用は減った［２］。",
        "運賃は上がった。費用は減った。",
        [("運賃は上がった。", (1,)), ("費用は減った。", (2,))],
    ),
    ("Fares rose ([1], [2]).", "Fares rose.", [("Fares rose.", (1, 2))]),
    ("Fares rose (see [1]).", "Fares rose.", [("Fares rose.", (1,))]),
    ("Fares rose [1] and [2].", "Fares rose.", [("Fares rose.", (1, 2))]),
    ("Fares rose [doc 2].", "Fares rose.", [("Fares rose.", (2,))]),
    ("Fares rose [Segment 2; Segment 3].", "Fares rose.", [("Fares rose.", (2, 3))]),
    (
        "Fares rose **[1]**, costs fell <sup>[2]</sup>.",
        "Fares rose, costs fell.",
        [("Fares rose", (1,)), ("costs fell.", (2,))],
    ),
    ("Fares rose \\[1\\].", "Fares rose.", [("Fares rose.", (1,))]),
    ("Fares rose [1](https://a.example/b).", "Fares rose.", [("Fares rose.", (1,))]),
    ("Fares rose [^3].", "Fares rose.", [("Fares rose.", (3,))]),
    (
        "Fares rose [1] while costs fell [2].",
        "Fares rose while costs fell.",
        [("Fares rose", (1,)), ("while costs fell.", (2,))],
    ),
    ("Fares rose [1], and all else stayed.", "Fares rose, and all else stayed.", [("Fares rose", (1,))]),
    (
        "Fares rose [1] while costs fell. [2]",
        "Fares rose while costs fell.",
        [("Fares rose", (1,)), ("while costs fell.", (2,))],
    ),
    ("She said “fares rose [1]”.", "She said “fares rose”.", [("She said “fares rose”.", (1,))]),
    ("Call `a[1]` first [2].", "Call `a[1]` first.", [("Call `a[1]` first.", (2,))]),
    ("```\nx = a[1]\n```\nIt runs [2].", "```\nx = a[1]\n```\nIt runs.", [("It runs.", (2,))]),
    ("[2] Fares rose.", "Fares rose.", [("Fares rose.", (2,))]),
    ("[2]: Fares rose.", "Fares rose.", [("Fares rose.", (2,))]),
    ("[1] Fares rose.\n[2] Costs fell.", "[1] Fares rose.\n[2] Costs fell.", []),
    (
        "1. Fares rose [3]\n2. Costs fell [1]",
        "1. Fares rose\n2. Costs fell",
        [("Fares rose", (3,)), ("Costs fell", (1,))],
    ),
    ("(1) Fares rose, (2) costs fell.", "(1) Fares rose, (2) costs fell.", []),
    ("Fares rose in [2019].", "Fares rose in [2019].", []),
    ("Fares rose [].", "Fares rose [].", []),
    ("Fares rose [1", "Fares rose [1", []),
    ("Fares rose 1].", "Fares rose 1].", []),
    ("Fares rose.", "Fares rose.", []),
    ("Fares rose.\nEvidence: [1], [2]", "Fares rose.", [("Fares rose.", (1, 2))]),
    ("Fares rose [1].\n\nSources:\n[1] Annual report\n[2] Letter", "Fares rose.", [("Fares rose.", (1,))]),
    ("Answer: Fares rose [1].", "Fares rose.", [("Fares rose.", (1,))]),
    ("<think>Is it [2]?</think>Fares rose [1].", "Fares rose.", [("Fares rose.", (1,))]),
    ("<think>Is it [2]?", "", []),
    ("", "", []),
    ("[1]", "", []),
    ("- Fares rose [1]\n- Costs fell [2]", "- Fares rose\n- Costs fell", [("Fares rose", (1,)), ("Costs fell", (2,))]),
    (
        "| Item | Value |\n|---|---|\n| Fares | 3 [1] |",
        "| Item | Value |\n|---|---|\n| Fares | 3 |",
        [("| Fares | 3 |", (1,))],
    ),
]


@pytest.mark.parametrize(("reply", "text", "cites"), CASES)
def test_marks_are_read_and_removed(reply, text, cites):
    parsed = parse(reply, known=4)
    assert parsed.text == text
    assert [(text[cite.span.start : cite.span.end], cite.numbers) for cite in parsed.cites] == cites


@pytest.mark.parametrize("mark", ["[9]", "[0]", "[12, 13]", "【6:0†source】", "[9-11]"])
def test_marks_of_passages_that_do_not_exist_are_told_and_removed(mark):
    parsed = parse(f"Fares rose {mark}. Costs fell [1].", known=4)
    assert parsed.text == "Fares rose. Costs fell."
    assert [cite.numbers for cite in parsed.cites] == [(1,)]
    assert parsed.warnings
    assert all("does not exist" in warning for warning in parsed.warnings)


def test_a_mark_that_names_both_kinds_keeps_what_exists():
    parsed = parse("Fares rose [2, 9] and [3-7].", known=4)
    assert parsed.cites[0].numbers == (2, 3, 4)
    assert [warning[:21] for warning in parsed.warnings] == ["the reply cites [9], w", "the reply cites [7], w"] or len(
        parsed.warnings
    ) == 2


def test_references_that_were_copied_from_the_source_stay_text():
    source = "The coder uses layers as in earlier work [3] and is fast."
    reply = "The paper says “layers as in earlier work [3]” there. It uses layers as in earlier work [3] too [2]."
    parsed = parse(reply, known=4, source=source)
    assert parsed.text == reply.replace(" [2]", "")
    assert [cite.numbers for cite in parsed.cites] == [(2,)]


def test_nothing_is_taken_for_a_mark_where_none_was_asked_for():
    assert parse("As shown in [1], fares rose.", known=0).text == "As shown in [1], fares rose."


def test_a_single_answer_is_one_statement_without_its_quotation_marks():
    parsed = parse('"No. It fell in May. [3] [1]"', known=4, single=True)
    assert parsed.text == "No. It fell in May."
    assert parsed.statements == ((0, 19),)
    assert parsed.cites == (((0, 19), (3, 1)),)


def test_a_range_without_end_does_not_make_a_list_without_end():
    parsed = parse("Fares rose [1-999999].", known=3)
    assert parsed.cites[0].numbers == (1, 2, 3)


PIECES = st.sampled_from(
    ["Fares rose", " in spring", ".", "!", "。", " ", "\n", "\n\n", "[1]", "[2, 3]", "[1-3]", "[9]", "【2】", "［３］", "(", ")", "`", "```\n",
     '"', "“", "”", "[", "]", "- ", "1. ", "# ", "| a | b |", "<think>", "</think>", "Evidence: ", "Sources:\n", "Answer: ", "é😀", "\\[1\\]", "**", "\r\n",
     "<sup>", "†", "\ud800", "\x00", "e.g.", " and ", ", ", "[1](http://x)", "[^2]", "the fleet", "[2020]", "٣", "[٣]"]
)  # fmt: skip
REPLIES = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=40).map("".join))


@given(REPLIES, st.integers(0, 6), st.booleans(), REPLIES)
@example(reply="** 0**", known=0, single=False, source="")
def test_no_reply_raises_and_every_offset_holds(reply, known, single, source):
    parsed = parse(reply, known, source, single=single)
    ends = [0]
    for span in parsed.statements:
        assert ends[-1] <= span.start < span.end <= len(parsed.text)
        assert parsed.text[span.start : span.end].strip() == parsed.text[span.start : span.end]
        ends.append(span.end)
    for cite in parsed.cites:
        assert parsed.text[cite.span.start : cite.span.end].strip()
        assert cite.numbers
        assert all(1 <= number <= known for number in cite.numbers)
        assert any(span.start <= cite.span.start and cite.span.end <= span.end for span in parsed.statements)


@given(REPLIES, st.integers(1, 6))
def test_marks_do_not_overlap(reply, known):
    ends = 0
    for mark in find(reply, known):
        assert ends <= mark.start < mark.end <= len(reply)
        ends = mark.end


@given(REPLIES)
def test_only_marks_and_blanks_are_removed(reply):
    """Words survive: what is left of a reply without labels, lists and thinking has every word of it."""
    if any(word in reply.lower() for word in ("think>", "evidence", "sources", "answer")):
        return
    words = [word for word in ("Fares", "spring", "fleet", "e.g.") if word in reply]
    text = parse(reply, 6).text
    assert all(text.count(word) == reply.count(word) for word in words)


SENTENCES = st.lists(
    st.sampled_from(
        ["Fares rose by three percent in the spring of last year", "The fleet has five ships that run on batteries"]
    ),
    min_size=1,
    max_size=6,
)


@given(SENTENCES, st.integers(0, 10**6))
def test_what_is_settled_early_is_what_stands_at_the_end(sentences, cut):
    reply = " ".join(f"{sentence} [{number % 4 + 1}]." for number, sentence in enumerate(sentences))
    whole, early = parse(reply, 4), settled(reply[: cut % (len(reply) + 1)], 4)
    assert whole.text.startswith(early.text)
    assert whole.statements[: len(early.statements)] == early.statements
    assert whole.cites[: len(early.cites)] == early.cites


@pytest.mark.slow
def test_long_replies_take_little_time():
    started = time.process_time()
    for reply in (
        "[1] " * 20_000,
        "Fares rose [1]. " * 2_000,
        "[" * 50_000,
        "[1, " * 20_000,
        "((see [1" * 10_000,
        '"' * 20_000,
        "`" * 20_000,
    ):
        parse(reply, 4, "Fares rose [1].")
    assert time.process_time() - started < 10  # quadratic steps would take minutes


@pytest.mark.parametrize("tag", ["think", "THINK", "thinking", "reasoning"])
def test_what_stands_before_the_end_of_thinking_is_no_answer(tag):
    parsed = parse(f"First I look at [2]. Hm.\n</{tag}>\n\nFares rose [1].", known=4)
    assert (parsed.text, parsed.statements, [cite.numbers for cite in parsed.cites]) == (
        "Fares rose.",
        ((0, 11),),
        [(1,)],
    )
    assert parsed.warnings == ("the reply's thinking aloud was left out",)
    assert parse(f"Hm </{tag}> Hm [1] </{tag}> Fares rose.", known=4).cites == ()
    assert parse(f"Fares rose. </{tag}>", known=4).text == ""


DIALECTS = [
    ("Fares rose (1).", (1,)), ("Fares rose. (2)", (2,)), ("Fares rose (1, 2).", (1, 2)), ("Fares rose.¹", (1,)),
    ("Fares rose¹.", (1,)), ("Fares rose¹˒².", (1, 2)), ("Fares rose.<sup>3</sup>", (3,)), ("Fares rose<sup>1, 2</sup>.", (1, 2)),
    ("Fares rose (Source 1).", (1,)), ("Fares rose (Sources 1 and 2).", (1, 2)), ("Fares rose (doc 4).", (4,)),
    ("Fares rose (see passage 2).", (2,)), ("Fares rose <cite>1</cite>.", (1,)), ("Fares rose <cite>[2]</cite>.", (2,)),
    ('Fares rose <cite id="3"/>.', (3,)), ("Fares rose [p1].", (1,)), ("Fares rose [§2].", (2,)), ("Fares rose [cite: 1, 2].", (1, 2)),
    ("Fares rose {1}.", (1,)), ("Fares rose #1.", (1,)), ("Fares rose. #2", (2,)),
]  # fmt: skip


@pytest.mark.parametrize(("reply", "numbers"), DIALECTS)
def test_marks_of_other_kinds_are_read(reply, numbers):
    parsed = parse(reply, known=4)
    assert (parsed.text, [cite.numbers for cite in parsed.cites]) == ("Fares rose.", [numbers])


@pytest.mark.parametrize(
    "text",
    [
        "The 95% CI was [1, 3] mm.", "The interval [1, 2] holds.", "It lies in the range [2, 4].", "So a[1] equals b[2].",
        "Set my_list[1] first.", "x = [1, 2]", "Its mass is [1, 2] kg.", "The area is 20 m².", "R² was high.", "It has 10 km² of land.",
        "Ca²⁺ rose.", "The loss was (3).", "It ranked #1.", "See issue #2.", "Steps: (1) mix, (2) stir.", "Profit (2019) rose.",
        "Fares (9) rose.", "Let x_{1} be.", "Room (2) is big.", "Call f(1).", "m<sup>2</sup> and 10<sup>3</sup>.", "Fares rose (9).",
        "He scored (2-1).", "Under paragraph (3) of the Act.",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_mark_stays_text(text):
    parsed = parse(text, known=4)
    assert (parsed.text, parsed.cites) == (text, ())


def test_loose_forms_beside_brackets_are_text():
    parsed = parse("Fares rose (1) in May [2].", known=4)
    assert (parsed.text, [cite.numbers for cite in parsed.cites]) == ("Fares rose (1) in May.", [(2,)])


@pytest.mark.parametrize(
    ("reply", "text", "numbers"),
    [
        ('{"answer": "Fares rose.", "citations": [1, 2]}', "Fares rose.", [(1, 2)]),
        ('```json\n{"answer": "Fares rose.", "sources": ["[2]"]}\n```', "Fares rose.", [(2,)]),
        ('{"statements": [{"text": "Fares rose.", "citations": [1]}, {"text": "Costs fell.", "citations": [{"id": 2}]}]}',
         "Fares rose. Costs fell.", [(1,), (2,)]),
        ('[{"sentence": "Fares rose.", "source": "doc_3"}]', "Fares rose.", [(3,)]),
        ('{"answer": "Fares rose. [4]"}', "Fares rose.", [(4,)]),
        ('{"answer": {"statements": [{"claim": "Fares rose.", "evidence": 1}]}}', "Fares rose.", [(1,)]),
    ],
)  # fmt: skip
def test_a_reply_in_json_is_read(reply, text, numbers):
    parsed = parse(reply, known=4)
    assert (parsed.text, [cite.numbers for cite in parsed.cites]) == (text, numbers)


@pytest.mark.parametrize(
    "reply", ['{"fares": 3}', "{broken", "[1, 2]x", '{"answer": 5}', "{}", "[[[[[[[[[[[[]]]]]]]]]]]]"]
)
def test_json_of_no_known_shape_is_left_as_it_is(reply):
    assert parse(reply, known=4).text.strip() in (reply, "x")


MARKED = [
    "The ferry sank in May (2).",
    "Sales grew strongly.(3)",
    "Profits doubled (1; 2).",
    "Costs fell (1)(2).",
    "Rust was the cause.²",
    "The fleet grew³, and staff left¹.",
    "Prices rose.<sup>1</sup><sup>2</sup>",
    "Wind did it (Document 2).",
    "Wind did it (ref. 3).",
    "Wind did it (Quelle 1).",
    "Wind did it [p2].",
    "Wind did it [cite 3].",
    "The firm grew {2}.",
    "The firm grew. {1}",
    "Staff left #3.",
    "It closed (Source: 2).",
    "It closed (sources 1, 2).",
    "It closed <cite>2</cite> early.",
    "Die Fähre sank (1).",
    "La flotte a grandi (2).",
    "运费上涨。(1)",
    "The port [1] closed.",
    "The port closed[2].",
    "Vitamin C[2] helps.",
    "It closed <sup>[1]</sup>.",
]
TRAPS = [
    "Dose was 5 mg (2).",
    "The ratio was 3 (1).",
    "He ran 10 km (2).",
    "Solve x² = 4.",
    "CO₂ and H₂O rose.",
    "See Table (2).",
    "Chapter (3) ends.",
    "The vector is [1, 2].",
    "Range: [1, 4] units.",
    "CI [1, 3].",
    "f[1] = 2",
    "arr_x[2] holds",
    "Grid shape was [3, 4].",
    "It costs [1, 2] USD.",
    "Loss of (2) was seen.",
    "On page (3) it says.",
    "Room #2 is free.",
    "We are #1.",
    "Item {1} in \\frac{1}{2}.",
    "Sign 10² and 2³.",
    "Options: (1) go; (2) stay.",
    "The 1² power.",
    "Version 2 (1) ships.",
    "temperature 3 °C [1, 2] °",
]


@pytest.mark.parametrize("reply", MARKED)
def test_a_source_that_is_named_in_some_way_is_read(reply):
    assert parse(reply, known=4).cites


@pytest.mark.parametrize("reply", TRAPS)
def test_numbers_that_name_no_source_are_left_alone(reply):
    assert parse(reply, known=4)[::2] == (reply, ())


def corpus():
    """Sentences whose marks stand between ⟦ and ⟧, and the passages that they name; `-` names none: a trap."""
    lines = Path(__file__).with_name("data").joinpath("marks.txt").read_text(encoding="utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines]


def test_there_are_more_than_three_hundred_marked_sentences_and_half_are_traps():
    result = corpus()
    assert len(result) == len(set(result)) > 300
    assert 0.45 < sum(numbers == "-" for numbers, _ in result) / len(result) < 0.55


@pytest.mark.parametrize(("numbers", "sentence"), corpus())
def test_marks_are_told_from_text(numbers, sentence):
    read = parse(sentence.replace("⟦", "").replace("⟧", ""), 9)
    assert read.text == re.sub("⟦.*?⟧", "", sentence)
    named = ",".join(str(number) for cited in read.cites for number in cited.numbers)
    assert named == numbers.replace("-", "")


def test_all_traps_in_a_row_lose_nothing():
    traps = " ".join(sentence for numbers, sentence in corpus() if numbers == "-" and sentence[0] not in "([1x")
    assert parse(traps, 9).text == traps


def test_fields_of_a_json_that_are_left_out_are_named():
    read = parse('{"answer": "Fares rose.", "citations": [1], "caveat": "only in spring, it seems", "model": "m"}', 3)
    assert (read.text, read.cites[0].numbers) == ("Fares rose.", (1,))
    assert read.warnings == ("fields of the reply's JSON were left out: caveat",)


SHAPES = (
    "[1", "[[1", "(1", "{1", "{{1", "<cite", "<cite a", "<sup>1", "¹", "¹,", "¹ ", "#1 ", "^1 ", "\\cite{1,", "(Source 1,", "[p. 1,",
    "[1,", "[1 ", "[1][", "【1", "a[1]", "word (1) ", "word {1} ", "word¹ ", "word <1> ", "1,", "1 and ", '{"a":', "[1]\n", "“[1]", "```[1]",
)  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_no_shape_of_a_mark_takes_more_than_linear_time(shape):
    assert growth(lambda count: parse(f"Total {shape * count}x", 5), 500) < 24  # 64 where it were quadratic


@pytest.mark.parametrize(
    ("opens", "again"),
    [("(see <sup>\\[docs. #1", " , docs. #1"), ("([1]", "   [1]"), ("**[1]", "   [1]"), ("[doc #1", " and doc #1")],
)
def test_a_long_group_that_is_no_mark_is_read_as_fast_as_it_is_long(opens, again):
    # Each of these could be split in two ways and more a piece: forty pieces would not end in this century.
    text = f"Fares rose {opens}{again * 40}\x01 in spring."
    assert parse(text, 5).text
