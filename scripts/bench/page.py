"""The page "Write or check a job script" in a browser: from a reader's input to the verdict below it.

The first verdict of an open page is the slowest, since nothing is compiled yet; each text is the first of a page of its
own, a second after that is there. `make site` first.
"""

from __future__ import annotations

from scripts.bench.timing import say
from scripts.bench.verdict import FRAME, PROCESSES, SYSTEM, texts
from scripts.errors import BadInput
from scripts.paths import ROOT
from scripts.pdf.printer import chromium
from scripts.site.server import serve

SITE = ROOT / "site"
LATER = 50
READY = "() => document.querySelector('.own-verdict')?.textContent"
# Milliseconds of each input; between two the page tries its mends.
TYPED = """async ([text, times]) => {
  const field = document.querySelector('.own-editor textarea'), found = []
  const typed = text => new Promise(done => {
    const seen = new MutationObserver(() => (seen.disconnect(), done(performance.now() - start)))
    seen.observe(document.querySelector('.own-verdict').parentElement, {childList: true, subtree: true})
    field.value = text
    const start = performance.now()
    field.dispatchEvent(new Event('input', {bubbles: true}))
  })
  for (let i = 0; i <= times; i++) {
    found.push(await typed(text + '#'.repeat(i % 2)))
    await new Promise(done => setTimeout(done, 100))
  }
  return found
}"""


def bench() -> None:
    if not (SITE / "jobscript.html").is_file():
        raise BadInput(SITE, None, "the guide is not built.", "make site")
    with chromium() as browser, serve(SITE) as server:
        for name, text in texts().items():
            runs = []
            for _ in range(PROCESSES):
                page = browser.new_context().new_page()
                page.goto(f"http://127.0.0.1:{server.server_port}/jobscript.html#mode=check&cluster={SYSTEM}")
                page.wait_for_function(READY)
                page.wait_for_timeout(1000)
                runs.append(page.evaluate(TYPED, [text, LATER]))
                page.context.close()
            aim = f"< {FRAME} ms"
            say(f"in a browser, the first verdict, {name} script", [run[0] for run in runs], "ms", aim)
            say(f"in a browser, a verdict, {name} script", [each for run in runs for each in run[1:]], "ms", aim)
