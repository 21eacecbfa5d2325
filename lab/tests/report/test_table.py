"""One table in all its forms, and pages that what they show cannot change."""

import pytest

from citewell.errors import InputError
from citewell.export.html_text import fill
from citewell.text import files
from citewell.text.columns import aligned
from citewell_lab.report.page import page
from citewell_lab.report.table import Report, Table
from citewell_lab.report.values import Interval, format_value, ranged

TABLE = Table("t", "Title", ("name", "share", "spans", "at"), (("a", 0.5, 3, 0.25), ("b", None, 4, -1.0)), ("at",))


def test_a_table_shows_percentages_and_keeps_fractions():
    assert TABLE.text().splitlines()[2:] == [
        "name  share  spans      at",
        "a      50.0      3   0.250",
        "b         –      4  -1.000",
    ]
    assert TABLE.csv() == "name,share,spans,at\na,0.5,3,0.25\nb,,4,-1.0\n"
    assert TABLE.to_dict()["rows"][1] == {"name": "b", "share": None, "spans": 4, "at": -1.0}


def test_words_stand_to_the_left_and_figures_to_the_right():
    table = Table("t", "T", ("", "kind", "n"), (("a", "long word", 1), ("b", "x", 20)), whose=("ours", "paper"))
    assert table.text().splitlines()[2:] == ["     kind        n", "> a  long word   1", "  b  x          20"]
    assert table.markdown().splitlines()[2:] == [
        "|  | kind | n |",
        "| --- | --- | ---: |",
        "| **a** | long word | 1 |",
        "| b | x | 20 |",
    ]
    assert "<tr class=ours><th scope=row>a</th><td class=word>ours</td><td class=word>long word</td>" in table.html()


def test_wide_characters_take_two_columns():
    assert aligned([["表", "1"], ["abc", "20"]], [True, False]) == ["表    1", "abc  20"]


def test_what_a_cell_holds_is_no_markup():
    table = Table("t", "T", ("", "r"), (("a | b <i>", "+0.5**"),), notes=("* p < 0.05",))
    assert "| a \\| b <i> | +0.5\\*\\* |" in table.markdown()
    assert "- \\* p < 0.05" in table.markdown()
    assert "a | b &lt;i&gt;" in table.section()
    assert "<li>* p &lt; 0.05</li>" in table.section()


def test_an_interval_is_written_with_its_mean_or_alone():
    interval = Interval(0.5, 0.25, 0.75)
    assert format_value(interval) == "50.0 (25.0 to 75.0)"
    assert ranged(interval, "+") == "+25.0 to +75.0"
    assert ranged(None) is None
    assert Table("t", "", ("", "x"), (("a", interval),)).to_dict()["rows"][0]["x"]["low"] == 0.25


def test_a_slot_in_what_is_shown_stays_text():
    assert fill("{{a}} {{b}}", {"a": "{{b}}", "b": "x"}) == "{{b}} x"
    assert "<title>&lt;x&gt;</title>" in page("<x>", "<p>{{style}}</p>")
    assert "<p>{{style}}</p>" in page("<x>", "<p>{{style}}</p>")


def test_a_reports_files_are_written_together_or_the_folder_is_named(tmp_path):
    report = Report((TABLE,), {"seed": 0})
    paths = files.write_all(tmp_path / "new", {"a/t.csv": report.tables[0].csv(), "t.txt": report.text()})
    assert [path.read_text().splitlines()[0] for path in paths] == ["name,share,spans,at", "Title"]
    with pytest.raises(InputError, match="cannot be written"):
        files.write_all(tmp_path / "new" / "t.txt", {"x": ""})
