"""Numbers of facts are found as pages spell them, and not in other numbers."""

import pytest

from scripts.sources.canonical_form import holds
from scripts.sources.compare import changed, numbered

RIGHT = {
    "3-00:00:00": ["3 days", "| 72 hours |", "72:00:00", "3-00:00:00", "3-00", "at most 72h", "4320 minutes"],
    "0-00:15:00": ["15 minutes", "00:15:00", "0:15:00", "15 min"],
    "1-12:00:00": ["36 hours", "1-12:00:00", "36:00:00"],
    "373 GiB": ["373 GiB", "373GB", "`--mem=373G`", "| 373 |"],
    "247000 MB": ["247,000 MB", "247000M", "247 GB"],
    "1 TiB": ["1 TiB", "1024 GiB"],
    "400": ["at most 400 jobs", "(400)", "400."],
    "2026-07-31": ["31 July 2026", "July 31, 2026", "2026-07-31", "31st of July", "Jul 31"],
}
WRONG = {
    "3-00:00:00": ["13 days", "3 daystar", "172:00:00", "3-00:00:01"],
    "0-00:15:00": ["115 minutes", "15:00:00"],
    "373 GiB": ["1373 GiB", "373.5 GiB", "3730"],
    "400": ["1400", "4000", "400.5", "400,000 files", "x400"],
    "2026-07-31": ["31 August 2026", "131 July"],
    "in words": ["1", "in words"],
}


@pytest.mark.parametrize("value, line", [(value, line) for value, lines in RIGHT.items() for line in lines])
def test_a_number_is_found_as_it_is_spelled(value, line):
    assert holds(line, value)


@pytest.mark.parametrize("value, line", [(value, line) for value, lines in WRONG.items() for line in lines])
def test_another_number_is_not_it(value, line):
    assert not holds(line, value)


def test_only_lines_with_numbers_count_and_what_stands_elsewhere_has_not_changed():
    was = ["# A", "no number", "a 1", "b 2", "c 3"]
    went, came = changed(was, ["# A", "another word", "b 2", "c 4", "a 1"])
    assert [line.words for line in went] == ["c 3"] and [line.words for line in came] == ["c 4"]
    assert changed(was, ["# A", "* a **1**", "`b` 2", "| c | 3 |"]) == ([], []), "only the type is another"
    assert changed(["# A", "a 1"], ["# B", "a 1"]) != ([], []), "it is about another thing now"


def test_code_has_no_headings():
    assert [line.heading for line in numbered(["# A", "```bash", "# count 2", "```", "a 1"])] == ["A", "A"]
