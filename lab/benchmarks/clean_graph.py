"""Take what an exporter noted of its machine out of graphs, in place: paths of files, lines of code, values' types.

    python lab/benchmarks/clean_graph.py packages/citewell-mini/src/citewell_mini/model/model_int8.onnx

Weights, names and outputs stay. `citewell train` writes graphs without these notes; this is for older ones.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import onnx

from citewell.models.exporting import clean


def main() -> None:
    """Clean the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", metavar="FILE", nargs="+", type=Path)
    for path in parser.parse_args().graphs:
        before = path.stat().st_size
        onnx.save(clean(onnx.load(str(path))), str(path))
        print(f"{path}: {before:,} bytes, now {path.stat().st_size:,}")


if __name__ == "__main__":
    main()
