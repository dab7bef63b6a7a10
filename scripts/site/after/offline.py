"""Pack the guide into one zip that works from a folder, without a network: `site/gpu-cluster-guide.zip`.

Unpack it, open `index.html`. It is the built site without what only a server needs. The PDFs are inside once `make pdf`
has made them.
"""

import os
import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

from scripts.errors import BadInput

NAME = "gpu-cluster-guide"
# What a folder does not need: addresses for servers, the theme's maps for its developers, its search, in one file what
# its pages or `api` hold, and the engine for programs with its data, which are in the source of `guide`.
LEFT_OUT = (
    "api/v1/engine.js",
    "api/v1/common.json",
    "404.html",
    "sitemap.xml*",
    "llms-full.txt",
    "made/facts.json",
    "*.map",
    "assets/javascripts/lunr/**/*",
    "assets/javascripts/workers/*",
    "search/search_index.json",
    f"{NAME}.zip",
)
LINK = re.compile(r'<a\b[^>]*\bhref="(?P<file>[^"#?:]+\.(?:zip|gz|pdf|js|json))"[^>]*>(?P<text>.*?)</a>', re.DOTALL)


def make_folder(site: Path, folder: Path) -> None:
    """Copy the built site into `folder`, and let it work from there."""
    left_out = {
        path
        for pattern in LEFT_OUT
        for path in site.glob(pattern if "/" in pattern or "*" not in pattern else f"**/{pattern}")
    }
    shutil.copytree(site, folder, ignore=lambda place, names: [name for name in names if Path(place, name) in left_out])
    for page in folder.rglob("*.html"):
        _mend_links(page)


def _mend_links(page: Path) -> None:
    """A link to a file that is not in the folder becomes plain text."""

    def there(link: re.Match) -> str:
        return link[0] if (page.parent / link["file"]).is_file() else link["text"]

    page.write_text(LINK.sub(there, page.read_text(encoding="utf-8")), encoding="utf-8")


def pack(folder: Path, paths: Iterable[Path], file: Path) -> None:
    """Zip these files of the folder. The same ones give the same bytes: sorted, one date, two modes."""
    part = file.with_suffix(".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(paths):
            mode = 0o755 if os.access(path, os.X_OK) else 0o644
            entry = zipfile.ZipInfo(str(Path(file.stem) / path.relative_to(folder)))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, mode << 16
            packed.writestr(entry, path.read_bytes(), compresslevel=9)
    part.replace(file)


def write(site: Path) -> Path:
    if not (site / "search" / "search_index.js").is_file():
        raise BadInput(site, None, "the guide is not built here.", "Run `make site` first.")
    file = site / f"{NAME}.zip"
    with tempfile.TemporaryDirectory(prefix="offline-") as scratch:
        make_folder(site, Path(scratch, NAME))
        pack(Path(scratch, NAME), (path for path in Path(scratch, NAME).rglob("*") if path.is_file()), file)
    return file
