"""Check every facts file, say how many there are, and which pages nobody has read for over a year: `guide facts`."""

from __future__ import annotations

import argparse

from scripts.errors import run
from scripts.facts import load_all, today
from scripts.facts.age import aged


def main() -> None:
    argparse.ArgumentParser(prog="guide facts", description=__doc__).parse_args()
    clusters = load_all()
    partitions = sum(len(cluster.partitions) for cluster in clusters.values())
    number = f"{len(clusters)} cluster{'s' * (len(clusters) != 1)}"
    print(f"{number}, {partitions} partition{'s' * (partitions != 1)}: all facts files are well formed.")
    for sentence in aged(clusters, today()):
        print(sentence)


if __name__ == "__main__":
    run(main)
