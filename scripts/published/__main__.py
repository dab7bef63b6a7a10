"""Judge every published script anew:

    python -m scripts.published            # each script whose verdict differs from the one on record
    python -m scripts.published FOLDER     # and hold the record against clones, FOLDER/OWNER/NAME

It ends with 1 if anything differs.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from scripts.errors import run
from scripts.facts import load_all
from scripts.published.extract import draw
from scripts.published.judged import judged
from scripts.published.record import Place, load_published


def differing(place: Place) -> Iterator[str]:
    """A sentence for each script that gets another verdict today."""
    clusters = load_all()
    for script in place.scripts:
        verdict, found = judged(clusters[script.cluster], script)
        if verdict != script.verdict:
            said = f": {found[0].what}" if found else ""
            yield f"{place.repository}:{script.path}: {verdict}, no longer {script.verdict}{said}"


def untrue(place: Place, clone: Path) -> Iterator[str]:
    """A sentence for each script that stands otherwise in the clone."""
    clusters = load_all()
    for script in place.scripts:
        shown = subprocess.run(["git", "-C", clone, "show", f"{place.commit}:{script.path}"], capture_output=True)
        at = f"{place.repository}:{script.path}"
        if shown.returncode:
            yield f"{at}: commit {place.commit[:12]} has no such file. Fetch it into the clone."
        elif hashlib.sha256(shown.stdout).hexdigest() != script.sha256:
            yield f"{at}: this text is not the one that was recorded. Correct its sha256."
        elif draw(shown.stdout.decode("utf-8", "replace"), clusters[script.cluster].scheduler.kind) != script.drawn:
            yield f"{at}: other options or commands are drawn out now. Renew its entry."


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m scripts.published", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", help="has a clone of each repository, as OWNER/NAME")
    folder = parser.parse_args().folder
    found, verdicts = [], Counter()
    for place in load_published().values():
        found += differing(place)
        verdicts.update(script.verdict for script in place.scripts)
        if folder and (clone := folder / place.repository).exists():
            found += untrue(place, clone)
    counts = ", ".join(f"{number} {verdict}" for verdict, number in verdicts.most_common())
    print("\n".join([*found, f"{verdicts.total()} scripts on record: {counts}; {len(found)} differ."]))
    return 1 if found else 0


if __name__ == "__main__":
    run(main)
