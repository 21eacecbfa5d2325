"""LAB's download: Intertext Graphs of every data set, read like the published forms."""

import itertools
import json

import pytest

from bench import benchdata
from citewell.errors import InputError
from citewell_lab.bench.datasets import itg
from citewell_lab.bench.items import Broken
from citewell_lab.bench.run import run
from citewell_lab.bench.tasks import names, task


def graph(nodes, meta, order=None):
    """A graph whose nodes are (type, text, what it is evidence for), with `next` edges in the order of reading."""
    settings = [
        {"ix": f"d_{n}", "content": text, "ntype": kind, "meta": {"is_evidence_for": list(evidence)}}
        for n, (kind, text, *evidence) in enumerate(nodes)
    ]
    order = order or range(len(settings))
    names = [f"d_{n}" for n in order]
    edges = [{"src_ix": a, "tgt_ix": b, "etype": "next", "meta": None} for a, b in itertools.pairwise(names)]
    edges += [{"src_ix": "d_0", "tgt_ix": name, "etype": "parent", "meta": None} for name in names[1:]]
    return {"nodes": settings, "span_nodes": [], "edges": edges, "prefix": "d", "meta": meta}


def loaded(tmp_path, name, row):
    benchdata.lines(tmp_path / "graphs.jsonl", [row])
    return list(task(name).data.items([tmp_path / "graphs.jsonl"], "dev"))


def test_nodes_are_read_along_the_next_edges_and_headings_are_no_segments():
    nodes = [("article-title", "Bees"), ("p", "Last."), ("section", "Intro"), ("p", "First.")]
    document = itg.read(graph(nodes, {}, order=[0, 2, 3, 1]))
    assert document.built.document.title == "Bees"
    assert document.built.document.text == "Bees\n\nIntro\n\nFirst.\n\nLast."
    assert [document.built.document.text[a:b] for a, b in document.built.segments] == ["First.", "Last."]
    assert document.places == {"d_3": 0, "d_1": 1}


def test_a_ring_of_edges_does_not_hang_and_loses_no_node():
    row = graph([("p", "a"), ("p", "b"), ("p", "c")], {})
    row["edges"].append({"src_ix": "d_2", "tgt_ix": "d_0", "etype": "next", "meta": None})
    assert sorted(itg.read(row).places) == ["d_0", "d_1", "d_2"]
    with pytest.raises(InputError, match="no Intertext Graph"):
        itg.read({"nodes": []})


def test_qasper_graphs_have_answers_with_their_evidence(tmp_path):
    nodes = [("article-title", "Bees"), ("p", "Bees fly.", {"annotation_id": "a"}), ("p", "They sting.")]
    answers = [
        {"annotation_id": "a", "answer": {"unanswerable": False, "extractive_spans": ["fly", "hum"], "evidence": []}},
        {"annotation_id": "b", "answer": {"unanswerable": True, "extractive_spans": []}},
    ]  # fmt: skip
    table = {"annotation_id": "c", "answer": {"unanswerable": False, "extractive_spans": [], "free_form_answer": "x",
                                              "evidence": ["FLOAT SELECTED: Table 1"]}}  # fmt: skip
    qas = [{"question": "what do bees do", "question_id": "q1", "answers": answers},
           {"question": "how many", "question_id": "q2", "answers": [*answers, table]}]  # fmt: skip
    (item,) = loaded(tmp_path, "qasper", graph(nodes, {"qas": qas}))
    assert (item.id, item.group) == ("q1", "answerable")
    assert [reference.text for reference in item.references] == ["fly, hum", "unanswerable"]
    assert item.references[0].evidence == {0}
    assert item.references[1].evidence == frozenset()


def test_wice_graphs_have_alternative_sets(tmp_path):
    nodes = [
        ("p", "It rained.", {"annotation_idx": 0}),
        ("p", "It poured.", {"annotation_idx": 0}, {"annotation_idx": 1}),
    ]
    meta = {"id": "w1", "claim": "rain fell", "label": "supported", "supporting_sentences": [[0, 1], [1]]}
    (item,) = loaded(tmp_path, "wice", graph(nodes, meta))
    assert item.annotations[0].sets == ({0, 1}, {1})
    assert item.statements["supported"] == "rain fell"
    (broken,) = loaded(tmp_path, "wice", graph(nodes, {**meta, "label": "maybe"}))
    assert isinstance(broken, Broken)


def test_contract_graphs_take_the_statements_from_contract_nlis_own_file(tmp_path):
    nodes = [("p", "Keep it secret.", {"nda": "nda-4"}), ("p", "The end.")]
    annotations = {"nda-4": {"choice": "Entailment", "spans": [0]}, "nda-18": {"choice": "NotMentioned", "spans": []}}
    row = graph(nodes, {"annotation_sets": [{"annotations": annotations}]})
    assert all(isinstance(item, Broken) for item in loaded(tmp_path, "contract-nli", row))
    labels = {name: {"hypothesis": f"h {name}"} for name in annotations}
    (tmp_path / "dev.json").write_text(json.dumps({"labels": labels, "documents": []}))
    first, second = loaded(tmp_path, "contract-nli", row)
    assert (first.statements["Entailment"], first.annotations[0].sets) == ("h nda-4", ({0},))
    assert second.annotations[0].label == "NotMentioned"


