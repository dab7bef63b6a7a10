"""Pack the source of the command `guide` into the site, so that each reader has it, also without a network."""

import gzip
import os
import tarfile
import tomllib
from pathlib import Path

from pathspec import GitIgnoreSpec

from scripts.git import git
from scripts.paths import ROOT
from scripts.site.after.offline import NAME

# What each name begins with: the command's parts, and what pip puts into the package.
ROOMS = ("guide", "scripts", "snippets", "requirements", "pyproject.toml", "README.md", "LICENSE", "mkdocs.yml")
ROOMS += ("docs/assets", "docs/jobscript.md", "docs/learn/glossary.md")
# What pip's package does not need: it has already written the scripts of families, and cannot measure or grade.
KEPT = ("snippets/families", "scripts/bench", "scripts/measure/", "scripts/reframe/", "scripts/*/README.md")


def _left_out() -> GitIgnoreSpec:
    """What pip's package leaves out, except what a checkout's own commands need."""
    built = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    return GitIgnoreSpec.from_lines(each for each in built["targets"]["wheel"]["exclude"] if not each.startswith(KEPT))


def write(site: Path) -> None:
    """What the command needs of all that git tracks. Without git there is no list of files, and no archive."""
    if tracked := [name for name in git("ls-files").splitlines() if name.startswith(ROOMS)]:
        names = set(tracked).difference(_left_out().match_files(tracked))
        _pack(sorted(name for name in names if (ROOT / name).is_file()), site / f"{NAME}-source.tar.gz")


def _pack(names: list[str], file: Path) -> None:
    """One stream is a quarter smaller than a zip. The same files give the same bytes: one order, date and owner."""
    part = file.with_suffix(".part")
    with open(part, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as stream:
        with tarfile.open(fileobj=stream, mode="w") as packed:
            for name in names:
                entry = tarfile.TarInfo(f"{NAME}-source/{name}")
                entry.size = (ROOT / name).stat().st_size
                entry.mode = 0o755 if os.access(ROOT / name, os.X_OK) else 0o644
                with open(ROOT / name, "rb") as content:
                    packed.addfile(entry, content)
    part.replace(file)
