"""Many documents in a database: read and indexed once, with the same results as for a single document."""
