"""The built site in a real browser: what the copy buttons put on the clipboard, and what a phone shows."""

import pytest

from scripts.site.server import serve
from scripts.pdf.printer import chromium
from tests.needs import need_browser
from tests.snippets.sandbox import ROOT
from tests.site.test_pages import INCLUDE, PAGES


@pytest.fixture(scope="module")  # not longer: playwright keeps an event loop while it is open
def address(site):
    with serve(site) as server:
        yield f"http://127.0.0.1:{server.server_port}"


@pytest.fixture(scope="module")  # not longer: playwright keeps an event loop while it is open
def browser():
    need_browser()
    with chromium() as browser:
        yield browser


@pytest.fixture
def context(browser, address):
    """A browser context that refuses, and remembers, every request to another host."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"], viewport={"width": 390, "height": 844})
    context.set_default_timeout(30_000)
    context.elsewhere = []

    def gate(route):
        if route.request.url.startswith(address) or route.request.url.startswith(("data:", "blob:")):
            return route.continue_()
        context.elsewhere.append(route.request.url)
        return route.abort()

    context.route("**/*", gate)
    yield context
    context.close()


# Opens the tabs and details around a button, presses it, and reads the clipboard.
PRESS = """async button => {
  for (let at = button; at; at = at.parentElement) {
    if (at.tagName === 'DETAILS') at.open = true;
    if (at.classList.contains('tabbed-block')) {
      const set = at.closest('.tabbed-set');
      set.querySelectorAll(':scope > input')[[...at.parentElement.children].indexOf(at)].click();
    }
  }
  await navigator.clipboard.writeText('nothing was copied');
  button.click();
  for (let tries = 0; tries < 50; tries++) {
    await new Promise(done => setTimeout(done, 20));
    const text = await navigator.clipboard.readText();
    if (text !== 'nothing was copied') return text;
  }
  return 'nothing was copied';
}"""
BUTTONS = "button[data-clipboard-target], button.md-code__button[title*='opy']"


@pytest.mark.parametrize("source", PAGES, ids=[str(page.relative_to(ROOT / "docs")) for page in PAGES])
def test_copy_buttons_give_the_files_and_nothing_else_is_asked_for(source, context, address):
    page = context.new_page()
    page.goto(f"{address}/{source.relative_to(ROOT / 'docs').with_suffix('.html')}")
    page.wait_for_load_state("networkidle")
    wanted = [(ROOT / name).read_text().rstrip() for name in INCLUDE.findall(source.read_text()) if not name.endswith(".md")]
    if wanted:
        page.wait_for_selector(BUTTONS, state="attached")
    copied = [button.evaluate(PRESS) for button in page.query_selector_all(BUTTONS)]
    assert [text for text in wanted if text not in copied] == []
    assert context.elsewhere == []


@pytest.mark.parametrize("source", PAGES, ids=[str(page.relative_to(ROOT / "docs")) for page in PAGES])
def test_nothing_hangs_over_the_edge_of_a_phone(source, context, address):
    page = context.new_page()
    page.goto(f"{address}/{source.relative_to(ROOT / 'docs').with_suffix('.html')}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
