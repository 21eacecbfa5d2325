"""Figures of the service for Prometheus: how many requests, how long, and how busy it is; nothing of any document."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from typing import NamedTuple

MEDIA = "text/plain; version=0.0.4; charset=utf-8"
_BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)  # seconds


class Busy(NamedTuple):
    """How busy the workers are.

    Attributes:
        workers: processes that are there.
        asked: jobs that wait or are worked on.
        lost: processes that were ended or were lost, since the service began.
    """

    workers: int
    asked: int
    lost: int


class Metrics:
    """Counts since the service began. Routes are counted by their pattern, never by what a request named."""

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._buckets: defaultdict[str, list[int]] = defaultdict(lambda: [0] * (len(_BOUNDS) + 1))
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests[method, route, status] += 1
        self._buckets[route][bisect_left(_BOUNDS, seconds)] += 1
        self._seconds[route] += seconds

    def told(self, busy: Busy, uploads: int) -> str:
        """The text that Prometheus reads."""
        lines = [
            "# HELP citewell_requests_total Requests by route and status.",
            "# TYPE citewell_requests_total counter",
        ]
        for (method, route, status), count in sorted(self._requests.items()):
            lines.append(f'citewell_requests_total{{method="{method}",route="{route}",status="{status}"}} {count}')
        lines += [
            "# HELP citewell_request_seconds How long requests took.",
            "# TYPE citewell_request_seconds histogram",
        ]
        for route, buckets in sorted(self._buckets.items()):
            below = 0
            for bound, count in zip((*map(str, _BOUNDS), "+Inf"), buckets, strict=True):
                below += count
                lines.append(f'citewell_request_seconds_bucket{{route="{route}",le="{bound}"}} {below}')
            lines.append(f'citewell_request_seconds_sum{{route="{route}"}} {self._seconds[route]:.6f}')
            lines.append(f'citewell_request_seconds_count{{route="{route}"}} {below}')
        for name, kind, what, value in (
            ("workers", "gauge", "Processes that are there to work.", busy.workers),
            ("workers_lost_total", "counter", "Processes that were ended or were lost.", busy.lost),
            ("jobs", "gauge", "Jobs that wait or are worked on.", busy.asked),
            ("jobs_waiting", "gauge", "Jobs that wait for a process.", max(0, busy.asked - busy.workers)),
            ("uploads", "gauge", "Files that are received or read.", uploads),
        ):
            lines += [f"# HELP citewell_{name} {what}", f"# TYPE citewell_{name} {kind}", f"citewell_{name} {value}"]
        return "\n".join(lines) + "\n"
