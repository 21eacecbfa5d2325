"""Every regular expression of both packages.

python tests/patterns.py    # as JSON: pattern, flags, where it is compiled

Run by itself it hooks the compiler of `re`, imports every module and uses what builds patterns when first used.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import pkgutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from re import _compiler  # type: ignore[attr-defined]
from typing import Any, NamedTuple

HERE = Path(__file__).parent


class Compiled(NamedTuple):
    """A regular expression of the package."""

    pattern: str | bytes
    flags: int
    place: str


def collected() -> list[Compiled]:
    """All of them, from a process in which none is compiled yet."""
    printed = subprocess.run([sys.executable, __file__], capture_output=True, text=True, check=True).stdout
    return [
        Compiled(pattern.encode("latin-1") if is_bytes else pattern, flags, place)
        for pattern, is_bytes, flags, place in json.loads(printed)
    ]


def _use() -> None:
    """Use what compiles patterns late: readers, facts, both kinds of answers, an audit."""
    import citewell
    from citewell.audit.scores import audit
    from citewell.facts import date_patterns
    from citewell.generators.extractive import questions
    from citewell.llm.scripted import Scripted

    sys.path.insert(0, str(HERE))
    text = (
        "Revenue rose by 5% to $5.9 million in the third quarter of 2022, from 3 June to 5 July. Costs fell to 3 euros."
    )
    documents = [
        citewell.read(HERE.parent / "examples" / f"annual-report.{suffix}") for suffix in ("pdf", "docx", "md")
    ]
    documents.append(citewell.read(b"<html><body><table><tr><td>a<td>1</table><p>x<sup>2</sup>", name="a.html"))
    documents.append(citewell.read(b"<article><front/><body><p>x</p></body></article>", name="a.nxml"))
    for kind in date_patterns.sources():
        date_patterns.pattern(kind)
    for kind in questions.ALTERNATIVES:
        questions.rule(kind)
    citewell.ask(documents[0], "How many passengers did the ferries carry in 2025?")
    citewell.ask(documents[0], "What was net income per share in 2022?")
    citewell.ask(documents[0], "Who failed?", llm=Scripted(reply="I cannot tell [1]. (2) Fares rose [3]."))
    citewell.attribute(documents[0], text)
    citewell.check(documents[0], [text])
    audit("Fares rose [1].\n\nSources:\n[1] https://a.example/b.pdf", [documents[0]])


def _folder(package: str) -> Path:
    """Where a package lies; it is not imported."""
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).resolve().parent


def _record() -> None:
    # The packages' own folders: a clone may itself lie in a folder named citewell, with other packages below it.
    packages = [_folder(name) for name in ("citewell", "citewell_lab")]
    compile_pattern, records = _compiler.compile, dict[tuple[Any, int], str]()

    def recorded(pattern: Any, flags: int = 0) -> Any:
        frame = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename.endswith(("re/__init__.py", "functools.py")):
            frame = frame.f_back
        if frame is not None and isinstance(pattern, str | bytes):
            file = Path(frame.f_code.co_filename).resolve()
            for package in packages:
                if file.is_relative_to(package):
                    place = f"{file.relative_to(package).as_posix()}:{frame.f_lineno}"
                    records.setdefault((pattern, int(flags)), place)
        return compile_pattern(pattern, flags)

    _compiler.compile = recorded
    from citewell.errors import MissingExtraError

    for module in (
        module for package in packages for module in pkgutil.walk_packages([str(package)], f"{package.name}.")
    ):
        if ".migrations." in module.name or module.name.endswith("__main__"):
            continue  # run when they are imported
        with suppress(ImportError, MissingExtraError):
            importlib.import_module(module.name)
    _use()
    rows = [
        [key.decode("latin-1") if isinstance(key, bytes) else key, isinstance(key, bytes), flags, place]
        for (key, flags), place in records.items()
    ]
    sys.stdout.write(json.dumps(rows))


if __name__ == "__main__":
    _record()
