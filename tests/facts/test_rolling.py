"""Rows between two balances are of the year of the later one."""

from citewell import read

ROWS = (
    ("Nonvested at December 31, 2018", 2018), ("Granted", 2019), ("Vested", 2019),
    ("Nonvested at December 31, 2019", 2019), ("Granted", 2020), ("Nonvested at December 31, 2020", 2020),
    ("Expected to vest", None),
)  # fmt: skip


def years(rows):
    lines = "\n".join(f"| {label} | {10 + number} | {20 + number} |" for number, (label, _) in enumerate(rows))
    text = f"# Oriel\n\n## Shares\n\n| | Shares | Fair value |\n|---|---|---|\n{lines}\n"
    (table,) = read(text.encode(), name="oriel.md").tables()
    return [(cell.row_path[-1], cell.year) for cell in table.values() if cell.column == 1]


def test_rows_between_three_balances_have_the_year_of_the_next():
    assert years(ROWS) == list(ROWS)


def test_rows_between_balances_of_years_apart_have_none():
    rows = (ROWS[0], ("Granted", None), ROWS[5])
    assert years(rows) == list(rows)
