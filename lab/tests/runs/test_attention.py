"""The script that puts attention, ablation and gradients beside hidden states runs to its end on tiny models."""

import json

import pytest

from bench import benchdata

pytestmark = [pytest.mark.slow, pytest.mark.rare]

TASKS = ("quotesum", "verifiability-granular")


def test_every_method_has_a_row_on_both_tasks_and_learns_on_the_other(tmp_path, scripted_run, zoo):
    for write in (benchdata.quotesum, benchdata.veri_gran):
        write(tmp_path / "data")
    ran = scripted_run("attention.sh", zoo.llama, SPLIT="dev", EXAMPLES="2", MASKS="4", DRAWS="2")
    for task, other in (TASKS, TASKS[::-1]):
        table = ran.table(f"Attributors on {task}")
        names = [name.partition("(")[0] for _, name, _ in table.rows]
        assert names == [
            "hidden-states", "lexical", "verbatim", "retrieval", "icr", "icr", "qrhead", "attention-union", "at2", "at2",
            "attntrace", "flashtrace", "input-gradient", "mirage", "leave-one-out", "arc-jsd", "attribot", "contextcite", "selfcite",
        ]  # fmt: skip
        learned = [name for _, name, _ in table.rows if f"{other}-heads.json" in name or f"{other}-at2.json" in name]
        assert len(learned) == 2
        assert all(cells["seconds"] not in ("–", "") and cells["failed"] == "0" for _, _, cells in table.rows)
        assert json.loads((ran.folder / f"{other}-heads.json").read_text(encoding="utf-8"))["task"] == other
