"""Where a source's text is had: at a commit of a repository, at a revision of a wiki, or as the page itself.

A state of a source is its lines and its revision. Each origin knows the state of today (`now`) and, if it keeps a
history, that of a revision (`then`).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated
from urllib.parse import quote, unquote

from pydantic import Field, model_validator

from scripts.markdown import INCLUDE
from scripts.models import Strict, load_model
from scripts.sources.fetch import Fetcher, Gone, Text, Unreachable
from scripts.sources.revision import GIT, WIKI, digest, parts, same
from scripts.sources.text import Tangled, is_html, lines_of

FILE = Path(__file__).with_name("origins.yml")
ON_GITHUB = re.compile(r"https://github\.com/(?P<repository>[\w.-]+/[\w.-]+)/blob/(?P<ref>[\w.-]+)/(?P<path>[^?#]+)$")
COMMIT = re.compile(r"[0-9a-f]{7,40}")
API, RAW = "https://api.github.com/repos", "https://raw.githubusercontent.com"


@dataclass(frozen=True)
class State:
    """A text at a time. moved: the page's new address, where the old one leads to it for good."""

    lines: list[str]
    revision: str
    moved: str | None = None


class Known(Strict):
    """Pages whose texts are kept with their history."""

    pages: str = Field(pattern=r"^https://.*/$", description="How their addresses begin")
    git: str | None = Field(None, pattern=r"^[\w.-]+/[\w.-]+$", description="GitHub's owner/repository")
    branch: str | None = None
    files: list[str] = Field(default_factory=list, description="Where a page's file may be")
    includes: str | None = Field(None, description="The folder of what its pages include with `--8<--`")
    wiki: str | None = Field(None, pattern=r"^https://.*/$", description="The folder of MediaWiki's scripts")

    @model_validator(mode="after")
    def _one_of_both(self):
        if (self.git is None) == (self.wiki is None) or bool(self.git) != bool(self.branch and self.files):
            raise ValueError("this is neither git nor wiki; write `git:` with `branch:` and `files:`, or `wiki:`")
        return self


class _Origins(Strict):
    origins: Annotated[list[Known], Field(min_length=1)]


@dataclass(frozen=True)
class Git:
    """A file of a repository, under the first of these names that there is."""

    repository: str
    branch: str
    files: tuple[str, ...]
    includes: str | None = None

    def head(self, fetcher: Fetcher) -> str:
        """The branch's newest commit, as a revision."""
        address = f"{API}/{self.repository}/commits/{quote(self.branch, safe='')}"
        found = fetcher.get(address, accept="application/vnd.github.sha").text.strip()
        if not re.fullmatch(r"[0-9a-f]{40}", found):
            raise Unreachable("its repository does not say what its newest commit is")
        return f"{GIT}:{found}"

    def now(self, fetcher: Fetcher, known: str | None = None) -> State:
        """known: the revision that is written down; if that is the newest, nothing else is asked."""
        head = self.head(fetcher)
        return State([], known) if known and same(head, known) else self.then(fetcher, head)

    def then(self, fetcher: Fetcher, revision: str) -> State:
        kind, commit = parts(revision)
        if kind != GIT:
            raise Unreachable("its revision is no commit of its repository")
        for name in self.files:
            try:
                text = fetcher.get(f"{RAW}/{self.repository}/{commit}/{quote(name)}", accept="text/plain", forever=True)
            except Gone:
                continue
            return State(self._with_included(_plain(text), commit, fetcher), revision)
        raise Gone(f"commit {commit[:9]} has no {' or '.join(self.files)}")

    def _with_included(self, lines: list[str], commit: str, fetcher: Fetcher) -> list[str]:
        """Its lines with those of the files that it includes in their places, but not what those include in turn."""
        found = []
        for line in lines:
            name = INCLUDE.match(line)
            if not (self.includes and name) or ".." in name["path"]:
                found.append(line)
                continue
            path = f"{self.includes}/{name['path']}"
            try:
                text = fetcher.get(f"{RAW}/{self.repository}/{commit}/{quote(path)}", accept="text/plain", forever=True)
                found += _plain(text)
            except Gone:
                found.append(line)
        return found


@dataclass(frozen=True)
class Wiki:
    """A page of a MediaWiki."""

    scripts: str
    title: str

    def now(self, fetcher: Fetcher, known: str | None = None) -> State:
        question = "action=query&prop=revisions&rvprop=ids|content&rvslots=main&format=json&formatversion=2&redirects=1"
        text = fetcher.get(f"{self.scripts}api.php?{question}&titles={quote(self.title)}", accept="application/json")
        try:
            (page,) = json.loads(text.text)["query"]["pages"]
            if page.get("missing"):
                raise Gone("the wiki has no such page any more")
            (revision,) = page["revisions"]
            return State(lines_of(revision["slots"]["main"]["content"]), f"{WIKI}:{int(revision['revid'])}")
        except (ValueError, KeyError, TypeError, AttributeError):
            raise Unreachable("the wiki's answer is not that of a MediaWiki") from None

    def then(self, fetcher: Fetcher, revision: str) -> State:
        kind, number = parts(revision)
        if kind != WIKI:
            raise Unreachable("its revision is no number of this wiki")
        return State(_plain(fetcher.get(f"{self.scripts}index.php?oldid={number}&action=raw", forever=True)), revision)


@dataclass(frozen=True)
class Page:
    """A page without a history. What it said is known only where this machine has kept it."""

    address: str

    def now(self, fetcher: Fetcher, known: str | None = None) -> State:
        text = fetcher.get(self.address)
        try:
            lines = lines_of(text.text)
        except Tangled:
            raise Unreachable("its HTML cannot be read") from None
        if not lines:
            raise Unreachable("there is no text on the page")
        state = State(lines, digest(lines), text.moved)
        fetcher.keep(state.revision, "\n".join(lines))
        return state

    def then(self, fetcher: Fetcher, revision: str) -> State:
        if (text := fetcher.kept(revision)) is None:
            raise Unreachable("what it said then was not kept on this machine")
        return State(text.splitlines(), revision)


Origin = Git | Wiki | Page


def _plain(text: Text) -> list[str]:
    if is_html(text.text):
        raise Unreachable("a web page came where the text of a file was expected")
    return lines_of(text.text)


@lru_cache(maxsize=1)
def known_origins() -> list[Known]:
    """All of the file, the longest address first. Raises BadInput for every fault of it."""
    found = load_model(FILE, _Origins, "Compare with another origin.")[0].origins
    return sorted(found, key=lambda known: len(known.pages), reverse=True)


def origin_of(address: str) -> Origin | None:
    """Where the text of this page is had; None for an address that names a commit, whose text never changes."""
    if found := ON_GITHUB.match(address):
        if COMMIT.fullmatch(found["ref"]):
            return None
        return Git(found["repository"], found["ref"], (unquote(found["path"]),))
    for known in known_origins():
        if address.startswith(known.pages):
            page = unquote(address.removeprefix(known.pages)).partition("#")[0].removesuffix(".html").strip("/")
            if known.wiki:
                return Wiki(known.wiki, page)
            files = (name.replace("{page}/", f"{page}/" if page else "").format(page=page) for name in known.files)
            named = tuple(name for name in files if "/.md" not in name)
            if named:  # the first page may have no file of its own
                return Git(known.git or "", known.branch or "", named, known.includes)
    return Page(address)
