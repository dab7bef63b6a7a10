"""Write all that is made of the facts and the records: `build/made/`, and cells of notebooks.

`--check` writes nothing and names what is stale of that which is in git.
"""

from __future__ import annotations

import argparse

from scripts.errors import refuse, run
from scripts.tables import made


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m scripts.tables", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing; fail if anything made is stale")
    if parser.parse_args().check:
        made.refuse_stale()
        print("Everything made agrees with the facts and the records.")
        return 0
    for path in made.write_all():
        print(f"wrote {path}")
    refuse(made.stale_stamps())
    return 0


if __name__ == "__main__":
    run(main)
