"""Addresses last: every page that was ever published still answers, and a moved page leads on."""

import pytest
import yaml

from scripts.errors import BadInput
from scripts.paths import ROOT, write_whole
from scripts.site.after import moved
from tests.site.pages import NAMES

ADDRESSES = (ROOT / "tests/site/addresses.txt").read_text(encoding="utf-8").split()


def test_every_address_ever_published_still_answers(site):
    gone = [name for name in ADDRESSES if not (site / name).is_file()]
    assert gone == [], "say in mkdocs.yml, under extra: moved:, where they are now"


def test_every_page_is_in_the_list_of_addresses():
    new = set(NAMES) - set(ADDRESSES)
    assert new == set(), "add them to tests/site/addresses.txt"


@pytest.fixture
def small(tmp_path):
    """A site of two pages, and a function that redirects in it."""
    write_whole(tmp_path / "site/learn/new.html", "<title>The new page</title><h2 id=part>Part</h2>")
    (tmp_path / "site/index.html").write_text("home", encoding="utf-8")

    def redirect(**pages):
        (tmp_path / "mkdocs.yml").write_text(
            yaml.safe_dump(
                {"extra": {"moved": {key.replace("__", "/") + ".html": value for key, value in pages.items()}}}
            ),
            encoding="utf-8",
        )
        moved.write(tmp_path / "site", tmp_path / "mkdocs.yml")
        return tmp_path / "site"

    return redirect


@pytest.mark.parametrize("scripts", [True, False])
def test_an_old_address_leads_on_with_and_without_scripts(small, browser, scripts):
    site = small(clusters__old="learn/new.html")
    context = browser.new_context(java_script_enabled=scripts)
    page = context.new_page()
    page.goto((site / "clusters/old.html").as_uri() + "#part")
    page.wait_for_url("**/learn/new.html*")
    assert page.title() == "The new page"
    assert not scripts or page.url.endswith("#part")
    context.close()


@pytest.mark.parametrize(
    "old, new", [("programs.html#r-lock", "languages.html#r-lock"), ("gpu.html#ray", "language-models.html#ray-start")]
)
@pytest.mark.parametrize("offline", [True, False])
def test_the_address_of_a_message_leads_to_the_page_that_has_it(offline, old, new, visit, folder):
    page = visit(f"wrong/{old}", home=folder.as_uri() if offline else None)
    page.wait_for_url(f"**/wrong/{new}")
    page.evaluate("location.hash = 'no-message'")
    assert page.faults == [] and page.url.endswith(f"/wrong/{new.split('#')[0]}#no-message")


@pytest.mark.parametrize(
    "old, new, words",
    [
        ("index", "learn/new.html", "there is still a page"),
        ("old", "learn/nowhere.html", "no page is at"),
        ("__old", "learn/new.html", "not the old address of a page"),
    ],
)
def test_a_wrong_redirect_is_refused_with_its_line_and_nothing_is_written(small, tmp_path, old, new, words):
    with pytest.raises(BadInput, match=rf"mkdocs.yml:\d+: .*{words}"):
        small(**{"fine": "index.html", old: new})
    assert not (tmp_path / "site/fine.html").exists()


@pytest.mark.parametrize(
    "extra, words",
    [
        ("moved: 3", "`moved` holds no pairs"),
        ("renamed: {old: 3}", "`renamed` holds no pairs"),
        ("renamed: {new: newer}", "there is still a message `new`"),
        ("renamed: {old: newer}", "there is no message `newer`"),
    ],
)
def test_what_cannot_lead_on_is_refused(extra, words, tmp_path):
    config = tmp_path / "mkdocs.yml"
    config.write_text(f"extra:\n  {extra}\n", encoding="utf-8")
    (tmp_path / "wrong").mkdir()
    (tmp_path / "wrong/gpu.html").write_text('<h3 id="new">', encoding="utf-8")
    with pytest.raises(BadInput, match=f"mkdocs.yml:2: {words}"):
        moved.write(tmp_path, config)
