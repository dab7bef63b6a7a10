"""The guide's pages, what each shows, and which of them a browser visits by day."""

from pathlib import Path

from scripts.facts import load_all
from scripts.facts.centres import load_centres
from scripts.git import git
from scripts.markdown import INCLUDE
from scripts.paths import DOCS, ROOT
from scripts.site.text import pages, text_of
from scripts.tables.notebooks import JUPYTER
from tests.made import made

if not JUPYTER.exists():
    made()  # what a notebook includes
PAGES = pages()
SYSTEM_PAGES = {key: DOCS / "clusters" / f"{key}.md" for key in load_all()}
CENTRE_PAGES = {key: DOCS / "clusters" / f"{key}.md" for key in load_centres()}
CLUSTER_PAGES = [*SYSTEM_PAGES.values(), *CENTRE_PAGES.values()]
NOTEBOOKS = [page for page in PAGES if page.suffix == ".ipynb"]
TEXT = {page: text_of(page) for page in PAGES}
IDS = [str(page.relative_to(DOCS)) for page in PAGES]


def html_of(page: Path) -> str:
    """Below the site's folder: clusters/uva.html."""
    return str(page.relative_to(DOCS).with_suffix(".html"))


NAMES = sorted(map(html_of, PAGES))
WRONG_ADDRESS = "404.html"  # the one built page that no file in docs/ is the source of

# One page of each kind: what the theme, a style sheet or a script breaks, it breaks on one of these.
ON_A_PHONE = {"index.html"}
AT_A_DESK = {"jobscript.html", "learn/pytorch.html"}
MOST_CHANGED = 4  # of the pages that differ from main, so many are visited by day


def included(page: Path) -> list[str]:
    """The paths, from the repository's root, that the page's include lines name."""
    return [line["path"] for line in INCLUDE.finditer(TEXT[page])]


def changed() -> list[str]:
    """The pages whose text differs from where the branch left main, or on main from the commit before; the first few.

    None of them where git cannot say: then the night has them.
    """
    head, base = git("rev-parse", "HEAD"), git("merge-base", "HEAD", "main")
    since = git("diff", "--name-only", "HEAD~" if base == head else base) if base else ""
    files = {*since.splitlines(), *git("ls-files", "--others", "--exclude-standard").splitlines()}
    return [html_of(page) for page in PAGES if str(page.relative_to(ROOT)) in files][:MOST_CHANGED]
