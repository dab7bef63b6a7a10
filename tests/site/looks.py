"""What an open page can be asked by a browser. Each question returns the faults it finds, as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from axe_playwright_python.base import AXE_SCRIPT

if TYPE_CHECKING:
    from playwright.sync_api import Page

PHONE, DESK, NARROWEST = 390, 1280, 320  # px
HEIGHT = 844  # px
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OF_COLOURS = ["color-contrast", "link-in-text-block"]

# A browser on a busy machine may stop drawing a page that it was told to resize, and then no frame ever comes: what is
# asked next needs the layout, which is there without one. So nothing waits for a drawing longer than this.
LONGEST = 5000  # ms
WITHIN = f"(wait => Promise.race([wait, new Promise(done => setTimeout(done, {LONGEST}))]))"
TWO_FRAMES = f"{WITHIN}(new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))"
STILL = "Promise.all(document.getAnimations().map(one => one.finished.catch(() => null)))"
AT_REST = f"{TWO_FRAMES}.then(() => {WITHIN}({STILL})).then(() => null)"

# Every collapsed block and part that waits to be found, open.
OPEN_ALL = """() => {
  document.querySelectorAll('details').forEach(details => details.open = true)
  document.querySelectorAll('[hidden=until-found]').forEach(part => part.hidden = false)
}"""


def resize(page: Page, width: int) -> None:
    """Give the page another width, in px, and wait until it is drawn anew and its scripts have seen it."""
    page.set_viewport_size({"width": width, "height": HEIGHT})
    page.evaluate(TWO_FRAMES)


def at_rest(page: Page) -> None:
    """Ask for no more motion than a reader who dislikes it, and wait until what opens or closes has done so."""
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(AT_REST)


# The title of the contents stays, too, and the contents follow the page.
CONTENTS_TO_THE_TOP = "document.querySelectorAll('.md-sidebar__scrollwrap').forEach(e => e.scrollTo(0, 0))"


def axe(page: Page, rules: Sequence[str] = RULES) -> list[str]:
    """What axe-core objects to: the rule, and the HTML of the first three places."""
    page.evaluate("scrollTo(0, 0)")  # or the head, which stays, covers what lies at its edge
    at_rest(page)
    page.evaluate(CONTENTS_TO_THE_TOP)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    ask = "runOnly => axe.run({runOnly, resultTypes: ['violations']})"
    violations = page.evaluate(ask, list(rules))["violations"]
    return [f"{v['id']}: {[node['html'][:120] for node in v['nodes'][:3]]}" for v in violations]


def axe_at_widths(page: Page, widths: Sequence[int], rules: Sequence[str] = RULES) -> list[str]:
    """What axe-core objects to at each width, in px."""
    faults = []
    for width in widths:
        resize(page, width)
        faults += axe(page, rules)
    return faults


# To be run before the page is: keeps what moves, and counts what the search was asked and has answered. The theme's
# script asks a worker for it, and the site puts its own in the place of that one.
WATCH = """
addEventListener('securitypolicyviolation',
  event => console.error('refused', event.violatedDirective, event.blockedURI, event.sample))
