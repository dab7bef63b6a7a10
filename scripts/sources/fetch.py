"""Fetch texts over HTTP, politely: one after the other, none twice, none large. The standard library does it: `guide`
needs no package for that.
"""

import contextlib
import hashlib
import http.client
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import quote, urlsplit

from scripts.errors import BadInput
from scripts.paths import write_whole

MOST_BYTES = 3_000_000
SECONDS = 20.0  # for one answer of a host
PAUSE = 0.5  # seconds between two requests to one host
TYPES = ("text/", "application/json", "application/xhtml+xml", "application/vnd.github")
AGENT = "gpu-cluster-guide-sources/1 (reads each page once a week at most)"


class Unreachable(Exception):
    """The text could not be had; says why in words."""


class Gone(Unreachable):
    """There is no such text any more."""


class Fetcher:
    """Fetches texts, and keeps in a folder what never changes."""

    def __init__(self, folder: Path | None = None, seconds: float = SECONDS, pause: float = PAUSE):
        self.folder, self.seconds, self.pause = folder, seconds, pause
        self.last: dict[str, float] = {}
        self.silent: dict[str, str] = {}  # hosts that are asked nothing more: why
        self.had: dict[tuple[str, str], str | Unreachable] = {}

    def get(self, address: str, accept: str = "text/html, text/plain, */*;q=0.1", forever: bool = False) -> str:
        """The text at this address; forever: it never changes, so one that is kept is taken. Raises Unreachable."""
        if forever and (kept := self.kept(address)) is not None:
            return kept
        if (address, accept) not in self.had:
            try:
                self.had[address, accept] = self._ask(address, accept)
            except Unreachable as why:
                self.had[address, accept] = why
        found = self.had[address, accept]
        if isinstance(found, Unreachable):
            raise found
        if forever:
            self.keep(address, found)
        return found

    def _ask(self, address: str, accept: str) -> str:
        parts = urlsplit(address)
        if why := self.silent.get(parts.netloc):
            raise Unreachable(why)
        time.sleep(max(0.0, self.last.get(parts.netloc, 0.0) + self.pause - time.monotonic()))
        safe = parts._replace(path=quote(parts.path, safe="/%:@!$&'()*+,;=~"), query=quote(parts.query, safe="=&%|+/:"))
        request = urllib.request.Request(safe.geturl(), headers={"User-Agent": AGENT, "Accept": accept})
        try:
            with urllib.request.urlopen(request, timeout=self.seconds) as answer:
                return _read(answer, self.seconds)
        except urllib.error.HTTPError as answer:
            if answer.code in (404, 410):
                raise Gone(f"the page no longer exists (status {answer.code})") from None
            if answer.code in (403, 429, 503):
                self.silent[parts.netloc] = f"the host accepts no more requests (status {answer.code})"
                raise Unreachable(self.silent[parts.netloc]) from None
            raise Unreachable(f"the host answered with status {answer.code}") from None
        except urllib.error.URLError as fault:
            self.silent[parts.netloc] = f"no connection: {getattr(fault.reason, 'strerror', None) or fault.reason}"
            raise Unreachable(self.silent[parts.netloc]) from None
        except (OSError, http.client.HTTPException, ValueError) as fault:
            raise Unreachable(f"its answer is invalid: {fault or type(fault).__name__}") from None
        finally:
            self.last[parts.netloc] = time.monotonic()

    def keep(self, name: str, text: str) -> None:
        """Keep a text under a name."""
        if place := self._place(name):
            with contextlib.suppress(BadInput):  # without room there is no cache, and no harm
                write_whole(place, text)

    def kept(self, name: str) -> str | None:
        """The text that was kept under this name; a file that cannot be read is as none."""
        try:
            return place.read_text(encoding="utf-8") if (place := self._place(name)) else None
        except (OSError, ValueError):
            return None

    def _place(self, name: str) -> Path | None:
        return self.folder / f"{hashlib.sha256(name.encode()).hexdigest()}.txt" if self.folder else None


def _read(answer, seconds: float) -> str:
    """The text of an answer, whole. Raises Unreachable for what is too large, too slow or no text."""
    kind = answer.headers.get_content_type()
    if not kind.startswith(TYPES):
        raise Unreachable(f"it is not text, but {kind[:60]}")
    content, promised = b"", answer.headers.get("Content-Length", "")
    end = time.monotonic() + seconds
    while len(content) <= MOST_BYTES and (part := answer.read1(2**16)):
        content += part
        if time.monotonic() > end:
            raise Unreachable(f"it takes longer than {seconds:g} s")
    if len(content) > MOST_BYTES:
        raise Unreachable(f"it is larger than {MOST_BYTES / 1e6:g} MB")
    if promised.isdigit() and len(content) < int(promised):
        raise Unreachable("the transfer broke off")
    try:
        text = content.decode(answer.headers.get_content_charset() or "utf-8")
    except (UnicodeDecodeError, LookupError):
        text = "\0"
    if "\0" in text:
        raise Unreachable(f"it claims to be {kind}, but is not")
    return text
