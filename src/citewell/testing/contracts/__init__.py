"""The contracts of back ends, family by family, as checks that plug-ins run in their own tests.

    from citewell.testing import contracts

    @pytest.mark.parametrize("scenario", contracts.scenarios("checker"), ids=contracts.name)
    def test_it_keeps_to_the_contract(scenario):
        scenario(MyChecker())

or all at once: `contracts.check_checker(MyChecker)`. A scenario raises AssertionError with what is wrong.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from citewell.testing.contracts.scenarios import Scenario, name

__all__ = [
    "FAMILIES",
    "Scenario",
    "check_attributor",
    "check_checker",
    "check_decomposer",
    "check_generator",
    "check_llm",
    "check_retriever",
    "name",
    "scenarios",
]

FAMILIES = ("retriever", "attributor", "checker", "decomposer", "generator", "llm")


def scenarios(family: str) -> tuple[Scenario, ...]:
    """The scenarios of a family: functions that take a back end and raise AssertionError.

    Raises:
        ValueError: the family has no contract.
    """
    if family not in FAMILIES:
        raise ValueError(f"no contract of the family {family!r}; there are: {', '.join(FAMILIES)}")
    module = importlib.import_module(f"citewell.testing.contracts.{family}s")
    every: tuple[Scenario, ...] = tuple(module.SCENARIOS)
    return every


def _check(family: str, build: Callable[[], Any]) -> None:
    """Run every scenario of a family on a back end of its own, and tell all that fail."""
    failures: list[str] = []
    every = scenarios(family)
    for scenario in every:
        try:
            scenario(build())
        except Exception as error:  # noqa: BLE001 - a back end may fail in any way, and the others are still run
            failures.append(f"{name(scenario)}: {type(error).__name__}: {error}")
    if failures:
        raise AssertionError(f"{len(failures)} of {len(every)} scenarios fail:\n  " + "\n  ".join(failures))


def check_attributor(build: Callable[[], Any]) -> None:
    """Check an attributor; `build` makes one."""
    _check("attributor", build)


def check_checker(build: Callable[[], Any]) -> None:
    """Check a checker; `build` makes one."""
    _check("checker", build)


def check_retriever(build: Callable[[], Any]) -> None:
    """Check a retriever; `build` makes one."""
    _check("retriever", build)


def check_decomposer(build: Callable[[], Any]) -> None:
    """Check a decomposer; `build` makes one."""
    _check("decomposer", build)


def check_generator(build: Callable[[], Any]) -> None:
    """Check a generator; `build` makes one."""
    _check("generator", build)


def check_llm(build: Callable[[], Any]) -> None:
    """Check a client of a language model; `build` makes one."""
    _check("llm", build)
