"""Fetch texts over HTTP, politely: a few, one at a time from each host, none twice, none large, none for long.

The standard library does it. httpx and hishel would take over redirects and the cache, some 40 of these lines, and
bring ten packages to every user of `guide`; limits of size, of time and for a host are ours with either.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import json
import ssl
import threading
import time
import urllib.error
import urllib.request
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import quote, urljoin, urlsplit

MOST_BYTES = 3_000_000
SECONDS = 20.0  # for one text, however it comes
MOST_REDIRECTS = 5
PAUSE = 0.5  # seconds between two requests to one host
TYPES = ("text/", "application/json", "application/xhtml+xml", "application/vnd.github")
AGENT = "gpu-cluster-guide-sources/1 (reads each page once a week at most)"


class Unreachable(Exception):
    """The text could not be had; says why in words. `host`: is it the host that does not answer, whatever is asked?"""

    def __init__(self, why: str, host: bool = False):
        self.host = host
        super().__init__(why)


class Gone(Unreachable):
    """There is no such text any more."""


@dataclass(frozen=True)
class Text:
    """What came, and where from: the last of all redirects. `moved`: the new address, if it has one for good."""

    text: str
    address: str
    moved: str | None = None
    etag: str | None = None


class _Stay(urllib.request.HTTPRedirectHandler):
    """Redirects are followed one by one by us, who look at each."""

    def redirect_request(self, *arguments):
        return None


class Fetcher:
    """Fetches texts and keeps them in a folder, so that an unchanged one is not sent again.

    schemes: what an address may begin with. seconds, most_bytes, pause: see above.
    """

    def __init__(
        self,
        folder: Path | None = None,
        schemes: tuple[str, ...] = ("https",),
        seconds: float = SECONDS,
        most_bytes: int = MOST_BYTES,
        pause: float = PAUSE,
    ):
        self.folder, self.schemes, self.seconds = folder, schemes, seconds
        self.most_bytes, self.pause = most_bytes, pause
        self.request = urllib.request.build_opener(_Stay).open
        self.locks: dict[str, threading.Lock] = defaultdict(threading.Lock)
        self.last: dict[str, float] = {}
        self.silent: dict[str, str] = {}  # hosts that do not answer: why
        self.had: dict[tuple, Text | Unreachable] = {}

    def get(self, address: str, accept: str = "text/html, text/plain, */*;q=0.1", forever: bool = False) -> Text:
        """The text at this address; forever: it never changes, so one that is kept is taken. Raises Unreachable."""
        host = urlsplit(address).netloc
        with self.locks[host]:
            if (address, accept) not in self.had:
                try:
                    self.had[address, accept] = self._get(address, accept, forever)
                except Unreachable as why:
                    self.had[address, accept] = why
            found = self.had[address, accept]
        if isinstance(found, Unreachable):
            raise found
        return found

    def _get(self, address: str, accept: str, forever: bool) -> Text:
        kept = self._kept(address)
        if kept and forever:
            return kept
        found = self._follow(address, accept, kept)
        if found is not kept:
            self._keep(address, found)
        return found

    def _follow(self, address: str, accept: str, kept: Text | None) -> Text:
        at, moved, until = address, None, time.monotonic() + self.seconds
        for _ in range(MOST_REDIRECTS + 1):
            found = self._ask(at, accept, kept, until)
            if found is None:
                assert kept
                return kept
            if isinstance(found, Text):
                return Text(found.text, at, moved, found.etag)
            code, target = found
            moved = target if code in (301, 308) and (moved or at == address) else moved
            at = target
        raise Unreachable(f"it leads from one address to another more than {MOST_REDIRECTS} times")

    def _ask(self, address: str, accept: str, kept: Text | None, until: float) -> Text | tuple[int, str] | None:
        """One request: a text, (status, where it leads to), or None where what is kept still holds."""
        parts = urlsplit(address)
        if parts.scheme not in self.schemes or not parts.hostname:
            raise Unreachable(f"it leads to {address[:100]}, which is no {' or '.join(self.schemes)} address")
        if why := self.silent.get(parts.netloc):
            raise Unreachable(why, host=True)
        headers = {"User-Agent": AGENT, "Accept": accept}
        if kept and kept.etag and address == kept.address:
            headers["If-None-Match"] = kept.etag
        if (wait := self.last.get(parts.netloc, 0) + self.pause - time.monotonic()) > 0:
            time.sleep(wait)
        safe = parts._replace(path=quote(parts.path, safe="/%:@!$&'()*+,;=~"), query=quote(parts.query, safe="=&%|+/:"))
        try:
            request = urllib.request.Request(safe.geturl(), headers=headers)
            with self.request(request, timeout=max(0.1, until - time.monotonic())) as answer:
                return self._read(answer, address, until)
        except urllib.error.HTTPError as answer:
            with answer:
                return self._refused(answer, address)
        except (OSError, http.client.HTTPException, ValueError) as fault:
            raise self._failed(parts.netloc, fault) from None
        finally:
            self.last[parts.netloc] = time.monotonic()

    def _refused(self, answer: urllib.error.HTTPError, address: str) -> tuple[int, str] | None:
        if answer.code == 304:
            return None
        if answer.code in (301, 302, 303, 307, 308) and (target := answer.headers.get("Location")):
            return answer.code, urljoin(address, target)
        if answer.code in (404, 410):
            raise Gone(f"there is nothing any more (status {answer.code})")
        if answer.code in (403, 429, 503):  # it wants to be left alone: ask it nothing more
            self.silent[urlsplit(address).netloc] = why = f"the host wants no more questions (status {answer.code})"
            raise Unreachable(why, host=True)
        raise Unreachable(f"the host answered with status {answer.code}")

    def _failed(self, host: str, fault: Exception) -> Unreachable:
        """Why nothing came. A host that cannot be found or reached is asked nothing more."""
        reason = getattr(fault, "reason", fault)
        if isinstance(reason, ssl.SSLError):
            why = f"its certificate or encryption is not in order: {reason.reason or reason}"
        elif isinstance(reason, TimeoutError):
            why = f"no answer within {self.seconds:g} s"
        elif isinstance(fault, http.client.HTTPException):
            return Unreachable(f"its answer is broken: {type(fault).__name__}")
        else:
            why = f"no connection: {getattr(reason, 'strerror', None) or reason}"
        if isinstance(fault, urllib.error.URLError):
            self.silent[host] = why
            return Unreachable(why, host=True)
        return Unreachable(why)

    def _read(self, answer, address: str, until: float) -> Text:
        kind = answer.headers.get_content_type()
        if not kind.startswith(TYPES):
            raise Unreachable(f"it is no text, but {kind[:60]}")
        if answer.headers.get("Content-Encoding", "identity") != "identity":
            raise Unreachable("it comes packed, which was not asked for")
        content, promised = b"", answer.headers.get("Content-Length", "")
        if promised.isdigit() and int(promised) > self.most_bytes:
            raise Unreachable(f"it is larger than {self.most_bytes / 1e6:g} MB")
        while chunk := answer.read1(65536):
            content += chunk
            if len(content) > self.most_bytes:
                raise Unreachable(f"it is larger than {self.most_bytes / 1e6:g} MB")
            if time.monotonic() > until:
                raise Unreachable(f"it did not come whole within {self.seconds:g} s")
        if promised.isdigit() and len(content) < int(promised):
            raise Unreachable("it broke off")
        try:
            text = content.decode(answer.headers.get_content_charset() or "utf-8")
        except (UnicodeDecodeError, LookupError):
            raise Unreachable(f"it says that it is {kind}, and is not") from None
        if "\0" in text:
            raise Unreachable(f"it says that it is {kind}, and is not")
        return Text(text, address, None, answer.headers.get("ETag"))

    def keep(self, name: str, text: str) -> None:
        """Keep a text under a name of ours."""
        self._keep(name, Text(text, name))

    def kept(self, name: str) -> str | None:
        """The text that was kept under this name."""
        found = self._kept(name)
        return found.text if found and found.address == name else None

    def _place(self, address: str) -> Path | None:
        return self.folder / f"{hashlib.sha256(address.encode()).hexdigest()}.json" if self.folder else None

    def _kept(self, address: str) -> Text | None:
        """What was kept; a file that cannot be read is as none."""
        try:
            return Text(**json.loads(place.read_text(encoding="utf-8"))) if (place := self._place(address)) else None
        except (OSError, ValueError, TypeError):
            return None

    def _keep(self, address: str, found: Text) -> None:
        if place := self._place(address):
            with contextlib.suppress(OSError):  # without room there is no cache, and no harm
                place.parent.mkdir(parents=True, exist_ok=True)
                scratch = place.with_suffix(f".{threading.get_ident()}")
                scratch.write_text(json.dumps(asdict(found)), encoding="utf-8")
                scratch.replace(place)
