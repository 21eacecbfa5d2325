"""A text, chunks of it as a splitter makes them, and what somebody's system wrote from them: for the tests of all adapters."""

import citewell

TEXT = (
    "Harbour report 2025\n\nThe harbour froze in January 2025. Two ferries were sold in March.\n\n"
    "Revenue rose to $5.9 million in 2025. The board paid no dividend.\n\nThe café reopened on 2 May 2025."
)
DOCUMENT = citewell.Document.from_text(TEXT, "Harbour report", source="harbour.txt")
QUESTION = "What was revenue in 2025?"
# The first sentence stands in the text, the second says otherwise than it.
WRITTEN = "Revenue rose to $5.9 million in 2025. Three ferries were sold in March."


def cut():
    """Chunks that overlap, with where each starts."""
    ranges = [(21, 88), (56, 154), (156, len(TEXT))]
    return [(f"c{number}", TEXT[start:end], start) for number, (start, end) in enumerate(ranges)]


def in_both(place, chunks):
    """Whether a place has its quote in its chunk and in the whole text."""
    return (
        place["quote"]
        == chunks[place["chunk"]][place["chunk_start"] : place["chunk_end"]]
        == TEXT[place["start"] : place["end"]]
    )
