"""Which lines of two states of a text differ."""

from scripts.sources.compare import changed, numbered


def test_only_lines_with_numbers_count_and_what_stands_elsewhere_has_not_changed():
    was = ["# A", "no number", "a 1", "b 2", "c 3000"]
    went, came = changed(was, ["# A", "another word", "b 2", "c 4", "a 1"])
    assert [line.words for line in went] == ["c 3000"] and [line.words for line in came] == ["c 4"]
    assert changed(was, ["# A", "* a **1**", "`b` 2", "| c | 3,000 |"]) == ([], []), "only the type is another"
    assert changed(["# A", "a 1"], ["# B", "a 1"]) != ([], []), "it is about another thing now"


def test_code_has_no_headings():
    assert [line.heading for line in numbered(["# A", "```bash", "# count 2", "```", "a 1"])] == ["A", "A"]
