"""Make the engine's npm package in a folder, with its facts and licence: `npm publish` there would publish it.

python -m scripts.jobscript.package FOLDER
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from scripts.errors import BadInput, run
from scripts.facts import load_all
from scripts.jobscript.data import files
from scripts.jobscript.node import ENGINE
from scripts.paths import ROOT

README = Path(__file__).with_name("README.md")  # not below docs/, where it would be a page


def make(folder: Path) -> None:
    """Write the package. Raises BadInput where something is there already."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInput(folder, None, "is there already.", "Name a new folder, or an empty one.")
    (folder / "data").mkdir(parents=True)
    for path in [*sorted(ENGINE.glob("*.js")), ENGINE / "package.json", README, ROOT / "LICENSE"]:
        shutil.copyfile(path, folder / path.name)
    for name, text in files(load_all().values()).items():
        (folder / "data" / name).write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    make(parser.parse_args().folder)


if __name__ == "__main__":
    run(main, status=2)
