"""Lay the book out and print it with Chromium: twice, since the contents' page numbers are known after the first time.

No server and no network: every request is answered from the site's folder or refused, and a refusal is a fault.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pikepdf
from playwright.sync_api import Browser, Page, Route, sync_playwright

from scripts.browser import browser
from scripts.errors import BadInput

HOST = "http://guide.invalid"
TEXT_WIDTH = 174  # mm: A4 less its margins, see print.css

# Makes code smaller whose lines would not fit, down to 6.3 pt; marks tables that upright paper is too narrow for; then
# returns what would be missing on paper, as [page, fault] pairs.
LAY_OUT = """async () => {
  await document.fonts.ready;
  await Promise.all([...document.images].map(image => image.decode().catch(() => null)));
  const faults = [], page = at => at.closest('article')?.dataset.source ?? 'the title page';
  const SMALLEST = 8.4;  // px: 6.3 pt
  const pen = document.createElement('canvas').getContext('2d');
  const smaller = [...document.querySelectorAll('.code:has(.long)')].map(code => {
    const style = getComputedStyle(code), size = parseFloat(style.fontSize);
    pen.font = `${style.fontWeight} 100px ${style.fontFamily}`;
    const room = code.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const letters = Math.max(...[...code.querySelectorAll('.long')].map(line => line.textContent.length));
    return [code, size, room / letters / (pen.measureText('0').width / 100) * 0.995];
  });
  for (const [code, size, fits] of smaller)
    if (fits < size && fits >= SMALLEST) code.style.fontSize = `${fits}px`;
  for (const table of document.querySelectorAll('article table')) {
    table.style.overflowWrap = 'normal';
    if (table.scrollWidth > table.parentElement.clientWidth + 1) {
      const across = document.createElement('div');
      across.className = 'across';
      across.style.width = '259mm';
      table.replaceWith(across);
      across.append(table);
      if (table.scrollWidth > across.clientWidth + 1) table.style.overflowWrap = '';
    }
  }
  for (const image of document.images)
    if (!image.naturalWidth) faults.push([page(image), `the picture "${image.alt}" cannot be shown.`]);
  const limit = document.body.getBoundingClientRect().right + 1;
  for (const at of document.body.querySelectorAll('*')) {
    const style = getComputedStyle(at), words = at.textContent.trim().replace(/\\s+/g, ' ').slice(0, 60);
    if (!words) continue;
    const cuts = value => value !== 'visible';
    if ((cuts(style.overflowX) && at.scrollWidth > at.clientWidth + 1)
        || (cuts(style.overflowY) && at.scrollHeight > at.clientHeight + 1))
      faults.push([page(at), `a part hides what does not fit into it: "${words}".`]);
    else if (!at.checkVisibility({opacityProperty: true, visibilityProperty: true}))
      faults.push([page(at), `a part is hidden: "${words}".`]);
    else if (!at.closest('.across') && at.getBoundingClientRect().right > limit)
      faults.push([page(at), `a part is wider than the paper: "${words}".`]);
  }
  return faults;
}"""
NUMBER = (
    """pages => document.querySelectorAll('.number').forEach(cell => { cell.textContent = pages[cell.dataset.for]; })"""
)


@contextmanager
def chromium() -> Iterator[Browser]:
    executable = browser()
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=executable, args=["--no-sandbox", "--disable-background-networking"]
        )
        yield started
        started.close()


def pages_of(pdf: bytes) -> dict[str, int]:
    """Destination -> page number, counted from 1."""
    with pikepdf.open(BytesIO(pdf)) as opened:
        number = {page.objgen: index for index, page in enumerate(opened.pages, 1)}
        return {str(key).removeprefix("/"): number[target[0].objgen] for key, target in opened.Root.Dests.items()}


def printed(page: Page) -> bytes:
    return page.pdf(prefer_css_page_size=True, print_background=True, tagged=True, outline=True)


def print_book(browser: Browser, html: str, site: Path) -> bytes:
    """The PDF of the document; raises BadInput for the first thing that paper would not show.

    html: its pictures are named from the site's root.
    """
    refused: list[str] = []

    def answer(route: Route) -> None:
        address = urlsplit(route.request.url)
        file = site / unquote(address.path).lstrip("/")
        if f"{address.scheme}://{address.netloc}" != HOST:
            refused.append(route.request.url)
            route.abort()
        elif address.path == "/":
            route.fulfill(body=html, content_type="text/html; charset=utf-8")
        elif file.is_file():
            route.fulfill(path=file)
        else:
            route.fulfill(status=404)

    context = browser.new_context(
        java_script_enabled=True,
        color_scheme="light",
        viewport={"width": round(TEXT_WIDTH / 25.4 * 96), "height": 1000},
    )
    try:
        page = context.new_page()
        page.route("**/*", answer)
        page.emulate_media(media="print")
        page.goto(HOST + "/")
        faults = page.evaluate(LAY_OUT)
        faults += [("the site", f"something is asked of another host: {address}.") for address in refused]
        if faults:
            (place, what), cure = faults[0], "Change the page so that all of it can be printed."
            raise BadInput(place, None, what, f"{cure} ({len(faults)} in total)")
        first = pages_of(printed(page))
        page.evaluate(NUMBER, first)
        pdf = printed(page)
        if pages_of(pdf) != first:
            raise RuntimeError("the page numbers moved when they were written into the contents")
        return pdf
    finally:
        context.close()
