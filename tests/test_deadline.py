"""The time limit of a call: nested limits, pauses that would outlast it, and calls that nobody waits for."""

import pytest

from citewell.errors import TimedOutError
from citewell.errors.deadline import check, left, stage, stoppable, within


def test_a_limit_holds_inside_and_the_shorter_of_two_wins():
    assert left() is None
    with within(60):
        with within(1000):
            assert 50 < left() <= 60
        with within(30):
            assert 20 < left() <= 30
        with within(None):
            assert 50 < left() <= 60
    assert left() is None


def test_no_time_is_left_of_a_limit_that_is_over():
    with within(0):
        assert left() == 0
        with pytest.raises(TimedOutError, match=r"the 0 seconds of this call are over: raise timeout$"), stage("read"):
            pytest.fail("the stage began")


def test_a_pause_that_would_outlast_the_limit_says_what_failed_before():
    with within(60):
        check()
        check(pause=50)
        with pytest.raises(TimedOutError, match="the 60 seconds of this call are over: .*; the last failure: refused"):
            check(pause=61, why="refused")


def test_work_that_nobody_waits_for_stops_and_what_comes_after_does_not():
    with stoppable() as stop:
        check()
        with stoppable() as inner:
            stop()
            with pytest.raises(TimedOutError, match="nobody waits"):
                check()
        inner()
    check()
