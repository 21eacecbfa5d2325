"""Following the work: stages for observers, spans of OpenTelemetry, one logger, and the time that a call may take."""

import logging
import subprocess
import sys
from contextlib import contextmanager, suppress

import pytest

import citewell
from citewell.errors import MissingExtraError, TimedOutError, notes
from citewell.pipeline import tracing

DOCUMENT = citewell.Document.from_text("Two ferries were sold in 2021. Revenue rose to $5.9bn in 2022.")


@pytest.fixture
def requests():
    left = []

    @contextmanager
    def observer(name, about):
        yield
        left.append((name, dict(about)))

    end = citewell.observe(observer)
    yield left
    end()


def test_stages_are_left_in_the_order_of_the_flow_with_figures(requests):
    citewell.ask(DOCUMENT, "What was revenue in 2022?", llm=lambda prompt: "Revenue rose to $5.9bn in 2022 [1].")
    names = [name for name, _ in requests]
    assert names[0] == "read"
    assert names.index("llm") < names.index("generate") < names.index("attribute")
    assert names[-1] == "ask"
    mapping = dict(requests)
    assert mapping["ask"] == {"abstained": False, "statements": 1}
    assert mapping["generate"]["documents"] == 1
    assert mapping["attribute"]["citations"] == 1
    assert mapping["check"] == {"method": "lexical", "claims": 1}


def test_no_text_of_a_document_a_question_or_a_reply_is_told(requests, caplog):
    caplog.set_level(logging.DEBUG, "citewell")
    citewell.ask(DOCUMENT, "What was revenue in 2022?", llm=lambda prompt: "Revenue rose to $5.9bn in 2022 [1].")
    citewell.check(DOCUMENT, "Two ferries were sold.")
    every = f"{requests} {caplog.text}"
    assert all(text not in every for text in ("evenue", "erries", "5.9"))


def test_who_no_longer_follows_is_told_nothing(requests):
    calls = []

    @contextmanager
    def other(name, about):
        calls.append(name)
        yield

    end = citewell.observe(other)
    with notes.stage("one"):
        pass
    end()
    with notes.stage("two"):
        pass
    assert calls == ["one"]
    assert [name for name, _ in requests] == ["one", "two"]


@contextmanager
def failing_at_the_end(name, about):
    yield
    raise OSError("the collector is gone")


@contextmanager
def failing_at_the_start(name, about):
    raise OSError("the collector is gone")
    yield


@contextmanager
def holding_back(name, about):
    with suppress(ValueError):
        yield


@pytest.mark.parametrize("observer", [failing_at_the_end, failing_at_the_start, lambda name, about: None])
def test_an_observer_that_fails_is_logged_and_breaks_nothing(observer, requests, caplog):
    end = citewell.observe(observer)
    try:
        answer = citewell.ask(DOCUMENT, "What was revenue in 2022?")
    finally:
        end()
    assert answer.text == "Revenue rose to $5.9bn in 2022."
    assert [name for name, _ in requests][-1] == "ask"
    records = [record for record in caplog.records if "observer" in record.message]
    assert {record.name for record in records} == {"citewell"}
    assert any(record.message.endswith("failed at the stage 'ask'") for record in records)
    assert all(record.exc_info for record in records)


@pytest.mark.parametrize("observer", [failing_at_the_end, holding_back])
def test_no_observer_keeps_a_fault_of_the_work_from_its_caller(observer):
    end = citewell.observe(observer)
    try:
        with pytest.raises(ValueError, match="no luck"), notes.stage("one"):
            raise ValueError("no luck")
    finally:
        end()


def test_without_a_follower_a_stage_looks_at_no_clock(monkeypatch):
    monkeypatch.setattr(notes.time, "perf_counter", lambda: pytest.fail("the time was asked"))
    logging.getLogger("citewell").setLevel(logging.NOTSET)
    with notes.stage("one", claims=1) as about:
        assert about == {"claims": 1}


def test_the_log_has_stages_and_warnings_under_one_name(caplog):
    caplog.set_level(logging.DEBUG, "citewell")
    again = citewell.Document.from_text(DOCUMENT.text, source="again.txt")
    citewell.ask([DOCUMENT, again], "What was revenue in 2022?")
    assert {record.name for record in caplog.records} == {"citewell"}
    assert [record.message for record in caplog.records if record.levelname == "WARNING"] == [
        "again.txt was passed twice as again.txt: it is read once"
    ]
    assert any(record.message.startswith("generate took ") for record in caplog.records)


def test_nothing_is_printed_by_a_log_that_nobody_asked_for():
    code = "from citewell.errors import notes; notes.warn('careful'); import logging; logging.getLogger('other').warning('seen')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr.strip()) == ("", "seen")


def test_spans_nest_as_the_stages_do_and_an_error_is_told_by_its_kind_alone():
    pytest.importorskip("opentelemetry.sdk")
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    kept, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    end = citewell.observe(tracing.opentelemetry(provider))
    try:
        citewell.check(DOCUMENT, "Two ferries were sold.")
        with pytest.raises(ValueError, match="a secret"), notes.stage("broken"):
            raise ValueError("a secret")
    finally:
        end()
    spans = {span.name: span for span in kept.get_finished_spans()}
    whole = spans["citewell.check_claims"]
    assert {
        span.parent.span_id for name, span in spans.items() if name in ("citewell.attribute", "citewell.check")
    } == {whole.context.span_id}
    assert spans["citewell.check"].attributes == {"citewell.method": "lexical", "citewell.claims": 1}
    assert spans["citewell.broken"].attributes == {"error.type": "ValueError"}
    assert "a secret" not in spans["citewell.broken"].to_json()


def test_tracing_without_the_package_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    with pytest.raises(
        MissingExtraError, match=r"tracing needs the package 'opentelemetry-api': pip install 'citewell\[otel\]'"
    ):
        tracing.opentelemetry()


@pytest.mark.parametrize("call", [
    lambda: citewell.ask(DOCUMENT, "What was revenue in 2022?", timeout=1e-9),
    lambda: citewell.attribute(DOCUMENT, "Two ferries were sold.", timeout=1e-9),
    lambda: citewell.check(DOCUMENT, "Two ferries were sold.", timeout=1e-9),
], ids=["ask", "attribute", "check"])  # fmt: skip
def test_every_verb_stops_when_its_time_is_over(call):
    with pytest.raises(TimedOutError, match="1e-09 seconds of this call are over"):
        call()
