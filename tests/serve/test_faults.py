"""What a failed request is told: whether it may be tried again, and when."""

import pytest

pytest.importorskip("fastapi")

from citewell import errors
from citewell.serve.faults import Fault, of


@pytest.mark.parametrize(
    ("error", "status", "after"),
    [
        (errors.InUseError("written to"), 503, "1"),
        (errors.RateLimitError("slower"), 503, "1"),
        (errors.TimedOutError("late"), 504, None),
        (errors.UsageError("no question"), 422, None),
        (ValueError("/home/x"), 500, None),
    ],
)
def test_only_what_passes_by_itself_is_tried_again_and_is_told_when(error, status, after):
    fault = of(error)
    assert (fault.status, fault.headers.get("Retry-After")) == (status, after)
    assert fault.headers.get("x-should-retry") == ("false" if after is None and status >= 500 else None)


@pytest.mark.parametrize(
    ("error", "kind", "after"),
    [
        (errors.LibraryError("no reply"), "LibraryError", "5"),
        (errors.InUseError("locked"), "InUseError", "1"),  # it answered: somebody writes
    ],
)
def test_a_database_that_does_not_answer_is_given_time(error, kind, after):
    sqlalchemy = pytest.importorskip("sqlalchemy")
    error.__cause__ = sqlalchemy.exc.OperationalError("SELECT 1", {}, Exception("refused"))
    fault = of(error)
    assert (fault.status, fault.kind, fault.headers["Retry-After"]) == (503, kind, after)


def test_a_conflict_is_not_tried_again_by_clients_that_would():
    assert Fault(409, "TakenError", "taken").headers == {"x-should-retry": "false"}