def test_trial_graphs_have_annotators(tmp_path):
    nodes = [("p", "Tea increased sleep.", {"prompt_id": 5, "user_id": 1}), ("p", "Other.")]
    prompt = {"outcome": "sleep", "intervention": "tea", "comparator": "water"}
    row = {"label": "significantly increased", "prompt_id": 5, "user_id": 1}
    meta = {"prompts": {"5": prompt, "6": prompt}, "annotations": {"5": [row]}}
    (item,) = loaded(tmp_path, "evidence-inference", graph(nodes, meta))
    assert (item.id, item.annotations[0].sets) == ("5", ({0},))
    meta["annotations"]["5"] = [{**row, "label": "up"}]
    assert isinstance(loaded(tmp_path, "evidence-inference", graph(nodes, meta))[0], Broken)


def test_report_graphs_get_simulated_evidence_and_short_summaries_are_left_out(tmp_path):
    nodes = [("p", "The ferry cost ten million."), ("p", "Trees grow."), ("p", "Ports were closed in May.")]
    long = "The ferry cost ten million. Ports were closed in May. " * 3
    (item,) = loaded(tmp_path, "govreport", graph(nodes, {"id": "g", "flat_summary": long.strip()}))
    assert item.references[0].evidence >= {0, 2}
    assert loaded(tmp_path, "govreport", graph(nodes, {"id": "g", "flat_summary": "One. Two."})) == []


def test_page_graphs_follow_the_filters_of_the_paper(tmp_path):
    nodes = [("p", "Ada runs the mill ."), ("table-item", "mill | 3")]
    none = {"short_answers": [], "yes_no_answer": "NONE", "long_answer": {"candidate_index": -1}}
    short = {**none, "short_answers": [{"start_token": 0, "end_token": 1}], "long_answer": {"candidate_index": 0}}
    table = {**none, "yes_no_answer": "YES", "long_answer": {"candidate_index": 1}}
    long = {**none, "long_answer": {"candidate_index": 0}}
    meta = {"question_text": "who", "example_id": 3, "document_text": "Ada runs the mill .",
            "long_answer_candidates": [{"node_ix": "d_0"}, {"node_ix": "d_1"}]}  # fmt: skip
    (item,) = loaded(tmp_path, "natural-questions", graph(nodes, {**meta, "annotations": [short, table, long, none]}))
    assert [(reference.text, reference.evidence) for reference in item.references] == [
        ("Ada", {0}),
        ("unanswerable", frozenset()),
    ]
    assert loaded(tmp_path, "natural-questions", graph(nodes, {**meta, "annotations": [long, long, none]})) == []


@pytest.mark.parametrize("name", [name for name in names() if task(name).data.graph])
def test_a_graph_of_another_data_set_is_a_counted_failure(tmp_path, name):
    (items,) = loaded(tmp_path, name, graph([("p", "x")], {"colour": "red"}))
    assert isinstance(items, Broken)


def test_labs_folders_are_found_and_run(tmp_path):
    nodes = [("p", "rain fell there", {"annotation_idx": 0}), ("p", "sun")]
    meta = {"id": "w1", "claim": "rain fell", "label": "supported", "supporting_sentences": [[0]]}
    path = tmp_path / "wice" / "wice_itg" / "claim-dev.jsonl"
    benchdata.lines(path, [graph(nodes, meta)])
    assert itg.is_graph(path)
    assert task("wice").data.files(tmp_path, "dev") == [path]
    result = run("wice", tmp_path, "dev", method=benchdata.Overlap(), checker=benchdata.Share())
    assert result.scores.metrics["label_accuracy"] == 1


def test_an_indented_graph_is_one_document(tmp_path):
    meta = {"id": "w1", "claim": "rain fell", "label": "supported", "supporting_sentences": [[0]]}
    path = tmp_path / "one.json"
    path.write_text(json.dumps(graph([("p", "rain fell", {"annotation_idx": 0})], meta), indent=4))
    assert itg.is_graph(path)
    assert [item.id for item in task("wice").data.items([path], "dev")] == ["w1"]


def test_published_forms_are_not_taken_for_graphs(tmp_path):
    benchdata.wice(tmp_path)
    benchdata.contract_nli(tmp_path)
    assert not itg.is_graph(tmp_path / "wice" / "claim" / "dev.jsonl")
    assert not itg.is_graph(tmp_path / "contractnli" / "dev.json")
    assert not itg.is_graph(tmp_path / "nothing.json")
