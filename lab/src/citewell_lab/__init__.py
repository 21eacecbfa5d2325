"""The laboratory: benchmarks, studies of four papers, training. A plug-in of citewell, which never imports it."""
