"""Many documents in a database: read once, found at once, answered from with the same results as one document."""
