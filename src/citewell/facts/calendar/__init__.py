"""The calendar of a document: typed periods of words, and how a company names its fiscal years."""
