"""W3C Web Annotations: out with exact selectors, in as gold, and the same there and back."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import citewell
from citewell import cli
from citewell.audit.gold import agreement, read
from citewell.errors import InputError
from citewell.export.annotations import render
from citewell.types import Citation, Verdict

TEXT = "Two ferries 😀 were sold.\n\nRevenue rose to $5.9bn.\n\nTwo ferries were sold."
DOCUMENT = citewell.Document.from_text(TEXT, "Report", source="my report.txt")


def cited(start, end, claim):
    return DOCUMENT.cite(citewell.Span(start, end), "s", citewell.Span(0, len(claim)), score=1.0)


def test_an_annotation_has_the_statement_its_label_and_exact_selectors():
    answer = citewell.attribute(DOCUMENT, "Revenue rose to $5.9bn.")
    rendered = render(answer, [DOCUMENT])
    assert (rendered["@context"], rendered["type"], rendered["total"]) == (
        "http://www.w3.org/ns/anno.jsonld",
        "AnnotationCollection",
        1,
    )
    (item,) = rendered["first"]["items"]
    assert item["id"].startswith("urn:uuid:")
    assert [body.get("value") for body in item["body"]] == ["Revenue rose to $5.9bn.", "supported", None]
    assert item["body"][2]["selector"] == {"type": "TextPositionSelector", "start": 0, "end": 23}
    assert item["target"]["source"] == {
        "id": "my%20report.txt", "type": "Text", "format": "text/plain", "dc:title": "Report",
        "dc:identifier": f"sha256:{DOCUMENT.sha256}",
    }  # fmt: skip
    # Code points: the emoji before counts as one.
    assert item["target"]["selector"] == [
        {"type": "TextPositionSelector", "start": 26, "end": 49},
        {"type": "TextQuoteSelector", "exact": "Revenue rose to $5.9bn.", "prefix": TEXT[:26], "suffix": TEXT[49:]},
    ]  # fmt: skip
    assert render(answer, [DOCUMENT]) == rendered  # names are the same each time


@pytest.mark.parametrize(("source", "expected"), [
    ("report.pdf", {"format": "application/pdf"}),  # the file is no plain text, though its positions count in one
    ("https://example.org/a.html", {"format": "text/html"}),
    ("https://example.org/", {}),
    ("", {}),
])  # fmt: skip
def test_a_source_has_the_format_of_its_file(source, expected):
    document = citewell.Document.from_text(TEXT, source=source)
    at = document.cite(citewell.Span(0, 3), "s", citewell.Span(0, 1), score=1.0)
    (item,) = render([Verdict("x", "supported", 1.0, (at,))], [document])["first"]["items"]
    named = item["target"]["source"]
    assert {key: named[key] for key in ("format",) if key in named} == expected


def test_verdicts_without_documents_keep_the_claims_without_evidence():
    claims = ["Revenue rose to $5.9bn.", "Whales sing in Peru.", "Whales sing in Peru."]
    rendered = render(citewell.check(DOCUMENT, claims))
    assert [item["body"][0]["value"] for item in rendered["first"]["items"]] == claims
    assert [item["body"][1]["value"] for item in rendered["first"]["items"]] == ["supported"] + ["not_supported"] * 2
    _, bare, again = rendered["first"]["items"]
    assert bare["target"].startswith("urn:uuid:")  # an annotation has a target: the claim itself
    assert bare["target"] == again["target"]
    assert bare["id"] != again["id"]
    verdicts, _ = read(rendered, [DOCUMENT])
    assert [(verdict.claim, len(verdict.citations)) for verdict in verdicts[:1]] == [(claims[0], 1)]


def test_a_statement_without_evidence_is_about_the_documents_as_wholes():
    rendered = render(citewell.attribute(DOCUMENT, "Whales sing in Peru."), [DOCUMENT])
    (item,) = rendered["first"]["items"]
    assert [target["dc:title"] for target in item["target"]] == ["Report"]
    (verdict,), warnings = read(rendered, [DOCUMENT])
    assert (verdict.claim, verdict.label, verdict.citations, warnings) == (
        "Whales sing in Peru.",
        "not_supported",
        (),
        [],
    )


SPANS = st.tuples(st.integers(0, len(TEXT) - 1), st.integers(1, 30)).map(
    lambda at: (at[0], min(len(TEXT), at[0] + at[1]))
)


@given(st.dictionaries(st.sampled_from(["Claim a.", "Claim b 😀.", "c"]), st.sets(SPANS, min_size=1, max_size=3), min_size=1),
       st.sampled_from(["supported", "contradicted", "partially_supported"]))  # fmt: skip
def test_verdicts_come_back_with_their_claims_labels_and_exact_places(claims, label):
    verdicts = [
        Verdict(claim, label, 1.0, tuple(cited(*at, claim) for at in sorted(places)))
        for claim, places in claims.items()
    ]
    back, warnings = read(json.loads(json.dumps(render(verdicts, [DOCUMENT]))), [DOCUMENT])
    assert warnings == []
    assert [(v.claim, v.label) for v in back] == [(v.claim, v.label) for v in verdicts]
    for result, other in zip(back, verdicts, strict=True):
        assert [(c.start, c.end, c.quote) for c in result.citations] == [
            (c.start, c.end, c.quote) for c in other.citations
        ]


def annotation(selector, body="Revenue rose.", source="my%20report.txt"):
    return {"type": "Annotation", "body": body, "target": {"source": source, "selector": selector}}


QUOTE = {"type": "TextQuoteSelector", "exact": "Two ferries", "prefix": "5.9bn.\n\n"}


@pytest.mark.parametrize(("selector", "start"), [
    ({"type": "TextPositionSelector", "start": 26, "end": 33}, 26),
    ({"type": "TextQuoteSelector", "exact": "Revenue"}, 26),
    (QUOTE, 51),
    ([{"type": "TextPositionSelector", "start": 3, "end": 9}, QUOTE], 51),  # counted in another text: the words decide
    ({"type": "Choice", "items": [{"type": "RangeSelector"}, QUOTE]}, 51),
])  # fmt: skip
def test_a_place_is_told_by_position_or_by_words_that_stand_once(selector, start):
    ((verdict,), warnings) = read(annotation(selector), [DOCUMENT])
    assert (verdict.citations[0].start, warnings) == (start, [])


@pytest.mark.parametrize(("item", "why"), [
    (annotation({"type": "TextQuoteSelector", "exact": "Two ferries"}), "its words stand in 2 places"),
    (annotation({"type": "TextQuoteSelector", "exact": "Whales"}), "its words stand in no places"),
    (annotation({"type": "SvgSelector", "value": "<svg/>"}), "neither a position in the text nor words"),
    (annotation({"type": "TextPositionSelector", "start": 5, "end": 9999}), "neither a position in the text nor words"),
    (annotation(QUOTE, body=[]), "its body has no text"),
    (annotation(QUOTE, source={"id": "x", "dc:identifier": "sha256:00"}), "another text"),
])  # fmt: skip
def test_what_cannot_be_used_is_told_and_the_rest_is_kept(item, why):
    verdicts, warnings = read([item, annotation(QUOTE, "Kept.")], [DOCUMENT])
    assert [verdict.claim for verdict in verdicts] == ["Kept."]
    assert warnings[0].startswith("annotation 1 is left out: ")
    assert why in warnings[0]
    with pytest.raises(InputError, match="none of 1 annotations can be used"):
        read(item, [DOCUMENT])


def test_a_label_that_no_annotation_gives_follows_the_evidence_of_all_of_a_statement():
    bare = {"type": "Annotation", "body": "Revenue rose.", "target": "my%20report.txt"}
    ((verdict,), _) = read([bare, annotation(QUOTE)], [DOCUMENT])
    assert (verdict.label, verdict.score, len(verdict.citations)) == ("supported", 1.0, 1)
    denied = {"type": "TextualBody", "value": "contradicted", "purpose": "classifying"}
    ((verdict,), _) = read([annotation(QUOTE, ["Revenue rose.", denied]), annotation(QUOTE)], [DOCUMENT])
    assert (verdict.label, verdict.score) == ("contradicted", 0.0)


def test_among_several_documents_the_source_says_which():
    other = citewell.Document.from_text("Two ferries.", source="b/other.txt")
    for source, wanted in (("other.txt", other), (f"urn:citewell:{DOCUMENT.id}", DOCUMENT)):
        at = {"type": "TextPositionSelector", "start": 0, "end": 11}
        ((verdict,), _) = read(annotation(at, source=source), [DOCUMENT, other])
        assert verdict.citations[0].document_id == wanted.id
    with pytest.raises(InputError, match="gone.txt is none of the documents"):
        read(annotation(QUOTE, source="gone.txt"), [DOCUMENT, other])


@pytest.mark.parametrize("data", [3, "text", [], {}, {"type": "Note"}, [None]])
def test_what_holds_no_annotations_is_refused(data):
    with pytest.raises(InputError, match="no W3C annotations"):
        read(data, [DOCUMENT])


def test_citations_are_held_against_gold():
    answer = citewell.attribute(DOCUMENT, "Revenue rose to $5.9bn. Two ferries were sold.", k=1)
    gold = [
        Verdict("Revenue rose to $5.9bn.", "supported", 1.0, (cited(30, 40, "x"), cited(0, 5, "x"))),
        Verdict("Two  ferries were sold.", "contradicted", 0.0, (cited(26, 30, "x"),)),
        Verdict("Whales sing.", "supported", 1.0, (cited(0, 5, "x"),)),
    ]
    kept = agreement(answer, gold)
    # Of two citations one touches its gold; of three pieces of gold one is touched; one of two labels holds as gold's.
    assert kept == (2, 1, 1 / 2, 1 / 3, 1 / 2)
    assert agreement(answer, gold[2:]) == (0, 1, None, None, None)


def test_an_audit_holds_a_response_against_annotations(tmp_path, capsys):
    (tmp_path / "my report.txt").write_text(TEXT)
    (tmp_path / "reply.txt").write_text("Revenue rose to $5.9bn [2].")
    gold = {**annotation({"type": "TextQuoteSelector", "exact": "$5.9bn"}, "Revenue rose to $5.9bn.")}
    (tmp_path / "gold.jsonld").write_text(json.dumps([gold, annotation(QUOTE, body=None)]))
    call = [
        "audit",
        str(tmp_path / "reply.txt"),
        str(tmp_path / "my report.txt"),
        "--gold",
        str(tmp_path / "gold.jsonld"),
    ]
    assert cli.main(call) == 0
    out = capsys.readouterr().out
    assert "against the annotations of 1 statements: precision 100%, recall 100%, labels 100%" in out
    assert "warning: annotation 2 is left out: its body has no text" in out
    assert cli.main([*call, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["gold"]["recall"] == 1.0
    assert cli.main(["audit", "-", *call[2:4], "-"]) == 2
    assert "standard input can be read only once" in capsys.readouterr().err
    (tmp_path / "gold.jsonld").write_text("no JSON")
    assert cli.main(call) == 2
    assert "annotations are JSON-LD" in capsys.readouterr().err


def test_an_answer_saved_and_read_as_gold_agrees_with_itself(tmp_path):
    report = citewell.read(Path(__file__).parents[2] / "examples" / "annual-report.pdf")
    answer = citewell.attribute(report, "The ferries carried 1.75 million passengers in 2025. Whales sing in Peru.")
    answer.save(tmp_path / "answer.jsonld", report)
    gold, warnings = read(json.loads((tmp_path / "answer.jsonld").read_text(encoding="utf-8")), [report])
    assert warnings == []
    assert [(citation.claim, citation.label) for citation in gold] == [
        (citation.text, citation.label) for citation in answer.statements
    ]
    places = [
        (citation.start, citation.end, citation.quote, citation.page)
        for verdict in gold
        for citation in verdict.citations
    ]
    assert (
        places == [(citation.start, citation.end, citation.quote, citation.page) for citation in answer.citations] != []
    )
    assert agreement(answer, gold) == (2, 0, 1.0, 1.0, 1.0)


def test_a_page_of_a_pdf_is_told():
    citation = Citation("d", "s", "sentence", "x", 0, 1, 0, 1, page=3)
    answer = citewell.Answer("x", (citewell.Statement("x", 0, 1, "supported", 1.0, (0,)),), (citation,))
    (item,) = render(answer)["first"]["items"]
    assert item["target"]["source"]["id"] == "urn:citewell:d"
    assert item["target"]["selector"][2] == {
        "type": "FragmentSelector", "conformsTo": "http://tools.ietf.org/rfc/rfc3778", "value": "page=3"
    }  # fmt: skip
