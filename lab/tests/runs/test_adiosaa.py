"""ADiOSAA's scripts make ADiOSAA's tables, with the settings that were tuned on the development set."""

import json

import pytest

from bench import benchdata
from citewell.registry import canonical
from papers.test_adiosaa import page

pytestmark = [pytest.mark.slow, pytest.mark.rare]

LLM = "scripted(reply=- Mills grind corn.)"
UNITS = f"decompose=llm(llm={LLM}, units=raw)"
RETRIEVERS = ("BM25", "GTR", "MonoT5")
PARTS = {
    "ADiOSAA": UNITS,
    "ADiOSAA - D": "decompose=none",
    "ADiOSAA - OS": f"{UNITS}, select=false",
    "ADiOSAA - D - OS": "decompose=none, select=false",
}


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data"
    for split in ("dev", "test"):
        page(folder, split)
    benchdata.hagrid(folder)
    return folder


def rows(ran, source="", prefix=""):
    """The rows of the four systems by the specs that a run has them under."""
    tuned = json.loads((ran.folder.parent / f"{ran.folder.name}-tuned" / "study.json").read_text())["record"][
        "settings"
    ]
    assert tuned.startswith("delta=")
    return {
        canonical("attributor", f"adiosaa({part}, {source}{tuned})"): [prefix + name] for name, part in PARTS.items()
    }


def test_table_3_has_retrievers_adiosaa_and_its_ablations(data, scripted_run):
    ran = scripted_run("adiosaa-table-3.sh", LLM)
    mine = {canonical("attributor", f"retrieval(retriever={name.lower()})"): [name] for name in RETRIEVERS}
    for table in ("adiosaa-3-verifiability", "adiosaa-3-hagrid"):
        ran.holds(table, {**mine, **rows(ran)})
    sizes = ran.table("Verifiability and HAGRID").rows
    assert [(whose, name) for whose, name, _ in sizes] == [
        (whose, name)
        for name in ("verifiability dev", "verifiability test", "hagrid dev")
        for whose in ("paper", "ours")
    ]
    whole = next(
        cells for name, cells in ran.table("Verifiability: sources").named("ours").items() if "none, sel" in name
    )
    assert whole["precision@1"] == whole["precision@4"], "without both a sentence has one source"


def test_table_6_has_three_sources_of_candidates(data, scripted_run):
    ran = scripted_run("adiosaa-table-6.sh", LLM)
    sources = {
        "All sentences + ": "candidates=1000000, ",
        "GTR + ": "retriever=gtr, ",
        "MonoT5 + ": "retriever=monot5, ",
    }
    ran.holds("adiosaa-6", {k: v for name, source in sources.items() for k, v in rows(ran, source, name).items()})
