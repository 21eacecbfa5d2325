"""Input times gradient, SelfCite's reward and Citention's combination, each against its definition."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from bench import benchdata
from citewell import cli, registry
from citewell.attributors.ablation.likelihood import score
from citewell.attributors.ablation.selfcite import SelfCite
from citewell.attributors.citention import Citention, fitted, read, scores, standard
from citewell.attributors.contexts import contexts
from citewell.attributors.gradient.product import InputGradient, token_gradients
from citewell.attributors.places import join
from citewell.document import Document
from citewell.errors import InputError, SpecError, notes
from citewell.types import Citation, Draft, Span

REPORT = Document.from_text("Blood flows through the aorta 😀 in Zürich.\n\nRevenue rose to 41 million.\n\nCosts fell.")
TEXT = "Revenue rose. Costs fell."
DRAFT = Draft(TEXT, "What rose?", (Span(0, 13), Span(14, 25)))
PLACES = join([REPORT], "paragraph")


def context_of(method):
    (context,) = contexts(method.loaded(), DRAFT, [REPORT], PLACES, None)
    return context


@pytest.mark.parametrize("model", ["llama", "gpt2"])
def test_a_tokens_product_is_how_the_likelihood_moves_when_its_embedding_grows(zoo, model):
    import torch

    method = InputGradient(model=getattr(zoo, model), device="cpu")
    loaded, context = method.loaded(), context_of(method)
    prompt, at = context.prompt(), context.of(DRAFT.statements[1])
    gradient = token_gradients(loaded, prompt.ids, prompt.answer_at, [at])[0]
    inputs = loaded.model.get_input_embeddings()(torch.tensor([prompt.ids])).detach()
    rows = prompt.answer_at[at]

    def likelihood(token, factor):
        moved = inputs.clone()
        moved[0, token] *= factor
        with torch.no_grad():
            chances = torch.log_softmax(loaded.model(inputs_embeds=moved).logits[0].double(), dim=-1)
        return float(chances[rows - 1, [prompt.ids[row] for row in rows]].sum())

    for token in (0, 20, 40, int(rows[0]) - 1):
        slope = (likelihood(token, 1.01) - likelihood(token, 0.99)) / 0.02
        assert gradient[token] == pytest.approx(abs(slope), abs=2e-3, rel=0.02)
    assert gradient[int(rows[-1]) :].tolist() == [0.0] * (
        len(gradient) - int(rows[-1])
    )  # nothing follows the last token


def test_sources_have_the_sums_or_means_of_their_tokens_from_one_forward_pass(zoo):
    method, mean = (InputGradient(model=zoo.llama, mean=flag, device="cpu") for flag in (False, True))
    context = context_of(method)
    prompt = context.prompt()
    target_tokens = [context.of(target) for target in DRAFT.statements]
    tokens = token_gradients(method.loaded(), prompt.ids, prompt.answer_at, target_tokens)
    with notes.collect() as noted:
        scores = method.place_scores(DRAFT, [REPORT], PLACES, DRAFT.statements)
    assert (noted.counts["forward passes"], noted.counts["backward passes"]) == (1, 2)
    wanted = np.stack([tokens[:, prompt.owners == source].sum(axis=1) for source in range(3)], axis=1)
    np.testing.assert_allclose(scores, wanted, rtol=1e-5)
    sizes = [(prompt.owners == source).sum() for source in range(3)]
    np.testing.assert_allclose(mean.place_scores(DRAFT, [REPORT], PLACES, DRAFT.statements), wanted / sizes, rtol=1e-5)


def test_a_reward_is_the_likelihood_with_the_evidence_alone_less_that_without_it(zoo):
    method = SelfCite(model=zoo.llama, device="cpu")
    context = context_of(method)
    at = context.of(DRAFT.statements[0])
    kept = [np.array([False, True, True]), np.array([True, False, False])]
    sums = score(method.loaded(), context, kept).log_probability[:, at].sum(axis=1)
    (reward,) = method.rewards(method.loaded(), context, at, [frozenset({1, 2})])
    assert reward == pytest.approx(sums[0] - sums[1], abs=1e-5)
    alone = method.place_scores(DRAFT, [REPORT], PLACES, DRAFT.statements)
    single = method.rewards(method.loaded(), context, at, [frozenset({number}) for number in range(3)])
    np.testing.assert_allclose(alone[0], single, atol=1e-5)


def test_the_set_of_the_highest_reward_is_cited_in_the_order_of_who_proposed_it(zoo):
    method = SelfCite(model=zoo.llama, base="retrieval(retriever=bm25)", k=3, device="cpu")
    base = registry.build("attributor", method.base).attribute(DRAFT, [REPORT], "paragraph", 3)
    citations = method.attribute(DRAFT, [REPORT], "paragraph")
    context = context_of(method)
    starts = [place.segment.start for place in PLACES]
    for target in DRAFT.statements:
        ranked = [starts.index(citation.start) for citation in base if citation.answer_start == target.start]
        sets = [frozenset(ranked[: size + 1]) for size in range(len(ranked))]
        rewards = method.rewards(method.loaded(), context, context.of(target), sets)
        target_citations = [citation for citation in citations if citation.answer_start == target.start]
        assert [starts.index(citation.start) for citation in target_citations] == ranked[: int(rewards.argmax()) + 1]
        assert {round(citation.score, 4) for citation in target_citations} == {round(float(rewards.max()), 4)}


def test_where_nothing_is_proposed_nothing_is_cited_and_a_warning_says_so(zoo):
    method = SelfCite(model=zoo.llama, base="verbatim", device="cpu")
    draft = Draft("Costs fell. Whales sing.", "What?", (Span(0, 11), Span(12, 24)))
    with notes.collect() as noted:
        citations = method.attribute(draft, [REPORT], "paragraph")
    assert {citation.answer_start for citation in citations} == {0}
    assert noted.warnings == ["verbatim proposes no evidence for 1 of 2 statements: selfcite cites none"]


def test_a_combination_adds_the_standard_scores_by_their_weights(tmp_path):
    path = tmp_path / "sum.json"
    methods = ("lexical", "retrieval(retriever=bm25, query=target)")
    methods_json = [{"method": method, "weight": weight} for method, weight in zip(methods, (2.0, -0.5), strict=True)]
    path.write_text(
        json.dumps({"format": "citewell-combination-1", "methods": methods_json, "bias": 0.25}), encoding="utf-8"
    )
    citations = Citention(weights=str(path)).attribute(DRAFT, [REPORT], "paragraph", 3)
    parts = [
        standard(scores(registry.build("attributor", method), DRAFT, [REPORT], PLACES, DRAFT.statements, "paragraph"))
        for method in methods
    ]
    wanted = 2 * parts[0] - 0.5 * parts[1] + 0.25
    starts = [place.segment.start for place in PLACES]
    for row, target in zip(wanted, DRAFT.statements, strict=True):
        target_citations = [citation for citation in citations if citation.answer_start == target.start]
        assert [starts.index(citation.start) for citation in target_citations] == np.argsort(
            -row, kind="stable"
        ).tolist()
        np.testing.assert_allclose([citation.score for citation in target_citations], np.sort(row)[::-1], atol=1e-5)


def test_what_a_method_leaves_out_scores_less_than_the_one_segment_that_it_cites():
    copied = Draft("Costs fell.", statements=(Span(0, 11),))
    result = scores(registry.build("attributor", "verbatim"), copied, [REPORT], PLACES, copied.statements, "paragraph")
    assert result.tolist() == [[0, 0, 1]]


class Listed:
    """An attributor that cites every segment for every target, some twice."""

    def attribute(self, draft, documents, granularity, k):
        (document,) = documents
        cited = [
            Citation.of(segment, document.id, target, number - 1.5, "listed")
            for target in draft.targets
            for number, segment in enumerate(document.segments(granularity))
        ]
        return (*cited, *(replace(citation, score=citation.score - 1) for citation in cited))


def test_of_several_scores_the_best_counts_for_each_target_and_each_copy_of_a_document():
    nested = replace(DRAFT, targets=(Span(0, 25), Span(14, 25)))
    places = join([REPORT, REPORT], "paragraph")
    result = scores(Listed(), nested, [REPORT], places[:3], nested.targets, "paragraph")
    assert result.tolist() == [[-1.5, -0.5, 0.5]] * 2
    twice = scores(
        registry.build("attributor", "verbatim"), nested, [REPORT, REPORT], places, nested.targets, "paragraph"
    )
    assert twice[:, :3].tolist() == twice[:, 3:].tolist()


def test_standard_scores_are_equal_where_nothing_differs():
    assert standard(np.array([[1.0, 3.0], [2.0, 2.0]])).tolist() == [[-1, 1], [0, 0]]


def test_weights_that_made_the_gold_are_fitted_back():
    features = np.random.default_rng(0).normal(size=(50, 3))
    weights, bias = fitted(features, features @ np.array([1.0, -2.0, 0.5]) + 0.3)
    np.testing.assert_allclose([*weights, bias], [1.0, -2.0, 0.5, 0.3], atol=1e-9)


@pytest.mark.parametrize("text", ["{}", "[]", "x", '{"format": "y"}', "[" * 100_000,
                                  '{"format": "citewell-combination-1", "methods": [], "bias": 0}'])  # fmt: skip
def test_a_file_that_is_no_combination_is_refused(tmp_path, text):
    path = tmp_path / "sum.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="no file of a combination"):
        read(str(path))
    path.write_text(
        '{"format": "citewell-combination-1", "methods": [{"method": "lexical", "weight": NaN}], "bias": 0}'
    )
    with pytest.raises(InputError, match="NaN is no finite number"):
        read(str(path))
    with pytest.raises(InputError):
        read(str(tmp_path / "none.json"))
    with pytest.raises(SpecError, match="name the file of weights"):
        registry.build("attributor", "citention")


def test_the_command_fits_a_combination_and_prints_the_spec_that_uses_it(tmp_path, capsys):
    benchdata.quotesum(tmp_path)
    out = tmp_path / "sum.json"
    arguments = ["--task", "quotesum", "--data", str(tmp_path), "--split", "dev", "--out", str(out), "--quiet"]
    methods = ["--method", "lexical", "--method", "retrieval(query=target)"]
    assert cli.main(["train", "combine", *methods, *arguments]) == 0
    spec = capsys.readouterr().out.strip().splitlines()[-1]
    assert spec == f"citention(weights={out})"
    assert [part.spec for part in read(str(out)).parts] == ["lexical", "retrieval(query=target)"]
    assert cli.main(["train", "combine", "--method", "lexical", *arguments]) == 2
    assert "two methods or more" in capsys.readouterr().err


def test_a_combination_is_no_part_of_a_combination(tmp_path):
    path = tmp_path / "sum.json"
    spec = f"citention(weights={path})"
    settings = {"format": "citewell-combination-1", "methods": [{"method": spec, "weight": 1.0}], "bias": 0}
    path.write_text(json.dumps(settings), encoding="utf-8")
    with pytest.raises(InputError, match="a combination cannot be a part of one"):
        registry.build("attributor", spec).attribute(DRAFT, [Document.from_text("Revenue rose.")])
