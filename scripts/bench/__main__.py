"""Print the speed and size of the guide's tools: medians, with the slowest and fastest beside them.

python -m scripts.bench            all of them
python -m scripts.bench twins      one of them
"""

from __future__ import annotations

import argparse
import importlib

from scripts.errors import run


def main() -> int:
    names = ("verdict", "site", "twins", "page")
    parser = argparse.ArgumentParser(
        prog="python -m scripts.bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("bench", nargs="*", metavar="{verdict,site,twins,page}", help="left out: all")
    for name in parser.parse_args().bench or names:
        importlib.import_module(f"scripts.bench.{name}").bench()
    return 0


if __name__ == "__main__":
    run(main)
