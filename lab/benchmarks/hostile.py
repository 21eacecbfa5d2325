"""How the time of reading, attributing and auditing grows with inputs that are meant to be slow.

python lab/benchmarks/hostile.py            # 20 shapes a format at n, 2n, 4n; calls at n, 2n, 4n, 8n; memory of a long question
python lab/benchmarks/hostile.py --only pdf csv

Processor time of this process, the least of two runs where one takes more than a twentieth of a second. A shape is flagged
where its time grows with more than the power 1.3 of its size from the second last to the last size, and overall.
"""

import argparse
import csv
import io
import math
import multiprocessing
import sys
import time
from contextlib import suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from xml.sax.saxutils import escape

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

import citewell
import formats
import pdfs
from citewell import Document
from citewell.audit.scores import audit
from citewell.errors import CitewellError
from citewell.llm.scripted import Scripted

POWER = 1.3
LEAST_SECONDS = 0.05
"""Seconds under which no growth is told."""
WORDS = {  # what a paragraph repeats
    "letters": "a",
    "words": "word ",
    "sentences": "Revenue rose by 5%. ",
    "marks": "[1] ",
    "figures": "1,234.5 ",
    "brackets": "(",
    "dots": ". ",
    "blanks": "  ",
    "abbreviations": "Dr. A.B. ",
    "hyphens": "-",
    "ideographs": "中。",
    "accents": "e\u0301",
    "quotes": '"',
    "addresses": "http://a.b/c ",
}
PARTS = {  # what a document has many of
    "paragraphs": lambda n: [formats.paragraph(f"Paragraph {i}.") for i in range(n)],
    "headings": lambda n: [formats.heading(f"Heading {i}", 1 + i % 6) for i in range(n)],
    "items": lambda n: [formats.bullets(*(f"item {i}" for i in range(n)))],
    "rows": lambda n: [formats.table(*(("Revenue", str(i), "5.9") for i in range(n)))],
    "columns": lambda n: [formats.table(*([f"{row}{i}" for i in range(n // 4)] for row in range(2)))],
    "tables": lambda n: [formats.table(("Item", "2022"), ("Costs", str(i))) for i in range(n // 4)],
}
RAW = {  # what a text in a format repeats, as it is
    "html": (
        "<b>",
        "<div>",
        "</p>",
        "<table><tr><td>",
        "&amp;",
        "<!--",
        "<p hidden>x</p>",
        "<a href=x>y</a> ",
        "<li>x",
        "<",
    ),
    "xml": ("<sec>", "<p>x</p>", "<xref rid='a'>1</xref>", "<italic>x</italic>", "&#65;", "<sup>2</sup>", "<!--x-->"),
    "markdown": (
        "> ",
        "- ",
        "*a ",
        "[a](",
        "`",
        "| a ",
        "#\n",
        "![",
        "<b>",
        "a\n---\n",
        "_a",
        "[^1]: x\n",
        "```\n",
        "1. a\n",
    ),
    "plain": ("\n", "\t", "A\n===\n", "- a\n", "| a | b |\n", "a   1   2\n", "1. \n", "\f", "-----\n", "  a\n"),
    "csv": ('"', ",", "\n", '"a","b"\n', "a;b\n", '""', "1,2\n", "\t", "a,b\r", "|"),
}


def pdf(story):
    parts = []
    for part in story:
        if part.kind == "heading":
            parts.append(pdfs.heading(part.rows[0][0] or "x"))
        elif part.kind == "table":
            parts.append(pdfs.table(*part.rows))
        else:
            parts.extend(row[0] for row in part.rows)
    return pdfs.make_pdf(parts)


def rows(story):
    stringio = io.StringIO()
    csv.writer(stringio).writerows(row for part in story for row in part.rows)
    return stringio.getvalue().encode()


def sheet(story):
    cells = {}
    for number, row in enumerate((row for part in story for row in part.rows), 1):
        for column, text in enumerate(row):
            cells[f"{column_name(column)}{number} t=inlineStr"] = f"<is><t>{escape(text)}</t></is>"
    return formats.xlsx(sheets=[("Sheet", formats.sheet(cells))])


def column_name(column):
    before, letter = divmod(column, 26)
    return (column_name(before - 1) if before else "") + chr(65 + letter)


FORMATS = {
    "pdf": (pdf, "a.pdf"),
    "docx": (formats.docx, "a.docx"),
    "html": (formats.html, "a.html"),
    "xml": (formats.jats, "a.nxml"),
    "markdown": (formats.markdown, "a.md"),
    "plain": (formats.plain, "a.txt"),
    "csv": (rows, "a.csv"),
    "xlsx": (sheet, "a.xlsx"),
    "pptx": (formats.pptx, "a.pptx"),
    "odt": (formats.odt, "a.odt"),
    "epub": (formats.epub, "a.epub"),
    "eml": (formats.eml, "a.eml"),
}


def shapes(name):
    """(what is repeated, an input of a size) for a format."""
    write, file = FORMATS[name]
    for label, unit in WORDS.items():
        yield label, lambda n, unit=unit: (write([formats.paragraph(unit * n)]), file)
    for label, make in PARTS.items():
        yield label, lambda n, make=make: (write(make(n)), file)
    for unit in RAW.get(name, ()):
        frame = "<article><body>{}</body></article>" if name == "xml" else "{}"
        yield repr(unit), lambda n, unit=unit, frame=frame: (frame.replace("{}", unit * n).encode(), file)


def reading(data, file):
    document = citewell.read(data, name=file)
    document.segments("sentence")
    document.segments("section")
    document.tables()


STORY = Document.from_text("".join(f"Ferry {i} carried {i} passengers to port {i % 7}. " for i in range(200)))
SENTENCE = "Ferry 3 carried 3 passengers to port 3. "
CALLS = {
    "audit, marks": lambda n: audit(("Ferry 3 carried 3 passengers [1]. " * n), [STORY]),
    "audit, Sources: lines": lambda n: audit(SENTENCE + "[1]\n\nSources:\n" + "[1] the report\n" * n, [STORY]),
    "attribute, one sentence": lambda n: citewell.attribute(STORY, SENTENCE * n),
    "attribute, one statement": lambda n: citewell.attribute(STORY, "word " * n),
    "attribute, sentences": lambda n: citewell.attribute(
        STORY, "".join(f"Ferry {i} carried {i + 1} passengers. " for i in range(n))
    ),
    "check, one claim": lambda n: citewell.check(STORY, "ferry passengers " * n),
    "ask, one question": lambda n: citewell.ask(STORY, "How many passengers did ferry 3 carry? " * n),
    "ask, marked reply": lambda n: citewell.ask(
        STORY, "Who?", llm=Scripted(reply="Ferry 3 carried 3 passengers [1]. " * n)
    ),
}


def seconds(call):
    taken = []
    while len(taken) < 2 and (not taken or LEAST_SECONDS < taken[0] < 3):
        began = time.process_time()
        with suppress(CitewellError):
            call()
        taken.append(time.process_time() - began)
    return min(taken)


def print_growth(name, label, times):
    steps = [math.log2(after / before) if after > LEAST_SECONDS else 0.0 for before, after in pairwise(times)]
    overall = math.log2(times[-1] / times[0]) / (len(times) - 1) if times[-1] > LEAST_SECONDS else 0.0
    flag = "  *" if min(steps[-1], overall) > POWER else ""
    print(f"{name:<10}{label:<26}" + "".join(f"{time:9.3f}" for time in times) + f"{overall:7.2f}{flag}", flush=True)
    return bool(flag)


def long_question(queue):
    text = "".join(f"Sentence {i} speaks of subject {i % 997} and of word{i % 4999}. " for i in range(20_000))
    question = " ".join(f"word{i}" for i in range(5_000)) + "?"
    document = Document.from_text(text)
    document.segments("sentence")
    before = peak()
    began = time.process_time()
    citewell.ask(document, question)
    queue.put((before, peak(), time.process_time() - began))


def peak():
    """The most memory of this process so far, in MB (Linux)."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[*FORMATS, "calls", "memory"])
    parser.add_argument("--size", type=int, default=500, help="n of the shapes")
    args = parser.parse_args()
    flagged = tried = 0
    for name in FORMATS:
        for label, make in shapes(name) if name in args.only else ():
            size = args.size
            times = [seconds(partial(reading, *make(size * by))) for by in (1, 2, 4)]
            flagged += print_growth(name, label, times)
            tried += 1
    for label, call in CALLS.items() if "calls" in args.only else ():
        flagged += print_growth("", label, [seconds(partial(call, size)) for size in (250, 500, 1000, 2000)])
        tried += 1
    if "memory" in args.only:
        spawned = multiprocessing.get_context("spawn")
        queue = spawned.Queue()
        worker = spawned.Process(target=long_question, args=(queue,), daemon=True)
        worker.start()
        before, after, taken = queue.get()
        print(f"5,000 words asked of 20,000 sentences: {before:.0f} MB before, {after:.0f} MB at most, {taken:.1f} s")
    print(f"{flagged} of {tried} shapes grow faster than the power {POWER}")
    return 1 if flagged else 0


if __name__ == "__main__":
    raise SystemExit(main())
