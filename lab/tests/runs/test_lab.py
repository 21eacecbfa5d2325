"""LAB's scripts make LAB's tables: the rows, columns, judges and retrievers that the paper names."""

import json
import shutil

import pytest

from bench import answerdata, benchdata
from citewell_lab.bench.tasks import task as find
from citewell_lab.papers.published import figures, published

pytestmark = [pytest.mark.slow, pytest.mark.rare]

TASKS = ("qasper", "natural-questions", "govreport", "evidence-inference", "wice", "contract-nli")
APPROACHES = ("post-hoc", "retrieve-then-read", "citation", "reduced-post-hoc", "reduced-citation")
MODELS = ("GPT-3.5", "GPT-4", "Flan-T5", "Longchat", "Mistral")
LLM = "scripted(reply=supported [1])"
JUDGES = {"qasper": " | minicheck", "natural-questions": " | true", "govreport": " | true"}
TRUE, MINICHECK = "google/t5_xxl_true_nli_mixture", "lytang/MiniCheck-Flan-T5-Large"
ENCODERS = {
    "sentence-transformers/gtr-t5-large", "sentence-transformers/all-mpnet-base-v2", "facebook/contriever-msmarco",
    "nthakur/dragon-plus-query-encoder", "nthakur/dragon-plus-context-encoder",
}  # fmt: skip


@pytest.fixture
def data(tmp_path):
    for write in (answerdata.qasper, answerdata.natural_questions, answerdata.govreport, benchdata.wice,
                  benchdata.contract_nli, benchdata.evidence_inference):  # fmt: skip
        write(tmp_path / "data")
    return tmp_path / "data"


def starred(paper):
    """The cells of a table of coefficients."""

    def cells(row):
        significant = row.get("significant", ())
        pairs = zip(paper["columns"], row["values"], strict=True)
        return [f"{value:.2f}{'*' * (column in significant)}" for column, value in pairs]

    return cells


@pytest.fixture
def table_3(data, scripted_run):
    """The script of table 3 as it ran."""
    return scripted_run("lab-table-3.sh", LLM, SPLIT="dev")


def test_table_3_and_the_tables_and_responses_that_are_taken_from_its_runs(data, scripted_run, table_3):
    for task in TASKS:
        rows = {
            f"lab: {approach} | {LLM}{JUDGES.get(task, '')}": [f"{model}, {approach}" for model in MODELS]
            for approach in APPROACHES
        }
        table_3.holds(f"lab-3-{task}", rows)
    assert table_3.requests == {TRUE, MINICHECK} | ENCODERS
    sampled = [command.args[command.args.index("--sample") + 1] for command in table_3.commands[:-1]]
    assert sampled == ["2000"] * 30

    analysed = scripted_run("lab-tables-4-to-8.sh", SPLIT="dev", CHECKER="true")
    assert analysed.requests == {TRUE}
    ours = {f"lab: {approach} | {LLM}": [f"{model}, {approach}" for model in MODELS] for approach in APPROACHES}
    beside = {name: rows if "reduced" not in name and "read" not in name else [] for name, rows in ours.items()}
    papers = {paper["id"]: paper for paper in figures("lab")["analyses"]}
    # Two items of a task and one reply for all: the labels leave nothing to order.
    analysed.holds(papers["lab-4"], beside, columns=("qasper.answer_f1", "natural-questions.answer_f1",
                   "govreport.rouge_l"))  # fmt: skip
    for key in ("lab-5", "lab-7", "lab-8"):
        if any(table.title.startswith(papers[key]["title"]) for table in analysed.tables):  # so few items hardly vary
            analysed.holds(papers[key], beside, columns=(), cells=starred(papers[key]))
    for title in ("Where the evidence stands", "Response quality by the position of gold evidence",
                  "Evidence quality by the position of predicted evidence", "Overlap of two runs' evidence"):  # fmt: skip
        assert analysed.table(title).rows

    least = scripted_run("lab-least-attributable.sh", SPLIT="dev", CHECKER="true")
    assert [table.title for table in least.tables] == ["Statements to judge"] * 2
    assert least.requests <= {TRUE}
    assert (least.folder / "wice-least.csv").read_text().startswith("id,question,answer,gold,quality,attributability")


