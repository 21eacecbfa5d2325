"""The checker keeps to what citewell asks of every checker."""

import pytest

from citewell.testing import contracts
from citewell_questions.checker import QAOverlap


@pytest.mark.parametrize("scenario", contracts.scenarios("checker"), ids=contracts.name)
def test_it_keeps_to_the_contract(scenario):
    scenario(QAOverlap())
