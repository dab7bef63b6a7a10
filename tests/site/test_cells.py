"""Numbers in a table end under each other; a date and a short option are never cut."""

from markdown import markdown

from tests.site import looks

TABLE = """
| Name | GB/s | Read | Text |
| -- | -- | -- | -- |
| `--gpus-per-node=1` | 1,935 | 2026-11-23 | 2 or 3 of rocm-smi |
| `a long command --with 80 GB` | – | 2026-11 | 3 or 80 GB |
| c | 90.5 | undated | 4 |

Use `--cpus-per-task`, not `my-own-program`.
"""


def test_columns_of_numbers_are_marked_and_words_stay_whole():
    html = markdown(TABLE, extensions=["tables", "scripts.site.extension"])
    assert html.count('class="digits"') == 4 and '<th class="digits" scope="col">GB/s</th>' in html
    assert '<td><span class="whole">2026-11-23</span></td>' in html and '<span class="whole">2026-11</span>' in html
    assert "of <span" in html and '<code class="whole">--gpus-per-node=1</code>' in html
    assert '<code class="whole">--cpus-per-task</code>, not <code>my-own' in html
    assert "<code>a long command --with 80 GB<" in html and 'or <span class="whole">80 GB</span>' in html


def test_a_table_in_html_can_have_wide_cells_and_a_listing_a_file_of_no_folder():
    row = "<tr>\n<td>1</td>\n{}</tr>\n"
    rows = row.format("") + row.format("<td>2</td>\n")
    heads = "<thead>\n<tr>\n<th>A</th>\n<th>B</th>\n</tr>\n</thead>\n"
    page = f'<table markdown>\n{heads}<tbody>\n{rows}</tbody>\n</table>\n\n```yaml\n--8<-- "mkdocs.yml"\n```\n'
    html = markdown(page, extensions=["md_in_html", "scripts.site.extension"])
    assert html.count('class="digits"') == 3 and "<caption>A</caption>" in html and 'title="mkdocs.yml"' in html


def test_links_have_the_colors_of_the_guide(visit):
    color = "getComputedStyle(document.querySelector('article p a:not(.term)')).color"
    found = {
        scheme: visit("learn/pytorch.html", scheme=scheme, fresh=True).evaluate(color) for scheme in ("light", "dark")
    }
    assert found == {"light": "rgb(0, 105, 92)", "dark": "rgb(95, 201, 184)"}


def test_numbers_of_a_page_end_under_each_other(visit):
    page = visit("learn/precision.html", looks.DESK)
    assert page.evaluate("getComputedStyle(document.querySelector('td.digits')).textAlign") == "right"
