"""A family's page: each system's own words in their places, and every line with the file where it is edited."""

from pathlib import Path

import pytest
from markdown import Markdown

from scripts import markdown
from scripts.errors import BadInput
from scripts.families import page
from scripts.families.page import lines_of
from scripts.paths import write_whole
from scripts.site import build

SHARED = """# @NAME@

@OWN@

--8<-- "build/made/tables/@KEY@/status.md"

## Data

Before.

@OWN@

After.

## Sources

@OWN@
- last
"""
OWN = """---
description: Fir
---
<!-- page: snippets/families/tiny/page.md as fir -->
# Fir

A lead.

## Sources

- first
"""


@pytest.fixture
def own(tmp_path, monkeypatch) -> Path:
    """A system's page below a root where its family's page stands."""
    shared = tmp_path / "snippets/families/tiny/page.md"
    write_whole(shared, SHARED)
    monkeypatch.setattr(page, "ROOT", tmp_path)
    monkeypatch.setattr(markdown, "ROOT", tmp_path)
    path = tmp_path / "fir.md"
    path.write_text(OWN, encoding="utf-8")
    return path


def test_own_words_stand_below_their_headings(own):
    assert "\n".join(line.text for line in lines_of(OWN, own)) == (
        '---\ndescription: Fir\n---\n# Fir\n\nA lead.\n\n--8<-- "build/made/tables/fir/status.md"\n\n'
        "## Data\n\nBefore.\n\nAfter.\n\n## Sources\n\n- first\n- last\n"
    )


def test_each_line_says_where_it_is_edited(own):
    places = {line.text: (line.file.name, line.number) for line in lines_of(OWN, own)}
    assert places["description: Fir"] == ("fir.md", 2)
    assert places["# Fir"] == ("page.md", 1)
    assert places["A lead."] == ("fir.md", 7)
    assert places["After."] == ("page.md", 13)


def test_a_heading_inside_a_fence_is_none(own):
    lines = lines_of(OWN + "\n```bash\n# no heading\n```\n", own)
    assert [line.text for line in lines][-6:] == ["", "```bash", "# no heading", "```", "- last", ""]


def test_a_blank_line_before_the_shared_items_is_left_out_and_one_between_them_stays(own):
    shared = own.parent / "snippets/families/tiny/page.md"
    shared.write_text(SHARED.replace("@OWN@\n- last\n", "@OWN@\n\n- next\n\n- last\n"), encoding="utf-8")
    assert [line.text for line in lines_of(OWN, own)][-5:] == ["- first", "- next", "", "- last", ""]


def test_a_page_without_a_family_stays_as_it_is(own):
    assert [line.text for line in lines_of("# A page\n\n@OWN@\n", own)] == ["# A page", "", "@OWN@", ""]


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("tiny/page.md", "none/page.md", r"fir\.md:4: there is no snippets/families/none/page\.md"),
        ("## Sources", "## Source", r"fir\.md:11: the shared page has no line @OWN@ below `## Source`"),
    ],
)
def test_a_page_that_does_not_fit_is_refused(own, old, new, said):
    with pytest.raises(BadInput, match=said):
        lines_of(OWN.replace(old, new), own)


def test_a_fault_of_the_shared_page_is_told_with_its_own_line(own):
    with pytest.raises(BadInput, match=r"families/tiny/page\.md:5: there is no file build/made/tables/fir/status\.md"):
        build.check_page(own)


def test_it_is_a_markdown_extension(own):
    html = Markdown(extensions=["scripts.families.page"]).convert(OWN.split("---\n")[2])
    assert "<h1>Fir</h1>\n<p>A lead.</p>" in html and "<li>first</li>\n<li>last</li>" in html
