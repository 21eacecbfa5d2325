"""The page says in German what the service says in sentences: every form that the code writes is in the page's table."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from browsers import upload
from pdfs import make_pdf

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "citewell"
TABLE = (ROOT / "page" / "src" / "sentences.ts").read_text("utf-8")
PAIRS = re.findall(r'^  \["((?:[^"\\]|\\.)+)", "((?:[^"\\]|\\.)+)"\],$', TABLE, re.MULTILINE)
SAID = {"Finding", "Reason", "Point", "Abstention", "Computed", "Located", "Claim", "Fault", "lacks"}
NAMES = {"message", "why", "problem", "remark", "lacks", "_OTHERWISE", "_INSIDE", "_ONE_CELL", "_NONE", "_UNTOLD"}
# What writes sentences that the page shows: of answers, of files that are added, of what people may do.
PLACES = (
    "facts", "generators/extractive/prose", *(f"readers/{name}" for name in ("pdf", *"""budget builder epub html jats mail
        markup package picture pptx sniff xlsx""".split())),
    *(f"checkers/{name}" for name in "absent aligned cells rows telling".split()),
    *(f"generators/extractive/{name}" for name in "cells/formulas cells/drafts cells/coverage lead generator".split()),
    *(f"audit/wire_{name}" for name in "locate lists clouds services frameworks".split()),
    *(f"serve/{name}" for name in """collections corrections failures faults guard histories keeping layout login pool
        receiving user_routes work""".split()),
    "abstain/nearest", "abstain/threshold", "pipeline/grounding", "generators/reader", "types/drafts",
    "types/statements",
)  # fmt: skip
RETURNED = ("generators/extractive/cells/coverage", "facts/calendar/period")
# What is filled in whole; the form with its parts is there too.
COMPOSED = {
    "says §; §": "says §; § is §, § §",
    "says “§”; §": "says “§”; § is §, § §",
    "§ is §; §": "§ is §; PDF, DOCX, §",
    "§ is §: §": "§ is §: to read it by OCR, §",
    "the text of § is an invisible layer over pictures, as OCR makes it (§ words): what the pictures show may differ": (
        "the text of page § is an invisible layer over pictures, as OCR makes it (§ words): what the pictures show may differ"
    ),
}


def form(node: ast.AST) -> str | None:
    """A text of the code with `§` where it is filled in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.sub(r"\{\w*\}", "§", node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "§" for part in node.values)
    return None


def texts(node: ast.AST) -> Iterator[str]:
    """The texts that an expression may be: of a condition both, of a dictionary its values."""
    written = form(node)
    if written is not None:
        yield written
    elif isinstance(node, ast.IfExp):
        yield from (*texts(node.body), *texts(node.orelse))
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from texts(value)


def named(node: ast.AST) -> str:
    return getattr(node, "id", getattr(node, "attr", ""))


def files() -> Iterator[tuple[str, Path]]:
    for place in PLACES:
        path = SOURCE / place
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]:
            yield str(file.relative_to(SOURCE).with_suffix("")), file


def values(node: ast.AST, place: str) -> list[ast.AST]:
    """What a part of the code says, if anything."""
    if isinstance(node, ast.Call) and (
        named(node.func) in SAID
        or named(node.func).endswith(("DocumentError", "UnsupportedFormatError"))
        or (named(node.func) == "append" and "warnings" in ast.unparse(node.func))
    ):
        return [*node.args, *(word.value for word in node.keywords)]
    if isinstance(node, ast.Assign) and {named(target) for target in node.targets} & NAMES:
        return [node.value]
    if isinstance(node, ast.AnnAssign) and node.value is not None and named(node.target) in NAMES:
        return [node.value]
    if isinstance(node, ast.Return) and node.value is not None and place in RETURNED:
        return [node.value]
    return []


def said() -> Iterator[tuple[str, str]]:
    for place, file in files():
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            for value in values(node, place):
                found = (re.sub("(?<=[a-z])§", "", text) for text in texts(value))  # the ending of a plural
                yield from ((place, text) for text in found if re.search("[a-z]{2}", text) and " " in text)


def pattern(known: str) -> re.Pattern[str]:
    plain = re.sub(r"\\\[(\w+)\\\]", r"(?:\1)?", re.escape(known))
    return re.compile(re.sub(r"\\\{\w+\\\}", ".+?", plain), re.DOTALL)


FORMS = [pattern(known) for known, _ in PAIRS[: [known for known, _ in PAIRS].index("“{a}”, {Rest}")]]


def test_every_form_is_there_once_and_its_german_has_the_same_gaps():
    assert len(PAIRS) == TABLE.count('\n  ["')
    assert len({known for known, _ in PAIRS}) == len(PAIRS)
    for known, german in PAIRS:
        gaps = set(re.findall(r"\{\w+\}", known))
        assert set(re.findall(r"\{\w+\}", german)) <= gaps, known
        assert german.count("„") == german.count("“"), german
        assert "“{" not in german, german


def test_every_sentence_that_the_code_writes_has_a_german_one():
    written = sorted(set(said()))
    assert len(written) > 150
    lacking = [
        (place, text) for place, text in written if not any(one.fullmatch(COMPOSED.get(text, text)) for one in FORMS)
    ]
    assert lacking == []


@pytest.mark.parametrize("text", ["the evidence says so", "gives nothing at all"])
def test_a_sentence_that_nobody_wrote_has_none(text):
    assert not any(one.fullmatch(text) for one in FORMS)


@pytest.mark.browser
def test_reasons_what_is_withheld_and_why_a_file_fails_are_german_where_the_page_is(visit):
    page = visit(locale="de-DE")
    text = "The harbour froze in January 2021. Two ferries were sold. Revenue rose to 5 million euros in 2022."
    upload(page, "a.pdf", make_pdf([text]))
    page.eval_on_selector("[name=kind][value=check]", "radio => radio.click()")
    page.fill(
        "#given",
        "Revenue rose to 9 million euros in 2022.\nThe captain was Danish.\nThe harbour did not freeze in January 2021.",
    )
    page.click("#go")
    page.wait_for_selector(".result footer")
    reasons = [words.partition("siehe")[0].strip() for words in page.locator(".reasons li").all_inner_texts()]
    assert reasons == [
        "sagt 9 million euros; der Beleg sagt 5 million euros",
        "dafür gibt es keinen Beleg",
        "verneint, was der Beleg sagt: „The harbour froze in January 2021“",
    ]
    page.eval_on_selector("[name=kind][value=ask]", "radio => radio.click()")
    page.fill("#given", "Who painted the lighthouse?")
    page.click("#go")
    page.wait_for_selector(".abstained")
    assert page.inner_text(".abstained p").startswith("Kein Satz ")
    files = {"name": "b.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7 this is no document"}
    page.set_input_files("#files", files)
    page.wait_for_selector(".uploads .failed")
    assert "unvollständig oder beschädigt" in page.inner_text(".uploads .failed small")
    page.problems[:] = [problem for problem in page.problems if "status of 4" not in problem]
