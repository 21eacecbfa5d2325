import dataclasses
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell import registry
from citewell.errors import MissingExtraError, SpecError, arguments
from citewell.registry import Row, Spec, build, canonical, parse

values = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text())


@given(st.dictionaries(st.from_regex(r"[a-z_][a-z0-9_]*", fullmatch=True), values, max_size=4))
def test_a_printed_spec_parses_back_to_itself(params):
    spec = Spec("some-name", tuple(params.items()))
    assert parse(str(spec)) == spec


def test_specs_nest():
    spec = parse("entailment(checker=nli(model=a/b, batch=2), delta=0.3, k=2, on=true, off=none)")
    assert spec.params == (
        ("checker", "nli(model=a/b, batch=2)"),
        ("delta", 0.3),
        ("k", 2),
        ("on", True),
        ("off", None),
    )
    assert parse(str(spec)) == spec


@pytest.mark.parametrize(
    "text", ["", "(a=1)", "a(b)", "a(b=)", "a(b=1", "a(b=1))", "a(b=1, b=2)", 'a(b="x)', "a b", "a(1=2)", "a(b=1,)"]
)
def test_what_is_no_spec_is_refused_with_its_text(text):
    with pytest.raises(SpecError, match="spec|key=value|closed|opened|twice|missing"):
        parse(text)


def test_an_unknown_name_lists_the_known_and_the_nearest():
    with pytest.raises(SpecError, match=r"did you mean 'lexical'.*verbatim|did you mean 'lexical'"):
        build("attributor", "lexica")


def test_an_unknown_parameter_lists_the_known_ones():
    with pytest.raises(SpecError, match=r"no parameter 'k2'; it has: k1, b"):
        build("retriever", "bm25(k2=1)")


def test_a_refused_value_is_told_with_the_spec():
    with pytest.raises(SpecError, match=r"bm25.*k1 is at least 0"):
        build("retriever", "bm25(k1=-1)")


def test_an_unknown_family_lists_the_families():
    with pytest.raises(SpecError, match="no family 'cook'; there are: retriever"):
        registry.rows("cook")


def test_the_canonical_form_leaves_defaults_out_and_sorts():
    assert canonical("retriever", "bm25(b=0.5, k1=1.5)") == "bm25(b=0.5)"
    assert canonical("retriever", "bm25(b=0.75)") == "bm25"
    assert canonical("retriever", "bm25(b=0.1, k1=1)") == "bm25(k1=1, b=0.1)"


def test_what_is_built_already_passes_through():
    back_end = build("retriever", "bm25")
    assert build("retriever", back_end) is back_end


@dataclass(frozen=True)
class Other:
    """Ranks by size."""

    size: int = 1
    ratio: float | None = None
    mode: Literal["near", "far"] = "near"
    model: str = "m"
    deep: bool = False


@pytest.fixture
def other(monkeypatch):
    monkeypatch.setitem(registry.FAMILIES["retriever"], "other", Row(f"{__name__}:Other", "ranks by size"))
    registry.rows.cache_clear()
    yield
    registry.rows.cache_clear()


@pytest.mark.usefixtures("other")
@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("other(size=abc)", "size is a whole number, not abc"),
        ("other(size=2.5)", "size is a whole number, not 2.5"),
        ("other(size=true)", "size is a whole number, not true"),
        ("other(ratio=nan)", "ratio is a number or none, not nan"),
        ("other(ratio=1e999)", "ratio is a number or none, not inf"),
        ("other(mode=middle)", "mode is one of near, far, not middle"),
        ("other(model=12)", "model is text, not 12 \\(write it in quotes\\)"),
        ("other(deep=1)", "deep is true or false, not 1"),
        ("other(model=none)", "model is text, not none"),
    ],
)
def test_a_value_of_another_type_is_refused_in_words(spec, says):
    with pytest.raises(SpecError, match=says):
        build("retriever", spec)


@pytest.mark.usefixtures("other")
def test_values_of_the_right_type_are_taken():
    built = build("retriever", 'other(size=2, ratio=1, mode=far, model="12", deep=true)')
    assert built == Other(2, 1, "far", "12", deep=True)
    assert build("retriever", "other(ratio=none)") == Other()


@pytest.mark.parametrize("family", registry.FAMILIES)
def test_defaults_are_of_the_types_that_are_declared(family):
    for name, known in registry.FAMILIES[family].items():
        if family == "approach" or any(find_spec(package) is None for package in known.needs):
            continue
        back_end = registry.factory(family, name)
        for key, default in arguments.parameters(back_end).items():
            assert default is dataclasses.MISSING or arguments.fits(default, arguments.type_of(back_end, key)), (
                name,
                key,
            )


def test_an_internal_error_of_the_default_attributor_is_none():
    with pytest.raises(SpecError, match="floor is a number, not abc"):
        build("attributor", "lexical(floor=abc)")


def test_a_missing_package_is_one_sentence_with_the_pip_line(monkeypatch):
    monkeypatch.setitem(registry.FAMILIES["retriever"], "far", Row("a:B", "x", "dense", ("no_such_package_here",)))
    registry.rows.cache_clear()
    try:
        with pytest.raises(MissingExtraError) as caught:
            build("retriever", "far")
        expected = "the retriever 'far' needs the package 'no_such_package_here': pip install 'citewell[dense]'"
        assert str(caught.value) == expected
    finally:
        registry.rows.cache_clear()


def test_every_row_has_a_summary_and_an_importable_module_path():
    for family, rows in registry.FAMILIES.items():
        for name, row in rows.items():
            assert row.summary, (family, name)
            assert row.target.startswith("citewell."), (family, name)
            assert bool(row.needs) == bool(row.extra), (family, name)
