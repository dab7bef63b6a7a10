"""Check every facts file, and say how many there are: `python -m scripts.facts`."""

from __future__ import annotations

import argparse

from scripts.errors import run
from scripts.facts import load_all


def main() -> int:
    argparse.ArgumentParser(prog="python -m scripts.facts", description=__doc__).parse_args()
    clusters = load_all()
    partitions = sum(len(cluster.partitions) for cluster in clusters.values())
    print(f"{len(clusters)} clusters, {partitions} partitions: all facts files are well formed.")
    return 0


if __name__ == "__main__":
    run(main)
