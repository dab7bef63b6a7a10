"""A copy of the guide's sources, for tools that write beside them or change them."""

import shutil
from pathlib import Path

from scripts.paths import ROOT


def copy_guide(folder: Path) -> None:
    """Copy into `folder` what building and serving need: the pages, the snippets, the tools, the configuration."""
    for name in ("docs", "snippets", "scripts"):
        shutil.copytree(ROOT / name, folder / name, symlinks=True)
    shutil.copy(ROOT / "mkdocs.yml", folder)
