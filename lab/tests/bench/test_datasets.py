import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import benchdata
from citewell.errors import InputError
from citewell.text.data import read_json
from citewell.types import Span
from citewell_lab.bench.datasets import files, marks
from citewell_lab.bench.datasets.locate import Words
from citewell_lab.bench.items import Broken
from citewell_lab.bench.tasks import names, task
from citewell_lab.bench.tasks.evidence_inference import DECREASED, INCREASED, SAME, statements


def load(data, name, split="dev"):
    source = task(name).data
    return list(source.items(source.files(data, split), split))


def span_texts(document, spans, positions):
    return [document.text[spans[i].start : spans[i].end] for i in sorted(positions)]


def test_marks_leave_the_plain_text_and_trimmed_spans():
    parsed = marks.parse("It was filmed[ 24  at a castle. ] Then [ 1 it ] ended.")
    assert parsed.text == "It was filmed at a castle. Then it ended."
    assert [parsed.text[a:b] for a, b in parsed.spans] == ["at a castle.", "it"]
    assert parsed.numbers == (24, 1)


parts = st.lists(
    st.tuples(st.text(st.characters(exclude_characters="[]"), max_size=8), st.booleans(), st.integers(1, 99)),
    max_size=8,
)


@given(parts)
def test_marks_round_trip_on_any_text_without_brackets(pieces):
    marked = "".join(f"[ {n} {text} ]" if is_mark else text for text, is_mark, n in pieces)
    parsed = marks.parse(marked)
    assert parsed.text == "".join(text for text, _, _ in pieces)
    copied = [(text.strip(), n) for text, is_mark, n in pieces if is_mark and text.strip()]
    assert [(parsed.text[a:b], n) for (a, b), n in zip(parsed.spans, parsed.numbers, strict=True)] == copied


def test_the_named_statement_is_one_sentence_of_the_answer():
    text = "Dr. Lee came. He sat. He left."
    statements, judged = marks.statements(text, "He sat.")
    assert [text[a:b] for a, b in statements] == ["Dr. Lee came.", "He sat.", "He left."]
    assert judged == Span(14, 21)
    assert marks.statements(text, "not there")[1] == Span(0, len(text))


def test_veri_gran_rows_become_spans_with_passage_numbers(tmp_path):
    benchdata.veri_gran(tmp_path)
    (item,) = load(tmp_path, "verifiability-granular")
    assert item.text == "The mill is old. Ada Stone runs the mill and she sells flour. "[:-1]
    assert [item.text[a:b] for a, b in item.targets] == ["Ada Stone runs the mill", "sells flour."]
    assert item.gold == (2, 1)
    assert item.numbers == (1, 2)
    assert item.text[item.judged.start : item.judged.end] == "Ada Stone runs the mill and she sells flour."
    assert [s.text for s in item.passages.segments("paragraph")] == [
        "The shop sells flour.",
        "Since May Ada Stone runs the mill.",
    ]


def test_quotesum_sources_keep_their_number_when_one_is_empty(tmp_path):
    benchdata.quotesum(tmp_path)
    (item,) = load(tmp_path, "quotesum")
    assert item.numbers == (1, 3)
    assert item.gold == (3, 1)
    assert [item.passages.text[a:][:5] for a in item.starts] == ["Blue\n", "Green"]


def test_a_mark_that_names_no_passage_is_a_broken_item(tmp_path):
    row = {"question": "q", "summary": "[ 9 a ] b", "chunk": "", "passages": ["a"]}
    benchdata.lines(tmp_path / "verifiability_granular" / "dev.jsonl", [row])
    (item,) = load(tmp_path, "verifiability-granular")
    assert isinstance(item, Broken)
    assert "beyond the 1" in item.reason


def test_a_damaged_line_is_a_broken_item_and_the_rest_is_read(tmp_path):
    benchdata.veri_gran(tmp_path, 2)
    path = tmp_path / "verifiability_granular" / "dev.jsonl"
    first, second = path.read_text().splitlines()
    path.write_text(f"{first[:40]}\n{second}\n")
    items = load(tmp_path, "verifiability-granular")
    assert [isinstance(item, Broken) for item in items] == [True, False]


def test_salad_takes_the_majority_drops_ties_and_picks_the_settings_documents(tmp_path):
    benchdata.salad(tmp_path)
    items = load(tmp_path, "salad", "all")
    assert [(item.group, item.claim, item.supported) for item in items] == [
        ("webgpt", "Cats sleep long.", True),
        ("webgpt", "Cats purr loudly.", False),
        ("gpt3_whudoc", "Dogs bark.", True),
        ("alpaca", "Cats sleep long.", True),
        ("alpaca", "Dogs bark.", False),
    ]
    assert items[2].documents[0].text == "Dogs bark."
    assert items[0].documents is items[1].documents
    assert [item.id for item in items] == [item.id for item in load(tmp_path, "salad", "dev")]


def test_attributionbench_labels_and_sources(tmp_path):
    benchdata.attributionbench(tmp_path)
    items = load(tmp_path, "attributionbench")
    assert [(item.supported, item.group) for item in items] == [
        (True, "ExpertQA"),
        (False, "ExpertQA"),
        (False, "LFQA"),
    ]


