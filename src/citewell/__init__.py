"""citewell: answers about long documents in which every statement points at its evidence, or the system abstains.

import citewell
document = citewell.read("report.pdf")
answer = citewell.ask(document, "What was revenue in 2022?")
"""
