"""The meaning of table cells: headers, labels, values, units, scales and periods, from the grid of the reader."""
