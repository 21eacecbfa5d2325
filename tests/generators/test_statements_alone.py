"""Which sentences say something to somebody who reads them without their neighbours."""

import pytest

from citewell.generators.extractive.prose.statements import is_statement

WHOLE = """
Orla Lines carried 1.75 million people in 2025, more than in any year since it was founded.
Making the code of the ferries open can enable the steady improvement of its charts.
To help the harbours, the Board announced two million in grants in 2015.
Founded with a wish to serve, Velin House serves families through training programs.
Our findings indicate that several forms of noise change the data.
Boats that were built in 2003 and carry mail are exempt from this rule.
At that meeting, the board raised the fee to ten dollars.
10. This Lease will be governed by the laws of Brel.
The report notes that the river rose by two metres in March.
Party A shall deliver the goods within thirty days of the order.
This Berth Bylaw repeals the one of 1998.
“Berth” means a place at the quay where one boat can lie.
Abstract: We built a model of the tide.
BREL, May 3 -- Orla Lines today reported its results for the year.
A lamp in The Hague is lit by the Board each night.
"""
TORN = """
Building partnerships that encourage learning and lasting friendship.
To build strong and connected harbours across nations through training.
Providing seminars and training programs that equip leaders and strengthen the harbour.
Reflecting on the use of the group in freeing the board to be bold.
Large negative coefficients (-1.5), suggesting that these noises are bad.
Lanterns in the repair of the old quay: a small, lamp-led trial in people aged over 65.
Berth Policy Valid From This Berth Policy applies to all boats.
TIDE TABLES Preface Tides are the rise and fall of the sea.
Fees for the use of the quay The most recent list was made in May.
Rules a) The boat must be tied at both ends.
Ode: we will adopt that rule for this meeting.
Do we agree to go on with this plan?
It is the second cause of rust.
This explains how the lamps are kept.
However, the lamps were kept.
In Section 4, we show the results of the test.
All of the above must be done each year.
See the list of boats, which is long, for more.
Visit the [page on boats]({% page %}) to learn more about it.
“Court” means the court that sits in ________________.
The tenant is [INSERT NAME OF TENANT] and pays the rent.
Outlook ・ Depends on the tide ・ The stage is told by the guard.
(Members, you are free to add a point here.)
The number of the day (whether it is fine or not).
More work to be done with the lamps.
Ships make up 52.9 million of them.
"""


@pytest.mark.parametrize("text", WHOLE.strip().split("\n"))
def test_a_whole_sentence_is_a_statement(text):
    assert is_statement(text)


@pytest.mark.parametrize("text", TORN.strip().split("\n"))
def test_what_needs_its_neighbours_or_has_no_clause_of_its_own_is_none(text):
    assert not is_statement(text)
