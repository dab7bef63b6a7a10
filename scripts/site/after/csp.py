"""Give every built page a Content-Security-Policy that it obeys: only this
site's files, only the inline scripts it has now.

The policy stands in a <meta>, so that it holds on any host and in the offline folder alike. It is written after the
build, from the pages themselves: nothing here knows which inline scripts the theme uses. docs/about/offline.md says
what the theme does not permit.
"""

import base64
import hashlib
import re
from pathlib import Path

from scripts.errors import BadInput

SCRIPT = re.compile(r"<script(?P<attributes>[^>]*)>(?P<code>.*?)</script>", re.DOTALL)
DATA = re.compile(r'type="application/(?:ld\+)?json"')
CHARSET = '<meta charset="utf-8">'
META = re.compile(r'<meta http-equiv="Content-Security-Policy" content="[^"]*">')


def hashes(html: str) -> list[str]:
    """The sources that allow this page's own inline scripts, each once."""
    inline = [
        m["code"] for m in SCRIPT.finditer(html) if "src=" not in m["attributes"] and not DATA.search(m["attributes"])
    ]
    digests = (base64.b64encode(hashlib.sha256(code.encode()).digest()).decode() for code in inline)
    return [f"'sha256-{digest}'" for digest in dict.fromkeys(digests)]


def policy(html: str) -> str:
    return "; ".join(
        [
            "default-src 'none'",
            " ".join(["script-src 'self'", *hashes(html)]),
            "style-src 'self'",
            "img-src 'self' data:",  # the theme's icons are data: addresses in its style sheet
            "connect-src 'self'",  # the search index
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def add(html: str) -> str:
    """The page with its policy, as early in <head> as the encoding allows; one that is there already is replaced."""
    html = META.sub("", html)
    return html.replace(CHARSET, f'{CHARSET}<meta http-equiv="Content-Security-Policy" content="{policy(html)}">', 1)


def write(site: Path) -> None:
    """Raises BadInput for a page that does not say its encoding as this looks for it."""
    for page in site.rglob("*.html"):
        html = page.read_text(encoding="utf-8")
        if CHARSET not in html:
            raise BadInput(page, None, f"the page gets no policy: no {CHARSET}.", "Look at the theme's base.html.")
        page.write_text(add(html), encoding="utf-8")
