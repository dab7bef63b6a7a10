"""Where links land: one that names a cluster on the cluster's page, one into something closed at what it has opened."""

import re

from scripts.facts import load_all
from scripts.facts.centres import load_centres
from scripts.paths import ROOT
from tests.site.looks import DESK

NAMES = {name: key for key, cluster in load_all().items() for name in cluster.name.split("/")}
CENTRES = {centre.name for centre in load_centres().values()}


def astray(text: str, address: str) -> bool:
    """Does a link with this text name a cluster, and lead to no page of one that it names? Other sites' are theirs."""
    named = {key for name, key in NAMES.items() if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)}
    if not named or text in CENTRES or re.match(r"https?:|#", address):
        return False
    return not any(re.search(rf"(^|/){key}(\.html|/|$)", address) for key in named)


def test_a_link_that_names_a_cluster_lands_on_its_page(pages):
    links = [
        (name, link.text_content().strip(), link.get("href"))
        for name, page in pages.items()
        for link in page.cssselect("article a[href]")
    ]
    named = [text for _, text, _ in links if any(name in text for name in NAMES)]
    assert len(named) > 50 and [link for link in links if astray(*link[1:])] == []


def test_the_tools_own_links_lead_to_a_heading(pages):
    """Those in the engine's answers, which no page has."""
    files = [*(ROOT / "scripts/engine/js").rglob("*.js"), *(ROOT / "scripts/engine/data").glob("*.py")]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files if ".test." not in file.name)
    links = re.findall(r"[`\"]((?:about|clusters|learn|wrong)/[\w-]+\.html)(?:#([\w-]+))?[`\"]", text)
    assert len(links) > 3 and [link for link in links if link[1] and link[1] not in pages[link[0]].xpath("//@id")] == []
    assert {page for page, _ in links} <= pages.keys()


IN_SIGHT = """([id]) => {
  const part = document.getElementById(id), top = part.getBoundingClientRect().top
  return part.checkVisibility() && top >= 0 && top < innerHeight
}"""


def test_a_link_to_a_heading_inside_a_closed_block_opens_it(visit):
    """By its address, and by a link, also by the same one again."""
    part = "a-session"
    visit(f"clusters/puhti.html#{part}", DESK).wait_for_function(IN_SIGHT, arg=[part])
    page = visit("clusters/puhti.html", DESK)
    for _ in range(2):
        page.evaluate("document.querySelectorAll('details').forEach(block => block.open = false)")
        assert not page.locator(f"#{part}").is_visible()
        page.locator(f".md-sidebar--secondary a[href='#{part}']").click()
        page.wait_for_function(IN_SIGHT, arg=[part])
    assert page.faults == []


KINDS = (
    "[...document.querySelectorAll('.kinds ~ div > h2')].filter(head => head.checkVisibility()).map(head => head.id)"
)


def test_scripts_of_a_system_share_a_place_and_every_link_reaches_them(visit):
    page = visit("clusters/lumi.html#jupyter", DESK)
    page.wait_for_function(IN_SIGHT, arg=["jupyter"])
    assert visit("clusters/lumi.html#%").faults == []
    page = visit("clusters/lumi.html", DESK)
    assert page.evaluate(KINDS) == ["one-gpu"] and page.locator("details:not([open]):visible").count() <= 1
    page.locator(".kinds a[href='#many-jobs']").click()
    assert page.evaluate(KINDS) == ["many-jobs"] and page.locator(".kinds a[aria-current]").inner_text() == "Job array"
    page.locator(".md-sidebar--secondary a[href='#a-session']").click()
    page.wait_for_function(IN_SIGHT, arg=["a-session"])
    page.go_back()
    page.wait_for_function(IN_SIGHT, arg=["many-jobs"])
    page.go_back()
    page.wait_for_function(f"() => {KINDS}[0] === 'one-gpu'")
    assert page.evaluate("find('more_nodes.sh')") and page.faults == []
    page.emulate_media(media="print")
    assert len(page.evaluate(KINDS)) == 7
    wraps = "code => getComputedStyle(code).whiteSpaceCollapse + getComputedStyle(code).textWrapMode"
    assert page.locator("pre > code").first.evaluate(wraps) == "preservewrap", "paper cuts no line of code"


def test_without_its_script_a_systems_page_is_open(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/clusters/lumi.html")
    assert page.locator("#more-than-one-node").is_visible() and page.locator("#a-session").is_visible()
    context.close()
