"""The benchmark harness: data sets, tasks, metrics, resumable runs, reports next to the papers' figures."""

# The kinds of error by what is given; `any` is each of them.
ERRORS = {"answers": ("unanswerable", "poor"), "claims": ("contradicted", "missing", "partial")}
