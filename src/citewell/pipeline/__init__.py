"""Question or existing answer -> draft -> citations -> labels -> Answer: the flow, and the verbs that run it."""

from citewell.pipeline.flow import RECORDED, Pipeline
from citewell.pipeline.verbs import Stages, answering, ask, assembled, attribute, check

__all__ = ["RECORDED", "Pipeline", "Stages", "answering", "ask", "assembled", "attribute", "check"]
