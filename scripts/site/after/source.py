"""Pack the source of the command `guide` into the site, so that each reader has it, also without a network."""

from pathlib import Path

from scripts.git import git
from scripts.paths import ROOT
from scripts.site.after.offline import NAME, pack

# What each name begins with: the command's parts, and what pip puts into the package.
ROOMS = ("guide", "scripts", "snippets", "requirements", "pyproject.toml", "README.md", "LICENSE", "mkdocs.yml")
ROOMS += ("docs/assets", "docs/jobscript.md", "docs/learn/glossary.md")
NOT_PACKED = ("docs/assets/home.png", "scripts/pdf", "scripts/prose", "snippets/collections", "snippets/published")
NOT_PACKED += ("snippets/evidence.json",)


def write(site: Path) -> None:
    """What the command needs of all that git tracks. Without git there is no list of files, and no zip."""
    names = [
        name
        for name in git("ls-files").splitlines()
        if name.startswith(ROOMS) and not name.startswith(NOT_PACKED) and not name.endswith(".test.js")
    ]
    if tracked := [path for name in names if (path := ROOT / name).is_file()]:
        pack(ROOT, tracked, site / f"{NAME}-source.zip")