window.shifts = []
window.watching = new PerformanceObserver(list => shifts.push(...list.getEntries()))
watching.observe({type: 'layout-shift', buffered: true})
window.searches = {asked: 0, answered: 0}
let watched
Object.defineProperty(window, 'Worker', {get: () => watched, set: Search => {
  watched = class extends Search {
    constructor(...given) {
      super(...given)
      this.addEventListener('message', ({data}) => data.type === 3 && searches.answered++)
    }
    postMessage(message, ...rest) {
      if (message.type === 2) searches.asked++
      super.postMessage(message, ...rest)
    }
  }
}})
"""
SHIFTED = """() => {
  shifts.push(...watching.takeRecords())
  const arrived = performance.getEntriesByType('navigation')[0].domContentLoadedEventStart
  const sum = list => list.filter(shift => !shift.hadRecentInput).reduce((sum, shift) => sum + shift.value, 0)
  return {all: sum(shifts), arrived: sum(shifts.filter(shift => shift.startTime >= arrived))}
}"""
# Everything is here and drawn: the files the page names, its pictures, its fonts, and what its scripts have changed.
READY = f"""async () => {{
  const near = [...document.images].filter(image => image.complete || image.loading !== 'lazy')
  await Promise.all(near.map(image => image.decode().catch(() => null)))
  await document.fonts.ready
  await {TWO_FRAMES}
}}"""


def shifted(page: Page) -> list[str]:
    """Scroll through an open page. Nothing may move by itself once its text is there."""
    page.evaluate(READY)
    for _ in range(5):
        page.mouse.wheel(0, 2000)
        page.evaluate(TWO_FRAMES)
    moved = page.evaluate(SHIFTED)
    # While the page still arrives, a busy machine may paint a part of it: then the usual bound for a good page holds.
    if moved["arrived"] < 0.01 and moved["all"] < 0.1:
        return []
    return [
        f"the layout shifts by {moved['arrived']:.3f}, and by {moved['all']:.3f} while the page arrives. "
        "A picture needs its width and height, a script must not add what moves the text."
    ]


# Text whose box ends right of the screen and that no code block or table scrolls into sight.
CUT = """() => [...document.querySelectorAll('article *, .md-footer *')]
  .filter(e => e.getBoundingClientRect().right > innerWidth + 1 && e.checkVisibility()
    && !e.closest('pre, .own-editor, .md-typeset__scrollwrap, caption'))
  .map(e => e.outerHTML.slice(0, 120))"""


def overhanging(page: Page, width: int) -> list[str]:
    """Is the page wider than its screen?"""
    needed = page.evaluate("document.documentElement.scrollWidth")
    return [] if needed <= width else [f"the page is {needed} px wide on a screen of {width} px"]


def cut(page: Page) -> list[str]:
    return [f"hangs over the edge of the screen: {html}" for html in page.evaluate(CUT)]


# What has the focus, and what is wrong with it; what is seen in place of a hidden radio button or check box.
FOCUS = """() => {
  const pen = window.pen ??= new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true})
  const light = (...colours) => {  // the last on top: it may be seen through
    for (const colour of colours) {
      pen.fillStyle = colour
      pen.fillRect(0, 0, 1, 1)
    }
    const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].map(each => each / 255)
      .map(each => each <= .04045 ? each / 12.92 : ((each + .055) / 1.055) ** 2.4)
    return .2126 * r + .7152 * g + .0722 * b + .05
  }
  const contrast = (line, ground) => Math.max(light(ground, line) / light(ground), light(ground) / light(ground, line))
  const ground = element => {
    for (let at = element; at; at = at.parentElement) {
      const {backgroundColor} = getComputedStyle(at)
      if (!/transparent|, 0(\\.\\d+)?\\)$/.test(backgroundColor)) return backgroundColor
    }
    return 'white'
  }
  const e = document.activeElement
  if (e === document.body || e === null) return null
  const seen = e.matches('.md-option') ? e.nextElementSibling : e
  const box = seen.getBoundingClientRect(), style = getComputedStyle(seen), faults = []
  const across = [box.left + 2, box.left + box.width / 2, box.right - 2],
    down = [box.top + 2, box.top + box.height / 2, box.bottom - 2]
  const points = across.flatMap(x => down.map(y => document.elementFromPoint(x, y)))
  if (!points.some(point => point && (seen.contains(point) || point.contains(seen)))) faults.push('cannot be seen')
  if (style.outlineStyle === 'none' || parseFloat(style.outlineWidth) < 2) faults.push('has no outline')
  else if (contrast(style.outlineColor, ground(seen)) < 3) faults.push('has an outline of the colour of its ground')
  e.dataset.reached = 'yes'
  return [e.outerHTML.slice(0, 120), faults.join(', ')]
}"""
# What a mouse can use and Tab did not come to. What Material takes out of the order has a radio button that is in it.
MISSED = """() => [
    ...document.querySelectorAll('article :is(a[href], button, summary), .md-header a, nav a.md-nav__link')]
  .filter(e => e.tabIndex >= 0)
  .filter(e => e.checkVisibility({visibilityProperty: true}) && !e.dataset.reached)
  .filter(e => e.getBoundingClientRect().width && e.getBoundingClientRect().right > 0)
  .map(e => e.outerHTML.slice(0, 120))"""


def tab_through(page: Page) -> list[str]:
    """Press Tab from the page's start to its end: what is wrong with any stop."""
    at_rest(page)
    page.evaluate("scrollTo(0, 0)")
    faults, stops = [], 0
    while stops < 1000:
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUS)
        if at is None:
            break
        stops += 1
        if at[1]:  # the search box opens a moment later
            at_rest(page)
            at = page.evaluate(FOCUS)
        faults += [f"the focus {at[1]}: {at[0]}"] if at[1] else []
    assert 5 < stops < 1000
    return faults


def missed(page: Page) -> list[str]:
    return [f"Tab does not reach {html}" for html in page.evaluate(MISSED)]


# Opens the details and hidden parts around a button, presses it, and reads the clipboard.
PRESS = """async button => {
  for (let at = button; at; at = at.parentElement) {
    if (at.tagName === 'DETAILS') at.open = true;
    if (at.matches('[hidden=until-found]')) at.hidden = false;
  }
  await navigator.clipboard.writeText('nothing was copied');
  button.click();
  for (let tries = 0; tries < 250; tries++) {
    const text = await navigator.clipboard.readText();
    if (text !== 'nothing was copied') return text;
    await new Promise(done => setTimeout(done, 20));
  }
  return 'nothing was copied';
}"""
BUTTONS = "button[data-clipboard-target], button.md-code__button[title*='opy']"


def not_copied(page: Page, wanted: Sequence[str]) -> list[str]:
    """Press every copy button. Which of these texts did none of them give?"""
    if wanted:
        page.wait_for_selector(BUTTONS, state="attached")
    copied = [button.evaluate(PRESS) for button in page.query_selector_all(BUTTONS)]
    return [f"no button copies this text: {text[:200]}" for text in wanted if text not in copied]


# Where the results lead, best first: of each page the best part, to which Enter leads.
RESULTS = """() => [...document.querySelectorAll('.md-search-result__list > .md-search-result__item')]
  .map(item => [...item.querySelectorAll('a')].reduce((best, link) => {
    const score = a => Number(a.querySelector('[data-md-score]').dataset.mdScore)
    return score(link) > score(best) ? link : best
  }).href.replace(new URL(document.querySelector('.md-logo').href + '/..').href, ''))"""
ANSWERED = "() => searches.asked && searches.answered === searches.asked"


def search(page: Page, words: str) -> list[str]:
    """Open the search box by its key, paste the words, and wait for the answer.

    Returns what was found, best first, as `learn/page.html#part`. The page must have been opened with WATCH.
    """
    page.keyboard.press("/")
    page.wait_for_selector(".md-search__input:focus")
    page.keyboard.insert_text(words)
    page.keyboard.press("End")  # the theme's script listens to keys
    assert page.input_value(".md-search__input") == words
    page.wait_for_function(ANSWERED)
    at_rest(page)
    return page.evaluate(RESULTS)