@pytest.mark.parametrize(
    ("approach", "key"), [("retrieve-then-read", "lab-21"), ("reduced-citation", "lab-22"), ("post-hoc", "lab-23")]
)
def test_tables_21_to_23_try_five_retrievers_on_six_tasks_before_the_papers_judges(data, scripted_run, approach, key):
    ran = scripted_run("lab-tables-21-to-23.sh", LLM, SPLIT="dev", SAMPLE="2", APPROACHES=approach)
    paper = next(table for table in published() if table["id"] == key)
    for task in TASKS:
        at = [n for n, column in enumerate(paper["columns"]) if column.startswith(f"{task}.")]
        columns = [paper["columns"][n].partition(".")[2] for n in at]
        settings = [{"name": row["name"], "values": [row["values"][n] for n in at]} for row in paper["rows"]]
        rows = {
            "bm25": ["BM25"],
            "sbert": ["SBERT"],
            "contriever": ["Contriever"],
            "dragon": ["Dragon"],
            "gtr": ["GTR"],
        }
        ran.holds({"title": f"Retrievers for {task} with {approach}", "columns": columns, "rows": settings}, rows)
    assert ran.requests == {TRUE, MINICHECK} | ENCODERS


def test_table_14_has_six_settings_on_two_tasks_before_the_papers_judges(data, scripted_run):
    ran = scripted_run("lab-table-14.sh", LLM, SPLIT="dev")
    for task, names in (("qasper", 3), ("govreport", 2)):
        printed = ran.table(f"Prompts for {task}")
        assert [name for _, name, _ in printed.rows] == [
            "instruction before and after", "instruction before", "instruction after", "instruction before, 1 example",
            "instruction before, 2 examples", "instruction before, 3 examples",
        ]  # fmt: skip
        metrics = {name.partition(".")[0] for name in map(str, find(task).headline)}
        assert metrics <= set(printed.columns)
        for (_, _, cells), paper in zip(printed.rows, figures("lab")["prompts"][task], strict=True):
            beside = [cells[column].partition("(")[2].rstrip(")") for column in printed.columns[3 : 3 + names]]
            assert beside == [f"{100 * value:.0f}" for value in paper]
    assert ran.requests >= {TRUE, MINICHECK}


def test_table_1_counts_the_data_at_hand(data, scripted_run):
    ran = scripted_run("lab-table-1.sh")
    printed = ran.table(figures("lab")["data"]["title"])
    paper = figures("lab")["data"]
    assert printed.columns[1:] == tuple(paper["columns"])
    tasks, ours = [row["name"] for row in paper["rows"]], printed.named("ours")
    assert list(printed.named("paper")) == tasks
    assert [name for name in ours if ", " not in name] == tasks
    assert [name for name in ours if ", " in name] == ["wice, largest set", "wice, all sets"]
    assert ours["wice"]["dev"] == "2"


def test_table_2_asks_people_first_and_then_compares_the_papers_three_checkers(data, scripted_run):
    ran = scripted_run("lab-table-2.sh", LLM, SPLIT="dev", SAMPLE="4")
    assert ran.tables == [] or not any("Checkers" in table.title for table in ran.tables)
    assert ran.out.count("put true or false") == 3
    for name in ("qasper", "natural-questions", "govreport"):
        path = ran.folder / f"{name}.jsonl"
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        labels = [[n % 2 == 0, n % 2 == 0] for n in range(len(lines))]
        path.write_text("".join(json.dumps({**line, "attributable": label}) + "\n"
                                for line, label in zip(lines, labels, strict=True)))  # fmt: skip
    again = scripted_run("lab-table-2.sh", LLM, SPLIT="dev", SAMPLE="4")
    paper = next(table for table in published() if table["id"] == "lab-2")
    for place, name in enumerate(("qasper", "natural-questions", "govreport")):
        settings = [{"name": row["name"], "values": row["values"][2 * place : 2 * place + 2]} for row in paper["rows"]]
        rows = {"true": ["TRUE"], "attrscore": ["AttrScore"], "minicheck": ["Minicheck"]}
        columns = ("accuracy", "balanced_accuracy")
        again.holds({"title": f"Checkers for {name}", "columns": columns, "rows": settings}, rows)
    assert "Cohen's kappa 1.00 (the paper's annotators: 0.74)" in again.out
    assert again.requests == {TRUE, MINICHECK, "osunlp/attrscore-flan-t5-xxl"}


