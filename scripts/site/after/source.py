"""Pack the guide's repository into the site, so that each reader has the command `guide`, also without a network."""

from __future__ import annotations

from pathlib import Path

from scripts.git import git
from scripts.paths import ROOT
from scripts.site.after.offline import NAME, pack


def write(site: Path) -> None:
    """All that git tracks, as it is in this checkout. Without git there is no list of files, and no zip."""
    tracked = [path for name in git("ls-files").splitlines() if (path := ROOT / name).is_symlink() or path.is_file()]
    if tracked:
        pack(ROOT, tracked, site / f"{NAME}-source.zip")
