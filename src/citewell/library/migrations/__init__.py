"""Migrations of the tables from one version of citewell to the next, run by Alembic."""