def test_wice_positions_are_those_of_the_evidence_list(tmp_path):
    benchdata.wice(tmp_path)
    first, second = load(tmp_path, "wice")
    assert span_texts(first.document, first.segments, first.annotations[0].sets[0]) == ["rain fell there"]
    assert first.annotations[0].sets == (frozenset({2}), frozenset({0, 2}))
    assert second.annotations[0].sets == (frozenset(),)


def test_contract_spans_become_the_lines_they_touch(tmp_path):
    benchdata.contract_nli(tmp_path)
    items = {result.group: result for result in load(tmp_path, "contract-nli")}
    assert list(items) == ["nda-4", "nda-17", "nda-18"]
    item = items["nda-4"]
    (marked,) = item.annotations[0].sets
    assert span_texts(item.document, item.segments, marked) == ["Party keeps secrets. It tells", "nobody."]
    (marked,) = items["nda-17"].annotations[0].sets
    assert span_texts(item.document, item.segments, marked) == ["Party may copy papers."]
    assert items["nda-18"].annotations[0].sets == (frozenset(),)
    inverted = read_json("citewell_lab.bench.datasets", "contract_nli.json")["inverted"]
    assert item.statements == {"Entailment": "statement nda-4", "Contradiction": inverted["nda-4"]}


def test_trials_keep_valid_annotations_and_prompts_whose_article_is_there(tmp_path):
    benchdata.evidence_inference(tmp_path)
    first, second = load(tmp_path, "evidence-inference")
    assert [annotation.label for annotation in first.annotations] == [INCREASED, SAME]
    (marked,) = first.annotations[0].sets
    assert span_texts(first.document, first.segments, marked) == ["Tea significantly increased sleep."]
    assert second.id == "2"
    assert statements("Tea.", "water", "sleep")[DECREASED] == "Compared to water, Tea significantly decreased sleep."


def test_fever_sentences_are_lines_and_a_missing_page_is_a_failure(tmp_path):
    benchdata.fever(tmp_path)
    first, second = load(tmp_path, "fever")
    assert span_texts(first.document, first.segments, first.annotations[0].sets[0]) == ["oaks grow slowly ."]
    assert isinstance(second, Broken)
    assert "'Elm' does not lie in the data" in second.reason


def test_verifiability_joins_pages_finds_evidence_and_leaves_out_verbatim_sentences(tmp_path):
    benchdata.verifiability(tmp_path)
    first, second = load(tmp_path, "verifiability")
    assert [first.text[a:b] for a, b in first.targets] == ["Bees produce honey."]
    assert span_texts(first.document, first.segments, first.gold[0]) == [
        "Bees make honey from nectar.",
        "Honey keeps for years.",
    ]
    assert (first.verbatim, first.unmatched) == (1, 0)
    assert (second.targets, second.unmatched) == ((), 1)


def test_verifiability_reads_the_published_gzip(tmp_path):
    benchdata.verifiability(tmp_path)
    path = tmp_path / "verifiability" / "verifiability_judgments_dev.jsonl"
    with gzip.open(path.with_name(path.name + ".gz"), "wb") as file:
        file.write(path.read_bytes())
    path.unlink()
    assert len(load(tmp_path, "verifiability")) == 2


def test_hagrid_sentences_point_at_the_passages_that_their_marks_name(tmp_path):
    benchdata.hagrid(tmp_path)
    (item,) = load(tmp_path, "hagrid")
    assert [item.text[a:b] for a, b in item.targets] == ["The city Rome lies in Italy.", "Both are capitals."]
    assert item.gold == (frozenset({0}), frozenset({0, 1}))
    assert item.verbatim == 1


@pytest.mark.parametrize(
    ("indices", "marks", "gold"),
    [
        ((1, 2), ("[1]", "[2]"), [{0}, {1}]),
        ((0, 1), ("[0]", "[1]"), [{0}, {1}]),
        ((1, 2), ("[0]", "[1]"), [{0}, {1}]),
        ((0, 1), ("[1]", "[2]"), [{0}, {1}]),
        ((0, 1), ("[1]", "[1]"), [{1}, {1}]),
    ],
)
def test_hagrid_marks_count_from_0_or_1_as_the_row_says(tmp_path, indices, marks, gold):
    quotes = [{"idx": n, "text": f"Passage {word}."} for n, word in zip(indices, ("one", "two"), strict=True)]
    sentences = [{"text": f"Fact {n} {mark}.", "attributable": 1} for n, mark in enumerate(marks)]
    benchdata.lines(
        tmp_path / "hagrid" / "dev.jsonl", [{"query": "q", "quotes": quotes, "answers": [{"sentences": sentences}]}]
    )
    (item,) = load(tmp_path, "hagrid")
    assert list(item.gold) == gold


def test_a_hagrid_row_with_marks_of_both_bases_is_a_failure(tmp_path):
    quotes = [{"idx": n, "text": f"Passage {n}."} for n in (1, 2)]
    sentences = [{"text": f"Fact {n} [{n}].", "attributable": 1} for n in (0, 2)]
    benchdata.lines(
        tmp_path / "hagrid" / "dev.jsonl", [{"query": "q", "quotes": quotes, "answers": [{"sentences": sentences}]}]
    )
    (item,) = load(tmp_path, "hagrid")
    assert "no common base" in item.reason


