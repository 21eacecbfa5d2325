"""Metrics of the service for Prometheus: request counts, durations and load; nothing about any document."""

from __future__ import annotations

from typing import NamedTuple

from citewell.errors import needing

with needing("the service", "prometheus-client", "serve"):
    from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, exposition

MEDIA = exposition.CONTENT_TYPE_PLAIN_0_0_4
_BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)  # seconds


class Busy(NamedTuple):
    """The load of the workers."""

    workers: int  # processes that are there
    questions: int  # jobs that wait or are worked on
    lost: int  # processes that were ended or were lost, since the service began


class Metrics:
    """Counts since the start of the service. Routes are counted by pattern, never by what a request named."""

    def __init__(self) -> None:
        # The time at which each series began, which nobody reads.
        disable_created_metrics()  # type: ignore[no-untyped-call]  # the library's function is untyped
        self._registry = registry = CollectorRegistry()
        labels = ("method", "route", "status")
        self._requests = Counter("citewell_requests", "Requests by route and status.", labels, registry=registry)
        self._seconds = Histogram(
            "citewell_request_seconds", "How long requests took.", ("route",), registry=registry, buckets=_BOUNDS
        )
        self._lost = Counter("citewell_workers_lost", "Processes that were ended or were lost.", registry=registry)
        self._lost_before = 0
        self._gauges = {
            name: Gauge(f"citewell_{name}", what, registry=registry)
            for name, what in (
                ("workers", "Processes that are there to work."),
                ("jobs", "Jobs that wait or are worked on."),
                ("jobs_waiting", "Jobs that wait for a process."),
                ("uploads", "Files that are received or read."),
            )
        }

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def text(self, busy: Busy, uploads: int) -> str:
        """The metrics in Prometheus' format."""
        waiting = max(0, busy.questions - busy.workers)
        now = {"workers": busy.workers, "jobs": busy.questions, "jobs_waiting": waiting, "uploads": uploads}
        for name, value in now.items():
            self._gauges[name].set(value)
        self._lost.inc(busy.lost - self._lost_before)
        self._lost_before = busy.lost
        return str(exposition.generate_latest(self._registry).decode())
