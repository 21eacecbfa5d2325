"""What a table's cells mean: headers, labels, values, units, scales and periods, from the grid that a reader saw."""
