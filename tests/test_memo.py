"""What is derived from a text is kept up to a size."""

import ast
import copy
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

import citewell
from citewell.document import Document
from citewell.generators.extractive import companies
from citewell.generators.extractive.cells import wordings
from citewell.text import languages
from citewell.text.memo import LEAST, Memo, Recent, size


def test_what_was_built_is_not_built_again():
    memo, built = Memo(10), []
    for _ in range(3):
        assert memo.get("key", lambda: built.append(1) or "value") == "value"
    assert built == [1]


def test_what_was_not_used_for_longest_goes_first_when_the_bound_is_reached():
    memo = Memo(10)
    array = np.zeros(LEAST // 4, dtype=np.uint8)
    for key in "abc":
        memo.get(key, lambda: array)
    memo.get("a", lambda: pytest.fail("a is still held"))
    memo.get("d", lambda: array)  # with what Python adds to each, four quarters are too many: b goes
    assert list(memo._entries) == ["c", "a", "d"]
    assert memo.held_bytes <= memo.bound


def test_a_value_beyond_the_bound_is_held_alone():
    memo = Memo(10)
    memo.get("small", lambda: 1)
    memo.get("large", lambda: np.zeros(LEAST + 1, dtype=np.uint8))
    assert list(memo._entries) == ["large"]


def test_a_long_text_may_hold_more():
    assert Memo(10).bound == LEAST < Memo(LEAST).bound


@pytest.mark.parametrize("value", [np.zeros((10, 10)), "x" * 1000, [b"y" * 100] * 500, {"a": ["b" * 50] * 70}])
def test_sizes_are_about_right(value):
    whole = {np.ndarray: 800, str: 1000, list: 500 * 133, dict: 70 * 99}[type(value)]
    assert whole <= size(value) <= 1.5 * whole + 2 * sys.getsizeof(value)


def test_a_document_that_is_combined_with_many_others_stays_bounded():
    home = Document.from_text("Fares rose by 3 percent in spring.")
    for number in range(300):
        home.memo(("with", number), lambda: np.zeros(2**20, dtype=np.uint8))
    assert home._memo.held_bytes <= LEAST
    assert home.segments("sentence")[0].text == home.text


def sent(document):
    return pickle.loads(pickle.dumps(document))  # noqa: S301


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, sent])
def test_a_copied_document_is_the_same_document(copied):
    document = Document.from_text("Fares rose. Costs fell.")
    document.segments("sentence")
    assert copied(document) == document
    assert copied(document).segments("sentence") == document.segments("sentence")


SHIPPED = {"package", "folder", "name", "key", "code", "family", "kind", "half", "path"}
"""Parameters that name what comes with the package or a setting: there are few of each."""


@pytest.mark.long
def test_only_what_comes_with_the_package_is_kept_without_a_bound():
    unbounded = {
        (path.stem, function.name): {argument.arg for argument in function.args.args}
        for path in Path(citewell.__file__).parent.rglob("*.py")
        if "cache" in (code := path.read_text(encoding="utf-8"))
        for function in ast.walk(ast.parse(code))
        if isinstance(function, ast.FunctionDef)
        and {ast.unparse(result) for result in function.decorator_list} & {"cache", "lru_cache(maxsize=None)"}
    }
    assert unbounded["data", "read_json"] == {"package", "name"}  # the scan sees them
    assert {where: mapping - SHIPPED for where, mapping in unbounded.items() if mapping - SHIPPED} == {}


@pytest.mark.parametrize("kept", [wordings.concepts, companies._common, languages._of])
def test_what_is_kept_by_words_of_texts_stays_bounded(kept):
    most = kept.cache_info().maxsize
    for number in range(most + 50):
        kept(chr(0x4E00 + number) if kept is languages._of else f"word{number}")
    assert kept.cache_info().currsize == most


def test_what_was_used_last_is_kept_and_what_goes_is_told():
    gone, built = [], []
    recent = Recent(2, gone.append)

    def value(key):
        return recent.get(key, lambda: built.append(key) or key.upper())

    assert [value(key) for key in "abac"] == ["A", "B", "A", "C"]
    assert (built, gone) == (["a", "b", "c"], ["B"])
    assert value("b") == "B"
    assert gone == ["B", "A"]


def test_what_cannot_be_built_takes_no_place():
    recent = Recent(1)
    recent.get("a", lambda: 1)
    with pytest.raises(ValueError, match="no"):
        recent.get("b", lambda: int("no"))
    assert recent.get("a", lambda: 2) == 1
