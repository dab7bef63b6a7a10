"""Read every file in a folder, and print the number of files and bytes."""

import argparse
import sys
from pathlib import Path

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("folder", type=Path, nargs="?", default=Path("."))
folder = parser.parse_args().folder

files = [path for path in folder.rglob("*") if path.is_file()]
if not files:
    sys.exit(f"There is no file in {folder}. Was the data copied there?")

size = 0
for path in files:
    with path.open("rb") as file:
        while block := file.read(2**24):  # 16 MiB, so that no file is too large
            size += len(block)
print(f"{len(files):,} files, {size:,} bytes")
