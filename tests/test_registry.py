import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell import registry
from citewell.errors import MissingExtraError, SpecError
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
    made = build("retriever", "bm25")
    assert build("retriever", made) is made


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
