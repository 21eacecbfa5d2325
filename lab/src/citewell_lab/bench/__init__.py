"""The benchmark harness: data sets, tasks, metrics, runs that resume, reports that stand beside the papers' figures."""
