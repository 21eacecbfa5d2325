"""LAB's scripts make LAB's tables."""

import pytest

from bench import answerdata, benchdata

pytestmark = pytest.mark.slow

TASKS = ("qasper", "natural-questions", "govreport", "evidence-inference", "wice", "contract-nli")
APPROACHES = ("post-hoc", "retrieve-then-read", "citation", "reduced-post-hoc", "reduced-citation")
MODELS = ("GPT-3.5", "GPT-4", "Flan-T5", "Longchat", "Mistral")
LLM = "scripted(reply=supported [1])"


@pytest.fixture
def data(tmp_path):
    for write in (answerdata.qasper, answerdata.natural_questions, answerdata.govreport, benchdata.wice,
                  benchdata.contract_nli, benchdata.evidence_inference):  # fmt: skip
        write(tmp_path / "data")


def test_table_3_has_five_approaches_on_six_tasks_with_the_papers_judges(data, scripted_run):
    ran = scripted_run("lab-table-3.sh", LLM, SPLIT="dev")
    judges = {"qasper": " | minicheck", "natural-questions": " | true", "govreport": " | true"}
    for task in TASKS:
        rows = {
            f"{approach} | {LLM}{judges.get(task, '')}": [f"{model}, {approach}" for model in MODELS]
            for approach in APPROACHES
        }
        ran.holds(f"lab-3-{task}", rows)
    assert ran.asked >= {"lytang/MiniCheck-Flan-T5-Large", "google/t5_xxl_true_nli_mixture"}
    dense = {"gtr-t5-large", "all-mpnet-base-v2", "contriever-msmarco", "dragon-plus-query-encoder"}
    assert {model.rpartition("/")[2] for model in ran.asked} >= dense
