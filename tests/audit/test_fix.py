"""The fixed version of an audited answer: it never makes a false statement look better, and it keeps its places' kind."""

import json
from dataclasses import replace

import pytest

from citewell.audit import wire_write
from citewell.audit.scores import audit
from citewell.document import Document
from citewell.types import Page

PARAGRAPHS = (
    "Turnover of the brewery rose to 84.6 million crowns in 2031. Malt became dearer by a tenth.",
    "The brewery employed 318 people at the end of 2031, eleven more than the year before.",
    "The board rejected the offer of a rival from Ghent on 4 October.",
    "Excise duty came to 12.3 million crowns. The bottling line in Odense was sold in spring.",
)
TEXT = "\n\n".join(PARAGRAPHS)
STARTS = [TEXT.index(part) for part in PARAGRAPHS]
ENDS = [*STARTS[1:], len(TEXT)]
PAGES = tuple(Page(n, start, end, 400.0, 600.0) for n, (start, end) in enumerate(zip(STARTS, ENDS, strict=True), 1))
REPORT = replace(Document.from_text(TEXT, title="Brewery"), pages=PAGES)

RIGHT = "The brewery employed 318 people at the end of 2031."
FALSE = (  # each with an invented quote
    ("Net profit was 31.4 million crowns in 2031.", "Net profit amounted to 31.4 million crowns."),
    ("The brewery donated 2.8 million crowns to a museum.", "A donation of 2.8 million crowns went to the museum."),
    ("The chairman resigned after the strike of the coopers.", "The chairman stepped down after the strike."),
)


def anthropic_citation(kind, quote, page=None, start=None):
    """A citation as Anthropic's Messages have it."""
    place = (
        {"start_page_number": page, "end_page_number": page + 1}
        if kind == "page_location"
        else {"start_char_index": start, "end_char_index": start + len(quote)}
    )
    return {"type": kind, "cited_text": quote, "document_index": 0, "document_title": "brewery.pdf", **place}


def response(*parts):
    """A message of statements with their citations."""
    blocks = [{"type": "text", "text": result + " ", "citations": list(cited) or None} for result, cited in parts]
    return {"type": "message", "role": "assistant", "content": blocks}


def citations(message):
    """Every citation of a message."""
    return [result for block in message["content"] for result in block.get("citations") or ()]


def written(result):
    return json.loads(json.dumps(wire_write.write(result.fixed, result.form, result.payloads, result.data)))


@pytest.mark.parametrize("kind", ["page_location", "char_location"])
def test_a_false_statement_with_an_invented_quote_gets_no_other_sentence_as_evidence(kind):
    quoted = [(false, [anthropic_citation(kind, quote, 2, 40)]) for false, quote in FALSE]
    data = response((RIGHT, [anthropic_citation(kind, PARAGRAPHS[1], 2, STARTS[1])]), *quoted)
    audit_result = audit(data, [REPORT])
    assert [(statement.label, len(statement.citations)) for statement in audit_result.fixed.statements[1:]] == [
        ("not_supported", 0)
    ] * 3
    assert sum("is left without a citation" in warning for warning in audit_result.warnings) == 3
    again = audit(written(audit_result), [REPORT])
    assert again.recall == audit_result.recall == 0.25  # audited again it is no better: nothing was laundered
    assert [len(statement.citations) for statement in again.fixed.statements] == [1, 0, 0, 0]


def test_a_statement_that_is_not_cited_gets_only_evidence_that_supports_it():
    audit_result = audit(response((PARAGRAPHS[2], ()), (FALSE[0][0], ())), [REPORT])
    assert [len(statement.citations) for statement in audit_result.fixed.statements] == [1, 0]
    assert [cited.quote for cited in audit_result.statements[0].suggested] == [PARAGRAPHS[2]]


def test_a_citation_that_exists_and_supports_nothing_goes_although_nothing_better_comes():
    cited = anthropic_citation("char_location", PARAGRAPHS[2], start=STARTS[2])
    audit_result = audit(response((FALSE[0][0], [cited]), (PARAGRAPHS[2], [cited])), [REPORT])
    assert [entry.located.exists for entry in audit_result.citations] == [True, True]
    assert [len(statement.citations) for statement in audit_result.fixed.statements] == [0, 1]