@pytest.fixture
def long_t5(zoo, tmp_path):
    """A tiny model; its positions are relative, so that it needs no other weights for a long document."""
    return shutil.copytree(zoo.t5, tmp_path / "model")


def judges(folder):
    """The checkers of the runs in a folder, by task."""
    specs = [json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*/spec.json")]
    return {spec["task"]: spec["resolved"]["checker"] for spec in specs}


def test_tables_18_and_20_set_models_beside_the_papers(data, scripted_run, long_t5):
    ran = scripted_run("lab-tables-18-and-20.sh", long_t5, SPLIT="dev", SAMPLE="2", APPROACH="citation(examples=0)")
    considered, prompted = figures("lab")["models"][0], figures("lab")["models"][2]
    assert [name for _, name, _ in ran.table(considered["title"]).rows] == [row["name"] for row in considered["rows"]]
    ran.holds(prompted, {f"transformers(model={long_t5})": [row["name"] for row in prompted["rows"]]})
    assert judges(ran.folder) == {"qasper": "minicheck", "govreport": "true"}


def test_table_19_trains_each_model_and_sets_it_beside_the_papers(data, scripted_run, long_t5):
    ran = scripted_run("lab-table-19.sh", long_t5, SPLIT="dev", SAMPLE="4", TRAIN="dev", STEPS="1")
    paper = figures("lab")["models"][1]
    adapter = next(path for path in ran.folder.glob("adapters/*/adapter"))
    ran.holds(paper, {f"transformers(model={long_t5}, adapter={adapter})": [row["name"] for row in paper["rows"]]})
    assert judges(ran.folder / "runs") == {"qasper": "minicheck"}


def test_table_3_tuned_asks_each_approach_by_the_adapter_that_fits_it(data, scripted_run, long_t5):
    ran = scripted_run("lab-table-3-tuned.sh", long_t5, SPLIT="dev", SAMPLE="2", TRAIN="dev", STEPS="1", TASKS="wice")
    asked = {path.parent.name: json.loads(path.read_text()) for path in ran.folder.glob("runs/*/spec.json")}
    assert {name.removeprefix("wice-") for name in asked} == {
        "post-hoc", "retrieve-then-read", "reduced-post-hoc", "citation", "reduced-citation"
    }  # fmt: skip
    for name, spec in asked.items():
        kind = "with" if name.endswith("citation") else "without"
        assert f"/wice-{kind}/adapter" in json.dumps(spec["given"])
        assert spec["parameters"]["approach"]["shown"] == []
    assert (ran.folder / "report.html").is_file()


def test_without_models_every_task_at_hand_has_a_row(data, scripted_run):
    ran = scripted_run("without-models.sh", SPLIT="dev")
    for task in TASKS:
        row = {"qasper": "extractive | lexical", "natural-questions": "extractive | lexical",
               "govreport": "extractive | lexical"}.get(task, "lexical | lexical")  # fmt: skip
        paper = next(table for table in published() if table["id"] == f"lab-3-{task}")
        # Where every question is declined, as those of the made page are, nothing can be attributable.
        columns = ("answer_f1", "unanswerable_f1") if task == "natural-questions" else None
        ran.holds(paper, {row: [line["name"] for line in paper["rows"]]}, columns=columns)
    assert (ran.folder / "report.html").is_file()
    assert ran.requests == set()
