"""The promise on 200 generated documents of every format: exact quotes, boxes that hold their words, answers that verify."""

import json
import random

import pytest

import citewell
import formats
import pdfs
from citewell.audit.verify import verify
from citewell.types import Answer

pytestmark = pytest.mark.rare

QUICK = 10  # every format, and a second PDF of each kind
FORMATS = ("pdf", "pdf", "pdf", "html", "docx", "markdown", "plain", "jats")
NAMES = ("Alder", "Bracken", "Eider", "Fulmar", "Gannet", "Heron", "Kestrel", "Lapwing")
PLACES = ("Harrow Sound", "Skelby", "Innis", "Zürich", "Malmö", "São Paulo")
FACTS = (
    "The {name} carried {number} passengers to {place} in {year}.",
    "In {year} the ship {name} was repaired at {place} for {number} crowns.",
    "{place} has been the home port of the {name} since {year}, with a crew of {number}.",
    "Tickets from {place} to the far islands cost {number} crowns in {year}.",
    "A storm kept the {name} in {place} for {number} hours in {year}.",
)


def invent(seed):
    """Headings, paragraphs and a table; and the facts among their sentences."""
    dice = random.Random(seed)
    parts, facts = [], []
    for section in range(dice.randint(1, 4)):
        parts.append(("heading", f"Chapter {section + 1} of report {seed}"))
        for _ in range(dice.randint(1, 4)):
            texts = [
                dice.choice(FACTS).format(
                    name=dice.choice(NAMES),
                    place=dice.choice(PLACES),
                    number=dice.randint(2, 9999),
                    year=dice.randint(1900, 2025),
                )
                for _ in range(dice.randint(1, 6))
            ]
            facts.extend(texts)
            parts.append(("paragraph", " ".join(texts)))
        rows = [
            ("Route", "2024", "2025"),
            *((place, str(dice.randint(1, 99)), str(dice.randint(1, 99))) for place in PLACES[:3]),
        ]
        parts.append(("table", rows))
    return parts, facts


def write(kind, seed):
    parts, facts = invent(seed)
    if kind == "pdf":
        dice = random.Random(seed)
        tables = [pdfs.heading(v) if k == "heading" else pdfs.table(*v) if k == "table" else v for k, v in parts]
        settings = {
            "columns": dice.choice((1, 1, 2)),
            "hyphens": dice.random() < 0.5,
            "header": f"Report {seed}" if dice.random() < 0.5 else None,
            "numbers": dice.random() < 0.5,
            "rotation": dice.choice((0, 0, 0, 90, 270)),
            "crop": dice.choice((None, None, (20, 10, 600, 780))),
        }
        if settings["columns"] == 2:
            tables = [part for part in tables if not isinstance(part, pdfs.Table)]
        return pdfs.make_pdf(tables, **settings), facts
    story = [getattr(formats, k)(v) if k != "table" else formats.table(*v) for k, v in parts]
    return getattr(formats, kind)(story), facts


@pytest.mark.parametrize("seed", [*range(QUICK), *(pytest.param(n, marks=pytest.mark.slow) for n in range(QUICK, 200))])
def test_quotes_boxes_and_verification_hold(seed):
    kind = FORMATS[seed % len(FORMATS)]
    data, facts = write(kind, seed)
    suffix = {"plain": "txt", "markdown": "md", "jats": "xml"}.get(kind, kind)
    document = citewell.read(data, name=f"report.{suffix}")
    chosen = random.Random(seed).sample(facts, min(3, len(facts)))
    answer = citewell.attribute(document, " ".join(chosen), question="What happened?")

    assert answer.citations
    for citation in answer.citations:
        assert document.text[citation.start : citation.end] == citation.quote
        if kind == "pdf":
            assert citation.page is not None
            inside = pdfs.bare("".join(pdfs.read_back(data, rect) for rect in citation.rects))
            assert inside == pdfs.bare(citation.quote)
        else:
            assert citation.rects == ()
    # Every fact stands in the document word for word, so each is found at a place that says it.
    for statement in answer.statements:
        assert statement.label == "supported"
        assert statement.text.split() in [answer.citations[index].quote.split() for index in statement.citations]

    again = Answer.from_dict(json.loads(json.dumps(answer.to_dict())))
    assert verify(again, [citewell.read(data, name="other name")]).ok

    result = citewell.ask(document, chosen[0].replace(".", "?"))
    assert all(document.text[c.start : c.end] == c.quote for c in result.citations)