def test_a_page_stays_a_page_and_what_is_added_gets_one():
    cited = anthropic_citation("page_location", PARAGRAPHS[1], 2)
    fixed = citations(written(audit(response((RIGHT, [cited]), (PARAGRAPHS[2], ())), [REPORT])))
    assert fixed[0] == cited
    assert {**fixed[1], "file_id": None} == {**anthropic_citation("page_location", PARAGRAPHS[2], 3), "file_id": None}


def test_a_wrong_page_is_put_right():
    audit_result = audit(response((RIGHT, [anthropic_citation("page_location", PARAGRAPHS[1], 4)])), [REPORT])
    assert "on page 2, not on page 4" in audit_result.citations[0].located.remark
    fixed = citations(written(audit_result))[0]
    assert (fixed["type"], fixed["start_page_number"], fixed["end_page_number"]) == ("page_location", 2, 3)


@pytest.mark.parametrize("quote", [PARAGRAPHS[1], ""])
@pytest.mark.parametrize("page", [0, 5, 99])
def test_a_page_that_the_document_lacks_does_not_exist(page, quote):
    entry = audit(response((RIGHT, [anthropic_citation("page_location", quote, page)])), [REPORT]).citations[0]
    assert not entry.located.exists
    assert entry.located.problem == f"it names page {page}, and the document has 4 pages"


def test_places_in_the_providers_own_text_are_kept():
    cited = anthropic_citation("char_location", PARAGRAPHS[1], start=7000)  # it read the file into another text than we
    assert citations(written(audit(response((RIGHT, [cited])), [REPORT]))) == [cited]


def test_names_and_keys_of_the_service_are_kept():
    note = {
        "type": "file_citation",
        "index": len(RIGHT),
        "file_id": "file-9",
        "filename": "b.pdf",
        "quote": PARAGRAPHS[1],
    }
    part = {"type": "output_text", "text": f"{RIGHT} {PARAGRAPHS[2]}", "annotations": [note]}
    audit_result = audit({"output": [{"type": "message", "content": [part]}]}, [REPORT])
    notes = written(audit_result)["output"][0]["content"][0]["annotations"]
    assert notes[0] == note
    assert (notes[1]["file_id"], notes[1]["filename"], notes[1]["quote"]) == ("file-9", "b.pdf", PARAGRAPHS[2])


class Counting:
    """A checker that counts what it is asked."""

    name = "counting"

    def __init__(self, checker):
        self.inner, self.pairs, self.calls = checker, 0, 0

    def check(self, pairs):
        self.pairs += len(pairs)
        self.calls += 1
        return self.inner.check(pairs)


@pytest.mark.parametrize("count", [10, 40])
def test_an_audit_asks_the_checker_in_few_batches_and_as_often_as_there_are_marks(count):
    from citewell.checkers.lexical import LexicalChecker
    from citewell.pipeline import Pipeline

    counting = Counting(LexicalChecker())
    audit(" ".join(f"{RIGHT} [{n % 4 + 1}]" for n in range(count)), [REPORT], pipeline=Pipeline(checker=counting))
    assert counting.calls <= 4
    assert counting.pairs <= 3 * count


def test_a_reason_names_the_page_and_the_words_in_the_document_and_the_fixed_version_says_what_is_lacking():
    text = "The brewery employed 319 people at the end of 2031."
    audit_result = audit(
        response((RIGHT, ()), (text, [anthropic_citation("page_location", PARAGRAPHS[1], 2)])), [REPORT]
    )
    (reason,) = audit_result.statements[1].reasons
    assert (audit_result.statements[1].label, audit_result.text[reason.start : reason.end]) == ("contradicted", "319")
    assert REPORT.text[reason.evidence.start : reason.evidence.end] == "318"
    assert (reason.evidence.document_id, reason.evidence.page) == (REPORT.id, 2)
    (lacking,) = audit_result.fixed.statements[1].reasons
    assert (lacking.kind, audit_result.text[lacking.start : lacking.end]) == ("missing", text)


def test_every_citation_of_an_audit_has_its_page():
    audit_result = audit(
        response((RIGHT, [anthropic_citation("char_location", PARAGRAPHS[1], start=STARTS[1])])), [REPORT]
    )
    assert [entry.located.citation.page for entry in audit_result.citations] == [2]
    marked = audit(f"{RIGHT} [2] Malt became dearer by a tenth. [1]", [REPORT])
    assert [entry.located.citation.page for entry in marked.citations] == [2, 1]
