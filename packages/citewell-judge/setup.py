"""Builds the package, and refuses to where it has no weights: a wheel without them would be of no use."""

from __future__ import annotations

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

WEIGHTS = Path("src/citewell_judge/model/judge.onnx")


class WithWeights(build_py):
    """Copies the model's folder into the package."""

    def run(self) -> None:
        """Look for the weights first."""
        if not WEIGHTS.is_file():
            sys.exit(
                f"citewell-judge has no weights here ({WEIGHTS}): citewell train package RUN/model puts them there"
            )
        super().run()


setup(cmdclass={"build_py": WithWeights})
