"""Write the file tree into README.md: every module with the first sentence of its docstring.

python docs/make_tree.py            writes it
python docs/make_tree.py --check    exits 1 where the README's tree is not current
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
BEGIN, END = "<!-- tree: docs/make_tree.py -->\n```text\n", "```\n<!-- end of tree -->"
ORDER = (
    "text document.py readers retrievers generators attributors checkers decomposers abstain llm models pipeline.py "
    "export audit report bench papers train testing cli"
).split()
WIDTH = 118


def purpose(path: Path) -> str:
    """The first sentence of a module's docstring, or what a data file is."""
    if path.suffix != ".py":
        return ""
    first = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").split("\n\n")[0]
    return " ".join(first.split()).rstrip(".")


def tree() -> str:
    """The tree of src/citewell, folders in the order of the data flow after the single modules."""
    lines = ["src/citewell/"]

    def add(path: Path, depth: int) -> None:
        label = "  " * depth + path.name + ("/" if path.is_dir() else "")
        said = purpose(path / "__init__.py" if path.is_dir() else path)
        line = f"{label:<34}{said}" if said else label
        lines.append(line if len(line) <= WIDTH else line[: WIDTH - 2].rsplit(" ", 1)[0] + " …")
        if path.is_dir():
            for child in sorted(item for item in path.iterdir() if shown(item)):
                add(child, depth + 1)

    def rank(path: Path) -> tuple[int, str]:
        return (ORDER.index(path.name) if path.name in ORDER else -1, path.name)

    for path in sorted((item for item in (ROOT / "src/citewell").iterdir() if shown(item)), key=rank):
        add(path, 1)
    return "\n".join(lines) + "\n"


def shown(path: Path) -> bool:
    """Modules and folders of modules; data files stand beside the module that reads them."""
    if path.is_dir():
        return any(path.glob("*.py"))
    return path.suffix == ".py" and not path.name.startswith("__")


def main() -> int:
    """Write or check."""
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    made = before + BEGIN + tree() + END + after
    if "--check" in sys.argv:
        return int(made != text)
    README.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
