"""Saved files and other systems' JSON with fields of wrong types: one of our errors, with the path of the field."""

import json
import random
from copy import deepcopy

import numpy as np
import pytest

import citewell
from citewell import Document
from citewell.audit import wire_read
from citewell.audit.scores import audit
from citewell.audit.verify import load, verify
from citewell.errors import AnswerFormatError, CitewellError, CorruptDocumentError, UsageError
from citewell.text import safe
from citewell.types import Block
from test_audit import MAKERS, REPORT

WRONG = (None, True, -1, 10**30, 1.5, float("inf"), float("nan"), "", "x", "a\ud800", [], [1], [[]], {}, {"a": [None]})
SEEDS = 60


def places(data, path=()):
    """Every place in JSON data."""
    yield path
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inside:
        yield from places(value, (*path, key))


def spoiled(data, draw):
    """A copy with one to three values replaced or left out."""
    copy = json.loads(json.dumps(data))
    for _ in range(draw.randint(1, 3)):
        path = draw.choice([place for place in places(copy) if place] or [()])
        if not path:  # nothing is left to spoil
            break
        inner = copy
        for key in path[:-1]:
            inner = inner[key]
        if draw.random() < 0.15:
            del inner[path[-1]]
        else:
            inner[path[-1]] = deepcopy(draw.choice(WRONG))
    return copy


@pytest.mark.parametrize("form", sorted(set(MAKERS) - {"plain"}))
def test_a_spoiled_response_is_read_or_refused(form):
    for seed in range(SEEDS):
        try:
            safe.dumps(audit(spoiled(MAKERS[form](), random.Random(seed)), [REPORT]).to_dict())
        except CitewellError:
            continue


def test_a_spoiled_answer_is_verified_or_refused():
    saved = citewell.attribute(REPORT, REPORT.text[:200]).to_dict()
    for seed in range(SEEDS):
        try:
            safe.dumps(verify(load(json.dumps(spoiled(saved, random.Random(seed)))), [REPORT]).to_dict())
        except CitewellError:
            continue


def test_a_spoiled_document_is_whole_or_refused():
    saved = REPORT.to_dict()
    for seed in range(SEEDS):
        try:
            document = Document.from_dict(spoiled(saved, random.Random(seed)))
            document.segments("sentence")
            document.tables()
        except CorruptDocumentError:
            continue


TEXT = Document.from_text("One line.\n\nAnother line.")


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("blocks", [[0, "9"]], "blocks[0] has 2 values, not 4"),
        ("blocks", [[0, "9", "paragraph", 0]], "blocks[0][1] is a text, not a whole number"),
        ("blocks", [[0, 900, "paragraph", 0]], "blocks[0][0]: 0 to 900 is no range of a text of 24 characters"),
        ("blocks", [[5, 3, "paragraph", 0]], "5 to 3 is no range"),
        ("blocks", [[0, 9, "poem", 0]], "blocks[0][2] is 'poem'"),
        ("blocks", [[0, 9, "paragraph", 0], [5, 12, "paragraph", 0]], "blocks[1] begins at 5"),
        ("blocks", "abc", "blocks is a text, not a list"),
        ("pages", [[0, 0, 9, 1.0, 1.0, []]], "pages[0][0] is 0"),
        ("pages", [[1, 0, 9, float("inf"), 1.0, []]], "pages[0][3] is not a finite number"),
        ("pages", [[1, 0, 9, 1.0, 1.0, [5]]], "pages[0][5][0] is a number, not a text"),
        ("grids", [[0, 9, 1, 1, [[3, 0, 0, 1, 1, 1, 0.0]], -1]], "grids[0][4][0] reaches out of its table"),
        (
            "grids",
            [[0, 24, 1, 2, [[0, 0, 0, 3, 1, 1, 0.0], [0, 1, 9, 11, 1, 1, 0.0]], -1]],
            "grids[0][4][1] stands in no",
        ),
        ("title", ["x"], "title is a list, not a text"),
        ("text", ["x"], "text is a list, not a text"),
        ("warnings", None, "warnings is null, not a list"),
    ],
)
def test_the_field_of_a_damaged_document_is_named(field, value, says):
    with pytest.raises(CorruptDocumentError) as caught:
        Document.from_dict({**TEXT.to_dict(), field: value})
    assert says in str(caught.value)


