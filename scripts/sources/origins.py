"""Where a source's text is had: at a commit of a repository, or as the page itself.

A state of a source is its lines and its revision, as scripts/facts/model.py has it: `git:0123abc`, or `sha256:…`, a
hash of the lines. Each origin knows the state of today (`now`) and that of a revision (`then`).
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote

from scripts.markdown import INCLUDE
from scripts.sources.fetch import Fetcher, Gone, Unreachable
from scripts.sources.text import is_html, lines_of

ON_GITHUB = re.compile(r"https://github\.com/(?P<repository>[\w.-]+/[\w.-]+)/blob/(?P<ref>[\w.-]+)/(?P<path>[^?#]+)$")
COMMIT = re.compile(r"[0-9a-f]{7,40}")
API, RAW = "https://api.github.com/repos", "https://raw.githubusercontent.com"


@dataclass(frozen=True)
class State:
    """A text at a time."""

    lines: list[str]
    revision: str


@dataclass(frozen=True)
class Git:
    """A file of a repository, under the first of these names that there is.

    includes: the folder of what the repository's pages include with `--8<--`.
    """

    repository: str
    branch: str
    files: tuple[str, ...]
    includes: str | None = None

    def now(self, fetcher: Fetcher, known: str | None = None) -> State:
        """known: the revision that is written down; if that is the branch's newest, nothing else is asked."""
        address = f"{API}/{self.repository}/commits/{quote(self.branch, safe='')}"
        head = fetcher.get(address, accept="application/vnd.github.sha").strip()
        if not re.fullmatch(r"[0-9a-f]{40}", head):
            raise Unreachable("its repository does not say what its newest commit is")
        if known and same(known, f"git:{head}"):
            return State([], known)
        return self.then(fetcher, f"git:{head}")

    def then(self, fetcher: Fetcher, revision: str) -> State:
        kind, _, commit = revision.partition(":")
        if kind != "git":
            raise Unreachable("its revision is not a commit of its repository")
        for name in self.files:
            try:
                return State(self._with_included(self._lines(fetcher, commit, name), commit, fetcher), revision)
            except Gone:
                continue
        raise Gone(f"commit {commit[:9]} has no {' or '.join(self.files)}")

    def _lines(self, fetcher: Fetcher, commit: str, name: str) -> list[str]:
        address = f"{RAW}/{self.repository}/{commit}/{quote(name)}"
        text = fetcher.get(address, accept="text/plain", forever=True)
        if is_html(text):
            raise Unreachable("a web page came where the text of a file was expected")
        return lines_of(text)

    def _with_included(self, lines: list[str], commit: str, fetcher: Fetcher) -> list[str]:
        """Its lines with those of the files that it includes in their places, but not what those include in turn."""
        found = []
        for line in lines:
            name = INCLUDE.match(line)
            try:
                if not (self.includes and name) or ".." in name["path"]:
                    raise Gone
                found += self._lines(fetcher, commit, f"{self.includes}/{name['path']}")
            except Gone:
                found.append(line)
        return found


@dataclass(frozen=True)
class Page:
    """A page without a history. What it said is known only where this machine has kept it."""

    address: str

    def now(self, fetcher: Fetcher, known: str | None = None) -> State:
        lines = lines_of(fetcher.get(self.address))
        if not lines:
            raise Unreachable("there is no text on the page")
        state = State(lines, digest(lines))
        fetcher.keep(state.revision, "\n".join(lines))
        return state

    def then(self, fetcher: Fetcher, revision: str) -> State:
        if (text := fetcher.kept(revision)) is None:
            raise Unreachable("what it said then was not kept on this machine")
        return State(text.splitlines(), revision)


Origin = Git | Page

MKDOCS = ("docs/{page}.md", "docs/{page}/index.md")
# How a page's address begins -> where its text is kept with its history; {page} is what follows in the address.
KNOWN = {
    "https://docs.csc.fi/": Git("CSCfi/csc-user-guide", "master", MKDOCS, "csc-overrides/assets/snippets"),
    "https://docs.lumi-supercomputer.eu/": Git("Lumi-supercomputer/lumi-userguide", "production", MKDOCS),
    "https://natlabrockies.github.io/HPC/": Git("NatLabRockies/HPC", "gh-pages", MKDOCS),
    "https://arcdocs.leeds.ac.uk/aire/": Git("arcdocs/aire", "main", ("book/{page}.md",)),
}


def same(one: str, other: str) -> bool:
    """Do both revisions name one state? A commit may be written short."""
    return one == other or (one.startswith("git:") and (one.startswith(other) or other.startswith(one)))


def digest(lines: Sequence[str]) -> str:
    """The revision of a page that has no other: a hash of its lines of text."""
    return f"sha256:{hashlib.sha256(chr(10).join(lines).encode()).hexdigest()}"


def origin_of(address: str) -> Origin | None:
    """Where the text of this page is had; None for an address that names a commit, whose text never changes."""
    if found := ON_GITHUB.match(address):
        if COMMIT.fullmatch(found["ref"]):
            return None
        return Git(found["repository"], found["ref"], (unquote(found["path"]),))
    for begins, known in KNOWN.items():
        if address.startswith(begins):
            page = unquote(address.removeprefix(begins)).partition("#")[0].removesuffix(".html").strip("/")
            files = (name.replace("{page}/", f"{page}/" if page else "").format(page=page) for name in known.files)
            named = tuple(name for name in files if "/.md" not in name)
            if named:  # the first page may have no file of its own
                return replace(known, files=named)
    return Page(address)
