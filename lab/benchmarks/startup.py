"""What starting costs, as multiples of `python -c pass` in the same run.

python lab/benchmarks/startup.py
"""

import subprocess
import sys
import time
from pathlib import Path

REPORT = Path(__file__).parents[2] / "examples" / "annual-report.pdf"
COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "import citewell": ["-c", "import citewell"],
    "import numpy": ["-c", "import numpy"],
    "citewell --help": ["-m", "citewell", "--help"],
    "citewell ask, 12 pages": ["-m", "citewell", "ask", str(REPORT), "What was revenue in 2025?"],
}


def once(arguments):
    started = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
    return time.perf_counter() - started


def main():
    times = {name: [] for name in COMMANDS}
    for _ in range(10):  # in turn, so that a busy moment of the machine meets all
        for name, arguments in COMMANDS.items():
            times[name].append(once(arguments))
    base = min(times["python -c pass"])
    for name, runs in times.items():
        print(f"{name:26}{1000 * min(runs):8.0f} ms{min(runs) / base:8.1f} x")


if __name__ == "__main__":
    main()
