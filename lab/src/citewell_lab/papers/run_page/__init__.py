"""The report page: overview, papers' tables, analyses with plots, and the items to browse, in one file."""
