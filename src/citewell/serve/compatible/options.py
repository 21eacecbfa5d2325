"""Options of the protocols: passed to a language model, accepted without effect, or rejected with a message.

Nothing that would change a reply is ignored: a client that sends what is not done here learns so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from citewell.serve.compatible.parts import wrong

# They change how a model writes, and go to the service behind as they are.
PASSED = frozenset("frequency_penalty presence_penalty reasoning_effort seed top_k top_p verbosity".split())
# They name, count, route or keep a request, and leave the words of a reply alone.
_WITHOUT_EFFECT = frozenset(
    "cache_control inference_geo max_tool_calls metadata parallel_tool_calls prompt_cache_key prompt_cache_options"
    " prompt_cache_retention safety_identifier service_tier stream_options truncation user".split()
)
# The value of each that asks for what is done anyway.
_USUAL: Mapping[str, tuple[Any, ...]] = {
    "logprobs": (False,),
    "modalities": (["text"],),
    "thinking": ({"type": "disabled"},),
    "tool_choice": ("none", "auto", {"type": "none"}, {"type": "auto"}),
    "function_call": ("none", "auto"),
    "best_of": (1,),
    "echo": (False,),
    "reasoning": ({},),
    "top_logprobs": (0,),
}
_REASONS = {
    "logprobs": "probabilities of tokens are not in a reply: each statement has a score in citewell",
    "thinking": "thinking is a setting of the model behind the service",
    "tools": "tools are not called here: a reply is an answer from the documents",
}
_SAME = {"functions": "tools", "function_call": "tools", "tool_choice": "tools", "top_logprobs": "logprobs"}


def passed(others: Mapping[str, Any] | None) -> tuple[tuple[str, Any], ...]:
    """The options of a request that are passed on to the language model. Raises Fault: an option is not done here."""
    chosen = {name: value for name, value in (others or {}).items() if value is not None}
    effort = chosen.get("reasoning")
    if isinstance(effort, dict) and effort.get("effort") is not None:
        chosen |= {"reasoning_effort": effort["effort"], "reasoning": {}}
    for name, value in chosen.items():
        if name in PASSED or name in _WITHOUT_EFFECT or value in _USUAL.get(name, ()) or value in ([], {}):
            continue
        reason = _REASONS.get(_SAME.get(name, name), f"{name[:64]!r} is no option of this service: leave it out")
        raise wrong(reason, name[:64])
    return tuple((name, chosen[name]) for name in sorted(PASSED & chosen.keys()))
