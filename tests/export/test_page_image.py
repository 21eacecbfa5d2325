"""A drawn page: the pixels of the page as PDFium draws it, in a PNG that others read."""

import io

import numpy as np
import pypdfium2
import pytest

from citewell.errors import CorruptDocumentError, UsageError
from citewell.export import page_image
from pdfs import make_pdf


@pytest.mark.parametrize("size", [(612.0, 792.0), (792.0, 612.0), (30.0, 3000.0)])
def test_the_picture_is_the_page(size):
    image = pytest.importorskip("PIL.Image")
    data = make_pdf(["Revenue rose."] if size[0] > 100 else ["x"], size=size, margin=min(72.0, size[0] / 4))
    drawn = page_image.draw(data, 1, longest=300)
    assert max(drawn.width, drawn.height) == 300
    assert drawn.pages == 1
    pixels = np.asarray(image.open(io.BytesIO(drawn.png)))
    assert pixels.shape == (drawn.height, drawn.width, 3)
    with pypdfium2.PdfDocument(data) as pdf:
        expected = pdf[0].render(scale=300 / max(size), rev_byteorder=True).to_numpy()[..., :3]
    assert (pixels == expected).all()


def test_a_page_that_is_not_there_and_bytes_that_are_no_pdf_are_refused():
    with pytest.raises(UsageError, match="report has the pages 1 to 1, and no page 2"):
        page_image.draw(make_pdf(["Revenue rose."]), 2, "report")
    with pytest.raises(CorruptDocumentError, match="report cannot be opened"):
        page_image.draw(b"%PDF-1.7 and nothing", 1, "report")
