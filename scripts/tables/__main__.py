"""Write all that is made of the facts and the records: `build/made/`."""

import argparse

from scripts.errors import run
from scripts.tables import made


def main() -> int:
    argparse.ArgumentParser(prog="python -m scripts.tables", description=__doc__).parse_args()
    for path in made.write_made():
        print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    run(main)
