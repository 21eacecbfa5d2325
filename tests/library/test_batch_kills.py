"""A batch whose workers and driver are killed at random, again and again, comes to the bytes of one that was left alone.

`make kills` kills ten times, or more, with any seed; the tests do it twice.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from batch_workers import Here
from citewell.library.batch.job import Job
from citewell.library.batch.run import run

pytestmark = [pytest.mark.slow, pytest.mark.rare]
KILLS = int(os.environ.get("CITEWELL_KILLS", "2"))
SEED = int(os.environ.get("CITEWELL_SEED", "1"))
EACH = 4  # rows of a shard

DRIVER = f"""
import sys
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
if __name__ == "__main__":
    from batch_workers import Slow
    from citewell.library.batch.processes import Processes
    from citewell.library.batch.run import run
    job = Slow("attribute")
    run(job, Path(sys.argv[1]), Path(sys.argv[2]), lambda: Processes(job, 2), size={EACH})
"""


def done(out):
    """How many shards a batch says are done, in order or waiting for their turn."""
    count = (out / "run.jsonl").read_bytes().count(b"\n") if (out / "run.jsonl").is_file() else 0
    return count + (len(list((out / "ahead").iterdir())) if (out / "ahead").is_dir() else 0)


def workers_of(driver):
    """The processes that a driver started and that live, as the system knows them."""
    parts = Path(f"/proc/{driver.pid}/task/{driver.pid}/children").read_text().split()
    return [int(child) for child in parts if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_workers_and_driver_are_killed_at_random_and_the_results_are_the_same(tmp_path):
    draw, source, out = random.Random(SEED), tmp_path / "rows.jsonl", tmp_path / "out"
    count = 60 * (KILLS + 1)
    document = {"text": "The harbour froze in January. The Eider line lost 1.1 million euros."}
    with source.open("w") as file:
        for number in range(count):
            answer = f"The Eider line lost {draw.randrange(9)}.1 million euros."
            file.write(json.dumps({"id": number, "documents": [document], "answer": answer}) + "\n")
    command = [sys.executable, "-c", DRIVER, str(source), str(out)]
    driver, killed = subprocess.Popen(command), []
    for turn in range(KILLS):
        wanted = (count // EACH) * (turn + draw.random()) / (KILLS + 1)
        while done(out) < wanted:
            assert driver.poll() is None
            time.sleep(0.005)
        victims = workers_of(driver)
        if victims and draw.random() < 0.5:
            os.kill(draw.choice(victims), signal.SIGKILL)
            killed.append("worker")
            continue
        driver.kill()
        driver.wait()
        killed.append("driver")
        driver = subprocess.Popen(command)
    assert driver.wait() == 0, killed
    job = Job("attribute")
    run(job, source, tmp_path / "whole", lambda: Here(job), size=EACH)
    assert (out / "results.jsonl").read_bytes() == (tmp_path / "whole" / "results.jsonl").read_bytes()
    assert len((out / "results.jsonl").read_bytes().splitlines()) == count