def test_words_are_found_whatever_their_case_and_punctuation():
    text = "One. The  Cat-fish\nswims, fast! End"
    position = Words(text).find("the cat fish SWIMS")
    assert text[position.start : position.end] == "The  Cat-fish\nswims"
    assert Words(text).find("cat fish flies") is None
    assert Words(text).find("...") is None


def test_a_split_is_found_under_the_names_that_publishers_use(tmp_path):
    benchdata.fever(tmp_path)
    assert [p.name for p in task("fever").data.files(tmp_path, "dev")] == ["val.jsonl"]
    assert [p.name for p in task("fever").data.files(tmp_path, "all")] == ["val.jsonl"]
    with pytest.raises(InputError, match=r"no split 'test'.*it has val\.jsonl"):
        task("fever").data.files(tmp_path, "test")


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(InputError, match=r"has no folder wice/"):
        task("wice").data.files(tmp_path, "dev")
    with pytest.raises(InputError, match="is not a folder"):
        task("wice").data.files(tmp_path / "none", "dev")


def test_all_takes_every_split_that_lies_there(tmp_path):
    benchdata.veri_gran(tmp_path, 2, "dev")
    benchdata.veri_gran(tmp_path, 1, "test")
    assert [result.id for result in load(tmp_path, "verifiability-granular", "all")] == ["dev:0", "dev:1", "test:0"]


@pytest.mark.parametrize("name", [name for name in names() if not task(name).data.derived])
def test_every_data_set_says_where_it_was_published(name):
    published = task(name).data.published
    assert published.home.startswith("https://")
    assert published.licence
    assert not published.files or published.address.startswith("https://")
    assert {file.split for file in published.files} <= {"", *published.splits}
    assert all(len(file.sha256) == 64 for file in published.files if file.split)


def test_a_split_is_published_by_checksum_or_by_size():
    spans, wice = task("verifiability-granular").data, task("wice").data
    (known,) = [file.sha256 for file in spans.published.files if file.split == "dev"]
    assert spans.standing("dev", 171, {"a": known}).state == "published"
    assert wice.standing("dev", 349, {}).state == "published"
    assert wice.standing("dev", 20, {}).state == "partial"
    assert wice.standing("dev", 400, {}).state == "differs"
    assert wice.standing("dev", 349, {}, limited=True).state == "partial"
    assert wice.standing("hard", 5, {}).state == "unknown"
    assert task("fever").data.standing("dev", 6122, {}).state == "published"
    assert task("salad").data.standing("dev", 3857, {}).state == "published"


def test_segments_that_share_a_character_with_a_range_are_covered():
    spans = (Span(0, 5), Span(5, 9), Span(9, 12))
    assert files.covering(spans, 4, 9) == {0, 1}
    assert files.covering(spans, 5, 5) == frozenset()


def test_ragtruth_takes_the_split_that_each_row_names(tmp_path):
    benchdata.ragtruth(tmp_path)
    assert [item.claim for item in load(tmp_path, "ragtruth", "test")] == ["a b", "a d", "b a"]
    assert [item.claim for item in load(tmp_path, "ragtruth", "train")] == ["q"]
    assert [item.claim for item in load(tmp_path, "ragtruth", "all")] == ["a b", "a d", "b a", "q"]
    with pytest.raises(InputError, match="no split 'dev' in .*; it has test, train"):
        load(tmp_path, "ragtruth", "dev")


def test_llm_aggrefact_is_read_from_the_parquet_of_the_hub_with_all_its_sets(tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rows = [
        {"dataset": name, "doc": "a b c", "claim": f"claim {number}", "label": number % 2,
         "contamination_identifier": "x" * 64}
        for number, name in enumerate(SETS)
    ]  # fmt: skip
    folder = tmp_path / "llm_aggrefact" / "data"
    folder.mkdir(parents=True)
    for part, some in enumerate((rows[:6], rows[6:])):
        pq.write_table(pa.Table.from_pylist(some), folder / f"dev-0000{part}-of-00002.parquet")
    pq.write_table(pa.Table.from_pylist(rows[:1]), folder / "test-00000-of-00001.parquet")
    items = load(tmp_path, "llm-aggrefact")
    assert [(item.group, item.claim, item.supported) for item in items] == [
        (name, f"claim {number}", number % 2 == 1) for number, name in enumerate(SETS)
    ]
    assert len({item.id for item in items}) == len(SETS) == 11
    (folder / "dev-00001-of-00002.parquet").write_bytes(b"PAR1 no table")
    with pytest.raises(InputError, match="cannot be read"):
        load(tmp_path, "llm-aggrefact")


SETS = ("AggreFact-CNN", "AggreFact-XSum", "TofuEval-MediaS", "TofuEval-MeetB", "Wice", "Reveal", "ClaimVerify",
        "FactCheck-GPT", "ExpertQA", "Lfqa", "RAGTruth")  # fmt: skip
