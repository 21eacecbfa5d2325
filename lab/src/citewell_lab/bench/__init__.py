"""The benchmark harness: data sets, tasks, metrics, resumable runs, reports next to the papers' figures."""
