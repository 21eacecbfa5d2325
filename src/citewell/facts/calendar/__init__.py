"""The calendar of a document: typed periods, and the company's names for its fiscal years."""