def test_a_document_comes_back_as_it_was():
    assert Document.from_dict(json.loads(json.dumps(REPORT.to_dict()))).blocks == REPORT.blocks
    assert TEXT.blocks == tuple(
        Block.read(citewell.types.fields.Field(list(block)), len(TEXT.text)) for block in TEXT.blocks
    )


def test_numbers_without_end_and_depth_without_end_are_refused(tmp_path):
    for text in ("1e999", '{"a": [NaN]}', "-Infinity", "[" * 200_000, '{"a": ' + "1" * 5000 + "}"):
        with pytest.raises(ValueError, match="."):
            safe.loads(text)
        with pytest.raises(AnswerFormatError, match="not JSON"):
            load(text)
        (tmp_path / "d.json").write_text(text)
        with pytest.raises(CorruptDocumentError, match="is not a saved document"):
            Document.load(tmp_path / "d.json")
    with pytest.raises(AnswerFormatError, match=r"usage\.cost is not a finite number"):
        citewell.Answer.from_dict({**citewell.attribute(TEXT, "One line.").to_dict(), "usage": {"cost": float("inf")}})


def test_the_bad_field_of_a_response_is_named():
    for data, says in (
        ({"content": [{"type": "text", "text": ["a"]}]}, "content[0].text is a list, not a text"),
        (
            {"choices": [{"message": {"content": "Fares.", "annotations": [{"start_index": float("inf")}]}}]},
            "choices[0].message.annotations[0].start_index is a number, not a whole number",
        ),
        (
            {"content": [{"type": "text", "text": "a", "citations": [{"document_index": [1]}]}]},
            "the document of citation 1 is a list, not a name or a number",
        ),
    ):
        with pytest.raises(AnswerFormatError) as caught:
            wire_read.read(data)
        assert says in str(caught.value)


@pytest.mark.parametrize(("call", "says"), [
    (lambda: Document.from_text(5), "text is text, not 5"),
    (lambda: Document.from_chunks(5), "chunks come as several, such as a list, not 5"),
    (lambda: Document.from_passages(None), "passages come as several, such as a list, not None"),
    (lambda: Document.from_passages(["a", 5]), "passage is text, not 5"),
    (lambda: citewell.ask(TEXT, None), "the question is text, not None"),
    (lambda: citewell.attribute(TEXT, 5), "the answer is text, not 5"),
    (lambda: citewell.attribute(TEXT, "One line.", spans=5), "spans come as several, such as a list, not 5"),
    (lambda: citewell.attribute(TEXT, "One line.", spans=[5]), "a span is a start and an end, not 5"),
    (lambda: citewell.attribute(TEXT, "One line.", spans=[(0, "9")]), "end is a whole number, not '9'"),
    (lambda: citewell.check(TEXT, 5), "claims come as several, such as a list, not 5"),
    (lambda: citewell.check(TEXT, ["One line.", 5]), "a claim is text, not 5"),
    (lambda: citewell.ask(TEXT, "What?", k="x"), "k is a whole number or none, not 'x'"),
    (lambda: citewell.ask(TEXT, "What?", k=1.5), "k is a whole number or none, not 1.5"),
    (lambda: citewell.ask(TEXT, "What?", k=np.int64(1)), "k is a whole number or none, not np.int64(1)"),
    (lambda: citewell.ask(TEXT, "What?", k=True), "k is a whole number or none, not True"),
    (lambda: citewell.ask(TEXT, "What?", abstain=True), "abstain is a number or none, not True"),
    (lambda: citewell.ask(TEXT, "What?", timeout=True), "timeout is a number or none, not True"),
    (lambda: citewell.ask(TEXT, "What?", timeout="9"), "timeout is a number or none, not '9'"),
    (lambda: citewell.ask(TEXT, "What?", max_tokens=True), "max_tokens is a whole number or none, not True"),
    (lambda: citewell.ask(TEXT, "What?", minimal="no"), "minimal is true or false, not 'no'"),
])  # fmt: skip
def test_arguments_of_wrong_types_are_named_before_any_work(call, says):
    with pytest.raises(UsageError) as caught:
        call()
    assert str(caught.value) == says


def test_the_attributor_of_an_answer_goes_by_either_name():
    assert citewell.attribute(TEXT, "One line.", attributor="verbatim").method == "verbatim"
